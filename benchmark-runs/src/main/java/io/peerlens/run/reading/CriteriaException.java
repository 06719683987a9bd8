package io.peerlens.run.reading;

import java.util.List;
import java.util.stream.Collectors;

/** A file of criteria that cannot be used, with all its mistakes. */
public final class CriteriaException extends Exception {

  private static final long serialVersionUID = 1;

  private final transient List<Mistake> mistakes;

  CriteriaException(List<Mistake> mistakes) {
    super(mistakes.stream().map(Mistake::toString).collect(Collectors.joining(" ")));
    this.mistakes = List.copyOf(mistakes);
  }

  /**
   * A mistake in a file.
   *
   * @param path where, such as {@code criteria[2].unit}; empty = the whole file
   * @param text what is wrong; it follows the path as its predicate
   * @param hint how to mend it; empty = the text says it
   */
  public record Mistake(String path, String text, String hint) {

    @Override
    public String toString() {
      return (path.isEmpty() ? "The file" : path)
          + " "
          + text
          + "."
          + (hint.isEmpty() ? "" : " " + hint);
    }
  }

  /** All mistakes that were found, at most 100. */
  public List<Mistake> mistakes() {
    return mistakes;
  }
}
