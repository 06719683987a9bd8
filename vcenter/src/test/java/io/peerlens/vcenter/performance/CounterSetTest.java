package io.peerlens.vcenter.performance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.peerlens.vcenter.vim.PerfCounter;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the option {@code counters} of a source may say, and what it does. */
class CounterSetTest {

  private static final List<PerfCounter> COUNTERS =
      List.of(
          new PerfCounter(1, "cpu", "ready", "summation", "millisecond", 1),
          new PerfCounter(2, "rescpu", "samplePeriod", "latest", "percent", 3));

  private static List<Integer> read(String changes) {
    return CounterSet.shipped().with(changes).of(COUNTERS).stream()
        .filter(chosen -> chosen.type().equals("VirtualMachine"))
        .flatMap(chosen -> chosen.metrics().stream())
        .map(metric -> metric.counter())
        .distinct()
        .toList();
  }

  @Test
  void countersAreAddedAndTakenAway() {
    assertThat(read("")).containsExactly(1);
    assertThat(read(" rescpu.sample*.latest ,")).containsExactly(1, 2);
    assertThat(read("-CPU.read*.*, rescpu.samplePeriod.latest")).containsExactly(2);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "cpu.ready",
        "cpu|ready_summation",
        "-",
        "cpu..summation",
        "cpu.ready.summation.x",
        "cpu.***.summation",
        "\\E(a+)+.b.c",
      })
  void whatIsNoCounterIsNamed(String changes) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> CounterSet.shipped().with("cpu.ready.summation," + changes))
        .withMessageContaining("is no counter");
  }
}
