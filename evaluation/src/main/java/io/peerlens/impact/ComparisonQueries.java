package io.peerlens.impact;

import io.peerlens.api.model.ObjectRef;
import io.peerlens.inventory.ChangeQueries;
import java.sql.Array;
import java.sql.SQLException;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Queries of a comparison, beyond values. */
final class ComparisonQueries {

  private static final String OBJECTS =
      """
      select uuid, adapter_kind, object_kind, name from object where uuid = any (:objects)
      """;

  private static final String REPORTED =
      """
      select distinct g.id, g.name, s.instance, g.metrics, g.units
      from object o join metric_set s on s.object_id = o.id join metric_group g on g.id = s.group_id
      where o.uuid = any (:objects)
      order by g.id, s.instance
      """;

  private static final String CHANGES =
      """
      select count(*) from object_change c join object o on o.id = c.object_id
      where o.uuid = any (:objects) and c.time >= :from and c.time < :to and c.kind not in ('new', 'reporting') and c.id <> :but
      """
          + ChangeQueries.ONCE;

  private final JdbcClient jdbc;

  ComparisonQueries(JdbcClient jdbc) {
    this.jdbc = jdbc;
  }

  /** Those of the objects that exist. */
  Map<UUID, ObjectRef> objects(Collection<UUID> objects) {
    Map<UUID, ObjectRef> found = new HashMap<>();
    jdbc.sql(OBJECTS)
        .param("objects", objects.toArray(UUID[]::new))
        .query(
            row -> {
              UUID id = row.getObject("uuid", UUID.class);
              found.put(
                  id,
                  new ObjectRef(
                      id,
                      row.getString("adapter_kind"),
                      row.getString("object_kind"),
                      row.getString("name")));
            });
    return found;
  }

  /** What the objects report, or did once. */
  ReportedMetrics reported(Collection<UUID> objects) {
    return new ReportedMetrics(
        jdbc.sql(REPORTED)
            .param("objects", objects.toArray(UUID[]::new))
            .query(
                (row, number) ->
                    new ReportedMetrics.Part(
                        row.getString("name"),
                        row.getString("instance"),
                        units(row.getArray("metrics"), row.getArray("units"))))
            .list());
  }

  private static Map<String, String> units(Array metrics, Array units) throws SQLException {
    String[] names = (String[]) metrics.getArray();
    String[] known = (String[]) units.getArray();
    Map<String, String> found = new HashMap<>();
    for (int i = 0; i < names.length; i++) {
      String unit = i < known.length ? known[i] : null;
      found.put(names[i], unit == null ? "" : unit);
    }
    return found;
  }

  /**
   * How many changes there were on objects.
   *
   * @param but the id of a change that does not count; 0 = all count
   */
  int changes(Collection<UUID> objects, Instant from, Instant to, long but) {
    return jdbc.sql(CHANGES)
        .param("objects", objects.toArray(UUID[]::new))
        .param("from", from.atOffset(ZoneOffset.UTC))
        .param("to", to.atOffset(ZoneOffset.UTC))
        .param("but", but)
        .query(Integer.class)
        .single();
  }
}
