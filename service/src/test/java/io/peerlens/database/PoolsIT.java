package io.peerlens.database;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariDataSource;
import io.peerlens.node.Role;
import io.peerlens.support.ApiClient;
import io.peerlens.support.ApiClient.Answer;
import io.peerlens.support.KillablePostgres;
import io.peerlens.support.PeerlensServer;
import io.peerlens.support.TestDatabase;
import java.nio.file.Path;
import java.sql.Connection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.jdbc.core.simple.JdbcClient;

/** No kind of work takes the connections of another, and health needs none. */
@Timeout(180)
class PoolsIT {

  private static final Duration QUICK = Duration.ofSeconds(5);

  @Test
  void requestsWithoutAConnectionAreRefusedAndEverythingElseContinues() throws Exception {
    try (PeerlensServer server =
        PeerlensServer.start(
            TestDatabase.create(),
            Set.of(Role.API),
            "peerlens.connections.api=2",
            "spring.datasource.hikari.connection-timeout=500")) {
      ApiClient admin = server.admin();
      assertThat(admin.get("/tokens").status()).isEqualTo(200);
      HikariDataSource pool = server.context().getBean("apiConnections", HikariDataSource.class);
      List<Connection> taken = new ArrayList<>();
      for (int i = 0; i < 2; i++) {
        taken.add(pool.getConnection());
      }
      try {
        Answer known = admin.get("/tokens");
        assertThat(known.status()).as("in the controller").isEqualTo(503);
        assertThat(known.header("Retry-After")).isNotEmpty();
        Answer unknown = new ApiClient(server.url(), "plt_unknown").get("/tokens");
        assertThat(unknown.status()).as("in the filter that looks for the token").isEqualTo(503);
        assertThat(unknown.header("Retry-After")).isNotEmpty();
        assertThat(unknown.header("Content-Type")).startsWith("application/problem+json");
        isUpAtOnce(server, "//health");
        isUpAtOnce(server, "//health/liveness");
        JdbcClient jdbc = server.context().getBean(JdbcClient.class);
        assertThat(jdbc.sql("select 1").query(Integer.class).single()).isOne();
        try (Workload.Mark mark = Workload.NOTIFICATION.begin()) {
          assertThat(jdbc.sql("select 1").query(Integer.class).single()).isOne();
        }
        assertThat(server.anonymous().send("POST", "//relay/no-such", "{}").status())
            .as("a relay has other connections")
            .isBetween(400, 499);
      } finally {
        for (Connection connection : taken) {
          connection.close();
        }
      }
      assertThat(admin.get("/tokens").status()).isEqualTo(200);
    }
  }

  @Test
  void aStatementOfARequestIsStoppedAndOneOfOtherWorkIsNot() throws Exception {
    TestDatabase database = TestDatabase.create();
    try (PeerlensServer server =
        PeerlensServer.start(database, Set.of(Role.API), "peerlens.connections.api-timeout=1s")) {
      ApiClient admin = server.admin();
      assertThat(admin.get("/maintenance-windows").status()).isEqualTo(200);
      JdbcClient jdbc = server.context().getBean(JdbcClient.class);
      assertThat(jdbc.sql("show statement_timeout").query(String.class).single()).isEqualTo("0");
      try (Connection blocker = database.connect()) {
        blocker.setAutoCommit(false);
        blocker.createStatement().execute("lock table api_token in access exclusive mode");
        long began = System.nanoTime();
        Answer answer = admin.get("/tokens");
        assertThat(answer.status()).isEqualTo(503);
        assertThat(answer.header("Retry-After")).isNotEmpty();
        assertThat(Duration.ofNanos(System.nanoTime() - began)).isLessThan(Duration.ofSeconds(20));
        blocker.rollback();
      }
      assertThat(admin.get("/tokens").status()).isEqualTo(200);
    }
  }

  @Test
  void healthReportsADatabaseOutageWithinSecondsAndLivenessDoesNot(@TempDir Path folder)
      throws Exception {
    try (KillablePostgres postgres = KillablePostgres.create(folder);
        PeerlensServer server =
            PeerlensServer.start(
                new TestDatabase(postgres.jdbcUrl(), "postgres", "postgres", false),
                Set.of(Role.API),
                "spring.datasource.hikari.connection-timeout=1000")) {
      isUpAtOnce(server, "//health");
      postgres.kill();
      await()
          .atMost(Duration.ofSeconds(20))
          .untilAsserted(() -> assertThat(quick(server, "//health").status()).isEqualTo(503));
      isUpAtOnce(server, "//health/liveness");
      postgres.start();
      await()
          .atMost(Duration.ofSeconds(20))
          .untilAsserted(() -> assertThat(quick(server, "//health").status()).isEqualTo(200));
      assertThat(server.admin().get("//health").body()).contains("\"db\"", "PostgreSQL");
    }
  }

  private static void isUpAtOnce(PeerlensServer server, String path) {
    Answer answer = quick(server, path);
    assertThat(answer.status()).as(path).isEqualTo(200);
    assertThat(answer.body()).contains("UP");
  }

  private static Answer quick(PeerlensServer server, String path) {
    long began = System.nanoTime();
    Answer answer = server.anonymous().get(path);
    assertThat(Duration.ofNanos(System.nanoTime() - began)).as(path).isLessThan(QUICK);
    return answer;
  }
}
