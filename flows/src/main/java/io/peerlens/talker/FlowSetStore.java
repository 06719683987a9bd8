package io.peerlens.talker;

import io.peerlens.database.Transactions;
import io.peerlens.ingest.flow.FlowMetric;
import io.peerlens.ingest.flow.FlowPart;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * Metric sets that flow metrics are stored in: of each object one for each part of its traffic, in
 * the group {@code net} of its kind, which collectors use too. Sets that are missing are made in a
 * short transaction of their own. Not thread-safe.
 */
final class FlowSetStore {

  private static final String LOCK =
      "select 1 from pg_advisory_xact_lock(hashtext('peerlens inventory'))";
  private static final String KINDS =
      "select id, adapter_kind, object_kind from object where id = any (:ids)";
  private static final String NEW_GROUP =
      """
      insert into metric_group (adapter_kind, object_kind, name) values (:adapterKind, :objectKind, :name)
      on conflict do nothing
      """;
  private static final String GROUP =
      """
      select id, metrics from metric_group where adapter_kind = :adapterKind and object_kind = :objectKind and name = :name
      """;
  private static final String NEW_METRICS =
      """
      update metric_group set metrics = metrics || :metrics::text[], units = units || :units::text[]
      where id = :id
      """;
  private static final String SETS =
      """
      select object_id, instance, id, group_id from metric_set
      where object_id = any (:objects) and group_id = any (:groups) and instance = any (:instances)
      """;
  private static final String NEW_SETS =
      """
      insert into metric_set (object_id, group_id, instance)
      select o.id, t.group_id, t.instance
      from unnest(:objects::int[], :groups::int[], :instances::text[]) as t(object_id, group_id, instance)
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
    if (!missing(wanted).isEmpty()) {
      try {
        Transactions.run(
            dataSource,
            connection -> {
              JdbcClient jdbc = Transactions.on(connection);
              find(jdbc, missing(wanted));
              Map<Integer, List<String>> unknown = missing(wanted);
              if (!unknown.isEmpty()) {
                make(jdbc, unknown);
              }
              return null;
            });
      } catch (SQLException | RuntimeException e) {
        groups.clear(); // what is taken back must not be remembered
        objects.clear();
        throw e;
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
  private void find(JdbcClient jdbc, Map<Integer, List<String>> missing) {
    Map<Integer, Kind> kinds = kinds(jdbc, missing.keySet());
    for (Kind kind : new HashSet<>(kinds.values())) {
      if (!groups.containsKey(kind)) {
        Group group = group(jdbc, kind);
        if (group != null) {
          groups.put(kind, group);
        }
      }
    }
    readSets(jdbc, kinds, missing);
  }

  private void make(JdbcClient jdbc, Map<Integer, List<String>> missing) {
    jdbc.sql(LOCK).query(row -> {});
    Map<Integer, Kind> kinds = kinds(jdbc, missing.keySet());
    for (Kind kind : new HashSet<>(kinds.values())) {
      if (!groups.containsKey(kind)) {
        groups.put(kind, makeGroup(jdbc, kind));
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
    jdbc.sql(NEW_SETS)
        .param("objects", ints(ofObjects))
        .param("groups", ints(ofGroups))
        .param("instances", instances.toArray(String[]::new))
        .update();
    jdbc.sql(CHANGED).update();
    readSets(jdbc, kinds, missing);
  }

  private static Map<Integer, Kind> kinds(JdbcClient jdbc, Collection<Integer> ids) {
    Map<Integer, Kind> kinds = new HashMap<>();
    Map<Kind, Kind> shared = new HashMap<>();
    jdbc.sql(KINDS)
        .param("ids", ints(ids))
        .query(
            row -> {
              Kind kind = new Kind(row.getString("adapter_kind"), row.getString("object_kind"));
              kinds.put(row.getInt("id"), shared.computeIfAbsent(kind, k -> k));
            });
    return kinds;
  }

  private void readSets(
      JdbcClient jdbc, Map<Integer, Kind> kinds, Map<Integer, List<String>> missing) {
    Map<Integer, Group> byId = new HashMap<>();
    groups.values().forEach(group -> byId.put(group.id(), group));
    TreeSet<String> instances = new TreeSet<>();
    missing.values().forEach(instances::addAll);
    Map<String, String> shared = new HashMap<>();
    jdbc.sql(SETS)
        .param("objects", ints(kinds.keySet()))
        .param("groups", ints(byId.keySet()))
        .param("instances", instances.toArray(String[]::new))
        .query(
            row -> {
              Group group = byId.get(row.getInt("group_id"));
              if (group != null) {
                objects
                    .computeIfAbsent(
                        row.getInt("object_id"), o -> new OfObject(group, new HashMap<>(4)))
                    .sets()
                    .put(
                        shared.computeIfAbsent(row.getString("instance"), name -> name),
                        row.getInt("id"));
              }
            });
  }

  /** A group as it is stored. */
  private record Stored(int id, List<String> metrics) {}

  private static Optional<Stored> stored(JdbcClient jdbc, Kind kind) {
    return jdbc.sql(GROUP)
        .param("adapterKind", kind.adapterKind())
        .param("objectKind", kind.objectKind())
        .param("name", FlowPart.GROUP)
        .query(
            (row, number) ->
                new Stored(
                    row.getInt("id"), List.of((String[]) row.getArray("metrics").getArray())))
        .optional();
  }

  private static Group makeGroup(JdbcClient jdbc, Kind kind) {
    jdbc.sql(NEW_GROUP)
        .param("adapterKind", kind.adapterKind())
        .param("objectKind", kind.objectKind())
        .param("name", FlowPart.GROUP)
        .update();
    Stored there = stored(jdbc, kind).orElseThrow();
    List<FlowMetric> lacking =
        Arrays.stream(METRICS).filter(metric -> !there.metrics.contains(metric.metric())).toList();
    if (!lacking.isEmpty()) {
      jdbc.sql(NEW_METRICS)
          .param("metrics", lacking.stream().map(FlowMetric::metric).toArray(String[]::new))
          .param("units", lacking.stream().map(FlowMetric::unit).toArray(String[]::new))
          .param("id", there.id)
          .update();
    }
    Group made = group(jdbc, kind);
    if (made == null) {
      throw new IllegalStateException(
          "The group " + FlowPart.GROUP + " of " + kind + " lacks metrics");
    }
    return made;
  }

  /** The group as it is; null = it is not there, or lacks a metric. */
  private static @Nullable Group group(JdbcClient jdbc, Kind kind) {
    Stored stored = stored(jdbc, kind).orElse(null);
    if (stored == null) {
      return null;
    }
    int[] positions = new int[METRICS.length];
    int width = 0;
    for (int m = 0; m < positions.length; m++) {
      positions[m] = stored.metrics.indexOf(METRICS[m].metric());
      if (positions[m] < 0) {
        return null;
      }
      width = Math.max(width, positions[m] + 1);
    }
    return new Group(stored.id, positions, width);
  }

  private static Integer[] ints(Collection<Integer> ids) {
    return ids.toArray(Integer[]::new);
  }
}
