package io.peerlens.support;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;

/**
 * A PostgreSQL server that is a child of this process, can be killed with SIGKILL, and started
 * again on the same folder. What it acknowledged must survive that: it writes its log through to
 * the operating system at each commit.
 */
public final class KillablePostgres implements AutoCloseable {

  private static final String DATABASE = "peerlens";

  private final Path data;
  private final File log;
  private final int port;
  private final List<String> command;
  private @Nullable Process process;

  private KillablePostgres(Path data, File log, int port, List<String> command) {
    this.data = data;
    this.log = log;
    this.port = port;
    this.command = command;
  }

  /** A server with an empty database, running. */
  public static KillablePostgres create(Path folder) throws IOException, SQLException {
    Path data = folder.resolve("postgres");
    int port = TestKafka.freePort();
    String program;
    try (EmbeddedPostgres first =
        EmbeddedPostgres.builder()
            .setDataDirectory(data)
            .setCleanDataDirectory(false)
            .setPort(port)
            .start()) {
      try (Connection connection = first.getPostgresDatabase().getConnection();
          Statement statement = connection.createStatement()) {
        statement.execute("create database " + DATABASE);
      }
      long pid =
          Long.parseLong(Files.readAllLines(data.resolve("postmaster.pid")).getFirst().strip());
      program = ProcessHandle.of(pid).flatMap(p -> p.info().command()).orElseThrow();
    }
    List<String> command = new ArrayList<>();
    if ("root".equals(System.getProperty("user.name"))) {
      command.addAll(List.of("unshare", "-U")); // PostgreSQL refuses to run as root
    }
    command.addAll(
        List.of(
            program,
            "-D",
            data.toString(),
            "-p",
            String.valueOf(port),
            "-c",
            "listen_addresses=127.0.0.1",
            "-c",
            "unix_socket_directories=",
            "-c",
            "synchronous_commit=on",
            "-c",
            "fsync=on"));
    KillablePostgres server =
        new KillablePostgres(data, folder.resolve("postgres.log").toFile(), port, command);
    server.start();
    return server;
  }

  /** Starts the server and waits until it answers; after a kill it recovers first. */
  public void start() throws IOException {
    process =
        new ProcessBuilder(command)
            .directory(data.toFile())
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.appendTo(log))
            .start();
    Awaitility.await("PostgreSQL")
        .atMost(Duration.ofSeconds(60))
        .ignoreExceptions()
        .until(
            () -> {
              connect().close();
              return true;
            });
  }

  /** SIGKILL for the server and all of its workers. */
  public void kill() {
    Process killed = Objects.requireNonNull(process);
    List<ProcessHandle> all = new ArrayList<>(killed.descendants().toList());
    killed.destroyForcibly();
    all.forEach(ProcessHandle::destroyForcibly);
    Awaitility.await("the end of all workers")
        .atMost(Duration.ofSeconds(10))
        .until(() -> !killed.isAlive() && all.stream().noneMatch(ProcessHandle::isAlive));
  }

  /** A connection of the caller. */
  public Connection connect() throws SQLException {
    return DriverManager.getConnection(jdbcUrl(), "postgres", "postgres");
  }

  public String jdbcUrl() {
    return "jdbc:postgresql://127.0.0.1:" + port + "/" + DATABASE;
  }

  /** Whether the server runs. */
  public boolean isRunning() {
    return process != null && process.isAlive();
  }

  @Override
  public void close() {
    if (process != null && process.isAlive()) {
      process.destroy();
      try {
        if (!process.waitFor(10, TimeUnit.SECONDS)) {
          kill();
        }
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
