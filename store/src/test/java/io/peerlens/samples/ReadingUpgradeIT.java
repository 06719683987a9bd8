package io.peerlens.samples;

import static org.assertj.core.api.Assertions.assertThat;

import io.peerlens.support.TestDatabase;
import java.time.Instant;
import org.flywaydb.core.Flyway;
import org.flywaydb.core.api.configuration.FluentConfiguration;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.DriverManagerDataSource;

/** What an installation from before readings were kept knows of its last one. */
class ReadingUpgradeIT {

  private static final Instant STOPPED = Instant.parse("2026-11-20T14:05:00Z");

  private final TestDatabase database = TestDatabase.create();
  private final DriverManagerDataSource dataSource =
      new DriverManagerDataSource(database.jdbcUrl(), database.user(), database.password());
  private final JdbcClient jdbc = JdbcClient.create(dataSource);

  private void migrate(String target) {
    FluentConfiguration flyway = Flyway.configure().dataSource(dataSource).target(target);
    flyway.load().migrate();
  }

  private IngestProgress reading() {
    return new IngestProgressQueries(jdbc).at(STOPPED.plusSeconds(600));
  }

  private void reported(Instant time) {
    jdbc.sql(
            """
            insert into ingest_node (node, started_at, updated_at, partitions, mappings, minute,
              new_objects, new_metrics, new_sets, trouble)
            values ('one', :time::timestamptz, :time::timestamptz, '[]', '[]', :time::timestamptz, 0, 0, 0, '')
            """)
        .param("time", time.toString())
        .update();
  }

  @Test
  void thePauseOfTheUpgradeCounts() {
    migrate("32");
    reported(STOPPED);
    migrate("latest");
    assertThat(reading()).isEqualTo(new IngestProgress(Instant.EPOCH, Instant.MIN));
    assertThat(
            jdbc.sql("select until = '2026-11-20T14:05:00Z' from ingest_reading")
                .query(Boolean.class)
                .single())
        .isTrue();
  }

  @Test
  void existingPositionsStay() {
    migrate("33");
    reported(STOPPED);
    jdbc.sql(
            "insert into ingest_reading (since, until) values ('2026-11-20T12:00:00Z', '2026-11-20T14:04:58Z')")
        .update();
    migrate("latest");
    assertThat(reading().since()).isEqualTo(Instant.parse("2026-11-20T12:00:00Z"));
  }

  @Test
  void whereIngestNeverRanNothingIsKept() {
    migrate("latest");
    assertThat(reading()).isEqualTo(IngestProgress.NEVER);
  }
}
