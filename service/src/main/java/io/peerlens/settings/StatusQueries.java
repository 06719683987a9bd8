package io.peerlens.settings;

import io.peerlens.api.model.DatabaseEdition;
import io.peerlens.api.model.DatabaseStatus;
import io.peerlens.api.model.IngestTotals;
import java.math.BigDecimal;
import java.sql.Timestamp;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Reads what the database is, and ingest in brief from what the nodes reported to it. */
final class StatusQueries {

  /** A node that has not reported for this long no longer counts for the lag. */
  private static final Duration NODE_GONE = Duration.ofSeconds(30);

  private static final String DATABASE =
      """
      select current_setting('server_version') as version,
             (select extversion from pg_extension where extname = 'timescaledb') as timescale,
             current_setting('timescaledb.license', true) as licence,
             pg_database_size(current_database()) as size
      """;

  private static final String COLUMNSTORE =
      "select coalesce(bool_or(compression_enabled), false) from timescaledb_information.hypertables";

  /** Rates are over the ten-second reports that fall wholly into the last minute and a bit. */
  private static final String TOTALS =
      """
      with minute as (
        select coalesce(sum(points), 0) as points, coalesce(sum(rows), 0) as rows,
               coalesce(sum(records), 0) as records
        from ingest_rate where time > :now::timestamptz - interval '60 s'),
      waiting as (
        select sum((p ->> 'lag')::bigint) as lag
        from ingest_node n cross join lateral jsonb_array_elements(n.partitions) p
        where n.updated_at > :gone),
      rejections as (
        select coalesce(sum(count), 0) as total from ingest_rejected),
      rejected_hour as (
        select coalesce(sum(count), 0) as total
        from ingest_rejected where node <> '' and minute > :now::timestamptz - interval '1 h')
      select m.points, m.rows, m.records, w.lag, r.total as rejected, h.total as rejected_hour,
             (select max(last_seen) from object_liveness) as newest
      from minute m, waiting w, rejections r, rejected_hour h
      """;

  private final JdbcClient jdbc;

  StatusQueries(JdbcClient jdbc) {
    this.jdbc = jdbc;
  }

  DatabaseStatus database() {
    DatabaseStatus status =
        jdbc.sql(DATABASE)
            .query(
                (row, number) -> {
                  @Nullable String timescale = row.getString("timescale");
                  @Nullable String licence = row.getString("licence");
                  DatabaseEdition edition =
                      timescale == null
                          ? DatabaseEdition.POSTGRESQL
                          : "timescale".equals(licence)
                              ? DatabaseEdition.TIMESCALEDB_COMMUNITY
                              : DatabaseEdition.TIMESCALEDB_APACHE;
                  return new DatabaseStatus(
                      edition,
                      row.getString("version").replaceFirst(" .*", ""),
                      timescale,
                      timescale == null ? null : licence,
                      false,
                      row.getLong("size"));
                })
            .single();
    if (status.getEdition() == DatabaseEdition.TIMESCALEDB_COMMUNITY) {
      status.columnstore(jdbc.sql(COLUMNSTORE).query(Boolean.class).single());
    }
    return status;
  }

  IngestTotals ingest(Instant now) {
    return jdbc.sql(TOTALS)
        .param("now", now.atOffset(ZoneOffset.UTC))
        .param("gone", now.minus(NODE_GONE).atOffset(ZoneOffset.UTC))
        .query(
            (row, number) -> {
              Timestamp newest = row.getTimestamp("newest");
              @Nullable Long lag =
                  row.getObject("lag", BigDecimal.class) == null ? null : row.getLong("lag");
              return new IngestTotals(
                  row.getLong("points") / 60.0,
                  row.getLong("rows") / 60.0,
                  row.getLong("records") / 60.0,
                  lag,
                  newest == null ? null : newest.toInstant(),
                  newest == null
                      ? null
                      : Duration.between(newest.toInstant(), now).toMillis() / 1000.0,
                  row.getLong("rejected_hour"),
                  row.getLong("rejected"));
            })
        .single();
  }
}
