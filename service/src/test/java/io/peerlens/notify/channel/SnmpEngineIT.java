package io.peerlens.notify.channel;

import static org.assertj.core.api.Assertions.assertThat;

import io.peerlens.node.Role;
import io.peerlens.support.PeerlensServer;
import io.peerlens.support.SettableClock;
import io.peerlens.support.TestDatabase;
import java.time.Duration;
import java.time.Instant;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.core.simple.JdbcClient;
import tools.jackson.databind.JsonNode;

class SnmpEngineIT {

  @Test
  void theEngineStaysTheSameOverNodesAndRestartsUntilTheClockIsSetBack() {
    TestDatabase database = TestDatabase.migrated();
    String id;
    try (PeerlensServer server = PeerlensServer.start(database, Set.of(Role.API))) {
      JsonNode shown = server.admin().get("/snmp-engine").json();
      id = shown.path("engineId").asString();
      assertThat(id).matches("0x80007ed905[0-9a-f]{16}");
      assertThat(shown.path("boots").asInt()).isEqualTo(1);

      SnmpEngineStore store = new SnmpEngineStore(server.context().getBean(JdbcClient.class));
      SettableClock clock = new SettableClock(Instant.now().plusSeconds(1000));
      SnmpEngines node = new SnmpEngines(store::use, clock);
      SnmpEngines other = new SnmpEngines(store::use, clock);
      assertThat(node.current().hex()).isEqualTo(id);
      assertThat(other.current().hex()).isEqualTo(id);
      assertThat(node.current().time(clock.instant())).isBetween(999, 1100);
      assertThat(node.current().boots()).isEqualTo(1);

      // A minute is what clocks of nodes may differ; a day back is another life.
      clock.set(clock.instant().minusSeconds(60));
      assertThat(node.current().boots()).isEqualTo(1);
      clock.set(clock.instant().minus(Duration.ofDays(1)));
      SnmpEngine reborn = node.current();
      assertThat(reborn.boots()).isEqualTo(2);
      assertThat(reborn.hex()).isEqualTo(id);
      assertThat(reborn.time(clock.instant())).isZero();
      assertThat(other.current().boots()).isEqualTo(2);
    }
  }
}
