package io.peerlens.notify.render;

import static io.peerlens.database.Times.instant;
import static io.peerlens.database.Times.instantOrNull;
import static io.peerlens.database.Times.utc;

import io.peerlens.ingest.key.MetricKey;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Data of charts: one statement for the alert, one for its series. */
final class ChartQueries {

  private static final String ALERT =
      """
      select a.source, a.definition_id, a.since, a.canceled_at, m.object, o.name, m.key, m.unit, m.operator, m.bound, m.upper
      from alert a
      cross join lateral (
        select (w ->> 'object')::int as object, w ->> 'key' as key, w ->> 'unit' as unit, w ->> 'operator' as operator,
          (w ->> 'bound')::float8 as bound, (w ->> 'upper')::float8 as upper
        from jsonb_array_elements(a.members) with ordinality as of(w, n)
        where w ->> 'key' is not null and w ->> 'text' is null order by n limit 1) m
      join object o on o.id = m.object
      where a.id = :id
      """;

  private static final String SERIES =
      """
      select floor(extract(epoch from s.time) / :step)::bigint * :step as at, avg(s.values[p.position]) as value
      from metric_set m
      join metric_group g on g.id = m.group_id and g.name = :group
      cross join lateral (select array_position(g.metrics, :metric) as position) p
      join sample s on s.set_id = m.id and s.time >= :from and s.time < :to
      where m.object_id = :object and m.instance = :instance and s.values[p.position] is not null
      group by 1 order by 1
      """;

  /** Arrays over metrics and members hold one metric after the other. */
  private static final String JUDGED =
      """
      select floor(extract(epoch from b.bucket) / :step)::bigint * :step as at,
        avg(nullif(b.values[(p.metric - 1) * cardinality(b.members) + p.member], 'NaN')) as value,
        avg(nullif(b.centre[p.metric], 'NaN')) as middle,
        min(nullif(b.lower[p.metric], 'NaN')) as low, max(nullif(b.upper[p.metric], 'NaN')) as high
      from outlier_bucket b
      cross join lateral (
        select array_position(b.metrics, :key) as metric, array_position(b.members, :object) as member) p
      where b.group_id = :id and b.bucket >= :from and b.bucket < :to and p.metric is not null
      group by 1 order by 1
      """;

  private final JdbcClient jdbc;

  ChartQueries(JdbcClient jdbc) {
    this.jdbc = jdbc;
  }

  /**
   * Subject of an alert: its worst member that has numbers.
   *
   * @param source threshold, alert-definition or outlier-group
   * @param definition the threshold, or the group of peers
   * @param unit empty = none
   * @param operator as in the contract, or outside
   * @param bound null = none
   * @param upper null = no range
   */
  record Subject(
      String source,
      UUID definition,
      Instant since,
      @Nullable Instant canceledAt,
      int object,
      String name,
      String key,
      String unit,
      String operator,
      @Nullable Double bound,
      @Nullable Double upper) {

    boolean isOfPeers() {
      return source.equals("outlier-group");
    }
  }

  /** A moment of a series; NaN = no value. */
  record Point(long at, double value, double middle, double low, double high) {}

  /** Empty = there is no such alert, or nothing in it has numbers. */
  Optional<Subject> subject(UUID alert) {
    return jdbc.sql(ALERT)
        .param("id", alert)
        .query(
            (row, number) ->
                new Subject(
                    row.getString("source"),
                    row.getObject("definition_id", UUID.class),
                    instant(row, "since"),
                    instantOrNull(row, "canceled_at"),
                    row.getInt("object"),
                    row.getString("name"),
                    row.getString("key"),
                    text(row, "unit"),
                    text(row, "operator"),
                    row.getObject("bound", Double.class),
                    row.getObject("upper", Double.class)))
        .optional();
  }

  /** Means of steps, those without a value left out. */
  List<Point> series(Subject subject, Instant from, Instant to, long stepSeconds) {
    MetricKey key = MetricKey.parse(subject.key());
    return jdbc.sql(SERIES)
        .param("object", subject.object())
        .param("group", key.group())
        .param("instance", key.instance())
        .param("metric", key.metric())
        .param("from", utc(from))
        .param("to", utc(to))
        .param("step", stepSeconds)
        .query(
            (row, number) ->
                new Point(
                    row.getLong("at"), row.getDouble("value"), Double.NaN, Double.NaN, Double.NaN))
        .list();
  }

  /** A member as its group was judged, with the middle and the band of its peers. */
  List<Point> judged(Subject subject, Instant from, Instant to, long stepSeconds) {
    return jdbc.sql(JUDGED)
        .param("id", subject.definition())
        .param("object", subject.object())
        .param("key", subject.key())
        .param("from", utc(from))
        .param("to", utc(to))
        .param("step", stepSeconds)
        .query(
            (row, number) ->
                new Point(
                    row.getLong("at"),
                    number(row, "value"),
                    number(row, "middle"),
                    number(row, "low"),
                    number(row, "high")))
        .list();
  }

  private static double number(ResultSet row, String column) throws SQLException {
    double number = row.getDouble(column);
    return row.wasNull() ? Double.NaN : number;
  }

  private static String text(ResultSet row, String column) throws SQLException {
    String text = row.getString(column);
    return text == null ? "" : text;
  }
}
