package io.peerlens.suiteapi;

import java.sql.Timestamp;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Queries of adapter kinds, resource kinds and the keys that resources of a kind have. */
final class ResourceKindQueries {

  private static final String KINDS =
      """
      select adapter_kind, object_kind from object group by 1, 2
      union
      select adapter_kind, object_kind from metric_group
      order by 1, 2
      """;

  private static final String METRICS =
      """
      select g.name, p.metric, p.unit,
             exists (select from metric_set s where s.group_id = g.id and s.instance <> '') as instanced,
             exists (select from metric_set s where s.group_id = g.id and s.instance = '') as whole
      from metric_group g cross join lateral unnest(g.metrics, g.units) as p(metric, unit)
      where g.adapter_kind = :adapterKind and g.object_kind = :objectKind
      order by g.name collate "C", p.metric collate "C"
      """;

  private static final String PROPERTIES =
      """
      select distinct k.key collate "C" as key
      from object o cross join lateral jsonb_object_keys(o.properties) as k(key)
      where o.adapter_kind = :adapterKind and o.object_kind = :objectKind and o.removed_at is null
      order by 1
      """;

  private static final String COUNTS =
      """
      select split_part(o.external_id, '/', 1) as source, o.adapter_kind, count(*) as objects,
             max(l.last_seen) as newest
      from object o left join object_liveness l on l.object_id = o.id
      where o.removed_at is null and (o.adapter_kind, o.object_kind) <> ('Peerlens', 'IpAddress')
      group by 1, 2
      """;

  private final JdbcClient jdbc;

  ResourceKindQueries(JdbcClient jdbc) {
    this.jdbc = jdbc;
  }

  /** A resource kind. */
  record Kind(String adapterKind, String objectKind) {}

  /** A key with the parts that it comes in; null = the unit is not known. */
  record Key(String group, String metric, @Nullable String unit, boolean instanced) {
    String text() {
      return group.isEmpty() ? metric : group + "|" + metric;
    }
  }

  /** What one source reports; null = nothing yet. */
  record Counted(String source, String adapterKind, long objects, @Nullable Long newest) {}

  /** All kinds, by adapter kind. */
  List<Kind> kinds() {
    return jdbc.sql(KINDS)
        .query((row, number) -> new Kind(row.getString(1), row.getString(2)))
        .list();
  }

  /** A kind by its names, in whatever case. */
  Optional<Kind> kind(String adapterKind, String objectKind) {
    return kinds().stream()
        .filter(
            kind ->
                kind.adapterKind().equalsIgnoreCase(adapterKind)
                    && kind.objectKind().equalsIgnoreCase(objectKind))
        .findFirst();
  }

  /** Metrics of a kind. */
  List<Key> metrics(Kind kind) {
    return jdbc.sql(METRICS)
        .param("adapterKind", kind.adapterKind())
        .param("objectKind", kind.objectKind())
        .query(
            (row, number) ->
                new Key(
                    row.getString("name"),
                    row.getString("metric"),
                    row.getString("unit"),
                    row.getBoolean("instanced") && !row.getBoolean("whole")))
        .list();
  }

  /** Names of properties of a kind. */
  List<String> properties(Kind kind) {
    return jdbc.sql(PROPERTIES)
        .param("adapterKind", kind.adapterKind())
        .param("objectKind", kind.objectKind())
        .query((row, number) -> row.getString(1))
        .list();
  }

  /** What each source reports. */
  List<Counted> counts() {
    return new ArrayList<>(
        jdbc.sql(COUNTS)
            .query(
                (row, number) -> {
                  Timestamp newest = row.getTimestamp("newest");
                  return new Counted(
                      row.getString("source"),
                      row.getString("adapter_kind"),
                      row.getLong("objects"),
                      newest == null ? null : newest.getTime());
                })
            .list());
  }
}
