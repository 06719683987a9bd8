package io.peerlens.notify.dispatch;

import io.peerlens.notify.definition.NotificationRule.Resend;
import io.peerlens.notify.delivery.QueueStore.Fate;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Facts that a decision depends on, besides the state of the notification.
 *
 * @param isAbout whether the rule is about the alert as it is now
 * @param about why it is not, in words
 * @param wants whether the rule wants this event and change
 * @param wantsNew whether the rule wants openings
 * @param wantsCancel whether the rule wants ends
 * @param acknowledged whether somebody looks after the alert, so that it need not be sent again
 * @param isGrouped whether the alert is sent together with others
 * @param openSince since when the alert is open
 * @param muted what keeps it back now
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
    List<MuteReason> muted,
    Fate opening) {

  public Facts {
    muted = List.copyOf(muted);
  }

  /** End of the first of its mutes that has one; null = no end is known. */
  @Nullable Instant mutedUntil() {
    return muted.stream()
        .map(MuteReason::until)
        .filter(Objects::nonNull)
        .min(Comparator.naturalOrder())
        .orElse(null);
  }

  String mutedWords() {
    return muted.stream().map(MuteReason::words).reduce((a, b) -> a + "; " + b).orElse("");
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
        muted.stream().filter(h -> h.kind() != one && h.kind() != other).toList(),
        opening);
  }
}
