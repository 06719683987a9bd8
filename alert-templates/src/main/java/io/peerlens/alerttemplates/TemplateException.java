package io.peerlens.alerttemplates;

import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Mistakes in a template that cannot be read or rendered. The message says where and why, one line
 * for each mistake.
 */
public final class TemplateException extends RuntimeException {

  private static final long serialVersionUID = 1;

  private final transient List<Mistake> mistakes;

  /**
   * One mistake.
   *
   * @param place JSON pointer into the document, such as /modify/3/regexReplace/pattern; empty =
   *     the document as a whole
   * @param message what is wrong there and how to mend it
   */
  public record Mistake(String place, String message) {
    @Override
    public String toString() {
      return place.isEmpty() ? message : place + ": " + message;
    }
  }

  TemplateException(String place, String message) {
    this(List.of(new Mistake(place, message)), null);
  }

  TemplateException(String place, String message, @Nullable Throwable cause) {
    this(List.of(new Mistake(place, message)), cause);
  }

  TemplateException(List<Mistake> mistakes) {
    this(mistakes, null);
  }

  private TemplateException(List<Mistake> mistakes, @Nullable Throwable cause) {
    super(mistakes.stream().map(Mistake::toString).collect(Collectors.joining("\n")), cause);
    this.mistakes = List.copyOf(mistakes);
  }

  /** At least one, in the order of the document. */
  public List<Mistake> mistakes() {
    return mistakes;
  }
}
