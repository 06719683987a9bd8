package io.peerlens.talker;

import io.peerlens.flow.rank.TalkerRanking;
import io.peerlens.ingest.flow.TalkerMeasure;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A ranking with what it is compared to. Values are as they were counted; bytes are made bits per
 * second only in rates and lines.
 *
 * @param from start of what was counted
 * @param to end of what was counted
 * @param total of all traffic
 * @param unassigned of this what belongs to no talker
 * @param mayMiss by how much a value may be too small, or one that is not listed above the last one
 * @param steps start of each step of the lines
 * @param totalLine of all traffic, by step
 * @param rows most first
 */
record TopTalkers(
    Instant from,
    Instant to,
    long total,
    long unassigned,
    long mayMiss,
    List<Instant> steps,
    double[] totalLine,
    List<Row> rows,
    Others others) {

  private static final int MOST_STEPS = 60;
  private static final int BITS = 8;
  private static final int SECONDS_OF_PEAK = 60;

  /**
   * A value of another time.
   *
   * @param change as a part of the value then; NaN = there was none then
   */
  record Change(long value, double change) {

    static Change of(long now, long then) {
      return new Change(then, then == 0 ? Double.NaN : (double) (now - then) / then);
    }
  }

  /**
   * One talker.
   *
   * @param share of the total, 0 to 1
   * @param before null = not asked for, or nothing is known of that time
   * @param weekAgo as {@code before}
   * @param meanRate bit/s over the range
   * @param peakMinuteRate bit/s of the busiest minute
   * @param line by step: bit/s for bytes and for the peak, per second for what is counted
   */
  record Row(
      long key,
      long value,
      double share,
      @Nullable Change before,
      @Nullable Change weekAgo,
      double meanRate,
      double peakMinuteRate,
      long mayMiss,
      double[] line) {}

  /**
   * Sum of those that are not listed.
   *
   * @param talkers how many at least
   * @param value together; 0 for the peak
   */
  record Others(
      int talkers, long value, @Nullable Change before, @Nullable Change weekAgo, double[] line) {}

  /**
   * Ranks.
   *
   * @param before the same of the time before; null = not asked for
   * @param weekAgo the same of a week ago; null = not asked for
   */
  static TopTalkers of(
      TalkerQueries.Answer answer,
      TalkerQueries.@Nullable Answer before,
      TalkerQueries.@Nullable Answer weekAgo,
      TalkerMeasure measure,
      int limit) {
    TalkerRanking whole = answer.whole();
    TalkerRanking.Top top = whole.top(measure, limit);
    Steps steps = Steps.of(answer);
    long total = whole.total(measure);
    double seconds = Math.max(1, Duration.between(answer.from(), answer.to()).toSeconds());
    List<Row> rows = new ArrayList<>();
    double[] othersLine =
        steps.line(measure, ranking -> ranking.total(measure) - ranking.unassigned(measure));
    long beforeOthers = before == null ? 0 : assigned(before.whole(), measure);
    long weekAgoOthers = weekAgo == null ? 0 : assigned(weekAgo.whole(), measure);
    for (int row : top.rows()) {
      long key = whole.key(row);
      long value = whole.value(row, measure);
      double[] line = steps.line(measure, ranking -> valueOf(ranking, key, measure));
      for (int i = 0; i < line.length; i++) {
        othersLine[i] -= line[i];
      }
      Change changeBefore = change(before, key, value, measure);
      Change changeWeekAgo = change(weekAgo, key, value, measure);
      beforeOthers -= changeBefore == null ? 0 : changeBefore.value;
      weekAgoOthers -= changeWeekAgo == null ? 0 : changeWeekAgo.value;
      rows.add(
          new Row(
              key,
              value,
              total == 0 ? 0 : (double) value / total,
              changeBefore,
              changeWeekAgo,
              whole.value(row, TalkerMeasure.BYTES) * BITS / seconds,
              (double) whole.value(row, TalkerMeasure.PEAK) * BITS / SECONDS_OF_PEAK,
              whole.missed(row, measure),
              line));
    }
    boolean adds = measure != TalkerMeasure.PEAK; // peaks cannot be added up
    Others others =
        new Others(
            top.otherTalkers(),
            top.others(),
            adds && known(before) ? Change.of(top.others(), beforeOthers) : null,
            adds && known(weekAgo) ? Change.of(top.others(), weekAgoOthers) : null,
            adds ? othersLine : new double[0]);
    return new TopTalkers(
        answer.from(),
        answer.to(),
        total,
        whole.unassigned(measure),
        top.mayMiss(),
        steps.begins,
        steps.line(measure, ranking -> ranking.total(measure)),
        rows,
        others);
  }

  private static long assigned(TalkerRanking ranking, TalkerMeasure measure) {
    return ranking.total(measure) - ranking.unassigned(measure);
  }

  private static long valueOf(TalkerRanking ranking, long key, TalkerMeasure measure) {
    int row = ranking.find(key);
    return row < 0 ? 0 : ranking.value(row, measure);
  }

  /** Whether anything was kept of that time; when not, nobody is new. */
  private static boolean known(TalkerQueries.@Nullable Answer then) {
    return then != null && then.from().isBefore(then.to());
  }

  private static @Nullable Change change(
      TalkerQueries.@Nullable Answer then, long key, long now, TalkerMeasure measure) {
    return then == null || !known(then)
        ? null
        : Change.of(now, valueOf(then.whole(), key, measure));
  }

  /** Value of a list that is drawn. */
  private interface Value {
    long of(TalkerRanking ranking);
  }

  /** Lists put into at most so many steps; those that are longer than a step are one each. */
  private static final class Steps {
    final List<Instant> begins = new ArrayList<>();
    private final List<Long> seconds = new ArrayList<>();
    private final List<List<TalkerQueries.Part>> parts = new ArrayList<>();

    static Steps of(TalkerQueries.Answer answer) {
      Steps steps = new Steps();
      long range = Duration.between(answer.from(), answer.to()).toSeconds();
      long length = Math.max(1, Math.ceilDiv(range, MOST_STEPS));
      long last = -1;
      for (TalkerQueries.Part part : answer.parts()) {
        long at = Duration.between(answer.from(), part.from()).toSeconds() / length;
        int newest = steps.parts.size() - 1;
        if (at == last) {
          steps.parts.get(newest).add(part);
          steps.seconds.set(newest, steps.seconds.get(newest) + part.seconds());
        } else {
          last = at;
          steps.begins.add(part.from());
          steps.parts.add(new ArrayList<>(List.of(part)));
          steps.seconds.add(part.seconds());
        }
      }
      return steps;
    }

    double[] line(TalkerMeasure measure, Value value) {
      double[] line = new double[begins.size()];
      for (int i = 0; i < line.length; i++) {
        double sum = 0;
        for (TalkerQueries.Part part : parts.get(i)) {
          double of = value.of(part.ranking());
          sum = measure == TalkerMeasure.PEAK ? Math.max(sum, of) : sum + of;
        }
        line[i] =
            switch (measure) {
              case PEAK -> sum * BITS / SECONDS_OF_PEAK;
              case BYTES -> sum * BITS / seconds.get(i);
              case PACKETS, FLOWS, SESSIONS, RESETS, DROPS -> sum / seconds.get(i);
            };
      }
      return line;
    }
  }
}
