package io.peerlens.slow;

/** A part of a text. */
public record Phrase(String text, Emphasis emphasis) {

  /** How much it stands out. */
  public enum Emphasis {
    NONE,
    /** A name or figure. */
    STRONG,
    /** Beyond what is usual. */
    BAD
  }

  /** Makes a part. */
  public static Phrase plain(String text) {
    return new Phrase(text, Emphasis.NONE);
  }

  /** Makes a part. */
  public static Phrase strong(String text) {
    return new Phrase(text, Emphasis.STRONG);
  }

  /** Makes a part. */
  public static Phrase bad(String text) {
    return new Phrase(text, Emphasis.BAD);
  }
}
