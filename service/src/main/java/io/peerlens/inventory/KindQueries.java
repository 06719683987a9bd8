package io.peerlens.inventory;

import io.peerlens.api.model.KindMetric;
import io.peerlens.api.model.ObjectKind;
import java.sql.Timestamp;
import java.sql.Types;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Reads which kinds of objects exist and what they report. */
final class KindQueries {

  private static final String KINDS =
      """
      select o.adapter_kind, o.object_kind, count(*) as objects,
             count(*) filter (where """
          + Silence.FROM
          + """
             >= :now) as reporting,
             max(l.last_seen) as newest
      from object o left join object_liveness l on l.object_id = o.id
      where :adapterKind::text is null or o.adapter_kind = :adapterKind
      group by o.adapter_kind, o.object_kind
      order by o.adapter_kind collate "C", o.object_kind collate "C"
      """;

  private static final String EXISTS =
      """
      select exists (select from object where adapter_kind = :adapterKind and object_kind = :objectKind)
      """;

  /**
   * Whether a metric comes with or without instances is seen from the newest sample of up to 50
   * sets each way; a metric that none of them has goes by its group.
   */
  private static final String METRICS =
      """
      with groups as (
        select id, name, metrics, units from metric_group
        where adapter_kind = :adapterKind and object_kind = :objectKind),
      sets as (
        select g.id as group_id, w.instanced, s.id
        from groups g
        cross join (values (false), (true)) as w(instanced)
        cross join lateral (
          select m.id from metric_set m
          where m.group_id = g.id and (m.instance <> '') = w.instanced
          order by m.id desc limit 50) s),
      seen as (
        select t.group_id, t.instanced, v.position
        from sets t
        cross join lateral (
          select values from sample where set_id = t.id order by time desc limit 1) newest
        cross join lateral unnest(newest.values) with ordinality as v(value, position)
        where v.value is not null
        group by t.group_id, t.instanced, v.position)
      select g.name, p.metric, p.unit,
             exists (select from seen s where (s.group_id, s.instanced, s.position) = (g.id, true, p.position))
               as instanced,
             exists (select from seen s where (s.group_id, s.instanced, s.position) = (g.id, false, p.position))
               as aggregated,
             exists (select from sets s where s.group_id = g.id and s.instanced) as group_instanced,
             exists (select from sets s where s.group_id = g.id and not s.instanced) as group_aggregated
      from groups g
      cross join lateral unnest(g.metrics, g.units) with ordinality as p(metric, unit, position)
      order by g.name collate "C", p.metric collate "C"
      """;

  private final JdbcClient jdbc;
  private final Silence silence;

  KindQueries(JdbcClient jdbc, Silence silence) {
    this.jdbc = jdbc;
    this.silence = silence;
  }

  /** The object kinds of an adapter kind, or of all of them when it is null. */
  List<ObjectKind> kinds(@Nullable String adapterKind) {
    return jdbc.sql(KINDS)
        .params(silence.parameters())
        .param("adapterKind", adapterKind, Types.VARCHAR)
        .query(
            (row, number) -> {
              long objects = row.getLong("objects");
              long reporting = row.getLong("reporting");
              Timestamp newest = row.getTimestamp("newest");
              return new ObjectKind(
                  row.getString("adapter_kind"),
                  row.getString("object_kind"),
                  objects,
                  reporting,
                  objects - reporting,
                  newest == null ? null : newest.toInstant());
            })
        .list();
  }

  boolean exists(String adapterKind, String objectKind) {
    return jdbc.sql(EXISTS)
        .param("adapterKind", adapterKind)
        .param("objectKind", objectKind)
        .query(Boolean.class)
        .single();
  }

  List<KindMetric> metrics(String adapterKind, String objectKind) {
    return jdbc.sql(METRICS)
        .param("adapterKind", adapterKind)
        .param("objectKind", objectKind)
        .query(
            (row, number) -> {
              String group = row.getString("name");
              String metric = row.getString("metric");
              boolean instanced = row.getBoolean("instanced");
              boolean aggregated = row.getBoolean("aggregated");
              boolean seen = instanced || aggregated;
              return new KindMetric(
                  group + "|" + metric,
                  group,
                  metric,
                  row.getString("unit"),
                  seen ? instanced : row.getBoolean("group_instanced"),
                  seen ? aggregated : row.getBoolean("group_aggregated"));
            })
        .list();
  }
}
