package io.peerlens.dashboard;

import io.peerlens.supermetrics.formula.Keys;
import io.peerlens.supermetrics.formula.ObjectKind;
import java.time.Duration;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * Counts of objects, and of those that have a property or report a metric today. One question for
 * each kind answers for all its keys. Thread-safe.
 */
final class KeyQueries {

  /** What has reported nothing for so long has no data today. */
  private static final Duration TODAY = Duration.ofDays(1);

  private static final String OBJECTS =
      """
      select count(*) from object
      where adapter_kind = :adapter and object_kind = :kind and removed_at is null
      """;

  /** By groups: a metric counts as reported by the objects that report its group. */
  private static final String METRICS =
      """
      select g.name || '|' || p.metric as key, g.objects
      from (
        select m.name, m.metrics,
               (select count(distinct s.object_id)
                from metric_set s
                join object o on o.id = s.object_id and o.removed_at is null
                join object_liveness l on l.object_id = o.id and l.last_seen >= :since
                where s.group_id = m.id) as objects
        from metric_group m
        where m.adapter_kind = :adapter and m.object_kind = :kind) g
      cross join lateral unnest(g.metrics) as p(metric)
      """;

  private static final String PROPERTIES =
      """
      select k.key, count(*) as objects
      from object o cross join lateral jsonb_object_keys(o.properties) as k(key)
      where o.adapter_kind = :adapter and o.object_kind = :kind and o.removed_at is null
      group by k.key
      """;

  private static final String NAMES =
      """
      select distinct name from object
      where adapter_kind = :adapter and object_kind = :kind and removed_at is null
      order by name limit :limit
      """;

  private static final String NAMED =
      """
      select uuid from object
      where adapter_kind = :adapter and object_kind = :kind and name = :name and removed_at is null
      order by uuid limit 1
      """;

  private static final String NAMES_OF = "select uuid, name from object where uuid = any (:ids)";

  private static final String GROUPS = "select name from object_group order by name limit 1000";

  private final JdbcClient jdbc;
  private final InstantSource clock;

  KeyQueries(JdbcClient jdbc, InstantSource clock) {
    this.jdbc = jdbc;
    this.clock = clock;
  }

  /**
   * What objects of a kind have.
   *
   * @param objects how many there are
   * @param metrics how many of them report each key today; keys are without instances
   * @param properties how many of them have each property
   */
  record Had(int objects, Map<String, Integer> metrics, Map<String, Integer> properties) {
    static final Had NOTHING = new Had(0, Map.of(), Map.of());
  }

  Had of(ObjectKind kind) {
    int objects = bound(OBJECTS, kind).query(Integer.class).single();
    if (objects == 0) {
      return Had.NOTHING;
    }
    Map<String, Integer> metrics = new HashMap<>();
    bound(METRICS, kind)
        .param("since", clock.instant().minus(TODAY).atOffset(ZoneOffset.UTC))
        .query(
            row -> {
              metrics.put(row.getString("key"), row.getInt("objects"));
            });
    Map<String, Integer> properties = new HashMap<>();
    bound(PROPERTIES, kind)
        .query(
            row -> {
              properties.merge(
                  Keys.withoutInstances(row.getString("key")), row.getInt("objects"), Math::max);
            });
    return new Had(objects, metrics, properties);
  }

  List<String> names(ObjectKind kind, int limit) {
    return bound(NAMES, kind).param("limit", limit).query((row, number) -> row.getString(1)).list();
  }

  Optional<UUID> named(ObjectKind kind, String name) {
    return bound(NAMED, kind).param("name", name).query(UUID.class).optional();
  }

  /** Names of objects by their ids. */
  Map<UUID, String> names(Collection<UUID> ids) {
    Map<UUID, String> names = new HashMap<>();
    jdbc.sql(NAMES_OF)
        .param("ids", ids.toArray(UUID[]::new))
        .query(
            row -> {
              names.put(row.getObject("uuid", UUID.class), row.getString("name"));
            });
    return names;
  }

  List<String> groups() {
    return jdbc.sql(GROUPS).query((row, number) -> row.getString(1)).list();
  }

  private JdbcClient.StatementSpec bound(String sql, ObjectKind kind) {
    return jdbc.sql(sql).param("adapter", kind.adapterKind()).param("kind", kind.objectKind());
  }
}
