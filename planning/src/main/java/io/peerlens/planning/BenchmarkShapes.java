package io.peerlens.planning;

import io.peerlens.planning.BenchmarkRunStore.Choice;
import io.peerlens.run.Run;
import io.peerlens.run.reading.RunFigures;
import io.peerlens.run.reading.SteadyState;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** What a list shows of the series of runs. Thread-safe. */
final class BenchmarkShapes {

  private static final int PARTS = 40;

  private final BenchmarkRunStore store;

  BenchmarkShapes(BenchmarkRunStore store) {
    this.store = store;
  }

  /**
   * Series of a run in short.
   *
   * @param load over the time of the run in equal parts, as a share of the highest; NaN = nothing
   *     was measured; empty = there are no series
   */
  record Shape(SteadyState steady, double[] load) {}

  /** By run. */
  Map<UUID, Shape> of(List<UUID> runs) {
    Map<UUID, Shape> shapes = new HashMap<>();
    if (!runs.isEmpty()) {
      store
          .whole(new Choice(null, null, runs), runs.size())
          .forEach(one -> shapes.put(one.id(), of(one.run())));
    }
    return shapes;
  }

  static Shape of(Run run) {
    Run.Series load = RunFigures.series(run, "iops");
    return new Shape(
        SteadyState.of(run), parts(load == null ? RunFigures.series(run, "throughput") : load));
  }

  private static double[] parts(Run.@Nullable Series series) {
    if (series == null || series.values().length == 0) {
      return new double[0];
    }
    int count = Math.min(PARTS, series.values().length);
    double[] sums = new double[count];
    int[] counts = new int[count];
    double end = series.seconds()[series.seconds().length - 1];
    for (int i = 0; i < series.values().length; i++) {
      double value = series.values()[i];
      if (Double.isFinite(value)) {
        // An interval that ends with a part belongs to it.
        int part = (int) Math.ceil(series.seconds()[i] / end * count) - 1;
        part = Math.clamp(part, 0, count - 1);
        sums[part] += value;
        counts[part]++;
      }
    }
    double[] means = new double[count];
    Arrays.setAll(means, i -> counts[i] == 0 ? Double.NaN : sums[i] / counts[i]);
    double highest = Arrays.stream(means).filter(Double::isFinite).max().orElse(0);
    return Arrays.stream(means).map(mean -> highest > 0 ? mean / highest : mean).toArray();
  }
}
