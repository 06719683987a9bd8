package io.peerlens.supermetric;

import io.peerlens.ingest.SampleBatch;
import io.peerlens.store.ComputedSetStore;
import io.peerlens.store.ComputedSetStore.Metric;
import io.peerlens.store.ComputedSetStore.Owner;
import io.peerlens.supermetrics.formula.ObjectKind;
import io.peerlens.supermetrics.program.ObjectGraph;
import io.peerlens.supermetrics.program.Results;
import io.peerlens.supermetrics.program.Results.Result;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * Storage of results as metrics: each kind has a metric group {@code Super Metric} with a metric
 * {@code sm_<id>} for each super metric, and each object one set of it. Results are then metrics
 * like any other. Thread-safe.
 */
public final class ResultStore {

  static final String GROUP = "Super Metric";

  private final ComputedSetStore sets;

  public ResultStore(JdbcClient jdbc, TransactionTemplate transactions) {
    this.sets = new ComputedSetStore(jdbc, transactions, GROUP);
  }

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
    List<Metric> metrics =
        results.stream().map(one -> new Metric(metric(one.id()), units.get(one.id()))).toList();
    List<Owner> owners = new ArrayList<>();
    for (int i = 0; i < any.length; i++) {
      if (any[i]) {
        owners.add(new Owner(objects.id(kind, i), ""));
      }
    }
    ComputedSetStore.Group group = sets.group(kind, metrics, owners);
    int[] positions = new int[results.size()];
    int width = 0;
    for (int r = 0; r < positions.length; r++) {
      positions[r] = group.metrics().indexOf(metric(results.get(r).id()));
      width = Math.max(width, positions[r] + 1);
    }
    int next = 0;
    for (int i = 0; i < any.length; i++) {
      Integer set = any[i] ? group.sets().get(owners.get(next++)) : null;
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
}
