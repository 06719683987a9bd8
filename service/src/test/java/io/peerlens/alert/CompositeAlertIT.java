package io.peerlens.alert;

import static org.assertj.core.api.Assertions.assertThat;

import io.peerlens.support.ApiClient;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/**
 * Alert definitions that combine symptoms on an object and its neighbours, and what objects show of
 * it.
 */
class CompositeAlertIT {

  @Test
  void symptomsOnChildrenAreOneAlertOfTheirParentAndShowInItsHealth() {
    try (AlertWorld world = new AlertWorld()) {
      UUID datacenter = world.object("Datacenter", "dc", "");
      UUID cluster = world.object("ClusterComputeResource", "prod-a", "dc");
      for (int host = 1; host <= 4; host++) {
        world.object("HostSystem", "esx-" + host, "prod-a");
        world.cpu("esx-" + host, 10);
      }
      world.object("ClusterComputeResource", "prod-b", "dc");
      world.object("HostSystem", "esx-5", "prod-b");
      String hot = world.threshold("Host is hot", "HostSystem", "");
      String two =
          define(world, "Two hosts are hot", "ClusterComputeResource", "auto", hot, CHILDREN);
      define(world, "Warm", "HostSystem", "immediate", hot, ONLY_WARNING);

      world.cpu("esx-1", 85);
      world.soon(
          () ->
              assertThat(world.one("").get("definition").get("name").asString()).isEqualTo("Warm"));
      assertThat(world.one("").get("severity").asString()).isEqualTo("immediate");

      world.cpu("esx-2", 97);
      world.soon(
          () -> assertThat(world.one("definition=" + two).get("memberCount").asInt()).isEqualTo(2));
      JsonNode alert = world.one("definition=" + two);
      assertThat(alert.get("object").get("id").asString()).isEqualTo(cluster.toString());
      assertThat(alert.get("severity").asString()).isEqualTo("critical");
      assertThat(alert.get("members").get(0).get("object").get("name").asString())
          .isEqualTo("esx-2");
      assertThat(alert.get("explanation").get("text").asString())
          .startsWith("prod-a: worst is esx-2, whose CPU usage is 97 unit0")
          .contains("Also esx-1 (85 unit0). The alert definition Two hosts are hot raises this.");
      world.cpu("esx-3", 99);
      world.soon(
          () -> assertThat(world.one("definition=" + two).get("memberCount").asInt()).isEqualTo(3));

      JsonNode health = world.api.get("/objects/" + cluster + "/health").json();
      assertThat(health.get("health").get("own").get("count").asInt()).isEqualTo(1);
      assertThat(health.get("health").get("below").get("severity").asString())
          .isEqualTo("immediate");
      assertThat(health.get("health").get("severity").asString()).isEqualTo("critical");
      assertThat(health.get("risk").get("below").get("count").asInt()).isEqualTo(0);
      JsonNode many =
          world
              .api
              .post(
                  "/objects/health/query",
                  "{\"ids\": [\"%s\", \"%s\", \"%s\"]}"
                      .formatted(UUID.randomUUID(), datacenter, cluster))
              .json()
              .get("items");
      assertThat(many.size()).isEqualTo(2);
      assertThat(many.get(0).get("health").get("own").get("count").asInt()).isEqualTo(0);
      assertThat(many.get(0).get("health").get("below").get("severity").asString())
          .isEqualTo("critical");

      for (int host = 1; host <= 3; host++) {
        world.cpu("esx-" + host, 20);
      }
      world.soon(
          () -> assertThat(world.api.get("/alerts").json().get("total").asInt()).isEqualTo(0));
      assertThat(world.events(alert.get("id").asString()))
          .containsExactly("opened", "members", "canceled");

      // A threshold in use cannot be deleted.
      String path = "/thresholds/" + hot;
      ApiClient.Answer stored = world.api.get(path);
      assertThat(world.api.with("If-Match", stored.header("ETag")).delete(path).status())
          .isEqualTo(409);
    }
  }

  /**
   * Of prod-a's four hosts one after the other gets hot. Of prod-b's two hosts one is hot, and of
   * the other nothing is known: what the known one decides is so, the rest is not known.
   */
  @Test
  void sharesAndAllCountTheObjectsInScopeOfTheThreshold() {
    try (AlertWorld world = new AlertWorld()) {
      for (String cluster : List.of("prod-a", "prod-b")) {
        world.object("ClusterComputeResource", cluster, "");
      }
      for (int host = 1; host <= 4; host++) {
        world.object("HostSystem", "esx-" + host, "prod-a");
        world.cpu("esx-" + host, 10);
      }
      world.object("HostSystem", "esx-5", "prod-b");
      world.object("HostSystem", "esx-6", "prod-b");
      world.cpu("esx-5", 90);
      String hot = world.threshold("Host is hot", "HostSystem", "");
      String few =
          world.threshold(
              "One of three is hot",
              "HostSystem",
              ", \"scope\": {\"exclude\": [{\"name\": \"esx-4\"}]}");
      population(world, "at least 50 %", hot, PERCENT.formatted(50));
      population(world, "at least 51 %", hot, PERCENT.formatted(51));
      population(world, "at least 66 % without esx-4", few, PERCENT.formatted(66));
      population(world, "all", hot, "{\"type\": \"all\"}");
      population(world, "all without esx-4", few, "{\"type\": \"all\"}");

      // prod-b: 1 of 2 is 50 %, whatever the other does. 51 %, 66 % and all depend on it.
      world.tick();
      assertThat(open(world)).containsExactly("prod-b at least 50 %");

      world.cpu("esx-1", 90); // 1 of 4 = 25 %, 1 of 3 = 33 %
      world.tick();
      assertThat(open(world)).containsExactly("prod-b at least 50 %");

      world.cpu("esx-2", 90); // 2 of 4 = 50 %, 2 of 3 = 66.7 %
      world.tick();
      assertThat(open(world))
          .containsExactly(
              "prod-a at least 50 %", "prod-a at least 66 % without esx-4", "prod-b at least 50 %");

      world.cpu("esx-3", 90); // 3 of 4 = 75 %, 3 of 3
      world.tick();
      assertThat(open(world))
          .containsExactly(
              "prod-a all without esx-4",
              "prod-a at least 50 %",
              "prod-a at least 51 %",
              "prod-a at least 66 % without esx-4",
              "prod-b at least 50 %");

      world.cpu("esx-4", 90); // 4 of 4
      world.cpu("esx-6", 90); // 2 of 2
      world.tick();
      assertThat(open(world))
          .containsExactly(
              "prod-a all",
              "prod-a all without esx-4",
              "prod-a at least 50 %",
              "prod-a at least 51 %",
              "prod-a at least 66 % without esx-4",
              "prod-b all",
              "prod-b all without esx-4",
              "prod-b at least 50 %",
              "prod-b at least 51 %",
              "prod-b at least 66 % without esx-4");

      world.cpu("esx-2", 10); // 3 of 4 = 75 %, 2 of 3 = 66.7 %
      world.tick();
      assertThat(open(world))
          .contains("prod-a at least 51 %", "prod-a at least 66 % without esx-4")
          .doesNotContain("prod-a all", "prod-a all without esx-4");
    }
  }

  private static final String PERCENT = "{\"type\": \"percent\", \"value\": %d}";

  private static void population(
      AlertWorld world, String name, String threshold, String population) {
    world.define(
        name,
        "ClusterComputeResource",
        """
        {"type": "threshold", "threshold": "%s", "on": "child", "population": %s}"""
            .formatted(threshold, population),
        "");
  }

  private static List<String> open(AlertWorld world) {
    return world
        .api
        .get("/alerts?limit=100")
        .json()
        .get("items")
        .valueStream()
        .map(
            alert ->
                alert.get("object").get("name").asString()
                    + " "
                    + alert.get("definition").get("name").asString())
        .sorted()
        .toList();
  }

  /** The tick after a sample opens the symptom, and with it the first of the cycles. */
  @Test
  void aDefinitionWaitsForItsCyclesAndCancelsAfterThem() {
    try (AlertWorld world = new AlertWorld()) {
      world.object("HostSystem", "esx-1", "");
      String hot = world.threshold("Host is hot", "HostSystem", "");
      String own = "{\"type\": \"threshold\", \"threshold\": \"" + hot + "\"}";
      String patient =
          world.define("Patient", "HostSystem", own, ", \"waitCycles\": 4, \"cancelCycles\": 3");
      String quick = world.define("Quick", "HostSystem", own, "");

      Instant first = world.cpu("esx-1", 90);
      world.soon(() -> assertThat(world.one("definition=" + patient).isEmpty()).isFalse());
      assertThat(openedAt(world, quick)).isEqualTo(first);
      assertThat(openedAt(world, patient)).isEqualTo(first.plusSeconds(3 * 5));

      Instant good = world.cpu("esx-1", 10);
      world.soon(
          () -> assertThat(world.one("state=canceled&definition=" + patient).isEmpty()).isFalse());
      assertThat(canceledAt(world, quick)).isEqualTo(good);
      assertThat(canceledAt(world, patient)).isEqualTo(good.plusSeconds(2 * 5));

      // Short enough for the quick one only.
      Instant again = world.cpu("esx-1", 90);
      world.soon(
          () -> assertThat(world.one("definition=" + quick).get("flaps").asInt()).isEqualTo(1));
      Instant over = world.cpu("esx-1", 10);
      assertThat(over).isBefore(again.plusSeconds(3 * 5));
      world.soon(() -> assertThat(canceledAt(world, quick)).isEqualTo(over));
      world.tick();
      assertThat(
              world.events(world.one("state=canceled&definition=" + patient).get("id").asString()))
          .containsExactly("opened", "canceled");
    }
  }

  private static Instant openedAt(AlertWorld world, String definition) {
    return Instant.parse(world.one("definition=" + definition).get("openedAt").asString());
  }

  private static Instant canceledAt(AlertWorld world, String definition) {
    return Instant.parse(
        world.one("state=canceled&definition=" + definition).get("canceledAt").asString());
  }

  private static final String CHILDREN =
      """
      {"type": "threshold", "threshold": "%s", "on": "child", "population": {"type": "count", "value": 2}}""";

  /** Open, but not critical. */
  private static final String ONLY_WARNING =
      """
      {"type": "all", "conditions": [
        {"type": "threshold", "threshold": "%1$s"},
        {"type": "not", "conditions": [
          {"type": "threshold", "threshold": "%1$s", "minimumSeverity": "critical"}]}]}""";

  private static String define(
      AlertWorld world,
      String name,
      String kind,
      String criticality,
      String threshold,
      String condition) {
    ApiClient.Answer made =
        world.api.post(
            "/alert-definitions",
            """
            {"name": "%s", "objectKind": {"adapterKind": "VMWARE", "objectKind": "%s"}, "impact": "health",
             "severity": "%s", "interval": "5s", "condition": %s}
            """
                .formatted(name, kind, criticality, condition.formatted(threshold)));
    assertThat(made.status()).as(made.body()).isEqualTo(201);
    assertThat(made.json().get("thresholds").get(0).get("name").asString())
        .isEqualTo("Host is hot");
    return made.json().get("id").asString();
  }
}
