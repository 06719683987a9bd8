package io.peerlens.notify.dispatch;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Reason for which a notification is muted, that is kept back for now.
 *
 * @param words for people: {@code silenced by "switch change" until 18:00}
 * @param until when it ends, as far as is known; null = nobody knows
 */
public record MuteReason(Kind kind, String words, @Nullable Instant until) {

  /** Kinds of reasons. */
  public enum Kind {
    /** Somebody has suspended the alert. */
    SUSPENDED,
    /** Its object is in maintenance. */
    MAINTENANCE,
    SILENCE,
    /** The rule does not tell at this time. */
    QUIET_TIME,
    /** An alert above says the same. */
    INHIBITED
  }
}
