package io.peerlens.talker;

import java.time.Instant;

/** A length of buckets in which flows are kept. */
enum FlowLevel {
  FIVE_MINUTES("5m", 5),
  ONE_HOUR("1h", 60),
  ONE_DAY("1d", 24 * 60);

  private final String label;
  private final int minutes;

  FlowLevel(String label, int minutes) {
    this.label = label;
    this.minutes = minutes;
  }

  /** As in the database and in the API. */
  String label() {
    return label;
  }

  /** The level that this one is made of, as in the database. */
  String source() {
    return switch (this) {
      case FIVE_MINUTES -> "1m";
      case ONE_HOUR -> FIVE_MINUTES.label;
      case ONE_DAY -> ONE_HOUR.label;
    };
  }

  /** Table of sums by sender, receiver and service. */
  String flows() {
    return "flow_" + label;
  }

  /** Table of lists of talkers. */
  String talkers() {
    return "talker_" + label;
  }

  int minutes() {
    return minutes;
  }

  /** Length of a bucket in seconds. */
  long seconds() {
    return minutes * 60L;
  }

  /** Begin of the bucket that a moment lies in, seconds since 1970; days are those of UTC. */
  long floor(long seconds) {
    return Math.floorDiv(seconds, seconds()) * seconds();
  }

  /** Begin of the bucket that a moment lies in. */
  Instant floor(Instant moment) {
    return Instant.ofEpochSecond(floor(moment.getEpochSecond()));
  }
}
