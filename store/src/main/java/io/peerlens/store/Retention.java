package io.peerlens.store;

import static io.peerlens.database.Times.utc;

import io.peerlens.job.Progress;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * Removes what is older than its time. On TimescaleDB whole chunks are dropped, so data live up to
 * one chunk longer; on plain PostgreSQL rows are deleted, one hour of samples in a transaction.
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
  private static final int BATCH = 10_000;

  private static final String MOVE_KEPT_FROM =
      """
      update level_state set kept_from = :before where level = :level and kept_from < :before
      """;
  private static final String ROLLED_UNTIL =
      """
      select coalesce(rolled_until, 'epoch') from level_state where level = :level
      """;
  private static final String CHUNKS_WITHOUT_NOTES =
      """
      select range_start, range_end from timescaledb_information.chunks c
      where hypertable_schema = current_schema() and hypertable_name = :table and range_end <= :before
        and not exists (
          select from rollup_dirty d
          where d.level = :coarser and d.bucket >= c.range_start and d.bucket < c.range_end)
      order by range_start
      """;
  private static final String DROP_CHUNK =
      """
      select drop_chunks(:table::regclass, older_than => :to::timestamptz, newer_than => :from::timestamptz)
      """;

  // The notes come with the samples in one transaction, and one statement sees both or neither.
  private static final String DELETE_HOUR =
      """
      delete from %s where time >= :from and time < :to and not exists (
        select from rollup_dirty
        where level = :coarser and bucket >= date_trunc('hour', :from::timestamptz, 'UTC') and bucket < :to)
      """;
  private static final String DELETE_DEAD_LETTERS =
      """
      delete from dead_letter where id in (
        select id from dead_letter
        where received_at < :any or (received_at < :replayed and replayed_at is not null)
        limit :batch)
      """;
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
   * What a run removed.
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
    boolean hypertables = hasHypertables();
    int chunks = 0;
    long rows = 0;
    for (Level level : Level.values()) {
      Duration period = periods.get(level);
      if (period == null || progress.cancelled()) {
        continue;
      }
      Instant before = now.minus(period).truncatedTo(ChronoUnit.HOURS);
      Instant safe = rolledUp(level, before);
      progress.detail("%s before %s".formatted(level.label(), safe));
      jdbc.sql(MOVE_KEPT_FROM).param("before", utc(safe)).param("level", level.label()).update();
      if (hypertables) {
        chunks += dropChunks(level, safe);
      } else {
        rows += deleteRows(level, safe, rows, progress);
      }
    }
    long deadLetters =
        batches(
            DELETE_DEAD_LETTERS,
            Map.of(
                "any", utc(now.minus(DEAD_LETTERS)),
                "replayed", utc(now.minus(DEAD_LETTERS_REPLAYED))),
            progress);
    long changes = batches(DELETE_CHANGES, Map.of("before", utc(now.minus(CHANGES))), progress);
    return new Result(chunks, rows, deadLetters, changes);
  }

  /** Nothing goes before it is part of the next coarser level: the earlier of the two moments. */
  private Instant rolledUp(Level level, Instant before) {
    if (level == Level.ONE_HOUR) {
      return before;
    }
    Instant rolled =
        jdbc.sql(ROLLED_UNTIL)
            .param("level", coarser(level))
            .query(OffsetDateTime.class)
            .single()
            .toInstant()
            .truncatedTo(ChronoUnit.HOURS);
    return rolled.isBefore(before) ? rolled : before;
  }

  /** The level that is made of this one; of the coarsest nothing is made. */
  private static String coarser(Level level) {
    return switch (level) {
      case RAW -> Level.FIVE_MINUTES.label();
      case FIVE_MINUTES -> Level.ONE_HOUR.label();
      case ONE_HOUR -> "none";
    };
  }

  private record Chunk(OffsetDateTime from, OffsetDateTime to) {}

  private int dropChunks(Level level, Instant before) {
    List<Chunk> chunks =
        jdbc.sql(CHUNKS_WITHOUT_NOTES)
            .param("table", level.table())
            .param("before", utc(before))
            .param("coarser", coarser(level))
            .query(
                (row, number) ->
                    new Chunk(
                        row.getObject(1, OffsetDateTime.class),
                        row.getObject(2, OffsetDateTime.class)))
            .list();
    int dropped = 0;
    for (Chunk chunk : chunks) {
      dropped +=
          jdbc.sql(DROP_CHUNK)
              .param("table", level.table())
              .param("from", chunk.from)
              .param("to", chunk.to)
              .query(String.class)
              .list()
              .size();
    }
    return dropped;
  }

  private long deleteRows(Level level, Instant before, long alreadyDeleted, Progress progress) {
    long deleted = 0;
    Instant from = oldest(level, Instant.EPOCH, before);
    while (from != null && !progress.cancelled()) {
      Instant hour = from.truncatedTo(ChronoUnit.HOURS).plus(Duration.ofHours(1));
      Instant to = hour.isBefore(before) ? hour : before;
      int gone =
          jdbc.sql(DELETE_HOUR.formatted(level.table()))
              .param("from", utc(from))
              .param("to", utc(to))
              .param("coarser", coarser(level))
              .update();
      deleted += gone;
      progress.done(alreadyDeleted + deleted);
      // A full hour is mostly followed by another; looking for the next row reads all that is left.
      from = gone > 0 && to.isBefore(before) ? to : oldest(level, to, before);
    }
    return deleted;
  }

  private @Nullable Instant oldest(Level level, Instant from, Instant before) {
    return jdbc.sql(
            """
            select min(time) from %s where time >= :from and time < :before having min(time) is not null
            """
                .formatted(level.table()))
        .param("from", utc(from))
        .param("before", utc(before))
        .query(OffsetDateTime.class)
        .optional()
        .map(OffsetDateTime::toInstant)
        .orElse(null);
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

  private boolean hasHypertables() {
    return jdbc.sql("select exists (select from pg_extension where extname = 'timescaledb')")
        .query(Boolean.class)
        .single();
  }
}
