package io.peerlens.notify.channel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.peerlens.support.Properties;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class EgressPropertiesTest {

  @Test
  void byDefaultNothingIsAllowedThatIsNotGlobal() {
    assertThat(Properties.defaults(EgressProperties.class)).isEqualTo(EgressProperties.GLOBAL);
  }

  @Test
  void everyKeyIsMapped() {
    assertThat(
            Properties.with(
                EgressProperties.class,
                Map.of(
                    "peerlens.notify.egress.allow", "10.0.0.0/8,*.corp.example",
                    "peerlens.notify.egress.deny", "10.9.9.9",
                    "peerlens.notify.egress.ports", "443,8000-8999")))
        .isEqualTo(
            new EgressProperties(
                List.of("10.0.0.0/8", "*.corp.example"),
                List.of("10.9.9.9"),
                List.of("443", "8000-8999")));
  }

  @Test
  void invalidValuesAreRefusedWithTheirKey() {
    for (String entry : List.of("10.0.0.0/33", "10.0.0/8", "a b", "*", "*.10.0.0.1", "::/129")) {
      assertThatThrownBy(() -> new EgressProperties(List.of(entry), List.of(), List.of()))
          .as(entry)
          .hasMessageContaining("peerlens.notify.egress.allow")
          .hasMessageContaining(entry);
    }
    for (String entry : List.of("0", "70000", "9-8", "http")) {
      assertThatThrownBy(() -> new EgressProperties(List.of(), List.of(), List.of(entry)))
          .as(entry)
          .hasMessageContaining("peerlens.notify.egress.ports");
    }
  }
}
