package io.peerlens.standalone;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.peerlens.samples.DiskSpace;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** A disk that fills up under the standalone edition: a real one of 800 MB, in memory. */
@Timeout(400)
class FullDiskIT {

  private static final String PAUSED =
      "select count(*) from ingest_node where trouble like 'paused: less than 5 % of the disk of %'";
  private static final String NOTICES =
      """
      select count(*) from foreign_alert
      where source = 'notices' and key like 'ingest-trouble/%' and open
      """;

  @TempDir Path parent;
  private Path disk;
  private int sent;
  private long second = Instant.now().getEpochSecond() - 3600;

  @BeforeEach
  void mount() throws Exception {
    disk = Files.createDirectory(parent.resolve("disk"));
    assumeTrue(
        run("mount", "-t", "tmpfs", "-o", "size=800m,mode=755", "tmpfs", disk.toString()) == 0,
        "SKIPPED: a small file system cannot be mounted here, which takes root");
  }

  @AfterEach
  void unmount() throws Exception {
    run("umount", "-l", disk.toString());
  }

  private static int run(String... command) throws InterruptedException {
    try {
      return new ProcessBuilder(command)
          .redirectErrorStream(true)
          .redirectOutput(ProcessBuilder.Redirect.DISCARD)
          .start()
          .waitFor();
    } catch (IOException e) {
      return -1;
    }
  }

  @Test
  void ingestPausesThenTheBrokerRefusesReadsContinueAndAllRecovers() throws Exception {
    Path data = disk.resolve("data");
    Path filler = disk.resolve("filler");
    int kafkaPort = Ports.anyFree();
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    List<String> words =
        List.of(
            "start",
            "--no-sample",
            "--data",
            data.toString(),
            "--port",
            Integer.toString(Ports.anyFree()),
            "--kafka-port",
            Integer.toString(kafkaPort));
    Console console = new Console(new PrintStream(out, true, StandardCharsets.UTF_8), false);
    try (StandaloneServer server = StandaloneServer.start(Options.parse(words), console);
        KafkaProducer<String, String> producer = producer(kafkaPort)) {
      String token = Files.readString(data.resolve("admin-token")).strip();
      send(producer);
      awaitRows(data, 1);
      await().until(() -> Files.exists(data.resolve("reserve")));
      assertThat(disk(server, token).path("status").asString()).isEqualTo("UP");
      assertThat(disk(server, token).path("details").path("path").asString())
          .isEqualTo(data.toString());

      fillUntilFree(filler, 4);
      await().atMost(Duration.ofSeconds(20)).until(() -> number(data, PAUSED) == 1);
      assertThat(disk(server, token).path("status").asString()).isEqualTo("DOWN");
      await()
          .atMost(Duration.ofSeconds(60))
          .untilAsserted(() -> assertThat(number(data, NOTICES)).isPositive());
      send(producer); // taken by the broker, not read yet

      fillUntilFree(filler, 1);
      await()
          .atMost(Duration.ofSeconds(30))
          .until(
              () ->
                  out.toString(StandardCharsets.UTF_8)
                      .contains("The disk is nearly full: " + data));
      assertThat(data.resolve("reserve")).as("given up").doesNotExist();
      await().atMost(Duration.ofSeconds(60)).until(() -> isRefused(producer));
      // Longer than any of the broker's own clocks, each of which writes something.
      await()
          .during(Duration.ofSeconds(15))
          .atMost(Duration.ofSeconds(60))
          .untilAsserted(
              () -> {
                assertThat(get(server.url() + "/api/v1/objects", token)).contains("\"items\"");
                assertThat(rows(data)).isEqualTo(1);
              });

      Files.delete(filler);
      awaitRows(data, sent);
      await().atMost(Duration.ofSeconds(30)).until(() -> number(data, PAUSED) == 0);
      await()
          .atMost(Duration.ofSeconds(30))
          .until(() -> out.toString(StandardCharsets.UTF_8).contains("samples are taken"));
      send(producer);
      awaitRows(data, sent);
      await()
          .atMost(Duration.ofSeconds(60))
          .untilAsserted(() -> assertThat(number(data, NOTICES)).isZero());
      assertThat(disk(server, token).path("status").asString()).isEqualTo("UP");
      assertThat(data.resolve("reserve")).exists();
    }
  }

  @Test
  void aFullDiskIsNamedAtTheStart() throws Exception {
    fillUntilFree(disk.resolve("filler"), 1);
    List<String> words =
        List.of(
            "start",
            "--no-sample",
            "--data",
            disk.resolve("data").toString(),
            "--port",
            Integer.toString(Ports.anyFree()),
            "--kafka-port",
            Integer.toString(Ports.anyFree()));
    Console console = new Console(new PrintStream(new ByteArrayOutputStream()), false);
    assertThatThrownBy(() -> StandaloneServer.start(Options.parse(words), console).close())
        .isInstanceOf(Refusal.class)
        .hasMessageStartingWith("Disk full: " + disk.resolve("data") + " has ");
  }

  private void fillUntilFree(Path filler, double percent) throws IOException {
    DiskSpace space = DiskSpace.of(disk);
    long bytes = space.free() - Math.round(space.total() * percent / 100);
    byte[] block = new byte[1 << 16];
    try (var file =
        Files.newOutputStream(filler, StandardOpenOption.CREATE, StandardOpenOption.APPEND)) {
      for (long written = 0; written < bytes; written += block.length) {
        file.write(block);
      }
    }
  }

  private static KafkaProducer<String, String> producer(int port) {
    return new KafkaProducer<>(
        Map.of(
            ProducerConfig.BOOTSTRAP_SERVERS_CONFIG,
            "127.0.0.1:" + port,
            ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG,
            8_000,
            ProducerConfig.REQUEST_TIMEOUT_MS_CONFIG,
            5_000,
            ProducerConfig.KEY_SERIALIZER_CLASS_CONFIG,
            StringSerializer.class.getName(),
            ProducerConfig.VALUE_SERIALIZER_CLASS_CONFIG,
            StringSerializer.class.getName()));
  }

  private void send(KafkaProducer<String, String> producer)
      throws ExecutionException, InterruptedException {
    String line = "filled,host=a value=1 " + second++ + "000000000";
    producer.send(new ProducerRecord<>("peerlens.metrics", "a", line)).get();
    sent++;
  }

  /** Sends a record, which the broker takes until it has been told to refuse. */
  private boolean isRefused(KafkaProducer<String, String> producer) throws InterruptedException {
    try {
      send(producer);
      return false;
    } catch (ExecutionException e) {
      return true;
    }
  }

  private static void awaitRows(Path data, long rows) {
    await()
        .atMost(Duration.ofSeconds(60))
        .untilAsserted(() -> assertThat(rows(data)).isEqualTo(rows));
  }

  private static long rows(Path data) throws IOException, SQLException {
    return number(
        data,
        """
        select count(*)
        from sample s join metric_set m on m.id = s.set_id join object o on o.id = m.object_id
        where o.name = 'a'
        """);
  }

  /** What health says of the disk. */
  private static JsonNode disk(StandaloneServer server, String token)
      throws IOException, InterruptedException {
    return JsonMapper.shared()
        .readTree(get(server.url() + "/health", token))
        .path("components")
        .path("diskSpace");
  }

  private static String get(String url, String token) throws IOException, InterruptedException {
    try (HttpClient http = HttpClient.newHttpClient()) {
      return http.send(
              HttpRequest.newBuilder(URI.create(url))
                  .header("Authorization", "Bearer " + token)
                  .build(),
              HttpResponse.BodyHandlers.ofString())
          .body();
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
