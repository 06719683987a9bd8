package io.peerlens.alert;

import static io.peerlens.alert.AlertWorld.HEALTH;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/**
 * What else goes on near an alert is part of its explanation, and told anew when it is asked for.
 */
class AroundAlertsIT {

  /** With one shard all symptoms are in its memory; with four those of hosts are in another. */
  @ParameterizedTest
  @ValueSource(ints = {1, 4})
  void anAlertNamesOtherSymptomsAndChangesNearIt(int shards) {
    try (AlertWorld world =
        new AlertWorld(
            "peerlens.evaluation.shards=" + shards, "peerlens.thresholds.stale-after=9s")) {
      world.object("ClusterComputeResource", "prod-a", "");
      world.object("HostSystem", "esx-1", "prod-a");
      world.object("HostSystem", "esx-2", "prod-a");
      world.object("VirtualMachine", "vm-1", "esx-1");
      world.object("VirtualMachine", "vm-2", "esx-1");
      world.threshold("Host is hot", "HostSystem", "");
      world.threshold("Cluster is hot", "ClusterComputeResource", "");
      String warm = world.threshold("VM is warm", "VirtualMachine", "");
      Instant begin = world.now();
      changed(
          world,
          "vm-1",
          begin.minus(Duration.ofMinutes(10)),
          "placement",
          "HostSystem",
          "esx-2",
          "esx-1");
      // The event of the same move, which says who did it.
      changed(
          world,
          "vm-1",
          begin.minus(Duration.ofMinutes(11)),
          "recorded",
          "migration",
          "",
          "vMotion from esx-2 to esx-1");
      world
          .data
          .jdbc()
          .sql(
              """
              insert into recorded_change (change_id, author, tells)
              select id, 'ada', '{placement/HostSystem/esx-1}' from object_change where kind = 'recorded'
              """)
          .update();
      changed(
          world,
          "esx-1",
          begin.minus(Duration.ofMinutes(20)),
          "property",
          "config|product|version",
          "8.0.2",
          "8.0.3");
      changed(world, "vm-1", begin.minus(Duration.ofMinutes(65)), "tag", "env", "test", "prod");
      // Of the first minutes of the installation, in which everything is new, though events of
      // the time before were read.
      changed(world, "vm-2", begin.minus(Duration.ofDays(1)), "tag", "env", "dev", "test");
      changed(world, "esx-1", begin.minus(Duration.ofMinutes(55)), "new", "", "", "");
      changed(world, "vm-2", begin.minus(Duration.ofMinutes(5)), "tag", "env", "test", "prod");
      world.cpu("prod-a", 99);
      world.cpu("esx-1", 97);
      world.cpu("esx-2", 97);
      world.cpu("vm-2", 97);
      world.soon(() -> assertThat(symptoms(world)).isEqualTo(4));

      world.cpu("prod-a", 99);
      world.cpu("esx-1", 97);
      world.cpu("vm-2", 97);
      world.threshold("VM is busy", "VirtualMachine", HEALTH);
      world.cpu("vm-1", 90);
      world.soon(() -> assertThat(world.one("object=" + vm()).isEmpty()).isFalse());
      JsonNode alert = world.one("object=" + vm());
      JsonNode said = alert.get("explanation");
      JsonNode around = said.get("around");
      // Of vm-1 itself and of its host; neither those above that nor those beside it.
      assertThat(around.get("symptomCount").asInt()).as(around.toString()).isEqualTo(2);
      JsonNode worst = around.get("symptoms").get(0);
      assertThat(worst.get("relation").asString()).isEqualTo("parent");
      assertThat(worst.get("symptom").get("object").get("name").asString()).isEqualTo("esx-1");
      assertThat(worst.get("symptom").get("threshold").get("name").asString())
          .isEqualTo("Host is hot");
      assertThat(worst.get("symptom").get("value").asDouble()).isEqualTo(97);
      assertThat(worst.get("symptom").get("unit").asString()).isEqualTo("unit0");
      assertThat(worst.get("symptom").get("unknown").asBoolean()).isFalse();
      assertThat(around.get("symptoms").get(1).get("relation").asString()).isEqualTo("self");
      assertThat(around.get("symptoms").get(1).get("symptom").get("threshold").get("id").asString())
          .isEqualTo(warm);
      assertThat(around.get("changeCount").asInt()).isEqualTo(2);
      assertThat(around.get("changes").get(0).get("kind").asString()).isEqualTo("recorded");
      assertThat(around.get("changes").get(0).get("author").asString()).isEqualTo("ada");
      assertThat(around.get("changes").get(0).get("object").get("name").asString())
          .isEqualTo("vm-1");
      assertThat(around.get("changes").get(1).get("after").asString()).isEqualTo("8.0.3");
      assertThat(said.get("text").asString())
          .startsWith("vm-1: CPU usage is 90 unit0, above the limit of 80 unit0 for warning")
          .contains("Open near it: Host is hot on esx-1 (critical) and VM is warm (warning).")
          .contains("Changed before: vm-1, migration: vMotion from esx-2 to esx-1, by ada at ")
          .endsWith(" UTC and 1 more. The threshold VM is busy sets this limit.");
      assertThat(said.get("moments").size()).isEqualTo(2);
      assertThat(Instant.parse(said.get("moments").get(0).get("time").asString()))
          .isEqualTo(Instant.parse(alert.get("since").asString()));

      // Then nothing more is heard of any of them.
      String related = "/alerts/" + alert.get("id").asString() + "/related";
      assertThat(
              world
                  .api
                  .get(related)
                  .json()
                  .get("changes")
                  .valueStream()
                  .filter(one -> one.get("object").get("name").asString().equals("vm-1"))
                  .map(
                      one ->
                          one.get("kind").asString() + " by " + one.path("author").asString("-")))
          .contains("recorded by ada")
          .doesNotContain("placement by -");
      world.soon(
          () -> {
            JsonNode symptoms = world.api.get(related).json().get("symptoms");
            assertThat(symptoms.size()).as("of vm-1, esx-1, prod-a, and two of vm-2").isEqualTo(5);
            for (JsonNode one : symptoms) {
              assertThat(one.get("symptom").get("unknown").asBoolean()).as(one.toString()).isTrue();
            }
          });
      world.cpu("esx-1", 98);
      world.soon(
          () ->
              assertThat(
                      world
                          .api
                          .get(related)
                          .json()
                          .get("symptoms")
                          .valueStream()
                          .filter(one -> !one.get("symptom").get("unknown").asBoolean())
                          .map(one -> one.get("symptom").get("object").get("name").asString())
                          .toList())
                  .containsExactly("esx-1"));
    }
  }

  private static String vm() {
    return io.peerlens.support.SampleData.uuid("VirtualMachine", "vm-1").toString();
  }

  private static int symptoms(AlertWorld world) {
    return Objects.requireNonNull(
        world
            .data
            .jdbc()
            .sql("select count(*) from symptom where severity > 0")
            .query(Integer.class)
            .single());
  }

  private static void changed(
      AlertWorld world,
      String object,
      Instant time,
      String kind,
      String key,
      String before,
      String after) {
    world
        .data
        .jdbc()
        .sql(
            """
            insert into object_change (object_id, time, kind, key, old_value, new_value)
            select id, ?, ?, ?, ?, ? from object where name = ?
            """)
        .params(time.atOffset(java.time.ZoneOffset.UTC), kind, key, before, after, object)
        .update();
  }
}
