package io.peerlens.talker;

import io.peerlens.ingest.flow.FlowMetric;
import io.peerlens.ingest.flow.FlowPart;
import java.sql.Array;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * The metric sets that flow metrics are stored in: of each object one for each part of its traffic,
 * in the group {@code net} of its kind, which collectors use too. Sets that are missing are made in
 * a short transaction of their own. Not thread-safe.
 */
final class FlowSetStore {

  private static final String LOCK =
      "select 1 from pg_advisory_xact_lock(hashtext('peerlens inventory'))";
  private static final String KINDS =
      "select id, adapter_kind, object_kind from object where id = any (?)";
  private static final String NEW_GROUP =
      """
      insert into metric_group (adapter_kind, object_kind, name) values (?, ?, ?)
      on conflict do nothing
      """;
  private static final String GROUP =
      """
      select id, metrics from metric_group where adapter_kind = ? and object_kind = ? and name = ?
      """;
  private static final String NEW_METRICS =
      "update metric_group set metrics = metrics || ?::text[], units = units || ?::text[] where id = ?";
  private static final String SETS =
      """
      select object_id, instance, id, group_id from metric_set
      where object_id = any (?) and group_id = any (?) and instance = any (?)
      """;
  private static final String NEW_SETS =
      """
      insert into metric_set (object_id, group_id, instance)
      select o.id, t.group_id, t.instance
      from unnest(?::int[], ?::int[], ?::text[]) as t(object_id, group_id, instance)
      join object o on o.id = t.object_id
      on conflict do nothing
      """;
  private static final String CHANGED =
      "update inventory_version set sets_version = sets_version + 1";

  private static final FlowMetric[] METRICS = FlowMetric.values();

  private final DataSource dataSource;
  private final Map<Kind, Group> groups = new HashMap<>();
  private final Map<Integer, OfObject> objects = new HashMap<>();

  FlowSetStore(DataSource dataSource) {
    this.dataSource = dataSource;
  }

  private record Kind(String adapterKind, String objectKind) {}

  /**
   * The group of a kind.
   *
   * @param positions of the metrics, in their order
   * @param width positions up to the last of them
   */
  record Group(int id, int[] positions, int width) {}

  /** An object's sets by instance. */
  record OfObject(Group group, Map<String, Integer> sets) {}

  /**
   * Finds or makes sets.
   *
   * @param wanted parts by object
   * @return by object; one that was deleted meanwhile has none
   */
  Map<Integer, OfObject> sets(Map<Integer, List<FlowPart>> wanted) throws SQLException {
    Map<Integer, List<String>> missing = missing(wanted);
    if (!missing.isEmpty()) {
      try (Connection connection = dataSource.getConnection()) {
        connection.setAutoCommit(false);
        try {
          find(connection, missing);
          missing = missing(wanted);
          if (!missing.isEmpty()) {
            make(connection, missing);
          }
          connection.commit();
        } catch (SQLException e) {
          groups.clear(); // what is taken back must not be remembered
          objects.clear();
          throw e;
        } finally {
          connection.rollback();
          connection.setAutoCommit(true);
        }
      }
    }
    Map<Integer, OfObject> found = new HashMap<>();
    for (int object : wanted.keySet()) {
      OfObject of = objects.get(object);
      if (of != null) {
        found.put(object, of);
      }
    }
    return found;
  }

  private Map<Integer, List<String>> missing(Map<Integer, List<FlowPart>> wanted) {
    Map<FlowPart, String> instances = new HashMap<>();
    Map<Integer, List<String>> missing = new HashMap<>();
    wanted.forEach(
        (object, parts) -> {
          OfObject known = objects.get(object);
          for (FlowPart part : parts) {
            String instance = instances.computeIfAbsent(part, FlowPart::instance);
            if (known == null || !known.sets().containsKey(instance)) {
              missing.computeIfAbsent(object, o -> new ArrayList<>()).add(instance);
            }
          }
        });
    return missing;
  }

  /** Takes over what is there already; groups that lack a metric count as not there. */
  private void find(Connection connection, Map<Integer, List<String>> missing) throws SQLException {
    Map<Integer, Kind> kinds = kinds(connection, missing.keySet());
    for (Kind kind : new HashSet<>(kinds.values())) {
      if (!groups.containsKey(kind)) {
        Group group = group(connection, kind);
        if (group != null) {
          groups.put(kind, group);
        }
      }
    }
    readSets(connection, kinds, missing);
  }

  private void make(Connection connection, Map<Integer, List<String>> missing) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(LOCK)) {
      statement.executeQuery().close();
    }
    Map<Integer, Kind> kinds = kinds(connection, missing.keySet());
    for (Kind kind : new HashSet<>(kinds.values())) {
      if (!groups.containsKey(kind)) {
        groups.put(kind, makeGroup(connection, kind));
      }
    }
    List<Integer> ofObjects = new ArrayList<>();
    List<Integer> ofGroups = new ArrayList<>();
    List<String> instances = new ArrayList<>();
    missing.forEach(
        (object, names) -> {
          Kind kind = kinds.get(object);
          Group group = kind == null ? null : groups.get(kind);
          if (group != null) {
            for (String name : names) {
              ofObjects.add(object);
              ofGroups.add(group.id());
              instances.add(name);
            }
          }
        });
    try (PreparedStatement statement = connection.prepareStatement(NEW_SETS)) {
      statement.setArray(1, ints(connection, ofObjects));
      statement.setArray(2, ints(connection, ofGroups));
      statement.setArray(3, connection.createArrayOf("text", instances.toArray()));
      statement.executeUpdate();
    }
    try (PreparedStatement statement = connection.prepareStatement(CHANGED)) {
      statement.executeUpdate();
    }
    readSets(connection, kinds, missing);
  }

  private static Map<Integer, Kind> kinds(Connection connection, Collection<Integer> ids)
      throws SQLException {
    Map<Integer, Kind> kinds = new HashMap<>();
    Map<Kind, Kind> shared = new HashMap<>();
    try (PreparedStatement statement = connection.prepareStatement(KINDS)) {
      statement.setArray(1, ints(connection, ids));
      try (ResultSet row = statement.executeQuery()) {
        while (row.next()) {
          Kind kind = new Kind(row.getString(2), row.getString(3));
          kinds.put(row.getInt(1), shared.computeIfAbsent(kind, k -> k));
        }
      }
    }
    return kinds;
  }

  private void readSets(
      Connection connection, Map<Integer, Kind> kinds, Map<Integer, List<String>> missing)
      throws SQLException {
    Map<Integer, Group> byId = new HashMap<>();
    groups.values().forEach(group -> byId.put(group.id(), group));
    TreeSet<String> instances = new TreeSet<>();
    missing.values().forEach(instances::addAll);
    Map<String, String> shared = new HashMap<>();
    try (PreparedStatement statement = connection.prepareStatement(SETS)) {
      statement.setArray(1, ints(connection, kinds.keySet()));
      statement.setArray(2, ints(connection, byId.keySet()));
      statement.setArray(3, connection.createArrayOf("text", instances.toArray()));
      try (ResultSet row = statement.executeQuery()) {
        while (row.next()) {
          Group group = byId.get(row.getInt(4));
          if (group != null) {
            objects
                .computeIfAbsent(row.getInt(1), o -> new OfObject(group, new HashMap<>(4)))
                .sets()
                .put(shared.computeIfAbsent(row.getString(2), s -> s), row.getInt(3));
          }
        }
      }
    }
  }

  private static Group makeGroup(Connection connection, Kind kind) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(NEW_GROUP)) {
      statement.setString(1, kind.adapterKind());
      statement.setString(2, kind.objectKind());
      statement.setString(3, FlowPart.GROUP);
      statement.executeUpdate();
    }
    List<String> names = new ArrayList<>();
    List<String> units = new ArrayList<>();
    int id;
    try (PreparedStatement statement = connection.prepareStatement(GROUP)) {
      set(statement, kind);
      try (ResultSet row = statement.executeQuery()) {
        row.next();
        id = row.getInt(1);
        List<String> there = Arrays.asList((String[]) row.getArray(2).getArray());
        for (FlowMetric metric : METRICS) {
          if (!there.contains(metric.metric())) {
            names.add(metric.metric());
            units.add(metric.unit());
          }
        }
      }
    }
    if (!names.isEmpty()) {
      try (PreparedStatement statement = connection.prepareStatement(NEW_METRICS)) {
        statement.setArray(1, connection.createArrayOf("text", names.toArray()));
        statement.setArray(2, connection.createArrayOf("text", units.toArray()));
        statement.setInt(3, id);
        statement.executeUpdate();
      }
    }
    Group made = group(connection, kind);
    if (made == null) {
      throw new SQLException("the group " + FlowPart.GROUP + " of " + kind + " lacks metrics");
    }
    return made;
  }

  /** The group as it is; null = it is not there, or lacks a metric. */
  private static @Nullable Group group(Connection connection, Kind kind) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(GROUP)) {
      set(statement, kind);
      try (ResultSet row = statement.executeQuery()) {
        if (!row.next()) {
          return null;
        }
        List<String> there = Arrays.asList((String[]) row.getArray(2).getArray());
        int[] positions = new int[METRICS.length];
        int width = 0;
        for (int m = 0; m < positions.length; m++) {
          positions[m] = there.indexOf(METRICS[m].metric());
          if (positions[m] < 0) {
            return null;
          }
          width = Math.max(width, positions[m] + 1);
        }
        return new Group(row.getInt(1), positions, width);
      }
    }
  }

  private static void set(PreparedStatement statement, Kind kind) throws SQLException {
    statement.setString(1, kind.adapterKind());
    statement.setString(2, kind.objectKind());
    statement.setString(3, FlowPart.GROUP);
  }

  private static Array ints(Connection connection, Collection<Integer> ids) throws SQLException {
    return connection.createArrayOf("int4", ids.toArray());
  }
}
