package io.peerlens.ingest;

import java.time.Instant;

/** The guards as they apply to one batch, with the window in which sample times must lie. */
record Limits(IngestGuards guards, long oldestMicros, long newestMicros) {

  static Limits at(IngestGuards guards, Instant now) {
    long micros = now.toEpochMilli() * 1_000;
    return new Limits(
        guards,
        micros - guards.maxAge().toSeconds() * 1_000_000,
        micros + guards.maxFuture().toMillis() * 1_000);
  }

  int maxNameLength() {
    return guards.maxNameLength();
  }

  /** Rejects a line whose time lies outside of the window. */
  Line.Outcome checkTime(Line line) {
    if (line.timeMicros > newestMicros) {
      return line.reject(
          RejectReason.FUTURE,
          "%s is more than %d s ahead of the clock: correct the sender's clock or timestamp precision"
              .formatted(instant(line.timeMicros), guards.maxFuture().toSeconds()));
    }
    if (line.timeMicros < oldestMicros) {
      return line.reject(
          RejectReason.TOO_OLD,
          "%s is more than %d days ago: correct the timestamp precision, or raise the guard maxAge"
              .formatted(instant(line.timeMicros), guards.maxAge().toDays()));
    }
    return Line.Outcome.READ;
  }

  /** Rejects a line whose object or set would be one too many in this minute. */
  Line.Outcome tooMany(Line line, Catalog.TooMany what) {
    return switch (what) {
      case OBJECTS ->
          line.reject(
              RejectReason.NEW_OBJECTS,
              "more than %d new objects in this minute: raise the guard newObjectsPerMinute and replay, or correct a tag that changes all the time"
                  .formatted(guards.newObjectsPerMinute()));
      case SETS ->
          line.reject(
              RejectReason.NEW_SETS,
              "more than %d new metric sets in this minute: correct the tag or instance that changes all the time, or raise the guard newSetsPerMinute and replay"
                  .formatted(guards.newSetsPerMinute()));
    };
  }

  private static Instant instant(long micros) {
    return Instant.ofEpochSecond(
        Math.floorDiv(micros, 1_000_000L), Math.floorMod(micros, 1_000_000L) * 1_000L);
  }
}
