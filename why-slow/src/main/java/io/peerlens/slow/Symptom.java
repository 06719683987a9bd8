package io.peerlens.slow;

import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The figure that shows that a machine is slow.
 *
 * @param reading what waits
 * @param excess by how much it is above what is expected at this size of blocks, in its unit
 * @param allowance what larger blocks alone add, in its unit; 0 for what is no latency
 */
record Symptom(Reading reading, double excess, double allowance) {

  /** Without history of other sizes: an operation takes once more as long for so many KB more. */
  private static final double KB_FOR_ONCE_MORE = 128;

  /** Size by its usual, from which on it counts as another one. */
  private static final double LARGER = 1.5;

  /** Steps with larger blocks that a slope needs. */
  private static final int POINTS = 12;

  private static final double FULL_CPU = 90;

  /** What a machine waits for its disks, the worst first; none = it is as usual. */
  static List<Symptom> ofDisks(List<Reading> readings, Evidence evidence) {
    return readings.stream()
        .filter(one -> one.signal() == Signal.READ_LATENCY || one.signal() == Signal.WRITE_LATENCY)
        .filter(Reading::isBeyond)
        .map(one -> ofDisk(one, readings, evidence))
        .filter(one -> one.excess() > 0)
        .sorted(Comparator.comparingDouble(Symptom::excess).reversed())
        .toList();
  }

  private static Symptom ofDisk(Reading latency, List<Reading> readings, Evidence evidence) {
    double allowance = allowance(latency, readings, evidence);
    Usual usual = latency.usual();
    double high = usual == null ? latency.now() : usual.high();
    double beyond = latency.now() - allowance - high - latency.signal().tolerance(high);
    double excess = beyond <= 0 ? 0 : latency.rise() - allowance;
    return new Symptom(latency, Math.max(0, excess), allowance);
  }

  /** The milliseconds that blocks add that are larger than they were. */
  static double allowance(Reading latency, List<Reading> readings, Evidence evidence) {
    Reading block = block(latency, readings);
    if (block == null || latency.onset() < 0) {
      return 0;
    }
    double before = Reading.before(block.track().values(), latency.onset(), evidence);
    before = Double.isNaN(before) ? block.reference() : before;
    if (!(block.now() > LARGER * before)) {
      return 0;
    }
    double slope = slope(latency, block, before, evidence);
    return slope * (block.now() - before);
  }

  private static @Nullable Reading block(Reading latency, List<Reading> readings) {
    Reading whole = null;
    for (Reading one : readings) {
      if (one.signal() == Signal.BLOCK) {
        if (one.track().origin().instance().equals(latency.track().origin().instance())) {
          return one;
        }
        whole = one.track().origin().instance().isEmpty() ? one : whole;
      }
    }
    return whole;
  }

  /**
   * Milliseconds for a KB more: the median slope of the earlier steps with large blocks (as Theil
   * and Sen), else so that latency doubles in {@link #KB_FOR_ONCE_MORE}.
   */
  private static double slope(Reading latency, Reading block, double before, Evidence evidence) {
    double base = latency.reference();
    double[] slopes = new double[evidence.steps()];
    int count = 0;
    for (int i = 0; i < latency.onset(); i++) {
      double size = block.track().values()[i];
      double value = latency.track().values()[i];
      if (size > LARGER * before && !Double.isNaN(value)) {
        slopes[count++] = Math.max(0, (value - base) / (size - before));
      }
    }
    return count >= POINTS ? Robust.median(slopes, 0, count) : base / KB_FOR_ONCE_MORE;
  }

  /** What a machine lacks of CPU and memory, the worst first; none = it is as usual. */
  static List<Symptom> ofCompute(List<Reading> readings) {
    return readings.stream()
        .filter(Reading::isBeyond)
        .filter(
            one ->
                switch (one.signal()) {
                  case CPU_WAIT, CPU_LIMITED, MEMORY_WAIT, SWAP_IN -> true;
                  case CPU_USAGE -> one.now() >= FULL_CPU;
                  default -> false;
                })
        .map(one -> new Symptom(one, one.rise(), 0))
        .sorted(Comparator.comparingDouble((Symptom one) -> one.reading().severity()).reversed())
        .toList();
  }

  /**
   * Whether another figure went up with this one: it began no later and not long before, or rose
   * once more when this one began.
   */
  boolean isWith(Reading other, Evidence evidence) {
    int mine = reading.onset();
    int its = other.onset();
    if (its < 0 || mine < 0) {
      return false;
    }
    if (its > mine + evidence.stepsIn(20)) {
      return false;
    }
    if (its == 0 || mine - its <= evidence.stepsIn(45)) {
      return true;
    }
    double then = Robust.median(other.track().values(), its, mine);
    return other.now() > then + other.signal().tolerance(then);
  }
}
