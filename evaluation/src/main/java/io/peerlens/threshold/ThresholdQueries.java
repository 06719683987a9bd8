package io.peerlens.threshold;

import io.peerlens.ingest.key.MetricKey;
import io.peerlens.supermetrics.formula.ObjectKind;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Queries behind the API of thresholds, beyond their definitions. */
final class ThresholdQueries {

  private static final String TICKS =
      """
      select threshold_id, tick, objects, instances, unknown, information, warning, immediate, critical, nanos, error
      from threshold_state where threshold_id = any (:ids)
      """;

  private static final String UNITS =
      """
      select g.adapter_kind, g.object_kind, g.name, m.metric, g.units[m.position] as unit
      from metric_group g, unnest(g.metrics) with ordinality as m(metric, position)
      where (g.adapter_kind, g.object_kind, g.name, m.metric) in (
        select * from unnest(:adapters::text[], :kinds::text[], :groups::text[], :metrics::text[]))
      """;

  private static final String KNOWN_OBJECTS = "select uuid from object where uuid = any (:ids)";

  private final JdbcClient jdbc;

  ThresholdQueries(JdbcClient jdbc) {
    this.jdbc = jdbc;
  }

  /** Result of the last tick of a threshold. */
  record LastTick(Instant tick, Changes.Tick report) {}

  /** By threshold; those without a tick are left out. */
  Map<UUID, LastTick> ticks(Collection<UUID> ids) {
    Map<UUID, LastTick> ticks = new HashMap<>();
    if (ids.isEmpty()) {
      return ticks;
    }
    jdbc.sql(TICKS)
        .param("ids", ids.toArray(UUID[]::new))
        .query(
            row -> {
              UUID id = row.getObject("threshold_id", UUID.class);
              ticks.put(
                  id,
                  new LastTick(
                      row.getObject("tick", OffsetDateTime.class).toInstant(),
                      new Changes.Tick(
                          id,
                          row.getInt("objects"),
                          row.getInt("instances"),
                          row.getInt("unknown"),
                          new int[] {
                            row.getInt("information"),
                            row.getInt("warning"),
                            row.getInt("immediate"),
                            row.getInt("critical")
                          },
                          row.getLong("nanos"),
                          row.getString("error"))));
            });
    return ticks;
  }

  /**
   * A key of a kind.
   *
   * @param key without its instance
   */
  record KindKey(ObjectKind kind, String key) {
    static KindKey of(ObjectKind kind, String key) {
      MetricKey parsed = MetricKey.parse(key);
      return new KindKey(kind, new MetricKey(parsed.group(), "", parsed.metric()).toString());
    }
  }

  /** Units of metrics; those without one are left out. */
  Map<KindKey, String> units(Collection<KindKey> keys) {
    Map<KindKey, String> units = new HashMap<>();
    if (keys.isEmpty()) {
      return units;
    }
    List<KindKey> distinct = keys.stream().distinct().toList();
    List<MetricKey> parsed = distinct.stream().map(key -> MetricKey.parse(key.key())).toList();
    jdbc.sql(UNITS)
        .param(
            "adapters", distinct.stream().map(k -> k.kind().adapterKind()).toArray(String[]::new))
        .param("kinds", distinct.stream().map(k -> k.kind().objectKind()).toArray(String[]::new))
        .param("groups", parsed.stream().map(MetricKey::group).toArray(String[]::new))
        .param("metrics", parsed.stream().map(MetricKey::metric).toArray(String[]::new))
        .query(
            row -> {
              String unit = row.getString("unit");
              if (unit != null) {
                units.put(
                    new KindKey(
                        new ObjectKind(row.getString("adapter_kind"), row.getString("object_kind")),
                        new MetricKey(row.getString("name"), "", row.getString("metric"))
                            .toString()),
                    unit);
              }
            });
    return units;
  }

  /** Those of these objects that exist. */
  Set<UUID> known(Collection<UUID> objects) {
    return objects.isEmpty()
        ? Set.of()
        : new HashSet<>(
            jdbc.sql(KNOWN_OBJECTS)
                .param("ids", objects.toArray(UUID[]::new))
                .query(UUID.class)
                .list());
  }

  /** Unit of a key; null = it has none. */
  @Nullable String unit(ObjectKind kind, String key) {
    KindKey wanted = KindKey.of(kind, key);
    return units(List.of(wanted)).get(wanted);
  }
}
