package io.peerlens.flow;

import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * Removes sums by minute that are too old: whole chunks of a hypertable, else hour by hour. Nothing
 * goes before it is rolled up, nor while a bucket that it belongs to waits to be rolled up again.
 */
final class FlowRetentionStore {

  private static final String ROLLED_UNTIL =
      "select coalesce(rolled_until, 'epoch') from flow_level_state where level = '5m'";
  private static final String MOVE_KEPT_FROM =
      "update flow_level_state set kept_from = :before where level = '1m' and kept_from < :before";
  private static final String HYPERTABLES =
      "select exists (select from pg_extension where extname = 'timescaledb')";
  private static final String CHUNKS =
      """
      select range_start, range_end from timescaledb_information.chunks c
      where hypertable_schema = current_schema() and hypertable_name = 'flow_part'
        and range_end <= :before
        and not exists (
          select from flow_dirty d
          where d.level = '5m' and d.bucket >= c.range_start and d.bucket < c.range_end)
      order by range_start
      """;
  private static final String DROP_CHUNK =
      """
      select drop_chunks('flow_part'::regclass, older_than => :to::timestamptz, newer_than => :from::timestamptz)
      """;
  private static final String OLDEST =
      """
      select min(time) from flow_part where time >= :from and time < :before having min(time) is not null
      """;
  private static final String DELETE_HOUR =
      """
      delete from flow_part where time >= :from and time < :to and not exists (
        select from flow_dirty
        where level = '5m' and bucket >= date_trunc('hour', :from::timestamptz, 'UTC') and bucket < :to)
      """;

  private static final String FORGET_REPLAYED =
      "delete from flow_replayed where counted_at < :before";

  /** Dead letters do not live as long. */
  private static final Duration REPLAYED = Duration.ofDays(60);

  private final JdbcClient jdbc;
  private final Duration keep;

  /**
   * @param keep how long sums by minute are kept
   */
  FlowRetentionStore(JdbcClient jdbc, Duration keep) {
    this.jdbc = jdbc;
    this.keep = keep;
  }

  /** Removes what is too old at {@code now}; the number of chunks or rows that went. */
  long run(Instant now) {
    Instant before = now.minus(keep).truncatedTo(ChronoUnit.HOURS);
    Instant rolled =
        jdbc.sql(ROLLED_UNTIL)
            .query(OffsetDateTime.class)
            .single()
            .toInstant()
            .truncatedTo(ChronoUnit.HOURS);
    Instant safe = rolled.isBefore(before) ? rolled : before;
    jdbc.sql(FORGET_REPLAYED).param("before", utc(now.minus(REPLAYED))).update();
    jdbc.sql(MOVE_KEPT_FROM).param("before", utc(safe)).update();
    return jdbc.sql(HYPERTABLES).query(Boolean.class).single() ? dropChunks(safe) : delete(safe);
  }

  private record Chunk(OffsetDateTime from, OffsetDateTime to) {}

  private long dropChunks(Instant before) {
    long dropped = 0;
    for (Chunk chunk :
        jdbc.sql(CHUNKS)
            .param("before", utc(before))
            .query(
                (row, number) ->
                    new Chunk(
                        row.getObject(1, OffsetDateTime.class),
                        row.getObject(2, OffsetDateTime.class)))
            .list()) {
      dropped +=
          jdbc.sql(DROP_CHUNK)
              .param("from", chunk.from)
              .param("to", chunk.to)
              .query(String.class)
              .list()
              .size();
    }
    return dropped;
  }

  private long delete(Instant before) {
    long deleted = 0;
    Instant from = oldest(Instant.EPOCH, before);
    while (from != null) {
      Instant hour = from.truncatedTo(ChronoUnit.HOURS).plus(Duration.ofHours(1));
      Instant to = hour.isBefore(before) ? hour : before;
      deleted += jdbc.sql(DELETE_HOUR).param("from", utc(from)).param("to", utc(to)).update();
      from = oldest(to, before);
    }
    return deleted;
  }

  private @Nullable Instant oldest(Instant from, Instant before) {
    return jdbc.sql(OLDEST)
        .param("from", utc(from))
        .param("before", utc(before))
        .query(OffsetDateTime.class)
        .optional()
        .map(OffsetDateTime::toInstant)
        .orElse(null);
  }

  private static OffsetDateTime utc(Instant instant) {
    return instant.atOffset(ZoneOffset.UTC);
  }
}
