package io.peerlens.run.reading;

import static org.assertj.core.api.Assertions.assertThat;

import io.peerlens.run.Latencies;
import io.peerlens.run.Parameter;
import io.peerlens.run.Run;
import io.peerlens.run.Run.Direction;
import io.peerlens.run.Run.Figure;
import io.peerlens.run.Run.Series;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Runs of broken tools: whatever they say, there is an answer, and no NaN in it. */
class ExtremeRunsTest {

  private static final double[] VALUES = {
    0,
    -0.0,
    1,
    -1,
    1e-300,
    4.9e-324,
    1e15,
    1e300,
    Double.MAX_VALUE,
    -Double.MAX_VALUE,
    Double.NaN,
    Double.POSITIVE_INFINITY,
    Double.NEGATIVE_INFINITY,
    100,
    100.1,
    99.9
  };

  private static final String[] TEXTS = {
    "", " ", "8", "16", "32", "4096", "1e99", "-5", "4k,8k", "9".repeat(400), "0"
  };

  private static double value(Random random) {
    return VALUES[random.nextInt(VALUES.length)];
  }

  private static Series series(Random random, String metric, String instance) {
    int count = random.nextInt(80);
    double[] seconds = new double[count];
    double[] values = new double[count];
    double usual = value(random);
    double second = 0;
    for (int i = 0; i < count; i++) {
      second += random.nextInt(20) == 0 ? value(random) : 1;
      seconds[i] = second;
      values[i] =
          random.nextInt(4) == 0 ? value(random) : usual * (1 + 0.01 * random.nextGaussian());
    }
    return new Series(metric, instance, random.nextBoolean() ? "" : "IO/s", seconds, values);
  }

  private static Run run(Random random) {
    TreeMap<String, String> parameters = new TreeMap<>();
    for (String name :
        List.of(
            Parameter.BLOCK_SIZE,
            Parameter.READ_SHARE,
            Parameter.OUTSTANDING,
            Parameter.THREADS,
            "own",
            "job_name")) {
      if (random.nextInt(3) > 0) {
        parameters.put(name, TEXTS[random.nextInt(random.nextBoolean() ? 5 : TEXTS.length)]);
      }
    }
    List<Series> series = new ArrayList<>();
    List<Figure> figures = new ArrayList<>();
    for (String metric :
        List.of(
            "iops", "latency", "throughput", "read_iops", "write_latency", "cpu", "latency_p95")) {
      if (random.nextBoolean()) {
        series.add(series(random, metric, random.nextInt(3) == 0 ? "vm" : ""));
      }
      if (random.nextInt(4) > 0) {
        figures.add(Figure.of(metric, "", value(random)));
      }
    }
    Latencies latencies =
        new Latencies(
            Direction.values()[random.nextInt(3)],
            new double[] {1, 2, Double.POSITIVE_INFINITY},
            new double[] {value(random), value(random), value(random)});
    return new Run(
        "tool",
        TEXTS[random.nextInt(3)],
        "run",
        null,
        Duration.ZERO,
        parameters,
        series,
        figures,
        List.of(latencies),
        List.of());
  }

  private static void told(Object answer) {
    assertThat(answer.toString()).doesNotContain("NaN").doesNotContain("Infinity");
  }

  @Test
  void everyAnswerIsOne() throws CriteriaException {
    Criteria criteria =
        CriteriaReader.read(
            """
            {"criteria": [
              {"figure": "iops", "operator": ">=", "limit": 0, "unit": "IO/s"},
              {"figure": "throughput", "operator": ">=", "limit": 1e-300, "unit": "GB/s"},
              {"figure": "latency_p95", "operator": "<", "limit": 1, "unit": "us"},
              {"figure": "iops", "at": {"latency": "mean", "limit": 50}, "operator": ">", "limit": 1, "unit": "IO/s"},
              {"figure": "latency_p95", "at": {"latency": "mean", "limit": 50}, "operator": ">", "limit": 1, "unit": "ms"},
              {"figure": "share", "of": "iops", "operator": ">", "limit": 1e308, "unit": "%"},
              {"figure": "scatter", "of": "iops", "operator": ">", "limit": 1, "unit": "%"}]}
            """);
    List<TheoreticalMaximum> maxima = List.of(new TheoreticalMaximum("iops", "drives", 1e-300, 3));
    for (int seed = 0; seed < 400; seed++) {
      Random random = new Random(seed);
      List<Run> runs = new ArrayList<>();
      for (int i = 0; i < 6; i++) {
        runs.add(run(random));
      }
      Run first = runs.getFirst();
      told(SteadyState.of(first));
      Scatter scatter = Scatter.of(Sweeps.values(runs, "iops"));
      if (scatter != null) {
        told(scatter);
        told(scatter.sentence());
      }
      RunComparison comparison = RunComparison.of(first, runs.getLast(), scatter);
      told(comparison.metrics());
      told(comparison.totals());
      told(comparison.sentence());
      Drift drift = Drift.of(first, runs.subList(1, 1 + random.nextInt(5)));
      told(drift.checks());
      told(drift.sentence());
      Criteria.Result result = criteria.judge(runs, maxima);
      for (Criteria.Outcome outcome : result.outcomes()) {
        told(outcome);
      }
      for (Sweep sweep : Sweeps.find(runs).sweeps()) {
        told(sweep.sentence());
        for (Curve.Latency latency : Curve.Latency.values()) {
          Curve curve = Curve.of(sweep, Curve.Load.IOPS, latency);
          for (Curve.Point point : curve.points()) {
            told(point.load());
            told(point.latency());
            curve
                .relativeTo(point)
                .forEach(
                    one -> assertThat(one.load() == null || Double.isFinite(one.load())).isTrue());
          }
          Reading reading = Reading.of(curve, 1e-3 * (1 + random.nextInt(1_000_000)), 3);
          told(reading.sentence());
          told(String.valueOf(reading.load()));
        }
      }
      double[] sizes = {value(random), 4096, value(random)};
      told(
          ProfileMatch.of(
                  first, sizes, new double[] {value(random), 100, 50}, new double[] {1, 2, 3})
              .sentence());
    }
  }
}
