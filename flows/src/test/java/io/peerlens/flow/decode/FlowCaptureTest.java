package io.peerlens.flow.decode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.peerlens.flow.network.Addresses;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.MappingIterator;
import tools.jackson.databind.json.JsonMapper;

/** Real captures give, record by record, what a plain reading of their text gives. */
class FlowCaptureTest {

  private static final Path FLOWS = flows();
  private static final Pattern FIELD = Pattern.compile("(\\w+)=(?:\"([^\"]*)\"|([^, ]+))");
  private static final Map<String, Integer> PROTOCOLS =
      Map.of("TCP", 6, "UDP", 17, "ICMP", 1, "IPv6-ICMP", 58);
  private static final long NOW = FlowDecoding.NOW.toEpochMilli();

  private static Path flows() {
    Path folder = Path.of("..", "shared", "corpus").toAbsolutePath();
    Path besideTheReactor = Path.of("..", "..", "shared", "corpus").toAbsolutePath();
    return (Files.isDirectory(folder) ? folder : besideTheReactor.normalize()).resolve("flows");
  }

  @Test
  void goflow2sTopicGivesWhatJacksonReads() throws IOException {
    FlowDecoding d = new FlowDecoding();
    List<String> expected = new ArrayList<>();
    for (String line : lines("goflow2-kafka.jsonl.gz")) {
      d.decode((line + "\n").getBytes(StandardCharsets.UTF_8), NOW);
      expected.add(goflow2(JsonMapper.shared().readTree(line)));
    }
    assertThat(d.rejects).isEmpty();
    assertThat(expected).hasSize(76_005);
    same(d, expected);
    // Sums by another way again: regular expressions over the whole text.
    long bytes = 0;
    for (String line : lines("goflow2-kafka.jsonl.gz")) {
      Matcher m = Pattern.compile("\"bytes\":(\\d+),").matcher(line);
      assertThat(m.find()).isTrue();
      bytes += Long.parseLong(m.group(1));
    }
    assertThat(sum(d)).isEqualTo(bytes);
    assertThat(d.batch.observers())
        .extracting(Observer::toString)
        .containsExactlyInAnyOrder(
            "10.77.255.2, domain 0, NETFLOW_V9", "10.77.255.2, domain 0, IPFIX");
  }

  @Test
  void gluedObjectsAreAllFound() throws IOException {
    FlowDecoding d = new FlowDecoding();
    List<String> expected = new ArrayList<>();
    int glued = 0;
    for (String line : lines("goflow2-file-glued-lines.txt.gz")) {
      d.decode(line.getBytes(StandardCharsets.UTF_8), NOW);
      int before = expected.size();
      try (MappingIterator<JsonNode> objects =
          JsonMapper.shared().readerFor(JsonNode.class).readValues(line)) {
        objects.forEachRemaining(o -> expected.add(goflow2(o)));
      }
      glued += expected.size() - before > 1 ? 1 : 0;
    }
    assertThat(glued).isEqualTo(20);
    assertThat(d.rejects).isEmpty();
    same(d, expected);
  }

  @Test
  void telegrafsTopicGivesWhatRegularExpressionsRead() throws IOException {
    FlowDecoding d = new FlowDecoding();
    List<String> expected = new ArrayList<>();
    int options = 0;
    for (String line : lines("telegraf-netflow.lp.gz")) {
      d.decode((line + "\n").getBytes(StandardCharsets.UTF_8), NOW);
      if (line.startsWith("netflow_options,")) {
        options++;
      } else {
        expected.add(telegraf(line));
      }
    }
    assertThat(d.rejects).isEmpty();
    assertThat(expected).hasSize(74_763);
    same(d, expected);
    assertThat(options).isEqualTo(173);
    assertThat(d.decoder.passedOver().optionRecords()).isEqualTo(options);
    assertThat(d.exporters.snapshot())
        .extracting(e -> e.version() + " " + e.population() + "/" + e.sampled())
        .containsExactlyInAnyOrder("IPFIX 1/1", "NETFLOW_V9 1/1");
  }

  @Test
  void bothCollectorsSawTheSameTraffic() throws IOException {
    FlowDecoding goflow2 = new FlowDecoding();
    for (String line : lines("goflow2-kafka.jsonl.gz")) {
      goflow2.decode(line.getBytes(StandardCharsets.UTF_8), NOW);
    }
    FlowDecoding telegraf = new FlowDecoding();
    for (String line : lines("telegraf-netflow.lp.gz")) {
      telegraf.decode(line.getBytes(StandardCharsets.UTF_8), NOW);
    }
    // Each lacks what came before its first template, about 10 s of 1,000.
    Map<String, Long> a = bytesByPair(goflow2);
    Map<String, Long> b = bytesByPair(telegraf);
    for (String pair : List.of("10.77.2.13 10.77.1.11", "10.77.2.15 10.77.1.12")) {
      assertThat((double) a.getOrDefault(pair, 0L) / b.getOrDefault(pair, 0L))
          .as(pair)
          .isBetween(0.97, 1.03);
    }
  }

  private static void same(FlowDecoding d, List<String> expected) {
    for (int i = 0; i < Math.min(d.batch.size(), expected.size()); i++) {
      assertThat(d.row(i)).as("record %d", i).isEqualTo(expected.get(i));
    }
    assertThat(d.batch.size()).isEqualTo(expected.size());
  }

  private static Map<String, Long> bytesByPair(FlowDecoding d) {
    Map<String, Long> bytes = new HashMap<>();
    for (int i = 0; i < d.batch.size(); i++) {
      bytes.merge(
          Addresses.text(d.batch.srcHigh(i), d.batch.srcLow(i))
              + " "
              + Addresses.text(d.batch.dstHigh(i), d.batch.dstLow(i)),
          d.batch.bytes(i),
          Long::sum);
    }
    return bytes;
  }

  private static long sum(FlowDecoding d) {
    long bytes = 0;
    for (int i = 0; i < d.batch.size(); i++) {
      bytes += d.batch.bytes(i);
    }
    return bytes;
  }

  private static String goflow2(JsonNode o) {
    int protocol = PROTOCOLS.getOrDefault(o.path("proto").stringValue(), -1);
    boolean icmp = protocol == 1 || protocol == 58;
    int flags = o.path("tcp_flags").intValue();
    // 0 until the exporter has said it
    long rate = Math.max(1, o.path("sampling_rate").longValue());
    return FlowDecoding.row(
        o.path("src_addr").stringValue(),
        icmp ? 0 : o.path("src_port").intValue(),
        o.path("dst_addr").stringValue(),
        icmp ? 0 : o.path("dst_port").intValue(),
        protocol,
        o.path("bytes").longValue() * rate,
        o.path("packets").longValue() * rate,
        protocol == 6 && flags != 0 ? flags : -1,
        icmp ? icmp(o) : -1,
        false,
        0,
        o.path("in_if").longValue(),
        o.path("out_if").longValue(),
        o.path("sampler_address").stringValue(),
        o.path("observation_domain_id").longValue(),
        o.path("type").stringValue(),
        o.path("time_received_ns").longValue() / 1_000_000,
        o.path("time_flow_start_ns").longValue() / 1_000_000,
        o.path("time_flow_end_ns").longValue() / 1_000_000);
  }

  private static int icmp(JsonNode o) {
    int said = o.path("icmp_type").intValue() * 256 + o.path("icmp_code").intValue();
    return said == 0 ? o.path("dst_port").intValue() : said;
  }

  private static String telegraf(String line) {
    Map<String, String> f = new HashMap<>();
    Matcher m = FIELD.matcher(line);
    while (m.find()) {
      f.put(m.group(1), m.group(2) != null ? m.group(2) : m.group(3).replaceAll("[iu]$", ""));
    }
    int protocol =
        switch (f.get("protocol")) {
          case "tcp" -> 6;
          case "udp" -> 17;
          case "icmp" -> 1;
          case "ipv6-icmp" -> 58;
          case null, default -> -1;
        };
    // With the text of the capture, sampling is 1 everywhere.
    boolean icmp = protocol == 1 || protocol == 58;
    int typeAndCode = number(f, "icmp_type") * 256 + number(f, "icmp_code");
    int flags = 0;
    for (char c : f.getOrDefault("tcp_flags", "").toCharArray()) {
      flags |=
          switch (c) {
            case 'F' -> 1;
            case 'S' -> 2;
            case 'R' -> 4;
            case 'P' -> 8;
            case 'A' -> 16;
            case 'U' -> 32;
            case 'E' -> 64;
            case 'C' -> 128;
            default -> 0;
          };
    }
    boolean ipfix = "IPFIX".equals(f.get("version"));
    long received = Long.parseLong(line.substring(line.lastIndexOf(' ') + 1)) / 1_000_000;
    return FlowDecoding.row(
        f.get("src"),
        icmp ? 0 : number(f, "src_port"),
        f.get("dst"),
        icmp ? 0 : number(f, "dst_port"),
        protocol,
        f.get("in_bytes"),
        f.get("in_packets"),
        protocol == 6 && flags != 0 ? flags : -1,
        icmp ? (typeAndCode == 0 ? number(f, "dst_port") : typeAndCode) : -1,
        false,
        "ingress".equals(f.get("direction")) ? 1 : "egress".equals(f.get("direction")) ? 2 : 0,
        number(f, "in_snmp"),
        number(f, "out_snmp"),
        f.get("source"),
        0,
        ipfix ? FlowVersion.IPFIX : FlowVersion.NETFLOW_V9,
        received,
        ipfix ? f.get("flow_start_ms") : received,
        ipfix ? f.get("flow_end_ms") : received);
  }

  private static int number(Map<String, String> fields, String name) {
    return Integer.parseInt(fields.getOrDefault(name, "0"));
  }

  private static List<String> lines(String capture) throws IOException {
    Path file = FLOWS.resolve(capture);
    assumeTrue(Files.exists(file), "Skipped, the capture is not here: " + file);
    try (BufferedReader in =
        new BufferedReader(
            new InputStreamReader(
                new GZIPInputStream(Files.newInputStream(file)), StandardCharsets.UTF_8))) {
      return in.lines().filter(l -> !l.isBlank()).toList();
    }
  }
}
