package io.peerlens.inventory;

import io.peerlens.api.model.KeySource;
import io.peerlens.api.model.KindKey;
import io.peerlens.api.model.KindMetric;
import io.peerlens.api.model.KindValue;
import io.peerlens.api.model.ObjectKind;
import java.sql.Timestamp;
import java.sql.Types;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Kinds of objects that exist, and what they report. */
final class KindQueries {

  private static final String KINDS =
      """
      select o.adapter_kind, o.object_kind, count(*) as objects,
             count(*) filter (where """
          + Liveness.FROM
          + """
             >= :now) as reporting,
             max(l.last_seen) as newest
      from object o left join object_liveness l on l.object_id = o.id
      where o.removed_at is null and (:adapterKind::text is null or o.adapter_kind = :adapterKind)
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
             exists (select 1 from seen s where (s.group_id, s.instanced, s.position) = (g.id, true, p.position))
               as instanced,
             exists (select 1 from seen s where (s.group_id, s.instanced, s.position) = (g.id, false, p.position))
               as aggregated,
             exists (select 1 from sets s where s.group_id = g.id and s.instanced) as group_instanced,
             exists (select 1 from sets s where s.group_id = g.id and not s.instanced) as group_aggregated
      from groups g
      cross join lateral unnest(g.metrics, g.units) with ordinality as p(metric, unit, position)
      order by g.name collate "C", p.metric collate "C"
      """;

  /**
   * Counts the objects of each group and property, which takes a second or two for 100,000 objects.
   */
  private static final String KEYS =
      """
      with groups as materialized (
        select g.id, g.name, g.metrics, g.units,
               (select count(distinct s.object_id) from metric_set s
                where s.group_id = g.id
                  and not exists (select from object o where o.id = s.object_id and o.removed_at is not null)) as objects,
               exists (select from metric_set s where s.group_id = g.id and s.instance <> '') as instanced
        from metric_group g
        where g.adapter_kind = :adapterKind and g.object_kind = :objectKind)
      select g.name || '|' || p.metric as key, g.name = 'Super Metric' as result, 'metric' as source, p.unit, g.objects,
             g.instanced
      from groups g cross join lateral unnest(g.metrics, g.units) as p(metric, unit)
      union all
      select k.key, false, 'property', null, count(*), false
      from object o cross join lateral jsonb_object_keys(o.properties) as k(key)
      where o.adapter_kind = :adapterKind and o.object_kind = :objectKind and o.removed_at is null
      group by k.key
      """;

  /** Those that are assigned to the kind, or have been. */
  private static final String SUPER_METRICS =
      """
      select 'Super Metric|sm_' || m.id as key, m.name
      from super_metric m
      where 'Super Metric|sm_' || m.id = any (:results)
         or exists (
           select from json_array_elements(m.kinds) k
           where k ->> 'adapterKindKey' = :adapterKind and k ->> 'resourceKindKey' = :objectKind)
      """;

  private static final String VALUES =
      """
      select value, count(*) as objects
      from (
        select o.properties ->> :key as value
        from object o
        where o.adapter_kind = :adapterKind and o.object_kind = :objectKind and o.removed_at is null
          and jsonb_exists(o.properties, :key)) v
      where strpos(lower(value), lower(:q)) > 0
      group by value
      order by objects desc, value collate "C"
      limit :limit
      """;

  private static final Duration COUNTS_HOLD = Duration.ofMinutes(1);

  private final JdbcClient jdbc;
  private final Liveness silence;
  private final InstantSource clock;
  private final Map<List<String>, Counted> counted = new ConcurrentHashMap<>();

  KindQueries(JdbcClient jdbc, Liveness silence, InstantSource clock) {
    this.jdbc = jdbc;
    this.silence = silence;
    this.clock = clock;
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
   * A key with how many objects have it.
   *
   * @param result whether it is the result of a super metric
   */
  private record CountedKey(KindKey key, boolean result) {}

  private record Counted(List<CountedKey> keys, Instant at) {}

  /**
   * Keys of a kind, those that most objects have first. Counts may be a minute old.
   *
   * @param text that they hold; empty = all
   */
  List<KindKey> keys(String adapterKind, String objectKind, String text, int limit) {
    Map<String, KindKey> results = new HashMap<>();
    List<KindKey> keys = new ArrayList<>();
    for (CountedKey counted : counted(adapterKind, objectKind)) {
      if (counted.result()) {
        results.put(counted.key().getKey(), counted.key());
      } else {
        keys.add(counted.key());
      }
    }
    // A super metric that has no values yet is known from its assignment; results of a deleted one
    // are left out.
    jdbc.sql(SUPER_METRICS)
        .param("adapterKind", adapterKind)
        .param("objectKind", objectKind)
        .param("results", results.keySet().toArray(String[]::new))
        .query(
            row -> {
              String key = row.getString("key");
              KindKey result = results.get(key);
              keys.add(
                  new KindKey(
                      key,
                      KeySource.SUPER_METRIC,
                      row.getString("name"),
                      result == null ? null : result.getUnit(),
                      result == null ? 0L : result.getObjects(),
                      false));
            });
    String wanted = text.toLowerCase(Locale.ROOT);
    return keys.stream()
        .filter(
            key ->
                holds(key.getKey(), wanted)
                    || (key.getName() != null && holds(key.getName(), wanted)))
        .sorted(Comparator.comparing(KindKey::getObjects).reversed().thenComparing(KindKey::getKey))
        .limit(limit)
        .toList();
  }

  private static boolean holds(String text, String wanted) {
    return text.toLowerCase(Locale.ROOT).contains(wanted);
  }

  private List<CountedKey> counted(String adapterKind, String objectKind) {
    Instant now = clock.instant();
    counted.values().removeIf(old -> old.at().plus(COUNTS_HOLD).isBefore(now));
    return counted
        .computeIfAbsent(
            List.of(adapterKind, objectKind),
            kind -> new Counted(count(adapterKind, objectKind), now))
        .keys();
  }

  private List<CountedKey> count(String adapterKind, String objectKind) {
    return jdbc.sql(KEYS)
        .param("adapterKind", adapterKind)
        .param("objectKind", objectKind)
        .query(
            (row, number) ->
                new CountedKey(
                    new KindKey(
                        row.getString("key"),
                        KeySource.fromValue(row.getString("source")),
                        null,
                        row.getString("unit"),
                        row.getLong("objects"),
                        row.getBoolean("instanced")),
                    row.getBoolean("result")))
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
