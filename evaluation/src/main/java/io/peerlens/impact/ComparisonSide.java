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

  int steps() {
    return Math.toIntExact(Duration.between(from, to).dividedBy(STEP));
  }

  List<UUID> ids() {
    return objects.stream().map(ObjectRef::getId).toList();
  }
}
