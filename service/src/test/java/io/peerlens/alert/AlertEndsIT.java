package io.peerlens.alert;

import static io.peerlens.alert.AlertWorld.HEALTH;
import static org.assertj.core.api.Assertions.assertThat;

import io.peerlens.support.ApiClient;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** Alerts that end though what they are about has not ended. */
class AlertEndsIT {

  @Test
  void anAlertEndsWithTheReasonWhenItsRuleIsChangedDisabledOrNoLongerForItsObject() {
    try (AlertWorld world = new AlertWorld()) {
      world.object("HostSystem", "esx-07", "");
      world.data.sql("update object set tags = '{\"env\": \"prod\"}'");
      String tagged = world.threshold("Tagged", "HostSystem", HEALTH + SCOPE);
      String narrowed = world.threshold("Narrowed", "HostSystem", HEALTH);
      String symptomOnly = world.threshold("Only a symptom", "HostSystem", HEALTH);
      String disabled = world.threshold("Disabled", "HostSystem", HEALTH);
      String kept = world.threshold("Kept", "HostSystem", HEALTH);
      String member = world.threshold("Member", "HostSystem", "");
      String off = define(world, "Definition off", member);
      String deleted = define(world, "Definition deleted", member);
      String without = define(world, "Definition without its threshold", member);
      world.cpu("esx-07", 90);
      world.soon(() -> assertThat(open(world)).isEqualTo(8));

      world.data.sql("update object set tags = '{\"env\": \"test\"}'");
      world.data.sql("update inventory_version set version = version + 1");
      world.soon(() -> assertThat(reason(world, tagged)).isEqualTo("out-of-scope"));
      edit(world, narrowed, "{\"name\": \"esx-08\"}", "scope");
      world.soon(() -> assertThat(reason(world, narrowed)).isEqualTo("out-of-scope"));
      edit(world, symptomOnly, "null", "alert");
      world.soon(() -> assertThat(reason(world, symptomOnly)).isEqualTo("definition-changed"));
      edit(world, disabled, "false", "enabled");
      world.soon(() -> assertThat(reason(world, disabled)).isEqualTo("definition-disabled"));
      editDefinition(world, off, "false", "enabled");
      world.soon(() -> assertThat(reason(world, off)).isEqualTo("definition-disabled"));
      world.delete("/alert-definitions/" + deleted);
      world.soon(() -> assertThat(reason(world, deleted)).isEqualTo("definition-deleted"));
      edit(world, member, "false", "enabled");
      world.soon(() -> assertThat(reason(world, without)).isEqualTo("definition-disabled"));

      assertThat(world.one("").get("definition").get("id").asString()).isEqualTo(kept);
      for (JsonNode alert : world.api.get("/alerts?state=canceled").json().get("items")) {
        assertThat(world.events(alert.get("id").asString())).containsExactly("opened", "canceled");
      }
    }
  }

  @Test
  void alertsOfALongSilentObjectAreCanceled() {
    try (AlertWorld world = new AlertWorld()) {
      UUID gone = world.object("HostSystem", "esx-07", "");
      world.object("HostSystem", "esx-08", "");
      String threshold = world.threshold("Host CPU is high", "HostSystem", HEALTH);
      world.cpu("esx-07", 97);
      world.cpu("esx-08", 97);
      world.soon(() -> assertThat(open(world)).isEqualTo(2));
      world.data.sql(
          """
          update object_liveness set last_seen = now() - interval '7 days 10 minutes'
          where object_id = (select id from object where name = 'esx-07')
          """);
      // Who is gone is asked seldom, and at once by a process that takes over.
      ApiClient api = world.restart();
      world.soon(
          () -> {
            JsonNode canceled = api.get("/alerts?state=canceled").json();
            assertThat(canceled.get("total").asInt()).isEqualTo(1);
            assertThat(canceled.get("items").get(0).get("cancelReason").asString())
                .isEqualTo("object-gone");
            assertThat(canceled.get("items").get(0).get("object").get("id").asString())
                .isEqualTo(gone.toString());
          });
      world.tick();
      assertThat(api.get("/thresholds/" + threshold).json().get("state").get("tick").asString())
          .as("its last value would open it again")
          .isEqualTo(world.now().toString());
      JsonNode still = api.get("/alerts").json();
      assertThat(still.get("total").asInt()).isEqualTo(1);
      assertThat(still.get("items").get(0).get("object").get("name").asString())
          .isEqualTo("esx-08");
    }
  }

  @Test
  void anAlertThatSomebodyCanceledEndsWhoeverTakesOverAndIsNotReopened() {
    try (AlertWorld world = new AlertWorld()) {
      world.object("HostSystem", "esx-07", "");
      world.threshold("Host CPU is high", "HostSystem", HEALTH);
      world.cpu("esx-07", 97);
      world.soon(() -> world.one(""));
      String id = world.one("").get("id").asString();
      world.act(id, "cancel", ", \"note\": \"I know\"");
      assertThat(world.one("").get("id").asString()).as("ticks alone end alerts").isEqualTo(id);

      ApiClient second = world.restart();
      world.tick();
      JsonNode canceled = second.get("/alerts/" + id).json();
      assertThat(canceled.get("state").asString()).isEqualTo("canceled");
      assertThat(canceled.get("cancelReason").asString()).isEqualTo("by-hand");
      assertThat(second.get("/alerts").json().get("total").asInt()).isZero();

      ApiClient third = world.restart();
      world.tick();
      JsonNode opened = third.get("/alerts").json().get("items").get(0);
      assertThat(opened.get("id").asString()).isNotEqualTo(id);
      assertThat(opened.get("flaps").asInt()).isZero();
      assertThat(
              third
                  .get("/alerts/" + id + "/history")
                  .json()
                  .get("items")
                  .valueStream()
                  .map(step -> step.get("event").asString())
                  .toList())
          .containsExactly("canceled", "note", "opened");
    }
  }

  private static final String SCOPE =
      """
      , "scope": {"tags": ["env=prod"]}""";

  private static int open(AlertWorld world) {
    return world.api.get("/alerts").json().get("total").asInt();
  }

  private static String reason(AlertWorld world, String definition) {
    return world.one("state=canceled&definition=" + definition).get("cancelReason").asString();
  }

  /** Changes one field of a threshold, as a client that has read it does. */
  private static void edit(AlertWorld world, String id, String value, String field) {
    world.edit("/thresholds/" + id, value, field);
  }

  private static void editDefinition(AlertWorld world, String id, String value, String field) {
    world.edit("/alert-definitions/" + id, value, field);
  }

  private static String define(AlertWorld world, String name, String threshold) {
    return world.define(
        name, "HostSystem", "{\"type\": \"threshold\", \"threshold\": \"" + threshold + "\"}", "");
  }
}
