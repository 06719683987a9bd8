package io.peerlens.frame;

import io.peerlens.supermetrics.formula.ObjectKind;
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
 * metric at which position. Kept until sets or groups change. Thread-safe.
 */
final class MetricSets {

  private static final String GROUPS =
      "select id, adapter_kind, object_kind, name, metrics from metric_group";
  private static final String SETS =
      "select id, object_id, instance from metric_set where group_id = ? order by id";
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
   * @param objects number of each set's object within its kind; -1 = the object is not in the graph
   * @param instances instance of each set
   */
  record Sets(int[] ids, int[] objects, String[] instances) {

    /** Place of a set; negative = not here. */
    int place(int setId) {
      return Arrays.binarySearch(ids, setId);
    }
  }

  private record GroupInstances(int groupId, @Nullable Set<String> instances) {}

  private final long version;
  private final Inventory inventory;
  private final JdbcClient jdbc;
  private final Map<ObjectKind, List<Group>> groups = new HashMap<>();
  private final Map<GroupInstances, Sets> sets = new ConcurrentHashMap<>();

  private MetricSets(long version, Inventory inventory, JdbcClient jdbc) {
    this.version = version;
    this.inventory = inventory;
    this.jdbc = jdbc;
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
  }

  static MetricSets read(long version, Inventory inventory, JdbcClient jdbc) {
    return new MetricSets(version, inventory, jdbc);
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
    List<int[]> rows = new ArrayList<>();
    List<String> names = new ArrayList<>();
    Map<String, String> shared = new HashMap<>(); // one copy of each name
    JdbcClient.StatementSpec statement =
        instances == null
            ? jdbc.sql(SETS).param(group.id())
            : jdbc.sql(SETS_OF_INSTANCES)
                .param(group.id())
                .param(new TreeSet<>(instances).toArray(String[]::new));
    statement.query(
        row -> {
          int number = inventory.graph().number(group.kind(), row.getInt(2));
          rows.add(new int[] {row.getInt(1), number});
          names.add(shared.computeIfAbsent(row.getString(3), name -> name));
        });
    int[] ids = new int[rows.size()];
    int[] objects = new int[rows.size()];
    for (int i = 0; i < ids.length; i++) {
      ids[i] = rows.get(i)[0];
      objects[i] = rows.get(i)[1];
    }
    return new Sets(ids, objects, names.toArray(String[]::new));
  }
}
