package io.peerlens.samples;

import static io.peerlens.database.Times.instantOrNull;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.ZoneOffset;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Query for the progress of ingest over all nodes. */
public final class IngestProgressQueries {

  private static final String READING =
      """
      select r.since, (select min(stored_until) from ingest_node where updated_at > :alive) as until
      from ingest_reading r
      """;

  private final JdbcClient jdbc;

  public IngestProgressQueries(JdbcClient jdbc) {
    this.jdbc = jdbc;
  }

  /** Reads the progress; {@link IngestProgress#NEVER} where ingest never ran. */
  public IngestProgress at(Instant now) {
    return jdbc.sql(READING)
        .param("alive", now.minus(TopicStatus.NODE_ALIVE).atOffset(ZoneOffset.UTC))
        .query((row, number) -> reading(row))
        .optional()
        .orElse(IngestProgress.NEVER);
  }

  private static IngestProgress reading(ResultSet row) throws SQLException {
    Instant until = instantOrNull(row, "until");
    return new IngestProgress(instantOrNull(row, "since"), until == null ? Instant.MIN : until);
  }
}
