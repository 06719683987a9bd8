package io.peerlens.learning;

import static org.assertj.core.api.Assertions.assertThat;

import io.peerlens.node.Role;
import io.peerlens.support.ApiClient;
import io.peerlens.support.PeerlensServer;
import io.peerlens.support.SampleData;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** How unusual an object was as a whole, out of its stored history. */
class AnomalyScoreIT {

  private static final long STEP = 300;
  private static final Instant NOW =
      Instant.ofEpochSecond(Instant.now().getEpochSecond() / STEP * STEP);
  private static final Instant TROUBLE = NOW.minus(Duration.ofHours(6));

  private static SampleData data;
  private static PeerlensServer server;

  @BeforeAll
  static void start() {
    data = SampleData.create();
    int group =
        data.group(
            "VMWARE", "VirtualMachine", "cpu", List.of("a", "b", "c", "d", "e", "f", "constant"));
    int counts =
        data.group("VMWARE", "VirtualMachine", "System Attributes", List.of("active_alarms"));
    for (String name : List.of("troubled", "well", "new")) {
      int object = data.object("VMWARE", "VirtualMachine", name);
      history(data.set(object, group, ""), name);
      data.set(object, counts, "");
    }
    data.object("VMWARE", "VirtualMachine", "empty");
    data.jdbc()
        .sql("update level_state set rolled_until = ? where level = '5m'")
        .param(SampleData.time(NOW))
        .update();
    server = PeerlensServer.start(data.database(), Set.of(Role.API));
  }

  @AfterAll
  static void stop() {
    server.close();
    data.close();
  }

  /**
   * Fifteen days of five minutes, with a rhythm and noise in six metrics; for an hour five of the
   * troubled one double.
   */
  private static void history(int set, String name) {
    data.jdbc()
        .sql(
            """
            insert into sample_5m (time, set_id, samples, avg)
            select t, ?, 5, array_append(array(
                select (50 + 10 * sin(extract(epoch from t) / 43200 * pi()) + 3 * sin(extract(epoch from t) * (m + 1.37)) + 2 * sin(extract(epoch from t) * (m + 0.71)))
                  * (case when ? and m < 5 and t >= ? and t < ? then 2 else 1 end)
                from generate_series(0, 5) m order by m), 7)
            from generate_series(?::timestamptz, ?::timestamptz - interval '5 minutes', interval '5 minutes') t
            """)
        .params(
            set,
            name.equals("troubled"),
            SampleData.time(TROUBLE),
            SampleData.time(TROUBLE.plus(Duration.ofHours(1))),
            SampleData.time(
                NOW.minus(name.equals("new") ? Duration.ofHours(3) : Duration.ofDays(15))),
            SampleData.time(NOW))
        .update();
  }

  private static ApiClient.Answer answer(String name, String query) {
    UUID id =
        data.jdbc()
            .sql("select uuid from object where name = ?")
            .param(name)
            .query(UUID.class)
            .single();
    return server.admin().get("/objects/" + id + "/anomaly-score" + query);
  }

  private static JsonNode scores(String name, String query) {
    ApiClient.Answer answer = answer(name, query);
    assertThat(answer.status()).as(answer.body()).isEqualTo(200);
    return answer.json();
  }

  @Test
  void aProblemOfSeveralMetricsIsOnePeriodThatNamesThem() {
    JsonNode found = scores("troubled", "?from=" + NOW.minus(Duration.ofDays(1)) + "&to=" + NOW);
    assertThat(found.path("metrics").asInt()).isEqualTo(7);
    assertThat(found.path("times").size()).isBetween(286, 288);
    assertThat(found.path("scores").size()).isEqualTo(found.path("times").size());
    assertThat(found.path("stretches")).hasSize(1);
    JsonNode stretch = found.path("stretches").path(0);
    assertThat(Instant.parse(stretch.path("from").asString())).isEqualTo(TROUBLE);
    // That it is over is a change too.
    assertThat(Instant.parse(stretch.path("to").asString()))
        .isBetween(TROUBLE.plusSeconds(1800), TROUBLE.plus(Duration.ofHours(3)));
    assertThat(stretch.path("score").asDouble())
        .isGreaterThan(found.path("unusualFrom").asDouble());
    assertThat(stretch.path("keys"))
        .extracting(JsonNode::asString)
        .containsExactlyInAnyOrder("cpu|a", "cpu|b", "cpu|c", "cpu|d", "cpu|e");
    for (int i = 0; i < found.path("times").size(); i++) {
      long time = found.path("times").path(i).asLong();
      if (time < TROUBLE.toEpochMilli()) {
        assertThat(found.path("scores").path(i).asDouble())
            .isLessThan(found.path("unusualFrom").asDouble());
      }
    }
  }

  @Test
  void theSameWindowHasTheSameScoresWhateverElseIsAsked() {
    String day = "?from=" + NOW.minus(Duration.ofDays(1)) + "&to=" + NOW.minus(Duration.ofHours(1));
    assertThat(scores("troubled", day)).isEqualTo(scores("troubled", day));
    assertThat(scores("well", day).path("stretches")).isEmpty();
  }

  @Test
  void newAndEmptyObjectsHaveNoScores() {
    JsonNode found = scores("new", "");
    assertThat(found.path("stretches")).isEmpty();
    assertThat(found.path("scores")).isNotEmpty().allMatch(JsonNode::isNull);
    assertThat(scores("empty", "").path("metrics").asInt()).isZero();
    assertThat(scores("empty", "").path("scores")).allMatch(JsonNode::isNull);
  }

  @Test
  void aWindowThatIsTooLongOrTheWrongWayRoundIsRefused() {
    ApiClient.Answer answer =
        answer("well", "?from=" + NOW.minus(Duration.ofDays(8)) + "&to=" + NOW);
    assertThat(answer.status()).isEqualTo(400);
    assertThat(answer.body()).contains("more than 7 days");
    assertThat(answer("well", "?from=" + NOW + "&to=" + NOW.minusSeconds(600)).status())
        .isEqualTo(400);
    // What lies ahead has no scores yet.
    assertThat(
            scores("well", "?from=" + NOW.plusSeconds(3600) + "&to=" + NOW.plusSeconds(7200))
                .path("times"))
        .isEmpty();
  }
}
