package io.peerlens.samples;

import static io.peerlens.database.Times.utc;

import io.peerlens.ingest.sender.SenderCounters;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.springframework.jdbc.core.simple.JdbcClient;
import tools.jackson.databind.json.JsonMapper;

/**
 * Store of what the senders of this node sent. Each node has rows of its own, so nodes do not wait
 * for each other.
 */
final class SenderStore {

  private static final Duration KEEP = Duration.ofDays(7);
  private static final Duration KEEP_RATES = Duration.ofHours(7);

  private static final String SENDERS =
      """
      insert into sender as s (kind, name, node, plugins, first_at, last_at, newest_at, offset_ms,
                               gaps, objects)
      select r.kind, r.name, :node, r.plugins, r."firstAt", r."lastAt", r."newestAt",
             case when :clocks then r."offsetMillis" end, '{}', r.objects
      from jsonb_to_recordset(:reports::jsonb) as r (kind text, name text, plugins text[],
        "firstAt" timestamptz, "lastAt" timestamptz, "newestAt" timestamptz,
        "offsetMillis" bigint, objects bigint)
      on conflict (kind, name, node) do update
      set plugins = excluded.plugins,
          gaps = case when excluded.first_at > s.last_at + interval '1 second'
            then (array_prepend((extract(epoch from excluded.first_at - s.last_at) * 1000)::bigint,
                                s.gaps))[1 : 5]
            else s.gaps end,
          last_at = greatest(s.last_at, excluded.last_at), newest_at = excluded.newest_at,
          offset_ms = coalesce(excluded.offset_ms, s.offset_ms), objects = excluded.objects
      """;

  private static final String RATES =
      """
      insert into sender_rate as s (kind, name, node, bucket, lines)
      select r.kind, r.name, :node, date_bin('5 minutes', r."lastAt", to_timestamp(0)), r.lines
      from jsonb_to_recordset(:reports::jsonb) as r (kind text, name text, "lastAt" timestamptz,
        lines bigint)
      on conflict (kind, name, node, bucket) do update set lines = s.lines + excluded.lines
      """;

  private final JdbcClient jdbc;
  private final String node;

  /** A row of both statements. */
  private record Row(
      String kind,
      String name,
      List<String> plugins,
      long lines,
      String firstAt,
      String lastAt,
      String newestAt,
      long offsetMillis,
      int objects) {}

  SenderStore(JdbcClient jdbc, String node) {
    this.jdbc = jdbc;
    this.node = node;
  }

  /**
   * Adds what came.
   *
   * @param clocks whether what was read had just come, so that its times tell of clocks
   */
  void store(List<SenderCounters.Report> reports, boolean clocks) {
    if (reports.isEmpty()) {
      return;
    }
    String rows =
        JsonMapper.shared().writeValueAsString(reports.stream().map(SenderStore::row).toList());
    jdbc.sql(SENDERS).param("node", node).param("clocks", clocks).param("reports", rows).update();
    jdbc.sql(RATES).param("node", node).param("reports", rows).update();
  }

  private static Row row(SenderCounters.Report report) {
    return new Row(
        report.sender().kind().label(),
        report.sender().name(),
        report.plugins(),
        report.lines(),
        Instant.ofEpochMilli(report.firstMillis()).toString(),
        Instant.ofEpochMilli(report.lastMillis()).toString(),
        Instant.ofEpochMilli(report.newestMicros() / 1_000).toString(),
        report.offsetMillis(),
        report.objects());
  }

  /** Forgets who has sent nothing for a week, and what was sent long ago. */
  void forget(Instant now) {
    jdbc.sql("delete from sender where last_at < :before")
        .param("before", utc(now.minus(KEEP)))
        .update();
    jdbc.sql("delete from sender_rate where bucket < :before")
        .param("before", utc(now.minus(KEEP_RATES)))
        .update();
  }
}
