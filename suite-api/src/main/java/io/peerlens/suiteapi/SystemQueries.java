package io.peerlens.suiteapi;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Queries of what the installation does. */
final class SystemQueries {

  private static final Duration LATELY = Duration.ofMinutes(5);

  private final JdbcClient jdbc;

  SystemQueries(JdbcClient jdbc) {
    this.jdbc = jdbc;
  }

  /** Whether the database answers. */
  boolean answers() {
    try {
      return jdbc.sql("select 1").query(Integer.class).single() == 1;
    } catch (DataAccessException e) {
      return false;
    }
  }

  /** Whether a node with the role ingest is at work. */
  boolean isIngestAlive(Instant now) {
    return since("select exists (select from ingest_node where updated_at > :since)", now);
  }

  /** Whether ticks are evaluated. */
  boolean isEvaluationAlive(Instant now) {
    return since("select exists (select from evaluation_shard where evaluated_at > :since)", now);
  }

  private boolean since(String sql, Instant now) {
    return jdbc.sql(sql)
        .param("since", now.minus(LATELY).atOffset(ZoneOffset.UTC))
        .query(Boolean.class)
        .single();
  }
}
