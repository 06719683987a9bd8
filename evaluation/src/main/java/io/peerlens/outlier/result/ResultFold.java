package io.peerlens.outlier.result;

import io.peerlens.api.model.ObjectRef;
import io.peerlens.api.model.OutlierGroupState;
import io.peerlens.api.model.OutlierMemberSeries;
import io.peerlens.api.model.OutlierMetric;
import io.peerlens.api.model.OutlierMetricResults;
import io.peerlens.api.model.OutlierResults;
import io.peerlens.outlier.group.Rounded;
import io.peerlens.web.Doubles;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.DoubleUnaryOperator;

/**
 * Downsampling of buckets to the number of steps that were asked for, whether they were stored or
 * just judged. Of a member the bucket with the farthest score stands for a step, so that nothing
 * that stands out is lost; of the group, the mean.
 */
public final class ResultFold {

  private final long from;
  private final long width;
  private final long step;
  private final int[] judged;
  private final OutlierGroupState[] states;
  private final Line[] centre;
  private final Line[] lower;
  private final Line[] upper;
  private final Line[] usualLower;
  private final Line[] usualUpper;
  private final float[][][] values; // metric, member, step
  private final float[][][] scores;

  /** A mean for each step. */
  private static final class Line {
    final double[] sums;
    final int[] counts;

    Line(int steps) {
      sums = new double[steps];
      counts = new int[steps];
    }

    public void add(int step, double value) {
      if (Double.isFinite(value)) {
        sums[step] += value;
        counts[step]++;
      }
    }

    List<Double> means() {
      double[] means = new double[sums.length];
      for (int i = 0; i < means.length; i++) {
        means[i] = counts[i] == 0 ? Double.NaN : Rounded.value(sums[i] / counts[i]);
      }
      return Doubles.of(means);
    }
  }

  /** Result of a bucket for a metric and a member of those that are listed; NaN = nothing. */
  @FunctionalInterface
  public interface Cell {
    double at(int metric, int member);
  }

  /**
   * @param from in the first bucket
   * @param to after the last
   * @param points how many steps there may be
   * @param members how many are listed
   */
  public ResultFold(
      Instant from, Instant to, long widthMillis, int points, int metrics, int members) {
    this.width = widthMillis;
    this.from = Math.floorDiv(from.toEpochMilli(), width) * width;
    long buckets = Math.max(1, Math.ceilDiv(to.toEpochMilli() - this.from, width));
    this.step = width * Math.max(1, Math.ceilDiv(buckets, points));
    int steps = (int) Math.ceilDiv(buckets * width, step);
    judged = new int[steps];
    states = new OutlierGroupState[steps];
    Arrays.fill(states, OutlierGroupState.NO_DATA);
    centre = lines(metrics, steps);
    lower = lines(metrics, steps);
    upper = lines(metrics, steps);
    usualLower = lines(metrics, steps);
    usualUpper = lines(metrics, steps);
    values = nothing(metrics, members, steps);
    scores = nothing(metrics, members, steps);
  }

  private static float[][][] nothing(int metrics, int members, int steps) {
    float[][][] nothing = new float[metrics][members][steps];
    for (float[][] metric : nothing) {
      for (float[] member : metric) {
        Arrays.fill(member, Float.NaN);
      }
    }
    return nothing;
  }

  private static Line[] lines(int count, int steps) {
    Line[] lines = new Line[count];
    for (int i = 0; i < count; i++) {
      lines[i] = new Line(steps);
    }
    return lines;
  }

  /** Start of the first bucket. */
  public Instant from() {
    return Instant.ofEpochMilli(from);
  }

  /** End of the last step. */
  public Instant to() {
    return Instant.ofEpochMilli(from + judged.length * step);
  }

  /** How many steps there are. */
  public int steps() {
    return judged.length;
  }

  /** Takes a bucket of the window; those outside are left out. */
  public void add(
      Instant bucket,
      OutlierGroupState state,
      int judgedNow,
      double[] centreNow,
      double[] lowerNow,
      double[] upperNow,
      double[] usualLowerNow,
      double[] usualUpperNow,
      Cell value,
      Cell score) {
    int at = (int) Math.floorDiv(bucket.toEpochMilli() - from, step);
    if (at < 0 || at >= judged.length) {
      return;
    }
    judged[at] = judgedNow;
    states[at] = state;
    for (int m = 0; m < centre.length; m++) {
      centre[m].add(at, centreNow[m]);
      lower[m].add(at, lowerNow[m]);
      upper[m].add(at, upperNow[m]);
      usualLower[m].add(at, usualLowerNow[m]);
      usualUpper[m].add(at, usualUpperNow[m]);
      for (int i = 0; i < values[m].length; i++) {
        double farther = score.at(m, i);
        float[] of = scores[m][i];
        if (Double.isFinite(farther)
            && (Float.isNaN(of[at]) || Math.abs(farther) > Math.abs(of[at]))) {
          of[at] = (float) farther;
          values[m][i][at] = (float) value.at(m, i);
        } else if (Float.isNaN(values[m][i][at])) {
          values[m][i][at] = (float) value.at(m, i);
        }
      }
    }
  }

  /**
   * The answer.
   *
   * @param objects the members that are listed, in order
   * @param members how many there are in all
   * @param threshold the score that opens
   * @param usual whether the answer has what is usual for the median
   */
  public OutlierResults results(
      List<OutlierMetric> metrics,
      List<ObjectRef> objects,
      int members,
      double threshold,
      boolean usual) {
    List<Long> times = new ArrayList<>();
    List<Integer> counts = new ArrayList<>();
    for (int i = 0; i < judged.length; i++) {
      times.add(from + i * step);
      counts.add(judged[i]);
    }
    List<OutlierMetricResults> lines = new ArrayList<>();
    for (int m = 0; m < metrics.size(); m++) {
      OutlierMetric metric = metrics.get(m);
      List<OutlierMemberSeries> series = new ArrayList<>();
      for (int i = 0; i < objects.size(); i++) {
        series.add(
            new OutlierMemberSeries(
                objects.get(i).getId(),
                numbers(values[m][i], Rounded::value),
                numbers(scores[m][i], Rounded::score)));
      }
      OutlierMetricResults line =
          new OutlierMetricResults(
              metric.getKey(),
              metric.getName(),
              metric.getUnit(),
              metric.getLog(),
              centre[m].means(),
              lower[m].means(),
              upper[m].means(),
              series);
      lines.add(
          usual ? line.usualLower(usualLower[m].means()).usualUpper(usualUpper[m].means()) : line);
    }
    return new OutlierResults(
        from,
        from + judged.length * step,
        width,
        step,
        threshold,
        OutlierGroupAnswers.closesBelow(threshold),
        times,
        counts,
        List.of(states),
        objects,
        members,
        lines);
  }

  private static List<Double> numbers(float[] values, DoubleUnaryOperator rounded) {
    double[] numbers = new double[values.length];
    for (int i = 0; i < numbers.length; i++) {
      numbers[i] = rounded.applyAsDouble(values[i]);
    }
    return Doubles.of(numbers);
  }
}
