package io.peerlens.supermetric;

import io.peerlens.supermetrics.SuperMetric;
import io.peerlens.supermetrics.formula.ObjectKind;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A super metric as it is stored: the definition of its file and what this installation adds.
 *
 * @param owner who looks after it
 * @param pack the pack it came with
 * @param intervalSeconds how often it is computed, a multiple of 5
 * @param version its ETag, from 1
 */
record StoredSuperMetric(
    SuperMetric definition,
    List<String> tags,
    @Nullable String owner,
    @Nullable String pack,
    Policy policy,
    int intervalSeconds,
    long version,
    Instant createdAt,
    String createdBy,
    Instant updatedAt,
    String updatedBy) {

  /** Seconds between ticks where nobody says otherwise. */
  static final int USUAL_INTERVAL = 60;

  /**
   * Seconds of a cycle of vRealize Operations. What comes from there may rely on it: a formula that
   * adds 5 minutes to its own last value counts minutes only at this interval.
   */
  static final int VROPS_INTERVAL = 300;

  StoredSuperMetric {
    tags = List.copyOf(tags);
  }

  /** Object kinds that it is computed for, each once; {@code *} is none. */
  List<ObjectKind> kinds() {
    return kinds(definition);
  }

  static List<ObjectKind> kinds(SuperMetric definition) {
    return definition.assignedTo().stream()
        .map(kind -> new ObjectKind(kind.adapterKind(), kind.objectKind()))
        .filter(kind -> !kind.isEvery())
        .distinct()
        .toList();
  }
}
