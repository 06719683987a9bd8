package io.peerlens.flow.minute;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.peerlens.flow.decode.FlowBatch;
import io.peerlens.flow.decode.FlowDecoding;
import io.peerlens.flow.decode.FlowVersion;
import io.peerlens.flow.network.Addresses;
import io.peerlens.flow.rank.Deduplication;
import io.peerlens.ingest.flow.Protocols;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
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
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.MappingIterator;
import tools.jackson.databind.json.JsonMapper;

/**
 * A real capture, through the decoder, against what the load generators say that they sent: six web
 * servers, of which web3 always has ten times the load and web5 thirty times for three minutes. Two
 * exporters watch, so the traffic between clients and web servers is told twice.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class FlowMinutesCaptureTest {

  private static final int BURST_FROM = 1_795_219_603 / 60 + 1; // whole minutes only
  private static final int BURST_TO = 1_795_219_783 / 60;

  private final InMemoryEndpoints endpoints = new InMemoryEndpoints();
  private final FlowMinutes minutes = new FlowMinutes(endpoints, 1_000_000, 100_000);
  private final Map<String, Long> bodyBytes = new TreeMap<>();
  private long requests;

  /** Bytes that web servers sent, by the exporter's version and server, as the records say. */
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
    FlowDecoding decoding = new FlowDecoding();
    try (InputStream in = new GZIPInputStream(Files.newInputStream(capture));
        BufferedReader lines =
            new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8))) {
      for (String line; (line = lines.readLine()) != null; ) {
        decoding.decode(line);
        if (decoding.batch.size() == 5_000) {
          take(decoding.batch);
        }
      }
    }
    take(decoding.batch);
    assertThat(decoding.rejects).isEmpty();

    Path truth = corpus().resolve("truth-http.jsonl");
    try (MappingIterator<JsonNode> lines =
        JsonMapper.shared().readerFor(JsonNode.class).readValues(truth)) {
      while (lines.hasNext()) {
        JsonNode line = lines.next();
        requests += line.get("requests").asLong();
        bodyBytes.merge(line.get("server").asString(), line.get("body_bytes").asLong(), Long::sum);
      }
    }
  }

  private void take(FlowBatch batch) {
    for (int i = 0; i < batch.size(); i++) {
      if (batch.srcPort(i) == 80) {
        recorded
            .computeIfAbsent(
                batch.observers().get(batch.observer(i)).version(), v -> new TreeMap<>())
            .merge(Addresses.text(batch.srcHigh(i), batch.srcLow(i)), batch.bytes(i), Long::sum);
      }
    }
    assertThat(minutes.add(batch, 0)).isEqualTo(batch.size());
    batch.clear();
  }

  /** The sums with a mark on those that count. */
  private final class Counted {
    final MinuteRows rows;
    final boolean[] counts;

    Counted(int bucketMinutes) {
      rows = minutes.rows().sorted(bucketMinutes);
      counts = new boolean[rows.size()];
      Deduplication.mark(rows, bucketMinutes, counts);
    }

    /** Bytes by sender, of the rows that are wanted. */
    Map<String, Long> bytesSent(IntPredicate wanted) {
      Map<String, Long> sums = new TreeMap<>();
      for (int i = 0; i < rows.size(); i++) {
        if (wanted.test(i)) {
          sums.merge(endpoints.name(rows.src(i)), rows.bytes(i), Long::sum);
        }
      }
      return sums;
    }

    boolean fromWebServer(int row) {
      return rows.port(row) == 80
          && rows.protocol(row) == Protocols.TCP
          && !rows.towardsService(row);
    }

    Map<String, Long> bytesOfWebServers() {
      return bytesSent(row -> counts[row] && fromWebServer(row));
    }
  }

  private static String first(Map<String, Long> sums) {
    return sums.entrySet().stream().max(Map.Entry.comparingByValue()).orElseThrow().getKey();
  }

  private static long sum(Map<String, Long> sums) {
    return sums.values().stream().mapToLong(Long::longValue).sum();
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 5})
  void bytesOfEachServerAgreeWithWhatTheGeneratorsReceived(int bucketMinutes) {
    Map<String, Long> sent = new Counted(bucketMinutes).bytesOfWebServers();
    assertThat(sent.keySet()).isEqualTo(bodyBytes.keySet()).hasSize(6);
    sent.forEach(
        (server, bytes) ->
            assertThat((double) bytes / bodyBytes.get(server))
                .as("%s: bytes of the flows, with headers, to bytes of the bodies", server)
                .isBetween(1.0, 1.07));
  }

  @ParameterizedTest
  @CsvSource({"1, 1.004", "5, 1.001"})
  void theSumsAreThoseOfTheBetterObserver(int bucketMinutes, double most) {
    Map<String, Long> v9 = recorded.get(FlowVersion.NETFLOW_V9);
    Map<String, Long> ipfix = recorded.get(FlowVersion.IPFIX);
    Counted counted = new Counted(bucketMinutes);
    counted
        .bytesOfWebServers()
        .forEach(
            (server, bytes) ->
                assertThat(bytes)
                    .as(server)
                    .isGreaterThanOrEqualTo(Math.max(v9.get(server), ipfix.get(server))));
    assertThat((double) sum(counted.bytesOfWebServers()) / Math.max(sum(v9), sum(ipfix)))
        .isBetween(1.0, most);
    assertThat(counted.bytesSent(counted::fromWebServer))
        .allSatisfy(
            (server, bytes) -> assertThat(bytes).isEqualTo(v9.get(server) + ipfix.get(server)));
  }

  @Test
  void withoutDeduplicationTheyAreTwiceAsMany() {
    Counted counted = new Counted(1);
    Map<String, Long> once = counted.bytesOfWebServers();
    counted
        .bytesSent(counted::fromWebServer)
        .forEach(
            (server, bytes) ->
                assertThat((double) bytes / once.get(server)).as(server).isBetween(1.95, 2.0));
  }

  @Test
  void trafficThatOneExporterSawIsNotTouched() {
    Counted counted = new Counted(1);
    for (String server : new String[] {"10.77.3.11", "10.77.3.53"}) {
      int id = endpoints.id(server);
      assertThat(counted.bytesSent(row -> counted.counts[row] && counted.rows.src(row) == id))
          .isEqualTo(counted.bytesSent(row -> counted.rows.src(row) == id))
          .containsOnlyKeys(server);
    }
  }

  @Test
  void theHeavyHitterIsNamedFirstAndInItsBurstTheOther() {
    Counted counted = new Counted(1);
    assertThat(first(counted.bytesSent(row -> counted.counts[row]))).isEqualTo("10.77.2.13");
    assertThat(
            first(
                counted.bytesSent(
                    row ->
                        counted.counts[row]
                            && counted.rows.minute(row) >= BURST_FROM
                            && counted.rows.minute(row) < BURST_TO)))
        .isEqualTo("10.77.2.15");
  }

  @Test
  void sessionsAreTheRequestsAndOnlyTheClientsMakeThem() {
    Counted counted = new Counted(1);
    long sessions = 0;
    for (int i = 0; i < counted.rows.size(); i++) {
      if (counted.rows.sessions(i) > 0) {
        assertThat(counted.rows.towardsService(i)).isTrue();
      }
      if (counted.counts[i] && counted.rows.port(i) == 80) {
        sessions += counted.rows.sessions(i);
      }
    }
    // The generators count from the begin of the load, after a few seconds of a first try.
    assertThat((double) sessions / requests).isBetween(1.0, 1.015);
  }
}
