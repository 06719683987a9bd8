package io.peerlens.incident;

import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Alerts that belong together.
 *
 * @param cause the alert that explains the others; null = they have something in common, and no
 *     alert explains it
 * @param place with no cause, the object that all of them lie in; null = there is a cause, or the
 *     place is not known
 * @param effects what the cause explains, or what has something in common: the worst first, then
 *     the earliest
 * @param signs what speaks for the cause; none without one
 */
record CauseJudgement(
    @Nullable OpenAlert cause, @Nullable Integer place, List<OpenAlert> effects, Set<Sign> signs) {

  /** Sign that speaks for a cause. */
  enum Sign {
    /** It began before everything that it explains. */
    BEFORE,
    /** Most of what it explains began within half an hour behind it. */
    IN_STEP,
    /** Alerts of the same rules are open hardly anywhere else. */
    ONLY_HERE,
    /** It explains alerts of three objects at least. */
    SPREAD,
    /** Its kind of trouble leads to theirs. */
    FITS
  }

  /** Confidence in a cause. */
  enum Confidence {
    /** At most two signs, or no cause. */
    LOW,
    /** Three signs. */
    MEDIUM,
    /** Four or five. */
    HIGH
  }

  CauseJudgement {
    effects = List.copyOf(effects);
    signs = Set.copyOf(signs);
  }

  Confidence confidence() {
    return cause == null || signs.size() < 3
        ? Confidence.LOW
        : signs.size() == 3 ? Confidence.MEDIUM : Confidence.HIGH;
  }

  /** All alerts, the cause first. */
  List<OpenAlert> alerts() {
    return cause == null
        ? effects
        : java.util.stream.Stream.concat(java.util.stream.Stream.of(cause), effects.stream())
            .toList();
  }
}
