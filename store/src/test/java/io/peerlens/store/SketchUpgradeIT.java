package io.peerlens.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.peerlens.job.Progress;
import io.peerlens.support.TestDatabase;
import java.sql.Timestamp;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.flywaydb.core.Flyway;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.DriverManagerDataSource;

/** An installation from before hours had sketches goes on, and gets those that it still can. */
class SketchUpgradeIT {

  private final TestDatabase database = TestDatabase.create();
  private final DriverManagerDataSource dataSource =
      new DriverManagerDataSource(database.jdbcUrl(), database.user(), database.password());
  private final JdbcClient jdbc = JdbcClient.create(dataSource);

  private void migrate(String target) {
    Flyway.configure().dataSource(dataSource).target(target).load().migrate();
  }

  private void sql(String sql) {
    jdbc.sql(sql).update();
  }

  private List<String> sketched(boolean sketched) {
    return jdbc.sql(
            """
            select to_char(time at time zone 'UTC', 'HH24') from sample_1h
            where (sketches[1] is not null) = ? and avg[1] = 8.5 and samples = 18 order by time
            """)
        .param(sketched)
        .query(String.class)
        .list();
  }

  @Test
  void hoursWhoseRawSamplesAreThereGetTheirSketchesAfterTheUpdate() {
    migrate("59");
    sql(
        """
        insert into object (uuid, adapter_kind, object_kind, external_id, name, attributes_time, first_seen)
        values (gen_random_uuid(), 'VMWARE', 'VirtualMachine', 'vm', 'vm', now(), now())
        """);
    sql(
        """
        insert into metric_group (adapter_kind, object_kind, name, metrics, units)
        values ('VMWARE', 'VirtualMachine', 'cpu', '{usage}', '{null}')
        """);
    sql(
        "insert into metric_set (object_id, group_id, instance) select o.id, g.id, '' from object o, metric_group g");
    // Six hours, of which the first two have no raw samples any more: 0 to 17 in each.
    sql(
        """
        insert into sample (time, set_id, values)
        select timestamptz '2026-11-01 00:00Z' + n * interval '200 seconds', m.id, array[n %% 18]::float8[]
        from generate_series(36, 107) n, metric_set m
        """
            .replace("%%", "%"));
    for (String level : List.of("5m:300", "1h:3600")) {
      String[] parts = level.split(":");
      sql(
          """
          insert into sample_%s (time, set_id, samples, avg, min, max, last)
          select to_timestamp(floor(extract(epoch from t) / %s) * %s), m.id, count(*), array[avg(n %% 18)]::float8[],
            array[min(n %% 18)]::float8[], array[max(n %% 18)]::float8[], array[max(n %% 18)]::float8[]
          from generate_series(0, 107) n,
            lateral (select timestamptz '2026-11-01 00:00Z' + n * interval '200 seconds' as t) at, metric_set m
          group by 1, 2
          """
              .formatted(parts[0], parts[1], parts[1]));
      jdbc.sql("update level_state set rolled_until = '2026-11-01 06:00Z' where level = ?")
          .param(parts[0])
          .update();
    }
    sql("update level_state set kept_from = '2026-11-01 02:00Z' where level = 'raw'");

    migrate("latest");
    assertThat(sketched(false)).containsExactly("00", "01", "02", "03", "04", "05");
    assertThat(
            jdbc.sql(
                    "select to_char(bucket at time zone 'UTC', 'HH24') || level from rollup_dirty order by noted_at")
                .query(String.class)
                .list())
        .containsExactly("021h", "031h", "041h", "051h");
    RollUps rollUps =
        new RollUps(
            dataSource,
            new SampleReader(dataSource),
            Duration.ofMinutes(10),
            Duration.ZERO,
            SetPart.WHOLE);
    Instant now =
        jdbc.sql("select max(noted_at) - interval '90 seconds' from rollup_dirty")
            .query(Timestamp.class)
            .single()
            .toInstant();
    // The last two of them are not due yet.
    assertThat(rollUps.run(now, Progress.NONE).buckets()).isGreaterThanOrEqualTo(2);
    assertThat(sketched(true)).containsExactly("02", "03");
    rollUps.run(now.plusSeconds(120), Progress.NONE);
    assertThat(sketched(true)).containsExactly("02", "03", "04", "05");
    assertThat(sketched(false)).containsExactly("00", "01");
  }
}
