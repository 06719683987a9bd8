package io.peerlens.standalone;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.peerlens.standalone.esxtop.EsxtopChoice;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** {@code --database} and {@code --kafka}: what is named there is used and nothing else started. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ElsewhereIT {

  private static final Map<String, String> NO_ENVIRONMENT = Map.of();

  /** Nothing of these captures is esxtop's. */
  private static final Replay.Esxtop NO_ESXTOP =
      new Replay.Esxtop(
          EsxtopChoice.NONE,
          () -> {
            throw new AssertionError();
          });

  @TempDir static Path parent;

  private PostgresServer postgres;
  private KafkaBroker kafka;
  private final Properties database = new Properties();

  @BeforeAll
  void startThemElsewhere() throws Exception {
    try (DataDirectory data = DataDirectory.open(parent.resolve("elsewhere"))) {
      postgres = PostgresServer.start(data);
      kafka = KafkaBroker.start(data.root().resolve("kafka"), Ports.anyFree());
      try (var reader = Files.newBufferedReader(data.root().resolve("database.properties"))) {
        database.load(reader);
      }
    }
  }

  @AfterAll
  void stop() {
    kafka.close();
    postgres.close();
  }

  @Test
  void bothAreUsedAndNeitherIsStarted() throws Exception {
    Path data = parent.resolve("own");
    ByteArrayOutputStream first = new ByteArrayOutputStream();
    try (StandaloneServer server = start(data, url("password"), kafka.bootstrap(), first)) {
      assertThat(server.url()).startsWith("http://localhost:");
      assertThat(first.toString(UTF_8)).contains("Admin token").doesNotContain("PostgreSQL");
      Path capture = parent.resolve("a.lp");
      Files.writeString(capture, "replayed,host=a value=1 1795219380000000000\n");
      Replay replay =
          new Replay(
              List.of(capture),
              kafka.bootstrap(),
              0,
              false,
              NO_ESXTOP,
              java.time.InstantSource.system(),
              console(first));
      assertThat(replay.send()).isEqualTo(1);
      await()
          .atMost(Duration.ofSeconds(30))
          .untilAsserted(() -> assertThat(number("select count(*) from sample")).isEqualTo(1));
    }
    assertThat(number("select count(*) from setting where value ->> 'raw' = '14d'")).isEqualTo(1);
    assertThat(data.resolve("postgres")).doesNotExist();
    assertThat(data.resolve("kafka")).doesNotExist();

    // Another directory on the same database: its token was shown elsewhere, and that is said.
    ByteArrayOutputStream second = new ByteArrayOutputStream();
    Path other = parent.resolve("other");
    try (StandaloneServer server = start(other, url("password"), kafka.bootstrap(), second)) {
      assertThat(server.url()).startsWith("http://localhost:");
    }
    assertThat(second.toString(UTF_8))
        .contains("has its tokens already")
        .contains("PEERLENS_TOKEN");
    assertThat(other.resolve("admin-token")).doesNotExist();
  }

  @Test
  void aWrongPasswordIsReportedWithWhereToSetItButNotShown() {
    assertThatThrownBy(() -> ExternalDatabase.check(url("nobody-knows"), NO_ENVIRONMENT))
        .isInstanceOf(Refusal.class)
        .hasMessageContaining("jdbc:postgresql://127.0.0.1:")
        .hasMessageContaining("PEERLENS_DATABASE_PASSWORD")
        .message()
        .doesNotContain(database.getProperty("password"));
  }

  @Test
  void userAndPasswordComeFromTheEnvironment() {
    ExternalDatabase.check(
        postgres.jdbcUrl(),
        Map.of(
            "PEERLENS_DATABASE_USER",
            PostgresServer.USER,
            "PEERLENS_DATABASE_PASSWORD",
            postgres.password()));
  }

  @Test
  void aMissingDatabaseAndAClosedPortAreNamed() throws IOException {
    String missing = url("password").replace("/" + PostgresServer.DATABASE, "/nothing");
    assertThatThrownBy(() -> ExternalDatabase.check(missing, NO_ENVIRONMENT))
        .hasMessageContaining("/nothing cannot be used")
        .hasMessageContaining("create database");
    String closed = "jdbc:postgresql://127.0.0.1:" + Ports.anyFree() + "/peerlens";
    assertThatThrownBy(() -> ExternalDatabase.check(closed, NO_ENVIRONMENT))
        .hasMessageContaining(closed)
        .hasMessageContaining("Check host and port");
  }

  @Test
  void ofSeveralHostsThePrimaryIsFoundBehindOneThatIsDown() throws IOException {
    String hosts = "//127.0.0.1:" + Ports.anyFree() + ",";
    String primary = url("password").replace("//", hosts) + "&targetServerType=primary";
    ExternalDatabase.check(primary, NO_ENVIRONMENT);
    assertThatThrownBy(
            () -> ExternalDatabase.check(primary.replace("=primary", "=secondary"), NO_ENVIRONMENT))
        .isInstanceOf(Refusal.class)
        .hasMessageContaining("targetServerType");
  }

  @Test
  void aKafkaThatCannotBeFoundIsNamedWithTheReason() {
    assertThatThrownBy(
            () -> KafkaBroker.ensureTopics("nowhere.invalid:9092", java.util.Optional.empty()))
        .isInstanceOf(Refusal.class)
        .hasMessageContaining("Kafka at nowhere.invalid:9092 cannot be used")
        .hasMessageContaining("No resolvable bootstrap");
  }

  /** The database with user and password in its URL, as JDBC allows. */
  private String url(String password) {
    String right = database.getProperty("password");
    return postgres.jdbcUrl()
        + "?user="
        + PostgresServer.USER
        + "&password="
        + (password.equals("password") ? right : password);
  }

  private static StandaloneServer start(
      Path data, String database, String kafka, ByteArrayOutputStream out)
      throws InterruptedException, IOException {
    List<String> words =
        new ArrayList<>(List.of("start", "--no-sample", "--data", data.toString()));
    words.addAll(List.of("--port", Integer.toString(Ports.anyFree())));
    words.addAll(List.of("--database", database, "--kafka", kafka));
    return StandaloneServer.start(Options.parse(words), console(out));
  }

  private static Console console(ByteArrayOutputStream out) {
    return new Console(new PrintStream(out, true, UTF_8), false);
  }

  private long number(String sql) throws SQLException {
    try (Connection connection = DriverManager.getConnection(url("password"));
        Statement statement = connection.createStatement();
        ResultSet result = statement.executeQuery(sql)) {
      result.next();
      return result.getLong(1);
    }
  }
}
