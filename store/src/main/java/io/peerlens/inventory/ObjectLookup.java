package io.peerlens.inventory;

import io.peerlens.api.model.ObjectRef;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Lookup of objects by either of their ids. */
public final class ObjectLookup {

  private final JdbcClient jdbc;

  public ObjectLookup(JdbcClient jdbc) {
    this.jdbc = jdbc;
  }

  /** Ids within the database of those that exist. */
  public Set<Integer> ids(Collection<UUID> uuids) {
    return new HashSet<>(
        jdbc.sql("select id from object where uuid = any (:ids)")
            .param("ids", uuids.toArray(UUID[]::new))
            .query(Integer.class)
            .list());
  }

  /** Those that exist, by id within the database. */
  public Map<Integer, ObjectRef> references(Collection<Integer> ids) {
    Map<Integer, ObjectRef> found = new HashMap<>();
    jdbc.sql("select id, uuid, adapter_kind, object_kind, name from object where id = any (:ids)")
        .param("ids", ids.toArray(Integer[]::new))
        .query(
            row -> {
              found.put(
                  row.getInt("id"),
                  new ObjectRef(
                      row.getObject("uuid", UUID.class),
                      row.getString("adapter_kind"),
                      row.getString("object_kind"),
                      row.getString("name")));
            });
    return found;
  }
}
