package io.peerlens.frame;

import io.peerlens.supermetrics.formula.ObjectKind;
import io.peerlens.supermetrics.program.ObjectGraph;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * Metric groups and sets as they were when they were read: which set of which object has which
 * metric at which position. Kept until sets or groups change; then new sets are read, which have
 * higher ids than all before, since whoever makes them holds the lock of the inventory.
 * Thread-safe.
 */
final class MetricSets {

  private static final String GROUPS =
      "select id, adapter_kind, object_kind, name, metrics from metric_group";
  private static final String SETS =
      "select id, object_id, instance from metric_set where group_id = ? order by id";
  private static final String NEWEST = "select coalesce(max(id), 0) from metric_set";
  private static final String NEW_SETS =
      "select id, group_id, object_id, instance from metric_set where id > ? order by id";
  private static final String SETS_OF_INSTANCES =
      "select id, object_id, instance from metric_set where group_id = ? and instance = any (?) order by id";

  /**
   * A metric group of one kind.
   *
   * @param positions position from 0 of each metric name
   */
  record Group(int id, ObjectKind kind, String name, Map<String, Integer> positions) {}

  /**
   * The sets of a group, by ascending id.
   *
   * @param objectIds id of each set's object
   * @param objects number of each set's object within its kind; -1 = the object is not in the graph
   * @param instances instance of each set
   */
  record Sets(int[] ids, int[] objectIds, int[] objects, String[] instances) {

    static Sets of(List<New> rows, Group group, ObjectGraph graph) {
      Sets sets =
          new Sets(
              rows.stream().mapToInt(New::id).toArray(),
              rows.stream().mapToInt(New::objectId).toArray(),
              new int[rows.size()],
              rows.stream().map(New::instance).toArray(String[]::new));
      sets.find(group, graph);
      return sets;
    }

    private void find(Group group, ObjectGraph graph) {
      Arrays.setAll(objects, i -> graph.number(group.kind(), objectIds[i]));
    }

    /** The same sets and some more, in a graph that may have changed. */
    private Sets with(List<New> rows, Group group, boolean sameNumbers, ObjectGraph now) {
      int newest = ids.length == 0 ? -1 : ids[ids.length - 1];
      List<New> more = rows.stream().filter(row -> row.id() > newest).toList();
      if (more.isEmpty() && sameNumbers) {
        return this;
      }
      int size = ids.length + more.size();
      Sets all =
          new Sets(
              Arrays.copyOf(ids, size),
              Arrays.copyOf(objectIds, size),
              new int[size],
              Arrays.copyOf(instances, size));
      for (int i = 0; i < more.size(); i++) {
        all.ids[ids.length + i] = more.get(i).id();
        all.objectIds[ids.length + i] = more.get(i).objectId();
        all.instances[ids.length + i] = more.get(i).instance();
      }
      all.find(group, now);
      return all;
    }

    /** Place of a set; negative = not here. */
    int place(int setId) {
      return Arrays.binarySearch(ids, setId);
    }
  }

  private record New(int id, int groupId, int objectId, String instance) {}

  private record GroupInstances(int groupId, @Nullable Set<String> instances) {}

  private final long version;
  private final Inventory inventory;
  private final JdbcClient jdbc;
  private final int newest;
  private final Map<ObjectKind, List<Group>> groups;
  private final Map<Integer, Group> byId = new HashMap<>();
  private final Map<GroupInstances, Sets> sets = new ConcurrentHashMap<>();

  private MetricSets(
      long version,
      Inventory inventory,
      JdbcClient jdbc,
      int newest,
      Map<ObjectKind, List<Group>> groups) {
    this.version = version;
    this.inventory = inventory;
    this.jdbc = jdbc;
    this.newest = newest;
    this.groups = groups;
    groups.values().forEach(all -> all.forEach(group -> byId.put(group.id(), group)));
  }

  private static Map<ObjectKind, List<Group>> groups(JdbcClient jdbc) {
    Map<ObjectKind, List<Group>> groups = new HashMap<>();
    jdbc.sql(GROUPS)
        .query(
            row -> {
              ObjectKind kind = new ObjectKind(row.getString(2), row.getString(3));
              String[] metrics = (String[]) row.getArray(5).getArray();
              Map<String, Integer> positions = HashMap.newHashMap(metrics.length);
              for (int i = 0; i < metrics.length; i++) {
                positions.putIfAbsent(metrics[i], i);
              }
              groups
                  .computeIfAbsent(kind, k -> new ArrayList<>())
                  .add(new Group(row.getInt(1), kind, row.getString(4), positions));
            });
    return groups;
  }

  /** Reads the groups; their sets are read when somebody asks. */
  static MetricSets read(long version, Inventory inventory, JdbcClient jdbc) {
    int newest = jdbc.sql(NEWEST).query(Integer.class).single();
    return new MetricSets(version, inventory, jdbc, newest, groups(jdbc));
  }

  /** What they are in another inventory, and after sets or metrics were added. */
  MetricSets after(long version, Inventory now) {
    boolean added = version != this.version;
    List<New> rows = new ArrayList<>();
    if (added) {
      jdbc.sql(NEW_SETS)
          .param(newest)
          .query(
              row -> {
                rows.add(new New(row.getInt(1), row.getInt(2), row.getInt(3), row.getString(4)));
              });
    }
    MetricSets after =
        new MetricSets(
            version,
            now,
            jdbc,
            rows.isEmpty() ? newest : rows.getLast().id(),
            added ? groups(jdbc) : groups);
    boolean sameNumbers = now.graph().hasNumbersOf(inventory.graph());
    sets.forEach(
        (key, known) -> {
          Group group = after.byId.get(key.groupId());
          if (group != null) {
            List<New> more =
                rows.stream()
                    .filter(row -> row.groupId() == key.groupId())
                    .filter(
                        row -> key.instances() == null || key.instances().contains(row.instance()))
                    .toList();
            after.sets.put(key, known.with(more, group, sameNumbers, now.graph()));
          }
        });
    return after;
  }

  long version() {
    return version;
  }

  List<Group> groups(ObjectKind kind) {
    return groups.getOrDefault(kind, List.of());
  }

  /**
   * The sets of a group.
   *
   * @param instances those wanted; null = all
   */
  Sets sets(Group group, @Nullable Set<String> instances) {
    return sets.computeIfAbsent(
        new GroupInstances(group.id(), instances == null ? null : Set.copyOf(instances)),
        key -> readSets(group, key.instances()));
  }

  private Sets readSets(Group group, @Nullable Set<String> instances) {
    List<New> rows = new ArrayList<>();
    Map<String, String> shared = new HashMap<>(); // one copy of each name
    JdbcClient.StatementSpec statement =
        instances == null
            ? jdbc.sql(SETS).param(group.id())
            : jdbc.sql(SETS_OF_INSTANCES)
                .param(group.id())
                .param(new TreeSet<>(instances).toArray(String[]::new));
    statement.query(
        row -> {
          String instance = shared.computeIfAbsent(row.getString(3), name -> name);
          rows.add(new New(row.getInt(1), group.id(), row.getInt(2), instance));
        });
    return Sets.of(rows, group, inventory.graph());
  }
}
