package io.peerlens.supermetric;

import static org.assertj.core.api.Assertions.assertThat;

import io.peerlens.node.Role;
import io.peerlens.support.ApiClient;
import io.peerlens.support.ApiClient.Answer;
import io.peerlens.support.PeerlensServer;
import io.peerlens.support.SampleData;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * What rules would have done with another formula, over three days of eight machines, one of which
 * is overloaded for two hours: a threshold on the super metric, one on a super metric that reads
 * it, and a group of peers.
 */
class EffectsIT {

  private static final JsonMapper JSON = JsonMapper.shared();
  private static final Instant END = Instant.now().truncatedTo(ChronoUnit.HOURS);
  private static final Instant FROM = END.minus(12, ChronoUnit.HOURS);
  private static final Instant TROUBLE = END.minus(6, ChronoUnit.HOURS);
  private static final Instant OVER = END.minus(4, ChronoUnit.HOURS);
  private static final String KIND = "{'adapterKind': 'VMWARE', 'objectKind': 'VirtualMachine'}";
  private static final String USAGE = "${this, metric=cpu|usage_average}";
  private static final String CAPPED = "min([" + USAGE + ", 60])";

  private static SampleData data;
  private static PeerlensServer server;
  private static ApiClient api;
  private static String load;

  @BeforeAll
  static void start() {
    data = SampleData.create();
    int group = data.group("VMWARE", "VirtualMachine", "cpu", List.of("usage_average"));
    for (int i = 1; i <= 8; i++) {
      int id = data.object("VMWARE", "VirtualMachine", "web-%02d".formatted(i));
      data.jdbc()
          .sql(
              """
              insert into sample (time, set_id, values)
              select t, :set, array[
                30 + 4 * ('x' || substr(md5(concat(:set::int, ' ', :end::timestamptz - t)), 1, 6))::bit(24)::int / 16777216.0
                  + case when :odd and t >= :trouble and t < :over then 50 else 0 end]
              from generate_series(:begin, :end, interval '5 minutes') t
              """)
          .param("set", data.set(id, group, ""))
          .param("odd", i == 3)
          .param("trouble", SampleData.time(TROUBLE))
          .param("over", SampleData.time(OVER))
          .param("begin", SampleData.time(END.minus(3, ChronoUnit.DAYS)))
          .param("end", SampleData.time(END.minusSeconds(1)))
          .update();
    }
    data.sql("update inventory_version set version = version + 1, sets_version = sets_version + 1");
    server = PeerlensServer.start(data.database(), Set.of(Role.API));
    api = server.admin();
    load = superMetric("Load", CAPPED);
    String twice = superMetric("Twice", "${this, metric=Super Metric|sm_" + load + "} * 2");
    threshold("Loaded", load, 70, true);
    threshold("Loaded twice", twice, 140, true);
    threshold("Not judged", load, 1, false);
    create(
        "/outlier-groups",
        "{'name': 'Web', 'objectKind': %s, 'scope': {'name': 'web-*'}, 'metrics': [{'key': 'Super Metric|sm_%s', 'minDeviation': 2}]}"
            .formatted(KIND, load));
    create(
        "/outlier-groups",
        "{'name': 'Zero', 'objectKind': %s, 'scope': {'name': 'none-*'}, 'metrics': [{'key': 'Super Metric|sm_%s', 'minDeviation': 2}]}"
            .formatted(KIND, load));
  }

  @AfterAll
  static void stop() {
    server.close();
    data.close();
  }

  private static String create(String path, String body) {
    Answer created = api.post(path, body.replace('\'', '"'));
    assertThat(created.status()).as(created.body()).isEqualTo(201);
    return created.json().path("id").asString();
  }

  private static String superMetric(String name, String formula) {
    return create(
        "/super-metrics",
        "{'name': '%s', 'formula': '%s', 'kinds': [%s]}".formatted(name, formula, KIND));
  }

  private static void threshold(String name, String superMetric, int bound, boolean enabled) {
    create(
        "/thresholds",
        """
        {'name': '%s', 'enabled': %s, 'objectKind': %s,
         'condition': {'type': 'metric', 'key': 'Super Metric|sm_%s', 'operator': 'gt', 'levels': [
           {'severity': 'warning', 'bound': {'type': 'number', 'value': %d}}]},
         'trigger': {'violations': 1, 'of': 1, 'minimumDuration': '0s', 'clearAfter': 1}}
        """
            .formatted(name, enabled, KIND, superMetric, bound));
  }

  private static Answer ask(String formula) {
    return api.post(
        "/super-metrics/" + load + "/effects",
        JSON.writeValueAsString(
            JSON.createObjectNode()
                .put("formula", formula)
                .put("from", FROM.toString())
                .put("to", END.toString())));
  }

  private static List<JsonNode> effects(String formula) {
    Answer answer = ask(formula);
    assertThat(answer.status()).as(answer.body()).isEqualTo(200);
    List<JsonNode> rules = new ArrayList<>();
    answer.json().path("rules").forEach(rules::add);
    assertThat(rules.stream().map(rule -> rule.path("name").asString()))
        .containsExactly("Loaded", "Loaded twice", "Web", "Zero");
    return rules;
  }

  @Test
  void alertsThatAnEditWouldHaveRaisedAreFoundInEveryRule() {
    List<JsonNode> rules = effects(USAGE);
    for (JsonNode threshold : rules.subList(0, 2)) {
      assertThat(threshold.path("kind").asString()).isEqualTo("threshold");
      assertThat(threshold.path("judged").asInt()).isEqualTo(8);
      assertThat(threshold.path("stored").asInt()).isZero();
      assertThat(threshold.path("edited").asInt()).isEqualTo(1);
      assertThat(threshold.path("addedCount").asInt()).isEqualTo(1);
      assertThat(threshold.path("droppedCount").asInt()).isZero();
      JsonNode episode = threshold.path("added").path(0);
      assertThat(episode.path("object").path("name").asString()).isEqualTo("web-03");
      assertThat(Instant.parse(episode.path("from").asString())).isEqualTo(TROUBLE);
      assertThat(Instant.parse(episode.path("to").asString())).isEqualTo(OVER);
      assertThat(episode.path("severity").asString()).isEqualTo("warning");
    }
    JsonNode group = rules.get(2);
    assertThat(group.path("kind").asString()).isEqualTo("outlier-group");
    assertThat(group.path("judged").asInt()).isEqualTo(8);
    // Capped at 60 it is an outlier as well, in the same hours.
    assertThat(group.path("stored").asInt()).isEqualTo(1);
    assertThat(group.path("edited").asInt()).isEqualTo(1);
    assertThat(group.path("addedCount").asInt()).isZero();
    assertThat(group.path("problem").isNull()).isTrue();
    assertThat(rules.get(3).path("problem").asString()).isEqualTo("Nothing is in scope.");
  }

  @Test
  void alertsThatAnEditWouldHavePreventedAreFound() {
    JsonNode group = effects("min([" + USAGE + ", 30])").get(2);
    assertThat(group.path("stored").asInt()).isEqualTo(1);
    assertThat(group.path("edited").asInt()).isZero();
    assertThat(group.path("droppedCount").asInt()).isEqualTo(1);
    JsonNode episode = group.path("dropped").path(0);
    assertThat(episode.path("object").path("name").asString()).isEqualTo("web-03");
    assertThat(Instant.parse(episode.path("from").asString())).isEqualTo(TROUBLE);
    assertThat(Instant.parse(episode.path("to").asString()))
        .isBetween(OVER, OVER.plusSeconds(3600));
  }

  @Test
  void theSameFormulaChangesNothingAndAWrongOneIsRefused() {
    for (JsonNode rule : effects(CAPPED)) {
      assertThat(rule.path("edited").asInt()).isEqualTo(rule.path("stored").asInt());
      assertThat(rule.path("addedCount").asInt() + rule.path("droppedCount").asInt()).isZero();
    }
    Answer wrong = ask("1 +");
    assertThat(wrong.status()).isEqualTo(400);
    assertThat(wrong.json().path("errors").path(0).path("field").asString()).isEqualTo("formula");
  }

  @Test
  void aCountingFormulaContinuesFromItsLastValue() {
    // It grows by 10 every minute while the machine is busy, and begins anew when it is not.
    String self = "${this, metric=Super Metric|sm_" + load + ", defval=0}";
    JsonNode threshold = effects(USAGE + " > 70 ? " + self + " + 10 : 0").getFirst();
    JsonNode episode = threshold.path("added").path(0);
    assertThat(threshold.path("edited").asInt()).isEqualTo(1);
    assertThat(Instant.parse(episode.path("from").asString())).isEqualTo(TROUBLE.plusSeconds(420));
    assertThat(Instant.parse(episode.path("to").asString())).isEqualTo(OVER);
  }
}
