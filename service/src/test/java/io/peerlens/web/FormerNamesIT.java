package io.peerlens.web;

import static org.assertj.core.api.Assertions.assertThat;

import io.peerlens.support.ApiClient;
import io.peerlens.support.ApiClient.Answer;
import io.peerlens.support.PeerlensServer;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** Former names of members and parameters are accepted and given for one more version. */
class FormerNamesIT {

  private static final PeerlensServer SERVER = PeerlensServer.shared();
  private static final ApiClient API = SERVER.admin();

  private static ObjectNode threshold(String name) {
    ObjectNode threshold =
        (ObjectNode) JsonMapper.shared().readTree(ContractDefinitions.example("/thresholds"));
    threshold.put("name", name);
    threshold.remove("interval");
    return threshold;
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/alerts?status=canceled",
        "/alerts/counts?by=severity&status=any",
        "/incidents?status=open",
        "/outlier-events?status=open",
        "/deliveries?status=dead,retry",
        "/flows?search=web"
      })
  void aFormerParameterIsAcceptedAndTheAnswerSaysThatItGoes(String former) {
    Answer answer = API.get(former);
    String today = former.replace("status=", "state=").replace("search=", "q=");
    assertThat(answer.status()).as(answer.body()).isEqualTo(200);
    assertThat(answer.header("Deprecation")).isEqualTo("@1795478400");
    assertThat(API.get(today).header("Deprecation")).isEmpty();
    assertThat(answer.json().path("total")).isEqualTo(API.get(today).json().path("total"));
  }

  @Test
  void aFilterUnderItsFormerNameIsChecked() {
    assertThat(API.get("/alerts?status=nonsense").status()).isEqualTo(400);
    Answer both = API.get("/alerts?status=open&state=open");
    assertThat(both.status()).isEqualTo(400);
    assertThat(both.json().at("/errors/0/field").asString()).isEqualTo("status");
  }

  @Test
  void aNumberOfSecondsIsReadAsADurationAndTheAnswerHasBoth() {
    Answer created =
        API.post("/thresholds", threshold("former").put("intervalSeconds", 300).toString());
    assertThat(created.status()).as(created.body()).isEqualTo(201);
    assertThat(created.header("Deprecation")).isEqualTo("@1795478400");
    JsonNode answer = created.json();
    assertThat(answer.path("interval").asString()).isEqualTo("5m");
    assertThat(answer.path("intervalSeconds").asInt()).isEqualTo(300);
    assertThat(answer.at("/state/state")).isEqualTo(answer.at("/state/status"));

    Answer history = API.get("/thresholds/" + answer.path("id").asString() + "/history");
    JsonNode first = history.json().at("/items/0/definition");
    assertThat(first.path("interval").asString()).isEqualTo("5m");
    assertThat(first.has("intervalSeconds")).isFalse();
  }

  @Test
  void twoNamesWithDifferentValuesAreRefused() {
    Answer refused =
        API.post(
            "/thresholds",
            threshold("both").put("interval", "1m").put("intervalSeconds", 300).toString());
    assertThat(refused.status()).isEqualTo(400);
    assertThat(refused.json().at("/errors/0/field").asString()).isEqualTo("interval");
    Answer equal =
        API.post(
            "/thresholds",
            threshold("both").put("interval", "5m").put("intervalSeconds", 300).toString());
    assertThat(equal.status()).as(equal.body()).isEqualTo(201);
  }

  @Test
  void severitiesInCapitalsAreReadAndCriticalityIsGivenBesideTheSeverity() {
    Answer relay =
        API.post(
            "/notification-relays",
            """
            {"name": "former", "auth": {"type": "bearer", "token": {"secret": "relay-former"}},
             "labels": {"severities": {"page": "CRITICAL", "info": "information"}}}
            """);
    assertThat(relay.status()).as(relay.body()).isEqualTo(201);
    assertThat(relay.header("Deprecation")).isEqualTo("@1795478400");
    assertThat(relay.json().at("/labels/severities/page").asString()).isEqualTo("critical");
    assertThat(
            API.get("/notification-relays/" + relay.json().path("id").asString())
                .json()
                .at("/labels/severities/page")
                .asString())
        .isEqualTo("critical");

    ObjectNode definition =
        (ObjectNode) JsonMapper.shared().readTree(ContractDefinitions.example("/thresholds"));
    definition.put("name", "under a definition");
    String threshold = API.post("/thresholds", definition.toString()).json().path("id").asString();
    Answer created =
        API.post(
            "/alert-definitions",
            """
            {"name": "former severity", "criticality": "immediate", "impact": "health",
             "objectKind": {"adapterKind": "VMWARE", "objectKind": "VirtualMachine"},
             "condition": {"type": "threshold", "threshold": "%s", "on": "self"}}
            """
                .formatted(threshold));
    assertThat(created.status()).as(created.body()).isEqualTo(201);
    assertThat(created.json().path("severity").asString()).isEqualTo("immediate");
    assertThat(created.json().path("criticality").asString()).isEqualTo("immediate");
  }

  @Test
  void aFileOfTheVersionBeforeIsImported() {
    ObjectNode file = JsonMapper.shared().createObjectNode();
    file.put("format", "peerlens-rules").put("version", 1);
    file.putArray("thresholds").add(threshold("of a file").put("intervalSeconds", 600));
    Answer imported =
        API.upload(
            "/rules/import", "application/json", file.toString().getBytes(StandardCharsets.UTF_8));
    assertThat(imported.status()).as(imported.body()).isEqualTo(200);
    JsonNode found = API.get("/thresholds?q=of+a+file").json().at("/items/0");
    assertThat(found.path("interval").asString()).isEqualTo("10m");

    ((ObjectNode) file.at("/thresholds/0")).put("interval", "1m");
    Answer refused =
        API.upload(
            "/rules/import", "application/json", file.toString().getBytes(StandardCharsets.UTF_8));
    assertThat(refused.body()).contains("is given twice with different values");
  }
}
