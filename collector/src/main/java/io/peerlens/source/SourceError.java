package io.peerlens.source;

/**
 * Error of a source, in words for people.
 *
 * @param code stable name, such as {@code unreachable}, {@code certificate-changed}; small letters
 *     and hyphens
 * @param what what happened, one sentence
 * @param whatNow what Peerlens does about it: tries again in a minute, waits
 * @param whatToDo what the reader can do
 */
public record SourceError(String code, String what, String whatNow, String whatToDo) {

  /** The code of a source whose clock differs from ours by more than two minutes. */
  public static final String CLOCK = "clock-differs";

  public SourceError {
    if (!code.matches("[a-z0-9]+(-[a-z0-9]+)*")) {
      throw new IllegalArgumentException("No code of an error: " + code);
    }
  }
}
