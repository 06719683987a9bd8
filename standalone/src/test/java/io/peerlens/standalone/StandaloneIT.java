package io.peerlens.standalone;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.peerlens.standalone.esxtop.EsxtopChoice;
import io.peerlens.support.Programs;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.KeyStore;
import java.security.cert.CertificateFactory;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Everything at once, as a user has it: start, sample, stop, start again on the same data. */
class StandaloneIT {

  private static final String REPLAYED =
      """
      select count(*)
      from sample s join metric_set m on m.id = s.set_id join object o on o.id = m.object_id
      where o.name = 'a'
      """;

  private static final String RAW_FOR_THREE_DAYS =
      """
      select count(*) from setting
      where name = 'retention' and version = 2
        and value = '{"raw": "3d", "rollup5m": "30d", "rollup1h": "730d"}'
      """;

  /** Nothing of these captures is esxtop's. */
  private static final Replay.Esxtop NO_ESXTOP =
      new Replay.Esxtop(
          EsxtopChoice.NONE,
          () -> {
            throw new AssertionError();
          });

  @TempDir Path parent;

  @Test
  void aServerStartsStopsAndRestartsOnTheSameData() throws Exception {
    Path data = parent.resolve("data");
    int port = Ports.anyFree();
    int kafkaPort = Ports.anyFree();
    ByteArrayOutputStream first = new ByteArrayOutputStream();
    try (StandaloneServer server = start(data, port, kafkaPort, first, true)) {
      assertThat(status(server.url() + "/health")).isEqualTo(200);
      assertThat(status(server.url() + "/api/v1/objects")).isEqualTo(401);
      assertThat(first.toString(StandardCharsets.UTF_8))
          .contains(StandaloneServer.READY + " http://localhost:" + port)
          .contains("Admin token")
          .contains(Files.readString(data.resolve("admin-token")).strip());
      await()
          .atMost(Duration.ofSeconds(60))
          .untilAsserted(
              () -> {
                assertThat(number(data, "select count(*) from object")).isGreaterThanOrEqualTo(344);
                assertThat(number(data, "select count(*) from sample")).isGreaterThan(5_000);
              });
      assertThat(number(data, "select count(*) from dead_letter")).isZero();
      assertThat(number(data, RAW_FOR_THREE_DAYS)).isEqualTo(1);
      assertThat(first.toString(StandardCharsets.UTF_8)).contains("Raw samples are kept 3d");
      assertThat(backup("save", parent.resolve("running.tar.gz"), data).output())
          .contains("Stop it first");
      assertThatThrownBy(() -> start(data, Ports.anyFree(), Ports.anyFree(), first, false))
          .isInstanceOf(Refusal.class)
          .hasMessageContaining("Another Peerlens is running");
      assertThatThrownBy(() -> start(parent.resolve("x"), port, Ports.anyFree(), first, false))
          .isInstanceOf(Refusal.class)
          .hasMessageContaining("Port " + port + " for the pages is taken");
    }
    assertThat(data.resolve("run")).doesNotExist();
    assertThat(data.resolve("postgres").resolve("postmaster.pid")).doesNotExist();
    assertThat(Ports.isFree(kafkaPort)).isTrue();
    String token = Files.readString(data.resolve("admin-token"));

    // It goes on from a backup, in another folder.
    Path backup = parent.resolve("backup.tar.gz");
    assertThat(backup("save", backup, data).exitCode()).isZero();
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(backup)))
        .isEqualTo("rw-------");
    assertThat(backup("restore", backup, data).output()).contains("is not empty");
    Files.move(data, parent.resolve("lost"));
    assertThat(backup("restore", backup, data).exitCode()).isZero();

    ByteArrayOutputStream second = new ByteArrayOutputStream();
    int https = Ports.anyFree();
    try (StandaloneServer server =
        start(data, port, kafkaPort, second, false, "--https", "localhost:" + https)) {
      assertThat(status(server.url() + "/health")).isEqualTo(200);
      answersByHttps(data, https, token.strip());
      assertThat(number(data, "select count(*) from sample")).isGreaterThan(5_000);
      assertThat(second.toString(StandardCharsets.UTF_8)).doesNotContain("Admin token");
      assertThat(data.resolve("admin-token")).hasContent(token);

      Path key = data.resolve("secrets.key");
      assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(key)))
          .isEqualTo("rw-------");
      String before = Files.readString(key);
      assertThat(Standalone.run(words("secrets", "rotate", data), console(second))).isZero();
      assertThat(second.toString(StandardCharsets.UTF_8))
          .contains("0 secrets are sealed with the key");
      assertThat(Files.readString(key)).isNotEqualTo(before).hasSameSizeAs(before);

      Path capture = parent.resolve("a.lp");
      Files.writeString(
          capture,
          """
          replayed,host=a value=1 1795219380000000000
          replayed,host=a value=2 1795219390000000000
          """);
      Replay replay =
          new Replay(
              List.of(capture),
              "127.0.0.1:" + kafkaPort,
              0,
              false,
              NO_ESXTOP,
              java.time.InstantSource.system(),
              console(second));
      assertThat(replay.send()).isEqualTo(2);
      await()
          .atMost(Duration.ofSeconds(30))
          .untilAsserted(() -> assertThat(number(data, REPLAYED)).isEqualTo(2));
    }
  }

  @Test
  void aMissingCaptureIsNamed() {
    Replay replay =
        new Replay(
            List.of(parent.resolve("none.lp")),
            "127.0.0.1:1",
            0,
            false,
            NO_ESXTOP,
            java.time.InstantSource.system(),
            console(new ByteArrayOutputStream()));
    assertThatThrownBy(replay::send)
        .isInstanceOf(Refusal.class)
        .hasMessageContaining("There is no file")
        .hasMessageContaining("none.lp");
  }

  private static Programs.Result backup(String act, Path file, Path data) {
    return Programs.run(
        Map.of(),
        List.of(
            "sh",
            Path.of("..", "scripts", "backup").toString(),
            act,
            file.toString(),
            "--data",
            data.toString()));
  }

  private static List<String> words(String command, String what, Path data) {
    return List.of(command, what, "--data", data.toString());
  }

  private static StandaloneServer start(
      Path data, int port, int kafkaPort, ByteArrayOutputStream out, boolean sample, String... more)
      throws InterruptedException {
    List<String> words =
        new java.util.ArrayList<>(
            List.of(
                "start",
                "--data",
                data.toString(),
                "--port",
                Integer.toString(port),
                "--kafka-port",
                Integer.toString(kafkaPort)));
    if (!sample) {
      words.add("--no-sample");
    }
    words.addAll(List.of(more));
    return StandaloneServer.start(Options.parse(words), console(out));
  }

  /** As programs do that trust the certificate which was made. */
  private static void answersByHttps(Path data, int port, String token) throws Exception {
    KeyStore trusted = KeyStore.getInstance("PKCS12");
    trusted.load(null, null);
    try (InputStream in = Files.newInputStream(data.resolve("https-certificate.pem"))) {
      trusted.setCertificateEntry(
          "peerlens", CertificateFactory.getInstance("X.509").generateCertificate(in));
    }
    TrustManagerFactory trust =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    trust.init(trusted);
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(null, trust.getTrustManagers(), null);
    try (HttpClient http = HttpClient.newBuilder().sslContext(context).build()) {
      String url = "https://localhost:" + port;
      HttpResponse<String> resources =
          http.send(
              HttpRequest.newBuilder(
                      URI.create(url + "/suite-api/api/resources?pageSize=3&name=esx%7C"))
                  .header("Authorization", "OpsToken " + token)
                  .build(),
              HttpResponse.BodyHandlers.ofString());
      assertThat(resources.statusCode()).as(resources.body()).isEqualTo(200);
      assertThat(resources.body()).contains("\"pageInfo\"");
      assertThat(resources.headers().firstValue("Strict-Transport-Security")).isPresent();
      HttpResponse<String> page =
          http.send(
              HttpRequest.newBuilder(URI.create(url + "/"))
                  .header("Accept-Encoding", "gzip")
                  .build(),
              HttpResponse.BodyHandlers.ofString());
      assertThat(page.statusCode()).isEqualTo(200);
      assertThat(page.headers().firstValue("Content-Encoding")).hasValue("gzip");
    }
  }

  private static Console console(ByteArrayOutputStream out) {
    return new Console(new PrintStream(out, true, StandardCharsets.UTF_8), false);
  }

  private static int status(String url) throws IOException, InterruptedException {
    try (HttpClient http = HttpClient.newHttpClient()) {
      return http.send(
              HttpRequest.newBuilder(URI.create(url)).build(),
              HttpResponse.BodyHandlers.discarding())
          .statusCode();
    }
  }

  private static long number(Path data, String sql) throws IOException, SQLException {
    Properties properties = new Properties();
    try (var reader = Files.newBufferedReader(data.resolve("database.properties"))) {
      properties.load(reader);
    }
    try (Connection connection =
            DriverManager.getConnection(
                properties.getProperty("url"),
                properties.getProperty("user"),
                properties.getProperty("password"));
        Statement statement = connection.createStatement();
        ResultSet result = statement.executeQuery(sql)) {
      result.next();
      return result.getLong(1);
    }
  }
}
