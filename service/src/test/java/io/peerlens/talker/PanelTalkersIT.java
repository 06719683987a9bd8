package io.peerlens.talker;

import static org.assertj.core.api.Assertions.assertThat;

import io.peerlens.report.ReportOfPanel;
import io.peerlens.support.ApiClient.Answer;
import io.peerlens.support.SampleData;
import io.peerlens.talker.RawFlows.Vm;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** Panels of talkers say what the ranking of talkers says. */
class PanelTalkersIT {

  private static final Instant START = Instant.parse("2025-11-01T20:00:00Z");
  private static final Instant ROLLED = Instant.parse("2025-11-01T21:00:00Z");

  private static RawFlows flows;

  @BeforeAll
  static void load() {
    flows =
        RawFlows.load(
            List.of(
                record("10.0.1.1", "10.0.1.2", 5000, 443),
                record("10.0.1.2", "10.0.1.1", 700, 80),
                record("10.0.2.1", "10.0.1.1", 90, 22)),
            List.of(
                new Vm("web-1", "esx-1", "prod", "web", List.of("10.0.1.1")),
                new Vm("web-2", "esx-1", "prod", "web", List.of("10.0.1.2")),
                new Vm("db-1", "esx-2", "prod", "db", List.of("10.0.2.1"))),
            List.of(),
            ROLLED);
  }

  @AfterAll
  static void close() {
    flows.close();
  }

  private static String record(String src, String dst, int bytes, int port) {
    long from = START.plusSeconds(60).toEpochMilli() * 1_000_000;
    return """
        {"type":"IPFIX","time_received_ns":%d,"sampling_rate":1,"sampler_address":"192.0.2.1",\
        "time_flow_start_ns":%d,"time_flow_end_ns":%d,"bytes":%d,"packets":5,"src_addr":"%s","dst_addr":"%s",\
        "proto":"TCP","src_port":40000,"dst_port":%d,"icmp_type":0,"icmp_code":0,"tcp_flags":2,\
        "forwarding_status":64,"observation_domain_id":0}"""
        .formatted(from, from, from, bytes, src, dst, port);
  }

  private static JsonNode ask(String rest, Instant from, Instant to) {
    Answer answer =
        flows
            .api()
            .post(
                "/panels/query",
                "{\"panel\": {\"type\": \"talkers\"%s}, \"variables\": {\"of\": \"%s\"}, \"time\": {\"from\": \"%s\", \"to\": \"%s\"}}"
                    .formatted(rest, SampleData.uuid("VirtualMachine", "web-1"), from, to));
    assertThat(answer.status()).as(answer.body()).isEqualTo(200);
    return answer.json();
  }

  private static JsonNode top(String query) {
    Answer answer =
        flows
            .api()
            .get("/top-talkers?%s&compare=none&from=%s&to=%s".formatted(query, START, ROLLED));
    assertThat(answer.status()).as(answer.body()).isEqualTo(200);
    return answer.json();
  }

  @Test
  void eachDimensionIsItsRanking() {
    Map<String, String> queries =
        Map.of(
            "sender", "by=vm&direction=sent",
            "receiver", "by=vm&direction=received",
            "object", "by=vm",
            "pair", "by=pair",
            "service", "by=port",
            "network", "by=network");
    queries.forEach(
        (by, query) ->
            assertThat(ask(", \"by\": \"%s\"".formatted(by), START, ROLLED).get("talkers"))
                .as(by)
                .isEqualTo(top(query)));
    assertThat(ask(", \"by\": \"service\"", START, ROLLED).get("talkers").get("items")).hasSize(3);
  }

  @Test
  void talkersOfASubjectAreThoseOfItsTraffic() {
    JsonNode answer = ask(", \"subject\": \"$of\", \"by\": \"sender\"", START, ROLLED);

    assertThat(answer.get("talkers"))
        .isEqualTo(top("by=vm&direction=sent&scope=" + SampleData.uuid("VirtualMachine", "web-1")));
    assertThat(answer.get("objects").get("matched").intValue()).isEqualTo(1);
  }

  @Test
  void aShortRankingSaysHowManyAreLeftOut() {
    JsonNode answer = ask(", \"by\": \"sender\", \"limit\": 1", START, ROLLED);

    assertThat(answer.get("talkers").get("items")).hasSize(1);
    assertThat(answer.get("notes").get(0).get("text").stringValue()).isEqualTo("1 of 3 talkers");
  }

  @Test
  void timesWithoutTrafficSayUntilWhenThereWasSome() {
    JsonNode empty = ask("", ROLLED.plusSeconds(86_400), ROLLED.plusSeconds(90_000)).get("empty");

    assertThat(empty.get("reason").stringValue()).isEqualTo("stopped");
    assertThat(Instant.ofEpochMilli(empty.get("lastSeen").longValue()))
        .isBetween(START.minusSeconds(3600), ROLLED);
  }

  @Test
  void aReportOfTalkersHasTheFiguresOfTheAnswer() {
    ReportOfPanel report =
        ReportOfPanel.run(
            flows.api(),
            "Talkers",
            "{\"type\": \"talkers\", \"by\": \"sender\"}",
            SampleData.uuid("VirtualMachine", "web-1").toString(),
            START,
            ROLLED);

    JsonNode items = report.answer().get("talkers").get("items");
    assertThat(items).hasSize(3);
    for (JsonNode one : items) {
      assertThat(report.pdf())
          .contains(
              one.get("talker").get("name").stringValue(),
              ReportOfPanel.shown(one.get("value").doubleValue()),
              ReportOfPanel.shown(one.get("peakMinuteRate").doubleValue()));
    }
    assertThat(report.pdf()).contains("Value (B)");
    assertThat(report.csv().lines().toList().get(1)).startsWith("1,web-1,5000,");
    report.hasNoOtherNumbers(Set.of());
  }
}
