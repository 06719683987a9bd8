package io.peerlens.talker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.peerlens.support.ApiClient.Answer;
import io.peerlens.support.Capture;
import io.peerlens.talker.RawFlows.Named;
import io.peerlens.talker.RawFlows.Vm;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** Rankings of what softflowd and goflow2 really sent, beside plain SQL over their records. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class CapturedTalkersIT {

  private static final Instant FROM = Instant.parse("2026-11-20T23:55:00Z");
  private static final Instant TO = Instant.parse("2026-11-21T00:25:00Z");

  /** What was answered, for benchmarks/talkers_duckdb.py, which computes it another time. */
  private static final Path ANSWERS = Path.of("target", "captured-talkers.csv");

  private final List<String> answers =
      Collections.synchronizedList(new ArrayList<>(List.of("by,direction,measure,name,value")));
  private RawFlows flows;

  @BeforeAll
  void load() throws IOException {
    Path file = Capture.CORPUS.resolve("flows/goflow2-kafka.jsonl.gz");
    if (!Files.exists(file)) {
      System.err.println("SKIPPED: no captured flows in the corpus");
    }
    assumeTrue(Files.exists(file), "Skipped, the capture is not here");
    List<String> lines = new ArrayList<>();
    try (BufferedReader reader =
        new BufferedReader(
            new InputStreamReader(
                new GZIPInputStream(Files.newInputStream(file)), StandardCharsets.UTF_8))) {
      reader.lines().forEach(lines::add);
    }
    List<Vm> vms = new ArrayList<>();
    for (int i = 1; i <= 6; i++) {
      vms.add(
          new Vm("web" + i, i < 4 ? "esx-1" : "esx-2", "prod", "web", List.of("10.77.2.1" + i)));
    }
    vms.add(new Vm("db", "esx-3", "prod", "db", List.of("10.77.3.11")));
    flows =
        RawFlows.load(
            lines,
            vms,
            List.of(
                new Named("Clients", "10.77.1.0/24", null),
                new Named("Web", "10.77.2.0/24", null),
                new Named("Data", "10.77.3.0/24", null)),
            TO.plus(Duration.ofHours(2)));
  }

  @AfterAll
  void close() throws IOException {
    if (flows != null) {
      flows.close();
      Files.write(ANSWERS, answers);
    }
  }

  private JsonNode top(String by, String measure, String direction, String filters) {
    Answer answer =
        flows
            .api()
            .get(
                ("/top-talkers?by=%s&measure=%s&direction=%s&from=%s&to=%s&limit=1000"
                        + "&compare=none&sparkline=false%s")
                    .formatted(by, measure, direction, FROM, TO, filters));
    assertThat(answer.status()).as(answer.body()).isEqualTo(200);
    return answer.json();
  }

  @ParameterizedTest
  @ValueSource(strings = {"vm", "host", "cluster", "tier", "network", "port", "protocol", "pair"})
  void rankingsAreThoseOfPlainSqlOverTheRecords(String by) {
    for (String measure : TopTalkersIT.MEASURES) {
      for (String direction : List.of("sent", "received", "both")) {
        Map<String, Long> expected = flows.talkers(by, measure, direction, FROM, TO);
        String what = by + " " + measure + " " + direction;
        assertThat(expected.isEmpty())
            .as(what + " in the capture")
            .isEqualTo(measure.equals("drops"));
        TopTalkersIT.assertRanking(what, by, measure, top(by, measure, direction, ""), expected);
        expected.forEach(
            (name, value) ->
                answers.add("%s,%s,%s,%s,%d".formatted(by, direction, measure, name, value)));
        // The same from minutes, because of a filter that leaves nothing out.
        TopTalkersIT.assertRanking(
            what + " by minute",
            by,
            measure,
            top(by, measure, direction, "&ports=tcp&ports=udp&ports=icmp&ports=ipv6-icmp"),
            expected);
      }
    }
  }

  @Test
  void theHeavyHitterIsNamedFirst() {
    JsonNode first = top("vm", "bytes", "sent", "").get("items").get(0);
    assertThat(first.get("talker").get("name").asString()).isEqualTo("web3");
    assertThat(first.get("value").asDouble()).isBetween(380e6, 400e6);
    JsonNode burst = top("vm", "peak", "sent", "").get("items").get(0);
    assertThat(burst.get("talker").get("name").asString()).isEqualTo("web5");
  }
}
