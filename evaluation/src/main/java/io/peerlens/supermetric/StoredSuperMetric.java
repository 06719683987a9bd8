package io.peerlens.supermetric;

import io.peerlens.supermetrics.SuperMetric;
import io.peerlens.supermetrics.formula.ObjectKind;
import io.peerlens.web.Durations;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A super metric as its author wrote it: the definition of its file and what this installation
 * adds.
 *
 * @param owner who looks after it
 * @param intervalSeconds how often it is computed, a multiple of 5
 */
record StoredSuperMetric(
    SuperMetric definition,
    List<String> tags,
    @Nullable String owner,
    Policy policy,
    int intervalSeconds) {

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

  /** How often it is computed, as the API says it. */
  String interval() {
    return Durations.print(Duration.ofSeconds(intervalSeconds));
  }

  /** The same with another policy. */
  StoredSuperMetric with(Policy other) {
    return new StoredSuperMetric(definition, tags, owner, other, intervalSeconds);
  }

  /** Object kinds that a definition is computed for, each once; {@code *} is none. */
  static List<ObjectKind> kinds(SuperMetric definition) {
    return definition.assignedTo().stream()
        .map(kind -> new ObjectKind(kind.adapterKind(), kind.objectKind()))
        .filter(kind -> !kind.isEvery())
        .distinct()
        .toList();
  }
}
