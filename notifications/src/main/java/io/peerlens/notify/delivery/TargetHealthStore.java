package io.peerlens.notify.delivery;

import static io.peerlens.database.Times.instantOrNull;
import static io.peerlens.database.Times.utc;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * Delivery health of each target (failures, circuit breaker, pause), shared by all notifier nodes.
 */
final class TargetHealthStore {

  private static final String ALL = "select * from target_line";

  private static final String SUCCEEDED =
      """
      insert into target_line (target_id, breaker, breaker_node, last_success)
      values (:target, :breaker, :node, :now)
      on conflict (target_id) do update
      set breaker = excluded.breaker, breaker_node = excluded.breaker_node, last_success = excluded.last_success,
        failure = null, failing_since = null, failures = 0, paused_until = null
      """;

  private static final String FAILED =
      """
      insert into target_line (target_id, breaker, breaker_node, last_failure, failure, failing_since, failures)
      values (:target, :breaker, :node, :now, :reason, :now, 1)
      on conflict (target_id) do update
      set breaker = excluded.breaker, breaker_node = excluded.breaker_node, last_failure = excluded.last_failure,
        failure = excluded.failure, failing_since = coalesce(target_line.failing_since, excluded.failing_since),
        failures = target_line.failures + 1
      """;

  private static final String PAUSE =
      "update target_line set paused_until = :until, definition = :definition where target_id ="
          + " :target";

  private static final String STOP =
      """
      update target_line set stopped_at = :now, stopped_reason = :reason, definition = :definition
      where target_id = :target
      """;

  /** What was before says nothing of how it does now. */
  private static final String RESUME =
      """
      update target_line
      set stopped_at = null, stopped_reason = null, paused_until = null, definition = null, failure = null,
        failing_since = null, failures = 0
      where target_id = :target
      """;

  private final JdbcClient jdbc;
  private final String node;

  TargetHealthStore(JdbcClient jdbc, String node) {
    this.jdbc = jdbc;
    this.node = node;
  }

  /**
   * Health of a target.
   *
   * @param failure of the last attempt; null = it went well
   * @param pausedUntil it does not accept our credentials
   * @param stoppedAt it wants no more
   * @param definition version of the target that was paused or stopped
   */
  record Health(
      UUID target,
      String breaker,
      @Nullable Instant lastSuccess,
      @Nullable Instant lastFailure,
      @Nullable String failure,
      @Nullable Instant failingSince,
      long failures,
      @Nullable Instant pausedUntil,
      @Nullable Instant stoppedAt,
      @Nullable String stoppedReason,
      @Nullable String definition) {}

  Map<UUID, Health> all() {
    Map<UUID, Health> all = new HashMap<>();
    jdbc.sql(ALL)
        .query(
            row -> {
              Health line = line(row);
              all.put(line.target(), line);
            });
    return all;
  }

  void succeeded(UUID target, String breaker, Instant now) {
    jdbc.sql(SUCCEEDED)
        .param("target", target)
        .param("breaker", breaker)
        .param("node", node)
        .param("now", utc(now))
        .update();
  }

  void failed(UUID target, String breaker, String reason, Instant now) {
    jdbc.sql(FAILED)
        .param("target", target)
        .param("breaker", breaker)
        .param("node", node)
        .param("reason", reason)
        .param("now", utc(now))
        .update();
  }

  void pause(UUID target, Instant until, String definition) {
    jdbc.sql(PAUSE)
        .param("target", target)
        .param("until", utc(until))
        .param("definition", definition, Types.VARCHAR)
        .update();
  }

  void stop(UUID target, String reason, String definition, Instant now) {
    jdbc.sql(STOP)
        .param("target", target)
        .param("reason", reason)
        .param("definition", definition)
        .param("now", utc(now))
        .update();
  }

  /** Somebody has changed the target: it is tried again. */
  void resume(UUID target) {
    jdbc.sql(RESUME).param("target", target).update();
  }

  private static Health line(ResultSet row) throws SQLException {
    return new Health(
        row.getObject("target_id", UUID.class),
        row.getString("breaker"),
        instantOrNull(row, "last_success"),
        instantOrNull(row, "last_failure"),
        row.getString("failure"),
        instantOrNull(row, "failing_since"),
        row.getLong("failures"),
        instantOrNull(row, "paused_until"),
        instantOrNull(row, "stopped_at"),
        row.getString("stopped_reason"),
        row.getString("definition"));
  }
}
