package io.peerlens.outlier;

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
import java.util.UUID;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** What sets web-03 apart from seven others, after somebody has moved and changed it. */
class OutlierApartIT {

  private static final Instant END = Instant.now().truncatedTo(ChronoUnit.HOURS);
  private static final Instant BEGIN = END.minus(1, ChronoUnit.DAYS);
  private static final Instant SINCE = END.minus(3, ChronoUnit.HOURS);
  private static final Instant BUCKET = SINCE.plus(30, ChronoUnit.MINUTES);
  private static final UUID EVENT = new UUID(7, 3);

  private static SampleData data;
  private static PeerlensServer server;
  private static ApiClient api;
  private static JsonNode details;

  @BeforeAll
  static void start() {
    data = SampleData.create();
    PeersWorld world = new PeersWorld(data);
    int[] hosts = new int[3];
    int cluster = data.object("VMWARE", "ClusterComputeResource", "east");
    for (int h = 0; h < hosts.length; h++) {
      hosts[h] = data.object("VMWARE", "HostSystem", "esx-" + h);
      relation(cluster, hosts[h]);
    }
    int[] ids = new int[8];
    for (int i = 0; i < ids.length; i++) {
      boolean odd = i == 2;
      ids[i] =
          world.machine(
              "web-%02d".formatted(i + 1),
              "{'tier': 'web', 'owner': '%s'}".formatted(i % 2 == 0 ? "ann" : "ben"),
              BEGIN,
              END,
              (t, wave, random) -> {
                double[] usual = PeersWorld.usual().at(t, wave, random);
                if (odd && !t.isBefore(SINCE)) {
                  usual[0] += 45;
                  usual[1] *= 12;
                }
                return usual;
              });
      relation(hosts[odd ? 2 : 0], ids[i]);
      // Properties: identifiers, one that is the same, two in which the odd one differs, a number.
      data.jdbc()
          .sql("update object set properties = ?::jsonb where id = ?")
          .params(
              "{\"config|uuid\": \"u-%d\", \"net|ip\": \"10.0.0.%d\", \"serial\": \"%d\", \"guest|version\": \"%s\", \"config|memory\": \"%s\", \"state\": \"on\", \"days_up\": \"%d\"}"
                  .formatted(
                      i,
                      i,
                      4711 + i,
                      odd ? "12.6" : "12.5",
                      odd ? "4096" : "8192",
                      odd ? 400 : 20 + i),
              ids[i])
          .update();
    }
    int neighbour = data.object("VMWARE", "VirtualMachine", "batch-01");
    relation(hosts[2], neighbour);
    change(-20, ids[2], "property", "guest|version", "12.5", "12.6");
    change(-10, ids[2], "placement", "HostSystem", "esx-0", "esx-2");
    change(-12, ids[2], "recorded", "deployment", null, "v2");
    data.jdbc()
        .sql(
            "insert into recorded_change (change_id, author) select id, 'ada' from object_change where kind = 'recorded'")
        .update();
    change(-15, neighbour, "placement", "HostSystem", "esx-1", "esx-2");
    change(-5, hosts[2], "property", "power", "balanced", "low");
    change(-90, ids[2], "property", "config|memory", "8192", "4096");
    change(-20, ids[5], "property", "guest|version", "12.4", "12.5");
    world.ready();
    server = PeerlensServer.start(data.database(), Set.of(Role.API));
    api = server.admin();
    // The one that is compared reads another one; a third has nothing to do with it.
    String own = "max(${this, metric=cpu|usage_average})";
    String read = superMetric("read by it", own, 21);
    String compared =
        superMetric("compared", "avg(${this, metric=Super Metric|sm_" + read + "})", 22);
    superMetric("unrelated", own, 21);
    Answer group =
        api.post(
            "/outlier-groups",
            "{'name': 'web', 'objectKind': %s, 'scope': {'tags': ['tier=web']}, 'metrics': [{'key': 'cpu|usage_average'}, {'key': 'Super Metric|sm_%s'}]}"
                .formatted(PeersWorld.KIND, compared)
                .replace('\'', '"'));
    assertThat(group.status()).as(group.body()).isEqualTo(201);
    UUID id = UUID.fromString(group.json().path("id").asString());
    rules();
    data.jdbc()
        .sql("update outlier_group_history set at = ? where outlier_group_id = ?")
        .params(SampleData.time(SINCE.minusSeconds(1800)), id)
        .update();
    data.jdbc()
        .sql(
            """
            insert into outlier_bucket (group_id, bucket, basis, state, judged, metrics, members, centre, lower, upper, values, scores, score)
            select ?, ?, '', 'alike', 8, '{cpu|usage_average}', array_agg(id order by id), '{30}', '{20}', '{40}',
              array_agg(30::real), array_agg(0::real), array_agg((case name when 'web-08' then 'NaN' else '0' end)::real order by id)
            from object where tags ->> 'tier' = 'web'
            """)
        .params(id, SampleData.time(BUCKET))
        .update();
    data.jdbc()
        .sql(
            """
            insert into outlier_event (id, group_id, group_name, object_id, status, opened_at, since, last_bucket, updated_at, side,
              severity, evidence, score, peak_score, peak_at, violations, of, judged, members, metrics, explanation)
            values (?, ?, 'web', ?, 'open', ?, ?, ?, ?, 'high', 2, 'level', 9, 9, ?, 4, 4, 8, 8, '[]', ?::jsonb)
            """)
        .params(
            EVENT,
            id,
            ids[2],
            SampleData.time(SINCE.plusSeconds(900)),
            SampleData.time(SINCE),
            SampleData.time(BUCKET),
            SampleData.time(BUCKET),
            SampleData.time(BUCKET),
            """
            {"text": "x", "strong": [], "key": "cpu|usage_average", "metricName": "cpu", "unit": null, "value": null, "centre": null,
             "lower": null, "upper": null, "peersLow": null, "peersHigh": null, "factor": null, "score": null, "limit": 4.5,
             "evidence": "level", "violations": 4, "of": 4, "since": "%s", "judged": 7, "notJudged": [], "notJudgedCount": 0,
             "weekAgo": null, "floorDecided": false, "groupMoved": false, "others": [], "setting": {"name": "web", "href": "/"}}
            """
                .formatted(SINCE))
        .update();
    // The group was judged for the first time within the hour: that all joined says nothing.
    data.jdbc()
        .sql(
            """
            insert into outlier_membership (group_id, at, kind, object_id, members)
            select ?, ?, 'joined', id, count(*) over () from object where tags ->> 'tier' = 'web'
            """)
        .params(id, SampleData.time(SINCE.minusSeconds(1700)))
        .update();
    Answer answer = api.get("/outlier-events/" + EVENT);
    assertThat(answer.status()).as(answer.body()).isEqualTo(200);
    details = answer.json();
  }

  /** Rules that were changed in the hour before: some that concern it, and some that do not. */
  private static void rules() {
    for (String metric : List.of("cpu|usage_average", "mem|usage_average")) {
      threshold(metric, metric, "{}");
    }
    threshold(
        "of web-03",
        "disk|usage_average",
        "{\"objects\": [\"%s\"]}".formatted(SampleData.uuid("VirtualMachine", "web-03")));
    at("threshold", 25, "name in ('cpu|usage_average', 'mem|usage_average')");
    at("threshold", 24, "name = 'of web-03'");
    String threshold =
        data.jdbc()
            .sql("select id::text from threshold where name = 'cpu|usage_average'")
            .query(String.class)
            .single();
    for (String name : List.of("combines", "something else")) {
      data.jdbc()
          .sql(
              """
              insert into alert_definition_history (alert_definition_id, version, action, at, by, name, definition)
              values (gen_random_uuid(), 1, 'imported', ?, 'ann', ?, ?::jsonb)
              """)
          .params(
              SampleData.time(SINCE.minusSeconds(60 * 23)),
              name,
              "{\"condition\": {\"threshold\": \"%s\"}}"
                  .formatted(name.equals("combines") ? threshold : UUID.randomUUID()))
          .update();
    }
  }

  private static void threshold(String name, String key, String scope) {
    Answer made =
        api.post(
            "/thresholds",
            "{'name': '%s', 'objectKind': %s, 'scope': %s, 'condition': {'type': 'metric', 'key': '%s', 'operator': 'gt', 'levels': [{'severity': 'warning', 'bound': {'type': 'number', 'value': 90}}]}}"
                .formatted(name, PeersWorld.KIND, scope, key)
                .replace('\'', '"'));
    assertThat(made.status()).as(made.body()).isEqualTo(201);
  }

  private static String superMetric(String name, String formula, int minutes) {
    Answer made =
        api.post(
            "/super-metrics",
            "{\"name\": \"%s\", \"formula\": \"%s\", \"kinds\": [%s]}"
                .formatted(name, formula, PeersWorld.KIND.replace('\'', '"')));
    assertThat(made.status()).as(made.body()).isEqualTo(201);
    at("super_metric", minutes, "name = '" + name + "'");
    return made.json().path("id").asString();
  }

  private static void at(String rules, int minutes, String which) {
    data.jdbc()
        .sql("update %s_history set at = ? where %s".formatted(rules, which))
        .params(SampleData.time(SINCE.minusSeconds(60L * minutes)))
        .update();
  }

  private static void relation(int parent, int child) {
    data.jdbc()
        .sql("insert into relation (parent_id, child_id) values (?, ?)")
        .params(parent, child)
        .update();
  }

  private static void change(
      int minutes, int object, String kind, String key, @Nullable String before, String after) {
    data.jdbc()
        .sql(
            "insert into object_change (time, object_id, kind, key, old_value, new_value) values (?, ?, ?, ?, ?, ?)")
        .params(SampleData.time(SINCE.plusSeconds(60L * minutes)), object, kind, key, before, after)
        .update();
  }

  @AfterAll
  static void stop() {
    server.close();
    data.close();
  }

  private static List<String> keys() {
    List<String> keys = new ArrayList<>();
    details.path("apart").forEach(trait -> keys.add(trait.path("key").asString()));
    return keys;
  }

  private static JsonNode trait(String key) {
    for (JsonNode trait : details.path("apart")) {
      if (trait.path("key").asString().equals(key)) {
        return trait;
      }
    }
    throw new AssertionError(key + " is not among " + keys());
  }

  @Test
  void changedTraitsComeFirstThenThoseThatSeparateBest() {
    assertThat(keys())
        .containsExactlyInAnyOrder("guest|version", "HostSystem", "config|memory", "days_up");
    assertThat(keys().subList(0, 2)).containsExactlyInAnyOrder("guest|version", "HostSystem");
    JsonNode version = trait("guest|version");
    assertThat(version.path("kind").asString()).isEqualTo("version");
    assertThat(version.path("value").asString()).isEqualTo("12.6");
    assertThat(version.path("common").asString()).isEqualTo("12.5");
    assertThat(version.path("commonCount").asInt()).as("web-08 was not judged").isEqualTo(6);
    assertThat(version.path("of").asInt()).isEqualTo(6);
    assertThat(version.path("sameCount").asInt()).isZero();
    assertThat(version.path("separation").asDouble()).isEqualTo(1);
    assertThat(Instant.parse(version.path("changedAt").asString()))
        .isEqualTo(SINCE.minusSeconds(1200));
    assertThat(version.path("before").asString()).isEqualTo("12.5");
    assertThat(trait("HostSystem").path("before").asString()).isEqualTo("esx-0");
  }

  @Test
  void anEarlierChangeIsNoChangeOfTheHour() {
    assertThat(trait("config|memory").path("changedAt").isNull()).isTrue();
    assertThat(trait("config|memory").path("common").asString()).isEqualTo("8192");
  }

  @Test
  void numbersAreComparedWithTheirMedian() {
    assertThat(trait("days_up").path("value").asString()).isEqualTo("400");
    assertThat(trait("days_up").path("common").asString()).startsWith("about 2");
    assertThat(trait("days_up").path("sameCount").asInt()).isZero();
  }

  @Test
  void identifiersAreIgnoredAndEqualTraitsCounted() {
    assertThat(keys()).doesNotContain("config|uuid", "net|ip", "serial", "owner");
    // The tier, the state and the cluster.
    assertThat(details.path("equal").asInt()).isEqualTo(3);
  }

  @Test
  void changesOnAMemberAndAroundItAreListedNewestFirst() {
    List<String> told = new ArrayList<>();
    for (JsonNode change : details.path("changes")) {
      told.add(
          "%s %s %s %d"
              .formatted(
                  change.path("kind").asString(),
                  change
                      .path("object")
                      .path("name")
                      .asString(change.path("rule").path("sort").asString("-")),
                  change.path("key").asString(),
                  change.path("secondsBefore").asInt() / 60));
    }
    assertThat(told)
        .containsExactly(
            "property esx-2 power 5",
            "placement web-03 HostSystem 10",
            "recorded web-03 deployment 12",
            "placement batch-01 HostSystem 15",
            "property web-03 guest|version 20",
            "rule super-metric read by it 21",
            "rule super-metric compared 22",
            "rule alert-definition combines 23",
            "rule threshold of web-03 24",
            "rule threshold cpu|usage_average 25",
            "rule outlier-group web 30");
    assertThat(details.path("changes").path(2).path("author").asString()).isEqualTo("ada");
    JsonNode definition = details.path("changes").path(7);
    assertThat(definition.path("rule").path("by").asString()).isEqualTo("ann");
    assertThat(definition.path("after").asString()).isEqualTo("imported");
    assertThat(definition.has("object")).isFalse();
  }

  @Test
  void otherMetricsAreComparedWithTheSamePeers() {
    JsonNode others = details.path("otherMetrics");
    assertThat(
            others
                .valueStream()
                .map(one -> one.path("key").asString())
                .collect(Collectors.toList()))
        .containsExactly("cpu|ready_summation", "cpu|idle_summation");
    JsonNode ready = others.path(0);
    assertThat(ready.path("moved").asBoolean()).isTrue();
    assertThat(ready.path("factor").asDouble()).isBetween(9.0, 15.0);
    assertThat(ready.path("centre").asDouble()).isBetween(15.0, 25.0);
    assertThat(ready.path("upper").asDouble()).isLessThan(ready.path("value").asDouble());
    assertThat(ready.path("ticks").size()).isEqualTo(6);
    assertThat(others.path(1).path("moved").asBoolean()).isFalse();
  }
}
