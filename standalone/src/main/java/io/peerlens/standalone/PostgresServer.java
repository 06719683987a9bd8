package io.peerlens.standalone;

import java.io.IOException;
import java.io.InputStream;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.SecureRandom;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.Properties;
import java.util.concurrent.TimeUnit;

/**
 * A PostgreSQL server of its own, in the data directory, reachable from this machine only and only
 * with a generated password.
 *
 * <p>The server is started by {@code pg_ctl}, which detaches it from the terminal, so that Ctrl-C
 * reaches Peerlens alone and things stop in order. A small guard process holds a pipe from this one
 * and runs {@code pg_ctl stop} as soon as the pipe closes: on an orderly stop, and just as well
 * when this process is killed. What even the guard cannot see (power loss, both killed) the next
 * start mends: it stops a server that still runs on the folder and clears a stale process file.
 */
final class PostgresServer implements AutoCloseable {

  static final String DATABASE = "peerlens";
  static final String USER = "peerlens";
  private static final String SUPERUSER = "postgres";

  private final int port;
  private final String password;
  private final Process guard;

  private PostgresServer(int port, String password, Process guard) {
    this.port = port;
    this.password = password;
    this.guard = guard;
  }

  /**
   * Starts the server; returns when it answers and the database exists.
   *
   * @param root the data directory
   * @throws Refusal when it does not start, with the last lines of its log
   */
  static PostgresServer start(DataDirectory root) throws IOException, InterruptedException {
    PostgresBinaries binaries = PostgresBinaries.unpackInto(root.root().resolve("programs"));
    Path data = root.root().resolve("postgres");
    PostgresUser user = PostgresUser.forFolder(data);
    Credentials credentials = Credentials.of(root);
    if (!Files.exists(data.resolve("PG_VERSION"))) {
      initialise(root, binaries, user, data, credentials);
    }
    checkVersion(binaries, user, data);
    stopLeftover(root, binaries, user, data);

    int port = freePort(credentials.port());
    credentials.save(root, port);
    Files.writeString(data.resolve("peerlens.conf"), configuration(port));
    user.give(data.resolve("peerlens.conf"));

    Path log = data.resolve("start.log");
    Files.deleteIfExists(log);
    Process guard = guard(binaries, user, data);
    int exit =
        run(
            user.command(
                List.of(
                    binaries.program("pg_ctl"),
                    "start",
                    "-D",
                    data.toString(),
                    "-l",
                    log.toString(),
                    "-w",
                    "-t",
                    "300")),
            data,
            root.root().resolve("logs").resolve("pg_ctl.log"));
    if (exit != 0) {
      release(guard);
      throw new Refusal(
          "PostgreSQL did not start. Its log "
              + data.resolve("log")
              + " ends with:\n"
              + tail(data, log));
    }
    PostgresServer server = new PostgresServer(port, credentials.password(), guard);
    try {
      server.createDatabase(credentials);
    } catch (SQLException e) {
      server.close();
      throw new Refusal("PostgreSQL started but refused to work: " + e.getMessage());
    }
    return server;
  }

  String jdbcUrl() {
    return "jdbc:postgresql://127.0.0.1:" + port + "/" + DATABASE;
  }

  String password() {
    return password;
  }

  int port() {
    return port;
  }

  /** Stops the server in order (open transactions are rolled back); returns when it has stopped. */
  @Override
  public void close() {
    release(guard);
    try {
      guard.waitFor(90, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static void release(Process guard) {
    try {
      guard.getOutputStream().close();
    } catch (IOException e) {
      // The guard has gone already.
    }
  }

  private static Process guard(PostgresBinaries binaries, PostgresUser user, Path data)
      throws IOException {
    List<String> command =
        new ArrayList<>(
            List.of("sh", "-c", "trap '' HUP INT TERM; read -r line; exec \"$@\"", "peerlens"));
    command.addAll(
        user.command(
            List.of(
                binaries.program("pg_ctl"),
                "stop",
                "-D",
                data.toString(),
                "-m",
                "fast",
                "-w",
                "-t",
                "60")));
    return new ProcessBuilder(command)
        .directory(data.toFile())
        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
        .redirectError(ProcessBuilder.Redirect.DISCARD)
        .start();
  }

  private static void initialise(
      DataDirectory root,
      PostgresBinaries binaries,
      PostgresUser user,
      Path data,
      Credentials credentials)
      throws IOException, InterruptedException {
    if (Files.exists(data)) {
      throw new Refusal(
          data + " exists but holds no database (there is no PG_VERSION). Move it away.");
    }
    // Made under another name and renamed when complete: being cut off here costs nothing.
    Path temporary = root.root().resolve("postgres.new");
    deleteTree(temporary);
    Files.createDirectory(temporary);
    user.give(temporary);
    Path passwordFile = temporary.resolveSibling("postgres.pw");
    root.writeSecret(passwordFile, credentials.adminPassword() + "\n");
    user.give(passwordFile);
    Path log = root.root().resolve("logs").resolve("initdb.log");
    try {
      int exit =
          run(
              user.command(
                  List.of(
                      binaries.program("initdb"),
                      "-D",
                      temporary.toString(),
                      "-U",
                      SUPERUSER,
                      "--pwfile=" + passwordFile,
                      "--auth=scram-sha-256",
                      "--encoding=UTF8",
                      "--locale=C",
                      "--locale-provider=builtin",
                      "--builtin-locale=C.UTF-8",
                      "--set=timezone=UTC",
                      "--set=log_timezone=UTC")),
              temporary,
              log);
      if (exit != 0) {
        throw new Refusal("PostgreSQL could not be set up:\n" + Files.readString(log));
      }
    } finally {
      Files.deleteIfExists(passwordFile);
    }
    Files.writeString(
        temporary.resolve("postgresql.conf"),
        """

        # Written anew at each start of Peerlens.
        include_if_exists = 'peerlens.conf'

        # Settings of your own go below this line and win.
        """,
        StandardOpenOption.APPEND);
    Files.move(temporary, data);
  }

  private static void checkVersion(PostgresBinaries binaries, PostgresUser user, Path data)
      throws IOException, InterruptedException {
    String have = Files.readString(data.resolve("PG_VERSION")).strip();
    Process process =
        new ProcessBuilder(user.command(List.of(binaries.program("postgres"), "--version")))
            .directory(data.toFile())
            .redirectErrorStream(true)
            .start();
    String version = read(process).strip();
    process.waitFor();
    String major = version.replaceFirst("^.* ([0-9]+)[.].*$", "$1");
    if (!have.equals(major)) {
      throw new Refusal(
          "The database in "
              + data
              + " was made by PostgreSQL "
              + have
              + "; this version of Peerlens brings "
              + version
              + ". Use the version of Peerlens that made it, or another --data DIR.");
    }
  }

  /** A server that outlived a killed Peerlens is stopped; a file that only looks like one goes. */
  private static void stopLeftover(
      DataDirectory root, PostgresBinaries binaries, PostgresUser user, Path data)
      throws IOException, InterruptedException {
    Path file = data.resolve("postmaster.pid");
    if (!Files.exists(file)) {
      return;
    }
    List<String> lines = Files.readAllLines(file);
    Optional<ProcessHandle> process =
        lines.isEmpty()
            ? Optional.empty()
            : ProcessHandle.of(Long.parseLong(lines.getFirst().strip()));
    boolean ours =
        process
            .map(p -> p.info().command().map(c -> c.endsWith("postgres")).orElse(p.isAlive()))
            .orElse(false);
    if (!ours) {
      // The number may belong to somebody else by now, and PostgreSQL would not start beside it.
      Files.delete(file);
      return;
    }
    run(
        user.command(
            List.of(
                binaries.program("pg_ctl"),
                "stop",
                "-D",
                data.toString(),
                "-m",
                "fast",
                "-w",
                "-t",
                "60")),
        data,
        root.root().resolve("logs").resolve("pg_ctl.log"));
  }

  private void createDatabase(Credentials credentials) throws SQLException {
    try (Connection connection =
            DriverManager.getConnection(
                "jdbc:postgresql://127.0.0.1:" + port + "/postgres",
                SUPERUSER,
                credentials.adminPassword());
        Statement statement = connection.createStatement()) {
      if (!exists(statement, "select from pg_roles where rolname = '" + USER + "'")) {
        statement.execute("create role " + USER + " login");
      }
      // Both are hexadecimal and need no quoting; set each time, so the file is always right.
      statement.execute("alter role " + USER + " password '" + credentials.password() + "'");
      if (!exists(statement, "select from pg_database where datname = '" + DATABASE + "'")) {
        statement.execute("create database " + DATABASE + " owner " + USER);
      }
    }
  }

  private static boolean exists(Statement statement, String sql) throws SQLException {
    try (ResultSet result = statement.executeQuery(sql)) {
      return result.next();
    }
  }

  static String configuration(int port) {
    long memory =
        ((com.sun.management.OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean())
            .getTotalMemorySize();
    long mebibytes = memory >> 20;
    long sharedBuffers = Math.clamp(mebibytes / 16, 128, 1024);
    return """
    listen_addresses = '127.0.0.1'
    port = %d
    unix_socket_directories = ''
    max_connections = 100
    shared_buffers = %dMB
    effective_cache_size = %dMB
    work_mem = 16MB
    maintenance_work_mem = 128MB
    synchronous_commit = on
    wal_compression = on
    wal_buffers = 16MB
    min_wal_size = 256MB
    max_wal_size = 1GB
    checkpoint_timeout = 15min
    checkpoint_completion_target = 0.9
    random_page_cost = 1.1
    jit = off
    logging_collector = on
    log_directory = 'log'
    log_filename = 'postgres-%%a.log'
    log_rotation_age = 1d
    log_rotation_size = 0
    log_truncate_on_rotation = on
    log_line_prefix = '%%m [%%p] '
    log_checkpoints = off
    """
        .formatted(port, sharedBuffers, Math.max(256, mebibytes / 3));
  }

  private static int freePort(int preferred) throws IOException {
    return preferred > 0 && Ports.isFree(preferred) ? preferred : Ports.anyFree();
  }

  private static int run(List<String> command, Path directory, Path log)
      throws IOException, InterruptedException {
    ProcessBuilder builder = new ProcessBuilder(command).directory(directory.toFile());
    builder.environment().put("LC_ALL", "C");
    builder.redirectErrorStream(true).redirectOutput(log.toFile());
    Process process = builder.start();
    process.getOutputStream().close();
    return process.waitFor();
  }

  private static String tail(Path data, Path startLog) throws IOException {
    List<String> lines = new ArrayList<>();
    if (Files.exists(startLog)) {
      lines.addAll(Files.readAllLines(startLog));
    }
    Path folder = data.resolve("log");
    if (Files.isDirectory(folder)) {
      try (var files = Files.list(folder)) {
        Optional<Path> newest = files.max(Comparator.comparing(f -> f.toFile().lastModified()));
        if (newest.isPresent()) {
          lines.addAll(Files.readAllLines(newest.get()));
        }
      }
    }
    return String.join("\n", lines.subList(Math.max(0, lines.size() - 10), lines.size()));
  }

  private static String read(Process process) throws IOException {
    try (InputStream in = process.getInputStream()) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  private static void deleteTree(Path path) throws IOException {
    if (!Files.exists(path)) {
      return;
    }
    try (var tree = Files.walk(path)) {
      for (Path file : tree.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }

  /** Generated once and kept in a file that only the owner can read, for psql and Grafana too. */
  private record Credentials(String password, String adminPassword, int port) {

    static Credentials of(DataDirectory root) throws IOException {
      Path file = file(root);
      if (Files.exists(file)) {
        Properties properties = new Properties();
        try (var reader = Files.newBufferedReader(file)) {
          properties.load(reader);
        }
        String password = properties.getProperty("password", "");
        String adminPassword = properties.getProperty("admin-password", "");
        if (!password.isEmpty() && !adminPassword.isEmpty()) {
          return new Credentials(
              password, adminPassword, Integer.parseInt(properties.getProperty("port", "0")));
        }
      }
      if (Files.exists(root.root().resolve("postgres"))) {
        throw new Refusal(
            file + " is missing or damaged: without its passwords the database cannot be opened.");
      }
      Credentials fresh = new Credentials(generate(), generate(), 0);
      fresh.save(root, 0);
      return fresh;
    }

    void save(DataDirectory root, int port) {
      root.writeSecret(
          file(root),
          """
          # The embedded PostgreSQL of this directory. Keep it secret.
          url=jdbc:postgresql://127.0.0.1:%d/%s
          port=%d
          user=%s
          password=%s
          admin-user=%s
          admin-password=%s
          """
              .formatted(port, DATABASE, port, USER, password, SUPERUSER, adminPassword));
    }

    private static Path file(DataDirectory root) {
      return root.root().resolve("database.properties");
    }

    private static String generate() {
      byte[] bytes = new byte[18];
      new SecureRandom().nextBytes(bytes);
      return HexFormat.of().formatHex(bytes);
    }
  }
}
