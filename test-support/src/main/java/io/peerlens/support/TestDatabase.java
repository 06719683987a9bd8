package io.peerlens.support;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.atomic.AtomicInteger;
import org.flywaydb.core.Flyway;
import org.testcontainers.DockerClientFactory;
import org.testcontainers.postgresql.PostgreSQLContainer;
import org.testcontainers.utility.DockerImageName;

/**
 * A real database server for tests, one for each JVM: TimescaleDB in a container when Docker
 * answers, the embedded PostgreSQL otherwise, or when PEERLENS_TEST_DATABASE=embedded. Every test
 * class gets a database of its own: {@link #migrated} copies a template, {@link #create} is for
 * tests of migrations and of the first start.
 *
 * @param jdbcUrl without credentials
 * @param timescale whether the server has TimescaleDB; without it tests of hypertables say that
 *     they were skipped
 */
public record TestDatabase(String jdbcUrl, String user, String password, boolean timescale) {

  private static final String OFFICIAL_IMAGE = "timescale/timescaledb:2.19.3-pg17";
  private static final AtomicInteger COUNTER = new AtomicInteger();

  /** An empty database with a name of its own on the server of this JVM. */
  public static TestDatabase create() {
    return create("");
  }

  /** A database with all migrations, as a server that starts on an empty one leaves it. */
  public static TestDatabase migrated() {
    return create(" template " + Template.NAME);
  }

  private static TestDatabase create(String options) {
    Server server = Holder.SERVER;
    String name = "test_" + ProcessHandle.current().pid() + "_" + COUNTER.incrementAndGet();
    server.execute("create database " + name + options);
    return server.database(name);
  }

  /** A new connection, owned by the caller. */
  public Connection connect() throws SQLException {
    return DriverManager.getConnection(jdbcUrl, user, password);
  }

  private record Server(String host, int port, String user, String password, boolean timescale) {
    TestDatabase database(String name) {
      String url = "jdbc:postgresql://" + host + ":" + port + "/" + name;
      return new TestDatabase(url, user, password, timescale);
    }

    void execute(String... statements) {
      try (Connection connection = database("postgres").connect();
          Statement statement = connection.createStatement()) {
        for (String sql : statements) {
          statement.execute(sql);
        }
      } catch (SQLException e) {
        throw new IllegalStateException("No test database: " + e.getMessage(), e);
      }
    }
  }

  /** Migrated once for each JVM; nobody may connect to what is copied, TimescaleDB neither. */
  private static final class Template {
    static final String NAME = "template_" + ProcessHandle.current().pid();

    static {
      Server server = Holder.SERVER;
      server.execute("create database " + NAME);
      TestDatabase template = server.database(NAME);
      Flyway.configure()
          .dataSource(template.jdbcUrl(), template.user(), template.password())
          .load()
          .migrate();
      server.execute(
          "alter database " + NAME + " allow_connections false",
          "select pg_terminate_backend(pid, 10000) from pg_stat_activity where datname = '"
              + NAME
              + "'");
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
        // Nothing here outlives the server: what it writes need not reach the disk.
        container.setCommand(
            "postgres",
            "-c",
            "fsync=off",
            "-c",
            "synchronous_commit=off",
            "-c",
            "full_page_writes=off",
            "-c",
            "max_connections=400",
            "-c",
            "timescaledb.telemetry_level=off");
        container.start();
        Runtime.getRuntime().addShutdownHook(new Thread(container::stop));
        return new Server(
            container.getHost(), container.getMappedPort(5432), "postgres", "postgres", true);
      }
      try {
        EmbeddedPostgres postgres =
            EmbeddedPostgres.builder()
                .setServerConfig("fsync", "off")
                .setServerConfig("synchronous_commit", "off")
                .setServerConfig("full_page_writes", "off")
                .setServerConfig("max_connections", "400")
                .start();
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
        if (DockerClientFactory.instance().isDockerAvailable()) {
          return true;
        }
      } catch (RuntimeException e) {
        // said below
      }
      Missing.note(
          "Docker",
          "integration tests ran on the embedded PostgreSQL, without hypertables, chunks and"
              + " columnstore; install Docker (Debian package docker.io)");
      return false;
    }
  }
}
