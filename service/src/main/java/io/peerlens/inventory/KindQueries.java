package io.peerlens.inventory;

import io.peerlens.api.model.KeySource;
import io.peerlens.api.model.KindKey;
import io.peerlens.api.model.KindMetric;
import io.peerlens.api.model.KindValue;
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

  /**
   * Results of super metrics are metrics of the group {@code Super Metric}; one that has no values
   * yet is known from its assignment. Metrics of a deleted one are left out.
   */
  private static final String KEYS =
      """
      with groups as (
        select g.id, g.name, g.metrics, g.units,
               (select count(distinct s.object_id) from metric_set s where s.group_id = g.id) as objects,
               exists (select from metric_set s where s.group_id = g.id and s.instance <> '') as instanced
        from metric_group g
        where g.adapter_kind = :adapterKind and g.object_kind = :objectKind),
      metrics as (
        select g.name || '|' || p.metric as key, 'metric' as source, null::text as name, p.unit, g.objects, g.instanced
        from groups g cross join lateral unnest(g.metrics, g.units) as p(metric, unit)
        where g.name <> 'Super Metric'),
      properties as (
        select k.key, 'property', null::text, null::text, count(*), false
        from object o cross join lateral jsonb_object_keys(o.properties) as k(key)
        where o.adapter_kind = :adapterKind and o.object_kind = :objectKind
        group by k.key),
      super_metrics as (
        select 'Super Metric|sm_' || m.id, 'super-metric', m.name, g.unit, coalesce(g.objects, 0), false
        from super_metric m
        left join (
          select p.metric, p.unit, g.objects
          from groups g cross join lateral unnest(g.metrics, g.units) as p(metric, unit)
          where g.name = 'Super Metric') g on g.metric = 'sm_' || m.id
        where g.metric is not null
           or exists (
             select from json_array_elements(m.kinds) k
             where k ->> 'adapterKindKey' = :adapterKind and k ->> 'resourceKindKey' = :objectKind))
      select * from (
        select * from metrics union all select * from properties union all select * from super_metrics) all_keys
      where strpos(lower(key), lower(:q)) > 0 or strpos(lower(name), lower(:q)) > 0
      order by objects desc, key collate "C"
      limit :limit
      """;

  private static final String VALUES =
      """
      select value, count(*) as objects
      from (
        select o.properties ->> :key as value
        from object o
        where o.adapter_kind = :adapterKind and o.object_kind = :objectKind and jsonb_exists(o.properties, :key)) v
      where strpos(lower(value), lower(:q)) > 0
      group by value
      order by objects desc, value collate "C"
      limit :limit
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

  /**
   * Keys of a kind, those that most objects have first.
   *
   * @param text that they hold; empty = all
   */
  List<KindKey> keys(String adapterKind, String objectKind, String text, int limit) {
    return jdbc.sql(KEYS)
        .param("adapterKind", adapterKind)
        .param("objectKind", objectKind)
        .param("q", text)
        .param("limit", limit)
        .query(
            (row, number) ->
                new KindKey(
                    row.getString("key"),
                    KeySource.fromValue(row.getString("source")),
                    row.getString("name"),
                    row.getString("unit"),
                    row.getLong("objects"),
                    row.getBoolean("instanced")))
        .list();
  }

  /**
   * Values of a property, the most frequent first.
   *
   * @param text that they hold; empty = all
   */
  List<KindValue> values(
      String adapterKind, String objectKind, String key, String text, int limit) {
    return jdbc.sql(VALUES)
        .param("adapterKind", adapterKind)
        .param("objectKind", objectKind)
        .param("key", key)
        .param("q", text)
        .param("limit", limit)
        .query((row, number) -> new KindValue(row.getString("value"), row.getLong("objects")))
        .list();
  }
}
