package io.peerlens.supermetric;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.awaitility.Awaitility.await;

import io.peerlens.job.Progress;
import io.peerlens.node.Role;
import io.peerlens.store.RollUps;
import io.peerlens.store.SampleReader;
import io.peerlens.store.SetPart;
import io.peerlens.support.ApiClient;
import io.peerlens.support.ApiClient.Answer;
import io.peerlens.support.PeerlensServer;
import io.peerlens.support.SampleData;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
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
import tools.jackson.databind.node.ObjectNode;

/** Previews and backfills over two hours of three hosts in a cluster, a sample a minute. */
class PreviewIT {

  private static final JsonMapper JSON = JsonMapper.shared();
  private static final String CLUSTER = uuid("ClusterComputeResource", "c");

  /**
   * Full 10 minutes. What is younger than roll-ups wait for would not be noted as late, and
   * roll-ups are told here that it is an hour later.
   */
  private static final Instant END =
      Instant.ofEpochSecond((Instant.now().getEpochSecond() - 900) / 600 * 600);

  private static final Instant BEGIN = END.minus(2, ChronoUnit.HOURS);

  private static SampleData data;
  private static PeerlensServer server;
  private static ApiClient api;

  @BeforeAll
  static void start() {
    data = SampleData.create();
    int cluster = data.object("VMWARE", "ClusterComputeResource", "c");
    int group = data.group("VMWARE", "HostSystem", "cpu", List.of("usage_average", "mhz"));
    SampleData.Samples rows = data.samples();
    for (int host = 0; host < 3; host++) {
      int id = data.object("VMWARE", "HostSystem", "esx-" + host);
      data.jdbc().sql("insert into relation values (?, ?)").params(cluster, id).update();
      data.jdbc()
          .sql("update object set properties = jsonb_build_object('state', ?) where id = ?")
          .params(host == 2 ? "off" : "on", id)
          .update();
      int set = data.set(id, group, "");
      for (Instant t = BEGIN; t.isBefore(END); t = t.plusSeconds(60)) {
        rows.add(t, set, usage(host, t), 1000 * (host + 1));
      }
    }
    rows.flush();
    data.sql("update inventory_version set version = version + 1, sets_version = sets_version + 1");
    server = PeerlensServer.start(data.database(), Set.of(Role.API));
    api = server.admin();
  }

  @AfterAll
  static void stop() {
    server.close();
    data.close();
  }

  private static String uuid(String kind, String name) {
    return SampleData.uuid(kind, name).toString();
  }

  /** What a host reports at a moment. */
  private static double usage(int host, Instant time) {
    return 10 * (host + 1) + Duration.between(BEGIN, time).toMinutes() / 10.0;
  }

  private static final String SUM_ON =
      "sum(${adaptertype=VMWARE, objecttype=HostSystem, metric=cpu|usage_average, depth=1,"
          + " where=\"state equals on\"})";

  private static Answer preview(String formula, String object, String more) {
    ObjectNode request = (ObjectNode) JSON.readTree("{" + more + "}");
    request.put("formula", formula);
    request.set("objects", JSON.createArrayNode().add(object));
    return api.post("/super-metrics/preview", JSON.writeValueAsString(request));
  }

  private static String window(Instant from, Instant to, String step) {
    return "\"from\":\"" + from + "\",\"to\":\"" + to + "\",\"step\":\"" + step + "\"";
  }

  @Test
  void aSeriesHasTheValueOfEachMoment() {
    Answer answer = preview(SUM_ON, CLUSTER, window(BEGIN.plusSeconds(600), END, "10m"));
    assertThat(answer.status()).as(answer.body()).isEqualTo(200);
    JsonNode times = answer.json().path("times");
    JsonNode values = answer.json().path("series").path(0).path("values");
    assertThat(times.size()).isEqualTo(11);
    for (int i = 0; i < 11; i++) {
      Instant time = Instant.ofEpochMilli(times.path(i).asLong());
      assertThat(values.path(i).asDouble())
          .isEqualTo(usage(0, time) + usage(1, time), within(1e-9));
    }
    assertThat(answer.json().path("step").asString()).isEqualTo("10m");
    JsonNode percentiles = answer.json().path("series").path(0).path("percentiles");
    assertThat(percentiles.path("p50").asDouble()).isEqualTo(values.path(5).asDouble());
    assertThat(percentiles.path("p95").asDouble()).isEqualTo(values.path(10).asDouble());
    assertThat(percentiles.path("p99").asDouble()).isEqualTo(values.path(10).asDouble());
    assertThat(answer.json().path("explanations").size()).isZero();
    JsonNode auto = preview(SUM_ON, CLUSTER, window(BEGIN, END, "auto")).json();
    assertThat(auto.path("step").asString()).isEqualTo("1m");
    assertThat(auto.path("times").size()).isEqualTo(120);
  }

  @Test
  void aMissingValueSaysWhy() {
    Answer answer =
        preview(
            "${this, metric=cpu|usage_average} / 0",
            uuid("HostSystem", "esx-0"),
            window(BEGIN, END, "30m"));
    JsonNode series = answer.json().path("series").path(0);
    series.path("values").forEach(value -> assertThat(value.isNull()).isTrue());
    assertThat(series.path("noData").path(0).path("reason").asString()).isEqualTo("not-a-number");
    assertThat(series.path("noData").path(0).path("objects").asInt()).isEqualTo(4);
  }

  @Test
  void momentsToComeHaveNoValue() {
    Instant to = Instant.now().plus(1, ChronoUnit.HOURS);
    JsonNode answer =
        preview("1", CLUSTER, window(to.minus(2, ChronoUnit.HOURS), to, "10m")).json();
    JsonNode values = answer.path("series").path(0).path("values");
    assertThat(values.path(0).asDouble()).isEqualTo(1);
    assertThat(values.path(values.size() - 1).isNull()).isTrue();
  }

  @Test
  void anExplanationSaysWhatAnEntryMatched() {
    Answer answer = preview(SUM_ON + " / 2", CLUSTER, "\"at\":\"" + BEGIN.plusSeconds(3600) + "\"");
    assertThat(answer.status()).as(answer.body()).isEqualTo(200);
    JsonNode explanation = answer.json().path("explanations").path(0);
    double expected = (usage(0, BEGIN.plusSeconds(3600)) + usage(1, BEGIN.plusSeconds(3600))) / 2;
    assertThat(explanation.path("value").asDouble()).isEqualTo(expected, within(1e-9));
    assertThat(explanation.path("object").path("name").asString()).isEqualTo("c");
    JsonNode sum = explanation.path("tree").path("children").path(0);
    assertThat(sum.path("part").asString()).isEqualTo("function");
    assertThat(sum.path("value").asDouble()).isEqualTo(expected * 2, within(1e-9));
    JsonNode matched = sum.path("children").path(0).path("matched");
    assertThat(matched.path("objectKind").asString()).isEqualTo("HostSystem");
    assertThat(matched.path("depth").asInt()).isEqualTo(1);
    assertThat(matched.path("candidates").asInt()).isEqualTo(3);
    assertThat(matched.path("kept").asInt()).isEqualTo(2);
    List<String> outcomes = new ArrayList<>();
    matched
        .path("items")
        .forEach(
            item ->
                outcomes.add(
                    item.path("object").path("name").asString()
                        + " "
                        + item.path("outcome").asString()));
    assertThat(outcomes).containsExactly("esx-0 kept", "esx-1 kept", "esx-2 left-out");
    assertThat(matched.path("items").path(0).path("sampleTime").asLong())
        .isEqualTo(BEGIN.plusSeconds(3600).toEpochMilli());
    assertThat(matched.path("items").path(2).path("asked").path("state").asString())
        .isEqualTo("off");
  }

  @Test
  void previewsAreBoundedAndErrorsNamed() {
    Answer fine = preview("1", CLUSTER, window(BEGIN, END, "5s"));
    assertThat(fine.status()).isEqualTo(400);
    assertThat(fine.json().path("code").asString()).isEqualTo("too-many-points");
    Answer formula = preview("1 +", CLUSTER, window(BEGIN, END, "10m"));
    assertThat(formula.json().path("errors").path(0).path("field").asString()).isEqualTo("formula");
    assertThat(formula.json().path("hint").asString()).contains("^");
    assertThat(preview("1", CLUSTER, "").status()).isEqualTo(400);
    assertThat(preview("1", CLUSTER, window(END, BEGIN, "10m")).status()).isEqualTo(400);
    assertThat(preview("1", CLUSTER, window(BEGIN, END, "7s")).status()).isEqualTo(400);
    assertThat(preview("1", CLUSTER, window(BEGIN, END, "999999999d")).status()).isEqualTo(400);
    Answer nobody = preview("1", uuid("HostSystem", "none"), window(BEGIN, END, "10m"));
    assertThat(nobody.json().path("series").size()).isZero();
  }

  // ---------------------------------------------------------------------------------------
  // backfill

  @Test
  void aBackfillStoresWhatThePreviewShows() {
    String id = create("Sum", SUM_ON, "ClusterComputeResource");
    backfill(id, BEGIN, END, "done");
    JsonNode shown = preview(SUM_ON, CLUSTER, window(BEGIN, END, "1m")).json();
    JsonNode stored = series(CLUSTER, id, BEGIN, END);
    assertThat(stored.path("times").size()).isEqualTo(120);
    JsonNode values = stored.path("series").path(0).path("values");
    for (int i = 0; i < 120; i++) {
      Instant time = BEGIN.plusSeconds(60L * i);
      assertThat(values.path(i).asDouble())
          .isEqualTo(usage(0, time) + usage(1, time), within(1e-9));
    }
    assertThat(values).isEqualTo(shown.path("series").path(0).path("values"));
    assertThat(stored.path("series").path(0).path("unit").asString()).isEqualTo("%");

    // Once more with another formula: the new values take the place of the old ones.
    String path = "/super-metrics/" + id;
    api.with("If-Match", "\"1\"")
        .put(
            path,
            """
            {"name": "Sum", "formula": "7", "unitId": "percent",
             "kinds": [{"adapterKind": "VMWARE", "objectKind": "ClusterComputeResource"}]}
            """);
    backfill(id, BEGIN, END, "done");
    JsonNode again = series(CLUSTER, id, BEGIN, END).path("series").path(0).path("values");
    again.forEach(value -> assertThat(value.asDouble()).isEqualTo(7));
  }

  @Test
  void aBackfillLeavesNothingOfTheOldFormulaWhereTheNewOneHasNoValue() {
    String host = "${this, metric=cpu|usage_average}";
    String id = create("Half", host, "HostSystem");
    String other = create("Other", host, "HostSystem");
    backfill(id, BEGIN, END, "done");
    backfill(other, BEGIN, END, "done");
    String esx = uuid("HostSystem", "esx-0");
    rollUp();
    assertThat(rolledUp(id)).as("rolled up").isGreaterThan(60);

    // From the middle on there is a value no more; the first quarter is not computed again.
    api.with("If-Match", "\"1\"")
        .put(
            "/super-metrics/" + id,
            """
            {"name": "Half", "formula": "${this, metric=cpu|usage_average, where=($value < 16)}",
             "kinds": [{"adapterKind": "VMWARE", "objectKind": "HostSystem"}]}
            """);
    Instant quarter = BEGIN.plusSeconds(1800);
    backfill(id, quarter, END, "done");
    JsonNode values = series(esx, id, BEGIN, END).path("series").path(0).path("values");
    JsonNode others = series(esx, other, BEGIN, END).path("series").path(0).path("values");
    for (int i = 0; i < 120; i++) {
      double usage = usage(0, BEGIN.plusSeconds(60L * i));
      assertThat(others.path(i).asDouble()).isEqualTo(usage, within(1e-9));
      if (i < 30 || usage < 16) {
        assertThat(values.path(i).asDouble()).isEqualTo(usage, within(1e-9));
      } else {
        assertThat(values.path(i).isNull()).as("minute " + i).isTrue();
      }
    }
    // esx-1 and esx-2 are above 16 all the time: only their first quarter is left.
    rollUp();
    assertThat(rolledUp(id)).isEqualTo(12 + 2 * 6);
    assertThat(rolledUp(other)).isGreaterThan(60);
  }

  /** Rolls up as the maintenance of a later moment would. */
  private static void rollUp() {
    new RollUps(
            data.dataSource(),
            new SampleReader(data.dataSource()),
            Duration.ofMinutes(10),
            Duration.ZERO,
            SetPart.WHOLE)
        .run(Instant.now().plusSeconds(3600), Progress.NONE);
  }

  /** How many buckets of 5 minutes of hosts have a value. */
  private static int rolledUp(String id) {
    return data.jdbc()
        .sql(
            """
            select count(*) from sample_5m s
            join metric_set m on m.id = s.set_id
            join metric_group g on g.id = m.group_id
            where g.object_kind = 'HostSystem' and g.name = 'Super Metric'
              and s.avg[array_position(g.metrics, ?)] is not null
            """)
        .param("sm_" + id)
        .query(Integer.class)
        .single();
  }

  @Test
  void aSuperMetricThatReadsItselfCountsOverHistory() {
    String id = "3f0c2a52-6c1e-4b0e-9d55-0a6f1f1b7c01";
    String self = "${this, metric=Super Metric|sm_" + id + ", defval=0}";
    String formula = "${this, metric=cpu|mhz} > 0 ? " + self + " + 1 : 0";
    Answer created =
        api.post(
            "/super-metrics",
            JSON.writeValueAsString(
                JSON.createObjectNode()
                    .put("id", id)
                    .put("name", "Counter")
                    .put("formula", formula)
                    .set(
                        "kinds",
                        JSON.readTree(
                            "[{\"adapterKind\":\"VMWARE\",\"objectKind\":\"HostSystem\"}]"))));
    assertThat(created.status()).as(created.body()).isEqualTo(201);
    backfill(id, BEGIN, BEGIN.plusSeconds(600), "done");
    JsonNode values =
        series(uuid("HostSystem", "esx-1"), id, BEGIN, BEGIN.plusSeconds(600))
            .path("series")
            .path(0)
            .path("values");
    for (int i = 0; i < 10; i++) {
      assertThat(values.path(i).asDouble()).as("minute " + i).isEqualTo(i + 1);
    }
    // Once more from the middle: it goes on from the value before, not from what it replaces.
    backfill(id, BEGIN.plusSeconds(300), BEGIN.plusSeconds(600), "done");
    assertThat(
            series(uuid("HostSystem", "esx-1"), id, BEGIN, BEGIN.plusSeconds(600))
                .path("series")
                .path(0)
                .path("values"))
        .isEqualTo(values);
  }

  @Test
  void aBackfillOfAnInvalidFormulaIsRefused() {
    String broken = create("Broken", "1 +", "HostSystem");
    assertThat(backfill(broken, BEGIN, END).status()).isEqualTo(409);
    String good = create("Good", "1", "HostSystem");
    assertThat(backfill(good, END, BEGIN).status()).isEqualTo(400);
    Answer future = backfill(good, BEGIN, Instant.now().plusSeconds(3600));
    assertThat(future.json().path("errors").path(0).path("field").asString()).isEqualTo("to");
    Answer long_ = backfill(good, Instant.parse("2000-01-01T00:00:00Z"), END);
    assertThat(long_.json().path("code").asString()).isEqualTo("too-many-points");
  }

  @Test
  void aBackfillIsCancelled() throws SQLException {
    String id = create("Slow", SUM_ON + " + 1", "ClusterComputeResource");
    String job;
    try (Connection held = data.dataSource().getConnection();
        Statement statement = held.createStatement()) {
      // samples cannot be read until this ends, so the job is still at its beginning when it is
      // cancelled
      held.setAutoCommit(false);
      statement.execute("lock table sample in access exclusive mode");
      Answer started = backfill(id, END.minus(100, ChronoUnit.DAYS), END);
      assertThat(started.status()).as(started.body()).isEqualTo(202);
      assertThat(started.json().path("total").asInt()).isEqualTo(144_000);
      assertThat(backfill(id, BEGIN, END).status()).isEqualTo(409);
      job = started.json().path("id").asString();
      assertThat(api.post("/jobs/" + job + "/cancel", "").status()).isEqualTo(202);
      Instant asked = Instant.now();
      await().until(() -> Instant.now().isAfter(asked.plusSeconds(2))); // it looks once a second
      held.rollback();
    }
    await()
        .atMost(Duration.ofSeconds(60))
        .untilAsserted(() -> assertThat(job(job).path("state").asString()).isEqualTo("cancelled"));
    assertThat(job(job).path("done").asLong()).isLessThan(144_000);
  }

  private static String create(String name, String formula, String kind) {
    Answer created =
        api.post(
            "/super-metrics",
            JSON.writeValueAsString(
                JSON.createObjectNode()
                    .put("name", name)
                    .put("formula", formula)
                    .put("unitId", "percent")
                    .set(
                        "kinds",
                        JSON.readTree(
                            "[{\"adapterKind\":\"VMWARE\",\"objectKind\":\"" + kind + "\"}]"))));
    assertThat(created.status()).as(created.body()).isEqualTo(201);
    return created.json().path("id").asString();
  }

  private static Answer backfill(String id, Instant from, Instant to) {
    return api.post(
        "/super-metrics/" + id + "/backfill", "{\"from\":\"" + from + "\",\"to\":\"" + to + "\"}");
  }

  private static void backfill(String id, Instant from, Instant to, String state) {
    Answer started = backfill(id, from, to);
    assertThat(started.status()).as(started.body()).isEqualTo(202);
    String job = started.json().path("id").asString();
    await()
        .atMost(Duration.ofSeconds(60))
        .untilAsserted(() -> assertThat(job(job).path("finishedAt").isNull()).isFalse());
    assertThat(job(job).path("state").asString()).as(job(job).toString()).isEqualTo(state);
    assertThat(job(job).path("done").asLong()).isEqualTo(job(job).path("total").asLong());
  }

  private static JsonNode job(String id) {
    Answer job = api.get("/jobs/" + id);
    assertThat(job.status()).as(job.body()).isEqualTo(200);
    return job.json();
  }

  private static JsonNode series(String object, String id, Instant from, Instant to) {
    Answer answer =
        api.post(
            "/series/query",
            "{\"objects\":[\"%s\"],\"metrics\":[\"Super Metric|sm_%s\"],%s}"
                .formatted(object, id, window(from, to, "1m")));
    assertThat(answer.status()).as(answer.body()).isEqualTo(200);
    return answer.json();
  }
}
