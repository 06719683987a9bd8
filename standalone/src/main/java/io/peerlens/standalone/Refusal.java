package io.peerlens.standalone;

/**
 * Error that the user has to know or mend: the message says what, where and how to mend it, and is
 * printed without a stack trace.
 */
public final class Refusal extends RuntimeException {

  private static final long serialVersionUID = 1;

  private final int exitCode;

  /** A failure that ends the command with exit code 1. */
  public Refusal(String message) {
    this(1, message);
  }

  Refusal(int exitCode, String message) {
    super(message);
    this.exitCode = exitCode;
  }

  /** A command line that cannot be understood: exit code 2. */
  static Refusal usage(String message) {
    return new Refusal(2, message + "\nTry: peerlens help");
  }

  int exitCode() {
    return exitCode;
  }
}
