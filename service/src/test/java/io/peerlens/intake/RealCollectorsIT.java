package io.peerlens.intake;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.offset;

import com.sun.net.httpserver.HttpServer;
import io.peerlens.node.Role;
import io.peerlens.support.ApiClient;
import io.peerlens.support.PeerlensServer;
import io.peerlens.support.Programs;
import io.peerlens.support.TestDatabase;
import io.peerlens.support.TestKafka;
import io.peerlens.support.Vcsim;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Collectors as people run them, with the files of the documentation: what they send is what the
 * API answers.
 */
@Timeout(240)
class RealCollectorsIT {

  private static final Path FILES = Path.of("..", "docker", "collectors");
  private static final Duration ARRIVES = Duration.ofSeconds(60);
  private static final HttpClient HTTP = HttpClient.newHttpClient();

  @TempDir static Path folder;

  private static String topic;

  /** What the Collector's exporter calls its topic. */
  private static String otlpTopic;

  private static PeerlensServer server;
  private static ApiClient admin;
  private static String token;

  private final List<Process> started = new ArrayList<>();

  @BeforeAll
  static void start() {
    topic = "collectors-" + UUID.randomUUID();
    otlpTopic = topic + "-otlp";
    TestKafka kafka = TestKafka.shared();
    kafka.createTopic(topic, 2);
    kafka.createTopic(otlpTopic, 2);
    server =
        PeerlensServer.start(
            TestDatabase.migrated(),
            Set.of(Role.INGEST, Role.API),
            "peerlens.ingest.bootstrap-servers=" + kafka.bootstrap(),
            "peerlens.ingest.topic=" + topic,
            "peerlens.ingest.more-topics=" + otlpTopic,
            "peerlens.ingest.group=" + topic,
            "peerlens.ingest.linger=50ms",
            "peerlens.flows.enabled=false",
            "peerlens.events.enabled=false");
    admin = server.admin();
    token =
        admin
            .post("/tokens", "{\"name\":\"collectors\",\"role\":\"ingest\"}")
            .json()
            .path("secret")
            .asString();
  }

  @AfterAll
  static void stop() {
    if (server != null) {
      server.close();
    }
  }

  @AfterEach
  void stopPrograms() throws InterruptedException {
    for (Process process : started) {
      stop(process);
    }
  }

  private static void stop(Process process) throws InterruptedException {
    process.destroy();
    if (!process.waitFor(20, TimeUnit.SECONDS)) {
      process.destroyForcibly();
    }
  }

  /** A file of the documentation with our addresses in place of its own; each must be in it. */
  private static String file(String name, String... replacements) throws IOException {
    String text = Files.readString(FILES.resolve(name));
    for (int i = 0; i < replacements.length; i += 2) {
      assertThat(text).as(name).contains(replacements[i]);
      text = text.replace(replacements[i], replacements[i + 1]);
    }
    assertThat(text).as("an address that nobody replaced").doesNotContain("example.net");
    return text;
  }

  private static Path written(String name, String text) throws IOException {
    return Files.writeString(folder.resolve(name), text);
  }

  /** A program that runs until the test ends, and the file with what it says. */
  private Process run(Path log, Map<String, String> environment, List<String> command)
      throws IOException {
    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
    builder.environment().putAll(environment);
    builder.environment().put("PEERLENS_TOKEN", token);
    Process process = builder.redirectOutput(log.toFile()).start();
    started.add(process);
    return process;
  }

  private static @Nullable JsonNode object(String kind, String externalId) {
    return admin
        .get("/objects?limit=1000&objectKind=" + kind)
        .json()
        .path("items")
        .valueStream()
        .filter(object -> object.path("externalId").asString().equals(externalId))
        .findFirst()
        .orElse(null);
  }

  /** Values of an object as the API gives them, by key and second. */
  private static Map<String, Map<Long, Double>> values(
      String kind, String externalId, Set<String> keys, long from, long to) {
    JsonNode object = object(kind, externalId);
    if (object == null) {
      return Map.of();
    }
    Map<String, Object> query =
        Map.of(
            "objects", List.of(object.path("id").asString()),
            "metrics", keys,
            "from", Instant.ofEpochSecond(from).toString(),
            "to", Instant.ofEpochSecond(to + 1).toString(),
            "step", "1s");
    ApiClient.Answer answer =
        admin.post("/series/query", JsonMapper.shared().writeValueAsString(query));
    assertThat(answer.status()).as(answer.body()).isEqualTo(200);
    Map<String, Map<Long, Double>> values = new TreeMap<>();
    JsonNode times = answer.json().path("times");
    for (JsonNode series : answer.json().path("series")) {
      for (int i = 0; i < times.size(); i++) {
        if (!series.path("values").path(i).isNull()) {
          values
              .computeIfAbsent(series.path("metric").asString(), k -> new TreeMap<>())
              .put(times.path(i).asLong() / 1_000, series.path("values").path(i).asDouble());
        }
      }
    }
    return values;
  }

  /** Values that were sent, by object, key and second. */
  private static final class Sent {
    record Target(String kind, String externalId) {}

    final Map<Target, Map<String, Map<Long, Double>>> values = new HashMap<>();

    void add(String kind, String externalId, String key, long second, double value) {
      values
          .computeIfAbsent(new Target(kind, externalId), k -> new TreeMap<>())
          .computeIfAbsent(key, k -> new TreeMap<>())
          .put(second, value);
    }

    /** Waits until the API has all of them and nothing else for their keys. */
    void assertThatTheyAreAnswered() {
      values.forEach(
          (target, ofKeys) -> {
            long from =
                ofKeys.values().stream()
                    .flatMap(v -> v.keySet().stream())
                    .min(Long::compare)
                    .orElseThrow();
            long to =
                ofKeys.values().stream()
                    .flatMap(v -> v.keySet().stream())
                    .max(Long::compare)
                    .orElseThrow();
            Awaitility.await(target.toString())
                .atMost(ARRIVES)
                .untilAsserted(
                    () -> {
                      Map<String, Map<Long, Double>> answered =
                          values(target.kind, target.externalId, ofKeys.keySet(), from, to);
                      ofKeys.forEach(
                          (key, expected) -> {
                            Map<Long, Double> are = answered.getOrDefault(key, Map.of());
                            assertThat(are.keySet()).as(key).isEqualTo(expected.keySet());
                            expected.forEach(
                                (second, value) ->
                                    assertThat(are.get(second))
                                        .as("%s at %d", key, second)
                                        .isCloseTo(value, offset(1e-6 * Math.abs(value))));
                          });
                    });
          });
    }
  }

  @Test
  void theDocumentationShowsTheFilesAsTheyAre() throws IOException {
    String pages =
        Files.readString(Path.of("..", "docs", "otlp.md"))
            + Files.readString(Path.of("..", "docs", "http-intake.md"));
    try (var files = Files.list(FILES)) {
      for (Path file : files.toList()) {
        assertThat(pages).contains(Files.readString(file));
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"influxdb_v2", "http", "kafka", "opentelemetry"})
  void linesThatTelegrafSendsAreAnsweredAsTheyWere(String output) throws Exception {
    Path telegraf =
        Programs.need("telegraf", "go install github.com/influxdata/telegraf/cmd/telegraf@v1.38.2");
    String host = "telegraf-" + output;
    long second = Instant.now().getEpochSecond() - 60;
    Path lines =
        written(
            output + ".lp",
            """
            cpu,host=%1$s,cpu=cpu0 usage_idle=12.5,usage_user=80.25 %2$d000000000
            net,host=%1$s,interface=eth0 bytes_recv=1000i,bytes_sent=4000000000i %2$d000000000
            net,host=%1$s,interface=eth0 bytes_recv=4000i,bytes_sent=4000000500i %3$d000000000
            shop,host=%1$s,branch=Berlin\\ Mitte orders=17i,revenue=-12.25,open=true,note="none" %2$d000000000
            """
                .formatted(host, second, second + 10));
    Path input =
        written(
            output + "-input.conf",
            """
            [agent]
              omit_hostname = true
            [[inputs.file]]
              files = ["%s"]
              data_format = "influx"
            """
                .formatted(lines));
    String text =
        switch (output) {
          case "kafka" ->
              file(
                  "telegraf-kafka.conf",
                  "kafka.example.net:9092",
                  TestKafka.shared().bootstrap(),
                  "\"peerlens.metrics\"",
                  "\"" + topic + "\"");
          case "opentelemetry" ->
              file(
                  "telegraf-opentelemetry.conf",
                  "https://peerlens.example.net",
                  server.url(),
                  "web-1.example.net",
                  host);
          default ->
              file("telegraf-" + output + ".conf", "https://peerlens.example.net", server.url());
        };
    Programs.Result result =
        Programs.run(
            Map.of("PEERLENS_TOKEN", token),
            List.of(
                telegraf.toString(),
                "--once",
                "--config",
                written(output + "-output.conf", text).toString(),
                "--config",
                input.toString()));
    assertThat(result.exitCode()).as(result.output()).isZero();
    assertThat(result.output()).doesNotContain(" E! ");

    Sent sent = new Sent();
    if (output.equals("opentelemetry")) { // it knows neither counters nor measurements
      sent.add("Host", host, "metrics:cpu=cpu0|cpu_usage_idle", second, 12.5);
      sent.add("Host", host, "metrics:cpu=cpu0|cpu_usage_user", second, 80.25);
      sent.add("Host", host, "metrics:interface=eth0|net_bytes_recv", second, 1_000);
      sent.add("Host", host, "metrics:interface=eth0|net_bytes_recv", second + 10, 4_000);
      sent.add("Host", host, "metrics:interface=eth0|net_bytes_sent", second, 4e9);
      sent.add("Host", host, "metrics:interface=eth0|net_bytes_sent", second + 10, 4_000_000_500.0);
      sent.add("Host", host, "metrics:branch=Berlin Mitte|shop_orders", second, 17);
      sent.add("Host", host, "metrics:branch=Berlin Mitte|shop_revenue", second, -12.25);
    } else {
      sent.add("Host", host, "cpu:cpu0|usage_idle", second, 12.5);
      sent.add("Host", host, "cpu:cpu0|usage_user", second, 80.25);
      sent.add("Host", host, "net:eth0|bytes_recv", second, 1_000);
      sent.add("Host", host, "net:eth0|bytes_recv", second + 10, 4_000);
      sent.add("Host", host, "net:eth0|bytes_recv_rate", second + 10, 300);
      sent.add("Host", host, "net:eth0|bytes_sent", second, 4e9);
      sent.add("Host", host, "net:eth0|bytes_sent", second + 10, 4_000_000_500.0);
      sent.add("Host", host, "net:eth0|bytes_sent_rate", second + 10, 50);
      sent.add("Host", host, "shop:branch=Berlin Mitte|orders", second, 17);
      sent.add("Host", host, "shop:branch=Berlin Mitte|revenue", second, -12.25);
      sent.add("Host", host, "shop:branch=Berlin Mitte|open", second, 1);
    }
    sent.assertThatTheyAreAnswered();
  }

  @Test
  void seriesThatPrometheusWritesAreAnsweredAsPrometheusHasThem() throws Exception {
    Path prometheus = Programs.need("prometheus", "Debian package prometheus");
    AtomicInteger scrapes = new AtomicInteger();
    HttpServer shop =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    shop.createContext(
        "/metrics",
        exchange -> {
          int scrape = scrapes.incrementAndGet();
          byte[] text =
              """
              # TYPE shop_orders_total counter
              shop_orders_total{branch="Berlin"} %d
              # TYPE shop_temperature gauge
              shop_temperature %s
              """
                  .formatted(100 + 3 * scrape * scrape, -4.5 + scrape)
                  .getBytes(StandardCharsets.UTF_8);
          exchange.getResponseHeaders().add("Content-Type", "text/plain; version=0.0.4");
          exchange.sendResponseHeaders(200, text.length);
          exchange.getResponseBody().write(text);
          exchange.close();
        });
    shop.start();
    try {
      String target = "127.0.0.1:" + shop.getAddress().getPort();
      Path secret = written("peerlens.token", token);
      String text =
          file(
              "prometheus.yml",
              "scrape_interval: 30s",
              "scrape_interval: 2s",
              "web-1.example.net:9100",
              target,
              "https://peerlens.example.net",
              server.url(),
              "/etc/prometheus/peerlens.token",
              secret.toString());
      int port = TestKafka.freePort();
      Path log = folder.resolve("prometheus.log");
      Process process =
          run(
              log,
              Map.of(),
              List.of(
                  prometheus.toString(),
                  "--config.file=" + written("prometheus.yml", text),
                  "--storage.tsdb.path=" + folder.resolve("prometheus"),
                  "--web.listen-address=127.0.0.1:" + port));
      Awaitility.await("scrapes")
          .atMost(ARRIVES)
          .until(() -> !process.isAlive() || scrapes.get() >= 4);
      assertThat(process.isAlive()).as(Files.readString(log)).isTrue();

      // The scrape that is running now may not be stored yet; those before it are.
      Sent sent = new Sent();
      String service = "shop/" + target;
      List<JsonNode> orders = samples(port, "shop_orders_total");
      assertThat(orders).hasSizeGreaterThanOrEqualTo(3);
      for (int i = 0; i < orders.size(); i++) {
        sent.add(
            "Service",
            service,
            "metrics:branch=Berlin|shop_orders_total",
            second(orders.get(i)),
            value(orders.get(i)));
        if (i > 0) {
          JsonNode before = orders.get(i - 1);
          double seconds =
              orders
                  .get(i)
                  .path(0)
                  .decimalValue()
                  .subtract(before.path(0).decimalValue())
                  .doubleValue();
          sent.add(
              "Service",
              service,
              "metrics:branch=Berlin|shop_orders_total_rate",
              second(orders.get(i)),
              (value(orders.get(i)) - value(before)) / seconds);
        }
      }
      long last = second(orders.getLast());
      for (JsonNode sample : samples(port, "shop_temperature")) {
        if (second(sample) <= last) {
          sent.add("Service", service, "metrics|shop_temperature", second(sample), value(sample));
        }
      }
      sent.assertThatTheyAreAnswered();
    } finally {
      shop.stop(0);
    }
  }

  @Test
  void seriesOfRemoteWriteTwoAreAnsweredByWhatTheirMetadataSay() {
    Path sender =
        Programs.need(
            "remotewrite-peerlens", ".ci/run builds it of service/src/test/go/remotewrite");
    long second = Instant.now().getEpochSecond() - 60;
    Programs.Result result =
        Programs.run(
            Map.of("PEERLENS_TOKEN", token),
            List.of(sender.toString(), server.url(), Long.toString(second)));
    assertThat(result.output()).isEqualTo("6 samples and 2 histograms\n");
    assertThat(result.exitCode()).isZero();

    Sent sent = new Sent();
    String service = "shop2/web-1:9100";
    String orders = "metrics:branch=Berlin|shop_orders_total";
    sent.add("Service", service, orders, second, 17);
    sent.add("Service", service, orders, second + 10, 47);
    sent.add("Service", service, orders + "_rate", second + 10, 3);
    sent.add("Service", service, "metrics|shop_visits", second, 1_000);
    sent.add("Service", service, "metrics|shop_visits", second + 10, 1_250);
    sent.add("Service", service, "metrics|shop_visits_rate", second + 10, 25);
    sent.add("Service", service, "metrics|shop_temperature", second, -4.5);
    sent.add("Service", service, "metrics|shop_temperature", second + 10, 21.25);
    // Of the interval: two values from 1 to 2 and six from 2 to 4, 25 in all.
    sent.add("Service", service, "metrics|shop_seconds_count_rate", second + 10, 0.8);
    sent.add("Service", service, "metrics|shop_seconds_avg", second + 10, 3.125);
    sent.add("Service", service, "metrics|shop_seconds_p95", second + 10, Math.sqrt(8));
    sent.assertThatTheyAreAnswered();
  }

  /** What Prometheus itself has of a series: time in seconds and value as text. */
  private static List<JsonNode> samples(int port, String series) throws Exception {
    HttpResponse<String> answer =
        HTTP.send(
            HttpRequest.newBuilder(
                    URI.create(
                        "http://127.0.0.1:%d/api/v1/query?query=%s%%5B5m%%5D"
                            .formatted(port, series)))
                .build(),
            HttpResponse.BodyHandlers.ofString());
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
    return JsonMapper.shared()
        .readTree(answer.body())
        .path("data")
        .path("result")
        .path(0)
        .path("values")
        .valueStream()
        .toList();
  }

  private static long second(JsonNode sample) {
    return sample.path(0).decimalValue().longValue();
  }

  private static double value(JsonNode sample) {
    return Double.parseDouble(sample.path(1).asString());
  }

  /**
   * A point of a receiver, and what it is here.
   *
   * @param id attributes of the resource that are the id of the object, behind the vCenter
   * @param where an attribute of the point and its value; empty = any
   * @param factor from the unit of the receiver to ours
   */
  private record Told(
      String metric, List<String> where, String kind, List<String> id, String key, double factor) {

    boolean isOf(String name, Map<String, String> attributes) {
      return name.equals(metric)
          && (where.isEmpty() || where.get(1).equals(attributes.get(where.get(0))));
    }
  }

  private static Told vcenter(
      String kind, String metric, List<String> where, String key, double factor) {
    String part =
        switch (kind) {
          case "VirtualMachine" -> "vm.id";
          case "HostSystem" -> "host.name";
          case "ClusterComputeResource" -> "cluster.name";
          default -> "datastore.name";
        };
    return new Told(
        "vcenter." + metric,
        where,
        kind,
        kind.equals("VirtualMachine")
            ? List.of("vcenter." + part)
            : List.of("vcenter.datacenter.name", "vcenter." + part),
        key,
        factor);
  }

  private static Told host(String metric, List<String> where, String key) {
    return new Told("system." + metric, where, "Host", List.of(), key, 1);
  }

  private static final List<String> ANY = List.of();

  /** What vCenter's simulator can show of each kind, and what every Linux has. */
  private static final List<Told> TOLD =
      List.of(
          vcenter("VirtualMachine", "vm.memory.usage", ANY, "mem|active_average", 1_024),
          vcenter(
              "VirtualMachine",
              "vm.disk.usage",
              List.of("disk_state", "used"),
              "diskspace|used",
              1 / (1_024.0 * 1_024 * 1_024)),
          vcenter(
              "VirtualMachine",
              "vm.network.throughput",
              List.of("direction", "received"),
              "net|bytesRx_average",
              1),
          vcenter(
              "VirtualMachine",
              "vm.network.packet.rate",
              List.of("direction", "transmitted"),
              "net|packetsTx_summation",
              20),
          vcenter("HostSystem", "host.cpu.usage", ANY, "cpu|usagemhz_average", 1),
          vcenter("HostSystem", "host.cpu.utilization", ANY, "cpu|usage_average", 1),
          vcenter("HostSystem", "host.memory.usage", ANY, "mem|consumed_average", 1_024),
          vcenter(
              "HostSystem",
              "host.disk.throughput",
              List.of("direction", "write"),
              "disk|write_average",
              1),
          vcenter(
              "ClusterComputeResource",
              "cluster.cpu.limit",
              ANY,
              "cpu|capacity_provisioned_average",
              1),
          vcenter(
              "ClusterComputeResource",
              "cluster.vm.count",
              List.of("power_state", "on"),
              "summary|number_running_vms",
              1),
          vcenter(
              "Datastore",
              "datastore.disk.usage",
              List.of("disk_state", "available"),
              "disk|free_latest",
              1 / 1_024.0),
          host("memory.limit", ANY, "mem|total"),
          host("memory.usage", List.of("state", "used"), "mem|used"),
          host("cpu.load_average.1m", ANY, "system|load1"),
          host("uptime", ANY, "system|uptime"));

  @ParameterizedTest
  @ValueSource(strings = {"kafka", "http"})
  void pointsOfTheCollectorAreAnsweredAsTheyWere(String way) throws Exception {
    Path collector =
        Programs.need("otelcol-peerlens", ".ci/run builds it of service/src/test/go/otelcol");
    String vcenter = "vc-" + way;
    String host = "web-" + way;
    Path out = folder.resolve(way + ".jsonl");
    try (Vcsim vcsim = Vcsim.startOrSkip(folder, "-vm", "2", "-host", "2")) {
      List<String> replacements =
          new ArrayList<>(
              List.of(
                  "https://vc-1.example.net",
                  vcsim.address().toString(),
                  "value: vc-1.example.net",
                  "value: " + vcenter,
                  "web-1.example.net",
                  host));
      replacements.addAll(
          way.equals("kafka")
              ? List.of(
                  "kafka.example.net:9092",
                  TestKafka.shared().bootstrap(),
                  "topic: otlp_metrics",
                  "topic: " + otlpTopic)
              : List.of("https://peerlens.example.net", server.url()));
      String text = file("otelcol-" + way + ".yaml", replacements.toArray(String[]::new));
      // What the exporter gets is written down, too; and scrapes come soon after each other.
      String exporter = way.equals("kafka") ? "kafka" : "otlphttp/peerlens";
      String beside =
          """
          receivers:
            vcenter: {collection_interval: 2s, tls: {insecure_skip_verify: true}}
            hostmetrics: {collection_interval: 2s}
          exporters:
            file: {path: "%s", format: json}
          service:
            telemetry: {metrics: {level: none}}
            pipelines:
              metrics/vcenter: {exporters: [file, %s]}
              metrics/host: {exporters: [file, %s]}
          """
              .formatted(out, exporter, exporter);
      Path log = folder.resolve(way + ".log");
      Process process =
          run(
              log,
              Map.of("VC_PASSWORD", Vcsim.PASSWORD),
              List.of(
                  collector.toString(),
                  "--config",
                  written(way + ".yaml", text).toString(),
                  "--config",
                  written(way + "-beside.yaml", beside).toString()));
      Awaitility.await("three scrapes of both receivers")
          .atMost(ARRIVES)
          .until(
              () ->
                  !process.isAlive()
                      || Files.exists(out)
                          && count(out, "vcenter.cluster.cpu.limit") >= 3
                          && count(out, "system.memory.limit") >= 3);
      assertThat(process.isAlive()).as(Files.readString(log)).isTrue();
      stop(process); // it sends what it still has
    }

    Sent sent = new Sent();
    Set<Told> seen = new HashSet<>();
    Map<String, double[]> received = new TreeMap<>();
    for (String line : Files.readAllLines(out)) {
      for (JsonNode resource : JsonMapper.shared().readTree(line).path("resourceMetrics")) {
        Map<String, String> of = attributes(resource.path("resource"));
        for (JsonNode scope : resource.path("scopeMetrics")) {
          for (JsonNode metric : scope.path("metrics")) {
            String name = metric.path("name").asString();
            for (JsonNode point : points(metric)) {
              Map<String, String> attributes = attributes(point);
              long nanos = Long.parseLong(point.path("timeUnixNano").asString());
              double value = number(point);
              for (Told told : TOLD) {
                if (told.isOf(name, attributes)) {
                  seen.add(told);
                  sent.add(
                      told.kind,
                      told.kind.equals("Host") ? host : vcenter + "/" + id(told, of),
                      told.key,
                      nanos / 1_000_000_000,
                      value * told.factor);
                }
              }
              if (name.equals("system.network.io")
                  && "receive".equals(attributes.get("direction"))
                  && "lo".equals(attributes.get("device"))) {
                double[] before =
                    received.put("lo", new double[] {nanos / 1_000, value}); // whole microseconds
                long second = nanos / 1_000_000_000;
                sent.add("Host", host, "net:lo|bytes_recv", second, value);
                if (before != null) {
                  sent.add(
                      "Host",
                      host,
                      "net:lo|bytes_recv_rate",
                      second,
                      (value - before[1]) * 1e6 / (nanos / 1_000 - before[0]));
                }
              }
            }
          }
        }
      }
    }
    assertThat(seen).containsExactlyInAnyOrderElementsOf(TOLD);
    assertThat(sent.values.keySet().stream().filter(t -> t.kind().equals("VirtualMachine")))
        .hasSize(4);
    sent.assertThatTheyAreAnswered();
    assertThat(admin.get("/ingest/dead-letters").json().path("items").valueStream().toList())
        .isEmpty();
  }

  private static long count(Path file, String text) throws IOException {
    return Arrays.stream(Files.readString(file).split("\n", -1))
        .filter(line -> line.contains(text))
        .count();
  }

  private static String id(Told told, Map<String, String> of) {
    List<String> parts = new ArrayList<>();
    told.id.forEach(name -> parts.add(String.valueOf(of.get(name))));
    return String.join("/", parts);
  }

  private static Map<String, String> attributes(JsonNode of) {
    Map<String, String> attributes = new TreeMap<>();
    for (JsonNode attribute : of.path("attributes")) {
      attributes.put(
          attribute.path("key").asString(),
          attribute.path("value").valueStream().findFirst().orElseThrow().asString());
    }
    return attributes;
  }

  private static Iterable<JsonNode> points(JsonNode metric) {
    return metric.has("sum")
        ? metric.path("sum").path("dataPoints")
        : metric.path("gauge").path("dataPoints");
  }

  private static double number(JsonNode point) {
    return point.has("asInt")
        ? Long.parseLong(point.path("asInt").asString())
        : point.path("asDouble").asDouble();
  }
}
