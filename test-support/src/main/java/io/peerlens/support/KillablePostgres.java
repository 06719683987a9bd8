package io.peerlens.support;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;

/**
 * A PostgreSQL server that is a child of this process, can be killed with SIGKILL, and started
 * again on the same folder. What it acknowledged must survive that: it writes its log through to
 * the operating system at each commit.
 */
public final class KillablePostgres implements AutoCloseable {

  private static final String DATABASE = "peerlens";
  private static final List<String> SETTINGS =
      List.of(
          "-c", "listen_addresses=127.0.0.1",
          "-c", "unix_socket_directories=",
          "-c", "synchronous_commit=on",
          "-c", "wal_keep_size=1GB",
          "-c", "max_connections=300", // as it was made with: a standby must allow as many
          "-c", "fsync=on");

  private final Path data;
  private final File log;
  private final int port;
  private final String program;
  private @Nullable Process process;

  private KillablePostgres(Path data, File log, int port, String program) {
    this.data = data;
    this.log = log;
    this.port = port;
    this.program = program;
  }

  /** A server with an empty database, running. */
  public static KillablePostgres create(Path folder) throws IOException, SQLException {
    KillablePostgres server = make(folder);
    server.start();
    return server;
  }

  /**
   * Two servers with an empty database, running.
   *
   * @param standby receives what the primary writes, until it is {@linkplain #stopReceiving told to
   *     stop} or {@linkplain #promote promoted}
   */
  public record Pair(KillablePostgres primary, KillablePostgres standby) implements AutoCloseable {
    @Override
    public void close() {
      standby.close();
      primary.close();
    }
  }

  /** A primary, and a standby to which it streams without waiting for it. */
  public static Pair createPair(Path folder) throws IOException, SQLException {
    KillablePostgres primary = make(folder);
    Path copy = folder.resolve("standby");
    try (Stream<Path> files = Files.walk(primary.data)) {
      for (Path file : files.toList()) { // a folder comes before what is in it
        Files.copy(
            file,
            copy.resolve(primary.data.relativize(file).toString()),
            StandardCopyOption.COPY_ATTRIBUTES);
      }
    }
    Files.createFile(copy.resolve("standby.signal"));
    Files.writeString(
        copy.resolve("postgresql.auto.conf"),
        "primary_conninfo = 'host=127.0.0.1 port=" + primary.port + " user=postgres'\n",
        StandardOpenOption.APPEND);
    KillablePostgres standby =
        new KillablePostgres(
            copy, folder.resolve("standby.log").toFile(), TestKafka.freePort(), primary.program);
    Pair pair = new Pair(primary, standby);
    try {
      primary.start();
      standby.start();
      return pair;
    } catch (IOException | RuntimeException e) {
      pair.close();
      throw e;
    }
  }

  /** A standby gets no more from its primary, and lags from now on. */
  public void stopReceiving() throws SQLException {
    try (Connection connection = connect();
        Statement statement = connection.createStatement()) {
      statement.execute("alter system set primary_conninfo = ''");
      statement.execute("select pg_reload_conf()");
    }
    Awaitility.await("the end of streaming")
        .atMost(Duration.ofSeconds(30))
        .until(() -> number("select count(*) from pg_stat_wal_receiver") == 0);
  }

  /** A standby becomes the primary, with what it has received. */
  public void promote() throws SQLException {
    if (number("select pg_promote()::int") != 1) {
      throw new IllegalStateException("not promoted within a minute, see " + log);
    }
  }

  /** One number that a statement returns. */
  public long number(String sql) throws SQLException {
    try (Connection connection = connect();
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(sql)) {
      row.next();
      return row.getLong(1);
    }
  }

  /** A server with an empty database, stopped. */
  private static KillablePostgres make(Path folder) throws IOException, SQLException {
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
    return new KillablePostgres(data, folder.resolve("postgres.log").toFile(), port, program);
  }

  /** Starts the server and waits until it answers; after a kill it recovers first. */
  public void start() throws IOException {
    List<String> command = new ArrayList<>();
    if ("root".equals(System.getProperty("user.name"))) {
      command.addAll(List.of("unshare", "-U")); // PostgreSQL refuses to run as root
    }
    command.addAll(List.of(program, "-D", data.toString(), "-p", String.valueOf(port)));
    command.addAll(SETTINGS);
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

  /** Address that a JDBC URL may name among others. */
  public String address() {
    return "127.0.0.1:" + port;
  }

  public String jdbcUrl() {
    return jdbcUrl(address());
  }

  /**
   * The database on one of these servers.
   *
   * @param addresses separated by commas
   */
  public static String jdbcUrl(String addresses) {
    return "jdbc:postgresql://" + addresses + "/" + DATABASE;
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
