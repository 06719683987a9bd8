package io.peerlens.evaluation;

import static io.peerlens.evaluation.OutlierWorld.GROUP;
import static org.assertj.core.api.Assertions.assertThat;

import io.peerlens.support.ApiClient;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** A group whose members all change at once, against what is usual for it. */
class GroupShiftIT {

  /** So that a day in UTC begins on the way, and all of it is over whatever the clock says. */
  private static final Instant BEGIN =
      Instant.now()
          .minus(Duration.ofHours(4))
          .truncatedTo(ChronoUnit.DAYS)
          .minus(Duration.ofHours(1));

  private static final String WATCHED =
      ", \"groupEvent\": {\"sensitivity\": \"medium\", \"minimumRelativeDeviation\": 0.05}";

  private static OutlierWorld world(int shards) {
    return new OutlierWorld(BEGIN, 5, shards, true, 10);
  }

  /** All members have 40 points more for half an hour, around midnight. */
  private static void story(OutlierWorld world, Runnable between) {
    world.group(WATCHED);
    for (int i = 0; i < 26; i++) {
      boolean more = i >= 9 && i < 15;
      world.tick((member, usual) -> more ? usual + 40 : usual);
      between.run();
    }
  }

  private static List<String> everything(OutlierWorld world) {
    List<String> all = world.everything();
    all.addAll(
        world
            .data
            .jdbc()
            .sql("select to_jsonb(h)::text from outlier_hour h order by hour")
            .query(String.class)
            .list());
    return all;
  }

  @Test
  void aChangeOfAllMembersIsOneEventOfTheGroupThatEndsWithItAndAPreviewShowsIt() {
    try (OutlierWorld world = world(1)) {
      world.group(WATCHED);
      world.tick();
      JsonNode first = world.group().path("now").path("metrics").path(0).path("usual");
      assertThat(first.path("state").asString())
          .as("known from the next one on")
          .isEqualTo("learning");
      world.tick();
      JsonNode usual = world.group().path("now").path("metrics").path(0).path("usual");
      assertThat(usual.path("state").asString()).isEqualTo("learned");
      assertThat(usual.path("learnedDays").asDouble()).isGreaterThan(7);
      assertThat(usual.path("neededDays").asInt()).isEqualTo(7);
      assertThat(usual.path("upper").asDouble()).isBetween(20.0, 50.0);
      for (int i = 0; i < 6; i++) {
        world.tick((member, more) -> more + 40);
      }
      List<JsonNode> events = world.events("state=open");
      assertThat(events).hasSize(1);
      JsonNode event = events.getFirst();
      assertThat(event.has("object")).isFalse();
      assertThat(event.path("evidence").asString()).isEqualTo("unusual");
      assertThat(event.path("side").asString()).isEqualTo("high");
      assertThat(event.path("severity").asString()).isEqualTo("information");
      assertThat(event.path("explanation").path("text").asString())
          .startsWith("shop/web: the whole group is at ")
          .contains(" is usual for ")
          .contains("s 23 to 24 o'clock UTC, since ")
          .contains("so it is the group, and none of them alone.");
      JsonNode metric = event.path("metrics").path(0);
      assertThat(metric.path("centre").asDouble()).isGreaterThan(metric.path("upper").asDouble());
      assertThat(world.group().path("now").path("state").asString()).isEqualTo("group-wide");
      assertThat(world.alerts("")).as("an alert is about one object").isEmpty();
      for (int i = 0; i < 8; i++) {
        world.tick();
      }
      assertThat(world.events("")).hasSize(1);
      JsonNode over = world.events("state=closed").getFirst();
      assertThat(over.path("closeReason").asString()).isEqualTo("returned");
      assertThat(world.group().path("now").path("state").asString()).isEqualTo("alike");
      JsonNode results =
          world
              .api
              .get(
                  "/outlier-groups/%s/results?from=%s&to=%s"
                      .formatted(GROUP, world.begin, world.bucket()))
              .json()
              .path("metrics")
              .path(0);
      assertThat(results.path("usualUpper").size()).isEqualTo(results.path("centre").size());
      assertThat(results.path("usualUpper").path(0).isNull()).isTrue();
      double upper = results.path("usualUpper").path(2).asDouble();
      assertThat(upper).isGreaterThan(results.path("usualLower").path(2).asDouble());
      preview(world, over, upper);
    }
  }

  /** What-if over the same time finds the same by the same bounds, and more or less at others. */
  private static void preview(OutlierWorld world, JsonNode event, double upper) {
    ApiClient.Answer answer =
        world.api.post(
            "/outlier-groups/preview",
            """
            {"group": {"id": "%s", "name": "shop/web", "objectKind": {"adapterKind": "VMWARE", "objectKind": "VirtualMachine"},
              "scope": {"tags": ["tier=web"]}, "metrics": [{"key": "cpu|usage_average"}]%s}, "from": "%s", "to": "%s"}
            """
                .formatted(GROUP, WATCHED, world.begin, world.bucket()));
    assertThat(answer.status()).as(answer.body()).isEqualTo(200);
    JsonNode preview = answer.json();
    assertThat(preview.path("groupEvents").size()).isEqualTo(3);
    JsonNode medium = preview.path("groupEvents").path(1);
    assertThat(medium.path("sensitivity").asString()).isEqualTo("medium");
    assertThat(medium.path("count").asInt()).isEqualTo(1);
    assertThat(medium.path("episodes").path(0).path("from").asLong())
        .isEqualTo(Instant.parse(event.path("since").asString()).toEpochMilli());
    assertThat(medium.path("episodes").path(0).path("to").asLong())
        .isEqualTo(Instant.parse(event.path("closedAt").asString()).toEpochMilli());
    JsonNode metric = preview.path("results").path("metrics").path(0);
    assertThat(metric.path("usualUpper").path(2).asDouble()).isEqualTo(upper);
    assertThat(preview.path("results").path("states").valueStream().map(JsonNode::asString))
        .contains("group-wide");
  }

  @Test
  void takeoversAndTheNumberOfEvaluatorsChangeNothing() {
    List<String> undisturbed;
    try (OutlierWorld world = world(1)) {
      story(world, () -> {});
      undisturbed = everything(world);
      assertThat(world.events("")).hasSize(1);
      assertThat(world.history(world.events("").getFirst()))
          .startsWith("opened")
          .endsWith("closed");
    }
    try (OutlierWorld world = world(2)) {
      int[] ticks = {0};
      world.evaluators(2);
      story(
          world,
          () -> {
            if (++ticks[0] % 3 == 0) {
              world.evaluators(2);
            }
          });
      assertThat(everything(world)).isEqualTo(undisturbed);
    }
  }

  @Test
  void theOptionIsOffByDefaultAndTurningItOffEndsTheEvent() {
    try (OutlierWorld world = world(1)) {
      world.group(WATCHED);
      for (int i = 0; i < 6; i++) {
        boolean more = i >= 2;
        world.tick((member, usual) -> more ? usual + 40 : usual);
      }
      assertThat(world.events("state=open")).hasSize(1);
      JsonNode exported = world.api.get("/rules/export").json();
      JsonNode file = exported.path("outlierGroups").path(0).path("groupEvent");
      assertThat(file).as(exported.toString()).isEqualTo(world.group().path("groupEvent"));
      assertThat(file.path("sensitivity").asString()).isEqualTo("medium");
      assertThat(file.path("minimumRelativeDeviation").asDouble()).isEqualTo(0.05);
      ApiClient.Answer changed =
          world
              .api
              .with("If-Match", world.api.get("/outlier-groups/" + GROUP).header("ETag"))
              .put(
                  "/outlier-groups/" + GROUP,
                  """
              {"name": "shop/web", "objectKind": {"adapterKind": "VMWARE", "objectKind": "VirtualMachine"},
               "scope": {"tags": ["tier=web"]}, "metrics": [{"key": "cpu|usage_average"}]}
              """);
      assertThat(changed.status()).as(changed.body()).isEqualTo(200);
      assertThat(world.events("").getFirst().path("closeReason").asString())
          .isEqualTo("definition-changed");
      for (int i = 0; i < 4; i++) {
        world.tick((member, usual) -> usual + 40);
      }
      assertThat(world.events("")).hasSize(1);
      JsonNode now = world.group().path("now").path("metrics").path(0);
      assertThat(now.has("usual")).isFalse();
      assertThat(world.group().has("groupEvent")).isFalse();
      // The file brings it back.
      world
          .api
          .with("If-Match", world.api.get("/outlier-groups/" + GROUP).header("ETag"))
          .delete("/outlier-groups/" + GROUP);
      ApiClient.Answer imported =
          world.api.upload(
              "/rules/import",
              "application/json",
              exported.toString().getBytes(StandardCharsets.UTF_8));
      assertThat(imported.status()).as(imported.body()).isEqualTo(200);
      assertThat(world.group().path("groupEvent")).isEqualTo(file);
    }
  }
}
