package io.peerlens.ingest.sender;

import java.util.Locale;

/**
 * Sender of data.
 *
 * @param name see {@link Kind}
 */
public record Sender(Kind kind, String name) {

  /** The name of lines that name no collector. */
  public static final String UNNAMED = "";

  /** The name of all senders beyond those that are counted one by one. */
  public static final String OTHERS = "*";

  /** Everything that sends JSON. */
  public static final Sender JSON = new Sender(Kind.JSON, "JSON");

  /** Everything that sends points of OpenTelemetry. */
  public static final Sender OTLP = new Sender(Kind.OTLP, "OpenTelemetry");

  /** What a sender is known by. */
  public enum Kind {
    /** Line protocol, by the tag {@code host}. */
    LINES,
    /** Points of OpenTelemetry, all of them: they name no collector. */
    OTLP,
    /** JSON, all of it. */
    JSON,
    /** A source that Peerlens reads itself, by its id. */
    SOURCE,
    /** An observer of flows, by its id. */
    FLOWS;

    private final String label = name().toLowerCase(Locale.ROOT);

    /** In the database: {@code lines}. */
    public String label() {
      return label;
    }
  }
}
