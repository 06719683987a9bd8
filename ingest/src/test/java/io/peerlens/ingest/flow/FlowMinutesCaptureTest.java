package io.peerlens.ingest.flow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.IntPredicate;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.MappingIterator;
import tools.jackson.databind.json.JsonMapper;

/**
 * A real capture against what the load generators say that they sent: six web servers, of which
 * web3 always has ten times the load and web5 thirty times for three minutes. Two exporters watch,
 * so the traffic between clients and web servers is told twice.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class FlowMinutesCaptureTest {

  private static final JsonMapper JSON = new JsonMapper();
  private static final int BURST_FROM = 1_795_219_603 / 60 + 1; // whole minutes only
  private static final int BURST_TO = 1_795_219_783 / 60;

  private final InMemoryEndpoints endpoints = new InMemoryEndpoints();
  private MinuteRows rows = new MinuteRows();
  private boolean[] counts = new boolean[0];
  private final Map<String, Long> bodyBytes = new TreeMap<>();
  private long requests;

  /** Bytes that web servers sent, by exporter's version and server, as the records say. */
  private final Map<FlowVersion, Map<String, Long>> recorded = new EnumMap<>(FlowVersion.class);

  private static Path corpus() {
    Path folder = Path.of("..", "shared", "corpus", "flows").toAbsolutePath();
    Path besideTheReactor = Path.of("..", "..", "shared", "corpus", "flows").toAbsolutePath();
    return Files.isDirectory(folder) ? folder : besideTheReactor.normalize();
  }

  @BeforeAll
  void readTheCapture() throws IOException {
    Path capture = corpus().resolve("goflow2-kafka.jsonl.gz");
    assumeTrue(Files.exists(capture), "Skipped, the capture is not here: " + capture);
    FlowMinutes minutes = new FlowMinutes(endpoints, 1_000_000, 100_000);
    FlowBatch batch = new FlowBatch();
    try (InputStream in = new GZIPInputStream(Files.newInputStream(capture));
        MappingIterator<JsonNode> records = JSON.readerFor(JsonNode.class).readValues(in)) {
      while (records.hasNext()) {
        add(records.next(), batch);
        if (batch.size() == 5_000) {
          assertThat(minutes.add(batch, 0)).isEqualTo(batch.size());
          batch.clear();
        }
      }
    }
    assertThat(minutes.add(batch, 0)).isEqualTo(batch.size());
    rows = minutes.rows().sorted();
    counts = new boolean[rows.size()];
    Deduplication.mark(rows, counts);

    Path truth = corpus().resolve("truth-http.jsonl");
    try (MappingIterator<JsonNode> lines = JSON.readerFor(JsonNode.class).readValues(truth)) {
      while (lines.hasNext()) {
        JsonNode line = lines.next();
        bodyBytes.merge(line.get("server").asString(), line.get("body_bytes").asLong(), Long::sum);
      }
    }
  }

  private void add(JsonNode json, FlowBatch batch) {
    long received = json.get("time_received_ns").asLong() / 1_000_000;
    FlowVersion version =
        json.get("type").asString().equals("IPFIX") ? FlowVersion.IPFIX : FlowVersion.NETFLOW_V9;
    Addresses exporter = Flow.address(json.get("sampler_address").asString());
    int row =
        batch.add(
            received, batch.observer(new Observer(exporter.high(), exporter.low(), 0, version)));
    batch.times(
        row,
        json.get("time_flow_start_ns").asLong() / 1_000_000,
        json.get("time_flow_end_ns").asLong() / 1_000_000);
    Addresses src = Flow.address(json.get("src_addr").asString());
    batch.source(row, src.high(), src.low(), json.get("src_port").asInt());
    Addresses dst = Flow.address(json.get("dst_addr").asString());
    batch.destination(row, dst.high(), dst.low(), json.get("dst_port").asInt());
    batch.traffic(row, json.get("bytes").asLong(), json.get("packets").asLong(), false);
    if (json.get("src_port").asInt() == 80) {
      recorded
          .computeIfAbsent(version, v -> new TreeMap<>())
          .merge(json.get("src_addr").asString(), json.get("bytes").asLong(), Long::sum);
    }
    int protocol =
        switch (json.get("proto").asString()) {
          case "TCP" -> ServicePorts.TCP;
          case "UDP" -> ServicePorts.UDP;
          case "ICMP" -> ServicePorts.ICMP;
          case "IPv6-ICMP" -> ServicePorts.ICMP_V6;
          default -> 255;
        };
    batch.protocol(row, protocol, json.get("tcp_flags").asInt(), FlowBatch.UNKNOWN);
  }

  /** Bytes by sender, of the rows that are wanted. */
  private Map<String, Long> bytesSent(IntPredicate wanted) {
    Map<String, Long> sums = new TreeMap<>();
    for (int i = 0; i < rows.size(); i++) {
      if (wanted.test(i)) {
        sums.merge(endpoints.name(rows.src(i)), rows.bytes(i), Long::sum);
      }
    }
    return sums;
  }

  private boolean answersOfWebServers(int row) {
    return rows.port(row) == 80
        && rows.protocol(row) == ServicePorts.TCP
        && !rows.towardsService(row);
  }

  private static String first(Map<String, Long> sums) {
    return sums.entrySet().stream().max(Map.Entry.comparingByValue()).orElseThrow().getKey();
  }

  @Test
  void bytesOfEachServerAgreeWithWhatTheGeneratorsReceived() {
    Map<String, Long> sent = bytesSent(row -> counts[row] && answersOfWebServers(row));
    assertThat(sent.keySet()).isEqualTo(bodyBytes.keySet()).hasSize(6);
    sent.forEach(
        (server, bytes) ->
            assertThat((double) bytes / bodyBytes.get(server))
                .as("%s: bytes of the flows, with headers, to bytes of the bodies", server)
                .isBetween(1.0, 1.10));
  }

  @Test
  void minuteByMinuteItIsWhatTheBetterObserverSaw() {
    Map<String, Long> v9 = recorded.get(FlowVersion.NETFLOW_V9);
    Map<String, Long> ipfix = recorded.get(FlowVersion.IPFIX);
    bytesSent(row -> counts[row] && answersOfWebServers(row))
        .forEach(
            (server, bytes) -> {
              long better = Math.max(v9.get(server), ipfix.get(server));
              assertThat((double) bytes / better).as(server).isBetween(1.0, 1.01);
            });
    assertThat(bytesSent(this::answersOfWebServers))
        .allSatisfy(
            (server, bytes) -> assertThat(bytes).isEqualTo(v9.get(server) + ipfix.get(server)));
  }

  @Test
  void withoutDeduplicationTheyAreTwiceAsMany() {
    Map<String, Long> once = bytesSent(row -> counts[row] && answersOfWebServers(row));
    Map<String, Long> all = bytesSent(this::answersOfWebServers);
    all.forEach(
        (server, bytes) ->
            assertThat((double) bytes / once.get(server)).as(server).isBetween(1.95, 2.0));
  }

  @Test
  void trafficThatOneExporterSawIsNotTouched() {
    for (String server : new String[] {"10.77.3.11", "10.77.3.53"}) {
      int id = endpoints.id(server);
      assertThat(bytesSent(row -> counts[row] && rows.src(row) == id))
          .isEqualTo(bytesSent(row -> rows.src(row) == id))
          .containsOnlyKeys(server);
    }
  }

  @Test
  void theHeavyHitterIsNamedFirstAndInItsBurstTheOther() {
    assertThat(first(bytesSent(row -> counts[row]))).isEqualTo("10.77.2.13");
    assertThat(
            first(
                bytesSent(
                    row ->
                        counts[row]
                            && rows.minute(row) >= BURST_FROM
                            && rows.minute(row) < BURST_TO)))
        .isEqualTo("10.77.2.15");
  }

  @Test
  void sessionsAreTheRequestsAndOnlyTheClientsMakeThem() {
    for (int i = 0; i < rows.size(); i++) {
      if (rows.sessions(i) > 0) {
        assertThat(rows.towardsService(i)).isTrue();
      }
    }
    long sessions = 0;
    for (int i = 0; i < rows.size(); i++) {
      if (counts[i] && rows.port(i) == 80) {
        sessions += rows.sessions(i);
      }
    }
    // The generators count from the begin of the load, after a few seconds of a first try.
    assertThat((double) sessions / requests).isBetween(1.0, 1.015);
  }
}
