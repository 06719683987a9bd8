package io.peerlens.web;

import static org.assertj.core.api.Assertions.assertThat;

import io.peerlens.support.Properties;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.springframework.util.unit.DataSize;

class WebPropertiesTest {

  @Test
  void defaults() {
    assertThat(Properties.defaults(WebProperties.class))
        .isEqualTo(new WebProperties(DataSize.ofMegabytes(1), DataSize.ofMegabytes(32)));
  }

  @Test
  void everyKeyIsMapped() {
    assertThat(
            Properties.with(
                WebProperties.class,
                Map.of(
                    "peerlens.web.max-body-size", "10MB",
                    "peerlens.web.max-import-size", "20MB")))
        .isEqualTo(new WebProperties(DataSize.ofMegabytes(10), DataSize.ofMegabytes(20)));
  }
}
