package io.peerlens.talker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.peerlens.support.ApiClient.Answer;
import io.peerlens.support.SampleData;
import io.peerlens.talker.RawFlows.Vm;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** Who talked at the peaks of a load profile. */
class LoadPeakTalkersIT {

  private static final Instant DAY = Instant.parse("2025-11-01T00:00:00Z");
  private static final Instant BUSY = Instant.parse("2025-11-01T20:00:00Z");
  private static final Instant ROLLED = Instant.parse("2025-11-01T21:00:00Z");

  private static String record(String src, String dst, int bytes) {
    long from = BUSY.plusSeconds(60).toEpochMilli() * 1_000_000;
    return """
        {"type":"IPFIX","time_received_ns":%d,"sampling_rate":1,"sampler_address":"192.0.2.1",\
        "time_flow_start_ns":%d,"time_flow_end_ns":%d,"bytes":%d,"packets":5,"src_addr":"%s","dst_addr":"%s",\
        "proto":"TCP","src_port":40000,"dst_port":443,"icmp_type":0,"icmp_code":0,"tcp_flags":2,\
        "forwarding_status":64,"observation_domain_id":0}"""
        .formatted(from, from, from, bytes, src, dst);
  }

  @Test
  void aPeakNamesThoseWhoTalkedInItsHour() {
    try (RawFlows flows =
        RawFlows.load(
            List.of(
                record("10.0.1.1", "10.9.0.1", 5000),
                record("10.0.1.2", "10.9.0.1", 2000),
                record("10.0.2.1", "10.9.0.1", 9000)),
            List.of(
                new Vm("web-1", "esx-1", "prod", "web", List.of("10.0.1.1")),
                new Vm("web-2", "esx-1", "prod", "web", List.of("10.0.1.2")),
                new Vm("lab-1", "esx-2", "lab", "web", List.of("10.0.2.1"))),
            List.of(),
            ROLLED)) {
      fill(flows.data());
      Answer begun =
          flows
              .api()
              .post(
                  "/load-profiles",
                  "{\"from\": \"%s\", \"to\": \"%s\", \"by\": \"cluster\"}"
                      .formatted(DAY, DAY.plus(Duration.ofDays(1))));
      assertThat(begun.status()).as(begun.body()).isEqualTo(202);
      String path = "/load-profiles/" + begun.json().path("id").asString();
      await()
          .atMost(Duration.ofMinutes(1))
          .until(() -> flows.api().get(path).json().at("/summary/state").asString().equals("done"));

      JsonNode prod = flows.api().get(path + "/peak?group=prod&at=" + BUSY).json();
      assertThat(prod.path("noTalkers").asString("")).isEmpty();
      assertThat(prod.at("/talkers/items"))
          .extracting(one -> one.at("/talker/name").asString())
          .containsExactly("web-1", "web-2");
      assertThat(prod.at("/talkers/items/0/value").asDouble()).isEqualTo(5000);
      JsonNode all = flows.api().get(path + "/peak?group=All&at=" + BUSY).json();
      assertThat(all.at("/talkers/items/0/talker/name").asString()).isEqualTo("lab-1");

      // An hour from which nothing is kept says so.
      JsonNode early = flows.api().get(path).json().path("groups");
      String other =
          early
              .valueStream()
              .filter(one -> one.path("name").asString().equals("prod"))
              .findFirst()
              .orElseThrow()
              .at("/peaks/1/at")
              .asString();
      flows.data().sql("update flow_level_state set kept_from = '2025-11-01T19:00:00Z'");
      JsonNode gone = flows.api().get(path + "/peak?group=prod&at=" + other).json();
      assertThat(gone.path("noTalkers").asString())
          .contains("No traffic of this hour is kept", "90 days");
    }
  }

  /** A day of three machines that are busy at one hour. */
  private static void fill(SampleData data) {
    int group =
        data.group(
            "VMWARE",
            "VirtualMachine",
            "virtualDisk",
            List.of("numberReadAveraged_average", "numberWriteAveraged_average"));
    for (String name : List.of("web-1", "web-2", "lab-1")) {
      int vm =
          data.jdbc()
              .sql("select id from object where name = ?")
              .param(name)
              .query(Integer.class)
              .single();
      data.jdbc()
          .sql(
              """
              insert into sample_1h (time, set_id, samples, avg)
              select t, ?, 12, case when t = ?::timestamptz then array[500, 500] else array[20 + extract(hour from t), 10] end
              from generate_series(?::timestamptz, ?::timestamptz + interval '23 hours', interval '1 hour') t
              """)
          .params(
              data.set(vm, group, ""),
              SampleData.time(BUSY),
              SampleData.time(DAY),
              SampleData.time(DAY))
          .update();
    }
    data.jdbc()
        .sql("update level_state set rolled_until = ?")
        .param(SampleData.time(DAY.plus(Duration.ofDays(1))))
        .update();
    data.sql("update inventory_version set version = version + 1, sets_version = sets_version + 1");
  }
}
