package io.peerlens.store;

import io.peerlens.database.Transactions;
import io.peerlens.ingest.SampleBatch;
import io.peerlens.store.ComputedSetStore.Metric;
import io.peerlens.store.ComputedSetStore.Owner;
import io.peerlens.supermetrics.formula.ObjectKind;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import javax.sql.DataSource;
import org.springframework.dao.DataAccessResourceFailureException;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * Store of computed values as samples of one metric group, so that whatever works on metrics works
 * on it. Not thread-safe.
 */
public final class ComputedSampleStore {

  private final DataSource dataSource;
  private final ComputedSetStore sets;
  private final List<Metric> metrics;
  private final SampleWriter writer;

  /**
   * @param group name of the metric groups
   * @param metrics that are written
   * @param rollUpLag how long after its end a bucket of samples is rolled up
   */
  public ComputedSampleStore(
      DataSource dataSource,
      JdbcClient jdbc,
      TransactionTemplate transactions,
      String group,
      List<Metric> metrics,
      Duration rollUpLag,
      InstantSource clock) {
    this.dataSource = dataSource;
    this.sets = new ComputedSetStore(jdbc, transactions, group);
    this.metrics = List.copyOf(metrics);
    this.writer = new SampleWriter(rollUpLag, clock);
  }

  /**
   * Writes the samples of a moment, all or none. Those that are there already are replaced.
   *
   * @param values of each owner, in the order of the metrics; NaN = none
   */
  public void write(Instant time, Map<ObjectKind, Map<Owner, double[]>> values) {
    SampleBatch batch = new SampleBatch();
    values.forEach((kind, of) -> fill(batch, Level.micros(time), kind, of));
    try {
      Transactions.run(
          dataSource,
          connection -> {
            writer.write(connection, batch, true);
            return null;
          });
    } catch (SQLException e) {
      throw new DataAccessResourceFailureException(
          "Computed metrics could not be stored: " + e.getMessage(), e);
    }
  }

  private void fill(
      SampleBatch batch, long timeMicros, ObjectKind kind, Map<Owner, double[]> values) {
    ComputedSetStore.Group group = sets.group(kind, metrics, values.keySet());
    int[] positions = new int[metrics.size()];
    int width = 0;
    for (int m = 0; m < positions.length; m++) {
      positions[m] = group.metrics().indexOf(metrics.get(m).name());
      width = Math.max(width, positions[m] + 1);
    }
    for (Map.Entry<Owner, double[]> one : values.entrySet()) {
      Integer set = group.sets().get(one.getKey());
      if (set != null) { // null: the object was deleted just now
        int row = batch.row(set, timeMicros, width);
        for (int m = 0; m < positions.length; m++) {
          if (!Double.isNaN(one.getValue()[m])) {
            batch.put(row, positions[m], one.getValue()[m]);
          }
        }
      }
    }
  }
}
