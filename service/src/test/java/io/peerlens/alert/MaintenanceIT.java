package io.peerlens.alert;

import static io.peerlens.alert.AlertWorld.HEALTH;
import static org.assertj.core.api.Assertions.assertThat;

import io.peerlens.support.ApiClient;
import java.time.Instant;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

class MaintenanceIT {

  private static final String ONCE =
      """
      {"name": "%s", "reason": "Patches", "scope": {"objects": ["%s"]}, "oneOff": {"from": "%s", "to": "%s"}}
      """;

  @Test
  void alertsInMaintenanceAreSuppressedAndOpenAfterwards() {
    try (AlertWorld world = new AlertWorld()) {
      UUID patched = world.object("HostSystem", "esx-07", "");
      world.object("HostSystem", "esx-08", "");
      world.threshold("Host CPU is high", "HostSystem", HEALTH);
      Instant now = world.now();
      ApiClient.Answer made =
          world.api.post(
              "/maintenance-windows",
              ONCE.formatted("Patch night", patched, now.minusSeconds(60), now.plusSeconds(3600)));
      assertThat(made.status()).as(made.body()).isEqualTo(201);
      assertThat(made.json().get("activeNow").asBoolean()).isTrue();
      String path = "/maintenance-windows/" + made.json().get("id").asString();
      world.cpu("esx-07", 90);
      world.cpu("esx-08", 90);

      world.soon(
          () -> assertThat(world.api.get("/alerts").json().get("total").asInt()).isEqualTo(2));
      JsonNode suppressed = world.one("controlState=suppressed");
      assertThat(suppressed.get("object").get("name").asString()).isEqualTo("esx-07");
      assertThat(suppressed.get("maintenance").get("name").asString()).isEqualTo("Patch night");
      JsonNode health = world.api.get("/objects/" + patched + "/health").json();
      assertThat(health.get("health").get("own").get("count").asInt()).isZero();

      world.delete(path);
      world.soon(
          () ->
              assertThat(world.api.get("/alerts?controlState=open").json().get("total").asInt())
                  .isEqualTo(2));
      assertThat(world.events(suppressed.get("id").asString()))
          .containsExactly("opened", "suppressed", "unsuppressed");
      crud(world, patched);
    }
  }

  private static void crud(AlertWorld world, UUID object) {
    ApiClient api = world.api;
    Instant now = Instant.now();
    String weekly =
        """
        {"name": "Weekly", "scope": {"tags": ["env=test"]},
         "recurring": {"days": ["sat", "sun"], "start": "22:00", "duration": "2h", "zone": "%s"}}
        """;
    ApiClient.Answer made = api.post("/maintenance-windows", weekly.formatted("Europe/Berlin"));
    assertThat(made.status()).as(made.body()).isEqualTo(201);
    assertThat(made.json().get("next").get("from").asString()).endsWith("Z");
    String path = "/maintenance-windows/" + made.json().get("id").asString();
    assertThat(api.post("/maintenance-windows", weekly.formatted("Europe/Berlin")).status())
        .isEqualTo(409);
    assertThat(api.post("/maintenance-windows", weekly.formatted("Mars/Olympus")).status())
        .isEqualTo(400);
    String ended = ONCE.formatted("Weekly", object, now.minusSeconds(60), now.minusSeconds(30));
    assertThat(api.put(path, ended).status()).isEqualTo(428);
    ApiClient.Answer changed = api.with("If-Match", made.header("ETag")).put(path, ended);
    assertThat(changed.status()).as(changed.body()).isEqualTo(200);
    assertThat(changed.json().has("next")).isFalse();
    assertThat(api.with("If-Match", made.header("ETag")).delete(path).status()).isEqualTo(412);
    assertThat(
            api.post(
                    "/maintenance-windows",
                    ONCE.formatted("Backwards", object, now, now.minusSeconds(1)))
                .status())
        .isEqualTo(400);
    assertThat(api.get("/maintenance-windows?active=true").json().get("items").size()).isZero();
    assertThat(api.get("/maintenance-windows").json().get("items").size()).isEqualTo(1);
    world.delete(path);
    versions(api, path);
  }

  /** Every version stays: what was changed, by whom, also of a window that was deleted. */
  private static void versions(ApiClient api, String path) {
    JsonNode history = api.get(path + "/history").json();
    assertThat(history.get("total").asInt()).isEqualTo(3);
    assertThat(history.get("items").valueStream().map(one -> one.get("action").asString()))
        .containsExactly("deleted", "changed", "created");
    assertThat(history.at("/items/1/by").asString()).isNotBlank();
    assertThat(
            history
                .at("/items/1/changes")
                .valueStream()
                .map(change -> change.get("field").asString()))
        .contains("reason", "oneOff.from", "recurring.zone");
    JsonNode first = api.get(path + "/history?limit=2").json();
    assertThat(
            api.get(path + "/history?cursor=" + first.get("nextCursor").asString())
                .json()
                .at("/items/0/version")
                .asLong())
        .isEqualTo(1);

    ApiClient.Answer restored = api.post(path + "/history/1/restore", "");
    assertThat(restored.status()).as(restored.body()).isEqualTo(200);
    assertThat(restored.header("ETag")).isEqualTo("\"4\"");
    assertThat(restored.json().at("/recurring/zone").asString()).isEqualTo("Europe/Berlin");
    assertThat(api.post(path + "/history/2/restore", "").status()).isEqualTo(428);
    assertThat(api.with("If-Match", "\"4\"").post(path + "/history/2/restore", "").status())
        .isEqualTo(200);
    assertThat(api.with("If-Match", "\"5\"").delete(path).status()).isEqualTo(204);
  }

  /** A node of a version without history, beside this one, stores no versions. */
  @Test
  void versionNumbersOfAWindowContinueAfterGapsInItsHistory() {
    try (AlertWorld world = new AlertWorld()) {
      UUID object = world.object("HostSystem", "esx-07", "");
      Instant now = world.now();
      String window = ONCE.formatted("Patch night", object, now, now.plusSeconds(60));
      ApiClient.Answer made = world.api.post("/maintenance-windows", window);
      String path = "/maintenance-windows/" + made.json().get("id").asString();
      world.data.sql("update maintenance_window set version = 7");
      ApiClient.Answer changed = world.api.with("If-Match", "\"7\"").put(path, window);
      assertThat(changed.status()).as(changed.body()).isEqualTo(200);
      assertThat(changed.header("ETag")).isEqualTo("\"8\"");
    }
  }
}
