package io.peerlens.talker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.peerlens.assistant.AssistantCalls;
import io.peerlens.assistant.AssistantCalls.Told;
import io.peerlens.support.ApiClient.Answer;
import io.peerlens.support.SampleData;
import io.peerlens.talker.RawFlows.Named;
import io.peerlens.talker.RawFlows.Vm;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.UUID;
import org.assertj.core.data.Percentage;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** Rankings and flows beside plain SQL over the records that were sent. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class TopTalkersIT {

  static final List<String> MEASURES =
      List.of("bytes", "rate", "peak", "packets", "sessions", "flows", "resets", "drops");
  private static final List<String> DIRECTIONS = List.of("sent", "received", "both");

  private static final Instant START = Instant.parse("2025-11-01T20:00:00Z");
  private static final Instant END = Instant.parse("2025-11-03T02:00:00Z");

  /** What is newer is not rolled up. */
  private static final Instant ROLLED = Instant.parse("2025-11-03T01:30:00Z");

  private static final List<String> ADDRESSES =
      List.of(
          "10.0.1.1",
          "10.0.1.2",
          "fd00::1",
          "10.0.2.1",
          "10.0.2.2",
          "10.0.3.9",
          "203.0.113.7",
          "198.51.100.1",
          "198.51.100.2");

  private final SplittableRandom random = new SplittableRandom(7);
  private RawFlows flows;

  @BeforeAll
  void load() {
    flows =
        RawFlows.load(
            records(),
            List.of(
                new Vm("web-1", "esx-1", "prod", "web", List.of("10.0.1.1", "fd00::1")),
                new Vm("web-2", "esx-2", "prod", "web", List.of("10.0.1.2")),
                new Vm("db-1", "esx-1", "prod", "db", List.of("10.0.2.1")),
                new Vm("db-2", "esx-3", "test", "db", List.of("10.0.2.2"))),
            List.of(
                new Named("Web", "10.0.1.0/24", null),
                new Named("Data, main", "10.0.2.0/24", null),
                new Named("Partner", "203.0.113.0/24", null)),
            ROLLED);
  }

  @AfterAll
  void close() {
    flows.close();
  }

  private List<String> records() {
    List<String> lines = new ArrayList<>();
    List<Instant> begins = new ArrayList<>();
    for (int i = 0; i < 25; i++) {
      begins.add(
          START.plusSeconds(random.nextLong(Duration.between(START, END).toSeconds() - 600)));
    }
    begins.add(END.minusSeconds(900));
    for (int i = 0; i < 1_500; i++) {
      Instant begin =
          begins.get(random.nextInt(begins.size())).plusMillis(random.nextLong(240_000));
      long took = random.nextInt(3) == 0 ? random.nextLong(150_000) : 0;
      String src = ADDRESSES.get(random.nextInt(ADDRESSES.size()));
      String dst = ADDRESSES.get(random.nextInt(ADDRESSES.size()));
      if (src.equals(dst)) {
        continue;
      }
      int client = 40_000 + random.nextInt(5);
      int service = List.of(443, 5432, 53, 8080).get(random.nextInt(4));
      String proto =
          random.nextInt(10) == 0
              ? (src + dst).indexOf(':') >= 0 ? "IPv6-ICMP" : "ICMP"
              : service == 53 ? "UDP" : "TCP";
      boolean icmp = proto.endsWith("ICMP");
      boolean towards = random.nextBoolean();
      long bytes =
          1 + (random.nextInt(8) == 0 ? random.nextLong(1L << 32) : random.nextLong(5_000));
      int drop = random.nextInt(12) == 0 ? 130 : 64;
      String line =
          """
          {"type":"%s","time_received_ns":%d,"sampling_rate":%d,"sampler_address":"192.0.2.1",\
          "time_flow_start_ns":%d,"time_flow_end_ns":%d,"bytes":%d,"packets":%d,"src_addr":"%s","dst_addr":"%s",\
          "proto":"%s","src_port":%d,"dst_port":%d,"icmp_type":%d,"icmp_code":0,"tcp_flags":%d,\
          "forwarding_status":%d,"observation_domain_id":0}""";
      int icmpType = !icmp ? 0 : proto.equals("ICMP") ? (towards ? 8 : 0) : towards ? 128 : 129;
      long packets = 1 + bytes / 900;
      int flags = random.nextInt(32);
      int sampled = random.nextInt(9) == 0 ? 10 : 1;
      for (String observer : List.of("IPFIX", "NETFLOW_V9")) {
        // The second one tells of half of it, and of that a little less.
        boolean second = observer.equals("NETFLOW_V9");
        if (second && random.nextBoolean()) {
          continue;
        }
        lines.add(
            line.formatted(
                observer,
                begin.plusMillis(took).toEpochMilli() * 1_000_000,
                sampled,
                begin.toEpochMilli() * 1_000_000,
                begin.plusMillis(took).toEpochMilli() * 1_000_000,
                second ? bytes * 9 / 10 : bytes,
                packets,
                src,
                dst,
                proto,
                icmp ? 0 : towards ? client : service,
                icmp ? 0 : towards ? service : client,
                icmpType,
                flags,
                drop));
      }
    }
    return lines;
  }

  private static String in(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8);
  }

  private JsonNode top(
      String by, String measure, String direction, Instant from, Instant to, String filters) {
    Answer answer =
        flows
            .api()
            .get(
                "/top-talkers?by=%s&measure=%s&direction=%s&from=%s&to=%s&limit=1000%s"
                    .formatted(by, measure, direction, from, to, filters));
    assertThat(answer.status()).as(answer.body()).isEqualTo(200);
    return answer.json();
  }

  /** By how much one of the raw numbers is told. */
  private static double unit(String measure, JsonNode answer) {
    return switch (measure) {
      case "rate" -> 8_000.0 / (answer.get("to").asLong() - answer.get("from").asLong());
      case "peak" -> 8 / 60.0;
      default -> 1;
    };
  }

  private static String name(String by, JsonNode talker) {
    return by.equals("port") || by.equals("protocol")
        ? talker.get("service").asString()
        : talker.get("name").asString();
  }

  /** The same ranking as plain SQL has, to the last unit, and in order. */
  static void assertRanking(
      String what, String by, String measure, JsonNode answer, Map<String, Long> expected) {
    Map<String, Long> found = new TreeMap<>();
    double unit = unit(measure, answer);
    double last = Double.MAX_VALUE;
    for (JsonNode item : answer.get("items")) {
      double value = item.get("value").asDouble();
      assertThat(value).as(what).isLessThanOrEqualTo(last);
      last = value;
      found.put(name(by, item.get("talker")), Math.round(value / unit));
    }
    assertThat(found).as(what).isEqualTo(expected);
  }

  @ParameterizedTest
  @ValueSource(strings = {"vm", "host", "cluster", "tier", "network", "port", "protocol", "pair"})
  void everyRankingIsThatOfPlainSql(String by) {
    for (String measure : MEASURES) {
      for (String direction : DIRECTIONS) {
        JsonNode answer =
            top(by, measure, direction, START, ROLLED, "&compare=none&sparkline=false");
        assertThat(answer.get("from").asLong()).isEqualTo(START.toEpochMilli());
        assertThat(answer.get("to").asLong()).isEqualTo(ROLLED.toEpochMilli());
        assertThat(answer.get("mayMiss").asDouble()).isZero();
        Map<String, Long> expected = flows.talkers(by, measure, direction, START, ROLLED);
        assertThat(expected).isNotEmpty();
        assertRanking(by + " " + measure + " " + direction, by, measure, answer, expected);
      }
    }
  }

  private static String uuid(String kind, String name) {
    return SampleData.uuid(kind, name).toString();
  }

  /** Filters of the API and what they mean for a row as traffic that is sent, and received. */
  private enum Filter {
    PORTS("&ports=443/tcp&ports=icmp", "port = 443 and proto = 'tcp' or proto = 'icmp'", null),
    ANY_PROTOCOL("&ports=53", "port = 53 and proto in ('tcp', 'udp')", null),
    HOST("&scope=" + uuid("HostSystem", "esx-1"), "s_host = 'esx-1'", "d_host = 'esx-1'"),
    CLUSTER_TO_VM(
        "&scope=%s&peerScope=%s"
            .formatted(uuid("ClusterComputeResource", "prod"), uuid("VirtualMachine", "db-2")),
        "s_cluster = 'prod' and d_vm = 'db-2'",
        "d_cluster = 'prod' and s_vm = 'db-2'"),
    NETWORK(
        "&network=Partner&network=Web",
        "s_network in ('Partner', 'Web')",
        "d_network in ('Partner', 'Web')"),
    PREFIX("&network=10.0.2.0/24", "src <<= '10.0.2.0/24'", "dst <<= '10.0.2.0/24'"),
    TIER_AND_TYPE(
        "&tier=web&trafficType=north-south",
        "s_tier = 'web' and not d_internal",
        "d_tier = 'web' and not s_internal"),
    NOBODY("&scope=" + new UUID(1, 2), "false", "false");

    final String parameters;
    final String sent;
    final String received;

    Filter(String parameters, String sent, @Nullable String received) {
      this.parameters = parameters;
      this.sent = sent;
      this.received = received == null ? sent : received;
    }
  }

  @ParameterizedTest
  @EnumSource(Filter.class)
  void filtersAreThoseOfPlainSqlByMinuteAndOverRollUps(Filter filter) {
    Instant shortFrom = ROLLED.minus(Duration.ofHours(2));
    for (Instant from : List.of(START, shortFrom)) {
      for (String by : List.of("vm", "host", "tier", "network", "port", "protocol", "pair")) {
        for (String direction : DIRECTIONS) {
          for (String measure : List.of("bytes", "packets", "sessions", "drops", "peak")) {
            boolean byMinute = from == shortFrom;
            if (measure.equals("peak") && !byMinute) {
              continue; // below
            }
            JsonNode answer =
                top(
                    by,
                    measure,
                    direction,
                    from,
                    ROLLED,
                    "&compare=none&sparkline=false" + filter.parameters);
            assertThat(answer.get("mayMiss").asDouble()).isZero();
            assertRanking(
                filter + " " + by + " " + direction + " " + measure + " from " + from,
                by,
                measure,
                answer,
                flows.talkers(by, measure, direction, from, ROLLED, filter.sent, filter.received));
          }
        }
      }
    }
  }

  @Test
  void aPeakOverRollUpsIsAtLeastTheValueAndAtMostWhatItMayMissMore() {
    JsonNode answer = top("host", "peak", "both", START, ROLLED, Filter.PORTS.parameters);
    Map<String, Long> expected =
        flows.talkers(
            "host", "peak", "both", START, ROLLED, Filter.PORTS.sent, Filter.PORTS.received);
    assertThat(answer.get("items")).hasSize(expected.size());
    for (JsonNode item : answer.get("items")) {
      double peak = expected.get(name("host", item.get("talker"))) * 8 / 60.0;
      double value = item.get("value").asDouble();
      assertThat(peak).isBetween(value - 1e-6, value + item.get("mayMiss").asDouble() + 1e-6);
    }
  }

  /** Asks again with the filters of every row. */
  @ParameterizedTest
  @ValueSource(strings = {"vm", "host", "cluster", "tier", "network", "port", "protocol", "pair"})
  void theFiltersOfARowGiveExactlyItsTraffic(String by) {
    for (Instant from : List.of(START, ROLLED.minus(Duration.ofHours(2)))) {
      JsonNode ranking = top(by, "bytes", "sent", from, ROLLED, "&compare=none&sparkline=false");
      Set<String> keys = new HashSet<>();
      for (JsonNode item : ranking.get("items")) {
        assertThat(keys.add(item.get("talker").get("key").asString())).isTrue();
        StringBuilder filters = new StringBuilder("&compare=none&sparkline=false");
        JsonNode filter = item.get("talker").get("filter");
        filter
            .properties()
            .forEach(
                property -> {
                  for (JsonNode value : property.getValue()) {
                    filters.append("&%s=%s".formatted(property.getKey(), in(value.asString())));
                  }
                });
        assertThat(filter.path("direction").asString(""))
            .as("what a pair sends; with others the question says it")
            .isEqualTo(by.equals("pair") ? "sent" : "");
        for (String into : List.of("pair", "port")) {
          JsonNode narrowed = top(into, "bytes", "sent", from, ROLLED, filters.toString());
          assertThat(narrowed.get("total").asDouble())
              .as(by + " " + item.get("talker") + " into " + into)
              .isEqualTo(item.get("value").asDouble());
        }
      }
    }
  }

  @Test
  void aRowHasShareChangesRatesAndALineThatAddUp() {
    Instant from = ROLLED.minus(Duration.ofHours(6));
    for (String filter : List.of("", "&scope=" + uuid("ClusterComputeResource", "prod"))) {
      JsonNode answer = top("vm", "bytes", "sent", from, ROLLED, filter);
      String sent = filter.isEmpty() ? "true" : "s_cluster = 'prod'";
      Map<String, Long> before =
          flows.talkers("vm", "bytes", "sent", from.minus(Duration.ofHours(6)), from, sent, "true");
      double total = answer.get("total").asDouble();
      double listed = 0;
      assertThat(answer.get("items")).isNotEmpty();
      for (JsonNode item : answer.get("items")) {
        double value = item.get("value").asDouble();
        listed += value;
        assertThat(item.get("share").asDouble()).isCloseTo(value / total, within(1e-9));
        assertThat(item.get("meanRate").asDouble()).isCloseTo(value * 8 / 21_600, within(1e-3));
        long then = before.getOrDefault(item.get("talker").get("name").asString(), 0L);
        assertThat(item.get("before").get("value").asLong()).isEqualTo(then);
        if (then > 0) {
          assertThat(item.get("before").get("change").asDouble())
              .isCloseTo((value - then) / then, within(1e-9));
        } else {
          assertThat(item.get("before").get("change").isNull()).isTrue();
        }
        assertThat(item.has("weekAgo")).as("nothing is known of then").isFalse();
        assertThat(bits(item.get("sparkline"), answer)).isCloseTo(value * 8, within(1.0));
      }
      assertThat(bits(answer.get("sparklineTotal"), answer)).isCloseTo(total * 8, within(1.0));
      assertThat(
              listed
                  + answer.get("others").get("value").asDouble()
                  + answer.get("unassigned").asDouble())
          .isCloseTo(total, within(1e-3));
    }
  }

  /** What a line of rates adds up to. */
  private static double bits(JsonNode line, JsonNode answer) {
    JsonNode times = answer.get("sparklineTimes");
    assertThat(times.size()).isEqualTo(line.size()).isLessThanOrEqualTo(60);
    double sum = 0;
    for (int i = 0; i < line.size(); i++) {
      long end = i + 1 < times.size() ? times.get(i + 1).asLong() : answer.get("to").asLong();
      sum += line.get(i).asDouble() * (end - times.get(i).asLong()) / 1000;
    }
    return sum;
  }

  @Test
  void theFirstTalkersAreListedAndTheOthersSummed() {
    for (String filter : List.of("", "&ports=443/tcp&ports=8080&ports=udp")) {
      JsonNode all = top("pair", "bytes", "both", START, ROLLED, filter);
      JsonNode first =
          flows
              .api()
              .get("/top-talkers?by=pair&from=%s&to=%s&limit=3%s".formatted(START, ROLLED, filter))
              .json();
      assertThat(first.get("items")).hasSize(3);
      double rest = all.get("total").asDouble() - all.get("unassigned").asDouble();
      for (int i = 0; i < 3; i++) {
        assertThat(first.get("items").get(i).get("talker").get("key"))
            .isEqualTo(all.get("items").get(i).get("talker").get("key"));
        rest -= all.get("items").get(i).get("value").asDouble();
      }
      assertThat(first.get("others").get("value").asDouble()).isCloseTo(rest, within(1.0));
      assertThat(first.get("others").get("talkers").asInt()).isEqualTo(all.get("items").size() - 3);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"vm", "host", "network", "port", "pair"})
  void assistantsAreToldTheSameRanking(String by) {
    for (String measure : List.of("bytes", "peak", "sessions")) {
      JsonNode rest =
          flows
              .api()
              .get(
                  "/top-talkers?by=%s&measure=%s&direction=sent&from=%s&to=%s&limit=3&compare=before"
                      .formatted(by, measure, START, ROLLED))
              .json();
      JsonNode told =
          AssistantCalls.call(
                  flows.api(),
                  "top_talkers",
                  Map.of(
                      "by",
                      by,
                      "measure",
                      measure,
                      "direction",
                      "sent",
                      "from",
                      START.toString(),
                      "to",
                      ROLLED.toString(),
                      "limit",
                      3))
              .answer();
      String what = by + " " + measure + " " + told;
      assertThat(rest.get("items")).hasSize(3);
      assertThat(told.get("talkers")).as(what).hasSize(3);
      for (int i = 0; i < 3; i++) {
        JsonNode expected = rest.get("items").get(i);
        JsonNode talker = told.get("talkers").get(i);
        assertThat(talker.get("name")).as(what).isEqualTo(expected.at("/talker/name"));
        assertThat(talker.get("rank")).as(what).isEqualTo(expected.get("rank"));
        near(what, talker.get("value"), expected.get("value"));
        near(what, talker.get("share"), expected.get("share"));
      }
      near(what, told.get("total"), rest.get("total"));
      assertThat(told.get("unit")).isEqualTo(rest.get("unit"));
      assertThat(told.get("from").asString()).isEqualTo(START.toString());
      int all = 3 + rest.at("/others/talkers").asInt();
      if (all > 3) {
        assertThat(told.at("/leftOut/0").asString())
            .isEqualTo("talkers: 3 of " + all + " are shown");
      }
    }
  }

  /** A figure of an assistant has five digits. */
  private static void near(String what, JsonNode told, JsonNode expected) {
    assertThat(told.asDouble())
        .as(what)
        .isCloseTo(expected.asDouble(), Percentage.withPercentage(0.01));
  }

  @Test
  void assistantsAreToldOfOneObjectsTrafficOnSomePorts() {
    String parameters = "&ports=443/tcp&scope=" + uuid("VirtualMachine", "web-1");
    JsonNode rest = top("pair", "bytes", "both", START, ROLLED, parameters);
    Told told =
        AssistantCalls.call(
            flows.api(),
            "top_talkers",
            Map.of(
                "by",
                "pair",
                "object",
                "vm web-1",
                "ports",
                List.of("443/tcp"),
                "from",
                START.toString(),
                "to",
                ROLLED.toString(),
                "limit",
                50));
    assertThat(told.error()).as(told.text()).isFalse();
    assertThat(told.text().length()).isLessThanOrEqualTo(24_000);
    assertThat(rest.get("items").isEmpty()).isFalse();
    assertThat(told.answer().get("talkers").size()).isEqualTo(rest.get("items").size());
    near("total", told.answer().get("total"), rest.get("total"));
  }

  // ---- flows ----------------------------------------------------------------------------------

  private JsonNode list(String parameters) {
    Answer answer = flows.api().get("/flows?" + parameters);
    assertThat(answer.status()).as(answer.body()).isEqualTo(200);
    return answer.json();
  }

  private Map<String, Long> expectedFlows(String column, Instant from, Instant to, String where) {
    Map<String, Long> expected = new TreeMap<>();
    flows
        .data()
        .jdbc()
        .sql(
            """
            select concat_ws(' ', s_name, case when s_vm is not null then host(src) end, d_name,
                             case when d_vm is not null then host(dst) end, port, proto, to_service),
                   sum(%s)::bigint
            from raw_counted where time >= ?::timestamptz and time < ?::timestamptz and (%s)
            group by 1
            """
                .formatted(column, where))
        .params(from.toString(), to.toString())
        .query(
            row -> {
              expected.put(row.getString(1), row.getLong(2));
            });
    return expected;
  }

  private static String end(JsonNode end) {
    boolean vm =
        end.has("object")
            && end.get("object").get("objectKind").asString().equals("VirtualMachine");
    return end.get("name").asString() + (vm ? " " + end.get("address").asString() : "");
  }

  private Map<String, Long> pages(String parameters, String column, int limit) {
    Map<String, Long> found = new TreeMap<>();
    String cursor = "";
    long last = Long.MAX_VALUE;
    int total;
    do {
      JsonNode page = list(parameters + "&limit=" + limit + cursor);
      total = page.get("total").asInt();
      for (JsonNode flow : page.get("items")) {
        long value = flow.get(column).asLong();
        assertThat(value).isLessThanOrEqualTo(last);
        last = value;
        String key =
            "%s %s %s %s"
                .formatted(
                    end(flow.get("from")),
                    end(flow.get("to")),
                    flow.get("service").get("port").asInt()
                        + " "
                        + flow.get("service").get("service").asString().replaceAll(".*/", ""),
                    flow.get("towardsService").asBoolean() ? "t" : "f");
        assertThat(found.put(key, value)).as("twice: " + key).isNull();
      }
      cursor =
          page.get("nextCursor").isNull() ? "" : "&cursor=" + page.get("nextCursor").asString();
    } while (!cursor.isEmpty());
    assertThat(total).isEqualTo(found.size());
    return found;
  }

  @ParameterizedTest
  @CsvSource({
    "2025-11-03T00:30:00Z, 2025-11-03T02:00:00Z, 1m",
    "2025-11-01T20:00:00Z, 2025-11-03T02:00:00Z, 1d",
    "2025-11-03T01:47:00Z, 2025-11-03T01:49:00Z, 1m"
  })
  void flowsEqualPlainSqlIncludingMinutesNotYetRolledUp(Instant from, Instant to, String level) {
    String window = "from=%s&to=%s".formatted(from, to);
    Map<String, Long> expected = expectedFlows("bytes", from, to, "true");
    assertThat(expected).isNotEmpty();
    assertThat(pages(window, "bytes", 100)).isEqualTo(expected);
    assertThat(pages(window + "&sort=packets", "packets", 7))
        .isEqualTo(expectedFlows("packets", from, to, "true"));
    assertThat(list(window).get("level").asString()).isEqualTo(level);
    assertThat(pages(window + "&q=WEB-1&direction=sent&tier=web", "bytes", 1_000))
        .isEqualTo(
            expectedFlows(
                "bytes", from, to, "s_tier = 'web' and (s_vm = 'web-1' or d_vm = 'web-1')"));
    assertThat(pages(window + "&q=10.0.3.", "bytes", 1_000))
        .isEqualTo(expectedFlows("bytes", from, to, "'10.0.3.9' in (host(src), host(dst))"));
    assertThat(
            pages(window + "&ports=icmp&scope=" + uuid("VirtualMachine", "db-1"), "bytes", 1_000))
        .isEqualTo(expectedFlows("bytes", from, to, "proto = 'icmp' and 'db-1' in (s_vm, d_vm)"));
  }

  @Test
  void portsAreThoseThatTheScopeUses() {
    JsonNode ports =
        flows
            .api()
            .get(
                "/flows/ports?from=%s&to=%s&scope=%s"
                    .formatted(START, ROLLED, uuid("VirtualMachine", "web-2")))
            .json();
    Map<String, Long> found = new TreeMap<>();
    ports
        .get("items")
        .forEach(p -> found.put(p.get("service").asString(), p.get("bytes").asLong()));
    assertThat(found)
        .isEqualTo(
            flows.talkers(
                "port", "bytes", "both", START, ROLLED, "s_vm = 'web-2'", "d_vm = 'web-2'"));
  }

  @Test
  void groupsNarrowToTheirMembers() {
    Answer group =
        flows.api().post("/groups", "{\"name\": \"data\", \"scope\": {\"tags\": [\"tier=db\"]}}");
    assertThat(group.status()).as(group.body()).isEqualTo(201);
    JsonNode answer =
        top("vm", "bytes", "sent", START, ROLLED, "&scope=" + group.json().get("id").asString());
    assertRanking(
        "group",
        "vm",
        "bytes",
        answer,
        flows.talkers("vm", "bytes", "sent", START, ROLLED, "s_tier = 'db'", "true"));
  }

  @Test
  void csvHasALineForEachItem() {
    Answer csv =
        flows
            .api()
            .with("Accept", "text/csv")
            .get("/top-talkers?by=network&from=%s&to=%s".formatted(START, ROLLED));
    assertThat(csv.header("Content-Type")).startsWith("text/csv");
    List<String> lines = csv.body().lines().toList();
    assertThat(lines.getFirst()).startsWith("rank,key,name,object,value,unit,share,before,");
    assertThat(lines).hasSize(5);
    assertThat(csv.body()).contains("\"Data, main\"", ",0 others,");

    Answer all =
        flows
            .api()
            .with("Accept", "text/csv")
            .get("/flows?limit=10000&from=%s&to=%s".formatted(START, ROLLED));
    assertThat(all.body().lines().count())
        .isEqualTo(1 + expectedFlows("bytes", START, ROLLED, "true").size());
    assertThat(flows.api().get("/flows?limit=10000").status()).isEqualTo(400);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/top-talkers?by=vm&ports=nonsense",
        "/top-talkers?by=vm&ports=70000",
        "/top-talkers?by=vm&from=2025-11-02T00:00:00Z&to=2025-11-01T00:00:00Z",
        "/top-talkers?by=vm&scope=end-99999999999",
        "/flows?q=%00",
        "/flows?cursor=abc"
      })
  void invalidQueriesAreRefused(String path) {
    Answer answer = flows.api().get(path);
    assertThat(answer.status()).as(answer.body()).isEqualTo(400);
  }
}
