package io.peerlens.source;

/** Topic of Kafka that collectors write to; the settings name it. */
public enum Topic {
  /** Samples and properties, as ingest reads them: {@code peerlens.ingest.topic}. */
  METRICS,
  /** What happened: {@code peerlens.events.topic}. */
  EVENTS
}
