package io.peerlens.threshold;

import java.util.Locale;

/** Comparison that counts as a violation. */
public enum Operator {
  GT(">"),
  GE("≥"),
  LT("<"),
  LE("≤"),
  EQ("="),
  NE("≠"),
  INSIDE("inside"),
  OUTSIDE("outside"),
  CONTAINS("contains"),
  NOT_CONTAINS("does not contain"),
  STARTS_WITH("starts with"),
  NOT_STARTS_WITH("does not start with"),
  ENDS_WITH("ends with"),
  NOT_ENDS_WITH("does not end with"),
  MATCHES("matches"),
  NOT_MATCHES("does not match");

  private final String words;

  Operator(String words) {
    this.words = words;
  }

  /** For people: between a value and its bound. */
  public String words() {
    return words;
  }

  /** As the contract writes it. */
  public String label() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /** Whether numbers can be compared with it. */
  boolean isForNumbers() {
    return compareTo(CONTAINS) < 0;
  }

  /** Whether texts can be compared with it. */
  boolean isForTexts() {
    return this == EQ || this == NE || !isForNumbers();
  }

  /** Whether it takes two bounds. */
  boolean isRange() {
    return this == INSIDE || this == OUTSIDE;
  }

  /** Whether small values violate it. */
  boolean isDownwards() {
    return this == LT || this == LE;
  }
}
