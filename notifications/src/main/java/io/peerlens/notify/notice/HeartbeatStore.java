package io.peerlens.notify.notice;

import static io.peerlens.database.Times.utc;

import java.time.Duration;
import java.time.Instant;
import java.util.UUID;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Times of the last heartbeats of targets. */
final class HeartbeatStore {

  private static final String RECENT =
      """
      select exists (
        select from delivery
        where target_id = :target and change = 'heartbeat' and created_at > :from)
      """;

  private final JdbcClient jdbc;

  HeartbeatStore(JdbcClient jdbc) {
    this.jdbc = jdbc;
  }

  /** Whether a target had one within a time. */
  boolean had(UUID target, Duration within, Instant now) {
    return jdbc.sql(RECENT)
        .param("target", target)
        .param("from", utc(now.minus(within)))
        .query(Boolean.class)
        .single();
  }
}
