package io.peerlens.talker;

import static org.assertj.core.api.Assertions.assertThat;

import io.peerlens.talker.RawFlows.Vm;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** Rankings of traffic between addresses that nobody is known to have. */
class UnassignedTalkersIT {

  private static final Instant START = Instant.parse("2025-11-01T20:00:00Z");
  private static final Instant ROLLED = Instant.parse("2025-11-01T21:00:00Z");

  private static String record(String src, String dst) {
    long from = START.plusSeconds(60).toEpochMilli() * 1_000_000;
    return """
        {"type":"IPFIX","time_received_ns":%d,"sampling_rate":1,"sampler_address":"192.0.2.1",\
        "time_flow_start_ns":%d,"time_flow_end_ns":%d,"bytes":5000,"packets":5,"src_addr":"%s","dst_addr":"%s",\
        "proto":"TCP","src_port":40000,"dst_port":443,"icmp_type":0,"icmp_code":0,"tcp_flags":2,\
        "forwarding_status":64,"observation_domain_id":0}"""
        .formatted(from, from, from, src, dst);
  }

  private static JsonNode top(RawFlows flows, String by) {
    return flows.api().get("/top-talkers?by=%s&from=%s&to=%s".formatted(by, START, ROLLED)).json();
  }

  @Test
  void anEmptyRankingOfMachinesExplainsWhereAddressesComeFrom() {
    try (RawFlows flows =
        RawFlows.load(List.of(record("10.0.1.1", "10.0.1.2")), List.of(), List.of(), ROLLED)) {
      for (String by : List.of("vm", "host", "cluster")) {
        JsonNode answer = top(flows, by);
        assertThat(answer.path("items")).isEmpty();
        assertThat(answer.path("total").asDouble()).isEqualTo(5000);
        assertThat(answer.path("hint").asString())
            .contains("summary|guest|ipAddress", "ip_addresses = [\"ipv4\"]");
      }
      JsonNode ports = top(flows, "port");
      assertThat(ports.path("items")).hasSize(1);
      assertThat(ports.path("hint").asString("")).isEmpty();
      assertThat(top(flows, "network").path("hint").asString("")).isEmpty();
    }
    try (RawFlows flows =
        RawFlows.load(
            List.of(record("10.0.1.1", "10.0.1.2")),
            List.of(new Vm("web-1", "esx-1", "prod", "web", List.of("10.0.1.1"))),
            List.of(),
            ROLLED)) {
      JsonNode answer = top(flows, "vm");
      assertThat(answer.path("items")).hasSize(1);
      assertThat(answer.path("hint").asString("")).isEmpty();
    }
  }
}
