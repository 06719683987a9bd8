package io.peerlens.threshold;

import static org.assertj.core.api.Assertions.assertThat;

import io.peerlens.frame.Frames;
import io.peerlens.frame.LiveFrames;
import io.peerlens.learning.LearnedBands;
import io.peerlens.learning.LearnedRange;
import io.peerlens.node.Role;
import io.peerlens.scope.Scopes;
import io.peerlens.supermetrics.formula.ObjectKind;
import io.peerlens.supermetrics.program.Frame;
import io.peerlens.supermetrics.program.Instances;
import io.peerlens.supermetrics.program.ObjectGraph;
import io.peerlens.support.AlertRow;
import io.peerlens.support.ApiClient;
import io.peerlens.support.ApiClient.Answer;
import io.peerlens.support.PeerlensServer;
import io.peerlens.support.SampleData;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** Previews over four hours of eight machines that are often in trouble, a sample a minute. */
class ThresholdPreviewIT {

  private static final ObjectKind VM = new ObjectKind("VMWARE", "VirtualMachine");
  private static final int MACHINES = 8;
  private static final Instant END = Instant.now().truncatedTo(ChronoUnit.HOURS);
  private static final Instant BEGIN = END.minus(4, ChronoUnit.HOURS);

  /** Single quotes are double ones. */
  private static final String BUSY =
      """
      {'name': 'Busy', 'objectKind': {'adapterKind': 'VMWARE', 'objectKind': 'VirtualMachine'},
       'condition': {'type': 'metric', 'key': 'cpu|usage_average', 'operator': 'gt', 'levels': [
         {'severity': 'warning', 'bound': {'type': 'number', 'value': 70}, 'clear': {'type': 'number', 'value': 60}},
         {'severity': 'critical', 'bound': {'type': 'number', 'value': 90}, 'clear': {'type': 'number', 'value': 85}}]},
       'trigger': {'violations': 2, 'of': 4, 'minimumDuration': '2m', 'clearAfter': 2},
       'overrides': [{'name': 'quick', 'scope': {'name': 'vm-1'}, 'trigger': {'violations': 1}}]}
      """
          .replace('\'', '"');

  private static SampleData data;
  private static PeerlensServer server;
  private static ApiClient api;

  @BeforeAll
  static void start() {
    data = SampleData.create();
    int group = data.group("VMWARE", "VirtualMachine", "cpu", List.of("usage_average"));
    Random random = new Random(7);
    for (int i = 0; i < MACHINES; i++) {
      int id = data.object("VMWARE", "VirtualMachine", "vm-" + i);
      int set = data.set(id, group, "");
      double value = 50;
      for (Instant t = BEGIN.minusSeconds(60 * 5); t.isBefore(END); t = t.plusSeconds(60)) {
        value = Math.clamp(value + random.nextGaussian() * 12, 0, 100);
        if (random.nextInt(10) > 0) {
          data.sample(t.plusSeconds(random.nextInt(50)), set, Math.rint(value * 10) / 10);
        }
      }
    }
    int clusters = data.group("VMWARE", "ClusterComputeResource", "cpu", List.of("usage_average"));
    int cluster =
        data.set(data.object("VMWARE", "ClusterComputeResource", "swinging"), clusters, "");
    int minute = 0;
    for (Instant t = BEGIN; t.isBefore(END); t = t.plusSeconds(60)) {
      data.sample(t, cluster, minute++ / 2 % 2 == 0 ? 92 : 88);
    }
    data.sql("update inventory_version set version = version + 1, sets_version = sets_version + 1");
    server = PeerlensServer.start(data.database(), Set.of(Role.API));
    api = server.admin();
  }

  @AfterAll
  static void stop() {
    server.close();
    data.close();
  }

  @BeforeEach
  void empty() {
    data.sql("delete from alert");
    data.sql("delete from threshold");
    data.sql("delete from symptom");
    data.sql("delete from threshold_state");
  }

  private static Answer preview(String threshold, String more) {
    return api.post(
        "/thresholds/preview",
        "{\"threshold\": "
            + threshold
            + ", \"from\": \""
            + BEGIN
            + "\", \"to\": \""
            + END
            + "\""
            + more.replace('\'', '"')
            + "}");
  }

  private static JsonNode previewed(String threshold, String more) {
    Answer answer = preview(threshold, more);
    assertThat(answer.status()).as(answer.body()).isEqualTo(200);
    return answer.json();
  }

  private static List<String> episodes(JsonNode firings, String member) {
    List<String> episodes = new ArrayList<>();
    for (JsonNode firing : firings) {
      for (JsonNode episode : firing.path(member)) {
        episodes.add(
            "%s %s %s %s"
                .formatted(
                    firing.path("object").path("name").asString(),
                    episode.path("from").asString(),
                    episode.path("to").asString("open"),
                    episode.path("severity").asString()));
      }
    }
    episodes.sort(null);
    return episodes;
  }

  @Test
  void aSwingingSeverityIsCountedWithAHint() {
    String swings =
        """
        {'name': 'Swings', 'objectKind': {'adapterKind': 'VMWARE', 'objectKind': 'ClusterComputeResource'},
         'condition': {'type': 'metric', 'key': 'cpu|usage_average', 'operator': 'gt', 'levels': [
           {'severity': 'warning', 'bound': {'type': 'number', 'value': 70}},
           {'severity': 'critical', 'bound': {'type': 'number', 'value': 90}}]},
         'trigger': {'violations': 2, 'of': 2, 'clearAfter': 2}}
        """
            .replace('\'', '"');
    JsonNode swinging = previewed(swings, "");
    assertThat(swinging.path("total").asInt()).isEqualTo(1);
    // Every two minutes of four hours, but for the first time, which is the beginning.
    assertThat(swinging.path("severityChanges").asInt()).isBetween(115, 119);
    JsonNode issue = swinging.path("issues").get(0);
    assertThat(issue.path("field").asString()).isEqualTo("trigger.clearAfter");
    assertThat(issue.path("message").asString())
        .contains(swinging.path("severityChanges").asInt() + " times");
    assertThat(issue.path("hint").asString()).contains("Give the levels a clear value");

    JsonNode calm =
        previewed(
            swings.replace(
                "\"value\": 90}",
                "\"value\": 90}, \"clear\": {\"type\": \"number\", \"value\": 85}"),
            "");
    assertThat(calm.path("severityChanges").asInt()).isZero();
    assertThat(calm.path("issues")).isEmpty();
  }

  /** A super metric that was made just now is judged by what its formula yields for the past. */
  @Test
  void theFormulaOfASuperMetricIsComputedOverThePast() {
    Answer made =
        api.post(
            "/super-metrics",
            """
            {"name": "Twice the CPU", "formula": "${this, metric=cpu|usage_average} * 2", "enabled": true,
             "kinds": [{"adapterKind": "VMWARE", "objectKind": "ClusterComputeResource"}]}
            """);
    assertThat(made.status()).as(made.body()).isEqualTo(201);
    String rule =
        """
        {'name': 'Past', 'objectKind': {'adapterKind': 'VMWARE', 'objectKind': 'ClusterComputeResource'},
         'condition': {'type': 'metric', 'key': 'KEY', 'operator': 'gt', 'levels': [
           {'severity': 'warning', 'bound': {'type': 'number', 'value': BOUND}}]},
         'trigger': {'violations': 1, 'of': 1}}
        """
            .replace('\'', '"');
    JsonNode plain = previewed(rule.replace("KEY", "cpu|usage_average").replace("BOUND", "88"), "");
    assertThat(plain.path("total").asInt()).isPositive();
    assertThat(plain.has("computedUntil")).isFalse();
    String key = "Super Metric|sm_" + made.json().path("id").asString();
    JsonNode computed = previewed(rule.replace("KEY", key).replace("BOUND", "176"), "");
    assertThat(computed.path("knownShare").asDouble()).isBetween(0.9, 1.0);
    assertThat(computed.path("total").asInt()).isEqualTo(plain.path("total").asInt());
    assertThat(episodes(computed.path("firings"), "episodes"))
        .isEqualTo(episodes(plain.path("firings"), "episodes"));
    assertThat(Instant.parse(computed.path("computedUntil").asString()))
        .isBetween(END.minusSeconds(3600), END.plusSeconds(3600));
  }

  /** Nothing found means little where there was nothing to look at. */
  @Test
  void aPreviewReportsHowMuchItCouldJudge() {
    String rule =
        """
        {'name': 'Known', 'objectKind': {'adapterKind': 'VMWARE', 'objectKind': 'ClusterComputeResource'},
         'condition': {'type': 'metric', 'key': 'KEY', 'operator': 'gt', 'levels': [
           {'severity': 'warning', 'bound': {'type': 'number', 'value': 1000}}]}}
        """
            .replace('\'', '"');

    JsonNode known = previewed(rule.replace("KEY", "cpu|usage_average"), "");
    assertThat(known.path("knownShare").asDouble()).isBetween(0.9, 1.0);
    assertThat(Instant.parse(known.path("knownFrom").asString())).isBetween(BEGIN, END);
    JsonNode nothing = previewed(rule.replace("KEY", "mem|never_reported"), "");
    assertThat(nothing.path("total").asInt()).isZero();
    assertThat(nothing.path("knownShare").asDouble()).isZero();
    assertThat(nothing.has("knownFrom")).isFalse();
  }

  @Test
  void aPreviewFindsTheEpisodesOfTheLiveEvaluation() throws SQLException {
    Answer created = api.post("/thresholds", BUSY);
    assertThat(created.status()).as(created.body()).isEqualTo(201);
    JsonNode preview = previewed(BUSY, ", 'id': '" + created.json().path("id").asString() + "'");
    assertThat(preview.path("step").asString()).isEqualTo("1m");
    assertThat(preview.path("objects").asInt()).isEqualTo(MACHINES);
    List<String> live = live();
    assertThat(live).hasSizeGreaterThan(20);
    assertThat(episodes(preview.path("firings"), "episodes")).isEqualTo(live);
    assertThat(episodes(preview.path("firings"), "saved")).isEqualTo(live);
    assertThat(preview.path("total").asInt()).isEqualTo(live.size());
    assertThat(preview.path("savedTotal").asInt()).isEqualTo(live.size());
    assertThat(preview.path("perDay").asDouble()).isEqualTo(live.size() * 6.0);
  }

  /** Runs the stage minute by minute; another one takes over now and then. */
  private static List<String> live() throws SQLException {
    SymptomStore store = server.context().getBean(SymptomStore.class);
    List<Threshold> thresholds = server.context().getBean(ThresholdStore.class).enabled();
    LiveFrames frames = server.context().getBean(Frames.class).live();
    Random random = new Random(3);
    ThresholdStage stage = stage(thresholds);
    TreeMap<Integer, String> begun = new TreeMap<>();
    TreeMap<Integer, Severity> worst = new TreeMap<>();
    List<String> episodes = new ArrayList<>();
    for (Instant tick = BEGIN; tick.isBefore(END); tick = tick.plusSeconds(60)) {
      if (random.nextInt(5) == 0) {
        stage = stage(thresholds);
      }
      Frame frame = frames.load(stage.inputs(thresholds), tick);
      Symptoms symptoms = stage.run(frame, thresholds, tick, Instant.MIN);
      Set<Integer> open = new TreeSet<>();
      for (Symptom symptom : symptoms.open(thresholds.getFirst().id())) {
        open.add(symptom.objectId());
        begun.putIfAbsent(symptom.objectId(), tick.toString());
        worst.merge(symptom.objectId(), symptom.severity(), (a, b) -> a.compareTo(b) > 0 ? a : b);
      }
      for (Integer id : List.copyOf(begun.keySet())) {
        if (!open.contains(id)) {
          episodes.add(episode(frame, id, begun, tick.toString(), worst));
        }
      }
      try (Connection connection = data.dataSource().getConnection()) {
        connection.setAutoCommit(false);
        store.write(connection, symptoms.changes(), tick);
        connection.commit();
      }
      assertThat(
              data.jdbc()
                  .sql("select count(*) from symptom where severity > 0")
                  .query(Integer.class)
                  .single())
          .isEqualTo(open.size());
      if (!tick.plusSeconds(60).isBefore(END)) {
        for (Integer id : List.copyOf(begun.keySet())) {
          episodes.add(episode(frame, id, begun, "open", worst));
        }
      }
    }
    episodes.sort(null);
    return episodes;
  }

  private static String episode(
      Frame frame,
      Integer id,
      TreeMap<Integer, String> begun,
      String end,
      TreeMap<Integer, Severity> worst) {
    Severity severity = worst.remove(id);
    assertThat(severity).isNotNull();
    return "%s %s %s %s"
        .formatted(
            frame.objects().name(VM, frame.objects().number(VM, id)),
            begun.remove(id),
            end,
            severity.label());
  }

  private static ThresholdStage stage(List<Threshold> thresholds) {
    ThresholdStage stage =
        new ThresholdStage(
            server.context().getBean(SymptomStore.class),
            server.context().getBean(Scopes.class),
            NothingLearned::new,
            Duration.ofDays(1),
            Duration.ofHours(1),
            () -> 0);
    stage.assign(thresholds);
    return stage;
  }

  @Test
  void aWeekOfARuleOfMinutesIsJudgedByTheMinute() {
    Answer answer =
        api.post(
            "/thresholds/preview",
            "{\"threshold\": "
                + BUSY
                + ", \"from\": \""
                + END.minus(7, ChronoUnit.DAYS)
                + "\", \"to\": \""
                + END
                + "\"}");
    assertThat(answer.status()).as(answer.body()).isEqualTo(200);
    assertThat(answer.json().path("step").asString()).isEqualTo("1m");
    // There are samples of the last four hours and five minutes only.
    assertThat(
            episodes(answer.json().path("firings"), "episodes").stream()
                .filter(episode -> Instant.parse(episode.split(" ")[1]).isAfter(BEGIN))
                .toList())
        .hasSizeGreaterThan(20);
    assertThat(answer.json().path("knownShare").asDouble()).isBetween(0.01, 0.04);
  }

  @Test
  void aSweepTriesOtherValuesOfOneLevel() {
    JsonNode preview =
        previewed(BUSY, ", 'sweep': {'severity': 'warning', 'first': 50, 'last': 100, 'steps': 6}");
    List<Double> values = new ArrayList<>();
    preview.path("sweep").forEach(point -> values.add(point.path("value").asDouble()));
    assertThat(values).containsExactly(50.0, 60.0, 70.0, 80.0, 90.0, 100.0);
    assertThat(preview.path("sweep").path(2).path("total").asInt())
        .isEqualTo(preview.path("total").asInt());
    JsonNode ninety =
        previewed(
            BUSY.replace("\"value\": 70", "\"value\": 80")
                .replace("\"value\": 60", "\"value\": 70"),
            "");
    assertThat(preview.path("sweep").path(3).path("total").asInt())
        .as("the clearing level keeps its distance")
        .isEqualTo(ninety.path("total").asInt());
  }

  @Test
  void aPreviewNamesAcknowledgedAlertsThatWouldStay() {
    String id = api.post("/thresholds", BUSY).json().path("id").asString();
    JsonNode first = previewed(BUSY, "").path("firings").path(0);
    UUID object = UUID.fromString(first.path("object").path("id").asString());
    JsonNode episode = first.path("episodes").path(0);
    Instant from = Instant.parse(episode.path("from").asString());
    Instant to = Instant.parse(episode.path("to").asString());
    UUID rule = UUID.fromString(id);
    AlertRow.of(rule, object).opened(from).canceled(to).event("acknowledged").insert(data);
    AlertRow.of(rule, object).opened(from.plusSeconds(1)).canceled(to).insert(data);
    AlertRow.of(rule, object)
        .opened(BEGIN.minusSeconds(7200))
        .canceled(BEGIN.minusSeconds(3600))
        .event("acknowledged")
        .insert(data);

    JsonNode same = previewed(BUSY, ", 'id': '" + id + "'");
    assertThat(same.path("acknowledgedBefore").asInt()).isEqualTo(1);
    assertThat(same.path("acknowledgedKept").asInt()).isEqualTo(1);

    String never =
        BUSY.replace("\"value\": 70", "\"value\": 101").replace("\"value\": 90", "\"value\": 102");
    JsonNode edited = previewed(never, ", 'id': '" + id + "'");
    assertThat(edited.path("acknowledgedBefore").asInt()).isEqualTo(1);
    assertThat(edited.path("acknowledgedKept").asInt()).isZero();

    String other =
        data.jdbc()
            .sql(
                "select uuid from object where uuid <> ? and object_kind = 'VirtualMachine' limit 1")
            .param(object)
            .query(String.class)
            .single();
    JsonNode elsewhere = previewed(BUSY, ", 'id': '%s', 'objects': ['%s']".formatted(id, other));
    assertThat(elsewhere.path("acknowledgedBefore").asInt()).isZero();

    JsonNode unsaved = previewed(BUSY, "");
    assertThat(unsaved.path("acknowledgedBefore").isNull()).isTrue();
    assertThat(unsaved.path("acknowledgedKept").isNull()).isTrue();
  }

  @Test
  void thresholdsSayHowOftenTheyFiredInEachWeek() {
    String id = api.post("/thresholds", BUSY).json().path("id").asString();
    UUID object = SampleData.uuid("VirtualMachine", "vm-0");
    Instant now = Instant.now();
    for (int days : new int[] {1, 2, 6, 8, 20, 55, 57}) {
      Instant opened = now.minus(days, ChronoUnit.DAYS);
      AlertRow row = AlertRow.of(UUID.fromString(id), object).opened(opened);
      (days == 1 ? row.event("reopened") : row.canceled(opened.plusSeconds(60))).insert(data);
    }
    AlertRow.of(UUID.randomUUID(), object).insert(data);
    JsonNode page = api.get("/thresholds").json();
    assertThat(page.path("total").asInt()).isEqualTo(1);
    assertThat(page.path("items").path(0).path("firesPerWeek").toString())
        .isEqualTo("[1,0,0,0,0,1,1,4]");
    assertThat(api.get("/thresholds/" + id).json().path("firesPerWeek").toString())
        .isEqualTo("[1,0,0,0,0,1,1,4]");
  }

  @Test
  void chosenObjectsAreJudgedAlone() {
    JsonNode all = previewed(BUSY, "");
    String object = all.path("firings").path(0).path("object").path("id").asString();
    JsonNode one = previewed(BUSY, ", 'objects': ['" + object + "']");
    assertThat(one.path("objects").asInt()).isEqualTo(1);
    assertThat(one.path("firings").size()).isEqualTo(1);
    assertThat(one.path("firings").path(0)).isEqualTo(all.path("firings").path(0));
    assertThat(
            previewed(BUSY, ", 'objects': ['" + new java.util.UUID(1, 1) + "']")
                .path("objects")
                .asInt())
        .isZero();
  }

  @Test
  void theWorstValueOfAnEpisodeIsItsPeak() {
    JsonNode preview = previewed(BUSY, "");
    for (JsonNode firing : preview.path("firings")) {
      for (JsonNode episode : firing.path("episodes")) {
        boolean critical = episode.path("severity").asString().equals("critical");
        assertThat(episode.path("peak").asDouble()).isGreaterThan(critical ? 90 : 60);
      }
    }
  }

  @Test
  void aThresholdThatCannotBePreviewedSaysWhy() {
    assertThat(preview(BUSY, ", 'id': '" + new java.util.UUID(1, 2) + "'").status()).isEqualTo(404);
    Answer sweep = preview(BUSY, ", 'sweep': {'severity': 'immediate', 'first': 50, 'last': 100}");
    assertThat(sweep.status()).isEqualTo(400);
    assertThat(sweep.body()).contains("no level immediate");
    Answer broken = preview(BUSY.replace("\"gt\"", "\"contains\""), "");
    assertThat(broken.body()).contains("threshold.condition.operator");
    Answer longer =
        api.post(
            "/thresholds/preview",
            "{\"threshold\": " + BUSY + ", \"from\": \"" + END.minus(31, ChronoUnit.DAYS) + "\"}");
    assertThat(longer.status()).isEqualTo(400);
    assertThat(longer.body()).contains("30d");
    assertThat(
            api.post(
                    "/thresholds/preview",
                    "{\"threshold\": " + BUSY + ", \"from\": \"2099-01-01T00:00:00Z\"}")
                .status())
        .isEqualTo(400);
  }

  @Test
  void aWeekOfManyMachinesTakesFewSeconds() {
    int machines = Integer.getInteger("preview.machines", 40);
    data.sql(
        """
        insert into object (uuid, adapter_kind, object_kind, external_id, name, attributes_time, first_seen)
        select gen_random_uuid(), 'VMWARE', 'HostSystem', 'h' || i, 'h' || i, now(), now() from generate_series(1, %d) i
        """
            .formatted(machines));
    int group = data.group("VMWARE", "HostSystem", "cpu", List.of("usage_average"));
    data.sql(
        "insert into metric_set (object_id, group_id, instance) select id, %d, '' from object where object_kind = 'HostSystem'"
            .formatted(group));
    data.sql(
        """
        insert into sample (time, set_id, values)
        select t, s.id, array[random() ^ 20 * 100]
        from metric_set s, generate_series(now() - interval '7 days', now(), interval '5 minutes') t
        where s.group_id = %d
        """
            .formatted(group));
    data.sql("update inventory_version set version = version + 1, sets_version = sets_version + 1");
    String hosts =
        BUSY.replace("VirtualMachine", "HostSystem")
            .replace("{\"name\": \"Busy\"", "{\"name\": \"Hosts\"");
    Duration alone = timed(hosts, "", machines);
    Duration swept =
        timed(
            hosts,
            ", \"sweep\": {\"severity\": \"warning\", \"first\": 80, \"last\": 99}",
            machines);
    if (Integer.getInteger("preview.machines") != null) {
      System.out.printf("%d machines, a week: %s, with 20 values: %s%n", machines, alone, swept);
    }
    assertThat(swept).as("%d machines", machines).isLessThan(Duration.ofSeconds(20));
  }

  private static Duration timed(String threshold, String more, int machines) {
    long start = System.nanoTime();
    Answer answer = api.post("/thresholds/preview", "{\"threshold\": " + threshold + more + "}");
    Duration took = Duration.ofNanos(System.nanoTime() - start);
    assertThat(answer.status()).as(answer.body()).isEqualTo(200);
    assertThat(answer.json().path("step").asString()).isEqualTo("1m");
    assertThat(answer.json().path("objects").asInt()).isEqualTo(machines);
    assertThat(answer.json().path("total").asInt()).isPositive();
    return took;
  }

  /** Nothing is usual yet. */
  static final class NothingLearned implements LearnedBands {

    @Override
    public @Nullable LearnedRange at(
        ObjectKind kind, String key, ObjectGraph objects, long millis) {
      return null;
    }

    @Override
    public @Nullable LearnedRange at(
        ObjectKind kind, Instances instances, ObjectGraph objects, long millis) {
      return null;
    }
  }
}
