package io.peerlens.alert;

import static io.peerlens.alert.AlertWorld.soon;
import static org.assertj.core.api.Assertions.assertThat;

import io.peerlens.support.ApiClient;
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
      soon(
          () ->
              assertThat(world.one("").get("definition").get("name").asString()).isEqualTo("Warm"));
      assertThat(world.one("").get("severity").asString()).isEqualTo("immediate");

      world.cpu("esx-2", 97);
      soon(
          () -> assertThat(world.one("definition=" + two).get("memberCount").asInt()).isEqualTo(2));
      JsonNode alert = world.one("definition=" + two);
      assertThat(alert.get("object").get("id").asString()).isEqualTo(cluster.toString());
      assertThat(alert.get("severity").asString()).isEqualTo("critical");
      assertThat(alert.get("members").get(0).get("object").get("name").asString())
          .isEqualTo("esx-2");
      assertThat(alert.get("explanation").get("text").asString())
          .startsWith("prod-a: worst is esx-2, whose cpu usage average is 97 unit0")
          .contains("Also esx-1 (85 unit0). The alert definition Two hosts are hot raises this.");
      world.cpu("esx-3", 99);
      soon(
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
      soon(() -> assertThat(world.api.get("/alerts").json().get("total").asInt()).isEqualTo(0));
      assertThat(world.events(alert.get("id").asString()))
          .containsExactly("opened", "members", "canceled");

      // A threshold in use cannot be deleted.
      String path = "/thresholds/" + hot;
      ApiClient.Answer stored = world.api.get(path);
      assertThat(world.api.with("If-Match", stored.header("ETag")).delete(path).status())
          .isEqualTo(409);
    }
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
             "criticality": "%s", "intervalSeconds": 5, "condition": %s}
            """
                .formatted(name, kind, criticality, condition.formatted(threshold)));
    assertThat(made.status()).as(made.body()).isEqualTo(201);
    assertThat(made.json().get("thresholds").get(0).get("name").asString())
        .isEqualTo("Host is hot");
    return made.json().get("id").asString();
  }
}
