package io.peerlens.supermetric;

import io.peerlens.ingest.SampleBatch;
import io.peerlens.supermetrics.formula.ObjectKind;
import io.peerlens.supermetrics.program.ObjectGraph;
import io.peerlens.supermetrics.program.Results;
import io.peerlens.supermetrics.program.Results.Result;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * Where results are stored: each kind has a metric group {@code Super Metric} with a metric {@code
 * sm_<id>} for each super metric, and each object one set of it. Results are then metrics like any
 * other. Thread-safe.
 */
public final class ResultStore {

  static final String GROUP = "Super Metric";

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
      "select object_id, id from metric_set where group_id = ? and instance = ''";
  private static final String NEW_SETS =
      """
      insert into metric_set (object_id, group_id)
      select o.id, ? from object o where o.id = any (?)
      on conflict do nothing
      """;
  private static final String CHANGED =
      "update inventory_version set sets_version = sets_version + 1";

  private final JdbcClient jdbc;
  private final TransactionTemplate transactions;
  private final Map<ObjectKind, Known> known = new ConcurrentHashMap<>();

  public ResultStore(JdbcClient jdbc, TransactionTemplate transactions) {
    this.jdbc = jdbc;
    this.transactions = transactions;
  }

  /**
   * The group of a kind.
   *
   * @param sets set of each object by its id
   */
  private record Known(int groupId, List<String> metrics, Map<Integer, Integer> sets) {}

  /**
   * Puts results into rows, one for each object that has any.
   *
   * @param timeMicros microseconds since 1970
   * @param units of the super metrics that have one
   */
  public void fill(
      SampleBatch batch,
      long timeMicros,
      ObjectGraph objects,
      Map<UUID, String> units,
      Results results) {
    Map<ObjectKind, List<Result>> byKind = new LinkedHashMap<>();
    for (Result result : results.columns()) {
      if (result.computed() > 0) {
        byKind.computeIfAbsent(result.kind(), kind -> new ArrayList<>()).add(result);
      }
    }
    byKind.forEach((kind, of) -> fill(batch, timeMicros, objects, kind, of, units));
  }

  private void fill(
      SampleBatch batch,
      long timeMicros,
      ObjectGraph objects,
      ObjectKind kind,
      List<Result> results,
      Map<UUID, String> units) {
    boolean[] any = new boolean[objects.count(kind)];
    for (Result result : results) {
      for (int i = 0; i < any.length; i++) {
        any[i] |= !Double.isNaN(result.values()[i]);
      }
    }
    Known group = group(kind, objects, results, any, units);
    int[] positions = new int[results.size()];
    int width = 0;
    for (int r = 0; r < positions.length; r++) {
      positions[r] = group.metrics().indexOf(metric(results.get(r).id()));
      width = Math.max(width, positions[r] + 1);
    }
    for (int i = 0; i < any.length; i++) {
      Integer set = any[i] ? group.sets().get(objects.id(kind, i)) : null;
      if (set != null) { // null: the object was deleted just now
        int row = batch.row(set, timeMicros, width);
        for (int r = 0; r < positions.length; r++) {
          double value = results.get(r).values()[i];
          if (!Double.isNaN(value)) {
            batch.put(row, positions[r], value);
          }
        }
      }
    }
  }

  static String metric(UUID id) {
    return "sm_" + id;
  }

  private Known group(
      ObjectKind kind,
      ObjectGraph objects,
      List<Result> results,
      boolean[] any,
      Map<UUID, String> units) {
    Known group = known.get(kind);
    if (group == null || !serves(group, kind, objects, results, any)) {
      group = extend(kind, objects, results, any, units);
      known.put(kind, group);
    }
    return group;
  }

  private static boolean serves(
      Known group, ObjectKind kind, ObjectGraph objects, List<Result> results, boolean[] any) {
    for (Result result : results) {
      if (!group.metrics().contains(metric(result.id()))) {
        return false;
      }
    }
    for (int i = 0; i < any.length; i++) {
      if (any[i] && !group.sets().containsKey(objects.id(kind, i))) {
        return false;
      }
    }
    return true;
  }

  private Known extend(
      ObjectKind kind,
      ObjectGraph objects,
      List<Result> results,
      boolean[] any,
      Map<UUID, String> units) {
    Known extended =
        transactions.execute(
            status -> {
              jdbc.sql(LOCK).query(Integer.class).single();
              jdbc.sql(NEW_GROUP).params(kind.adapterKind(), kind.objectKind(), GROUP).update();
              Known now = read(kind);
              boolean changed = addMetrics(now, results, units);
              changed |= addSets(now, kind, objects, any);
              if (changed) {
                jdbc.sql(CHANGED).update();
              }
              return changed ? read(kind) : now;
            });
    if (extended == null) {
      throw new IllegalStateException("the group of " + kind + " could not be extended");
    }
    return extended;
  }

  private Known read(ObjectKind kind) {
    return jdbc.sql(FIND_GROUP)
        .params(kind.adapterKind(), kind.objectKind(), GROUP)
        .query(
            (row, number) -> {
              int id = row.getInt(1);
              List<String> metrics = Arrays.asList((String[]) row.getArray(2).getArray());
              return new Known(id, metrics, sets(id));
            })
        .single();
  }

  private Map<Integer, Integer> sets(int groupId) {
    Map<Integer, Integer> sets = new HashMap<>();
    jdbc.sql(SETS)
        .param(groupId)
        .query(
            row -> {
              sets.put(row.getInt(1), row.getInt(2));
            });
    return sets;
  }

  private boolean addMetrics(Known group, List<Result> results, Map<UUID, String> units) {
    List<String> names = new ArrayList<>();
    List<@Nullable String> ofThem = new ArrayList<>();
    for (Result result : results) {
      if (!group.metrics().contains(metric(result.id()))) {
        names.add(metric(result.id()));
        ofThem.add(units.get(result.id()));
      }
    }
    if (!names.isEmpty()) {
      jdbc.sql(NEW_METRICS)
          .params(names.toArray(String[]::new), ofThem.toArray(String[]::new), group.groupId())
          .update();
    }
    return !names.isEmpty();
  }

  private boolean addSets(Known group, ObjectKind kind, ObjectGraph objects, boolean[] any) {
    List<Integer> without = new ArrayList<>();
    for (int i = 0; i < any.length; i++) {
      int id = objects.id(kind, i);
      if (any[i] && !group.sets().containsKey(id)) {
        without.add(id);
      }
    }
    return !without.isEmpty()
        && jdbc.sql(NEW_SETS).params(group.groupId(), without.toArray(Integer[]::new)).update() > 0;
  }
}
