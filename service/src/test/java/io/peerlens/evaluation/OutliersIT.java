package io.peerlens.evaluation;

import static io.peerlens.evaluation.OutlierWorld.AS_USUAL;
import static io.peerlens.evaluation.OutlierWorld.GROUP;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.peerlens.support.ApiClient;
import io.peerlens.support.EventStream;
import io.peerlens.support.SampleData;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.stream.IntStream;
import org.awaitility.core.ThrowingRunnable;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** From samples to events and alerts of peers, by the loop as it runs in production. */
@Order(2)
class OutliersIT {

  /** Within the last day, so that what the API says of the last day can be seen. */
  private static final Instant BEGIN =
      Instant.now().truncatedTo(ChronoUnit.HOURS).minus(Duration.ofHours(20));

  private static final JsonMapper JSON = JsonMapper.builder().build();

  @Test
  void anOverloadedMemberIsFoundAloneRaisesAnAlertAndIsOverWhenItReturns() {
    try (OutlierWorld world = new OutlierWorld(BEGIN, 6, 1)) {
      world.group("");
      assertThat(world.group().get("now").get("state").asString()).isEqualTo("not-judged-yet");
      for (int i = 0; i < 6; i++) {
        world.tick();
      }
      JsonNode calm = world.group();
      assertThat(calm.get("now").get("state").asString()).as(calm.toString()).isEqualTo("alike");
      assertThat(calm.get("now").get("judged").asInt()).isEqualTo(6);
      assertThat(calm.get("now").get("metrics").get(0).get("ticks").size()).isEqualTo(6);
      assertThat(world.events("")).isEmpty();

      Instant overloaded = world.bucket();
      int buckets = 0;
      while (world.events("").isEmpty() && buckets < 5) {
        world.tick(2, 96);
        buckets++;
      }
      List<JsonNode> events = world.events("state=open");
      assertThat(events).hasSize(1);
      JsonNode event = events.getFirst();
      assertThat(event.get("object").get("name").asString()).isEqualTo("web-03");
      assertThat(event.get("side").asString()).isEqualTo("high");
      assertThat(event.get("severity").asString()).isEqualTo("immediate");
      assertThat(Instant.parse(event.get("since").asString())).isEqualTo(overloaded);
      assertThat(event.get("metrics").get(0).get("value").asDouble()).isEqualTo(96);
      assertThat(event.get("metrics").get(0).get("unit").asString()).isEqualTo("%");
      assertThat(event.get("explanation").get("text").asString())
          .startsWith("web-03: CPU usage is 96 %. The other 5 judged members are at ");

      List<JsonNode> alerts = world.alerts("");
      assertThat(alerts).hasSize(1);
      JsonNode alert = alerts.getFirst();
      assertThat(alert.get("definition").get("source").asString()).isEqualTo("outlier-group");
      assertThat(alert.get("definition").get("id").asString()).isEqualTo(GROUP);
      assertThat(alert.get("object").get("name").asString()).isEqualTo("web-03");
      assertThat(alert.get("value").asDouble()).isEqualTo(96);
      assertThat(alert.get("upper").asDouble()).isLessThan(96);
      assertThat(alert.get("explanation").get("text"))
          .isEqualTo(event.get("explanation").get("text"));
      assertThat(alert.get("recommendations").get(0).asString()).isEqualTo("Look at the pool.");
      assertThat(event.get("alertId")).isEqualTo(alert.get("id"));

      JsonNode now = world.group();
      assertThat(now.get("now").get("state").asString()).isEqualTo("deviants");
      assertThat(now.get("openEvents").asInt()).isEqualTo(1);
      assertThat(now.get("events24h").size()).isEqualTo(1);
      assertThat(
              now.get("now")
                  .get("metrics")
                  .get(0)
                  .get("deviants")
                  .get(0)
                  .get("object")
                  .get("name")
                  .asString())
          .isEqualTo("web-03");
      JsonNode members = world.api.get("/outlier-groups/" + GROUP + "/members").json();
      assertThat(members.get("total").asInt()).isEqualTo(6);
      JsonNode first = members.get("items").get(0);
      assertThat(first.get("state").asString()).isEqualTo("deviant");
      assertThat(first.get("event")).isEqualTo(event.get("id"));
      assertThat(first.get("recent").size()).isEqualTo(12);
      assertThat(first.get("metrics").get(0).get("deviation").asDouble()).isGreaterThan(20);

      for (int i = 0; i < 8; i++) {
        world.tick();
      }
      JsonNode closed = world.events("state=closed").getFirst();
      assertThat(closed.get("id")).isEqualTo(event.get("id"));
      assertThat(closed.get("closeReason").asString()).isEqualTo("returned");
      assertThat(world.events("state=open")).isEmpty();
      assertThat(world.alerts("")).isEmpty();
      assertThat(world.alerts("state=canceled").getFirst().get("cancelReason").asString())
          .isEqualTo("cleared");
      assertThat(world.history(closed)).startsWith("opened").endsWith("closed");
      JsonNode opening = world.steps(closed).getLast();
      assertThat(opening.get("value").asDouble()).isEqualTo(96);
      assertThat(opening.get("metric").asString()).isEqualTo("cpu|usage_average");
      assertThat(opening.get("unit").asString()).isEqualTo("%");

      results(world);
    }
  }

  /** The band and the lines as they were judged. */
  private static void results(OutlierWorld world) {
    JsonNode results =
        world
            .api
            .get(
                "/outlier-groups/%s/results?from=%s&to=%s"
                    .formatted(GROUP, world.begin, world.bucket()))
            .json();
    assertThat(results.get("objects").get(0).get("name").asString()).isEqualTo("web-03");
    int steps = results.get("times").size();
    assertThat(steps)
        .isEqualTo(
            (int) Duration.between(world.begin, world.bucket()).dividedBy(OutlierWorld.BUCKET));
    JsonNode metric = results.get("metrics").get(0);
    assertThat(metric.get("centre").size()).isEqualTo(steps);
    assertThat(metric.get("members").size()).isEqualTo(6);
    assertThat(
            metric
                .get("members")
                .get(0)
                .get("values")
                .valueStream()
                .mapToDouble(JsonNode::asDouble)
                .max())
        .hasValue(96);
    JsonNode folded =
        world
            .api
            .get(
                "/outlier-groups/%s/results?from=%s&to=%s&points=10&members=2"
                    .formatted(GROUP, world.begin, world.bucket()))
            .json();
    assertThat(folded.get("times").size()).isLessThanOrEqualTo(10);
    assertThat(folded.get("objects").size()).isEqualTo(2);
    assertThat(folded.get("members").asInt()).isEqualTo(6);
  }

  /** A story in which a member leaves its peers twice and another is silent for a while. */
  private static void story(OutlierWorld world, Runnable between) {
    world.group("");
    for (int i = 0; i < 40; i++) {
      if (i >= 5 && i < 14) {
        world.tick(1, 88);
      } else if (i >= 20 && i < 30) {
        world.tick(4, i % 2 == 0 ? 5 : 3);
      } else {
        world.tick();
      }
      between.run();
    }
  }

  @Test
  void aTakeoverGivesTheSameResultsAsAnUndisturbedRun() {
    List<String> undisturbed;
    try (OutlierWorld world = new OutlierWorld(BEGIN, 6, 1)) {
      story(world, () -> {});
      undisturbed = world.everything();
      List<JsonNode> events = world.events("");
      assertThat(events).hasSizeGreaterThanOrEqualTo(2);
      assertThat(events)
          .as("numbers without a gap, however often an event was written")
          .extracting(event -> event.get("number").asInt())
          .containsExactlyInAnyOrderElementsOf(
              IntStream.rangeClosed(1, events.size()).boxed().toList());
    }
    try (OutlierWorld world = new OutlierWorld(BEGIN, 6, 1)) {
      int[] ticks = {0};
      story(
          world,
          () -> {
            if (++ticks[0] % 7 == 0) {
              world.evaluators(1);
            }
          });
      assertThat(world.everything()).isEqualTo(undisturbed);
    }
    try (OutlierWorld world = new OutlierWorld(BEGIN, 6, 2)) {
      world.evaluators(2);
      story(world, () -> {});
      assertThat(world.everything()).isEqualTo(undisturbed);
    }
  }

  @Test
  void bucketsThatWereMissedAreJudgedInOrder() {
    try (OutlierWorld world = new OutlierWorld(BEGIN, 6, 1)) {
      world.group("");
      for (int i = 0; i < 4; i++) {
        world.tick();
      }
      for (int i = 0; i < 10; i++) {
        world.pass(3, 90); // nobody evaluates
      }
      world.evaluators(1);
      world.tick(3, 90);
      JsonNode event = world.events("state=open").getFirst();
      assertThat(event.get("object").get("name").asString()).isEqualTo("web-04");
      assertThat(Instant.parse(event.get("since").asString()))
          .isEqualTo(world.begin.plus(OutlierWorld.BUCKET.multipliedBy(4)));
      assertThat(world.alerts("")).hasSize(1);
      assertThat(
              world
                  .data
                  .jdbc()
                  .sql("select count(*) from outlier_bucket")
                  .query(Long.class)
                  .single())
          .isEqualTo(15);
    }
  }

  @Test
  void silenceNeitherOpensNorCloses() {
    try (OutlierWorld world = new OutlierWorld(BEGIN, 6, 1)) {
      world.group("");
      for (int i = 0; i < 8; i++) {
        world.tick(5, Double.NaN);
      }
      assertThat(world.events("")).isEmpty();
      JsonNode silent =
          world
              .api
              .get("/outlier-groups/" + GROUP + "/members?q=web-06")
              .json()
              .get("items")
              .get(0);
      assertThat(silent.get("state").asString()).isEqualTo("not-judged");
      assertThat(silent.get("reason").asString()).isEqualTo("no-data");
      assertThat(world.group().get("now").get("judged").asInt()).isEqualTo(5);

      for (int i = 0; i < 5; i++) {
        world.tick(0, 95);
      }
      assertThat(world.events("state=open")).hasSize(1);
      for (int i = 0; i < 12; i++) {
        world.tick(0, Double.NaN);
      }
      JsonNode unknown = world.events("").getFirst();
      assertThat(unknown.get("state").asString()).isEqualTo("unknown");
      assertThat(world.alerts("").getFirst().get("unknown").asBoolean()).isTrue();
      world.tick(0, 95);
      assertThat(world.events("state=open")).hasSize(1);
      assertThat(world.history(unknown)).contains("unknown", "known");
      assertThat(world.alerts("").getFirst().get("unknown").asBoolean()).isFalse();
    }
  }

  @Test
  void anExpectedMemberRaisesNothing() {
    try (OutlierWorld world = new OutlierWorld(BEGIN, 6, 1)) {
      world.group("");
      for (int i = 0; i < 4; i++) {
        world.tick();
      }
      for (int i = 0; i < 5; i++) {
        world.tick(2, 94);
      }
      assertThat(world.alerts("")).hasSize(1);
      String object = SampleData.uuid("VirtualMachine", "web-03").toString();
      Instant until = Instant.now().plus(Duration.ofDays(1));
      ApiClient.Answer marked =
          world.api.post(
              "/outlier-groups/" + GROUP + "/exceptions",
              "{\"object\": \"%s\", \"until\": \"%s\", \"reason\": \"Patch\"}"
                  .formatted(object, until));
      assertThat(marked.status()).as(marked.body()).isEqualTo(200);
      JsonNode closed = world.events("").getFirst();
      assertThat(closed.get("closeReason").asString()).isEqualTo("expected");
      assertThat(world.group().get("exceptions").get(0).get("reason").asString())
          .isEqualTo("Patch");
      for (int i = 0; i < 5; i++) {
        world.tick(2, 94);
      }
      assertThat(world.events("state=open")).isEmpty();
      assertThat(world.alerts("")).isEmpty();
      assertThat(member(world, "web-03").get("state").asString()).isEqualTo("expected");

      assertThat(
              world
                  .api
                  .post(
                      "/outlier-groups/" + GROUP + "/exceptions",
                      "{\"object\": \"%s\"}".formatted(object))
                  .status())
          .isEqualTo(200);
      world.tick(2, 94);
      assertThat(member(world, "web-03").get("state").asString()).isEqualTo("excluded");
      assertThat(world.group().get("now").get("members").asInt()).isEqualTo(5);

      String path = "/outlier-groups/" + GROUP + "/exceptions/" + object;
      assertThat(world.api.delete(path).status()).isEqualTo(204);
      assertThat(world.api.delete(path).status()).isEqualTo(404);
      world.tick();
      assertThat(world.group().get("now").get("members").asInt()).isEqualTo(6);
      assertThat(kinds(world)).containsExactly("marked", "marked", "left", "unmarked", "joined");
    }
  }

  private static JsonNode member(OutlierWorld world, String name) {
    return world
        .api
        .get("/outlier-groups/" + GROUP + "/members?q=" + name)
        .json()
        .get("items")
        .get(0);
  }

  /** Changes of the members but for those that it began with, oldest first. */
  private static List<String> kinds(OutlierWorld world) {
    List<String> kinds =
        world
            .api
            .get("/outlier-groups/" + GROUP + "/membership")
            .json()
            .get("items")
            .valueStream()
            .map(change -> change.get("kind").asString())
            .toList()
            .reversed();
    assertThat(kinds.subList(0, 6)).containsOnly("joined");
    return kinds.subList(6, kinds.size());
  }

  @Test
  void anObjectThatLeavesTheScopeLeavesTheGroup() {
    try (OutlierWorld world = new OutlierWorld(BEGIN, 6, 1)) {
      world.group("");
      for (int i = 0; i < 4; i++) {
        world.tick();
      }
      for (int i = 0; i < 5; i++) {
        world.tick(2, 94);
      }
      world.tier(2, "lab");
      world.tick(2, 94);
      assertThat(world.events("").getFirst().get("closeReason").asString()).isEqualTo("left");
      assertThat(world.alerts("state=canceled").getFirst().get("cancelReason").asString())
          .isEqualTo("out-of-scope");
      world.tier(2, "web");
      world.tick(2, AS_USUAL);
      assertThat(kinds(world)).containsExactly("left", "joined");
    }
  }

  @Test
  void aChangedDefinitionClosesEventsOfTheFormerOne() {
    try (OutlierWorld world = new OutlierWorld(BEGIN, 6, 1)) {
      world.group("");
      for (int i = 0; i < 4; i++) {
        world.tick();
      }
      for (int i = 0; i < 5; i++) {
        world.tick(2, 94);
      }
      ApiClient.Answer group = world.api.get("/outlier-groups/" + GROUP);
      String other =
          """
          {"name": "shop/web", "objectKind": {"adapterKind": "VMWARE", "objectKind": "VirtualMachine"},
           "scope": {"tags": ["tier=web"]}, "metrics": [{"key": "cpu|usage_average", "minDeviation": 80}]}
          """;
      assertThat(
              world
                  .api
                  .with("If-Match", group.header("ETag"))
                  .put("/outlier-groups/" + GROUP, other)
                  .status())
          .isEqualTo(200);
      assertThat(world.events("").getFirst().get("closeReason").asString())
          .isEqualTo("definition-changed");
      world.tick(2, 94);
      assertThat(world.group().get("now").get("state").asString()).isEqualTo("alike");
      assertThat(world.alerts("state=canceled").getFirst().get("cancelReason").asString())
          .isEqualTo("definition-changed");
    }
  }

  /** What was heard of outliers, each as it was. */
  private static List<JsonNode> heard(EventStream stream) {
    return stream.messages().stream()
        .filter(one -> one.name().equals("outlier"))
        .map(one -> JSON.readTree(one.data()))
        .toList();
  }

  private static void soon(ThrowingRunnable condition) {
    await().atMost(Duration.ofSeconds(60)).untilAsserted(condition);
  }

  @Test
  void eventsAreStreamedAsTheyOpenChangeAndEnd() {
    try (OutlierWorld world = new OutlierWorld(BEGIN, 6, 1);
        EventStream stream = world.listen()) {
      world.group("");
      for (int i = 0; i < 4; i++) {
        world.tick();
      }
      assertThat(stream.names()).doesNotContain("outlier");
      for (int i = 0; i < 5; i++) {
        world.tick(2, 94);
      }
      soon(() -> assertThat(stream.names()).contains("outlier", "alert"));
      JsonNode opened = heard(stream).getFirst();
      String id = opened.path("id").asString();
      assertThat(opened.path("state").asString()).isEqualTo("open");
      assertThat(opened.path("object").path("name").asString()).isEqualTo("web-03");
      JsonNode stored = world.api.get("/outlier-events/" + id).json().path("event");
      JsonNode moment = stored.path("explanation").path("moments").path(0);
      assertThat(Instant.parse(moment.path("time").asString()))
          .isEqualTo(Instant.parse(stored.path("since").asString()));
      assertThat(
              stored
                  .path("explanation")
                  .path("text")
                  .asString()
                  .substring(moment.path("start").asInt(), moment.path("end").asInt()))
          .endsWith("UTC");
      JsonNode alert = world.alerts("").getFirst().path("explanation");
      JsonNode told = alert.path("moments").path(0);
      assertThat(told.path("time")).as("the alert names it too").isEqualTo(moment.path("time"));
      assertThat(
              alert
                  .path("text")
                  .asString()
                  .substring(told.path("start").asInt(), told.path("end").asInt()))
          .endsWith("UTC");

      act(world, id, "archive");
      soon(() -> assertThat(heard(stream).getLast().path("archivedBy").asString("")).isNotEmpty());
      assertThat(heard(stream).getLast())
          .as("as the API gives it")
          .isEqualTo(world.api.get("/outlier-events/" + id).json().path("event"));
      for (int i = 0; i < 8; i++) {
        world.tick();
      }
      soon(() -> assertThat(heard(stream).getLast().path("state").asString()).isEqualTo("closed"));
      JsonNode closed = heard(stream).getLast();
      assertThat(closed.path("id").asString()).isEqualTo(id);
      assertThat(closed.path("closeReason").asString()).isEqualTo("returned");
      assertThat(closed.path("archivedAt").isNull()).as("it stays archived").isFalse();
    }
  }

  private static void act(OutlierWorld world, String event, String action) {
    ApiClient.Answer answer =
        world.api.post(
            "/outlier-events/actions",
            "{\"ids\": [\"%s\"], \"action\": \"%s\"}".formatted(event, action));
    assertThat(answer.status()).as(answer.body()).isEqualTo(200);
    assertThat(answer.json().path("items").path(0).path("done").asBoolean()).isTrue();
  }

  @Test
  void aGroupThatMovesTogetherIsOneEventOfTheGroupWithoutAnAlert() {
    try (OutlierWorld world = new OutlierWorld(BEGIN, 20, 1);
        EventStream stream = world.listen()) {
      world.group(
          ", \"method\": {\"type\": \"mad\", \"tolerance\": 15, \"percent\": 20, \"window\": \"30m\"}");
      for (int i = 0; i < 6; i++) {
        world.tick();
      }
      // Not all, or the middle would move with them and nobody would be out. The window remembers
      // for some buckets where the middle was.
      for (int i = 0; i < 5; i++) {
        world.tick((member, usual) -> member < 11 ? usual + 400 + 40 * member : usual);
      }
      List<JsonNode> events = world.events("state=open");
      assertThat(events).hasSize(1);
      JsonNode event = events.getFirst();
      assertThat(event.has("object")).isFalse();
      assertThat(event.path("side").asString()).isEqualTo("high");
      assertThat(event.path("severity").asString()).isEqualTo("information");
      assertThat(event.path("alertId").isNull()).isTrue();
      assertThat(event.path("explanation").path("text").asString())
          .startsWith("shop/web: 55 % of the judged members are high at once, since ");
      JsonNode group = world.group();
      assertThat(group.path("now").path("state").asString()).isEqualTo("group-wide");
      assertThat(group.path("openEvents").asInt()).isEqualTo(1);
      JsonNode span = group.path("events24h").path(0);
      assertThat(span.path("event")).isEqualTo(event.path("id"));
      assertThat(span.has("object")).as("null says that it is the group").isTrue();
      assertThat(span.path("object").isNull()).isTrue();
      assertThat(world.alerts("")).as("an alert is about one object").isEmpty();
      soon(
          () ->
              assertThat(heard(stream))
                  .anySatisfy(
                      heard -> {
                        assertThat(heard.path("id")).isEqualTo(event.path("id"));
                        assertThat(heard.has("object")).isFalse();
                      }));

      String id = event.path("id").asString();
      JsonNode details = world.api.get("/outlier-events/" + id).json();
      assertThat(details.path("apart").size()).isZero();
      act(world, id, "archive");
      assertThat(world.events("archived=true")).hasSize(1);
      for (int i = 0; i < 13; i++) {
        world.tick();
      }
      assertThat(world.events("state=closed").getFirst().path("closeReason").asString())
          .isEqualTo("returned");
      assertThat(world.group().path("now").path("state").asString()).isEqualTo("alike");
    }
  }

  @Test
  void twoBandsAreASplitGroupWithoutAnOutlier() {
    try (OutlierWorld world = new OutlierWorld(BEGIN, 8, 1)) {
      world.group(", \"method\": {\"type\": \"peers\", \"interchangeable\": true}");
      for (int i = 0; i < 8; i++) {
        world.tick((member, usual) -> member < 4 ? usual : usual + 45);
      }
      JsonNode now = world.group().path("now");
      assertThat(now.path("state").asString()).isEqualTo("split");
      JsonNode bands = now.path("metrics").path(0).path("bands");
      assertThat(bands.path(0).path("members").asInt()).isEqualTo(4);
      assertThat(bands.path(1).path("members").asInt()).isEqualTo(4);
      assertThat(bands.path(0).path("upper").asDouble())
          .isLessThan(bands.path(1).path("lower").asDouble());
      assertThat(world.events("")).isEmpty();
      assertThat(world.alerts("")).isEmpty();
      assertThat(
              world.api.get("/outlier-groups?state=split").json().path("items").path(0).path("id"))
          .isEqualTo(world.group().path("id"));
      JsonNode results =
          world
              .api
              .get(
                  "/outlier-groups/%s/results?from=%s&to=%s"
                      .formatted(GROUP, world.begin, world.bucket()))
              .json();
      assertThat(results.path("states").toString()).contains("split");
    }
  }

  /** Without the history it would take an hour until anything is judged. */
  @Test
  void historyThatArrivesWhileAGroupLearnsIsLearned() {
    try (OutlierWorld world = new OutlierWorld(BEGIN, 6, 1, false)) {
      world.group("");
      world.tick();
      world.tick();
      assertThat(world.group().path("now").path("state").asString()).isEqualTo("learning");
      world.history();
      world.tick();
      assertThat(world.group().path("now").path("state").asString()).isEqualTo("alike");
      for (int i = 0; i < 4; i++) {
        world.tick(2, 95);
      }
      assertThat(world.group().path("now").path("state").asString()).isEqualTo("deviants");
    }
  }

  @Test
  void groupsOfAMemberAreFoundAndDeviantsHaveTheScoreOfTheirMetric() {
    try (OutlierWorld world = new OutlierWorld(BEGIN, 6, 1)) {
      world.group("");
      String member = SampleData.uuid("VirtualMachine", "web-03").toString();
      assertThat(groupsOf(world, member)).as("not judged yet").isEmpty();
      for (int i = 0; i < 4; i++) {
        world.tick();
      }
      for (int i = 0; i < 5; i++) {
        world.tick(2, 94);
      }
      assertThat(groupsOf(world, member)).containsExactly(GROUP);
      assertThat(groupsOf(world, "00000000-0000-4000-8000-000000000001")).isEmpty();
      JsonNode deviant = world.group().path("now").path("metrics").path(0).path("deviants").path(0);
      JsonNode event = world.events("").getFirst();
      assertThat(deviant.path("score").asDouble())
          .isEqualTo(event.path("metrics").path(0).path("score").asDouble());
      assertThat(deviant.path("value").asDouble()).isEqualTo(94);
      for (int i = 0; i < 12; i++) {
        world.tick(2, Double.NaN);
      }
      deviant = world.group().path("now").path("metrics").path(0).path("deviants").path(0);
      assertThat(deviant.path("state").asString()).isEqualTo("unknown");
      assertThat(deviant.path("value").isNull()).isTrue();
      assertThat(deviant.path("score").isNull()).isTrue();

      ApiClient.Answer marked =
          world.api.post(
              "/outlier-groups/" + GROUP + "/exceptions", "{\"object\": \"%s\"}".formatted(member));
      assertThat(marked.status()).as(marked.body()).isEqualTo(200);
      assertThat(groupsOf(world, member)).as("it is different for good").isEmpty();
      world.tier(4, "lab");
      world.tick();
      assertThat(groupsOf(world, SampleData.uuid("VirtualMachine", "web-05").toString())).isEmpty();
    }
  }

  private static List<String> groupsOf(OutlierWorld world, String member) {
    ApiClient.Answer answer = world.api.get("/outlier-groups?member=" + member);
    assertThat(answer.status()).as(answer.body()).isEqualTo(200);
    return answer
        .json()
        .path("items")
        .valueStream()
        .map(group -> group.path("id").asString())
        .toList();
  }
}
