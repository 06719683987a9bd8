package io.peerlens.run.reading;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.peerlens.run.Latencies;
import io.peerlens.run.Run;
import io.peerlens.run.Run.Direction;
import io.peerlens.run.Run.Figure;
import java.time.Duration;
import java.util.List;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class RunFiguresTest {

  private static Run withLatencies(List<Figure> figures, Latencies... latencies) {
    return new Run(
        "fio",
        "",
        "run",
        null,
        Duration.ZERO,
        new TreeMap<>(),
        List.of(),
        figures,
        List.of(latencies),
        List.of());
  }

  private static Latencies of(Direction direction, double... counts) {
    return new Latencies(direction, new double[] {1, 2, 3}, counts);
  }

  @Test
  void totalsArePutTogetherOfReadsAndWrites() {
    Run run =
        Made.run("mixed")
            .figure("read_iops", 700)
            .figure("write_iops", 300)
            .figure("read_latency", 1)
            .figure("write_latency", 2)
            .make();

    assertThat(RunFigures.value(run, "iops")).isEqualTo(1000);
    assertThat(RunFigures.value(run, "latency")).isCloseTo(1.3, within(1e-9));
    assertThat(RunFigures.value(run, "read_throughput")).isNull();
    assertThat(RunFigures.value(run, "throughput")).isNull();
  }

  @Test
  void latencyOfNoWritesDoesNotCount() {
    Run run =
        Made.run("reads")
            .figure("read_iops", 700)
            .figure("write_iops", 0)
            .figure("read_latency", 1)
            .figure("write_latency", 0)
            .make();

    assertThat(RunFigures.value(run, "latency")).isEqualTo(1);
  }

  @Test
  void latencyOfUnknownSharesIsNotKnown() {
    Run run = Made.run("mixed").figure("read_latency", 1).figure("write_latency", 2).make();

    assertThat(RunFigures.value(run, "latency")).isNull();
  }

  @Test
  void percentilesComeFromAddedDistributions() {
    Run run =
        withLatencies(List.of(), of(Direction.READ, 90, 10, 0), of(Direction.WRITE, 0, 0, 100));

    assertThat(RunFigures.value(run, "latency_p50")).isCloseTo(2, within(1e-9));
    assertThat(RunFigures.value(run, "latency_p99")).isCloseTo(2.98, within(1e-9));
    assertThat(RunFigures.value(run, "read_latency_p90")).isCloseTo(1, within(1e-9));
    assertThat(RunFigures.value(run, "latency_pxx")).isNull();
    assertThat(RunFigures.value(run, "latency_p101")).isNull();
  }

  @Test
  void theDistributionOfReadsIsNotThatOfAll() {
    assertThat(
            RunFigures.value(
                withLatencies(
                    List.of(Figure.of("write_iops", "IO/s", 5)), of(Direction.READ, 1, 1, 1)),
                "latency_p95"))
        .isNull();
    assertThat(
            RunFigures.value(
                withLatencies(
                    List.of(Figure.of("write_iops", "IO/s", 0)), of(Direction.READ, 1, 1, 1)),
                "latency_p95"))
        .isNotNull();
  }

  @Test
  void whatIsNoNumberIsNotKnown() {
    Run run =
        withLatencies(List.of(Figure.of("iops", "IO/s", Double.NaN)), of(Direction.BOTH, 0, 0, 0));

    assertThat(RunFigures.value(run, "iops")).isNull();
    assertThat(RunFigures.value(run, "latency_p95")).isNull();
  }

  @Test
  void latencyOfMachinesIsWeightedByInterval() {
    Run run =
        Made.run("machines")
            .series("latency", "a", 1, 2, 3)
            .series("latency", "b", 5, Double.NaN, 7)
            .series("iops", "a", 30, 10, 0)
            .series("iops", "b", 10, 0, 0)
            .make();

    assertThat(RunFigures.series(run, "latency").values()).containsExactly(2, 2, Double.NaN);
    assertThat(RunFigures.series(run, "iops").values()).containsExactly(40, 10, 0);
    assertThat(RunFigures.series(run, "cpu")).isNull();
  }

  @Test
  void seriesOfOtherIntervalsAreNotAdded() {
    Run run = Made.run("odd").series("iops", "a", 1, 2, 3).series("iops", "b", 1, 2).make();

    assertThat(RunFigures.series(run, "iops")).isNull();
  }
}
