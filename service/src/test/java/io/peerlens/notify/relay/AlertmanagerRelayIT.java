package io.peerlens.notify.relay;

import static org.assertj.core.api.Assertions.assertThat;

import io.peerlens.support.Alertmanager;
import java.nio.file.Path;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** An Alertmanager as it is, pointed at a relay. */
class AlertmanagerRelayIT {

  private static final String CONFIGURATION =
      """
      route:
        receiver: peerlens
        group_by: [alertname]
        group_wait: 200ms
        group_interval: 1s
        repeat_interval: 1h
      receivers:
        - name: peerlens
          webhook_configs:
            - url: %s/relay/prometheus
              send_resolved: true
              http_config:
                authorization: { type: Bearer, credentials: a-long-token }
      """;

  @Test
  void alertsOfAlertmanagerAreSentAndResolved(@TempDir Path folder) {
    try (RelayWorld world = new RelayWorld();
        Alertmanager alertmanager =
            Alertmanager.startOrSkip(folder, CONFIGURATION.formatted(world.server.url()))) {
      world.data.object("VMWARE", "HostSystem", "esx-a-05");
      world.data.sql("update object set tags = '{\"team\": \"network\"}'");
      String relay =
          world.relay("prometheus", "{'type': 'bearer', 'token': {'value': 'a-long-token'}}", "");
      String alert =
          """
          [{"labels": {"alertname": "HostDown", "severity": "critical", "instance": "esx-a-05:9100"},
            "annotations": {"summary": "esx-a-05 is down"}, "startsAt": "%s"%s, "generatorURL": "http://prometheus.example/g"}]
          """;
      Instant began = Instant.now().minusSeconds(30);
      alertmanager.post(alert.formatted(began, ""));
      world.awaitTold("prometheus", "NEW CRITICAL");
      JsonNode message = world.messages("prometheus").getFirst();
      assertThat(message.at("/alert/name").asString("")).isEqualTo("HostDown");
      assertThat(message.at("/alert/info").asString("")).isEqualTo("esx-a-05 is down");
      assertThat(message.at("/alert/startTime").asString(""))
          .startsWith(began.toString().substring(0, 19));
      assertThat(message.at("/object/kind").asString(""))
          .as("the object of our inventory")
          .isEqualTo("HostSystem");
      assertThat(message.at("/object/tags/team").asString("")).isEqualTo("network");
      String fingerprint = alertmanager.alerts().get(0).path("fingerprint").asString("");

      alertmanager.post(
          alert.formatted(began, ", \"endsAt\": \"" + Instant.now().minusSeconds(1) + "\""));
      world.awaitTold("prometheus", "NEW CRITICAL", "CANCEL CRITICAL");
      assertThat(world.messages("prometheus").get(1).at("/alert/id").asString(""))
          .isEqualTo(message.at("/alert/id").asString(""));
      JsonNode known =
          world.api.get("/notification-relays/" + relay + "/alerts").json().path("items").get(0);
      assertThat(known.path("key").asString("")).isEqualTo(fingerprint);
      assertThat(known.path("open").asBoolean(true)).isFalse();
      assertThat(world.state(relay).path("refused").asInt(-1)).as(alertmanager.log()).isZero();
    }
  }
}
