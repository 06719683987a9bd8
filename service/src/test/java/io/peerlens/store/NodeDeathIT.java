package io.peerlens.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.peerlens.Application;
import io.peerlens.support.ChildJvm;
import io.peerlens.support.SampleData;
import io.peerlens.support.TestDatabase;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Predicate;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/**
 * Two evaluators on one database. The one that is at a roll-up is killed with SIGKILL; the other
 * takes the task over and finishes the work.
 */
@Timeout(600)
@Order(1)
class NodeDeathIT {

  /** After four of these without a sign of life a node counts as dead. */
  private static final Duration HEARTBEAT = Duration.ofSeconds(1);

  private static final Duration DEAD_AFTER = HEARTBEAT.multipliedBy(4);
  private static final int MINUTES = 30;

  @TempDir(cleanup = CleanupMode.ON_SUCCESS)
  @Nullable Path folder;

  private record Pick(String node, Instant heartbeat) {}

  @Test
  void aKilledNodesRollUpMovesToAnotherNode() throws Exception {
    try (SampleData data = SampleData.create();
        ChildJvm one = evaluator("one", data.database());
        ChildJvm two = evaluator("two", data.database());
        Connection blocker = data.database().connect()) {
      Map<String, ChildJvm> nodes = Map.of("one", one, "two", two);
      int set =
          data.set(
              data.object("TEST", "Sensor", "s"),
              data.group("TEST", "Sensor", "g", List.of("m")),
              "");
      Instant begin = Instant.now().minus(Duration.ofHours(3)).truncatedTo(ChronoUnit.HOURS);
      for (int minute = 0; minute < MINUTES; minute++) {
        data.sample(begin.plusSeconds(60L * minute), set, minute);
      }
      // Whoever rolls up waits for this row, and so is at it until it is killed.
      blocker.setAutoCommit(false);
      try (Statement statement = blocker.createStatement()) {
        statement.execute("select from level_state where level = '5m' for update");
      }
      one.start();
      two.start();

      Pick first = awaitPick(data, pick -> true);
      Awaitility.await("a node that lives keeps its task, however long it takes")
          .atMost(Duration.ofSeconds(60))
          .until(
              () ->
                  pick(data)
                      .filter(pick -> pick.node.equals(first.node))
                      .filter(pick -> pick.heartbeat.isAfter(first.heartbeat.plus(DEAD_AFTER)))
                      .isPresent());
      Objects.requireNonNull(nodes.get(first.node)).kill();

      Pick second = awaitPick(data, pick -> !pick.node.equals(first.node));
      assertThat(second.heartbeat).isAfter(first.heartbeat);
      assertThat(count(data, "select count(*) from sample_5m")).isZero();
      blocker.rollback();

      Awaitility.await("the roll-up of the node that is left")
          .atMost(Duration.ofSeconds(60))
          .until(
              () ->
                  count(
                          data,
                          "select count(*) from scheduled_tasks"
                              + " where task_name = 'roll-up-part' and last_success is not null")
                      == 1);
      assertThat(
              data.jdbc()
                  .sql("select avg[1] from sample_5m order by time")
                  .query(Double.class)
                  .list())
          .containsExactly(2.0, 7.0, 12.0, 17.0, 22.0, 27.0);
      assertThat(count(data, "select sum(samples) from sample_1h")).isEqualTo(MINUTES);
    }
  }

  /** A real service process that does evaluators' work and takes a silent node for dead soon. */
  private ChildJvm evaluator(String name, TestDatabase database) {
    return new ChildJvm(
        Objects.requireNonNull(folder).resolve(name + ".log"),
        List.of("-Xmx256m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"),
        Application.class,
        List.of(
            "--peerlens.roles=evaluator",
            "--peerlens.node=" + name,
            "--peerlens.rollup.every=1s",
            "--peerlens.rollup.parts=1",
            "--db-scheduler.polling-interval=200ms",
            "--db-scheduler.heartbeat-interval=" + HEARTBEAT.toMillis() + "ms",
            "--db-scheduler.missed-heartbeats-limit=4",
            "--spring.datasource.url=" + database.jdbcUrl(),
            "--spring.datasource.username=" + database.user(),
            "--spring.datasource.password=" + database.password(),
            "--server.port=0",
            "--server.address=127.0.0.1"));
  }

  private static Pick awaitPick(SampleData data, Predicate<Pick> wanted) {
    return Awaitility.await("a node at the roll-up")
        .atMost(Duration.ofMinutes(3))
        .until(() -> pick(data).filter(wanted), Optional::isPresent)
        .orElseThrow();
  }

  /** Who is at the roll-up. */
  private static Optional<Pick> pick(SampleData data) {
    return data.jdbc()
        .sql(
            """
            select picked_by, last_heartbeat from scheduled_tasks
            where task_name = 'roll-up-part' and picked
            """)
        .query(
            (row, number) ->
                new Pick(
                    row.getString("picked_by"), row.getTimestamp("last_heartbeat").toInstant()))
        .optional();
  }

  private static long count(SampleData data, String sql) {
    return data.jdbc().sql(sql).query(Long.class).single();
  }
}
