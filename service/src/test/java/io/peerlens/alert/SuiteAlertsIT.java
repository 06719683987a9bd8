package io.peerlens.alert;

import static io.peerlens.alert.AlertWorld.HEALTH;
import static org.assertj.core.api.Assertions.assertThat;

import io.peerlens.suiteapi.SuiteClient;
import io.peerlens.suiteapi.SuiteClient.Got;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** Alerts and symptoms as the API of vRealize Operations has them, from samples on. */
class SuiteAlertsIT {

  private static Got act(SuiteClient client, String action, String id) {
    return client.post("/api/alerts?action=" + action, "{\"uuids\": [\"" + id + "\"]}");
  }

  private static JsonNode acted(SuiteClient client, String action, String id) {
    return act(client, action, id).is(200).json().get("alerts").get(0);
  }

  private static long open(SuiteClient client, String query) {
    return client
        .post("/api/alerts/query", query)
        .is(200)
        .json()
        .get("pageInfo")
        .get("totalCount")
        .longValue();
  }

  @Test
  void clientsTakeReleaseAssignSuspendAndCancelAlerts() {
    try (AlertWorld world = new AlertWorld();
        SuiteClient client = new SuiteClient(world.url(), "OpsToken " + world.token())) {
      UUID host = world.object("HostSystem", "esx-07", "");
      UUID other = world.object("HostSystem", "esx-08", "");
      String threshold = world.threshold("Host CPU is high", "HostSystem", HEALTH);
      world.cpu("esx-07", 97);
      world.cpu("esx-08", 10);
      world.soon(() -> world.one(""));

      JsonNode alerts =
          client.get("/api/alerts?resourceId=" + host + "&resourceId=" + other).is(200).json();
      assertThat(alerts.get("pageInfo").get("totalCount").intValue()).isOne();
      JsonNode alert = alerts.get("alerts").get(0);
      String id = alert.get("alertId").stringValue();
      assertThat(alert.get("resourceId").stringValue()).isEqualTo(host.toString());
      assertThat(alert.get("alertLevel").stringValue()).isEqualTo("CRITICAL");
      assertThat(alert.get("alertImpact").stringValue()).isEqualTo("HEALTH");
      assertThat(alert.get("alertDefinitionId").stringValue()).isEqualTo(threshold);
      assertThat(alert.get("type").stringValue()).isEqualTo("16");
      assertThat(alert.get("subType").stringValue()).isEqualTo("19");
      assertThat(alert.get("statKey").stringValue()).isEqualTo("cpu|usage_average");
      assertThat(alert.get("controlState").stringValue()).isEqualTo("OPEN");
      assertThat(alert.get("cancelTimeUTC").longValue()).isZero();
      assertThat(client.get("/api/alerts/" + id).is(200).json()).isEqualTo(alert);

      JsonNode taken = acted(client, "takeownership", id);
      assertThat(taken.get("controlState").stringValue()).isEqualTo("ASSIGNED");
      assertThat(taken.get("ownerName").stringValue()).isNotBlank();
      act(client, "takeownership", id).is(400);
      JsonNode released = acted(client, "releaseownership", id);
      assertThat(released.get("controlState").stringValue()).isEqualTo("OPEN");
      assertThat(released.has("ownerName")).isFalse();
      act(client, "assignownership", id).is(400);
      assertThat(acted(client, "assignownership&userId=alice", id).get("ownerName").stringValue())
          .isEqualTo("alice");
      assertThat(open(client, "{\"alertControlState\": [\"ASSIGNED\"]}")).isOne();
      long before = System.currentTimeMillis();
      JsonNode suspended = acted(client, "suspend&minutes=30", id);
      assertThat(suspended.get("controlState").stringValue()).isEqualTo("SUSPENDED");
      assertThat(suspended.get("suspendUntilTimeUTC").longValue())
          .isBetween(before + 29 * 60_000, before + 31 * 60_000);
      assertThat(open(client, "{\"alertControlState\": [\"SUSPENDED\"]}")).isOne();
      assertThat(open(client, "{\"alertControlState\": [\"OPEN\"]}")).isZero();

      acted(client, "cancel", id);
      act(client, "cancel", id).is(400);
      world.soon(
          () ->
              assertThat(client.get("/api/alerts/" + id).json().get("status").stringValue())
                  .isEqualTo("CANCELED"));
      assertThat(client.get("/api/alerts/" + id).json().get("cancelTimeUTC").longValue())
          .isEqualTo(world.now().toEpochMilli());
      assertThat(world.api.get("/alerts/" + id).json().get("cancelReason").asString())
          .isEqualTo("by-hand");
      JsonNode end = world.api.get("/alerts/" + id + "/history").json().get("items").get(0);
      assertThat(end.get("event").asString()).isEqualTo("canceled");
      assertThat(end.get("by").asString()).isEqualTo(taken.get("ownerName").stringValue());
      act(client, "takeownership", id).is(400);

      world.soon(() -> assertThat(world.one("").get("id").asString()).isNotEqualTo(id));
      JsonNode again = client.get("/api/alerts").json().get("alerts").get(0);
      assertThat(again.get("resourceId").stringValue()).isEqualTo(host.toString());
      assertThat(again.get("controlState").stringValue()).isEqualTo("OPEN");
      assertThat(
              world
                  .data
                  .jdbc()
                  .sql(
                      "select event from alert_outbox where event in ('opened', 'canceled') order by id")
                  .query(String.class)
                  .list())
          .isEqualTo(List.of("opened", "canceled", "opened"));
      act(client, "cancel", UUID.randomUUID().toString()).is(404);
      act(client, "forget", id).is(400);
    }
  }

  @Test
  void symptomsOfAnAlertAreThoseOnItsOwnObject() {
    try (AlertWorld world = new AlertWorld();
        SuiteClient client = new SuiteClient(world.url(), "OpsToken " + world.token())) {
      UUID host = world.object("HostSystem", "esx-07", "");
      UUID vm = world.object("VirtualMachine", "web-1", "esx-07");
      String ofHost = world.threshold("Host CPU is high", "HostSystem", "");
      String ofVm = world.threshold("VM CPU is high", "VirtualMachine", "");
      String definition =
          world.define(
              "Host and a VM",
              "HostSystem",
              """
              {"type": "all", "conditions": [
                {"type": "threshold", "threshold": "%s"},
                {"type": "threshold", "threshold": "%s", "on": "child", "population": {"type": "any"}}]}
              """
                  .formatted(ofHost, ofVm),
              "");
      world.cpu("esx-07", 85);
      world.cpu("web-1", 97);
      world.soon(() -> world.one(""));

      JsonNode symptoms = client.get("/api/symptoms?resourceId=" + host).is(200).json();
      assertThat(symptoms.get("pageInfo").get("totalCount").intValue()).isOne();
      JsonNode symptom = symptoms.get("symptom").get(0);
      assertThat(symptom.get("symptomDefinitionId").stringValue()).isEqualTo(ofHost);
      assertThat(symptom.get("symptomCriticality").stringValue()).isEqualTo("WARNING");
      assertThat(symptom.get("statKey").stringValue()).isEqualTo("cpu|usage_average");
      assertThat(symptom.get("cancelTimeUTC").longValue()).isZero();
      assertThat(
              client
                  .post(
                      "/api/symptoms/query",
                      "{\"resource-query\": {\"resourceId\": [\"%s\"]}}".formatted(vm))
                  .is(200)
                  .json()
                  .get("symptom")
                  .get(0)
                  .get("symptomCriticality")
                  .stringValue())
          .isEqualTo("CRITICAL");
      client.get("/api/symptoms?resourceId=" + UUID.randomUUID()).is(404);

      JsonNode alert =
          client
              .post(
                  "/api/alerts/query",
                  "{\"activeOnly\": true, \"resource-query\": {\"resourceKind\": [\"Hostsystem\"]}}")
              .is(200)
              .json()
              .get("alerts")
              .get(0);
      assertThat(alert.get("alertDefinitionId").stringValue()).isEqualTo(definition);
      JsonNode of =
          client
              .get("/api/alerts/contributingsymptoms?id=" + alert.get("alertId").stringValue())
              .is(200)
              .json()
              .get("contributingSymptoms")
              .get(0);
      assertThat(of.get("alertId")).isEqualTo(alert.get("alertId"));
      JsonNode contributing = of.get("contributingSymptoms").get("contributingSymptoms");
      assertThat(contributing.size()).isOne();
      assertThat(contributing.get(0).get("symptomId")).isEqualTo(symptom.get("id"));
      assertThat(contributing.get(0).get("symptomDefinitionsIds").toString())
          .isEqualTo("[\"" + ofHost + "\"]");
      client.get("/api/alerts/contributingsymptoms").is(400);
    }
  }
}
