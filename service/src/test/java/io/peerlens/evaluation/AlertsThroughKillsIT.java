package io.peerlens.evaluation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.peerlens.Application;
import io.peerlens.incident.TestKeeper;
import io.peerlens.support.ChildJvm;
import io.peerlens.support.KillablePostgres;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import org.flywaydb.core.Flyway;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.DriverManagerDataSource;

/**
 * Two evaluators work through hours in which alerts open, change and close, while one of them or
 * the database is killed with SIGKILL. In the end the alerts, their histories and what is to be
 * sent are those that {@link PlannedIncidents} finds by looking at every sample.
 */
@Order(1)
class AlertsThroughKillsIT {

  @TempDir(cleanup = CleanupMode.ON_SUCCESS)
  @Nullable Path folder;

  @Test
  @DisplayName("each evaluator and the database are killed once, seed 4")
  void everyIncidentHasOneAlertThoughEachIsKilledOnce() throws Exception {
    prove(4, 1, 720);
  }

  @Test
  @Tag("proof")
  @DisplayName("each evaluator and the database are killed eight times, seed 12")
  void everyIncidentHasOneAlertThroughManyKills() throws Exception {
    prove(12, 8, 5_760);
  }

  private void prove(long seed, int rounds, int ticks) throws Exception {
    Path root = Objects.requireNonNull(folder);
    Random random = new Random(seed);
    try (KillablePostgres database = KillablePostgres.create(root)) {
      Flyway.configure().dataSource(database.jdbcUrl(), "postgres", "postgres").load().migrate();
      long to = Instant.now().minusSeconds(60).getEpochSecond() / 5 * 5;
      PlannedIncidents planned =
          new PlannedIncidents(seed, Instant.ofEpochSecond(to - 5L * ticks), ticks);
      try (Connection connection = database.connect()) {
        planned.write(connection, 2);
      }
      try (ChildJvm first = evaluator(root, database, "first", ticks);
          ChildJvm second = evaluator(root, database, "second", ticks)) {
        first.start();
        second.start();
        for (int round = 0; round < rounds; round++) {
          List<Integer> order = new ArrayList<>(List.of(0, 1, 2));
          Collections.shuffle(order, random);
          for (int i = 0; i < order.size(); i++) {
            double share = (round * 3 + i + 0.3 + 0.5 * random.nextDouble()) / (rounds * 3 + 1);
            Instant moment = planned.tick((int) (share * ticks));
            await()
                .atMost(Duration.ofMinutes(3))
                .pollInterval(Duration.ofMillis(20))
                .ignoreExceptions()
                .until(() -> revive(first, second) && anyShardIsAt(database, moment));
            switch (order.get(i)) {
              case 0 -> restart(first);
              case 1 -> restart(second);
              default -> {
                database.kill();
                database.start();
              }
            }
          }
        }
        await()
            .atMost(Duration.ofMinutes(5))
            .ignoreExceptions()
            .until(
                () -> revive(first, second) && allShardsAreAt(database, planned.tick(ticks - 1)));
      }
      try (Connection connection = database.connect()) {
        PlannedIncidents.Outcome outcome = planned.compare(connection);
        System.out.printf("Alerts: %d kills; %s%n", rounds * 3, outcome.summary());
        assertThat(outcome.wrong().stream().limit(20))
            .as("of %d deviations", outcome.wrong().size())
            .isEmpty();
      }
      incidents(database);
    }
  }

  /** Incidents are those that one undisturbed keeper finds, and every alert joined its own once. */
  private static void incidents(KillablePostgres database) {
    DriverManagerDataSource source =
        new DriverManagerDataSource(database.jdbcUrl(), "postgres", "postgres");
    JdbcClient jdbc = JdbcClient.create(source);
    TestKeeper.of(source).run(Instant.now());
    List<String> kept = memberships(jdbc);
    System.out.printf(
        "Incidents: %d, with %d alerts at the end%n",
        jdbc.sql("select count(*) from incident").query(Integer.class).single(), kept.size());
    assertThat(kept).isNotEmpty();
    TestKeeper.of(source).run(Instant.now());
    assertThat(memberships(jdbc)).as("judging again changes nothing").isEqualTo(kept);
    assertThat(
            jdbc.sql(
                    """
                    select m.alert_id || ': ' || count(h.id) || ' steps, ' || count(b.id) || ' to be told'
                    from incident_alert m join incident i on i.id = m.incident_id
                    left join alert_history h on h.alert_id = m.alert_id and h.at = m.joined_at and h.event = 'incident'
                      and h.note = 'I-' || i.number
                    left join alert_outbox b on b.history_id = h.id
                    group by m.incident_id, m.alert_id having count(h.id) <> 1 or count(b.id) <> 1
                    """)
                .query(String.class)
                .list())
        .as("alerts that did not join once")
        .isEmpty();
    assertThat(
            jdbc.sql(
                    """
                    select i.number || ': ' || i.alert_count from incident i
                    where i.status = 'open' and i.alert_count
                      <> (select count(*) from incident_alert m where m.incident_id = i.id and m.left_at is null)
                    """)
                .query(String.class)
                .list())
        .as("incidents that count wrongly")
        .isEmpty();
  }

  private static List<String> memberships(JdbcClient jdbc) {
    return jdbc.sql(
            "select incident_id || ' ' || alert_id from incident_alert where left_at is null order by 1")
        .query(String.class)
        .list();
  }

  private static void restart(ChildJvm evaluator) throws Exception {
    evaluator.kill();
    evaluator.start();
  }

  /** What a supervisor does: an evaluator that starts while the database is away ends. */
  private static boolean revive(ChildJvm... evaluators) throws IOException {
    for (ChildJvm evaluator : evaluators) {
      if (!evaluator.isRunning()) {
        evaluator.start();
      }
    }
    return true;
  }

  private static boolean anyShardIsAt(KillablePostgres database, Instant moment)
      throws SQLException {
    return count(database, ">=", moment) > 0;
  }

  private static boolean allShardsAreAt(KillablePostgres database, Instant moment)
      throws SQLException {
    return count(database, "<", moment) == 0;
  }

  private static int count(KillablePostgres database, String comparison, Instant moment)
      throws SQLException {
    try (Connection connection = database.connect();
        var statement = connection.createStatement();
        var row =
            statement.executeQuery(
                "select count(*) from evaluation_shard where last_tick "
                    + comparison
                    + " timestamptz '"
                    + moment
                    + "'")) {
      row.next();
      return row.getInt(1);
    }
  }

  private static ChildJvm evaluator(Path root, KillablePostgres database, String name, int ticks) {
    return new ChildJvm(
        root.resolve(name + ".log"),
        List.of("-Xmx384m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"),
        Application.class,
        List.of(
            "--peerlens.roles=evaluator",
            "--peerlens.node=" + name,
            "--peerlens.evaluation.lag=1s",
            "--peerlens.evaluation.shards=2",
            "--peerlens.evaluation.catch-up=" + (ticks * 5 + 7200) + "s",
            "--peerlens.alerts.flap-window=" + PlannedIncidents.FLAP_WINDOW.toSeconds() + "s",
            "--db-scheduler.heartbeat-interval=1s",
            "--db-scheduler.missed-heartbeats-limit=4",
            "--spring.datasource.url=" + database.jdbcUrl(),
            "--spring.datasource.username=postgres",
            "--spring.datasource.password=postgres",
            "--spring.datasource.hikari.connection-timeout=2000",
            "--server.port=0",
            "--server.address=127.0.0.1"));
  }
}
