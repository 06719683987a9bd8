package io.peerlens.notify.notice;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.UUID;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Knows when targets had their last heartbeats. */
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
        .param("from", now.minus(within).atOffset(ZoneOffset.UTC))
        .query(Boolean.class)
        .single();
  }
}
