package io.peerlens.supermetric;

import io.peerlens.api.model.Severity;
import io.peerlens.supermetrics.program.Frame;
import io.peerlens.supermetrics.program.Input;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Replay of a rule that reads super metrics over the past, once with the values of the stored
 * formula and once with those of another one. Not thread-safe.
 */
public interface RuleTrial {

  UUID id();

  String name();

  /** Why it cannot be judged, so that it is not to be followed; null = it can. */
  @Nullable String problem();

  /** The first moment that it wants to see. */
  Instant from();

  /** From one moment to the next. */
  Duration step();

  /** What frames must hold beside the super metrics. */
  Set<Input> inputs();

  /** Takes in a moment; moments come in order. A frame is valid during the call only. */
  void take(Frame stored, Frame edited);

  /** What was found, after the last moment. */
  Outcome outcome();

  /**
   * Findings of a rule.
   *
   * @param judged how many objects it is about
   */
  record Outcome(int judged, List<Episode> stored, List<Episode> edited) {}

  /**
   * Stretch of time in which something was found.
   *
   * @param object its id within the database; null = the rule is about a group as a whole
   * @param instance of the metric; empty = none
   * @param to null = it goes on at the end
   */
  record Episode(
      @Nullable Integer object,
      String instance,
      Instant from,
      @Nullable Instant to,
      Severity severity) {

    /** Whether both are of the same object, and share any time. */
    boolean overlaps(Episode other) {
      return Objects.equals(object, other.object)
          && instance.equals(other.instance)
          && (to == null || other.from.isBefore(to))
          && (other.to == null || from.isBefore(other.to));
    }
  }
}
