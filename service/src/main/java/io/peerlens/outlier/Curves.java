package io.peerlens.outlier;

import io.peerlens.api.model.ObjectRef;
import io.peerlens.api.model.OutlierGroupState;
import io.peerlens.api.model.OutlierMemberSeries;
import io.peerlens.api.model.OutlierMetricResults;
import io.peerlens.api.model.OutlierResults;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.UUID;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Makes curves for a chart of what was judged. Of more buckets than points are wanted, several make
 * a step: of each member the bucket with the farthest score stands for it, so that nothing that
 * stands out is lost; of the band, the mean.
 */
final class Curves {

  /** Below this part of the threshold a member counts as back. */
  static final double BACK = 0.6;

  private final Judged judged;
  private final long width;
  private final int perStep;
  private final int steps;

  /**
   * @param width of a bucket in milliseconds
   * @param points how many steps there are at most
   */
  Curves(Judged judged, long width, int points) {
    this.judged = judged;
    this.width = width;
    perStep = Math.max(1, Math.ceilDiv(judged.buckets(), points));
    steps = Math.ceilDiv(judged.buckets(), perStep);
  }

  /** A metric as answers name it. */
  record Metric(String key, String name, @Nullable String unit, boolean log) {}

  /**
   * The curves.
   *
   * @param threshold score from which on a bucket counts
   * @param most how many members are listed
   * @param references of members by place; null = it is gone
   */
  OutlierResults results(
      List<Metric> metrics,
      double threshold,
      int most,
      IntFunction<@Nullable ObjectRef> references) {
    int[] chosen = farthest(most);
    List<ObjectRef> objects = new ArrayList<>();
    List<Integer> places = new ArrayList<>();
    for (int member : chosen) {
      ObjectRef reference = references.apply(member);
      if (reference != null) {
        objects.add(reference);
        places.add(member);
      }
    }
    List<Long> times = new ArrayList<>();
    List<Integer> counts = new ArrayList<>();
    List<OutlierGroupState> states = new ArrayList<>();
    for (int s = 0; s < steps; s++) {
      times.add(judged.begin(from(s)));
      states.add(judged.state(to(s) - 1));
      counts.add(IntStream.range(from(s), to(s)).map(judged::judged).max().orElse(0));
    }
    List<OutlierMetricResults> answers = new ArrayList<>();
    for (int m = 0; m < metrics.size(); m++) {
      answers.add(metric(m, metrics.get(m), places, objects));
    }
    long begin = steps == 0 ? 0 : judged.begin(0);
    return new OutlierResults(
        begin,
        begin + judged.buckets() * width,
        width,
        width * perStep,
        threshold,
        Math.rint(threshold * BACK * 1000) / 1000,
        times,
        counts,
        states,
        objects,
        judged.members(),
        answers);
  }

  private int from(int step) {
    return step * perStep;
  }

  private int to(int step) {
    return Math.min(judged.buckets(), (step + 1) * perStep);
  }

  /** Places of the members with the farthest scores, the farthest first. */
  private int[] farthest(int most) {
    double[] peak = new double[judged.members()];
    for (int b = 0; b < judged.buckets(); b++) {
      for (int i = 0; i < peak.length; i++) {
        double size = Math.abs(judged.score(b, i));
        if (size > peak[i]) {
          peak[i] = size;
        }
      }
    }
    return IntStream.range(0, peak.length)
        .boxed()
        .sorted(Comparator.comparingDouble((Integer i) -> -peak[i]).thenComparing(i -> i))
        .limit(most)
        .mapToInt(Integer::intValue)
        .toArray();
  }

  /** Generated code does not say that the lists hold nulls. */
  @SuppressWarnings("NullAway")
  private OutlierMetricResults metric(
      int m, Metric metric, List<Integer> places, List<ObjectRef> objects) {
    List<@Nullable Double> centre = new ArrayList<>(steps);
    List<@Nullable Double> lower = new ArrayList<>(steps);
    List<@Nullable Double> upper = new ArrayList<>(steps);
    for (int s = 0; s < steps; s++) {
      double[] sums = new double[3];
      int count = 0;
      for (int b = from(s); b < to(s); b++) {
        if (!Double.isNaN(judged.centre(m, b))) {
          sums[0] += judged.centre(m, b);
          sums[1] += judged.lower(m, b);
          sums[2] += judged.upper(m, b);
          count++;
        }
      }
      centre.add(count == 0 ? null : Rounded.value(sums[0] / count));
      lower.add(count == 0 ? null : Rounded.value(sums[1] / count));
      upper.add(count == 0 ? null : Rounded.value(sums[2] / count));
    }
    List<OutlierMemberSeries> members = new ArrayList<>();
    for (int i = 0; i < places.size(); i++) {
      members.add(member(m, places.get(i), objects.get(i).getId()));
    }
    return new OutlierMetricResults(
        metric.key(), metric.name(), metric.unit(), metric.log(), centre, lower, upper, members);
  }

  @SuppressWarnings("NullAway") // as above
  private OutlierMemberSeries member(int m, int member, UUID id) {
    List<@Nullable Double> values = new ArrayList<>(steps);
    List<@Nullable Double> scores = new ArrayList<>(steps);
    for (int s = 0; s < steps; s++) {
      int at = extreme(m, s, member);
      values.add(at < 0 ? null : Rounded.value(judged.value(m, at, member)));
      scores.add(at < 0 ? null : Rounded.score(judged.score(m, at, member)));
    }
    return new OutlierMemberSeries(id, values, scores);
  }

  /** The bucket that stands for a step; negative = the member has no value in it. */
  private int extreme(int m, int step, int member) {
    int best = -1;
    double farthest = -1;
    for (int b = from(step); b < to(step); b++) {
      if (Double.isNaN(judged.value(m, b, member))) {
        continue;
      }
      double size = Math.abs(judged.score(m, b, member));
      double known = Double.isNaN(size) ? 0 : size;
      if (known > farthest) {
        farthest = known;
        best = b;
      }
    }
    return best;
  }
}
