package io.peerlens.outlier;

import static org.assertj.core.api.Assertions.assertThat;

import io.peerlens.node.Role;
import io.peerlens.outlier.preview.OutlierPreviews;
import io.peerlens.support.ApiClient;
import io.peerlens.support.ApiClient.Answer;
import io.peerlens.support.PeerlensServer;
import io.peerlens.support.SampleData;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** Previews of groups of machines, one of which is overloaded for two hours. */
class OutlierPreviewIT {

  private static final Instant END = Instant.now().truncatedTo(ChronoUnit.HOURS);
  private static final Instant FROM = END.minus(1, ChronoUnit.DAYS);
  private static final Instant BEGIN = END.minus(4, ChronoUnit.DAYS);
  private static final Instant TROUBLE = END.minus(6, ChronoUnit.HOURS);
  private static final Instant OVER = END.minus(4, ChronoUnit.HOURS);

  private static SampleData data;
  private static PeerlensServer server;
  private static ApiClient api;

  @BeforeAll
  static void start() {
    data = SampleData.create();
    PeersWorld world = new PeersWorld(data);
    for (int i = 1; i <= 8; i++) {
      boolean odd = i == 3;
      world.machine(
          "web-%02d".formatted(i),
          "{'tier': 'web'}",
          BEGIN,
          END,
          (t, wave, random) -> {
            double[] usual = PeersWorld.usual().at(t, wave, random);
            if (odd && !t.isBefore(TROUBLE) && t.isBefore(OVER)) {
              usual[0] += 45;
            }
            return usual;
          });
    }
    // Two sorts of machines that one tag tells apart and another one does not.
    for (int i = 1; i <= 8; i++) {
      boolean big = i > 4;
      world.machine(
          "db-%02d".formatted(i),
          "{'tier': 'db', 'role': '%s', 'rack': '%d'}"
              .formatted(big ? "primary" : "replica", i % 3),
          BEGIN,
          END,
          (t, wave, random) -> {
            double[] usual = PeersWorld.usual().at(t, wave, random);
            usual[0] = (big ? 70 : 15) + random.nextGaussian();
            return usual;
          });
    }
    for (int i = 1; i <= 5; i++) {
      int machine = i;
      world.machine(
          "app-%02d".formatted(i),
          "{'tier': 'app'}",
          BEGIN,
          END,
          (t, wave, random) -> {
            double[] usual = PeersWorld.usual().at(t, wave, random);
            usual[0] = machine == 5 ? Double.NaN : usual[0] + (machine == 1 ? 60 : -25);
            return usual;
          });
    }
    data.sql(
        "insert into object_liveness (object_id, last_seen, delay_s) select id, now(), case name when 'app-02' then 400 else 5 end from object");
    world.ready();
    server =
        PeerlensServer.start(
            data.database(), Set.of(Role.API), "peerlens.outliers.preview-values=1500000");
    api = server.admin();
  }

  @AfterAll
  static void stop() {
    server.close();
    data.close();
  }

  private static Answer preview(String group, String more) {
    return api.post(
        "/outlier-groups/preview",
        "{'group': {'name': 'G', 'objectKind': %s, 'metrics': [{'key': 'cpu|usage_average', 'minDeviation': 2}], %s}, 'from': '%s', 'to': '%s'%s}"
            .formatted(PeersWorld.KIND, group, FROM, END, more)
            .replace('\'', '"'));
  }

  private static JsonNode previewed(String group, String more) {
    Answer answer = preview(group, more);
    assertThat(answer.status()).as(answer.body()).isEqualTo(200);
    return answer.json();
  }

  private static JsonNode step(JsonNode preview, double sensitivity) {
    for (JsonNode step : preview.path("grid")) {
      if (step.path("sensitivity").asDouble() == sensitivity) {
        return step;
      }
    }
    throw new AssertionError("No step " + sensitivity + " in " + preview.path("grid"));
  }

  private static String name(JsonNode preview, String object) {
    for (JsonNode one : preview.path("objects")) {
      if (one.path("id").asString().equals(object)) {
        return one.path("name").asString();
      }
    }
    throw new AssertionError(object + " is not among the objects");
  }

  @Test
  void onlyTheMemberThatDiffersIsFound() {
    JsonNode preview = previewed("'scope': {'tags': ['tier=web']}", "");
    assertThat(preview.path("members").asInt()).isEqualTo(8);
    assertThat(preview.path("sensitivity").asDouble()).isEqualTo(4.5);
    JsonNode step = step(preview, 4.5);
    assertThat(step.path("count").asInt()).isEqualTo(1);
    assertThat(step.path("perWeek").asDouble()).isEqualTo(7);
    assertThat(step.path("over30min").asInt()).isEqualTo(1);
    JsonNode episode = step.path("episodes").path(0);
    assertThat(name(preview, episode.path("object").asString())).isEqualTo("web-03");
    assertThat(episode.path("side").asString()).isEqualTo("high");
    assertThat(episode.path("peak").asDouble()).isGreaterThan(4.5);
    assertThat(episode.path("from").asLong()).isEqualTo(TROUBLE.toEpochMilli());
    assertThat(episode.path("to").asLong())
        .isBetween(OVER.toEpochMilli(), OVER.plusSeconds(3600).toEpochMilli());
    assertThat(episode.path("metrics").path(0).asString()).isEqualTo("cpu|usage_average");
  }

  @Test
  void anExpectedMemberIsNotFoundWhileTheExceptionHolds() {
    String group = "'scope': {'tags': ['tier=web']}";
    Answer stored =
        api.post(
            "/outlier-groups",
            "{'name': 'expecting', 'objectKind': %s, 'metrics': [{'key': 'cpu|usage_average', 'minDeviation': 2}], %s}"
                .formatted(PeersWorld.KIND, group)
                .replace('\'', '"'));
    assertThat(stored.status()).as(stored.body()).isEqualTo(201);
    String id = stored.json().path("id").asString();
    String same = group + ", 'id': '" + id + "'";
    assertThat(step(previewed(same, ""), 4.5).path("count").asInt()).isEqualTo(1);

    expect(id, TROUBLE.minusSeconds(600), OVER.plusSeconds(3600));
    assertThat(step(previewed(same, ""), 4.5).path("count").asInt()).isZero();
    assertThat(step(previewed(group, ""), 4.5).path("count").asInt())
        .as("of another group")
        .isEqualTo(1);

    // Said an hour into the trouble: what was found before stays found, and is over then.
    expect(id, TROUBLE.plusSeconds(3600), OVER.plusSeconds(3600));
    JsonNode episode = step(previewed(same, ""), 4.5).path("episodes").path(0);
    assertThat(episode.path("from").asLong()).isEqualTo(TROUBLE.toEpochMilli());
    assertThat(episode.path("to").asLong())
        .isEqualTo(TROUBLE.plusSeconds(3600 + 300).toEpochMilli());

    // It ended before the trouble did.
    expect(id, TROUBLE.minusSeconds(600), TROUBLE.plusSeconds(3600));
    for (JsonNode one : step(previewed(same, ""), 4.5).path("episodes")) {
      assertThat(one.path("from").asLong())
          .isGreaterThanOrEqualTo(TROUBLE.plusSeconds(3300).toEpochMilli());
    }
  }

  private static void expect(String group, Instant at, Instant until) {
    data.jdbc()
        .sql(
            """
            insert into outlier_exception (group_id, object_id, until, by, at)
            select ?::uuid, id, ?, 'ann', ? from object where name = 'web-03'
            on conflict (group_id, object_id) do update set until = excluded.until, at = excluded.at
            """)
        .params(group, SampleData.time(until), SampleData.time(at))
        .update();
  }

  @Test
  void everySensitivityOfTheGridHasItsEvents() {
    JsonNode preview =
        previewed(
            "'scope': {'tags': ['tier=web']}, 'sensitivity': '4.2', 'opens': {'violations': 1, 'of': 1}",
            "");
    List<Double> tried = new ArrayList<>();
    preview.path("grid").forEach(step -> tried.add(step.path("sensitivity").asDouble()));
    assertThat(tried)
        .contains(1.0, 3.5, 4.2, 4.5, 6.0, 10.0)
        .isSortedAccordingTo((a, b) -> Double.compare(b, a));
    assertThat(step(preview, 1).path("count").asInt())
        .as("many events for the most sensitive")
        .isGreaterThan(step(preview, 4.2).path("count").asInt());
    assertThat(step(preview, 1).path("members").asInt()).isGreaterThan(1);
    for (JsonNode step : preview.path("grid")) {
      for (JsonNode episode : step.path("episodes")) {
        assertThat(Math.abs(episode.path("peak").asDouble()))
            .isGreaterThanOrEqualTo(step.path("sensitivity").asDouble() - 0.01);
      }
    }
  }

  @Test
  void thinnedCurvesKeepTheirExtremes() {
    JsonNode all = previewed("'scope': {'tags': ['tier=web']}", ", 'points': 5000").path("results");
    JsonNode thin = previewed("'scope': {'tags': ['tier=web']}", ", 'points': 20").path("results");
    assertThat(all.path("times").size()).isEqualTo(288);
    assertThat(all.path("stepMillis").asLong()).isEqualTo(300_000);
    assertThat(thin.path("times").size()).isLessThanOrEqualTo(20);
    assertThat(thin.path("stepMillis").asLong()).isEqualTo(15 * 300_000);
    assertThat(thin.path("objects").path(0).path("name").asString())
        .as("the farthest comes first")
        .isEqualTo("web-03");
    JsonNode fine = all.path("metrics").path(0);
    JsonNode coarse = thin.path("metrics").path(0);
    assertThat(farthest(coarse.path("members").path(0).path("scores")))
        .isEqualTo(farthest(fine.path("members").path(0).path("scores")));
    assertThat(fine.path("unit").asString()).isEqualTo("percent");
    for (int i = 0; i < 288; i++) {
      assertThat(fine.path("lower").path(i).asDouble())
          .isLessThan(fine.path("centre").path(i).asDouble());
      assertThat(fine.path("upper").path(i).asDouble())
          .isGreaterThan(fine.path("centre").path(i).asDouble());
      assertThat(all.path("judged").path(i).asInt()).isEqualTo(8);
    }
    assertThat(
            previewed("'scope': {'tags': ['tier=web']}", ", 'members': 2")
                .path("results")
                .path("objects")
                .size())
        .isEqualTo(2);
  }

  private static double farthest(JsonNode scores) {
    double farthest = 0;
    for (JsonNode score : scores) {
      farthest = Math.max(farthest, Math.abs(score.asDouble()));
    }
    return farthest;
  }

  private static JsonNode warning(JsonNode preview, String code) {
    Set<String> codes = new TreeSet<>();
    for (JsonNode warning : preview.path("warnings")) {
      if (warning.path("code").asString().equals(code)) {
        return warning;
      }
      codes.add(warning.path("code").asString());
    }
    throw new AssertionError(code + " is not among " + codes);
  }

  @Test
  void aSplitGroupNamesTheTagThatPartsIt() {
    JsonNode split = warning(previewed("'scope': {'tags': ['tier=db']}", ""), "split");
    assertThat(split.path("tag").asString()).isEqualTo("role");
    assertThat(split.path("message").asString()).contains("4 low, 4 high");
    assertThat(split.path("hint").asString()).contains("primary, replica");
    assertThat(split.path("parts").findValuesAsString("value"))
        .containsExactlyInAnyOrder("primary", "replica");
    assertThat(split.path("parts").path(0).path("members").asInt()).isEqualTo(4);
    assertThat(split.path("objects").size()).isEqualTo(4);
  }

  @Test
  void membersThatDoNotFitAreNamed() {
    JsonNode preview = previewed("'scope': {'tags': ['tier=app']}", "");
    assertThat(warning(preview, "unlike-size").path("message").asString()).startsWith("app-01 ");
    assertThat(warning(preview, "late").path("objects").path(0).path("name").asString())
        .isEqualTo("app-02");
    assertThat(warning(preview, "no-data").path("message").asString()).startsWith("app-05 ");
    assertThat(warning(preview, "short-history").path("message").asString()).contains("3 days");
  }

  @Test
  void tooFewMembersAreReportedAndNotJudged() {
    JsonNode preview =
        previewed(
            "'scope': {'name': 'web-0*', 'exclude': [{'name': 'web-03'}, {'name': 'web-04'}, {'name': 'web-05'}, {'name': 'web-06'}, {'name': 'web-07'}, {'name': 'web-08'}]}",
            "");
    assertThat(preview.path("members").asInt()).isEqualTo(2);
    assertThat(warning(preview, "too-few").path("message").asString())
        .isEqualTo("Only 2 in scope.");
    assertThat(preview.path("grid").size()).isZero();
    assertThat(preview.path("results").path("metrics").size()).isEqualTo(1);
  }

  @Test
  void otherMethodsHaveAThresholdOfTheirOwn() {
    for (String method :
        List.of(
            "{'type': 'dbscan'}",
            "{'type': 'mad', 'tolerance': 4}",
            "{'type': 'dbscan', 'sensitivity': 0.5}",
            "{'type': 'mad', 'sensitivity': 0.3}")) {
      JsonNode preview = previewed("'scope': {'tags': ['tier=web']}, 'method': " + method, "");
      assertThat(preview.path("grid").size()).as(method).isEqualTo(1);
      assertThat(preview.path("grid").path(0).path("sensitivity").asDouble())
          .isEqualTo(preview.path("sensitivity").asDouble());
    }
  }

  @Test
  void aGroupThatCannotBePreviewedSaysWhy() {
    assertThat(
            api.post(
                    "/outlier-groups/preview",
                    "{\"group\": {\"name\": \"G\", \"objectKind\": %s, \"metrics\": [{\"key\": \"cpu|usage_average\"}]}, \"from\": \"%s\"}"
                        .formatted(
                            PeersWorld.KIND.replace('\'', '"'), END.minus(31, ChronoUnit.DAYS)))
                .body())
        .contains("30d");
    Answer broken = preview("'bucket': '7m'", "");
    assertThat(broken.status()).isEqualTo(400);
    assertThat(broken.body()).contains("group.bucket");
    Answer large =
        api.post(
            "/outlier-groups/preview",
            "{\"group\": {\"name\": \"G\", \"bucket\": \"1m\", \"objectKind\": %s, \"metrics\": [{\"key\": \"cpu|usage_average\"}, {\"key\": \"cpu|ready_summation\"}]}, \"from\": \"%s\"}"
                .formatted(PeersWorld.KIND.replace('\'', '"'), END.minus(29, ChronoUnit.DAYS)));
    assertThat(large.status()).as(large.body()).isEqualTo(400);
    assertThat(large.body()).contains("too-many-points");
  }

  @Test
  void aWeekOfManyMembersTakesLittle() {
    int members = Integer.getInteger("preview.members", 60);
    data.sql(
        """
        insert into object (uuid, adapter_kind, object_kind, external_id, name, attributes_time, first_seen)
        select gen_random_uuid(), 'VMWARE', 'HostSystem', 'h' || i, 'h' || i, now(), now() from generate_series(1, %d) i
        """
            .formatted(members));
    int group = data.group("VMWARE", "HostSystem", "cpu", List.of("usage_average"));
    data.sql(
        "insert into metric_set (object_id, group_id, instance) select id, %d, '' from object where object_kind = 'HostSystem'"
            .formatted(group));
    data.sql(
        """
        insert into sample (time, set_id, values)
        select t, s.id, array[40 + random() * 10]
        from metric_set s, generate_series(now() - interval '15 days', now(), interval '5 minutes') t
        where s.group_id = %d
        """
            .formatted(group));
    data.sql("update inventory_version set version = version + 1, sets_version = sets_version + 1");
    String request =
        "{\"group\": {\"name\": \"H\", \"objectKind\": {\"adapterKind\": \"VMWARE\", \"objectKind\": \"HostSystem\"}, \"metrics\": [{\"key\": \"cpu|usage_average\"}]}}";
    OutlierPreviews previews = server.context().getBean(OutlierPreviews.class);
    long computing = Long.MAX_VALUE;
    for (int i = 0; i < 5; i++) {
      Answer answer = api.post("/outlier-groups/preview", request);
      assertThat(answer.status()).as(answer.body()).isEqualTo(200);
      assertThat(answer.json().path("members").asInt()).isEqualTo(members);
      OutlierPreviews.Cost cost = previews.cost();
      computing = Math.min(computing, cost.computing());
      if (Integer.getInteger("preview.members") != null) {
        System.out.printf(
            "%d members, 7 days after 8 of learning: reading %d ms, computing %d ms, answer %,d characters%n",
            members,
            cost.reading() / 1_000_000,
            cost.computing() / 1_000_000,
            answer.body().length());
      }
    }
    assertThat(computing / 1_000_000).as("ms for %d members", members).isLessThan(5_000);
  }
}
