package io.peerlens.ingest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.peerlens.ingest.key.ObjectKey;
import io.peerlens.ingest.key.ObjectReference;
import io.peerlens.ingest.key.SetKey;
import java.io.BufferedReader;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.zip.GZIPInputStream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** What a real Collector wrote becomes the objects and metrics that Telegraf's would. */
class OtlpCaptureTest {

  private static final Path CORPUS = corpus();
  private static final Instant NOW = Instant.parse("2026-11-22T20:31:00Z");
  private static final String VC = "vc-1.example.net";

  private static Path corpus() {
    Path folder = Path.of("..", "shared", "corpus", "otlp").toAbsolutePath();
    Path besideTheReactor = Path.of("..", "..", "shared", "corpus", "otlp").toAbsolutePath();
    return Files.isDirectory(folder) ? folder : besideTheReactor.normalize();
  }

  private static List<String> lines(String file) throws IOException {
    Path path = CORPUS.resolve(file);
    assumeTrue(Files.exists(path), "Skipped, the capture is not here: " + path);
    try (BufferedReader in =
        new BufferedReader(
            new InputStreamReader(
                new GZIPInputStream(Files.newInputStream(path)), StandardCharsets.UTF_8))) {
      return in.lines().toList();
    }
  }

  private static List<byte[]> kafka(String file) throws IOException {
    // The dump has one partition after the other; consumers read them side by side.
    return lines("kafka/" + file).stream()
        .map(line -> JsonMapper.shared().readTree(line))
        .sorted(Comparator.comparingLong((JsonNode record) -> record.path("timestamp").longValue()))
        .map(record -> Base64.getDecoder().decode(record.path("value").stringValue()))
        .toList();
  }

  private static List<byte[]> json(String file) throws IOException {
    return lines(file).stream().map(line -> line.getBytes(StandardCharsets.UTF_8)).toList();
  }

  private static Decoding decode(List<byte[]> values, int batch) {
    Decoding d = new Decoding().at(NOW);
    for (int from = 0; from < values.size(); from += batch) {
      List<ConsumerRecord<byte[], byte[]>> records = new ArrayList<>();
      for (byte[] value : values.subList(from, Math.min(from + batch, values.size()))) {
        records.add(d.record(value, NOW.toEpochMilli(), null));
      }
      d.batch(records);
    }
    assertThat(d.rejections()).isEmpty();
    return d;
  }

  private static Map<String, Integer> kinds(Decoding d) {
    return d.catalog.objects().stream()
        .collect(
            Collectors.groupingBy(
                ObjectKey::objectKind, TreeMap::new, Collectors.summingInt(o -> 1)));
  }

  private static ObjectKey vmware(String kind, String id) {
    return new ObjectKey("VMWARE", kind, VC + '/' + id);
  }

  /** The newest value of a metric, NaN when there is none. */
  private static double newest(Decoding d, ObjectKey object, String key) {
    long time = Long.MIN_VALUE;
    double value = Double.NaN;
    for (InMemorySampleSink.RowKey row : d.sink.keys()) {
      if (row.timeMicros() > time
          && d.catalog.set(row.setId()).object().equals(object)
          && !Double.isNaN(d.value(object, key, row.timeMicros()))) {
        time = row.timeMicros();
        value = d.value(object, key, time);
      }
    }
    return value;
  }

  @Test
  void aVCenterBecomesItsObjectsWithKeysThatSuperMetricsKnow() throws IOException {
    Decoding d = decode(json("vcenter/vcenter-all.otlp.jsonl.gz"), 1);
    assertThat(kinds(d))
        .containsEntry("VirtualMachine", 23)
        .containsEntry("HostSystem", 10)
        .containsEntry("ClusterComputeResource", 4)
        .containsEntry("Datastore", 4)
        .containsEntry("Datacenter", 2)
        .containsEntry("ResourcePool", 6)
        .hasSize(6);
    assertThat(d.catalog.sets().stream().map(SetKey::instance)).containsOnly("");
    assertThat(d.catalog.groups().stream().map(g -> g.objectKind() + ' ' + g.name()))
        .noneMatch(group -> group.contains("vcenter."));

    ObjectKey datastore = vmware("Datastore", "DC0/LocalDS_0");
    double used = newest(d, datastore, "disk|used_latest");
    assertThat(used).isEqualTo(118111600640.0 / 1024);
    assertThat(newest(d, datastore, "disk|capacity_latest"))
        .isEqualTo((118111600640.0 + 5379446538240.0) / 1024);
    assertThat(
            newest(d, vmware("ClusterComputeResource", "DC0/DC0_C0"), "summary|total_number_hosts"))
        .isEqualTo(2);
    assertThat(d.names(vmware("VirtualMachine", ""), "cpu"))
        .contains("usage_average", "usagemhz_average", "readiness_average", "ready_summation");
    assertThat(d.names(vmware("VirtualMachine", ""), "net"))
        .contains("bytesRx_average", "usage_average", "packetsRx_summation");

    ObjectKey vm =
        d.catalog.objects().stream()
            .filter(o -> o.objectKind().equals("VirtualMachine"))
            .filter(o -> d.catalog.attributes(o).name().equals("DC0_C0_RP0_VM1"))
            .findFirst()
            .orElseThrow();
    assertThat(d.catalog.attributes(vm).locator()).isEqualTo(VC + "/DC0/DC0_C0_RP0_VM1");
    assertThat(d.catalog.attributes(vm).properties())
        .containsEntry("summary|parentCluster", "DC0_C0")
        .containsEntry("summary|parentDatacenter", "DC0")
        .containsEntry("summary|parentVcenter", VC)
        .containsKey("config|instanceUuid");
    assertThat(d.catalog.attributes(vm).tags()).isEmpty();
    // Each parent's locator is that of an object which is there.
    List<String> locators =
        d.catalog.objects().stream().map(o -> d.catalog.attributes(o).locator()).toList();
    assertThat(d.catalog.attributes(vm).references())
        .hasSize(2)
        .extracting(ObjectReference::locator)
        .allMatch(locators::contains);
  }

  @Test
  void protobufAndJsonOfOneCaptureGiveTheSame() throws IOException {
    Decoding fromJson = decode(json("host/host.otlp.jsonl.gz"), 3);
    List<byte[]> binary = new ArrayList<>();
    try (GZIPInputStream in =
            new GZIPInputStream(Files.newInputStream(CORPUS.resolve("host/host.otlp.lenpb.gz")));
        DataInputStream data = new DataInputStream(in)) {
      byte[] length;
      while ((length = data.readNBytes(4)).length == 4) {
        binary.add(data.readNBytes(ByteBuffer.wrap(length).getInt()));
      }
    }
    Decoding fromProtobuf = decode(binary, 3);
    assertThat(fromProtobuf.all()).hasSizeGreaterThan(1_500).isEqualTo(fromJson.all());
  }

  @Test
  void aHostFeedsTheObjectAndTheMetricsOfATelegrafAgent() throws IOException {
    Decoding d = decode(json("host/host.otlp.jsonl.gz"), 1);
    ObjectKey host = Decoding.host("vm-1.example.net");
    assertThat(d.catalog.objects()).containsExactly(host);
    assertThat(d.catalog.attributes(host).tags()).isEqualTo(Map.of("os.type", "linux"));
    double used = newest(d, host, "mem|used");
    double total = newest(d, host, "mem|total");
    assertThat(newest(d, host, "mem|used_percent"))
        .as("the receiver's own, a ratio, in percent")
        .isCloseTo(100 * used / total, within(0.01));
    double idle = newest(d, host, "cpu|usage_idle");
    assertThat(newest(d, host, "cpu|usage_active")).isCloseTo(100 - idle, within(1e-9));
    assertThat(newest(d, host, "cpu|time_idle"))
        .isCloseTo(
            newest(d, host, "cpu:cpu0|time_idle") + newest(d, host, "cpu:cpu1|time_idle"),
            within(1e-6));
    assertThat(newest(d, host, "cpu:cpu0|time_user_rate")).isBetween(0.0, 1.5);
    assertThat(newest(d, host, "disk:/|used_percent")).isBetween(1.0, 99.0);
    assertThat(newest(d, host, "disk:/|total"))
        .isEqualTo(
            newest(d, host, "disk:/|used")
                + newest(d, host, "disk:/|free")
                + newest(d, host, "disk:/|reserved"));
    assertThat(newest(d, host, "diskio:vda|io_util"))
        .isCloseTo(newest(d, host, "diskio:vda|io_time_rate") / 10, within(1e-9));
    assertThat(newest(d, host, "net:eth0|bytes_recv_rate")).isNotNaN();
    assertThat(newest(d, host, "netstat|tcp_listen")).isGreaterThan(0);
    assertThat(newest(d, host, "netstat|tcp_fin_wait2")).isNotNaN();
    assertThat(newest(d, host, "system|load1")).isGreaterThan(0);
    assertThat(newest(d, host, "processes|total")).isGreaterThan(0);
    assertThat(newest(d, host, "kernel|processes_forked_rate")).isNotNaN();
    assertThat(d.catalog.groups().stream().map(g -> g.name()))
        .containsExactlyInAnyOrder(
            "cpu",
            "mem",
            "disk",
            "diskio",
            "net",
            "netstat",
            "swap",
            "kernel",
            "processes",
            "system");
  }

  @Test
  void keyedAndUnkeyedRecordsOfACollectorGiveTheSameObjects() throws IOException {
    Decoding whole = decode(kafka("otlp_metrics.jsonl.gz"), 2);
    Decoding keyed = decode(kafka("otlp_metrics_keyed.jsonl.gz"), 40);
    Decoding asJson = decode(kafka("otlp_metrics_json.jsonl.gz"), 40);
    assertThat(kinds(whole)).isEqualTo(kinds(keyed)).isEqualTo(kinds(asJson));
    assertThat(keyed.all()).hasSizeGreaterThan(3_000).isEqualTo(asJson.all());
  }

  @Test
  void aMachineThatMovedKeepsItsObjectAndGetsItsNewHost() throws IOException {
    Decoding d = decode(kafka("otlp_metrics_keyed.jsonl.gz"), 49);
    assertThat(kinds(d).get("VirtualMachine")).isEqualTo(23);
    ObjectKey moved =
        d.catalog.objects().stream()
            .filter(o -> o.objectKind().equals("VirtualMachine"))
            .filter(o -> d.catalog.attributes(o).name().equals("DC0_C0_RP0_VM0"))
            .findFirst()
            .orElseThrow();
    assertThat(d.catalog.attributes(moved).properties())
        .containsEntry("summary|parentHost", "DC0_C0_H0");
  }

  @Test
  void anSdksPointsAreReadWhicheverOrderTheirFieldsHave() throws IOException {
    Decoding reverse = decode(kafka("otlp_metrics_sdk.jsonl.gz"), 1);
    Decoding expected = decode(json("kafka/otlp_metrics_sdk.expected.otlp.jsonl.gz"), 1);
    assertThat(reverse.all()).hasSizeGreaterThan(100).isEqualTo(expected.all());
    assertThat(kinds(reverse)).isEqualTo(Map.of("Service", 1));
    List<byte[]> bodies = new ArrayList<>();
    for (int i = 1; i <= 6; i++) {
      bodies.add(Files.readAllBytes(CORPUS.resolve("otlphttp/sdk/body-%03d.bin".formatted(i))));
    }
    Decoding ascending = decode(bodies, 1);
    assertThat(ascending.all().keySet()).anyMatch(key -> key.contains("duration_p95@"));
    assertThat(ascending.catalog.objects())
        .containsExactlyInAnyOrderElementsOf(reverse.catalog.objects());
  }

  @Test
  void hostmetricsWithoutHostNameMixMachinesIntoTheirScope() throws IOException {
    Path body = CORPUS.resolve("otlphttp/collector/body-002.bin");
    assumeTrue(Files.exists(body), "Skipped, the capture is not here: " + body);
    Decoding d = decode(List.of(Files.readAllBytes(body)), 1);
    assertThat(kinds(d)).containsOnlyKeys("Scope");
  }
}
