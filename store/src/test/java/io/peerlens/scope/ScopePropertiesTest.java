package io.peerlens.scope;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.peerlens.support.Properties;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ScopePropertiesTest {

  @Test
  void defaults() {
    assertThat(Properties.defaults(ScopeProperties.class))
        .isEqualTo(new ScopeProperties(Duration.ofMinutes(1), 5000, 100));
  }

  @Test
  void everyKeyIsMapped() {
    assertThat(
            Properties.with(
                ScopeProperties.class,
                Map.of(
                    "peerlens.scopes.age", "5s",
                    "peerlens.scopes.max-groups", "6",
                    "peerlens.scopes.history", "7")))
        .isEqualTo(new ScopeProperties(Duration.ofSeconds(5), 6, 7));
  }

  @Test
  void invalidValuesAreRefusedWithTheirKey() {
    assertThatThrownBy(
            () -> Properties.with(ScopeProperties.class, Map.of("peerlens.scopes.age", "0s")))
        .rootCause()
        .hasMessageContaining("peerlens.scopes.age");
  }
}
