package io.peerlens.store;

import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * Compression of old chunks, where the server's licence allows it: TimescaleDB under the Timescale
 * licence. Under the Apache licence, and on plain PostgreSQL, there is nothing to do.
 */
public final class Columnstore {
  private static final Logger log = LoggerFactory.getLogger(Columnstore.class);

  private static final String LICENCE =
      """
      select coalesce(current_setting('timescaledb.license', true), '')
      where exists (select from pg_extension where extname = 'timescaledb')
      """;
  private static final String HAS_POLICY =
      """
      select exists (select from pg_proc where proname = 'add_compression_policy')
      """;
  private static final String IS_ON =
      """
      select exists (
        select from timescaledb_information.hypertables
        where hypertable_schema = current_schema() and hypertable_name = :table and compression_enabled)
      """;

  private final JdbcClient jdbc;

  public Columnstore(JdbcClient jdbc) {
    this.jdbc = jdbc;
  }

  /** Outcome of {@link #enable}. */
  public enum Outcome {
    /** Compression is on for all levels. */
    ON,
    /** The server has no TimescaleDB. */
    NO_TIMESCALEDB,
    /** The server's licence does not include compression. */
    NOT_LICENSED,
    /** The server refused; the log says why, and everything works without it. */
    REFUSED
  }

  /** Switches compression on where it can be. Safe to call again, and never stops a start. */
  public Outcome enable() {
    Optional<String> licence = jdbc.sql(LICENCE).query(String.class).optional();
    if (licence.isEmpty()) {
      return Outcome.NO_TIMESCALEDB;
    }
    if (!licence.get().equals("timescale") || !jdbc.sql(HAS_POLICY).query(Boolean.class).single()) {
      log.info(
          "Compression is off: the licence of this TimescaleDB is \"{}\". Under \"timescale\" stored"
              + " samples take about a tenth.",
          licence.get());
      return Outcome.NOT_LICENSED;
    }
    try {
      enable(Level.RAW, "2 days");
      enable(Level.FIVE_MINUTES, "7 days");
      enable(Level.ONE_HOUR, "60 days");
      return Outcome.ON;
    } catch (DataAccessException e) {
      log.warn("Compression could not be switched on: {}", e.getMessage());
      return Outcome.REFUSED;
    }
  }

  private void enable(Level level, String after) {
    if (!jdbc.sql(IS_ON).param("table", level.table()).query(Boolean.class).single()) {
      jdbc.sql(
              """
              alter table %s set (
                timescaledb.compress, timescaledb.compress_segmentby = 'set_id',
                timescaledb.compress_orderby = 'time')
              """
                  .formatted(level.table()))
          .update();
    }
    jdbc.sql("select add_compression_policy(:table, :after::interval, if_not_exists => true)")
        .param("table", level.table())
        .param("after", after)
        .query(row -> {});
  }
}
