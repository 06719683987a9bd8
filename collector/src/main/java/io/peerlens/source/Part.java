package io.peerlens.source;

import java.util.Arrays;
import java.util.Locale;

/** Part of what a source knows; each is read, reported and remembered by itself. */
public enum Part {
  /** Objects, their properties and relations. */
  CONFIGURATION,
  /** What happened. */
  EVENTS,
  /** Values of metrics. */
  PERFORMANCE,
  /** Alarms of the source itself. */
  ALARMS;

  private final String label = name().toLowerCase(Locale.ROOT);

  /** In the API and the database: {@code configuration}. */
  public String label() {
    return label;
  }

  /**
   * The part of a label.
   *
   * @throws IllegalArgumentException if there is none
   */
  public static Part of(String label) {
    return Arrays.stream(values())
        .filter(part -> part.label.equals(label))
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException("No part of a source: " + label));
  }
}
