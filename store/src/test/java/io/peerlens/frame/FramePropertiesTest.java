package io.peerlens.frame;

import static org.assertj.core.api.Assertions.assertThat;

import io.peerlens.support.Properties;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;

class FramePropertiesTest {

  @Test
  void defaults() {
    assertThat(Properties.defaults(FrameProperties.class))
        .isEqualTo(new FrameProperties(Duration.ofDays(1), 50_000_000));
  }

  @Test
  void everyKeyIsMapped() {
    assertThat(
            Properties.with(
                FrameProperties.class,
                Map.of(
                    "peerlens.frames.metric-age", "2h",
                    "peerlens.frames.most-values", "2000000")))
        .isEqualTo(new FrameProperties(Duration.ofHours(2), 2_000_000));
  }
}
