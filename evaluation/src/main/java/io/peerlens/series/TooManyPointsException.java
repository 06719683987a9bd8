package io.peerlens.series;

/**
 * The answer would hold more values than the server gives at once. All texts are for the caller.
 */
public final class TooManyPointsException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final String detail;
  private final String reason;
  private final String hint;

  TooManyPointsException(String detail, String reason, String hint) {
    super(detail, null, false, false);
    this.detail = detail;
    this.reason = reason;
    this.hint = hint;
  }

  /** Detail of the problem. */
  public String detail() {
    return detail;
  }

  /** Mistake in the step. */
  public String reason() {
    return reason;
  }

  /** Hint at a query that works. */
  public String hint() {
    return hint;
  }
}
