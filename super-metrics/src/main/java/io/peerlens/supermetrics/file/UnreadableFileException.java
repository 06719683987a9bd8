package io.peerlens.supermetrics.file;

/**
 * A file as a whole cannot be read: it is neither JSON nor ZIP, is broken, or is larger than {@link
 * FileLimits} allow. The message says what, where and how to mend it.
 */
public final class UnreadableFileException extends RuntimeException {

  private static final long serialVersionUID = 1;

  private final transient Problem problem;

  UnreadableFileException(Problem problem) {
    super(problem.toString());
    this.problem = problem;
  }

  /** Mistake and its place. */
  public Problem problem() {
    return problem;
  }
}
