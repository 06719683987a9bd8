package io.peerlens.flow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.peerlens.flow.decode.FlowGuards;
import io.peerlens.flow.network.Networks;
import io.peerlens.support.Properties;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FlowPropertiesTest {

  @Test
  void defaults() {
    FlowProperties defaults = Properties.defaults(FlowProperties.class);
    assertThat(defaults)
        .isEqualTo(
            new FlowProperties(
                true,
                "peerlens.flows",
                "peerlens-flows",
                1,
                5_000,
                Duration.ofSeconds(5),
                1_000_000,
                1_000_000,
                50_000,
                List.of(
                    "name",
                    "summary|guest|ipAddress",
                    "net|ip_address",
                    "net:*|ip_address",
                    "net:*|ipv6_address",
                    "net|mgmt_address",
                    "ip",
                    "ipAddress",
                    "ip_address"),
                Duration.ofSeconds(10),
                List.of(
                    "10.0.0.0/8",
                    "172.16.0.0/12",
                    "192.168.0.0/16",
                    "100.64.0.0/10",
                    "169.254.0.0/16",
                    "fc00::/7",
                    "fe80::/10"),
                Duration.ofDays(3),
                Duration.ofDays(7),
                Duration.ofMinutes(10),
                Duration.ofHours(36),
                Duration.ofDays(1),
                4_194_304));
    assertThat(defaults.guards()).isEqualTo(FlowGuards.DEFAULT);
    assertThat(defaults.internalCidrs()).isEqualTo(Networks.DEFAULT_INTERNAL);
  }

  @Test
  void everyKeyIsMapped() {
    Map<String, String> keys = new HashMap<>();
    keys.put("peerlens.flows.enabled", "false");
    keys.put("peerlens.flows.topic", "t");
    keys.put("peerlens.flows.group", "g");
    keys.put("peerlens.flows.consumers", "2");
    keys.put("peerlens.flows.max-poll-records", "3");
    keys.put("peerlens.flows.flush", "4s");
    keys.put("peerlens.flows.max-rows", "10001");
    keys.put("peerlens.flows.max-endpoints", "6");
    keys.put("peerlens.flows.max-address-objects", "7");
    keys.put("peerlens.flows.address-properties", "a,b");
    keys.put("peerlens.flows.refresh", "8s");
    keys.put("peerlens.flows.internal-ranges", "10.0.0.0/9");
    keys.put("peerlens.flows.keep-minutes", "9h");
    keys.put("peerlens.flows.keep-unrolled", "10h");
    keys.put("peerlens.flows.max-future", "10s");
    keys.put("peerlens.flows.max-age", "11s");
    keys.put("peerlens.flows.max-duration", "12s");
    keys.put("peerlens.flows.max-record-bytes", "13");
    assertThat(Properties.with(FlowProperties.class, keys))
        .isEqualTo(
            new FlowProperties(
                false,
                "t",
                "g",
                2,
                3,
                Duration.ofSeconds(4),
                10_001,
                6,
                7,
                List.of("a", "b"),
                Duration.ofSeconds(8),
                List.of("10.0.0.0/9"),
                Duration.ofHours(9),
                Duration.ofHours(10),
                Duration.ofSeconds(10),
                Duration.ofSeconds(11),
                Duration.ofSeconds(12),
                13));
  }

  @ParameterizedTest
  @CsvSource({
    "peerlens.flows.max-rows, 10, give at least 10000",
    "peerlens.flows.keep-minutes, 62h, give at least max-age (PT36H) + max-duration (PT24H) + 3h",
    "peerlens.flows.max-age, 3d, peerlens.flows.keep-minutes",
    "peerlens.flows.keep-unrolled, 71h, must not be shorter than keep-minutes",
    "peerlens.flows.consumers, 0, consumers",
    "peerlens.flows.flush, 0s, flush",
    "peerlens.flows.max-age, 0s, max-age",
    "peerlens.flows.topic, '', topic",
    "peerlens.flows.internal-ranges, 10.0.0.1/8, peerlens.flows.internal-ranges"
  })
  void invalidValuesAreRefusedWithTheirKey(String key, String value, String message) {
    assertThatThrownBy(() -> Properties.with(FlowProperties.class, Map.of(key, value)))
        .hasStackTraceContaining(message);
  }
}
