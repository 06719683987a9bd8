package io.peerlens.intake;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.opentelemetry.proto.common.v1.AnyValue;
import io.opentelemetry.proto.common.v1.KeyValue;
import io.opentelemetry.proto.metrics.v1.Gauge;
import io.opentelemetry.proto.metrics.v1.Metric;
import io.opentelemetry.proto.metrics.v1.MetricsData;
import io.opentelemetry.proto.metrics.v1.NumberDataPoint;
import io.opentelemetry.proto.metrics.v1.ResourceMetrics;
import io.opentelemetry.proto.metrics.v1.ScopeMetrics;
import io.opentelemetry.proto.resource.v1.Resource;
import io.peerlens.ingest.protobuf.ProtoWriter;
import io.peerlens.node.Role;
import io.peerlens.support.PeerlensServer;
import io.peerlens.support.TestDatabase;
import io.peerlens.support.TestKafka;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.zip.GZIPOutputStream;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.xerial.snappy.Snappy;

/** Senders without a Kafka client, as they really write their requests. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(120)
class IntakeIT {

  private static final List<String> PATHS =
      List.of(
          "/v1/metrics",
          "/api/v2/write",
          "/write",
          "/api/v1/write",
          "/v1/samples",
          "/v1/events",
          "/query");

  private final String topic = "intake-" + UUID.randomUUID();
  private final String events = "events-" + UUID.randomUUID();
  private final HttpClient http = HttpClient.newHttpClient();
  private final Map<String, String> tokens = new HashMap<>();
  private PeerlensServer server;

  @BeforeAll
  void start() {
    TestKafka.shared().createTopic(topic, 1);
    TestKafka.shared().createTopic(events, 1);
    server =
        PeerlensServer.start(
            TestDatabase.migrated(),
            Set.of(Role.INGEST, Role.API),
            "peerlens.ingest.bootstrap-servers=" + TestKafka.shared().bootstrap(),
            "peerlens.ingest.topic=" + topic,
            "peerlens.ingest.group=" + topic,
            "peerlens.ingest.linger=50ms",
            "peerlens.flows.enabled=false",
            "peerlens.events.topic=" + events,
            "peerlens.events.group=" + events,
            "peerlens.intake.max-body-size=4MB",
            "peerlens.intake.memory=32MB");
    for (String role : List.of("viewer", "operator", "admin", "ingest")) {
      tokens.put(
          role,
          server
              .admin()
              .post(
                  "/tokens", "{\"name\":\"%s of the test\",\"role\":\"%s\"}".formatted(role, role))
              .json()
              .path("secret")
              .asString());
    }
  }

  @AfterAll
  void stop() {
    server.close();
  }

  private String token(String role) {
    return String.valueOf(tokens.get(role));
  }

  private HttpResponse<byte[]> send(String path, byte[] body, String... headers) {
    return send("POST", path, body, headers);
  }

  private HttpResponse<byte[]> send(String method, String path, byte[] body, String... headers) {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create(server.url() + path))
            .method(method, HttpRequest.BodyPublishers.ofByteArray(body));
    if (headers.length > 0) {
      request.headers(headers);
    }
    try {
      return http.send(request.build(), HttpResponse.BodyHandlers.ofByteArray());
    } catch (IOException e) {
      throw new IllegalStateException(path, e);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private String bearer() {
    return "Bearer " + token("ingest");
  }

  private static String text(HttpResponse<byte[]> response) {
    return new String(response.body(), UTF_8);
  }

  private static byte[] gzip(byte[] plain) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (GZIPOutputStream zip = new GZIPOutputStream(out)) {
      zip.write(plain);
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
    return out.toByteArray();
  }

  /** Records of a topic that hold a text. */
  private static List<ConsumerRecord<byte[], byte[]>> records(String topic, String text) {
    try (KafkaConsumer<byte[], byte[]> consumer =
        new KafkaConsumer<>(
            Map.of(ConsumerConfig.BOOTSTRAP_SERVERS_CONFIG, TestKafka.shared().bootstrap()),
            new ByteArrayDeserializer(),
            new ByteArrayDeserializer())) {
      TopicPartition partition = new TopicPartition(topic, 0);
      consumer.assign(List.of(partition));
      consumer.seekToBeginning(List.of(partition));
      long end = consumer.endOffsets(List.of(partition)).get(partition);
      List<ConsumerRecord<byte[], byte[]>> found = new ArrayList<>();
      while (consumer.position(partition) < end) {
        for (ConsumerRecord<byte[], byte[]> record : consumer.poll(Duration.ofSeconds(1))) {
          if (new String(record.value(), UTF_8).contains(text)) {
            found.add(record);
          }
        }
      }
      return found;
    }
  }

  private static String header(ConsumerRecord<byte[], byte[]> record, String name) {
    var header = record.headers().lastHeader(name);
    return header == null ? "" : new String(header.value(), UTF_8);
  }

  /** Seconds of the samples that a host has, with their values. */
  private void awaitSamples(String host, String... expected) {
    JdbcClient jdbc = server.context().getBean(JdbcClient.class);
    Awaitility.await(host)
        .atMost(Duration.ofSeconds(30))
        .untilAsserted(
            () ->
                assertThat(
                        jdbc.sql(
                                """
                                select extract(epoch from s.time)::bigint || ' ' || g.name || '|' || v.metric || '=' || v.value
                                from sample s join metric_set m on m.id = s.set_id
                                join metric_group g on g.id = m.group_id join object o on o.id = m.object_id,
                                unnest(g.metrics, s.values) as v(metric, value)
                                where o.name = ? and v.value is not null order by 1
                                """)
                            .param(host)
                            .query(String.class)
                            .list())
                    .containsExactly(expected));
  }

  private static byte[] otlp(String host, double value, long seconds) {
    return MetricsData.newBuilder()
        .addResourceMetrics(
            ResourceMetrics.newBuilder()
                .setResource(
                    Resource.newBuilder()
                        .addAttributes(
                            KeyValue.newBuilder()
                                .setKey("host.name")
                                .setValue(AnyValue.newBuilder().setStringValue(host))))
                .addScopeMetrics(
                    ScopeMetrics.newBuilder()
                        .addMetrics(
                            Metric.newBuilder()
                                .setName("room.temperature")
                                .setGauge(
                                    Gauge.newBuilder()
                                        .addDataPoints(
                                            NumberDataPoint.newBuilder()
                                                .setAsDouble(value)
                                                .setTimeUnixNano(seconds * 1_000_000_000L))))))
        .build()
        .toByteArray();
  }

  @Test
  void linesOfInfluxInEachWayBecomeSamples() {
    long now = Instant.now().getEpochSecond();
    assertThat(
            send(
                    "/api/v2/write?org=o&bucket=b&precision=s",
                    gzip(("app,host=influx2 f=1 " + now + "\n").getBytes(UTF_8)),
                    "Authorization",
                    "Token " + token("ingest"),
                    "Content-Encoding",
                    "gzip",
                    "Content-Type",
                    "text/plain; charset=utf-8")
                .statusCode())
        .isEqualTo(204);
    awaitSamples("influx2", now + " app|f=1");
    String basic =
        Base64.getEncoder().encodeToString(("telegraf:" + token("ingest")).getBytes(UTF_8));
    assertThat(
            text(
                send(
                    "/query",
                    "q=CREATE+DATABASE+%22telegraf%22".getBytes(UTF_8),
                    "Authorization",
                    "Basic " + basic,
                    "Content-Type",
                    "application/x-www-form-urlencoded")))
        .isEqualTo("{\"results\":[{\"statement_id\":0}]}");
    assertThat(
            send(
                    "/write?db=telegraf&rp=&precision=ms",
                    ("app,host=influx1 f=2 " + now + "000").getBytes(UTF_8),
                    "Authorization",
                    "Basic " + basic)
                .statusCode())
        .isEqualTo(204);
    assertThat(
            send(
                    "/write?db=telegraf&u=x&p=" + token("ingest"),
                    ("app,host=influx1 g=3 " + now + "000000000").getBytes(UTF_8))
                .statusCode())
        .isEqualTo(204);
    awaitSamples("influx1", now + " app|f=2", now + " app|g=3");
    HttpResponse<byte[]> ping = send("GET", "/ping", new byte[0]);
    assertThat(ping.statusCode()).isEqualTo(204);
    assertThat(ping.headers().firstValue("X-Influxdb-Version")).isPresent();
    assertThat(records(topic, "host=influx2"))
        .singleElement()
        .satisfies(
            record -> {
              assertThat(header(record, "precision")).isEqualTo("s");
              assertThat(header(record, "peerlens-intake")).isEqualTo("ingest of the test");
            });
  }

  @Test
  void aBodyThatIsLongerThanARecordIsCut() {
    long now = Instant.now().getEpochSecond();
    StringBuilder body = new StringBuilder();
    for (int i = 0; i < 40_000; i++) {
      body.append("app,host=cut,part=p").append(i % 10).append(" f=").append(i).append(",long=1 ");
      body.append(now - i / 10).append("\n");
    }
    assertThat(body.length()).isBetween(1_800_000, 2_000_000);
    assertThat(
            send(
                    "/api/v2/write?precision=s",
                    body.toString().getBytes(UTF_8),
                    "Authorization",
                    bearer())
                .statusCode())
        .isEqualTo(204);
    assertThat(records(topic, "host=cut")).hasSize(3);
    JdbcClient jdbc = server.context().getBean(JdbcClient.class);
    Awaitility.await()
        .atMost(Duration.ofSeconds(30))
        .until(
            () ->
                jdbc.sql(
                        """
                        select count(*) from sample s join metric_set m on m.id = s.set_id
                        join object o on o.id = m.object_id where o.name = 'cut'
                        """)
                    .query(Long.class)
                    .single(),
            count -> count == 40_000);
  }

  @Test
  void otlpIsAnsweredInTheTypeOfItsRequestAndComesAsItWasSent() {
    long now = Instant.now().getEpochSecond();
    byte[] body = otlp("otlp-proto", 21.5, now);
    HttpResponse<byte[]> proto =
        send(
            "/v1/metrics",
            gzip(body),
            "Authorization",
            bearer(),
            "Content-Type",
            "application/x-protobuf",
            "Content-Encoding",
            "gzip");
    assertThat(proto.statusCode()).isEqualTo(200);
    assertThat(proto.headers().firstValue("Content-Type")).contains("application/x-protobuf");
    assertThat(proto.body()).isEmpty();
    assertThat(records(topic, "otlp-proto"))
        .singleElement()
        .satisfies(
            record -> {
              assertThat(record.value()).isEqualTo(body);
              assertThat(record.key()).hasSize(16);
              assertThat(header(record, "content-type")).isEqualTo("application/x-protobuf");
            });
    awaitSamples("otlp-proto", now + " room|temperature=21.5");
    String json =
        """
        {"resourceMetrics":[{"resource":{"attributes":[{"key":"host.name","value":{"stringValue":"otlp-json"}}]},"scopeMetrics":[]}]}""";
    HttpResponse<byte[]> answer =
        send(
            "/v1/metrics",
            json.getBytes(UTF_8),
            "Authorization",
            bearer(),
            "Content-Type",
            "application/json");
    assertThat(answer.statusCode()).isEqualTo(200);
    assertThat(text(answer)).isEqualTo("{}");
    assertThat(records(topic, "otlp-json")).hasSize(1);
    HttpResponse<byte[]> broken =
        send(
            "/v1/metrics",
            "{\"resourceMetrics\":".getBytes(UTF_8),
            "Authorization",
            bearer(),
            "Content-Type",
            "application/json");
    assertThat(broken.statusCode()).isEqualTo(400);
    assertThat(text(broken)).contains("\"code\":3", "not valid JSON");
    HttpResponse<byte[]> malformed =
        send(
            "/v1/metrics",
            new byte[] {10, 100, 1},
            "Authorization",
            bearer(),
            "Content-Type",
            "application/x-protobuf");
    assertThat(malformed.statusCode()).isEqualTo(400);
    assertThat(malformed.headers().firstValue("Content-Type")).contains("application/x-protobuf");
    assertThat(text(malformed)).contains("longer than what holds it");
  }

  @Test
  void remoteWriteIsToldHowMuchWasWritten() throws IOException {
    long now = Instant.now().getEpochSecond();
    ProtoWriter series =
        new ProtoWriter()
            .message(1, new ProtoWriter().text(1, "__name__").text(2, "remote_write_of_the_test"))
            .message(1, new ProtoWriter().text(1, "instance").text(2, "web-1:9100"))
            .message(1, new ProtoWriter().text(1, "job").text(2, "node"))
            .message(2, new ProtoWriter().real(1, 1.5).varint(2, now * 1_000));
    byte[] body = Snappy.compress(new ProtoWriter().message(1, series).toBytes());
    HttpResponse<byte[]> answer =
        send(
            "/api/v1/write",
            body,
            "Authorization",
            bearer(),
            "Content-Type",
            "application/x-protobuf",
            "Content-Encoding",
            "snappy",
            "X-Prometheus-Remote-Write-Version",
            "0.1.0");
    assertThat(answer.statusCode()).isEqualTo(204);
    assertThat(answer.headers().firstValue("X-Prometheus-Remote-Write-Samples-Written"))
        .contains("1");
    assertThat(records(topic, "remote_write_of_the_test")).hasSize(1);
    awaitSamples("node web-1:9100", now + " metrics|remote_write_of_the_test=1.5");
    assertThat(
            send(
                    "/api/v1/write",
                    body,
                    "Authorization",
                    bearer(),
                    "Content-Type",
                    "application/x-protobuf;proto=some.other.Request",
                    "Content-Encoding",
                    "snappy")
                .statusCode())
        .isEqualTo(415);
    HttpResponse<byte[]> wrong =
        send("/api/v1/write", "text".getBytes(UTF_8), "Authorization", bearer());
    assertThat(wrong.statusCode()).isEqualTo(400);
    assertThat(wrong.headers().firstValue("X-Prometheus-Remote-Write-Samples-Written"))
        .contains("0");
  }

  @Test
  void ourOwnJsonBecomesSamplesAndEventsGoToTheirTopic() {
    long now = Instant.now().getEpochSecond();
    assertThat(
            send(
                    "/v1/samples",
                    """
                    [{"name":"app","timestamp":%d,"tags":{"host":"json"},"fields":{"f":4}}]"""
                        .formatted(now)
                        .getBytes(UTF_8),
                    "Authorization",
                    bearer())
                .statusCode())
        .isEqualTo(204);
    awaitSamples("json", now + " app|f=4");
    assertThat(
            send(
                    "/v1/events",
                    "{\"Key\":7,\"Vm\":{}}".getBytes(UTF_8),
                    "Authorization",
                    bearer(),
                    "Ce-Specversion",
                    "1.0",
                    "ce-type",
                    "com.vmware.vsphere.VmPoweredOnEvent.v0",
                    "ce-id",
                    "77",
                    "ce-source",
                    "https://vc1/sdk")
                .statusCode())
        .isEqualTo(204);
    assertThat(records(events, "\"Key\":7"))
        .singleElement()
        .satisfies(
            record -> {
              assertThat(header(record, "ce_id")).isEqualTo("77");
              assertThat(header(record, "ce_type")).contains("VmPoweredOn");
            });
    assertThat(text(send("/v1/samples", "{\"a\" 1}".getBytes(UTF_8), "Authorization", bearer())))
        .contains("line 1, column");
  }

  @Test
  void everyPathNeedsATokenThatMayWrite() {
    for (String path : PATHS) {
      assertThat(send(path, "x".getBytes(UTF_8)).statusCode()).as(path).isEqualTo(401);
      assertThat(send(path, "x".getBytes(UTF_8), "Authorization", "Bearer plt_wrong").statusCode())
          .as(path)
          .isEqualTo(401);
      assertThat(
              send(path, "x".getBytes(UTF_8), "Cookie", "peerlens_session=" + token("admin"))
                  .statusCode())
          .as(path)
          .isEqualTo(401);
      HttpResponse<byte[]> viewer =
          send(path, "x".getBytes(UTF_8), "Authorization", "Bearer " + token("viewer"));
      assertThat(viewer.statusCode()).as(path).isEqualTo(403);
      assertThat(text(viewer)).as(path).contains("role viewer").doesNotContain(token("viewer"));
      for (String role : List.of("ingest", "operator", "admin")) {
        assertThat(send(path, new byte[0], "Authorization", "Bearer " + token(role)).statusCode())
            .as(path + " by " + role)
            .isNotIn(401, 403, 404, 500);
      }
      assertThat(send("GET", path, new byte[0], "Authorization", bearer()).statusCode())
          .as(path)
          .isIn(405, 400);
    }
  }

  @Test
  void whoMayWriteOnlyMayNeitherReadNorSignIn() {
    assertThat(send("GET", "/api/v1/objects", new byte[0], "Authorization", bearer()).statusCode())
        .isEqualTo(403);
    HttpResponse<byte[]> signIn =
        send(
            "/api/v1/session",
            "{\"token\":\"%s\"}".formatted(token("ingest")).getBytes(UTF_8),
            "Content-Type",
            "application/json");
    assertThat(signIn.statusCode()).isEqualTo(403);
    assertThat(signIn.headers().firstValue("Set-Cookie")).isEmpty();
    assertThat(text(signIn)).contains("only sends metrics and events");
  }

  @Test
  void whatIsTooLargeIsRefusedHoweverItComes() {
    byte[] bomb = gzip(new byte[100 << 20]);
    for (String path :
        List.of("/v1/metrics", "/api/v2/write", "/write", "/v1/samples", "/v1/events")) {
      HttpResponse<byte[]> answer =
          send(
              path,
              bomb,
              "Authorization",
              bearer(),
              "Content-Encoding",
              "gzip",
              "Content-Type",
              "application/x-protobuf");
      assertThat(answer.statusCode()).as(path).isEqualTo(413);
      assertThat(text(answer)).as(path).contains("peerlens.intake.max-body-size");
    }
    HttpRequest endless =
        HttpRequest.newBuilder(URI.create(server.url() + "/api/v2/write"))
            .header("Authorization", bearer())
            .POST(
                HttpRequest.BodyPublishers.ofByteArrays(
                    () ->
                        java.util.stream.Stream.generate(
                                () -> "app f=1\n".repeat(1_000).getBytes(UTF_8))
                            .limit(100_000)
                            .iterator()))
            .build();
    int status;
    try {
      status = http.send(endless, HttpResponse.BodyHandlers.discarding()).statusCode();
    } catch (IOException e) {
      status = 413; // it was cut off while it still sent
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
    assertThat(status).isEqualTo(413);
    assertThat(
            send("/api/v2/write", "app,host=after f=1".getBytes(UTF_8), "Authorization", bearer())
                .statusCode())
        .as("others are taken as before")
        .isEqualTo(204);
  }

  @Test
  void withoutKafkaASenderIsToldToComeAgain() {
    try (PeerlensServer alone =
        PeerlensServer.start(
            TestDatabase.migrated(),
            Set.of(Role.API),
            "peerlens.ingest.bootstrap-servers=127.0.0.1:" + TestKafka.freePort())) {
      HttpRequest request =
          HttpRequest.newBuilder(URI.create(alone.url() + "/api/v2/write"))
              .header("Authorization", "Bearer " + alone.adminToken())
              .POST(HttpRequest.BodyPublishers.ofString("app,host=a f=1"))
              .build();
      HttpResponse<String> answer = http.send(request, HttpResponse.BodyHandlers.ofString());
      assertThat(answer.statusCode()).isEqualTo(503);
      assertThat(answer.headers().firstValue("Retry-After")).contains("5");
      assertThat(answer.body()).contains("\"code\":\"unavailable\"");
    } catch (IOException | InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void aSettingTakesItAway() {
    try (PeerlensServer off =
        PeerlensServer.start(
            TestDatabase.migrated(), Set.of(Role.API), "peerlens.intake.enabled=false")) {
      for (String path : PATHS) {
        HttpRequest request =
            HttpRequest.newBuilder(URI.create(off.url() + path))
                .header("Authorization", "Bearer " + off.adminToken())
                .POST(HttpRequest.BodyPublishers.noBody())
                .build();
        assertThat(http.send(request, HttpResponse.BodyHandlers.ofString()).statusCode())
            .as(path)
            .isIn(403, 404, 405);
      }
    } catch (IOException | InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }
}
