package io.peerlens.evaluation;

import static io.peerlens.database.Times.instantOrNull;

import io.peerlens.api.model.EvaluationShard;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.List;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Progress of the shards, as stored. */
final class EvaluationQueries {

  private static final String SHARDS =
      """
      select shard, last_tick, next_tick, node, evaluated_at, rules, thresholds, open_symptoms, open_alerts, transitions,
             results, failed, load_ms, compute_ms, threshold_ms, alert_ms, store_ms, outlier_ms,
             outlier_groups, open_outliers, skipped_ticks, skipped_at, error,
             error_at, waits_for, waiting_since
      from evaluation_shard order by shard
      """;

  private final JdbcClient jdbc;

  EvaluationQueries(JdbcClient jdbc) {
    this.jdbc = jdbc;
  }

  /**
   * The shards as they are now, by number.
   *
   * @param lag how long after its moment a tick is evaluated
   */
  List<EvaluationShard> shards(Instant now, Duration lag) {
    return jdbc.sql(SHARDS).query((row, number) -> shard(row, now, lag)).list();
  }

  private static EvaluationShard shard(ResultSet row, Instant now, Duration lag)
      throws SQLException {
    Instant due = row.getObject("next_tick", OffsetDateTime.class).toInstant().plus(lag);
    EvaluationShard shard =
        new EvaluationShard(
            row.getInt("shard"),
            row.getString("node"),
            row.getObject("last_tick", OffsetDateTime.class).toInstant(),
            row.getObject("evaluated_at", OffsetDateTime.class).toInstant(),
            Math.max(0, Duration.between(due, now).toMillis() / 1e3),
            row.getInt("rules"),
            row.getInt("thresholds"),
            row.getLong("open_symptoms"),
            row.getLong("open_alerts"),
            row.getInt("transitions"),
            row.getInt("outlier_groups"),
            row.getLong("open_outliers"),
            row.getDouble("outlier_ms"),
            row.getLong("results"),
            row.getInt("failed"),
            row.getDouble("load_ms"),
            row.getDouble("compute_ms"),
            row.getDouble("threshold_ms"),
            row.getDouble("alert_ms"),
            row.getDouble("store_ms"),
            row.getLong("skipped_ticks"));
    shard.setSkippedAt(instantOrNull(row, "skipped_at"));
    shard.setError(row.getString("error"));
    shard.setErrorAt(instantOrNull(row, "error_at"));
    shard.setWaitsFor(row.getString("waits_for"));
    shard.setWaitingSince(instantOrNull(row, "waiting_since"));
    return shard;
  }
}
