package io.peerlens.store;

import org.springframework.jdbc.core.simple.JdbcClient;

/** Whether tables that grow with time are TimescaleDB's, or those of plain PostgreSQL. */
public final class Hypertables {
  private static final String ARE_THERE =
      "select exists (select from pg_extension where extname = 'timescaledb')";

  private Hypertables() {}

  /** Whether the database has them. */
  public static boolean areThere(JdbcClient jdbc) {
    return jdbc.sql(ARE_THERE).query(Boolean.class).single();
  }
}
