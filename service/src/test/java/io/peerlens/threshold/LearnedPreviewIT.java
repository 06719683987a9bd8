package io.peerlens.threshold;

import static org.assertj.core.api.Assertions.assertThat;

import io.peerlens.node.Role;
import io.peerlens.support.ApiClient;
import io.peerlens.support.ApiClient.Answer;
import io.peerlens.support.PeerlensServer;
import io.peerlens.support.SampleData;
import java.time.Duration;
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

/**
 * Previews of learned bounds over a day: three machines with a daily rhythm, of which one was 20
 * and one 60 above it for an hour, and one of which too little is known.
 */
class LearnedPreviewIT {

  private static final Instant END = Instant.now().truncatedTo(ChronoUnit.HOURS);
  private static final Instant BEGIN = END.minus(1, ChronoUnit.DAYS);
  private static final String WAVE =
      "50 + 10 * sin(extract(hour from t at time zone 'UTC') * pi() / 12)";

  /** Single quotes are double ones. */
  private static final String UNUSUAL =
      """
      {'name': 'Unusual', 'objectKind': {'adapterKind': 'VMWARE', 'objectKind': 'VirtualMachine'},
       'condition': {'type': 'metric', 'key': 'cpu|usage_average', 'operator': 'gt', 'levels': [
         {'severity': 'warning', 'bound': {'type': 'learned', 'sensitivity': 'medium'}}]}}
      """
          .replace('\'', '"');

  private static SampleData data;
  private static PeerlensServer server;
  private static ApiClient api;

  @BeforeAll
  static void start() {
    data = SampleData.create();
    data.sql("update level_state set rolled_until = '2100-01-01T00:00:00Z' where level = '1h'");
    int group = data.group("VMWARE", "VirtualMachine", "cpu", List.of("usage_average"));
    for (String name : List.of("quiet", "some", "much", "new")) {
      int set = data.set(data.object("VMWARE", "VirtualMachine", name), group, "");
      cells(set, END.minus(name.equals("new") ? 3 : 20, ChronoUnit.DAYS));
      samples(set, name.equals("some") ? 20 : name.equals("much") ? 60 : 0);
    }
    data.sql("update inventory_version set version = version + 1, sets_version = sets_version + 1");
    server = PeerlensServer.start(data.database(), Set.of(Role.API));
    api = server.admin();
  }

  /** Hourly roll-ups up to the begin, with some noise. */
  private static void cells(int set, Instant from) {
    data.jdbc()
        .sql(
            """
            insert into sample_1h (time, set_id, samples, avg, min, max)
            select t, s, 12, array[v], array[v - 2], array[v + 2]
            from (select t, s, %s + (extract(epoch from t)::bigint / 3600 * 7919 + s * 31) %% 13 / 4.0 as v
              from generate_series(?::timestamptz, ?::timestamptz - interval '1 hour', '1 hour') t, (values (?)) x(s)) y
            """
                .formatted(WAVE))
        .params(SampleData.time(from), SampleData.time(BEGIN), set)
        .update();
  }

  /** Samples of the day, more by something in its sixteenth hour. */
  private static void samples(int set, int more) {
    data.jdbc()
        .sql(
            """
            insert into sample (time, set_id, values)
            select t, s, array[%s + 1 + case when t >= ? and t < ? then ? else 0 end]
            from generate_series(?::timestamptz, ?::timestamptz - interval '1 second', '5 minutes') t, (values (?)) x(s)
            """
                .formatted(WAVE))
        .params(
            SampleData.time(BEGIN.plus(15, ChronoUnit.HOURS)),
            SampleData.time(BEGIN.plus(16, ChronoUnit.HOURS)),
            more,
            SampleData.time(BEGIN.minus(1, ChronoUnit.HOURS)),
            SampleData.time(END),
            set)
        .update();
  }

  @AfterAll
  static void stop() {
    server.close();
    data.close();
  }

  private static JsonNode previewed(String threshold, String more) {
    Answer answer =
        api.post(
            "/thresholds/preview",
            "{\"threshold\": %s, \"from\": \"%s\", \"to\": \"%s\"%s}"
                .formatted(threshold, BEGIN, END, more.replace('\'', '"')));
    assertThat(answer.status()).as(answer.body()).isEqualTo(200);
    return answer.json();
  }

  private static Set<String> fired(JsonNode preview) {
    Set<String> names = new TreeSet<>();
    for (JsonNode firing : preview.path("firings")) {
      if (firing.path("episodes").size() > 0) {
        names.add(firing.at("/object/name").asString());
      }
    }
    return names;
  }

  @Test
  void aPreviewUsesTheRangeThatWasUsualThen() {
    JsonNode preview = previewed(UNUSUAL, "");
    assertThat(fired(preview)).containsExactly("much", "some");
    assertThat(preview.path("total").asInt()).isEqualTo(2);
    assertThat(preview.path("objects").asInt()).isEqualTo(4);
    for (JsonNode firing : preview.path("firings")) {
      JsonNode episode = firing.path("episodes").path(0);
      Instant from = Instant.parse(episode.path("from").asString());
      assertThat(from).isEqualTo(BEGIN.plus(15, ChronoUnit.HOURS));
      assertThat(Instant.parse(episode.path("to").asString()))
          .isEqualTo(BEGIN.plus(16, ChronoUnit.HOURS));
      double upper = upper(firing.at("/object/id").asString(), from);
      assertThat(episode.path("peak").asDouble()).isGreaterThan(upper);
      assertThat(upper).isBetween(40.0, 75.0);
    }
    assertThat(previewed(UNUSUAL.replace("\"gt\"", "\"lt\""), "").path("total").asInt()).isZero();
    assertThat(fired(previewed(UNUSUAL.replace("\"gt\"", "\"outside\""), "")))
        .containsExactly("much", "some");
  }

  /** Upper end in an hour, as the API tells it. */
  private static double upper(String object, Instant from) {
    return api.get(
            "/objects/%s/bounds?key=cpu%%7Cusage_average&sensitivity=medium&from=%s&to=%s"
                .formatted(
                    object, from.toEpochMilli(), from.plus(Duration.ofHours(1)).toEpochMilli()))
        .json()
        .at("/upper/0")
        .asDouble();
  }

  @Test
  void aPreviewNamesObjectsWithTooLittleHistory() {
    JsonNode learning = previewed(UNUSUAL, "").path("learning");
    assertThat(learning.path("total").asInt()).isEqualTo(1);
    assertThat(learning.at("/items/0/name").asString()).isEqualTo("new");
    String fixed =
        UNUSUAL.replaceAll("\\{\"type\": \"learned\".*?}", "{\"type\": \"number\", \"value\": 90}");
    JsonNode without = previewed(fixed, "");
    assertThat(without.at("/learning/total").asInt()).isZero();
    assertThat(without.path("sensitivities").size()).isZero();
    assertThat(fired(without)).containsExactly("much");
  }

  @Test
  void aPreviewCountsEpisodesForEachSensitivity() {
    JsonNode preview = previewed(UNUSUAL, "");
    List<String> sensitivities = new ArrayList<>();
    List<Integer> totals = new ArrayList<>();
    for (JsonNode point : preview.path("sensitivities")) {
      sensitivities.add(point.path("sensitivity").asString());
      totals.add(point.path("total").asInt());
    }
    assertThat(sensitivities).containsExactly("low", "medium", "high");
    assertThat(totals).isSorted();
    assertThat(totals.get(1)).isEqualTo(preview.path("total").asInt());
    for (int i = 0; i < 3; i++) {
      String other = UNUSUAL.replace("medium", sensitivities.get(i));
      assertThat(previewed(other, "").path("total").asInt()).isEqualTo(totals.get(i));
    }
  }

  @Test
  void aSweepTriesDeviations() {
    JsonNode preview =
        previewed(
            UNUSUAL, ", 'sweep': {'severity': 'warning', 'first': 0, 'last': 100, 'steps': 11}");
    List<Integer> totals = new ArrayList<>();
    preview.path("sweep").forEach(point -> totals.add(point.path("total").asInt()));
    assertThat(totals).hasSize(11).isSortedAccordingTo((a, b) -> b - a);
    assertThat(totals.getFirst()).isEqualTo(2);
    assertThat(totals).contains(1).endsWith(0);
    assertThat(preview.at("/sweep/3/value").asDouble()).isEqualTo(30);
    assertThat(
            fired(
                previewed(
                    UNUSUAL.replace("\"medium\"", "\"medium\", \"minimumDeviation\": 30"), "")))
        .containsExactly("much");
    Answer negative =
        api.post(
            "/thresholds/preview",
            "{\"threshold\": %s, \"sweep\": {\"severity\": \"warning\", \"first\": -1, \"last\": 1}}"
                .formatted(UNUSUAL));
    assertThat(negative.status()).isEqualTo(400);
    assertThat(negative.body()).contains("makes no sense as a deviation");
  }

  @Test
  void theStoredVersionIsJudgedInItsOwnScope() {
    String stored = UNUSUAL.replaceFirst("\\{", "{\"scope\": {\"name\": \"some\"}, ");
    Answer created = api.post("/thresholds", stored);
    assertThat(created.status()).as(created.body()).isEqualTo(201);
    JsonNode preview = previewed(UNUSUAL, ", 'id': '" + created.json().path("id").asString() + "'");
    assertThat(preview.path("total").asInt()).isEqualTo(2);
    assertThat(preview.path("savedTotal").asInt()).isEqualTo(1);
  }
}
