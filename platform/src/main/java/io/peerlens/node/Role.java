package io.peerlens.node;

/** A part of the work that a process can take on. All parts share one database and nothing else. */
public enum Role {
  /** Reads sources such as vCenters and writes what they say to Kafka. Each source is read once. */
  COLLECTOR,
  /** Reads Kafka and writes samples. Scales with the topic's partitions. */
  INGEST,
  /**
   * Evaluates super metrics, thresholds, outlier groups and alerts; computes roll-ups and keeps
   * retention.
   */
  EVALUATOR,
  /** Decides on notifications and delivers them. */
  NOTIFIER,
  /** Answers the REST API and serves the pages. */
  API
}
