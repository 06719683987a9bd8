package io.peerlens.store;

import static io.peerlens.database.Times.utc;

import io.peerlens.job.Progress;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * Retention of samples, dead letters and the objects' history: removes what is older than its time.
 *
 * <p>Late samples wait for their roll-up: a chunk or an hour in which {@code rollup_dirty} notes
 * some stays until a later run. So history that is sent in after the fact reaches the roll-ups even
 * when it is older than raw samples are kept.
 *
 * <p>Where a level begins is written down before anything is removed, so queries and roll-ups never
 * count on data that are going away; stopping at any point leaves only work for the next run.
 */
public final class Retention {
  static final Duration DEAD_LETTERS_REPLAYED = Duration.ofDays(7);
  static final Duration DEAD_LETTERS = Duration.ofDays(30);
  static final Duration CHANGES = Duration.ofDays(400);
  static final Duration INVENTORY_CHANGES = Duration.ofHours(2);
  private static final int BATCH = 10_000;

  private static final String DELETE_DEAD_LETTERS =
      """
      delete from dead_letter where id in (
        select id from dead_letter
        where received_at < :any or (received_at < :replayed and replayed_at is not null)
        limit :batch)
      """;
  private static final String DELETE_INVENTORY_CHANGES =
      "delete from inventory_change where noted_at < :before";
  private static final String DELETE_CHANGES =
      """
      delete from object_change where id in (
        select id from object_change where time < :before limit :batch)
      """;

  private final JdbcClient jdbc;

  public Retention(JdbcClient jdbc) {
    this.jdbc = jdbc;
  }

  /**
   * Numbers of what a run removed.
   *
   * @param chunks chunks of hypertables
   * @param rows single rows of samples and roll-ups
   * @param deadLetters dead letters
   * @param changes entries of the objects' history
   */
  public record Result(int chunks, long rows, long deadLetters, long changes) {}

  /** Removes what is too old at {@code now}; returns early when cancelled. */
  public Result run(Instant now, Progress progress) {
    Map<Level, Duration> periods = RetentionPeriods.read(jdbc);
    LevelStates states = new LevelStates(jdbc);
    OldRows old = new OldRows(jdbc, "rollup_dirty", progress);
    for (Level level : Level.values()) {
      Duration period = periods.get(level);
      if (period == null || progress.cancelled()) {
        continue;
      }
      Instant before = now.minus(period).truncatedTo(ChronoUnit.HOURS);
      if (level == Level.ONE_HOUR) {
        states.keptFrom(level.label(), before);
      } else {
        before = states.keepFrom(level.label(), level.coarserLabel(), before);
      }
      progress.detail("%s before %s".formatted(level.label(), before));
      old.remove(level.table(), level.coarserLabel(), before, Instant.EPOCH);
    }
    long deadLetters =
        batches(
            DELETE_DEAD_LETTERS,
            Map.of(
                "any", utc(now.minus(DEAD_LETTERS)),
                "replayed", utc(now.minus(DEAD_LETTERS_REPLAYED))),
            progress);
    jdbc.sql(DELETE_INVENTORY_CHANGES).param("before", utc(now.minus(INVENTORY_CHANGES))).update();
    long changes = batches(DELETE_CHANGES, Map.of("before", utc(now.minus(CHANGES))), progress);
    return new Result(old.chunks(), old.rows(), deadLetters, changes);
  }

  private long batches(String sql, Map<String, OffsetDateTime> times, Progress progress) {
    long deleted = 0;
    int last = BATCH;
    while (last == BATCH && !progress.cancelled()) {
      last = jdbc.sql(sql).params(times).param("batch", BATCH).update();
      deleted += last;
    }
    return deleted;
  }
}
