package io.peerlens.supermetric;

import io.peerlens.api.model.ObjectRef;
import io.peerlens.supermetrics.formula.ObjectKind;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Finds objects by either of their ids. */
final class ObjectReferenceQueries {

  private static final String COLUMNS =
      "select id, uuid, adapter_kind, object_kind, name from object where ";

  private final JdbcClient jdbc;

  ObjectReferenceQueries(JdbcClient jdbc) {
    this.jdbc = jdbc;
  }

  /**
   * An object.
   *
   * @param id within the database
   */
  record Found(int id, ObjectKind kind, ObjectRef reference) {}

  /** Those that exist, by uuid. */
  Map<UUID, Found> byUuid(Collection<UUID> uuids) {
    Map<UUID, Found> found = new LinkedHashMap<>();
    read("uuid = any (:ids)", uuids.toArray(UUID[]::new))
        .forEach(one -> found.put(one.reference().getId(), one));
    return found;
  }

  /** Those that exist, by id. */
  Map<Integer, Found> byId(Collection<Integer> ids) {
    Map<Integer, Found> found = new LinkedHashMap<>();
    read("id = any (:ids)", ids.toArray(Integer[]::new)).forEach(one -> found.put(one.id(), one));
    return found;
  }

  private List<Found> read(String condition, Object ids) {
    return jdbc.sql(COLUMNS + condition)
        .param("ids", ids)
        .query(
            (row, number) -> {
              ObjectKind kind =
                  new ObjectKind(row.getString("adapter_kind"), row.getString("object_kind"));
              return new Found(
                  row.getInt("id"),
                  kind,
                  new ObjectRef(
                      row.getObject("uuid", UUID.class),
                      kind.adapterKind(),
                      kind.objectKind(),
                      row.getString("name")));
            })
        .list();
  }
}
