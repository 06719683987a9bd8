package io.peerlens.alert;

import io.peerlens.api.model.AlertCount;
import io.peerlens.api.model.AlertCounts;
import io.peerlens.api.model.AlertFeature;
import io.peerlens.web.PageQueries;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Counts of alerts. */
final class AlertCountQueries {

  private static final int MOST = 1000;

  private static final String MATCHING =
      """
      with recursive matching as (
        select a.id, a.definition_id, a.definition_name, a.object_id, a.impact, a.severity, a.control_state, a.owner,
          a.opened_at, a.canceled_at, o.uuid, o.name, o.object_kind
        from alert a join object o on o.id = a.object_id where %s)
      """;

  private static final String BY =
      """
      select %s as key, max(%s) as label, count(*) as count, max(severity) as worst
      from matching m group by 1 order by count desc, worst desc, label limit 1000
      """;

  /** The nearest cluster above each object; of several as near, the first by name. */
  private static final String BY_CLUSTER =
      """
      , up(start, id, distance) as (
        select distinct object_id, object_id, 0 from matching
        union
        select u.start, r.parent_id, u.distance + 1 from up u join relation r on r.child_id = u.id where u.distance < 12),
      nearest as (
        select distinct on (u.start) u.start, o.uuid, o.name
        from up u join object o on o.id = u.id and o.object_kind like '%Cluster%'
        order by u.start, u.distance, o.name, o.id)
      select coalesce(n.uuid::text, 'none') as key, coalesce(max(n.name), 'no cluster') as label, count(*) as count,
        max(m.severity) as worst
      from matching m left join nearest n on n.start = m.object_id
      group by 1 order by count desc, worst desc, label limit 1000
      """;

  private static final String BY_HOUR =
      """
      select to_char(h at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') as key,
        to_char(h at time zone 'UTC', 'HH24:MI') as label, count(*) as count, max(severity) as worst
      from generate_series(date_trunc('hour', :from::timestamptz), :to::timestamptz - interval '1 microsecond',
                           interval '1 hour') h
      join matching m on m.opened_at < h + interval '1 hour' and (m.canceled_at is null or m.canceled_at > h)
      group by h order by h
      """;

  private final JdbcClient jdbc;

  AlertCountQueries(JdbcClient jdbc) {
    this.jdbc = jdbc;
  }

  /** Alerts that match, by a feature. */
  AlertCounts count(AlertFilter filter, AlertFeature by) {
    PageQueries.Where where = filter.where();
    String matching = MATCHING.formatted(where.sql());
    Map<String, Object> parameters = new HashMap<>(where.parameters());
    long total =
        jdbc.sql(matching + "select count(*) from matching")
            .params(parameters)
            .query(Long.class)
            .single();
    List<AlertCount> counts =
        jdbc.sql(matching + select(by))
            .params(parameters)
            .query(
                (row, number) ->
                    new AlertCount(
                        row.getString("key"),
                        row.getString("label"),
                        row.getLong("count"),
                        AlertQueries.severity(row.getInt("worst"))))
            .list();
    return new AlertCounts(counts.stream().limit(MOST).toList(), total);
  }

  private static String select(AlertFeature by) {
    return switch (by) {
      case SEVERITY -> BY.formatted(word("severity"), word("severity"));
      case IMPACT -> BY.formatted("impact", "impact");
      case CONTROL_STATE -> BY.formatted("control_state", "control_state");
      case DEFINITION -> BY.formatted("definition_id::text", "definition_name");
      case OBJECT -> BY.formatted("uuid::text", "name");
      case OWNER -> BY.formatted("coalesce(owner, 'nobody')", "coalesce(owner, 'nobody')");
      case OBJECT_KIND -> BY.formatted("object_kind", "object_kind");
      case CLUSTER -> BY_CLUSTER;
      case HOUR -> BY_HOUR;
    };
  }

  private static String word(String column) {
    return "(array['information', 'warning', 'immediate', 'critical'])[" + column + "]";
  }
}
