package io.peerlens.notify.flow;

import io.peerlens.notify.rule.NotificationRule.Resend;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What a decision depends on, besides how things stand.
 *
 * @param isAbout whether the rule is about the alert as it is now
 * @param about why it is not, in words
 * @param wants whether the rule wants this event and change
 * @param wantsNew whether the rule wants openings
 * @param wantsCancel whether the rule wants ends
 * @param acknowledged whether somebody looks after the alert, so that it need not be told again
 * @param isGrouped whether the alert is told together with others
 * @param openSince since when the alert is open
 * @param holds what keeps it back now
 * @param opening what became of the notification of its opening
 */
public record Facts(
    boolean isAbout,
    String about,
    boolean wants,
    boolean wantsNew,
    boolean wantsCancel,
    boolean acknowledged,
    boolean isGrouped,
    Duration delay,
    @Nullable Resend resend,
    Instant openSince,
    List<MuteReason> holds,
    Opening opening) {

  public Facts {
    holds = List.copyOf(holds);
  }

  /** What became of the notification that opened an alert. */
  public enum Opening {
    /** It has left, or may have. */
    LEFT,
    /** It waits, and certainly did not reach anybody. */
    WAITS,
    /** It was given up and did not reach anybody. */
    LOST
  }

  /** When the first hold is known to end; null = no end is known. */
  @Nullable Instant holdsUntil() {
    return holds.stream()
        .map(MuteReason::until)
        .filter(Objects::nonNull)
        .min(Comparator.naturalOrder())
        .orElse(null);
  }

  String holdWords() {
    return holds.stream().map(MuteReason::words).reduce((a, b) -> a + "; " + b).orElse("");
  }

  Facts without(MuteReason.Kind one, MuteReason.Kind other) {
    return new Facts(
        isAbout,
        about,
        wants,
        wantsNew,
        wantsCancel,
        acknowledged,
        isGrouped,
        delay,
        resend,
        openSince,
        holds.stream().filter(h -> h.kind() != one && h.kind() != other).toList(),
        opening);
  }
}
