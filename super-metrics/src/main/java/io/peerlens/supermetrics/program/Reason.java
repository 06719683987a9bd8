package io.peerlens.supermetrics.program;

import org.jspecify.annotations.Nullable;

/**
 * Reason why a formula has no value for an object, in the order of how far the computation came.
 * Where several objects or values are missing for several reasons, the one that came furthest
 * counts.
 */
public enum Reason {
  /** No object has the name and identifiers, or several have. */
  NO_SUCH_OBJECT("no object of that name, or several"),
  /** There is no related object of the kind. */
  NO_RELATED_OBJECT("no related object of the kind"),
  /** No object of the kind has the key. */
  UNKNOWN_KEY("no object of the kind has the key"),
  /** The object, or every related object, has no value for the key at this moment. */
  NO_VALUE("no value at this moment"),
  /** The value is a text that is no number. */
  NOT_NUMERIC("the value is a text"),
  /** The condition of {@code where} left nothing. */
  LEFT_OUT("left out by where"),
  /** A set without a looping function has several values. */
  SEVERAL_VALUES("several values where one is needed"),
  /** A division by zero, a root of a negative number and the like. */
  NOT_A_NUMBER("the calculation has no result, as in a division by zero"),
  /** The formula took too long or touched too many objects. */
  OVER_BUDGET("the formula exceeded its budget"),
  /** The formula failed. */
  FAILED("the formula failed");

  /** The one of two reasons that came further. */
  static @Nullable Reason further(@Nullable Reason one, @Nullable Reason other) {
    return one == null || (other != null && other.compareTo(one) > 0) ? other : one;
  }

  private final String text;

  Reason(String text) {
    this.text = text;
  }

  /** For people, without a full stop. */
  public String text() {
    return text;
  }
}
