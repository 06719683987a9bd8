package io.peerlens.supermetric;

import io.peerlens.ingest.SampleBatch;
import io.peerlens.store.SampleWriter;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.OffsetDateTime;
import java.util.Optional;
import javax.sql.DataSource;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Writes what a backfill has computed. */
final class BackfillStore {

  private static final int ATTEMPTS = 3;

  private final DataSource dataSource;
  private final JdbcClient jdbc;
  private final Duration rollUpLag;
  private final InstantSource clock;

  BackfillStore(DataSource dataSource, JdbcClient jdbc, Duration rollUpLag, InstantSource clock) {
    this.dataSource = dataSource;
    this.jdbc = jdbc;
    this.rollUpLag = rollUpLag;
    this.clock = clock;
  }

  /** A writer for one backfill; not thread-safe. */
  SampleWriter writer() {
    return new SampleWriter(rollUpLag, clock);
  }

  /** From when on raw samples are kept; empty = from the beginning. */
  Optional<Instant> rawKeptFrom() {
    return jdbc.sql("select kept_from from level_state where level = 'raw' and isfinite(kept_from)")
        .query((row, number) -> row.getObject(1, OffsetDateTime.class).toInstant())
        .optional();
  }

  /** Stores all rows of a batch; values that are stored already are replaced. */
  void write(SampleWriter writer, SampleBatch batch) {
    for (int attempt = 1; ; attempt++) {
      try (Connection connection = dataSource.getConnection()) {
        connection.setAutoCommit(false);
        try {
          writer.write(connection, batch, true);
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
}
