package io.peerlens.slow.api;

import static io.peerlens.database.Times.instant;

import io.peerlens.supermetrics.formula.ObjectKind;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Queries of what a question is about. Thread-safe. */
final class SlowQueries {

  private static final String PROPERTIES =
      """
      select o.id, p.key, p.value from object o cross join lateral jsonb_each_text(o.properties) p
      where o.id = any (:ids)
        and (p.key like 'virtualDisk:%' or p.key like 'datastore:%|name' or p.key in ('config|uuid', 'config|instanceUuid', 'summary|type'))
      """;

  private final JdbcClient jdbc;

  SlowQueries(JdbcClient jdbc) {
    this.jdbc = jdbc;
  }

  /** An object by its id within the database. */
  record Found(int id, ObjectKind kind, String name) {}

  /** An alert with its object. */
  record FoundAlert(UUID id, long number, String title, Instant since, UUID object) {}

  Optional<Found> object(UUID uuid) {
    return jdbc.sql("select id, adapter_kind, object_kind, name from object where uuid = ?")
        .param(uuid)
        .query(
            (row, number) ->
                new Found(
                    row.getInt(1),
                    new ObjectKind(row.getString(2), row.getString(3)),
                    row.getString(4)))
        .optional();
  }

  Optional<FoundAlert> alert(UUID id) {
    return jdbc.sql(
            """
            select a.number, a.definition_name, a.since, o.uuid from alert a join object o on o.id = a.object_id
            where a.id = ?
            """)
        .param(id)
        .query(
            (row, number) ->
                new FoundAlert(
                    id,
                    row.getLong(1),
                    row.getString(2),
                    instant(row, "since"),
                    row.getObject(4, UUID.class)))
        .optional();
  }

  /** Properties of disks and datastores, by object. */
  Map<Integer, Map<String, String>> properties(Collection<Integer> objects) {
    Map<Integer, Map<String, String>> found = new HashMap<>();
    jdbc.sql(PROPERTIES)
        .param("ids", objects.toArray(Integer[]::new))
        .query(
            row -> {
              found
                  .computeIfAbsent(row.getInt(1), id -> new HashMap<>())
                  .put(row.getString(2), row.getString(3));
            });
    return found;
  }

  /** The id of an object that is there. */
  UUID uuid(int object) {
    return jdbc.sql("select uuid from object where id = ?")
        .param(object)
        .query(UUID.class)
        .single();
  }

  /** Ids within the database, by id. */
  Map<UUID, Integer> ids(Collection<UUID> uuids) {
    Map<UUID, Integer> found = new HashMap<>();
    jdbc.sql("select uuid, id from object where uuid = any (:ids)")
        .param("ids", uuids.toArray(UUID[]::new))
        .query(
            row -> {
              found.put(row.getObject(1, UUID.class), row.getInt(2));
            });
    return found;
  }
}
