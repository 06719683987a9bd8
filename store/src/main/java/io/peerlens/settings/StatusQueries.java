package io.peerlens.settings;

import io.peerlens.api.model.DatabaseEdition;
import io.peerlens.api.model.DatabaseStatus;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Version and size of the database. */
final class StatusQueries {

  private static final String DATABASE =
      """
      select current_setting('server_version') as version,
             (select extversion from pg_extension where extname = 'timescaledb') as timescale,
             current_setting('timescaledb.license', true) as licence,
             pg_database_size(current_database()) as size
      """;

  private static final String COLUMNSTORE =
      "select coalesce(bool_or(compression_enabled), false) from timescaledb_information.hypertables";

  private final JdbcClient jdbc;

  StatusQueries(JdbcClient jdbc) {
    this.jdbc = jdbc;
  }

  DatabaseStatus database() {
    DatabaseStatus status =
        jdbc.sql(DATABASE)
            .query(
                (row, number) -> {
                  @Nullable String timescale = row.getString("timescale");
                  @Nullable String licence = row.getString("licence");
                  DatabaseEdition edition =
                      timescale == null
                          ? DatabaseEdition.POSTGRESQL
                          : "timescale".equals(licence)
                              ? DatabaseEdition.TIMESCALEDB_COMMUNITY
                              : DatabaseEdition.TIMESCALEDB_APACHE;
                  return new DatabaseStatus(
                      edition,
                      row.getString("version").replaceFirst(" .*", ""),
                      timescale,
                      timescale == null ? null : licence,
                      false,
                      row.getLong("size"));
                })
            .single();
    if (status.getEdition() == DatabaseEdition.TIMESCALEDB_COMMUNITY) {
      status.columnstore(jdbc.sql(COLUMNSTORE).query(Boolean.class).single());
    }
    return status;
  }
}
