package io.peerlens.threshold;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Severity of a symptom or alert, from the least to the worst. */
public enum Severity {
  INFORMATION,
  WARNING,
  IMMEDIATE,
  CRITICAL;

  private static final Severity[] ALL = values();

  /** 1 to 4; where severities are numbers, 0 is none. */
  public int level() {
    return ordinal() + 1;
  }

  /** The severity of a level; null for 0. */
  public static @Nullable Severity of(int level) {
    return level == 0 ? null : ALL[level - 1];
  }

  /**
   * The level of a severity by its name in capitals, as contexts of notifications have it.
   *
   * @return 0 = there is no severity of this name
   */
  public static int level(String name) {
    for (Severity one : ALL) {
      if (one.name().equals(name)) {
        return one.level();
      }
    }
    return 0;
  }

  /** As the contract and the database write it. */
  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }
}
