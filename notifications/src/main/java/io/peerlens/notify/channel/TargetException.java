package io.peerlens.notify.channel;

import org.jspecify.annotations.Nullable;

/** A target's definition makes no sense. */
public final class TargetException extends RuntimeException {

  private final String field;
  private final String reason;
  private final @Nullable String hint;

  TargetException(String field, String reason, @Nullable String hint) {
    super(field + ": " + reason + (hint == null ? "" : ". " + hint), null, false, false);
    this.field = field;
    this.reason = reason;
    this.hint = hint;
  }

  /** Path of the field, for instance {@code webhook.auth.token}. */
  public String field() {
    return field;
  }

  /** What is wrong with it, as the end of a sentence. */
  public String reason() {
    return reason;
  }

  /** How to mend it, when that can be said. */
  public @Nullable String hint() {
    return hint;
  }
}
