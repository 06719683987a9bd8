package io.peerlens.benchmarks.accuracy;

import io.peerlens.outliers.Judgement;
import io.peerlens.outliers.PeerGroup;
import io.peerlens.outliers.Settings;
import java.util.List;
import java.util.function.Function;
import java.util.stream.IntStream;

/**
 * A method of the product itself.
 *
 * @param relative the scale is at least this part of the group's median: our reading of the scaled
 *     variants that Datadog offers for tight groups, whose formula is not documented; 0 for none
 */
record Groups(String name, Function<Trace, Settings> settings, double relative)
    implements Detector {

  Groups(String name, Function<Trace, Settings> settings) {
    this(name, settings, 0);
  }

  /** The threshold does not depend on the trace. */
  @Override
  public double threshold() {
    return settings.apply(Trace.ANY).threshold();
  }

  @Override
  public Run start(Trace trace) {
    return new Running(
        new PeerGroup(settings.apply(trace), IntStream.range(0, trace.members()).toArray()),
        relative);
  }

  /** Ours, as shipped. */
  static Settings defaults(Trace trace) {
    return Settings.peers(
        Trace.BUCKET, List.of(Settings.Metric.of(transform(trace), trace.minDeviation())));
  }

  static io.peerlens.outliers.Transform transform(Trace trace) {
    return io.peerlens.outliers.Transform.AUTO;
  }

  private record Running(PeerGroup group, double relative) implements Run {

    @Override
    public void step(int bucket, double[] values, double[] scores) {
      Judgement j = group.judge((bucket + 1L) * Trace.BUCKET, new double[][] {values});
      double spread = j.spread(0);
      double least = relative * Math.abs(j.centre(0));
      double scaled = spread < least ? spread / least : 1;
      for (int i = 0; i < values.length; i++) {
        double s = j.score(i) * scaled;
        scores[i] = Double.isNaN(s) || j.minDeviations(i) >= 1 ? s : 0;
      }
    }

    @Override
    public void forget(boolean[] members) {
      int[] rest = group.ids();
      group.members(IntStream.of(rest).filter(i -> !members[i]).toArray());
      group.members(rest);
    }

    @Override
    public Run copy() {
      return new Running(PeerGroup.restore(group.settings(), group.save()), relative);
    }
  }
}
