package io.peerlens.support;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.atomic.AtomicInteger;
import org.testcontainers.DockerClientFactory;
import org.testcontainers.postgresql.PostgreSQLContainer;
import org.testcontainers.utility.DockerImageName;

/**
 * A real database server for tests, one for each JVM: TimescaleDB in a container when Docker
 * answers, the embedded PostgreSQL otherwise, or when PEERLENS_TEST_DATABASE=embedded. Every test
 * class gets an empty database of its own.
 *
 * @param jdbcUrl without credentials
 * @param timescale whether the server has TimescaleDB; without it tests of hypertables say that
 *     they were skipped
 */
public record TestDatabase(String jdbcUrl, String user, String password, boolean timescale) {

  private static final String OFFICIAL_IMAGE = "timescale/timescaledb:latest-pg17";
  private static final AtomicInteger COUNTER = new AtomicInteger();

  /** An empty database with a name of its own on the server of this JVM. */
  public static TestDatabase create() {
    Server server = Holder.SERVER;
    String name = "test_" + ProcessHandle.current().pid() + "_" + COUNTER.incrementAndGet();
    try (Connection connection =
            DriverManager.getConnection(server.url("postgres"), server.user(), server.password());
        Statement statement = connection.createStatement()) {
      statement.execute("create database " + name);
    } catch (SQLException e) {
      throw new IllegalStateException("No test database: " + e.getMessage(), e);
    }
    return new TestDatabase(server.url(name), server.user(), server.password(), server.timescale());
  }

  /** A new connection, owned by the caller. */
  public Connection connect() throws SQLException {
    return DriverManager.getConnection(jdbcUrl, user, password);
  }

  private record Server(String host, int port, String user, String password, boolean timescale) {
    String url(String database) {
      return "jdbc:postgresql://" + host + ":" + port + "/" + database;
    }
  }

  private static final class Holder {
    static final Server SERVER = start();

    private static Server start() {
      if (dockerAnswers()) {
        String image = System.getenv().getOrDefault("TIMESCALEDB_IMAGE", OFFICIAL_IMAGE);
        @SuppressWarnings("resource") // lives as long as the JVM; stopped by its shutdown hook
        PostgreSQLContainer container =
            new PostgreSQLContainer(
                DockerImageName.parse(image).asCompatibleSubstituteFor("postgres"));
        container.withDatabaseName("postgres").withUsername("postgres").withPassword("postgres");
        container.start();
        Runtime.getRuntime().addShutdownHook(new Thread(container::stop));
        return new Server(
            container.getHost(), container.getMappedPort(5432), "postgres", "postgres", true);
      }
      System.err.println(
          "SKIPPED: Docker does not answer, so integration tests run on the embedded PostgreSQL;"
              + " tests of hypertables, chunks and columnstore are skipped.");
      try {
        EmbeddedPostgres postgres = EmbeddedPostgres.builder().start();
        return new Server("127.0.0.1", postgres.getPort(), "postgres", "postgres", false);
      } catch (IOException e) {
        throw new UncheckedIOException("The embedded PostgreSQL did not start", e);
      }
    }

    private static boolean dockerAnswers() {
      if ("embedded".equals(System.getenv("PEERLENS_TEST_DATABASE"))) {
        return false;
      }
      try {
        return DockerClientFactory.instance().isDockerAvailable();
      } catch (RuntimeException e) {
        return false;
      }
    }
  }
}
