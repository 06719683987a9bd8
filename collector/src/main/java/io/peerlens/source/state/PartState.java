package io.peerlens.source.state;

import io.peerlens.source.SourceError;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * State of one part of a source that Peerlens reads itself.
 *
 * @param part as the API calls it; {@code collector} = its collector did not start, or has ended
 * @param lastAt when the newest round ended, good or bad
 * @param goodAt when the newest good round ended; null = none was good
 * @param intervals between the newest rounds, the newest first, five at most
 * @param failures rounds that failed in a row
 * @param error of the newest round; null = it was good
 */
record PartState(
    String part,
    Instant lastAt,
    @Nullable Instant goodAt,
    Duration took,
    List<Duration> intervals,
    long objects,
    long samples,
    long failures,
    @Nullable SourceError error,
    @Nullable Instant failingSince) {

  /** The part in whose name the end of a collector is reported. */
  static final String COLLECTOR = "collector";

  PartState {
    intervals = List.copyOf(intervals);
  }

  boolean isCollector() {
    return part.equals(COLLECTOR);
  }

  /** The median of the newest intervals; null = there was one round only. */
  @Nullable Duration interval() {
    return intervals.isEmpty()
        ? null
        : intervals.stream().sorted().toList().get(intervals.size() / 2);
  }
}
