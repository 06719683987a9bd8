package io.peerlens.benchmarks.sizing;

import io.peerlens.benchmarks.sizing.Bitbrains.Vm;
import io.peerlens.profile.BusinessHours;
import io.peerlens.sizing.Answer;
import io.peerlens.sizing.Grid;
import io.peerlens.sizing.Numa;
import io.peerlens.sizing.Recommendation;
import io.peerlens.sizing.RightSizing;
import io.peerlens.sizing.SizingRule;
import java.time.LocalTime;
import java.time.ZoneId;
import java.util.Arrays;
import java.util.Map;

/** Rules that are compared. */
final class Rules {

  private static final BusinessHours HOURS =
      BusinessHours.weekdays(
          LocalTime.of(8, 0), LocalTime.of(18, 0), ZoneId.of("Europe/Amsterdam"));

  /** Of a normal distribution: 95 % lie within so many standard deviations. */
  private static final double Z = 1.96;

  private Rules() {}

  /** Rule that chooses a size in MHz from the first days of a machine. */
  interface Rule {
    double mhz(Vm vm, double[] seen);
  }

  static Rule percentile(double share) {
    return (vm, seen) -> {
      double[] sorted = known(seen);
      double place = share * (sorted.length - 1);
      int below = (int) place;
      int above = Math.min(below + 1, sorted.length - 1);
      return sorted[below] + (place - below) * (sorted[above] - sorted[below]);
    };
  }

  /** Ours, before whole vCPUs. */
  static Rule peerlens(SizingRule rule) {
    return (vm, seen) -> {
      Recommendation it = recommend(vm, seen, rule);
      return vm.mhzPerVcpu()
          * (it.need() * (1 + rule.headroom()) + it.growthPerDay() * rule.growthDays());
    };
  }

  /** Ours, as recommended: whole vCPUs, today's size where nothing is recommended. */
  static Rule peerlensInSteps(SizingRule rule) {
    return (vm, seen) -> vm.mhzPerVcpu() * recommend(vm, seen, rule).size();
  }

  private static Recommendation recommend(Vm vm, double[] seen, SizingRule rule) {
    Grid grid = new Grid(Bitbrains.START, Bitbrains.STEP, seen.length, HOURS);
    Answer<Recommendation> answer =
        RightSizing.cpu(
            grid,
            io.peerlens.sizing.VmSize.of(vm.vcpus(), vm.mhzPerVcpu(), 1),
            seen,
            Map.of(),
            Numa.NOT_KNOWN,
            rule);
    return switch (answer) {
      case Answer.Known<Recommendation>(Recommendation it) -> it;
      case Answer.NotKnown<Recommendation>(String because) ->
          throw new IllegalStateException("VM " + vm.id() + ": " + because);
    };
  }

  /**
   * Our reading of vRealize Operations' documented rule: the largest projected use until so many
   * days ahead; conservative takes the upper bound of the projection, aggressive the middle of its
   * bounds. The engine's model is not published. Here it is a straight line through the daily
   * peaks, with the 95 % prediction interval of ordinary least squares.
   */
  static Rule vrops(int daysAhead, boolean conservative) {
    return (vm, seen) -> {
      double[] x = new double[seen.length / Bitbrains.DAY];
      double[] y = new double[x.length];
      int n = 0;
      for (int day = 0; day < x.length; day++) {
        double[] values =
            known(Arrays.copyOfRange(seen, day * Bitbrains.DAY, (day + 1) * Bitbrains.DAY));
        if (values.length >= Bitbrains.DAY / 2) {
          x[n] = day;
          y[n++] = values[values.length - 1];
        }
      }
      double meanX = Arrays.stream(x, 0, n).average().orElse(0);
      double meanY = Arrays.stream(y, 0, n).average().orElse(0);
      double xx = 0;
      double xy = 0;
      for (int i = 0; i < n; i++) {
        xx += (x[i] - meanX) * (x[i] - meanX);
        xy += (x[i] - meanX) * (y[i] - meanY);
      }
      double slope = xy / xx;
      double left = 0;
      for (int i = 0; i < n; i++) {
        left += Math.pow(y[i] - meanY - slope * (x[i] - meanX), 2);
      }
      double deviation = Math.sqrt(left / (n - 2));
      double largest = 0;
      for (int ahead = 0; ahead <= daysAhead; ahead++) {
        double off = x.length - 1 + ahead - meanX;
        double reach = Z * deviation * Math.sqrt(1 + 1.0 / n + off * off / xx);
        largest = Math.max(largest, meanY + slope * off + (conservative ? reach : 0));
      }
      return largest;
    };
  }

  /** The values that exist, sorted. */
  static double[] known(double[] values) {
    return Arrays.stream(values).filter(value -> !Double.isNaN(value)).sorted().toArray();
  }
}
