package io.peerlens.evaluation;

import static io.peerlens.evaluation.OutlierWorld.BUCKET;
import static io.peerlens.evaluation.OutlierWorld.GROUP;
import static org.assertj.core.api.Assertions.assertThat;

import io.peerlens.support.ApiClient;
import io.peerlens.support.ApiClient.Answer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** From properties to events and alerts of peers, by the loop as it runs in production. */
class OutlierConfigurationIT {

  private static final Instant BEGIN =
      Instant.now().truncatedTo(ChronoUnit.HOURS).minus(Duration.ofHours(6));

  private static final String POLICY = "config|storageDevice|multipathInfo|multipathPolicy";
  private static final String DNS = "config|network|dnsserver";
  private static final String ROUND_ROBIN = "VMW_PSP_RR";
  private static final String FIXED = "VMW_PSP_FIXED";

  private static final String COMPARED =
      """
      , "properties": [{"pattern": "config|storageDevice|*olicy"}, {"pattern": "config|network|*"}],
        "configuration": {"lasts": "15m"}
      """;

  private static final int[] ALL = IntStream.range(0, 24).toArray();

  private static int[] without(int... members) {
    return IntStream.of(ALL)
        .filter(one -> IntStream.of(members).noneMatch(member -> member == one))
        .toArray();
  }

  /** 24 members with one policy, each with an address of its own. */
  private static OutlierWorld world() {
    OutlierWorld world = new OutlierWorld(BEGIN, 24, 1, false, 1);
    world.property(POLICY, ROUND_ROBIN, ALL);
    world.property(DNS, "10.0.0.1, 10.0.0.2", ALL);
    for (int member : ALL) {
      world.property("config|network|address", "10.0.1." + member, member);
    }
    return world;
  }

  private static String group(String more) {
    return """
        {"id": "%s", "name": "shop/web", "objectKind": {"adapterKind": "VMWARE", "objectKind": "VirtualMachine"},
         "scope": {"tags": ["tier=web"]}, "metrics": [{"key": "cpu|usage_average"}],
         "alert": {"severity": "immediate", "impact": "health", "recommendations": ["Look at the pool."]}%s}
        """
        .formatted(GROUP, more);
  }

  private static Answer change(OutlierWorld world, String more) {
    String version = "\"" + world.group().get("version").asLong() + "\"";
    return world.api.with("If-Match", version).put("/outlier-groups/" + GROUP, group(more));
  }

  private static void ticks(OutlierWorld world, int count) {
    for (int i = 0; i < count; i++) {
      world.tick();
    }
  }

  private static List<String> reasons(OutlierWorld world) {
    return world.events("state=closed").stream()
        .map(event -> event.get("closeReason").asString())
        .toList();
  }

  /** Rows of differences, as "name key since". */
  private static List<String> differences(OutlierWorld world) {
    return world
        .data
        .jdbc()
        .sql(
            """
            select o.name || ' ' || d.key from outlier_difference d join object o on o.id = d.object_id order by 1
            """)
        .query(String.class)
        .list();
  }

  private static JsonNode property(OutlierWorld world, String key) {
    Answer answer = world.api.get("/outlier-groups/" + GROUP + "/configuration");
    assertThat(answer.status()).as(answer.body()).isEqualTo(200);
    return answer
        .json()
        .get("properties")
        .valueStream()
        .filter(one -> one.get("key").asString().equals(key))
        .findFirst()
        .orElseThrow();
  }

  @Test
  void aMemberWithAnotherPolicyIsAnEventAfterAWhileRaisesAnAlertAndIsOverWhenItReturns() {
    try (OutlierWorld world = world()) {
      world.group(COMPARED);
      ticks(world, 2);
      assertThat(differences(world)).isEmpty();

      world.property(POLICY, FIXED, 6);
      Instant differs = world.bucket();
      ticks(world, 3); // seen at the end of the first, so it has lasted for 10 minutes
      assertThat(world.events("")).as("not before it has lasted").isEmpty();
      assertThat(differences(world)).containsExactly("web-07 " + POLICY);
      JsonNode policy = property(world, POLICY);
      assertThat(policy.get("state").asString()).isEqualTo("different");
      assertThat(policy.get("common").asString()).isEqualTo(ROUND_ROBIN);
      assertThat(policy.get("agree").asInt()).isEqualTo(23);
      assertThat(policy.get("judged").asInt()).isEqualTo(24);
      assertThat(policy.get("differing").get(0).get("event").isNull()).isTrue();
      assertThat(property(world, "config|network|address").get("state").asString())
          .isEqualTo("no-majority");
      assertThat(property(world, DNS).get("state").asString()).isEqualTo("alike");

      world.tick();
      JsonNode event = only(world.events("state=open"));
      opened(world, event, differs);

      ticks(world, 3);
      assertThat(world.history(event)).as("nothing changed in it").containsExactly("opened");
      world.property(DNS, "8.8.8.8", 6);
      ticks(world, 4);
      assertThat(world.history(event)).containsExactly("opened", "updated");
      JsonNode updated = only(world.events("state=open"));
      assertThat(updated.get("properties").size()).isEqualTo(2);
      assertThat(updated.get("since")).isEqualTo(event.get("since"));
      assertThat(updated.get("explanation").get("text").asString())
          .contains("Also different: multipath policy (VMW_PSP_FIXED, not VMW_PSP_RR).");
      assertThat(only(world.alerts("")).get("memberCount").asInt()).isEqualTo(2);

      world.property(POLICY, ROUND_ROBIN, 6);
      world.property(DNS, "10.0.0.1, 10.0.0.2", 6);
      world.tick();
      JsonNode closed = only(world.events(""));
      assertThat(closed.get("state").asString()).isEqualTo("closed");
      assertThat(closed.get("closeReason").asString()).isEqualTo("returned");
      assertThat(world.history(closed)).containsExactly("opened", "updated", "closed");
      assertThat(differences(world)).isEmpty();
      assertThat(world.alerts("")).isEmpty();
      assertThat(world.group().get("now").get("configuration").size()).isZero();
    }
  }

  private static void opened(OutlierWorld world, JsonNode event, Instant differs) {
    assertThat(event.get("object").get("name").asString()).isEqualTo("web-07");
    assertThat(event.get("evidence").asString()).isEqualTo("configuration");
    assertThat(event.get("severity").asString()).isEqualTo("immediate");
    assertThat(event.has("side")).isFalse();
    assertThat(event.get("score").isNull()).isTrue();
    assertThat(event.get("peakScore").isNull()).isTrue();
    assertThat(event.get("metrics").size()).isZero();
    assertThat(Instant.parse(event.get("since").asString())).isEqualTo(differs);
    assertThat(Instant.parse(event.get("openedAt").asString()))
        .isEqualTo(differs.plus(BUCKET.multipliedBy(4)));
    JsonNode property = event.get("properties").get(0);
    assertThat(property.get("key").asString()).isEqualTo(POLICY);
    assertThat(property.get("name").asString()).isEqualTo("Multipath policy");
    assertThat(property.get("value").asString()).isEqualTo(FIXED);
    assertThat(property.get("common").asString()).isEqualTo(ROUND_ROBIN);
    assertThat(property.get("agree").asInt()).isEqualTo(23);
    assertThat(event.get("explanation").get("text").asString())
        .startsWith(
            "web-07: multipath policy is VMW_PSP_FIXED where all 23 of its peers have VMW_PSP_RR, since ");

    JsonNode alert = only(world.alerts(""));
    assertThat(alert.get("object").get("name").asString()).isEqualTo("web-07");
    assertThat(alert.get("text").asString()).isEqualTo(FIXED);
    assertThat(alert.get("key").asString()).isEqualTo(POLICY);
    assertThat(alert.get("explanation").get("text"))
        .isEqualTo(event.get("explanation").get("text"));
    assertThat(event.get("alertId")).isEqualTo(alert.get("id"));

    JsonNode now = world.group();
    assertThat(now.get("now").get("state").asString()).isEqualTo("deviants");
    JsonNode deviant = now.get("now").get("configuration").get(0);
    assertThat(deviant.get("object").get("name").asString()).isEqualTo("web-07");
    assertThat(deviant.get("properties").asInt()).isEqualTo(1);
    assertThat(property(world, POLICY).get("differing").get(0).get("event"))
        .isEqualTo(event.get("id"));
    JsonNode details = world.api.get("/outlier-events/" + event.get("id").asString()).json();
    assertThat(details.get("apart").get(0).get("key").asString()).isEqualTo(POLICY);
    assertThat(
            world
                .data
                .jdbc()
                .sql(
                    "select property || ' ' || property_value || ' ' || property_of_peers from outlier")
                .query(String.class)
                .single())
        .isEqualTo(POLICY + " " + FIXED + " " + ROUND_ROBIN);
  }

  private static JsonNode only(List<JsonNode> found) {
    assertThat(found).hasSize(1);
    return found.getFirst();
  }

  @Test
  void twoCampsAndAPropertyThatFewMembersHaveSayNothing() {
    try (OutlierWorld world = world()) {
      world.property(POLICY, FIXED, 0, 1, 2, 3, 4); // 19 of 24 are 79 %
      world.property(DNS, null, without(0, 1, 2, 3));
      world.property(DNS, "8.8.8.8", 3);
      world.group(COMPARED);
      ticks(world, 6);
      assertThat(world.events("")).isEmpty();
      assertThat(property(world, POLICY).get("state").asString()).isEqualTo("no-majority");
      assertThat(property(world, DNS).get("state").asString()).isEqualTo("too-few");

      world.property(POLICY, ROUND_ROBIN, 4); // 20 of 24 are 83 %
      ticks(world, 4);
      assertThat(world.events("state=open"))
          .extracting(event -> event.get("object").get("name").asString())
          .containsExactlyInAnyOrder("web-01", "web-02", "web-03", "web-04");
    }
  }

  @Test
  void anAcceptedValueClosesItsEventsAndIsAVersionOfTheGroup() {
    try (OutlierWorld world = world()) {
      world.property(POLICY, FIXED, 6);
      world.property(DNS, "8.8.8.8", 7);
      world.group(COMPARED);
      ticks(world, 4);
      assertThat(world.events("state=open")).hasSize(2);

      String path = "/outlier-groups/" + GROUP + "/configuration/accept";
      String body = "{\"key\": \"%s\", \"value\": \"%s\"}";
      Answer wrong = world.api.post(path, body.formatted("summary|version", "8"));
      assertThat(wrong.status()).isEqualTo(400);
      assertThat(wrong.body()).contains("summary|version is not compared in this group");
      Answer accepted = world.api.post(path, body.formatted(POLICY, FIXED));
      assertThat(accepted.status()).as(accepted.body()).isEqualTo(200);
      assertThat(accepted.json().get("properties").get(0).get("accept").get(0).asString())
          .isEqualTo(FIXED);
      assertThat(accepted.json().get("version").asLong()).isEqualTo(2);
      Answer again = world.api.post(path, body.formatted(POLICY, FIXED));
      assertThat(again.json().get("version").asLong()).as("accepted already").isEqualTo(2);

      world.tick();
      assertThat(reasons(world)).containsExactly("expected");
      JsonNode open = only(world.events("state=open"));
      assertThat(open.get("object").get("name").asString()).isEqualTo("web-08");
      assertThat(world.history(open)).as("it goes on as it was").containsExactly("opened");
      assertThat(property(world, POLICY).get("accepted").get(0).asString()).isEqualTo(FIXED);
    }
  }

  @Test
  void aMarkedMemberIsNeitherJudgedNorCounted() {
    try (OutlierWorld world = world()) {
      world.property(POLICY, FIXED, 6);
      world.group(COMPARED);
      ticks(world, 4);
      JsonNode event = only(world.events("state=open"));
      Answer marked =
          world.api.post(
              "/outlier-groups/" + GROUP + "/exceptions",
              "{\"object\": \"%s\", \"until\": \"%s\"}"
                  .formatted(
                      event.get("object").get("id").asString(),
                      Instant.now().plus(Duration.ofDays(1))));
      assertThat(marked.status()).as(marked.body()).isEqualTo(200);
      assertThat(reasons(world)).containsExactly("expected");
      ticks(world, 5);
      assertThat(world.events("state=open")).isEmpty();
      assertThat(differences(world)).isEmpty();
      assertThat(world.alerts("")).isEmpty();
      assertThat(property(world, POLICY).get("judged").asInt()).isEqualTo(23);
    }
  }

  @Test
  void aMemberThatLeavesOrIsRemovedEndsItsEvent() {
    try (OutlierWorld world = world()) {
      world.property(POLICY, FIXED, 6, 7);
      world.group(COMPARED);
      ticks(world, 4);
      assertThat(world.events("state=open")).hasSize(2);
      world.tier(6, "db");
      world.tick();
      assertThat(reasons(world)).containsExactly("left");
      world.remove(7);
      world.tick();
      assertThat(reasons(world)).containsExactlyInAnyOrder("left", "object-gone");
      assertThat(differences(world)).isEmpty();
      assertThat(world.alerts("")).isEmpty();
    }
  }

  /** Differences that come and go, with a change of the definition in between. */
  private static List<String> story(OutlierWorld world, Runnable between) {
    world.group(COMPARED);
    for (int i = 0; i < 16; i++) {
      switch (i) {
        case 2 -> world.property(POLICY, FIXED, 6);
        case 4 -> world.property(DNS, "8.8.8.8", 6, 9);
        case 9 -> world.property(POLICY, ROUND_ROBIN, 6);
        case 12 -> world.property(DNS, "10.0.0.1, 10.0.0.2", 9);
        default -> {}
      }
      world.tick();
      between.run();
    }
    List<String> all = new ArrayList<>(world.everything());
    all.addAll(
        world
            .data
            .jdbc()
            .sql("select to_jsonb(d)::text from outlier_difference d order by object_id, key")
            .query(String.class)
            .list());
    return all;
  }

  @Test
  void aTakeoverGoesOnFromWhatWasStored() {
    List<String> undisturbed;
    try (OutlierWorld world = world()) {
      undisturbed = story(world, () -> {});
      assertThat(world.events("")).hasSize(2);
    }
    try (OutlierWorld world = world()) {
      List<String> disturbed = story(world, () -> world.evaluators(1));
      assertThat(disturbed).isEqualTo(undisturbed);
    }
  }

  @Test
  void aChangeOfTheRuleEndsEventsOfConfigurationAndAChangeOfMetricsOthersOnly() {
    try (OutlierWorld world = new OutlierWorld(BEGIN, 24, 1)) {
      world.property(POLICY, ROUND_ROBIN, ALL);
      world.property(POLICY, FIXED, 6);
      world.group(COMPARED);
      ticks(world, 2);
      for (int i = 0; i < 4; i++) {
        world.tick(6, 96);
      }
      assertThat(world.events("state=open"))
          .extracting(event -> event.get("evidence").asString())
          .containsExactlyInAnyOrder("configuration", "level");
      JsonNode alert = only(world.alerts(""));
      assertThat(alert.get("memberCount").asInt()).as("one alert says both").isEqualTo(2);
      assertThat(alert.get("explanation").get("text").asString())
          .contains("CPU usage is 96 %", "multipath policy is VMW_PSP_FIXED");
      JsonNode member =
          world
              .api
              .get("/outlier-groups/" + GROUP + "/members?q=web-07")
              .json()
              .get("items")
              .get(0);
      assertThat(member.get("side").asString()).isEqualTo("high");

      Answer changed = change(world, COMPARED.replace("15m", "10m"));
      assertThat(changed.status()).as(changed.body()).isEqualTo(200);
      JsonNode closed = only(world.events("state=closed"));
      assertThat(closed.get("evidence").asString()).isEqualTo("configuration");
      assertThat(closed.get("closeReason").asString()).isEqualTo("definition-changed");
      assertThat(differences(world)).as("it has to last anew").isEmpty();
      world.tick(6, 96);
      assertThat(only(world.events("state=open")).get("evidence").asString()).isEqualTo("level");
      for (int i = 0; i < 2; i++) {
        world.tick(6, 96);
      }
      assertThat(world.events("state=open")).hasSize(2);

      changed =
          change(
              world, COMPARED.replace("15m", "10m") + ", \"bucket\": \"10m\", \"enabled\": true");
      assertThat(changed.status()).as(changed.body()).isEqualTo(200);
      assertThat(only(world.events("state=open")).get("evidence").asString())
          .isEqualTo("configuration");

      changed = change(world, ", \"enabled\": false");
      assertThat(changed.status()).as(changed.body()).isEqualTo(200);
      assertThat(world.events("state=open")).isEmpty();
      assertThat(differences(world)).isEmpty();
    }
  }

  @Test
  void aGroupWithoutPropertiesIsWhatItWas() {
    try (OutlierWorld world = world()) {
      world.property(POLICY, FIXED, 6);
      world.group(", \"properties\": []");
      ticks(world, 5);
      assertThat(world.events("")).isEmpty();
      assertThat(world.group().has("properties")).isFalse();
      assertThat(world.group().has("configuration")).isFalse();
      String stored =
          world
              .data
              .jdbc()
              .sql("select definition::text from outlier_group")
              .query(String.class)
              .single();
      assertThat(stored).doesNotContain("properties", "configuration");
      Answer nothing = world.api.get("/outlier-groups/" + GROUP + "/configuration");
      assertThat(nothing.json().get("properties").size()).isZero();
      assertThat(nothing.json().get("members").asInt()).isEqualTo(24);
    }
  }

  @Test
  void filesCarryWhatIsCompared() {
    String accepting =
        COMPARED.replace("*olicy\"", "*olicy\", \"accept\": [\"VMW_PSP_MRU\", \"VMW_PSP_MRU\"]");
    try (OutlierWorld world = world()) {
      world.group(accepting);
      JsonNode before = world.group();
      assertThat(before.get("properties").get(0).get("accept").size()).isEqualTo(1);
      assertThat(before.get("configuration").get("majority").asDouble()).isEqualTo(0.8);
      assertThat(before.get("configuration").get("fewest").asInt()).isEqualTo(5);
      String file = world.api.get("/rules/export").body();
      Answer deleted = world.api.with("If-Match", "\"1\"").delete("/outlier-groups/" + GROUP);
      assertThat(deleted.status()).isEqualTo(204);
      Answer imported =
          world.api.upload(
              "/rules/import", "application/json", file.getBytes(StandardCharsets.UTF_8));
      assertThat(imported.status()).as(imported.body()).isEqualTo(200);
      JsonNode after = world.group();
      assertThat(after.get("properties")).isEqualTo(before.get("properties"));
      assertThat(after.get("configuration")).isEqualTo(before.get("configuration"));
      assertThat(world.api.get("/rules/export").json().get("outlierGroups"))
          .isEqualTo(JsonMapper.shared().readTree(file).get("outlierGroups"));

      // A preview of what is being written says who differs now.
      world.property(POLICY, FIXED, 6);
      ObjectNode wanted = (ObjectNode) JsonMapper.shared().readTree(group(accepting));
      wanted.remove("id");
      Answer preview =
          world.api.post(
              "/outlier-groups/preview",
              "{\"group\": %s, \"from\": \"%s\", \"to\": \"%s\"}"
                  .formatted(wanted, BEGIN.minus(Duration.ofHours(2)), BEGIN));
      assertThat(preview.status()).as(preview.body()).isEqualTo(200);
      JsonNode first = preview.json().get("configuration").get("properties").get(0);
      assertThat(first.get("key").asString()).isEqualTo(POLICY);
      assertThat(first.get("differing").get(0).get("since").isNull()).isTrue();
      assertThat(first.get("accepted").get(0).asString()).isEqualTo("VMW_PSP_MRU");

      refused(world.api, "[{\"pattern\": \"  \"}]", "{}", "properties[0].pattern", "is blank");
      refused(
          world.api,
          "[{\"pattern\": \"a\"}, {\"pattern\": \"a\"}]",
          "{}",
          "properties[1].pattern",
          "a is named twice");
      refused(
          world.api,
          "[{\"pattern\": \"" + "*a".repeat(11) + "\"}]",
          "{}",
          "properties[0].pattern",
          "has 11 *, at most 10 are used");
      refused(
          world.api,
          "[{\"pattern\": \"" + "a".repeat(201) + "\"}]",
          "{}",
          "properties[0].pattern",
          "200");
      refused(
          world.api,
          "[{\"pattern\": \"a\"}]",
          "{\"lasts\": \"31d\"}",
          "configuration.lasts",
          "31d is longer than 30d");
      refused(world.api, "[{\"pattern\": \"a\"}]", "{\"majority\": 0.5}", "majority", "0.51");
      refused(world.api, "[{\"pattern\": \"a\"}]", "{\"fewest\": 2}", "fewest", "3");
    }
  }

  private static void refused(
      ApiClient api, String properties, String rule, String field, String reason) {
    Answer answer =
        api.post(
            "/outlier-groups",
            """
            {"name": "wrong", "objectKind": {"adapterKind": "VMWARE", "objectKind": "VirtualMachine"},
             "metrics": [{"key": "cpu|usage_average"}], "properties": %s, "configuration": %s}
            """
                .formatted(properties, rule));
    assertThat(answer.status()).as(answer.body()).isEqualTo(400);
    assertThat(answer.body()).contains(field, reason);
  }
}
