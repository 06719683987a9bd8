package io.peerlens.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.peerlens.job.Progress;
import io.peerlens.support.SampleData;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class RetentionIT {
  private static final Instant NOW = Instant.parse("2026-11-20T12:34:56Z");

  private SampleData data;
  private int set;

  @BeforeAll
  void createDatabase() {
    data = SampleData.create();
    int group = data.group("VMWARE", "VirtualMachine", "cpu", List.of("a"));
    set = data.set(data.object("VMWARE", "VirtualMachine", "vm"), group, "");
  }

  @AfterAll
  void close() {
    data.close();
  }

  @BeforeEach
  void fill() {
    data.sql(
        "truncate sample, sample_5m, sample_1h, dead_letter, object_change, recorded_change, change_source, rollup_dirty");
    data.sql(
        "update level_state set kept_from = '-infinity', rolled_until = '2026-11-20T12:00:00Z'");
    data.sql(
        "update setting set value = '{\"raw\": \"14d\", \"rollup5m\": \"30d\", \"rollup1h\": null}'");
    for (int day = 0; day < 40; day++) {
      data.sample(NOW.minus(Duration.ofDays(day)), set, day);
      for (String table : List.of("sample_5m", "sample_1h")) {
        data.jdbc()
            .sql("insert into " + table + " (time, set_id, samples, avg) values (?, ?, 1, '{1}')")
            .params(SampleData.time(NOW.minus(Duration.ofDays(day))), set)
            .update();
      }
    }
  }

  private Instant oldest(String table) {
    return data.jdbc()
        .sql("select min(time) from " + table)
        .query(java.time.OffsetDateTime.class)
        .single()
        .toInstant();
  }

  private void run() {
    new Retention(data.jdbc()).run(NOW, Progress.NONE);
  }

  @Test
  void onlyExpiredRowsAreRemoved() {
    run();
    // Whole chunks go: of samples within a day, of roll-ups within a week.
    long chunk = data.database().timescale() ? 1 : 0;
    assertThat(oldest("sample"))
        .isBetween(NOW.minus(Duration.ofDays(14 + chunk)), NOW.minus(Duration.ofDays(14)));
    assertThat(oldest("sample_5m"))
        .isBetween(NOW.minus(Duration.ofDays(30 + 7 * chunk)), NOW.minus(Duration.ofDays(30)));
    assertThat(oldest("sample_1h")).isEqualTo(NOW.minus(Duration.ofDays(39)));
    assertThat(
            data.jdbc()
                .sql("select kept_from from level_state where level = 'raw'")
                .query(java.time.OffsetDateTime.class)
                .single()
                .toInstant())
        .isEqualTo(Instant.parse("2026-11-06T12:00:00Z"));
  }

  @Test
  void rowsNotYetRolledUpAreKept() {
    data.sql("update level_state set rolled_until = '2026-10-20T12:00:00Z' where level = '5m'");
    run();
    assertThat(oldest("sample")).isBeforeOrEqualTo(Instant.parse("2026-10-20T12:34:56Z"));
    data.sql("update level_state set rolled_until = null");
    run();
    assertThat(oldest("sample")).isBeforeOrEqualTo(Instant.parse("2026-10-20T12:34:56Z"));
  }

  @Test
  void lateSamplesAreKeptUntilTheyAreRolledUp() {
    Instant late = NOW.minus(Duration.ofDays(20));
    data.jdbc()
        .sql("insert into rollup_dirty (bucket) values (?)")
        .params(SampleData.time(late.truncatedTo(java.time.temporal.ChronoUnit.HOURS)))
        .update();
    run();
    assertThat(oldest("sample")).isEqualTo(late);
    data.sql("truncate rollup_dirty");
    run();
    assertThat(oldest("sample")).isAfter(late);
  }

  @Test
  void rowsAreDeletedHourByHourOnPlainPostgres() {
    assumeThat(data.database().timescale()).as("plain PostgreSQL").isFalse();
    Retention.Result result = new Retention(data.jdbc()).run(NOW, Progress.NONE);
    assertThat(result.rows()).isEqualTo(25 + 9);
    assertThat(result.chunks()).isZero();
  }

  @Test
  void chunksAreDroppedOnTimescale() {
    assumeThat(data.database().timescale()).as("TimescaleDB").isTrue();
    assertThat(new Retention(data.jdbc()).run(NOW, Progress.NONE).chunks()).isGreaterThan(20);
  }

  @Test
  void oldDeadLettersAndChangesAreRemoved() {
    int number = 0;
    for (String row :
        List.of(
            "now() - interval '8 days', now()",
            "now() - interval '8 days', null",
            "now() - interval '31 days', null")) {
      data.sql(
          """
          insert into dead_letter (topic, partition, "offset", line, reason, detail, payload, received_at, replayed_at)
          select 't', 0, %d, 1, 'r', 'd', '', %s
          """
              .formatted(number++, row.replace("now()", "'" + NOW + "'::timestamptz")));
    }
    data.sql(
        """
        insert into object_change (time, object_id, kind)
        select '%s'::timestamptz - age, o.id, 'new'
        from object o, unnest(array[interval '399 days', interval '401 days']) age
        """
            .formatted(NOW));
    Retention.Result result = new Retention(data.jdbc()).run(NOW, Progress.NONE);
    assertThat(result.deadLetters()).isEqualTo(2);
    assertThat(result.changes()).isEqualTo(1);
  }

  @Test
  void aDamagedSettingRemovesNothing() {
    data.sql("update setting set value = '{\"raw\": \"1 day\"}' where name = 'retention'");
    assertThatThrownBy(this::run).hasMessageContaining("\"1 day\"");
    assertThat(oldest("sample")).isEqualTo(NOW.minus(Duration.ofDays(39)));
  }

  @Test
  void compressionIsOnlySwitchedOnWhereTheLicenceAllowsIt() {
    Columnstore.Outcome outcome = new Columnstore(data.jdbc()).enable();
    if (!data.database().timescale()) {
      assertThat(outcome).isEqualTo(Columnstore.Outcome.NO_TIMESCALEDB);
    } else {
      String licence = data.jdbc().sql("show timescaledb.license").query(String.class).single();
      assertThat(outcome)
          .isEqualTo(
              licence.equals("timescale")
                  ? Columnstore.Outcome.ON
                  : Columnstore.Outcome.NOT_LICENSED);
    }
  }
}
