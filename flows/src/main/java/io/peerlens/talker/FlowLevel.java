package io.peerlens.talker;

import io.peerlens.store.RollUpLevel;
import java.time.Instant;

/** Levels of stored flows and talkers: roll-ups of 5 minutes, hours and days of UTC. */
enum FlowLevel implements RollUpLevel {
  FIVE_MINUTES("5m", 5),
  ONE_HOUR("1h", 60),
  ONE_DAY("1d", 24 * 60);

  /** Table of how far each level is rolled up and kept. */
  static final String STATES = "flow_level_state";

  private final String label;
  private final int minutes;

  FlowLevel(String label, int minutes) {
    this.label = label;
    this.minutes = minutes;
  }

  @Override
  public String label() {
    return label;
  }

  /** Minutes ({@code 1m}) for the finest. */
  @Override
  public String sourceLabel() {
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

  @Override
  public long widthMicros() {
    return seconds() * 1_000_000;
  }

  /** Begin of the bucket that a moment lies in, seconds since 1970. */
  long floorSeconds(long seconds) {
    return Math.floorDiv(seconds, seconds()) * seconds();
  }

  /** Begin of the bucket that a moment lies in. */
  Instant floor(Instant moment) {
    return Instant.ofEpochSecond(floorSeconds(moment.getEpochSecond()));
  }
}
