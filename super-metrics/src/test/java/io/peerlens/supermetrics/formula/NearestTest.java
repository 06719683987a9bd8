package io.peerlens.supermetrics.formula;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NearestTest {

  private static final List<String> KNOWN =
      List.of("avg", "max", "VirtualMachine", "HostSystem", "cpu|usage_average", "cpu|usagemhz");

  @ParameterizedTest
  @CsvSource(
      nullValues = "none",
      value = {
        "agv, avg",
        "maxx, max",
        "virtualmachine, VirtualMachine",
        "VirtaulMahcine, VirtualMachine",
        "HostSystems, HostSystem",
        "cpu|usage_avg, cpu|usage_average",
        "cpu|usage, cpu|usagemhz",
        "median, none",
        "Datastore, none"
      })
  void theNearestNameHasTheFewestDifferentLetters(String name, String nearest) {
    assertThat(Nearest.of(name, KNOWN)).isEqualTo(nearest);
  }

  @Test
  void emptyVeryShortAndVeryLongNamesHaveNoNearestName() {
    assertThat(Nearest.of("x", List.of("y"))).isNull();
    assertThat(Nearest.of("foo", List.of("from", "to"))).isNull();
    assertThat(Nearest.of("", KNOWN)).isNull();
    assertThat(Nearest.of("a".repeat(500), List.of("a".repeat(499)))).isNull();
  }
}
