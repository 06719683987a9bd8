package io.peerlens.standalone.sample;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.peerlens.standalone.sample.Inventory.Vm;
import io.peerlens.standalone.sample.Physics.Moment;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class FlowRecordsTest {

  /** A Saturday, 20:00 UTC, when people shop. */
  private static final long MINUTE = 1_795_291_200;

  private final Inventory inventory = new Inventory(42);
  private final Physics physics =
      new Physics(inventory, new Script(inventory, 42, MINUTE - 3_600), 42);

  private List<JsonNode> minute(long minute) {
    JsonMapper json = JsonMapper.builder().build();
    List<JsonNode> records = new ArrayList<>();
    new FlowRecords(inventory, 42)
        .write(
            physics.at(minute + 30),
            minute,
            (exporter, bytes) -> {
              JsonNode record = json.readTree(new String(bytes, UTF_8));
              assertThat(record.path("sampler_address").asString("")).isEqualTo(exporter);
              records.add(record);
            });
    return records;
  }

  @Test
  void everyRecordLiesInItsMinuteAndHasBothEnds() {
    List<JsonNode> records = minute(MINUTE);
    assertThat(records).hasSizeBetween(500, 2_500);
    for (JsonNode record : records) {
      long start = record.path("time_flow_start_ns").asLong();
      long end = record.path("time_flow_end_ns").asLong();
      assertThat(start).isBetween(MINUTE * 1_000_000_000, end);
      assertThat(end).isLessThan((MINUTE + 60) * 1_000_000_000);
      assertThat(record.path("bytes").asLong()).isPositive();
      assertThat(record.path("src_addr").asString(""))
          .isNotEmpty()
          .isNotEqualTo(record.path("dst_addr").asString(""));
    }
  }

  @Test
  void recordsDependOnSeedAndTimeAlone() {
    assertThat(minute(MINUTE)).isEqualTo(minute(MINUTE));
    assertThat(minute(MINUTE)).isNotEqualTo(minute(MINUTE + 60));
  }

  @Test
  void trafficBetweenClustersIsReportedByBothSwitches() {
    Map<String, Set<String>> exporters = new HashMap<>();
    for (JsonNode record : minute(MINUTE)) {
      exporters
          .computeIfAbsent(
              record.path("src_addr")
                  + " "
                  + record.path("dst_addr")
                  + record.path("src_port")
                  + record.path("dst_port"),
              key -> new HashSet<>())
          .add(record.path("sampler_address").asString(""));
    }
    assertThat(exporters.values())
        .anyMatch(set -> set.size() == 2)
        .anyMatch(set -> set.size() == 1);
  }

  @Test
  void flowsOfAServerNearlyEqualItsNetworkCounter() {
    Vm database =
        inventory.vms.stream()
            .filter(vm -> vm.name().equals("shop-db-01"))
            .findFirst()
            .orElseThrow();
    double sent = 0;
    double counted = 0;
    for (long minute = MINUTE; minute < MINUTE + 600; minute += 60) {
      Moment moment = physics.at(minute + 30);
      counted += moment.sentKbs[database.index()] * 60_000;
      Map<String, Long> bytes = new HashMap<>(); // once, though two switches tell of it
      for (JsonNode record : minute(minute)) {
        if (record.path("src_addr").asString("").equals(database.address())
            && record.path("src_port").asInt() == 5432) {
          bytes.put(
              record.path("dst_addr") + " " + record.path("dst_port"),
              record.path("bytes").asLong());
        }
      }
      sent += bytes.values().stream().mapToLong(Long::longValue).sum();
    }
    assertThat(sent / counted).isCloseTo(0.95, within(0.1));
  }

  @Test
  void everyMachineHasAnAddressOfItsOwn() {
    assertThat(inventory.vms.stream().map(Vm::address)).doesNotHaveDuplicates();
    assertThat(inventory.vms.stream().map(Vm::address).min(Comparator.naturalOrder()))
        .hasValueSatisfying(address -> assertThat(address).startsWith("10.20."));
  }
}
