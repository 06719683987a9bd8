package io.peerlens.samples;

import static io.peerlens.database.Times.instantOrNull;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.ZoneOffset;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Asks how far ingest is, over all its nodes. */
public final class ReadingQueries {

  private static final String READING =
      """
      select r.since, (select min(stored_until) from ingest_node where updated_at > :alive) as until
      from ingest_reading r
      """;

  private final JdbcClient jdbc;

  public ReadingQueries(JdbcClient jdbc) {
    this.jdbc = jdbc;
  }

  /** How far ingest is; {@link Reading#NEVER} where it never ran. */
  public Reading at(Instant now) {
    return jdbc.sql(READING)
        .param("alive", now.minus(IngestStatusReader.NODE_ALIVE).atOffset(ZoneOffset.UTC))
        .query((row, number) -> reading(row))
        .optional()
        .orElse(Reading.NEVER);
  }

  private static Reading reading(ResultSet row) throws SQLException {
    Instant until = instantOrNull(row, "until");
    return new Reading(instantOrNull(row, "since"), until == null ? Instant.MIN : until);
  }
}
