package io.peerlens.run.read;

/** A file, or the rest of it, cannot be read. */
final class UnreadableException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  private final int line;
  private final String remedy;

  /**
   * @param line from 1; 0 = the file as a whole
   * @param what is wrong
   * @param remedy what a person can do about it
   */
  UnreadableException(int line, String what, String remedy) {
    super(what);
    this.line = line;
    this.remedy = remedy;
  }

  Problem in(String file) {
    return new Problem(file, line, String.valueOf(getMessage()), remedy);
  }
}
