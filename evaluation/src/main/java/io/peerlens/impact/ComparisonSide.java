package io.peerlens.impact;

import io.peerlens.api.model.ObjectRef;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;

/**
 * One side of a comparison.
 *
 * @param objects at least one
 * @param from on full steps
 * @param to on full steps, after {@code from}
 * @param cut whether it was to last longer than until now
 */
record ComparisonSide(List<ObjectRef> objects, Instant from, Instant to, boolean cut) {

  static final Duration STEP = Duration.ofMinutes(5);
  static final Duration SHORTEST = Duration.ofMinutes(30);
  static final Duration LONGEST = Duration.ofDays(31);

  /** A side that ends now at the latest. */
  static ComparisonSide until(Instant now, List<ObjectRef> objects, Instant from, Instant to) {
    Instant end = floor(now);
    return to.isAfter(end)
        ? new ComparisonSide(objects, from, end, true)
        : new ComparisonSide(objects, from, to, false);
  }

  /** The full step at a moment or before it. */
  static Instant floor(Instant moment) {
    long step = STEP.toMillis();
    return Instant.ofEpochMilli(Math.floorDiv(moment.toEpochMilli(), step) * step);
  }

  /** The full step at a moment or after it. */
  static Instant ceil(Instant moment) {
    long step = STEP.toMillis();
    return Instant.ofEpochMilli(Math.ceilDiv(moment.toEpochMilli(), step) * step);
  }

  int steps() {
    return Math.toIntExact(Duration.between(from, to).dividedBy(STEP));
  }

  List<UUID> ids() {
    return objects.stream().map(ObjectRef::getId).toList();
  }
}
