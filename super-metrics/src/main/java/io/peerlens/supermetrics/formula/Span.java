package io.peerlens.supermetrics.formula;

/**
 * A place in the text of a formula.
 *
 * @param start offset of the first character, from 0
 * @param end offset behind the last character
 */
public record Span(int start, int end) {

  /** Of what was made by a program and stands in no text. */
  public static final Span NONE = new Span(-1, -1);

  Span to(Span other) {
    return this == NONE ? other : new Span(start, Math.max(end, other.end));
  }
}
