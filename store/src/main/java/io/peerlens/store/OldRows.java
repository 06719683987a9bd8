package io.peerlens.store;

import static io.peerlens.database.Times.instant;
import static io.peerlens.database.Times.utc;

import io.peerlens.job.Progress;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.temporal.ChronoUnit;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * Removal of old rows, for one run of retention. On TimescaleDB whole chunks are dropped, so data
 * live up to one chunk longer; on plain PostgreSQL rows are deleted, one hour in a transaction.
 *
 * <p>A chunk or an hour stays while a bucket in it waits to be rolled up again.
 */
public final class OldRows {

  private static final String CHUNKS =
      """
      select range_start, range_end from timescaledb_information.chunks c
      where hypertable_schema = current_schema() and hypertable_name = :table and range_end <= :before
        and (range_end <= :bound or not exists (
          select 1 from %s d
          where d.level = :level and d.bucket >= c.range_start and d.bucket < c.range_end))
      order by range_start
      """;
  private static final String DROP_CHUNK =
      """
      select drop_chunks(:table::regclass, older_than => :to::timestamptz, newer_than => :from::timestamptz)
      """;

  // The notes come with the rows in one transaction, and one statement sees both or neither.
  private static final String DELETE_HOUR =
      """
      delete from %s where time >= :from and time < :to and (:to <= :bound or not exists (
        select 1 from %s
        where level = :level and bucket >= date_trunc('hour', :from::timestamptz, 'UTC') and bucket < :to))
      """;
  private static final String OLDEST =
      "select min(time) from %s where time >= :from and time < :before having min(time) is not null";

  private final JdbcClient jdbc;
  private final String notes;
  private final Progress progress;
  private final boolean hypertables;
  private int chunks;
  private long rows;

  /**
   * @param notes table of buckets that changed after they were rolled up
   */
  public OldRows(JdbcClient jdbc, String notes, Progress progress) {
    this.jdbc = jdbc;
    this.notes = notes;
    this.progress = progress;
    hypertables = Hypertables.areThere(jdbc);
  }

  /** Whether chunks are dropped and not single rows. */
  public boolean hypertables() {
    return hypertables;
  }

  /** Number of chunks that were dropped. */
  int chunks() {
    return chunks;
  }

  /** Number of rows that were deleted. */
  long rows() {
    return rows;
  }

  /** Number of chunks or rows that were removed. */
  public long removed() {
    return chunks + rows;
  }

  /**
   * Removes what is older than a moment; stops when the run is cancelled.
   *
   * @param level level whose noted buckets keep their rows
   * @param bound what is older goes whatever is noted
   */
  public void remove(String table, String level, Instant before, Instant bound) {
    if (hypertables) {
      dropChunks(table, level, before, bound);
    } else {
      deleteRows(table, level, before, bound);
    }
  }

  private record Chunk(Instant from, Instant to) {}

  private void dropChunks(String table, String level, Instant before, Instant bound) {
    List<Chunk> old =
        jdbc.sql(CHUNKS.formatted(notes))
            .param("table", table)
            .param("before", utc(before))
            .param("bound", utc(bound))
            .param("level", level)
            .query(
                (row, number) -> new Chunk(instant(row, "range_start"), instant(row, "range_end")))
            .list();
    for (Chunk chunk : old) {
      chunks +=
          jdbc.sql(DROP_CHUNK)
              .param("table", table)
              .param("from", utc(chunk.from))
              .param("to", utc(chunk.to))
              .query(String.class)
              .list()
              .size();
    }
  }

  private void deleteRows(String table, String level, Instant before, Instant bound) {
    Instant from = oldest(table, Instant.EPOCH, before);
    while (from != null && !progress.cancelled()) {
      Instant hour = from.truncatedTo(ChronoUnit.HOURS).plus(Duration.ofHours(1));
      Instant to = hour.isBefore(before) ? hour : before;
      int gone =
          jdbc.sql(DELETE_HOUR.formatted(table, notes))
              .param("from", utc(from))
              .param("to", utc(to))
              .param("bound", utc(bound))
              .param("level", level)
              .update();
      rows += gone;
      progress.done(rows);
      // A full hour is mostly followed by another; looking for the next row reads all that is left.
      from = gone > 0 && to.isBefore(before) ? to : oldest(table, to, before);
    }
  }

  /** Finds the oldest row of {@code [from, before)}; null = there is none. */
  public @Nullable Instant oldest(String table, Instant from, Instant before) {
    return jdbc.sql(OLDEST.formatted(table))
        .param("from", utc(from))
        .param("before", utc(before))
        .query(OffsetDateTime.class)
        .optional()
        .map(OffsetDateTime::toInstant)
        .orElse(null);
  }
}
