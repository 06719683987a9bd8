package io.peerlens.alert;

import static io.peerlens.alert.AlertWorld.HEALTH;
import static org.assertj.core.api.Assertions.assertThat;

import io.peerlens.support.ApiClient;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/**
 * Rules that a newer version has written, and damaged ones: what they have raised stays as it is,
 * and goes on when they can be read.
 */
class UnreadableRulesIT {

  private static final String OF_A_NEWER_VERSION = "definition || '{\"weekends\": \"never\"}'";
  private static final String DAMAGED = "jsonb_set(definition, '{objectKind}', '7')";

  /** A threshold, a definition over another one, and a threshold of a group, all with an alert. */
  private static final class Story implements AutoCloseable {
    final AlertWorld world = new AlertWorld();
    ApiClient api = world.api;
    final String threshold;
    final String below;
    final String definition;
    final String group;
    final String ofGroup;

    Story() {
      world.object("HostSystem", "esx-07", "");
      world.object("HostSystem", "esx-08", "");
      threshold = world.threshold("Host CPU is high", "HostSystem", HEALTH);
      below = world.threshold("Host CPU", "HostSystem", "");
      definition =
          world.define(
              "Host is busy",
              "HostSystem",
              "{\"type\": \"threshold\", \"threshold\": \"%s\"}".formatted(below),
              "");
      group = made("/groups", "{\"name\": \"prod\", \"scope\": {\"name\": \"esx-*\"}}");
      ofGroup = world.threshold("CPU in prod", "HostSystem", HEALTH);
      world.edit("/thresholds/" + ofGroup, "{\"groups\": [\"%s\"]}".formatted(group), "scope");
      world.threshold("Ticks go on", "VirtualMachine", "");
      busy();
      world.soon(() -> assertThat(states()).hasSize(3));
      busy();
    }

    private String made(String path, String body) {
      ApiClient.Answer made = api.post(path, body);
      assertThat(made.status()).as(made.body()).isEqualTo(201);
      return made.json().get("id").asString();
    }

    void busy() {
      world.cpu("esx-08", 20);
      world.cpu("esx-07", 97);
      world.tick();
    }

    /** Status of each alert with all that happened to it. */
    List<String> states() {
      TreeMap<String, String> states = new TreeMap<>();
      List<JsonNode> alerts = new ArrayList<>();
      for (String status : List.of("open", "canceled")) {
        api.get("/alerts?state=" + status).json().get("items").forEach(alerts::add);
      }
      for (JsonNode alert : alerts) {
        String name = alert.get("definition").get("name").asString();
        states.put(
            name,
            "%s: %s, %s"
                .formatted(
                    name,
                    alert.get("state").asString().replace("new", "active"),
                    events(alert.get("id").asString())));
      }
      return List.copyOf(states.values());
    }

    private List<String> events(String alert) {
      return world
          .data
          .jdbc()
          .sql("select event from alert_history where alert_id = ?::uuid order by id")
          .param(alert)
          .query(String.class)
          .list();
    }

    /** A trigger tells all nodes of the change. */
    void change(String table, String id, String to) {
      int changed =
          world
              .data
              .jdbc()
              .sql("update %s set definition = %s where id = ?::uuid".formatted(table, to))
              .param(id)
              .update();
      assertThat(changed).isOne();
    }

    List<String> held() {
      return api.get("/evaluation")
          .json()
          .get("held")
          .valueStream()
          .map(
              rule ->
                  "%s %s: %s"
                      .formatted(
                          rule.get("kind").asString(),
                          rule.get("name").asString(),
                          rule.get("reason").asString()))
          .toList();
    }

    @Override
    public void close() {
      world.close();
    }
  }

  @Test
  void alertsOfAnUnreadableRuleStayUntilItCanBeRead() {
    try (Story story = new Story()) {
      List<String> before = story.states();
      assertThat(before)
          .containsExactly(
              "CPU in prod: active, [opened]",
              "Host CPU is high: active, [opened]",
              "Host is busy: active, [opened]");
      story.change("threshold", story.threshold, OF_A_NEWER_VERSION);
      story.change("threshold", story.below, DAMAGED);
      story.change("object_group", story.group, OF_A_NEWER_VERSION);

      story.busy();
      story.world.cpu("esx-07", 10); // nobody can tell whether this ends anything
      story.world.tick();
      story.world.tick();
      assertThat(story.states()).isEqualTo(before);
      assertThat(story.held())
          .containsExactly(
              "alert-definition Host is busy: Its threshold "
                  + story.below
                  + " cannot be evaluated.",
              "threshold CPU in prod: Its scope names the group "
                  + story.group
                  + ", which cannot be read.",
              "threshold Host CPU: Its member objectKind does not fit.",
              "threshold Host CPU is high: Its member weekends is unknown to this version.");

      story.api = story.world.restart();
      story.world.tick();
      story.world.tick();
      assertThat(story.states()).isEqualTo(before);
      assertThat(story.held()).hasSize(4);

      story.change("threshold", story.threshold, "definition - 'weekends'");
      story.change(
          "threshold",
          story.below,
          "jsonb_set(definition, '{objectKind}', '{\"adapterKind\": \"VMWARE\", \"objectKind\": \"HostSystem\"}')");
      story.change("object_group", story.group, "definition - 'weekends'");
      story.busy();
      story.busy();
      assertThat(story.held()).isEmpty();
      assertThat(story.states()).as("as if nothing had been").isEqualTo(before);

      story.world.cpu("esx-07", 10);
      story.world.tick();
      story.world.tick();
      assertThat(story.states())
          .containsExactly(
              "CPU in prod: canceled, [opened, canceled]",
              "Host CPU is high: canceled, [opened, canceled]",
              "Host is busy: canceled, [opened, canceled]");
    }
  }

  @Test
  void aRuleStoredAgainContinuesItsAlertAndADeletedOneEndsIt() {
    try (Story story = new Story()) {
      story.change("threshold", story.threshold, OF_A_NEWER_VERSION);
      story.change("threshold", story.ofGroup, DAMAGED);
      story.busy();
      ApiClient.Answer stored =
          story.api.put(
              "/thresholds/" + story.threshold,
              """
              {"name": "Host CPU is high", "objectKind": {"adapterKind": "VMWARE", "objectKind": "HostSystem"}, "interval": "5s",
               "condition": {"type": "metric", "key": "cpu|usage_average", "operator": "gt", "levels": [
                 {"severity": "critical", "bound": {"type": "number", "value": 95}}]}%s}
              """
                  .formatted(HEALTH));
      assertThat(stored.status()).as(stored.body()).isEqualTo(200);
      assertThat(story.api.delete("/thresholds/" + story.ofGroup).status()).isEqualTo(204);
      story.busy();
      story.busy();
      assertThat(story.states())
          .containsExactly(
              "CPU in prod: canceled, [opened, canceled]",
              "Host CPU is high: active, [opened]",
              "Host is busy: active, [opened]");
    }
  }

  @Test
  void aSuperMetricOrAMaintenanceWindowThatCannotBeReadStopsNoTickAndCanBeDeleted() {
    try (Story story = new Story()) {
      String formula =
          """
          {"name": "Twice", "formula": "avg(${this, metric=cpu|usage_average}) * 2",
           "kinds": [{"adapterKind": "VMWARE", "objectKind": "HostSystem"}]}
          """;
      String superMetric = story.made("/super-metrics", formula);
      String window =
          story.made(
              "/maintenance-windows",
              """
              {"name": "Patch night", "scope": {"name": "esx-*"},
               "recurring": {"days": ["sat"], "start": "22:00", "duration": "2h", "zone": "UTC"}}
              """);
      story.world.data.sql(
          "update super_metric set policy = '7' where id = '%s'".formatted(superMetric));
      story.change("maintenance_window", window, OF_A_NEWER_VERSION);
      story.world.cpu("esx-07", 10);
      story.world.tick();
      story.world.tick();
      assertThat(story.states()).allMatch(state -> state.contains("canceled"));
      assertThat(story.held()).hasSize(1).allMatch(held -> held.startsWith("super-metric Twice: "));

      for (String path :
          List.of("/super-metrics/" + superMetric, "/maintenance-windows/" + window)) {
        ApiClient.Answer refused = story.api.get(path);
        assertThat(refused.status()).as(path).isEqualTo(409);
        assertThat(refused.body()).contains("cannot read it");
      }
      ApiClient.Answer mended = story.api.put("/super-metrics/" + superMetric, formula);
      assertThat(mended.status()).as(mended.body()).isEqualTo(200);
      assertThat(mended.header("ETag")).isEqualTo("\"2\"");
      story.world.tick();
      assertThat(story.held()).isEmpty();

      story.world.data.sql(
          "update super_metric set policy = '7' where id = '%s'".formatted(superMetric));
      for (String path :
          List.of("/super-metrics/" + superMetric, "/maintenance-windows/" + window)) {
        assertThat(story.api.delete(path).status()).as(path).isEqualTo(204);
      }
      story.world.tick();
      assertThat(story.held()).isEmpty();
    }
  }

  /** While nodes are updated one by one, the shards wander between those that can read and not. */
  @Test
  void anOlderNodeBesideANewerOneCancelsNothing() {
    try (Story story = new Story()) {
      List<String> before = story.states();
      try (AlertWorld.Neighbour older = story.world.neighbour()) {
        story.busy();
        // The first node has read the rule and is not told of the change, so it knows the rule as a
        // newer one does.
        story.world.data.sql(
            "begin; set local session_replication_role = replica; update threshold set form = 2 where id = '%s'; commit"
                .formatted(story.threshold));
        for (int i = 0; i < 4; i++) {
          story.world.cpu("esx-07", 97);
          story.world.cpu("esx-08", 20);
          if (i % 2 == 0) {
            older.tick();
          } else {
            story.world.tick();
          }
          assertThat(story.states()).isEqualTo(before);
        }
        assertThat(older.api().get("/evaluation").json().at("/held/0/reason").asString())
            .isEqualTo(
                "A newer version of Peerlens has written it (form 2; this version reads up to 1).");
        story.world.cpu("esx-07", 10);
        older.tick();
        assertThat(story.states().get(1)).isEqualTo("Host CPU is high: active, [opened]");
        story.world.tick();
        assertThat(story.states().get(1))
            .as("the newer one can tell")
            .isEqualTo("Host CPU is high: canceled, [opened, canceled]");
      }
    }
  }
}
