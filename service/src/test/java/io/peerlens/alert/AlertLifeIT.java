package io.peerlens.alert;

import static io.peerlens.alert.AlertWorld.HEALTH;
import static org.assertj.core.api.Assertions.assertThat;

import io.peerlens.support.ApiClient;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** Alerts from samples to the API. */
@Order(2)
class AlertLifeIT {

  /** By the scheduler as in production, as {@link AlertEventsIT} is. */
  @Test
  void anAlertLivesFromTheFirstSampleThatViolatesUntilItsRuleIsDeleted() {
    try (AlertWorld world = AlertWorld.scheduled()) {
      world.object("HostSystem", "esx-07", "");
      world.object("HostSystem", "esx-08", "");
      String threshold = world.threshold("Host CPU is high", "HostSystem", HEALTH);
      world.cpu("esx-08", 20);
      world.cpu("esx-07", 85);
      world.soon(() -> assertThat(world.one("").get("severity").asString()).isEqualTo("warning"));
      JsonNode opened = world.one("");
      String id = opened.get("id").asString();
      assertThat(opened.get("object").get("name").asString()).isEqualTo("esx-07");
      assertThat(opened.get("definition").get("id").asString()).isEqualTo(threshold);
      assertThat(opened.get("value").asDouble()).isEqualTo(85);
      assertThat(opened.get("bound").asDouble()).isEqualTo(80);
      assertThat(opened.get("explanation").get("text").asString())
          .startsWith(
              "esx-07: CPU usage is 85 unit0, above the limit of 80 unit0 for warning (1.06 × the limit), since ")
          .endsWith(" UTC. The threshold Host CPU is high sets this limit.");
      world.soon(() -> assertThat(world.one("").get("state").asString()).isEqualTo("active"));

      world.cpu("esx-07", 97);
      world.soon(() -> assertThat(world.one("").get("severity").asString()).isEqualTo("critical"));
      world.act(id, "acknowledge", "");
      world.act(id, "take", ", \"note\": \"I look at it\"");
      assertThat(world.one("").get("controlState").asString()).isEqualTo("acknowledged");

      world.act(id, "suspend", ", \"until\": \"" + Instant.now().plusSeconds(10) + "\"");
      assertThat(world.one("").get("controlState").asString()).isEqualTo("suspended");
      world.soon(
          () -> assertThat(world.one("").get("controlState").asString()).isEqualTo("acknowledged"));

      world.cpu("esx-07", 50);
      world.soon(
          () -> {
            JsonNode canceled = world.one("state=canceled");
            assertThat(canceled.get("id").asString()).isEqualTo(id);
            assertThat(canceled.get("cancelReason").asString()).isEqualTo("cleared");
          });
      world.cpu("esx-07", 99);
      world.soon(() -> assertThat(world.one("").get("flaps").asInt()).isEqualTo(1));
      assertThat(world.one("").get("id").asString()).isEqualTo(id);

      assertThat(
              world
                  .data
                  .jdbc()
                  .sql("select type || ', ' || sub_type from alert")
                  .query(String.class)
                  .list())
          .containsExactly("Virtualization/Hypervisor, Performance");

      world.delete("/thresholds/" + threshold);
      world.soon(
          () ->
              assertThat(world.one("state=canceled").get("cancelReason").asString())
                  .isEqualTo("definition-deleted"));
      assertThat(world.events(id))
          .containsExactly(
              "opened",
              "severity",
              "acknowledged",
              "assigned",
              "note",
              "suspended",
              "resumed",
              "canceled",
              "reopened",
              "canceled");
      long outbox =
          world.data.jdbc().sql("select count(*) from alert_outbox").query(Long.class).single();
      assertThat(outbox).isEqualTo(10);
    }
  }

  @Test
  void anotherProcessContinuesTheSameAlertAndFlappingIsNotedOnce() {
    try (AlertWorld world = new AlertWorld()) {
      world.object("HostSystem", "esx-07", "");
      world.threshold("Host CPU is high", "HostSystem", HEALTH);
      ApiClient api = world.api;
      for (int opening = 0; opening < 3; opening++) {
        int flaps = opening;
        world.cpu("esx-07", 97);
        world.soon(() -> assertThat(world.one("").get("flaps").asInt()).isEqualTo(flaps));
        if (opening < 2) {
          world.cpu("esx-07", 10);
          world.soon(
              () -> assertThat(world.one("state=canceled").get("flaps").asInt()).isEqualTo(flaps));
        }
      }
      String id = world.one("flapping=true").get("id").asString();
      assertThat(api.get("/alerts/" + id).json().get("flapping").asBoolean()).isTrue();
      world.cpu("esx-07", 10);

      ApiClient other = world.restart();
      world.tick();
      world.tick();
      assertThat(other.get("/evaluation").json().get("shards").get(0).get("lastTick").asString())
          .isEqualTo(world.now().toString());
      JsonNode still = other.get("/alerts").json();
      assertThat(still.get("total").asInt()).isEqualTo(1);
      assertThat(still.get("items").get(0).get("id").asString()).isEqualTo(id);
      assertThat(still.get("items").get(0).get("state").asString()).isEqualTo("active");
      List<String> events =
          other
              .get("/alerts/" + id + "/history")
              .json()
              .get("items")
              .valueStream()
              .map(step -> step.get("event").asString())
              .toList()
              .reversed();
      assertThat(events)
          .containsExactly("opened", "canceled", "reopened", "canceled", "reopened", "flapping");
    }
  }

  @Test
  void noDataNeitherOpensNorCancels() {
    try (AlertWorld world = new AlertWorld("peerlens.thresholds.stale-after=6s")) {
      world.object("HostSystem", "esx-07", "");
      world.threshold("Host CPU is high", "HostSystem", HEALTH);
      world.cpu("esx-07", 97);
      world.soon(() -> assertThat(world.one("").get("severity").asString()).isEqualTo("critical"));

      world.soon(() -> assertThat(world.one("").get("unknown").asBoolean()).isTrue());
      assertThat(world.one("").get("state").asString()).isEqualTo("active");

      world.cpu("esx-07", 10);
      world.soon(
          () ->
              assertThat(world.one("state=canceled").get("cancelReason").asString())
                  .isEqualTo("cleared"));
    }
  }
}
