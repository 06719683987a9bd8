package io.peerlens.talker;

import io.peerlens.api.model.ObjectRef;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Names of talkers: one statement for all rows of an answer. */
public final class TalkerNameQueries {

  private static final String NETWORKS = "select id, name from flow_network where id = any (:ids)";
  private static final String TIERS = "select id, name from talker_tier where id = any (:ids)";

  private static final String ENDS =
      """
      select o.id::bigint * 2 as asked, o.id as object_id, o.uuid, o.adapter_kind, o.object_kind, o.name,
             null as address, null as network,
             coalesce((select bool_or(e.internal) from endpoint e where e.object_id = o.id), false) as internal
      from object o where o.id = any (:objects)
      union all
      select e.id::bigint * 2 + 1, o.id, o.uuid, o.adapter_kind, o.object_kind, o.name, host(e.address), n.name,
             e.internal
      from endpoint e
      left join object o on o.id = e.object_id
      left join flow_network n on n.id = e.network_id
      where e.id = any (:endpoints)
      """;

  private final JdbcClient jdbc;

  TalkerNameQueries(JdbcClient jdbc) {
    this.jdbc = jdbc;
  }

  /**
   * An end of traffic.
   *
   * @param key object * 2, or of an endpoint without object its number * 2 + 1
   */
  record End(
      int key,
      @Nullable ObjectRef object,
      @Nullable String address,
      @Nullable String network,
      boolean internal) {

    /** Name of the object, else the address, else the network, else where it is. */
    String name() {
      if (object != null) {
        return object.getName();
      }
      if (address != null) {
        return address;
      }
      if (network != null) {
        return network;
      }
      return internal ? "Other internal addresses" : "Internet";
    }
  }

  /** Names of networks by number. */
  Map<Integer, String> networks(Collection<Integer> ids) {
    return names(NETWORKS, ids);
  }

  /** Names of application tiers by number. */
  Map<Integer, String> tiers(Collection<Integer> ids) {
    return names(TIERS, ids);
  }

  private Map<Integer, String> names(String sql, Collection<Integer> ids) {
    Map<Integer, String> names = new HashMap<>();
    jdbc.sql(sql)
        .param("ids", ids.toArray(Integer[]::new))
        .query(
            row -> {
              names.put(row.getInt(1), row.getString(2));
            });
    return names;
  }

  /** Ids within the database of those objects that exist. */
  public Map<UUID, Integer> ids(Collection<UUID> objects) {
    Map<UUID, Integer> ids = new HashMap<>();
    jdbc.sql("select uuid, id from object where uuid = any (:uuids)")
        .param("uuids", objects.toArray(UUID[]::new))
        .query(
            row -> {
              ids.put(row.getObject(1, UUID.class), row.getInt(2));
            });
    return ids;
  }

  /** Ends by what they are asked for: object * 2, or endpoint * 2 + 1. */
  Map<Integer, End> ends(Collection<Integer> asked) {
    Map<Integer, End> ends = new HashMap<>();
    jdbc.sql(ENDS)
        .param("objects", halves(asked, 0))
        .param("endpoints", halves(asked, 1))
        .query(
            row -> {
              ends.put(row.getInt("asked"), end(row));
            });
    return ends;
  }

  private static Integer[] halves(Collection<Integer> keys, int rest) {
    return keys.stream()
        .filter(key -> key % 2 == rest)
        .map(key -> key / 2)
        .distinct()
        .toArray(Integer[]::new);
  }

  private static End end(ResultSet row) throws SQLException {
    int object = row.getInt("object_id");
    ObjectRef reference =
        row.wasNull()
            ? null
            : new ObjectRef(
                row.getObject("uuid", UUID.class),
                row.getString("adapter_kind"),
                row.getString("object_kind"),
                row.getString("name"));
    return new End(
        reference == null ? row.getInt("asked") : Math.multiplyExact(object, 2),
        reference,
        row.getString("address"),
        row.getString("network"),
        row.getBoolean("internal"));
  }
}
