package io.peerlens.alert;

import io.peerlens.ingest.key.MetricKey;
import io.peerlens.inventory.ChangeQueries;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.springframework.jdbc.core.simple.JdbcClient;
import tools.jackson.databind.json.JsonMapper;

/**
 * Surroundings of alerts that a shard does not know itself: changes of objects, and symptoms that
 * other shards have found. One query for all alerts of a tick.
 */
final class NearbyQueries {

  private static final int MOST = 20_000;

  /** What an installation sees at first is new to it, not to its objects, and explains nothing. */
  private static final String NEARBY =
      """
      with near as (
        select * from unnest(:objects::int[], :froms::text[]::timestamptz[], :tos::text[]::timestamptz[]) as n(object_id, begin, until))
      (select c.object_id, 'change' as what, jsonb_build_object(
          'object', c.object_id, 'time', c.time, 'kind', c.kind, 'key', c.key, 'before', c.old_value, 'after', c.new_value,
          'author', (select r.author from recorded_change r where r.change_id = c.id))
      from near n join object_change c on c.object_id = n.object_id and c.time >= n.begin and c.time <= n.until
        and c.kind <> 'reporting'
        and not (c.kind = 'new' and c.time < (select min(time) from object_change where kind = 'new') + interval '15 minutes')
      """
          + ChangeQueries.ONCE
          + """
      order by c.time desc, c.id desc limit :most)
      union all
      (select s.object_id, 'symptom', jsonb_build_object(
          'threshold', s.threshold_id, 'name', t.name, 'object', s.object_id, 'instance', s.instance,
          'key', t.definition -> 'condition' ->> 'key',
          'operator', coalesce(t.definition -> 'condition' ->> 'operator', 'no-data')
            || case when t.definition #>> '{condition,levels,0,bound,type}' = 'learned' then '-usual' else '' end,
          'severity', s.severity, 'value', s.value, 'text', s.text, 'bound', s.bound, 'upper', s.upper, 'since', s.since,
          'unknown', s.unknown)
      from (select distinct object_id from near) n
      join symptom s on s.object_id = n.object_id and s.severity > 0 and s.threshold_id <> all (:known)
      join threshold t on t.id = s.threshold_id
      order by s.severity desc limit :most)
      """;

  private final JdbcClient jdbc;

  NearbyQueries(JdbcClient jdbc) {
    this.jdbc = jdbc;
  }

  /** A stretch of time in the life of an object, both ends included. */
  record Window(int object, Instant from, Instant to) {}

  /** By object; changes newest first. */
  record Found(
      Map<Integer, Set<StoredChange>> changes, Map<Integer, List<StoredMember>> symptoms) {}

  /**
   * What there is on some objects.
   *
   * @param windows where changes are looked for
   * @param known thresholds whose symptoms are known already
   */
  Found of(Collection<Window> windows, Collection<UUID> known) {
    // One that lies in the windows of several alerts comes several times.
    Map<Integer, Set<StoredChange>> changes = new HashMap<>();
    Map<Integer, List<StoredMember>> symptoms = new HashMap<>();
    jdbc.sql(NEARBY)
        .param("objects", windows.stream().map(Window::object).toArray(Integer[]::new))
        .param("froms", windows.stream().map(one -> one.from().toString()).toArray(String[]::new))
        .param("tos", windows.stream().map(one -> one.to().toString()).toArray(String[]::new))
        .param("known", known.toArray(UUID[]::new))
        .param("most", MOST)
        .query(
            row -> {
              int object = row.getInt(1);
              if (row.getString(2).equals("change")) {
                changes
                    .computeIfAbsent(object, id -> new LinkedHashSet<>())
                    .add(JsonMapper.shared().readValue(row.getString(3), StoredChange.class));
              } else {
                symptoms
                    .computeIfAbsent(object, id -> new ArrayList<>())
                    .add(
                        withInstance(
                            JsonMapper.shared().readValue(row.getString(3), StoredMember.class)));
              }
            });
    return new Found(changes, symptoms);
  }

  /** The table names an instance by its whole key. */
  private static StoredMember withInstance(StoredMember stored) {
    return stored.instance().isEmpty()
        ? stored
        : stored.of(MetricKey.parse(stored.instance()).instance(), stored.instance());
  }
}
