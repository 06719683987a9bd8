package io.peerlens.run.reading;

import io.peerlens.run.reading.Curve.Point;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reading of a curve at a latency limit: the most that was carried at this latency or less.
 *
 * <p>The curve is followed in the order of its parameter, from the first point within the limit to
 * the first beyond it. Between these two the load is interpolated as a function of the latency
 * ({@link Monotone}), not the other way round: where a system is driven beyond its best, IOPS fall
 * while the latency rises, so a load may have two latencies but a latency has one load. The answer
 * lies between the loads of the two measured points. Where the load was higher before, the curve
 * has folded back, and the measured best is the answer. Beyond the last point nothing is read.
 */
public sealed interface Reading {

  /** What it says, in words. */
  String sentence();

  /**
   * The load that is surely carried at the limit.
   *
   * @return in the unit of the curve; null = none was measured within the limit
   */
  @Nullable Double load();

  /**
   * The limit is between two measured points, or the load falls before it.
   *
   * @param load in {@code unit}
   * @param perNode a share of it; null = the number of nodes is not known
   * @param limit milliseconds
   * @param interpolated false = {@code load} is that of {@code below}, as measured
   * @param below the last point within the limit; where it is not interpolated the best one
   * @param above the first point beyond the limit; null = the values are text, which have no order
   * @param remarks reasons for doubt
   */
  record Reached(
      Curve.Latency latency,
      String unit,
      Double load,
      @Nullable Double perNode,
      double limit,
      boolean interpolated,
      Point below,
      @Nullable Point above,
      List<String> remarks)
      implements Reading {

    public Reached {
      remarks = List.copyOf(remarks);
    }

    /** 200,000 IOPS at 1.5 ms (p95) or less, 33,300 per node; between measured 1.28 and 1.86 ms. */
    @Override
    public String sentence() {
      return "%s at %s or less%s; %s.%s"
          .formatted(
              interpolated ? Wording.estimate(load, unit) : Wording.value(load, unit),
              ReadingWords.limit(limit, latency),
              ReadingWords.perNode(perNode, unit),
              where(),
              ReadingWords.told(remarks));
    }

    private String where() {
      String at = Wording.number(Wording.significant(below.latency().mean(), 3));
      return interpolated && above != null
          ? "between measured " + at + " and " + Wording.estimate(above.latency().mean(), "ms")
          : "measured at " + at + " ms";
    }
  }

  /**
   * All points are within the limit, from the first that is. More may be carried.
   *
   * @param load the most that was measured
   * @param last the point of the highest latency that was measured
   */
  record AtLeast(
      Curve.Latency latency,
      String unit,
      Double load,
      @Nullable Double perNode,
      double limit,
      Point last,
      List<String> remarks)
      implements Reading {

    public AtLeast {
      remarks = List.copyOf(remarks);
    }

    /** At least 211,000 IOPS at 5 ms (p95) or less; the highest latency measured is 2.74 ms. */
    @Override
    public String sentence() {
      return "At least %s at %s or less%s; the highest latency measured is %s.%s"
          .formatted(
              Wording.value(load, unit),
              ReadingWords.limit(limit, latency),
              ReadingWords.perNode(perNode, unit),
              Wording.estimate(last.latency().mean(), "ms"),
              ReadingWords.told(remarks));
    }
  }

  /**
   * No point is within the limit.
   *
   * @param lowest the point of the lowest latency
   */
  record NotReached(Curve.Latency latency, String unit, double limit, Point lowest)
      implements Reading {

    @Override
    public @Nullable Double load() {
      return null;
    }

    /** 0.3 ms (p95) is not reached: the lowest latency measured is 0.42 ms, at 52,200 IOPS. */
    @Override
    public String sentence() {
      return "%s is not reached: the lowest latency measured is %s, at %s."
          .formatted(
              ReadingWords.limit(limit, latency),
              Wording.estimate(lowest.latency().mean(), "ms"),
              Wording.value(lowest.load().mean(), unit));
    }
  }

  /** The curve has no points. */
  record Unknown(Curve.Latency latency, double limit) implements Reading {

    @Override
    public @Nullable Double load() {
      return null;
    }

    @Override
    public String sentence() {
      return "What is carried at %s is not known: no run says both."
          .formatted(ReadingWords.limit(limit, latency));
    }
  }

  /**
   * Reads a curve.
   *
   * @param limit milliseconds, above 0
   * @param nodes over which the load is spread; 0 = not known
   * @throws IllegalArgumentException when the limit is no latency or there are fewer than no nodes
   */
  static Reading of(Curve curve, double limit, int nodes) {
    if (!(limit > 0) || !Double.isFinite(limit) || nodes < 0) {
      throw new IllegalArgumentException(
          "No reading at %s ms for %d nodes; give a limit above 0 and the nodes, 0 where they are not known"
              .formatted(limit, nodes));
    }
    return CurveReader.read(curve, limit, nodes);
  }
}
