package io.peerlens.threshold;

import static org.assertj.core.api.Assertions.assertThat;

import io.peerlens.baselines.Sensitivity;
import io.peerlens.frame.Frames;
import io.peerlens.node.Role;
import io.peerlens.scope.Scopes;
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
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

class ThresholdApiIT {

  private static final JsonMapper JSON = JsonMapper.shared();

  /** Single quotes are double ones. */
  private static final String CPU =
      """
      'name': 'CPU',
      'objectKind': {'adapterKind': 'VMWARE', 'objectKind': 'VirtualMachine'},
      'condition': {
        'type': 'metric', 'key': 'cpu|usage_average', 'operator': 'gt',
        'levels': [{'severity': 'warning', 'bound': {'type': 'number', 'value': 90}}]
      }
      """;

  private static SampleData data;
  private static PeerlensServer server;
  private static ApiClient api;
  private static int set;

  @BeforeAll
  static void start() {
    data = SampleData.create();
    int group = data.group("VMWARE", "VirtualMachine", "cpu", List.of("usage_average", "ready"));
    int vm = data.object("VMWARE", "VirtualMachine", "vm-1");
    data.object("VMWARE", "VirtualMachine", "vm-2");
    set = data.set(vm, group, "");
    data.sql("update inventory_version set version = version + 1, sets_version = sets_version + 1");
    server =
        PeerlensServer.start(
            data.database(),
            Set.of(Role.API),
            "peerlens.super-metrics.vocabulary-age=1ms",
            "peerlens.thresholds.history=5");
    api = server.admin();
  }

  @AfterAll
  static void stop() {
    server.close();
    data.close();
  }

  @BeforeEach
  void empty() {
    data.sql("delete from threshold");
    data.sql("delete from threshold_state");
    data.sql("delete from symptom");
    data.sql("delete from super_metric");
  }

  private static String json(String text) {
    return "{" + text.replace('\'', '"') + "}";
  }

  private static Answer create(String body) {
    Answer answer = api.post("/thresholds", json(body));
    assertThat(answer.status()).as(answer.body()).isEqualTo(201);
    return answer;
  }

  private static String named(String name) {
    return CPU.replace("'CPU'", "'" + name + "'");
  }

  private static String id(Answer answer) {
    return answer.json().path("id").asString();
  }

  private static List<String> names(Answer answer) {
    assertThat(answer.status()).as(answer.body()).isEqualTo(200);
    List<String> names = new ArrayList<>();
    answer.json().path("items").forEach(item -> names.add(item.path("name").asString()));
    return names;
  }

  @Test
  void aThresholdIsCreatedReadChangedAndDeleted() {
    Answer created = create(CPU + ", 'tags': ['cpu', 'cpu']");
    String id = id(created);
    assertThat(created.header("Location")).isEqualTo("/api/v1/thresholds/" + id);
    assertThat(created.json().path("owner").asString()).isNotEmpty();
    assertThat(created.json().path("tags").size()).isEqualTo(1);
    assertThat(created.json().path("trigger").path("of").asInt()).isEqualTo(1);
    assertThat(created.json().path("unit").asString()).isEqualTo("unit0");
    assertThat(created.json().path("issues").size()).isZero();
    assertThat(created.json().path("state").path("state").asString()).isEqualTo("waiting");

    String changed = json(CPU.replace("90", "95") + ", 'enabled': false");
    assertThat(api.put("/thresholds/" + id, changed).status()).isEqualTo(428);
    Answer put = api.with("If-Match", "\"1\"").put("/thresholds/" + id, changed);
    assertThat(put.status()).as(put.body()).isEqualTo(200);
    assertThat(put.header("ETag")).isEqualTo("\"2\"");
    assertThat(put.json().path("state").path("state").asString()).isEqualTo("disabled");
    assertThat(api.with("If-Match", "\"1\"").put("/thresholds/" + id, changed).status())
        .isEqualTo(412);
    assertThat(api.get("/thresholds/" + id).body()).isEqualTo(put.body());

    assertThat(api.with("If-Match", "\"2\"").delete("/thresholds/" + id).status()).isEqualTo(204);
    assertThat(api.get("/thresholds/" + id).status()).isEqualTo(404);
  }

  @Test
  void anAnswerIsAcceptedUnchanged() {
    Answer created =
        create(
            """
            'name': 'All of it', 'description': 'd', 'enabled': false,
            'objectKind': {'adapterKind': 'VMWARE', 'objectKind': 'VirtualMachine'},
            'scope': {'tags': ['env=prod'], 'exclude': [{'name': 'lab*'}]},
            'condition': {
              'type': 'metric', 'key': 'cpu|usage_average', 'instances': true, 'operator': 'outside',
              'levels': [
                {'severity': 'warning', 'bound': {'type': 'number', 'value': 10}, 'upper': {'type': 'number', 'value': 90},
                 'clear': {'type': 'number', 'value': 12}, 'clearUpper': {'type': 'number', 'value': 85}},
                {'severity': 'critical', 'bound': {'type': 'metric', 'key': 'cpu|ready', 'factor': 2, 'offset': -1},
                 'upper': {'type': 'property', 'key': 'limit'}}
              ]
            },
            'trigger': {'violations': 3, 'of': 5, 'minimumDuration': '10m', 'clearAfter': 2},
            'overrides': [
              {'name': 'db', 'scope': {'tags': ['tier=db']}, 'enabled': false},
              {'name': 'web', 'scope': {'tags': ['tier=web']}, 'trigger': {'violations': 2},
               'levels': [{'severity': 'immediate', 'bound': {'type': 'number', 'value': 1}, 'upper': {'type': 'number', 'value': 2}}]}
            ],
            'alert': {'impact': 'risk', 'recommendations': ['a', 'b'], 'type': 't', 'subType': 's'},
            'tags': ['x'], 'owner': 'me', 'interval': '5m'
            """);
    ObjectNode edit = (ObjectNode) JSON.readTree(created.body());
    List.of(
            "pack",
            "issues",
            "state",
            "firesPerWeek",
            "intervalSeconds",
            "unit",
            "version",
            "createdAt",
            "createdBy",
            "updatedAt",
            "updatedBy")
        .forEach(edit::remove);
    Answer put =
        api.with("If-Match", "\"1\"")
            .put("/thresholds/" + id(created), JSON.writeValueAsString(edit));
    assertThat(put.status()).as(put.body()).isEqualTo(200);
    assertThat(put.json().path("condition")).isEqualTo(created.json().path("condition"));
    assertThat(put.json().path("overrides")).isEqualTo(created.json().path("overrides"));
    assertThat(put.json().path("scope")).isEqualTo(created.json().path("scope"));
    Answer history = api.get("/thresholds/" + id(created) + "/history");
    assertThat(history.json().path("items").path(0).path("changes").size()).isZero();
  }

  @ParameterizedTest(name = "{1}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      textBlock =
          """
          'operator': 'gt'           | condition.operator | | is missing
          'gt'                       | condition.operator | 'contains' | compares texts
          'gt'                       | condition.levels[0].upper | 'outside' | is missing
          'type': 'number', 'value': 90 | condition.levels[0].bound.value | 'type': 'number' | is missing
          'type': 'number', 'value': 90 | condition.levels[0].bound.key | 'type': 'metric' | is missing
          'type': 'number', 'value': 90 | condition.levels[0].bound.factor | 'type': 'metric', 'key': 'a', 'factor': 0 | is 0
          'value': 90}}              | condition.levels[0].clear | 'value': 90}, 'clear': {'type': 'number', 'value': 91}} | lies on the violating side
          'value': 90}}              | condition.levels[1].bound | 'value': 90}}, {'severity': 'critical', 'bound': {'type': 'number', 'value': 80}} | easier to reach
          'value': 90}}              | condition.levels[1].severity | 'value': 90}}, {'severity': 'warning', 'bound': {'type': 'number', 'value': 95}} | has a level already
          'value': 90}}              | condition.levels[0].after | 'value': 90}, 'after': '5m'} | no-data conditions only
          'VirtualMachine'           | objectKind | '*' | is no object kind
          'CPU'                      | name | ' ' | is blank
          'CPU',                     | interval        | 'CPU', 'interval': '61s', | multiple of 5
          'CPU',                     | trigger.of | 'CPU', 'trigger': {'violations': 3, 'of': 2}, | cannot violate
          'CPU',                     | trigger.of | 'CPU', 'trigger': {'violations': 3, 'of': 61}, | must be
          'CPU',                     | overrides[0].levels[0].bound | 'CPU', 'overrides': [{'name': 'x', 'scope': {}, 'levels': [{'severity': 'warning'}]}], | is missing
          'CPU',                     | scope.tags[0] | 'CPU', 'scope': {'tags': ['=x']}, | has no key
          'metric', 'key'            | condition.levels[0].text | 'property', 'key': 'x', 'operator': 'matches', 'levels': [{'severity': 'warning', 'text': '('}], 'dead | is no pattern
          """)
  void anInvalidThresholdIsRefusedWithThePlaceOfTheError(
      String replaced, String field, String by, String reason) {
    String body =
        field.equals("condition.levels[0].text")
            ? CPU.replaceAll(
                "(?s)'condition'.*",
                "'condition': {'type': 'property', 'key': 'x', 'operator': 'matches', 'levels':"
                    + " [{'severity': 'warning', 'text': '('}]}")
            : by == null ? CPU.replace("'operator': 'gt',", "") : CPU.replace(replaced, by);
    Answer answer = api.post("/thresholds", json(body));
    assertThat(answer.status()).as(answer.body()).isEqualTo(400);
    assertThat(answer.json().path("errors").path(0).path("field").asString()).isEqualTo(field);
    assertThat(answer.json().path("errors").path(0).path("reason").asString()).contains(reason);
  }

  @Test
  void learnedBoundsAreAcceptedAsReturnedAndTravelInFiles() {
    String usual =
        """
        'name': 'Unusual CPU', 'objectKind': {'adapterKind': 'VMWARE', 'objectKind': 'VirtualMachine'},
        'condition': {'type': 'metric', 'key': 'cpu|usage_average', 'operator': 'outside', 'levels': [
          {'severity': 'warning', 'bound': {'type': 'learned'}},
          {'severity': 'critical',
           'bound': {'type': 'learned', 'sensitivity': 'low', 'minimumDeviation': 20, 'minimumRelativeDeviation': 0.1},
           'clear': {'type': 'learned', 'sensitivity': 'high'}}]},
        'overrides': [{'name': 'db', 'scope': {'tags': ['tier=db']}, 'levels': [
          {'severity': 'warning', 'bound': {'type': 'learned', 'sensitivity': 'high', 'minimumDeviation': 0.5}}]}]
        """;
    Answer created = create(usual);
    assertThat(created.json().path("issues").size()).isZero();
    JsonNode critical = created.json().path("condition").path("levels").path(1);
    assertThat(critical.path("bound").path("minimumRelativeDeviation").asDouble()).isEqualTo(0.1);
    Threshold read = server.context().getBean(ThresholdStore.class).enabled().getFirst();
    assertThat(read.condition().levels())
        .extracting(Level::bound)
        .containsExactly(
            new Bound.Learned(Sensitivity.MEDIUM, 0, 0),
            new Bound.Learned(Sensitivity.LOW, 20, 0.1));
    assertThat(read.condition().levels().getLast().clear())
        .isEqualTo(new Bound.Learned(Sensitivity.HIGH, 0, 0));

    Answer file = api.get("/rules/export?id=" + id(created));
    api.with("If-Match", "\"1\"").delete("/thresholds/" + id(created));
    Answer imported = api.post("/rules/import", file.body());
    assertThat(imported.status()).as(imported.body()).isEqualTo(200);
    assertThat(api.get("/thresholds/" + id(created)).json().path("condition"))
        .isEqualTo(created.json().path("condition"));
  }

  @ParameterizedTest(name = "{3}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      textBlock =
          """
          'operator': 'gt'   | condition.levels[0].bound.type | 'operator': 'ge' | ge does not go with a learned bound
          'type': 'metric'   | condition.levels[0].bound.type | 'type': 'property' | is for metrics only
          'type': 'learned'  | condition.levels[0].bound.minimumDeviation | 'type': 'learned', 'minimumDeviation': -1 | is negative
          'type': 'learned'  | condition.levels[0].bound.minimumRelativeDeviation | 'type': 'learned', 'minimumRelativeDeviation': -1 | is negative
          'learned'}}        | condition.levels[0].clear | 'learned'}, 'clear': {'type': 'number', 'value': 3}} | must be learned as the bound is
          'learned'}}        | condition.levels[0].clear | 'learned'}, 'clear': {'type': 'learned', 'sensitivity': 'low'}} | lies further out than the bound
          'learned'}}        | condition.levels[0].clear | 'learned'}, 'clear': {'type': 'learned', 'minimumDeviation': 1}} | lies further out than the bound
          'learned'}}        | condition.levels[0].upper | 'learned'}, 'upper': {'type': 'learned'}} | has both ends
          'learned'}}        | condition.levels[0].clearUpper | 'learned'}, 'clearUpper': {'type': 'learned'}} | has both ends
          'learned'}}        | condition.levels[0].clear | 'number', 'value': 1}, 'clear': {'type': 'learned'}} | the bound is not
          'learned'}}        | condition.levels | 'learned'}}, {'severity': 'critical', 'bound': {'type': 'number', 'value': 95}} | others do not
          'learned'}}        | condition.levels[1].bound | 'learned'}}, {'severity': 'critical', 'bound': {'type': 'learned', 'sensitivity': 'high'}} | easier to reach
          'learned'}}        | condition.levels[1].bound | 'learned', 'minimumDeviation': 5}}, {'severity': 'critical', 'bound': {'type': 'learned', 'sensitivity': 'low'}} | easier to reach
          'CPU',             | overrides[0].levels | 'CPU', 'overrides': [{'name': 'x', 'scope': {}, 'levels': [{'severity': 'warning', 'bound': {'type': 'number', 'value': 1}}]}], | with learned bounds, or not
          """)
  void learnedBoundsThatMakeNoSenseAreRefused(
      String replaced, String field, String by, String reason) {
    String learned = CPU.replace("'type': 'number', 'value': 90", "'type': 'learned'");
    Answer answer = api.post("/thresholds", json(learned.replace(replaced, by)));
    assertThat(answer.status()).as(answer.body()).isEqualTo(400);
    assertThat(answer.json().path("errors").path(0).path("field").asString()).isEqualTo(field);
    assertThat(answer.json().path("errors").path(0).path("reason").asString()).contains(reason);
    assertThat(answer.json().path("hint").asString("")).as("how to mend it").isNotEmpty();
  }

  @Test
  void noDataConditionsMustBeAbleToOpen() {
    String silent =
        """
        'name': 'Silent', 'objectKind': {'adapterKind': 'VMWARE', 'objectKind': 'VirtualMachine'},
        'condition': {'type': 'no-data', 'key': 'cpu|usage_average', 'levels': [{'severity': 'warning', 'after': '%s'}]}
        """;
    Answer refused = api.post("/thresholds", json(silent.formatted("1d")));
    assertThat(refused.status()).isEqualTo(400);
    assertThat(refused.body()).contains("can never open", "peerlens.frames.metric-age");
    assertThat(create(silent.formatted("15m")).json().path("unit").asString()).isEqualTo("s");
  }

  @Test
  void unknownNamesAreReportedButStored() {
    UUID nobody = UUID.randomUUID();
    Answer created =
        create(
            CPU.replace("cpu|usage_average", "cpu|usage_averag")
                + ", 'scope': {'groups': ['"
                + nobody
                + "'], 'ancestors': ['"
                + nobody
                + "']}");
    assertThat(created.json().path("issues").size()).as(created.body()).isEqualTo(3);
    assertThat(created.json().path("issues").path(0).path("hint").asString())
        .isEqualTo("Did you mean cpu|usage_average?");
    Answer other = create(named("other").replace("VirtualMachine", "Toaster"));
    assertThat(other.json().path("issues").path(0).path("field").asString())
        .isEqualTo("objectKind");
  }

  @Test
  void namesAndIdsAreUnique() {
    Answer first = create(CPU);
    assertThat(api.post("/thresholds", json(CPU)).status()).isEqualTo(409);
    assertThat(api.post("/thresholds", json(named("x") + ", 'id': '" + id(first) + "'")).status())
        .isEqualTo(409);
    Answer second = create(named("second"));
    assertThat(api.with("If-Match", "\"1\"").put("/thresholds/" + id(second), json(CPU)).status())
        .isEqualTo(409);
    Answer mixed =
        api.with("If-Match", "\"1\"")
            .put("/thresholds/" + id(second), json(named("s") + ", 'id': '" + id(first) + "'"));
    assertThat(mixed.status()).isEqualTo(400);
  }

  @Test
  void listsAreFilteredSortedAndPaged() {
    create(named("a") + ", 'tags': ['x']");
    create(named("B") + ", 'enabled': false");
    create(named("c").replace("VirtualMachine", "HostSystem"));
    assertThat(names(api.get("/thresholds"))).containsExactly("a", "B", "c");
    assertThat(names(api.get("/thresholds?sort=-name"))).containsExactly("c", "B", "a");
    assertThat(names(api.get("/thresholds?objectKind=HostSystem"))).containsExactly("c");
    assertThat(names(api.get("/thresholds?tag=x"))).containsExactly("a");
    assertThat(names(api.get("/thresholds?enabled=false"))).containsExactly("B");
    assertThat(names(api.get("/thresholds?state=waiting"))).containsExactly("a", "c");
    assertThat(names(api.get("/thresholds?state=open"))).isEmpty();
    assertThat(names(api.get("/thresholds?pack=vm-basics"))).isEmpty();
    assertThat(names(api.get("/thresholds?q=usage%20x"))).containsExactly("a");
    Answer page = api.get("/thresholds?limit=2");
    assertThat(page.json().path("total").asInt()).isEqualTo(3);
    assertThat(
            names(
                api.get("/thresholds?limit=2&cursor=" + page.json().path("nextCursor").asString())))
        .containsExactly("c");
  }

  @Test
  void everyVersionIsKeptAndCanBeRestored() {
    String id = id(create(CPU));
    api.with("If-Match", "\"1\"").put("/thresholds/" + id, json(CPU.replace("90", "95")));
    Answer history = api.get("/thresholds/" + id + "/history");
    assertThat(history.json().path("total").asInt()).isEqualTo(2);
    assertThat(
            history.json().path("items").path(0).path("changes").path(0).path("field").asString())
        .isEqualTo("condition.levels[0].bound.value");
    assertThat(api.with("If-Match", "\"2\"").delete("/thresholds/" + id).status()).isEqualTo(204);
    Answer restored = api.post("/thresholds/" + id + "/history/1/restore", "");
    assertThat(restored.status()).as(restored.body()).isEqualTo(200);
    assertThat(restored.header("ETag")).isEqualTo("\"4\"");
    assertThat(restored.body()).contains("90");
    assertThat(api.post("/thresholds/" + id + "/history/1/restore", "").status()).isEqualTo(428);
  }

  @Test
  void superMetricsSayWhichThresholdsReadThem() {
    Answer metric =
        api.post(
            "/super-metrics",
            json(
                "'name': 'sm', 'formula': '1', 'kinds': [{'adapterKind': 'VMWARE', 'objectKind':"
                    + " 'VirtualMachine'}], 'unitId': 'percent'"));
    String key = "Super Metric|sm_" + id(metric);
    create(named("judges").replace("cpu|usage_average", key));
    create(
        named("bound")
            .replace("'type': 'number', 'value': 90", "'type': 'metric', 'key': '" + key + "'"));
    Answer uses = api.get("/super-metrics/" + id(metric) + "/used-by");
    assertThat(uses.status()).as(uses.body()).isEqualTo(200);
    assertThat(uses.json().path("usedBy").size()).isEqualTo(2);
    assertThat(uses.json().path("usedBy").path(0).path("kind").asString()).isEqualTo("threshold");
    assertThat(uses.json().path("usedBy").path(0).path("name").asString()).isEqualTo("bound");
  }

  @Test
  void aTickShowsInTheStateAndAChangeOfTheConditionEndsIt() throws SQLException {
    String id = id(create(CPU));
    Instant tick = Instant.now().truncatedTo(ChronoUnit.MINUTES);
    data.sample(tick.minusSeconds(10), set, 97, 0);
    tick(tick);
    Answer got = api.get("/thresholds/" + id);
    assertThat(got.json().path("state").path("state").asString()).as(got.body()).isEqualTo("open");
    assertThat(got.json().path("state").path("open").path("warning").asInt()).isEqualTo(1);
    assertThat(got.json().path("state").path("objects").asInt()).isEqualTo(2);
    assertThat(got.json().path("state").path("unknown").asInt()).isEqualTo(1);
    assertThat(names(api.get("/thresholds?state=open&sort=-open"))).containsExactly("CPU");
    assertThat(data.jdbc().sql("select count(*) from symptom").query(Integer.class).single())
        .isEqualTo(1);

    api.with("If-Match", "\"1\"").put("/thresholds/" + id, json(CPU.replace("90", "95")));
    assertThat(api.get("/thresholds/" + id).body()).contains("\"state\":\"open\"");
    api.with("If-Match", "\"2\"").put("/thresholds/" + id, json(CPU.replace("'gt'", "'lt'")));
    assertThat(api.get("/thresholds/" + id).body()).contains("\"state\":\"waiting\"");
    assertThat(data.jdbc().sql("select count(*) from symptom").query(Integer.class).single())
        .isZero();
  }

  /** What the evaluation loop does with thresholds. */
  private static void tick(Instant tick) throws SQLException {
    SymptomStore store = server.context().getBean(SymptomStore.class);
    ThresholdStage stage =
        new ThresholdStage(
            store,
            server.context().getBean(Scopes.class),
            ThresholdPreviewIT.NothingLearned::new,
            Duration.ofDays(1),
            Duration.ofHours(1),
            System::nanoTime);
    List<Threshold> thresholds = server.context().getBean(ThresholdStore.class).enabled();
    stage.assign(thresholds);
    Symptoms symptoms =
        stage.run(
            server.context().getBean(Frames.class).load(stage.inputs(thresholds), tick),
            thresholds,
            tick,
            Instant.MIN);
    try (Connection connection = data.dataSource().getConnection()) {
      store.write(connection, symptoms.changes(), tick);
    }
  }

  @Test
  void everyChangeIncrementsTheVersionNumberOfTheRules() {
    ThresholdStore store = server.context().getBean(ThresholdStore.class);
    long before = store.version();
    create(CPU);
    assertThat(store.version()).isGreaterThan(before);
    assertThat(store.enabled()).hasSize(1);
  }

  @Test
  void aDefinitionThatCannotBeReadDoesNotKeepTheOthersFromBeingJudged() {
    create(CPU);
    String broken = id(create(named("broken")));
    data.jdbc()
        .sql("update threshold set definition = definition - 'condition' where id = ?::uuid")
        .param(broken)
        .update();
    assertThat(names(api.get("/thresholds"))).containsExactly("CPU");
    assertThat(server.context().getBean(ThresholdStore.class).enabled()).hasSize(1);
  }
}
