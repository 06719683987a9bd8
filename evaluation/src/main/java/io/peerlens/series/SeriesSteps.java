package io.peerlens.series;

import io.peerlens.store.Coverage;
import io.peerlens.store.Level;
import io.peerlens.store.Segment;
import java.time.Instant;
import java.util.Collection;
import java.util.EnumMap;
import java.util.Map;
import java.util.OptionalLong;

/** Steps of series: how wide they are, and which roll-up fills them. */
final class SeriesSteps {

  private static final long FINEST_AUTOMATIC_STEP = 20_000;

  private final int maxValues;

  /**
   * @param maxValues how many values an answer may have
   */
  SeriesSteps(int maxValues) {
    this.maxValues = maxValues;
  }

  /**
   * Width of the steps, in milliseconds.
   *
   * @throws TooManyPointsException when objects x metrics x steps exceed the limit
   */
  long step(SeriesRequest request, Coverage coverage) {
    long from = request.from().toEpochMilli();
    long to = request.to().toEpochMilli();
    long pairs =
        (long) request.objects().size() * request.metrics().size() * (request.withRange() ? 3 : 1);
    long fitting = Math.max(1, maxValues / pairs);
    if (request.step() == null) {
      long step =
          Step.fitting(
              from,
              to,
              FINEST_AUTOMATIC_STEP,
              finestKept(coverage, request.from()),
              Math.min(request.maxPoints(), fitting));
      check(request, step, pairs);
      return step;
    }
    long kept = finestKept(coverage, request.from());
    long step = request.step().toMillis();
    step = step < kept ? kept : step;
    check(request, step, pairs);
    return step;
  }

  static Grid grid(SeriesRequest request, long step) {
    long from = request.from().toEpochMilli();
    long to = request.to().toEpochMilli();
    return request.zone() != null && step % Step.DAY == 0
        ? Grid.days(from, to, Math.toIntExact(step / Step.DAY), request.zone())
        : Grid.even(from, to, step);
  }

  private void check(SeriesRequest request, long step, long pairs) {
    long from = request.from().toEpochMilli();
    long to = request.to().toEpochMilli();
    long steps = Step.count(from, to, step);
    if (steps <= maxValues / pairs) {
      return;
    }
    OptionalLong enough = Step.usual(from, to, maxValues / pairs);
    throw new TooManyPointsException(
        "%,d objects x %,d metrics x %,d steps%s are %,d values; the limit is %,d."
            .formatted(
                request.objects().size(),
                request.metrics().size(),
                steps,
                request.withRange() ? " x 3 (value, least, greatest)" : "",
                Math.multiplyExact(pairs, steps),
                maxValues),
        Step.text(step) + " is too fine for this window",
        enough.isPresent()
            ? "Use a step of at least %s, or fewer objects."
                .formatted(Step.text(enough.getAsLong()))
            : "Ask for fewer objects, fewer metrics or a shorter window.");
  }

  /** Width in milliseconds of the finest level that reaches back so far; 1 for raw samples. */
  private static long finestKept(Coverage coverage, Instant from) {
    for (Level level : Level.values()) {
      if (coverage.isKept(level, Level.micros(from))) {
        return Math.max(1, level.width().toMillis());
      }
    }
    return Level.ONE_HOUR.width().toMillis();
  }

  /** The coarsest level whose buckets fill the steps exactly. */
  static Level levelOf(Grid grid, long stepMillis) {
    Level coarsest = Level.RAW;
    for (Level level : Level.values()) {
      long width = level.width().toMillis();
      if (level != Level.RAW && stepMillis % width == 0 && grid.fits(width)) {
        coarsest = level;
      }
    }
    return coarsest;
  }

  /** The level that most of a window is read from. */
  static Level mainLevel(Collection<Segment> plan, Level otherwise) {
    Map<Level, Long> lengths = new EnumMap<>(Level.class);
    for (Segment segment : plan) {
      lengths.merge(segment.level(), segment.to() - segment.from(), Long::sum);
    }
    return lengths.entrySet().stream()
        .max(Map.Entry.comparingByValue())
        .map(Map.Entry::getKey)
        .orElse(otherwise);
  }
}
