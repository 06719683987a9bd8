package io.peerlens.evaluation;

import io.peerlens.api.EvaluationApi;
import io.peerlens.api.model.EvaluationShard;
import io.peerlens.api.model.EvaluationStatus;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.OffsetDateTime;
import org.jspecify.annotations.Nullable;
import org.springframework.http.ResponseEntity;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.web.bind.annotation.RestController;

@RestController
final class EvaluationController implements EvaluationApi {

  private static final String SHARDS =
      """
      select shard, last_tick, next_tick, node, evaluated_at, rules, results, failed, load_ms, compute_ms, store_ms,
             skipped_ticks, skipped_at, error, error_at
      from evaluation_shard order by shard
      """;

  private final JdbcClient jdbc;
  private final EvaluationProperties properties;
  private final InstantSource clock;

  EvaluationController(JdbcClient jdbc, EvaluationProperties properties, InstantSource clock) {
    this.jdbc = jdbc;
    this.properties = properties;
    this.clock = clock;
  }

  @Override
  public ResponseEntity<EvaluationStatus> getEvaluation() {
    Instant now = clock.instant();
    return ResponseEntity.ok(
        new EvaluationStatus(
            now,
            properties.lag().toMillis() / 1e3,
            properties.catchUp().toMillis() / 1e3,
            jdbc.sql(SHARDS).query((row, number) -> shard(row, now)).list()));
  }

  private EvaluationShard shard(ResultSet row, Instant now) throws SQLException {
    Instant lastTick = row.getObject("last_tick", OffsetDateTime.class).toInstant();
    Instant due =
        row.getObject("next_tick", OffsetDateTime.class).toInstant().plus(properties.lag());
    EvaluationShard shard =
        new EvaluationShard(
            row.getInt("shard"),
            row.getString("node"),
            lastTick,
            row.getObject("evaluated_at", OffsetDateTime.class).toInstant(),
            Math.max(0, Duration.between(due, now).toMillis() / 1e3),
            row.getInt("rules"),
            row.getLong("results"),
            row.getInt("failed"),
            row.getDouble("load_ms"),
            row.getDouble("compute_ms"),
            row.getDouble("store_ms"),
            row.getLong("skipped_ticks"));
    shard.setSkippedAt(instant(row, "skipped_at"));
    shard.setError(row.getString("error"));
    shard.setErrorAt(instant(row, "error_at"));
    return shard;
  }

  private static @Nullable Instant instant(ResultSet row, String column) throws SQLException {
    OffsetDateTime time = row.getObject(column, OffsetDateTime.class);
    return time == null ? null : time.toInstant();
  }
}
