package io.peerlens.supermetric;

import io.peerlens.database.NamedStatement;
import io.peerlens.ingest.SampleBatch;
import io.peerlens.store.RollUpProperties;
import io.peerlens.store.SampleWriter;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.InstantSource;
import java.time.OffsetDateTime;
import java.util.Optional;
import java.util.UUID;
import javax.sql.DataSource;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Values of backfills, stored in place of those that were there. */
final class BackfillStore {

  private static final int ATTEMPTS = 3;

  private static final String PLACES =
      """
      select id, position from (
        select id, array_position(metrics, :metric) as position from metric_group where name = :group) g
      where position is not null
      """;

  private final DataSource dataSource;
  private final JdbcClient jdbc;
  private final RollUpProperties rollUps;
  private final InstantSource clock;

  BackfillStore(
      DataSource dataSource, JdbcClient jdbc, RollUpProperties rollUps, InstantSource clock) {
    this.dataSource = dataSource;
    this.jdbc = jdbc;
    this.rollUps = rollUps;
    this.clock = clock;
  }

  /** A writer for one backfill; not thread-safe. */
  SampleWriter writer() {
    return new SampleWriter(rollUps.lag(), clock);
  }

  /** From when on raw samples are kept; empty = from the beginning. */
  Optional<Instant> rawKeptFrom() {
    return jdbc.sql("select kept_from from level_state where level = 'raw' and isfinite(kept_from)")
        .query((row, number) -> row.getObject(1, OffsetDateTime.class).toInstant())
        .optional();
  }

  /**
   * Stores all values of a super metric over a stretch of time in place of those that are stored
   * there, whichever objects they are of.
   *
   * @param from start, inclusive
   * @param to end, exclusive
   */
  void replace(SampleWriter writer, UUID superMetric, Instant from, Instant to, SampleBatch batch) {
    for (int attempt = 1; ; attempt++) {
      try (Connection connection = dataSource.getConnection()) {
        connection.setAutoCommit(false);
        try {
          writer.write(connection, batch, true);
          clear(connection, writer, superMetric, from, to);
          connection.commit();
          return;
        } catch (SQLException e) {
          connection.rollback();
          if (attempt == ATTEMPTS || !SampleWriter.isClash(e)) {
            throw e;
          }
        }
      } catch (SQLException e) {
        throw new IllegalStateException("Values could not be stored: " + e.getMessage(), e);
      }
    }
  }

  private static void clear(
      Connection connection, SampleWriter writer, UUID superMetric, Instant from, Instant to)
      throws SQLException {
    try (NamedStatement statement = new NamedStatement(connection, PLACES)) {
      statement.set("metric", ResultStore.metric(superMetric)).set("group", ResultStore.GROUP);
      ResultSet places = statement.query();
      while (places.next()) {
        writer.clear(connection, places.getInt(1), places.getInt(2) - 1, from, to);
      }
    }
  }
}
