package io.peerlens.inventory;

import io.peerlens.api.model.ObjectMetric;
import io.peerlens.ingest.key.MetricKey;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Timestamp;
import java.sql.Types;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Metrics of an object, with units and newest values. */
final class ObjectMetricQueries {

  /**
   * A set need not have reported every metric of its group. What its newest row lacks is looked for
   * in the hours of the 30 days before: one read of at most 720 rows a set tells which metrics it
   * has, and in which hour to look for the newest value. Raw rows are searched only for the last 24
   * hours before that newest row, in such an hour and after the last one rolled up; searching a day
   * of them for every metric that a set never had took seconds. A set whose raw rows are all too
   * old to be kept has its hours still.
   */
  private static final String METRICS =
      """
      with newest as materialized (
        select s.id, s.instance, g.name, g.metrics, g.units, r.time, r.values, r.raw,
               cardinality(r.values) < cardinality(g.metrics)
                 or array_position(r.values, null) is not null as partial
        from metric_set s
        join metric_group g on g.id = s.group_id
        cross join lateral (
          (select time, values, true as raw from sample where set_id = s.id
           order by time desc limit 1)
          union all
          (select time, avg, false from sample_1h where set_id = s.id
           order by time desc limit 1)
          order by time desc, raw desc limit 1) r
        where s.object_id = :id and (:group::text is null or g.name = :group)),
      rolled as materialized (
        select n.id, u.position, max(h.time) as hour
        from newest n
        cross join lateral (
          select time, avg from sample_1h
          where set_id = n.id and time > n.time - interval '30 days' and time <= n.time) h
        cross join lateral unnest(h.avg) with ordinality as u(value, position)
        where n.partial and u.value is not null
        group by n.id, u.position)
      select n.name, n.instance, p.metric, p.unit, v.time, v.value
      from newest n
      cross join lateral unnest(n.metrics, n.units) with ordinality as p(metric, unit, position)
      left join rolled r on r.id = n.id and r.position = p.position
      left join lateral (
        select n.time, n.values[p.position] as value
        where n.raw and n.values[p.position] is not null
        union all
        (select time, values[p.position] from sample
         where n.values[p.position] is null and set_id = n.id
           and time > n.time - interval '24 hours'
           and time >= (select coalesce(rolled_until, '-infinity') from level_state
                        where level = '1h')
           and values[p.position] is not null
         order by time desc limit 1)
        union all
        (select time, values[p.position] from sample
         where n.values[p.position] is null and set_id = n.id
           and time > n.time - interval '24 hours'
           and time >= r.hour and time < r.hour + interval '1 hour'
           and values[p.position] is not null
         order by time desc limit 1)
        order by time desc limit 1) v on true
      where n.values[p.position] is not null or r.hour is not null or v.time is not null
      order by n.name collate "C", p.metric collate "C", n.instance collate "C"
      """;

  private final JdbcClient jdbc;
  private final InstantSource clock;

  ObjectMetricQueries(JdbcClient jdbc, InstantSource clock) {
    this.jdbc = jdbc;
    this.clock = clock;
  }

  /**
   * The metrics of an object, by group, metric and instance: those with a value in the 30 days
   * before the newest sample of their set.
   *
   * @param group null = all
   * @param newest whether to give newest values of the last 24 hours
   */
  List<ObjectMetric> metrics(int id, @Nullable String group, boolean newest) {
    Instant since = clock.instant().minus(Duration.ofHours(24));
    return jdbc.sql(METRICS)
        .param("id", id)
        .param("group", group, Types.VARCHAR)
        .query((row, number) -> metric(row, newest ? since : null))
        .list();
  }

  private static ObjectMetric metric(ResultSet row, @Nullable Instant newestSince)
      throws SQLException {
    String group = row.getString("name");
    String instance = row.getString("instance");
    String metric = row.getString("metric");
    ObjectMetric answer =
        new ObjectMetric(
            new MetricKey(group, instance, metric).toString(),
            group,
            instance.isEmpty() ? null : instance,
            metric,
            row.getString("unit"));
    Timestamp time = row.getTimestamp("time"); // null: known from roll-ups only
    if (newestSince != null && time != null && time.toInstant().isAfter(newestSince)) {
      answer.newestTime(time.toInstant()).newestValue(row.getDouble("value"));
    }
    return answer;
  }
}
