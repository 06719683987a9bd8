package io.peerlens.alerttemplates;

import org.jspecify.annotations.Nullable;

/** Condition that is no valid CEL, found when it is read. */
public final class ConditionException extends RuntimeException {

  private static final long serialVersionUID = 1;

  private final int offset;

  ConditionException(String message, int offset, @Nullable Throwable cause) {
    super(message, cause);
    this.offset = offset;
  }

  /** Where in the text the mistake was noticed: characters from its beginning, 0 = the first. */
  public int offset() {
    return offset;
  }
}
