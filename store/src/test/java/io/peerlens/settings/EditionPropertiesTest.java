package io.peerlens.settings;

import static org.assertj.core.api.Assertions.assertThat;

import io.peerlens.support.Properties;
import java.util.Map;
import org.junit.jupiter.api.Test;

class EditionPropertiesTest {

  @Test
  void defaults() {
    assertThat(Properties.defaults(EditionProperties.class))
        .isEqualTo(new EditionProperties(false));
  }

  @Test
  void everyKeyIsMapped() {
    assertThat(
            Properties.with(EditionProperties.class, Map.of("peerlens.edition.standalone", "true")))
        .isEqualTo(new EditionProperties(true));
  }
}
