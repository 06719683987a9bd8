package io.peerlens.source.state;

import io.peerlens.api.model.SourceState;
import io.peerlens.source.SourceError;
import io.peerlens.source.definition.SourcePauseStore.Pause;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Judge of how sources do. It depends on its arguments alone. */
final class StateJudge {

  /** Rounds that a source may miss. */
  static final int MISSED = 3;

  /** Times of samples may lie so far from when they came. */
  static final Duration CLOCK = Duration.ofMinutes(2);

  /** Another node takes a source over within this time. */
  private static final Duration TAKEOVER = Duration.ofSeconds(60);

  /** A round that is missed three times is missed no sooner than this. */
  private static final Duration SHORTEST = Duration.ofSeconds(60);

  /** Of a part that had one round only. */
  private static final Duration UNKNOWN_INTERVAL = Duration.ofMinutes(5);

  /** Silence after which a sender has stopped, if that is more than ten of its rounds. */
  private static final Duration STOPPED = Duration.ofMinutes(10);

  private static final int STOPPED_ROUNDS = 10;

  private static final SourceError NO_COLLECTOR =
      new SourceError(
          "no-collector",
          "No node reads it.",
          "It is read as soon as a node with the role collector is there and free.",
          "Start a node whose peerlens.roles names collector, or look into the log of those that run.");

  private StateJudge() {}

  /**
   * What is known of a source that Peerlens reads itself.
   *
   * @param reads parts that are read, as the API calls them
   * @param changedAt when it was stored last
   * @param pause null = it is to be read
   * @param node that reads it now; null = none does
   * @param takenAt since when that node reads it
   * @param parts those that had a round
   */
  record Own(
      Set<String> reads,
      Instant changedAt,
      @Nullable Pause pause,
      @Nullable String node,
      @Nullable Instant takenAt,
      List<PartState> parts) {}

  /** Judges a source that Peerlens reads itself. */
  static Condition own(Own source, Instant now) {
    Pause pause = source.pause;
    if (pause != null) {
      return Condition.of(SourceState.PAUSED, pause.at(), "Paused by " + pause.by() + ".");
    }
    List<PartState> parts =
        source.parts.stream().filter(part -> source.reads.contains(part.part())).toList();
    Instant begun =
        source.takenAt == null || source.takenAt.isBefore(source.changedAt)
            ? source.changedAt
            : source.takenAt;
    boolean hadRound = source.parts.stream().anyMatch(part -> !part.lastAt().isBefore(begun));
    if (source.node == null) {
      Instant last =
          parts.stream().map(PartState::lastAt).max(Comparator.naturalOrder()).orElse(begun);
      Instant alone = last.isBefore(source.changedAt) ? source.changedAt : last;
      if (alone.plus(TAKEOVER).isBefore(now)) {
        return Condition.of(SourceState.STOPPED, alone, NO_COLLECTOR);
      }
    }
    if (!hadRound) {
      return Condition.of(SourceState.STARTING, null, "Its first round has not ended yet.");
    }
    for (PartState part : source.parts) {
      if (part.isCollector() && part.error() != null) {
        return Condition.of(SourceState.STOPPED, part.failingSince(), part.error());
      }
    }
    List<PartState> bad = parts.stream().filter(part -> isFailing(part, now)).toList();
    if (!bad.isEmpty()) {
      PartState worst =
          bad.stream()
              .min(
                  Comparator.comparing(
                      PartState::failingSince, Comparator.nullsLast(Comparator.naturalOrder())))
              .orElseThrow();
      SourceError error = Objects.requireNonNull(worst.error());
      boolean all = bad.size() == parts.size();
      return new Condition(
          all ? SourceState.STOPPED : SourceState.LATE,
          worst.failingSince(),
          all ? error.what() : "Of %s: %s".formatted(worst.part(), error.what()),
          error);
    }
    for (PartState part : parts) {
      SourceError error = part.error();
      if (error != null && error.code().equals(SourceError.CLOCK)) {
        return Condition.of(SourceState.BEHIND, part.failingSince(), error);
      }
    }
    for (PartState part : parts) {
      if (part.lastAt().plus(patience(part.interval())).isBefore(now)) {
        return Condition.of(
            SourceState.LATE,
            part.lastAt(),
            "It has missed %d rounds of %s or more.".formatted(MISSED, part.part()));
      }
    }
    return Condition.FRESH;
  }

  /** One bad round may pass; a part that never had a good one, or not for three rounds, fails. */
  private static boolean isFailing(PartState part, Instant now) {
    SourceError error = part.error();
    if (error == null || error.code().equals(SourceError.CLOCK)) {
      return false;
    }
    return part.failures() > 1
        || part.goodAt() == null
        || part.goodAt().plus(patience(part.interval())).isBefore(now);
  }

  private static Duration patience(@Nullable Duration interval) {
    Duration patience = (interval == null ? UNKNOWN_INTERVAL : interval).multipliedBy(MISSED);
    return patience.compareTo(SHORTEST) < 0 ? SHORTEST : patience;
  }

  /**
   * Judges one that sends by itself.
   *
   * @param lastAt when something came last
   * @param interval between what comes; null = not known yet
   * @param offset from when it came to the time that it carries; null = not known
   * @param readUntil up to when Kafka is read; null = nobody reads it
   */
  static Condition sender(
      Instant firstAt,
      Instant lastAt,
      @Nullable Duration interval,
      @Nullable Duration offset,
      @Nullable Instant readUntil,
      Instant now) {
    Duration silent = Duration.between(lastAt, now);
    if (silent.compareTo(patience(interval)) > 0) {
      if (readUntil == null || readUntil.plus(SHORTEST).isBefore(now)) {
        return Condition.of(
            SourceState.LATE,
            lastAt,
            "Ingest itself does not read, or is behind, so what came meanwhile is not known.");
      }
      Duration stoppedAfter = interval == null ? STOPPED : interval.multipliedBy(STOPPED_ROUNDS);
      return silent.compareTo(STOPPED) > 0 && silent.compareTo(stoppedAfter) > 0
          ? Condition.of(SourceState.STOPPED, lastAt, "Nothing comes from it any more.")
          : Condition.of(
              SourceState.LATE, lastAt, "It has missed %d rounds or more.".formatted(MISSED));
    }
    if (offset != null && offset.abs().compareTo(CLOCK) > 0) {
      return Condition.of(
          SourceState.BEHIND,
          null,
          "The times of its data lie %s in the %s. Its clock is off, or it sends late."
              .formatted(words(offset.abs()), offset.isNegative() ? "past" : "future"));
    }
    if (interval == null && firstAt.plus(SHORTEST).isAfter(now)) {
      return Condition.of(SourceState.STARTING, null, "It has just begun to send.");
    }
    return Condition.FRESH;
  }

  private static String words(Duration duration) {
    if (duration.toDays() > 0) {
      return duration.toDays() + " d " + duration.toHoursPart() + " h";
    }
    if (duration.toHours() > 0) {
      return duration.toHours() + " h " + duration.toMinutesPart() + " min";
    }
    return duration.toMinutes() + " min";
  }
}
