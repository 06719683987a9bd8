package io.peerlens.store;

import io.peerlens.supermetrics.formula.ObjectKind;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * Metric sets that computed values are stored in, such as those of super metrics: of each kind a
 * metric group of one name, and of each object one set of it for each instance. Groups, metrics and
 * sets that are missing are made in a transaction of their own, under the lock of the inventory.
 * Computed values are then metrics like any other. Thread-safe.
 */
public final class ComputedSetStore {

  private static final String LOCK =
      "select 1 from pg_advisory_xact_lock(hashtext('peerlens inventory'))";
  private static final String FIND_GROUP =
      "select id, metrics from metric_group where adapter_kind = ? and object_kind = ? and name = ?";
  private static final String NEW_GROUP =
      """
      insert into metric_group (adapter_kind, object_kind, name) values (?, ?, ?)
      on conflict do nothing
      """;
  private static final String NEW_METRICS =
      "update metric_group set metrics = metrics || ?::text[], units = units || ?::text[] where id = ?";
  private static final String SETS =
      "select object_id, instance, id from metric_set where group_id = ?";
  private static final String NEW_SETS =
      """
      insert into metric_set (object_id, group_id, instance)
      select o.id, ?, t.instance
      from unnest(?::int[], ?::text[]) as t(object_id, instance) join object o on o.id = t.object_id
      on conflict do nothing
      """;
  private static final String CHANGED =
      "update inventory_version set sets_version = sets_version + 1";

  private final JdbcClient jdbc;
  private final TransactionTemplate transactions;
  private final String name;
  private final Map<ObjectKind, Group> known = new ConcurrentHashMap<>();

  /**
   * @param name of the metric groups
   */
  public ComputedSetStore(JdbcClient jdbc, TransactionTemplate transactions, String name) {
    this.jdbc = jdbc;
    this.transactions = transactions;
    this.name = name;
  }

  /** A metric of a group, and its unit if it has one. */
  public record Metric(String name, @Nullable String unit) {}

  /**
   * Owner of a set.
   *
   * @param objectId internal id
   * @param instance empty = of the object as a whole
   */
  public record Owner(int objectId, String instance) {}

  /**
   * The group of a kind.
   *
   * @param metrics by position
   * @param sets set of each owner; one whose object was deleted just now has none
   */
  public record Group(int id, List<String> metrics, Map<Owner, Integer> sets) {}

  /** The group of a kind that has these metrics, and sets of these owners. */
  public Group group(ObjectKind kind, List<Metric> metrics, Collection<Owner> owners) {
    Group group = known.get(kind);
    if (group == null || !serves(group, metrics, owners)) {
      group = extend(kind, metrics, owners);
      known.put(kind, group);
    }
    return group;
  }

  private static boolean serves(Group group, List<Metric> metrics, Collection<Owner> owners) {
    return metrics.stream().allMatch(metric -> group.metrics().contains(metric.name()))
        && group.sets().keySet().containsAll(owners);
  }

  private Group extend(ObjectKind kind, List<Metric> metrics, Collection<Owner> owners) {
    Group extended =
        transactions.execute(
            status -> {
              jdbc.sql(LOCK).query(Integer.class).single();
              jdbc.sql(NEW_GROUP).params(kind.adapterKind(), kind.objectKind(), name).update();
              Group now = read(kind);
              boolean changed = addMetrics(now, metrics);
              changed |= addSets(now, owners);
              if (changed) {
                jdbc.sql(CHANGED).update();
              }
              return changed ? read(kind) : now;
            });
    if (extended == null) {
      throw new IllegalStateException("the group " + name + " of " + kind + " cannot be extended");
    }
    return extended;
  }

  private Group read(ObjectKind kind) {
    return jdbc.sql(FIND_GROUP)
        .params(kind.adapterKind(), kind.objectKind(), name)
        .query(
            (row, number) -> {
              int id = row.getInt(1);
              List<String> metrics = Arrays.asList((String[]) row.getArray(2).getArray());
              return new Group(id, metrics, sets(id));
            })
        .single();
  }

  private Map<Owner, Integer> sets(int groupId) {
    Map<Owner, Integer> sets = new HashMap<>();
    Map<String, String> shared = new HashMap<>(); // one copy of each name
    jdbc.sql(SETS)
        .param(groupId)
        .query(
            row -> {
              String instance = shared.computeIfAbsent(row.getString(2), text -> text);
              sets.put(new Owner(row.getInt(1), instance), row.getInt(3));
            });
    return sets;
  }

  private boolean addMetrics(Group group, List<Metric> metrics) {
    List<String> names = new ArrayList<>();
    List<@Nullable String> units = new ArrayList<>();
    for (Metric metric : metrics) {
      if (!group.metrics().contains(metric.name())) {
        names.add(metric.name());
        units.add(metric.unit());
      }
    }
    if (!names.isEmpty()) {
      jdbc.sql(NEW_METRICS)
          .params(names.toArray(String[]::new), units.toArray(String[]::new), group.id())
          .update();
    }
    return !names.isEmpty();
  }

  private boolean addSets(Group group, Collection<Owner> owners) {
    List<Integer> objects = new ArrayList<>();
    List<String> instances = new ArrayList<>();
    for (Owner owner : owners) {
      if (!group.sets().containsKey(owner)) {
        objects.add(owner.objectId());
        instances.add(owner.instance());
      }
    }
    return !objects.isEmpty()
        && jdbc.sql(NEW_SETS)
                .params(
                    group.id(), objects.toArray(Integer[]::new), instances.toArray(String[]::new))
                .update()
            > 0;
  }
}
