package io.peerlens.panel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.peerlens.node.Role;
import io.peerlens.report.ReportOfPanel;
import io.peerlens.support.ApiClient;
import io.peerlens.support.ApiClient.Answer;
import io.peerlens.support.PeerlensServer;
import io.peerlens.support.SampleData;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Panels of outliers, impact and capacity say what the operations of these things say. Talkers have
 * a test of their own.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class PanelFindingsIT {

  private static final UUID DB = SampleData.uuid("VirtualMachine", "db");
  private static final UUID HOST = SampleData.uuid("HostSystem", "esx-1");
  private static final UUID[] EVENTS = {new UUID(7, 1), new UUID(7, 2), new UUID(7, 3)};

  private final Instant now = Instant.now().truncatedTo(ChronoUnit.HOURS);

  /** Four days ago, at 0 o'clock UTC. */
  private final Instant change =
      Instant.now().truncatedTo(ChronoUnit.DAYS).minus(Duration.ofDays(4));

  private SampleData data;
  private PeerlensServer server;
  private ApiClient api;

  /**
   * A host with three VMs and a datastore. Read latency of db falls by a third at the change; the
   * datastore grows for four weeks; of three events one is open, one ended an hour ago and one is
   * of a VM of another host.
   */
  @BeforeAll
  void start() {
    data = SampleData.create();
    int host = data.object("VMWARE", "HostSystem", "esx-1");
    int other = data.object("VMWARE", "HostSystem", "esx-2");
    int[] vms = new int[4];
    List<String> names = List.of("db", "web", "app", "far");
    for (int i = 0; i < vms.length; i++) {
      vms[i] = data.object("VMWARE", "VirtualMachine", names.get(i));
      relate(i < 3 ? host : other, vms[i]);
    }
    int datastore = data.object("VMWARE", "Datastore", "growing");
    relate(host, datastore);
    latency(vms[0]);
    growing(datastore);
    server = PeerlensServer.start(data.database(), Set.of(Role.API));
    api = server.admin();
    UUID group = group("vms", "VirtualMachine");
    group("nobody", "HostSystem");
    judged(group, vms);
    event(EVENTS[0], group, vms[0], now.minus(Duration.ofHours(3)), null, 9);
    event(EVENTS[1], group, vms[1], now.minus(Duration.ofHours(5)), now.minusSeconds(3600), 12);
    event(EVENTS[2], group, vms[3], now.minus(Duration.ofHours(2)), null, 7);
    Answer recorded =
        api.post(
            "/changes",
            """
            {"object": "%s", "time": "%s", "title": "NVMe driver 1.2.3", "sort": "driver", "goal": "read-latency"}
            """
                .formatted(DB, change));
    assertThat(recorded.status()).as(recorded.body()).isEqualTo(201);
    data.jdbc()
        .sql(
            """
            insert into object_change (time, object_id, kind, key, old_value, new_value)
            values (?, ?, 'property', 'config|hardware|num_Cpu', '2', '4'), (?, ?, 'placement', 'HostSystem', 'esx-2', 'esx-1')
            """)
        .params(
            SampleData.time(change.plus(Duration.ofHours(30))),
            vms[0],
            SampleData.time(change.plus(Duration.ofHours(40))),
            vms[1])
        .update();
  }

  @AfterAll
  void stop() {
    server.close();
    data.close();
  }

  private void relate(int parent, int child) {
    data.jdbc()
        .sql("insert into relation (parent_id, child_id) values (?, ?)")
        .params(parent, child)
        .update();
  }

  /** Eight days of five-minute values with a daily cycle and noise that is the same every time. */
  private void latency(int vm) {
    int group =
        data.group("VMWARE", "VirtualMachine", "virtualDisk", List.of("totalReadLatency_average"));
    data.sql(
        """
        insert into sample (time, set_id, values)
        select t, %2$d, array[(case when t < %1$s then 2.1 else 1.4 end) * (1 + 0.1 * sin(extract(epoch from t) / 13751) + 0.05 * sin(extract(epoch from t) * 7.77))]
        from generate_series(%1$s - interval '4 days', %1$s + interval '4 days' - interval '5 minutes', interval '5 minutes') t
        """
            .formatted("'" + change + "'::timestamptz", data.set(vm, group, "")));
  }

  /** Grows by 24 each day and is 1,000 in size. */
  private void growing(int datastore) {
    int disk = data.group("VMWARE", "Datastore", "disk", List.of("used_latest", "capacity_latest"));
    data.jdbc()
        .sql(
            """
            insert into sample_1h (time, set_id, samples, avg)
            select ?::timestamptz + i * interval '1 hour', ?, 12, array[i, 1000]::float8[] from generate_series(0, 28 * 24 - 1) i
            """)
        .params(SampleData.time(now.minus(Duration.ofDays(28))), data.set(datastore, disk, ""))
        .update();
    data.jdbc()
        .sql("update level_state set rolled_until = ? where level = '1h'")
        .param(SampleData.time(now))
        .update();
  }

  private UUID group(String name, String kind) {
    Answer group =
        api.post(
            "/outlier-groups",
            """
            {"name": "%s", "objectKind": {"adapterKind": "VMWARE", "objectKind": "%s"}, "metrics": [{"key": "cpu|usage_average"}]}
            """
                .formatted(name, kind));
    assertThat(group.status()).as(group.body()).isEqualTo(201);
    return UUID.fromString(group.json().get("id").stringValue());
  }

  private void judged(UUID group, int[] members) {
    data.jdbc()
        .sql(
            """
            insert into outlier_state (group_id, basis, bucket, width, state, metrics, states, members, judged, judged_of, centre, lower, upper,
              bands, values, expected, low, high, scores, score, nanos)
            values (?, 'b', ?, '5 minutes', 'alike', '{cpu|usage_average}', '{alike}', ?, 4, '{4}', '{30}', '{20}', '{40}',
              '{0}', '{70,30,31,60}', '{30,30,30,30}', '{20,20,20,20}', '{40,40,40,40}', '{9,0,0,7}', '{9,0,0,7}', 1)
            """)
        .params(
            group,
            SampleData.time(now),
            java.util.Arrays.stream(members).boxed().toArray(Integer[]::new))
        .update();
  }

  private void event(
      UUID id, UUID group, int object, Instant since, @Nullable Instant closed, double score) {
    data.jdbc()
        .sql(
            """
            insert into outlier_event (id, group_id, group_name, object_id, status, opened_at, since, last_bucket, updated_at, closed_at, close_reason,
              side, severity, evidence, score, peak_score, peak_at, violations, of, judged, members, metrics, explanation)
            values (:id, :group, 'vms', :object, :status, :since, :since, :since, :since, :closed::timestamptz, :reason,
              'high', 2, 'level', :score, :score, :since, 4, 4, 8, 8, '[]', :explanation::jsonb)
            """)
        .param("id", id)
        .param("group", group)
        .param("object", object)
        .param("status", closed == null ? "open" : "closed")
        .param("since", SampleData.time(since))
        .param("closed", closed == null ? null : SampleData.time(closed))
        .param("reason", closed == null ? null : "returned")
        .param("score", score)
        .param(
            "explanation",
            """
            {"text": "x", "strong": [], "key": "cpu|usage_average", "metricName": "cpu", "unit": null, "value": null, "centre": null,
             "lower": null, "upper": null, "peersLow": null, "peersHigh": null, "factor": null, "score": null, "limit": 4.5,
             "evidence": "level", "violations": 4, "of": 4, "since": "%s", "judged": 7, "notJudged": [], "notJudgedCount": 0,
             "weekAgo": null, "floorDecided": false, "groupMoved": false, "others": [], "setting": {"name": "vms", "href": "/"}}
            """
                .formatted(since))
        .update();
  }

  private JsonNode ask(String panel, String rest) {
    Answer answer = api.post("/panels/query", "{\"panel\": %s%s}".formatted(panel, rest));
    assertThat(answer.status()).as(answer.body()).isEqualTo(200);
    return answer.json();
  }

  private JsonNode get(String path) {
    Answer answer = api.get(path);
    assertThat(answer.status()).as(answer.body()).isEqualTo(200);
    return answer.json();
  }

  private static String subject(UUID object) {
    return ", \"variables\": {\"of\": \"%s\"}".formatted(object);
  }

  private static String range(Instant from, Instant to) {
    return ", \"time\": {\"from\": \"%s\", \"to\": \"%s\"}".formatted(from, to);
  }

  private static List<String> codes(JsonNode answer) {
    return answer.get("notes").valueStream().map(note -> note.get("code").stringValue()).toList();
  }

  private static List<UUID> ids(JsonNode events) {
    return events.valueStream().map(one -> UUID.fromString(one.get("id").stringValue())).toList();
  }

  // ------------------------------------------------------------------------------------- outliers

  @Test
  void outliersOfAHostAreTheEventsAndGroupsOfItsMachines() {
    JsonNode answer =
        ask("{\"type\": \"outliers\", \"subject\": \"$of\"}", subject(HOST)).get("outliers");

    JsonNode events = answer.get("events");
    assertThat(ids(events)).containsExactly(EVENTS[0], EVENTS[1]);
    JsonNode listed = get("/outlier-events?ancestor=" + HOST).get("items");
    assertThat(events).containsExactlyInAnyOrderElementsOf(listed);
    JsonNode group = get("/outlier-groups?ancestor=" + HOST).get("items");
    assertThat(answer.get("groups")).hasSize(1);
    assertThat(answer.get("groups").get(0).get("now")).isEqualTo(group.get(0).get("now"));
    assertThat(answer.get("groups").get(0).get("group").get("id"))
        .isEqualTo(group.get(0).get("id"));
    assertThat(answer.get("groups").get(0).get("openEvents").intValue()).isEqualTo(2);
  }

  @Test
  void outliersOfEverythingAreBoundedAndSayWhatIsLeftOut() {
    JsonNode answer = ask("{\"type\": \"outliers\", \"limit\": 2}", "");

    assertThat(ids(answer.get("outliers").get("events"))).containsExactly(EVENTS[0], EVENTS[2]);
    assertThat(answer.get("notes").get(0).get("text").stringValue()).isEqualTo("2 of 3 events");
  }

  @Test
  void outliersOfAPastMomentAreThoseThatWereOpenThen() {
    Instant then = now.minus(Duration.ofHours(4));
    JsonNode answer =
        ask("{\"type\": \"outliers\", \"window\": \"1h\"}", ", \"asOf\": \"%s\"".formatted(then));

    assertThat(ids(answer.get("outliers").get("events"))).containsExactly(EVENTS[1]);
    assertThat(answer.get("outliers").get("groups")).isEmpty();
    assertThat(codes(answer)).containsExactly("as-of-now");
  }

  @Test
  void outliersOfObjectsThatNothingComparesSayWhy() {
    JsonNode answer = ask("{\"type\": \"outliers\", \"kind\": \"VMWARE/Datastore\"}", "");

    assertThat(answer.get("empty").get("reason").stringValue()).isEqualTo("not-enabled");
    assertThat(answer.get("empty").get("text").stringValue())
        .isEqualTo("No group of peers that is enabled has one of 1 objects as a member.");
  }

  // --------------------------------------------------------------------------------------- impact

  @Test
  void changesOfAnObjectAreJudgedAsTheirOperationJudgesThem() {
    await()
        .atMost(Duration.ofSeconds(60))
        .untilAsserted(
            () -> {
              JsonNode answer =
                  ask(
                      "{\"type\": \"impact\", \"subject\": \"$of\", \"window\": \"9d\"}",
                      subject(DB));
              JsonNode listed =
                  get("/objects/%s/changes?from=%s".formatted(DB, change.minusSeconds(86400)))
                      .get("items");
              JsonNode changes = answer.get("impact").get("changes");
              assertThat(changes.valueStream().map(one -> one.get("change")).toList())
                  .containsExactlyElementsOf(listed);
              for (JsonNode one : changes) {
                JsonNode impact =
                    get("/changes/%d/impact".formatted(one.get("change").get("id").longValue()));
                assertThat(one.get("comparison")).isEqualTo(impact);
              }
              assertThat(changes.get(1).get("comparison").get("verdict").stringValue())
                  .startsWith("Disk read latency better");
            });
  }

  @Test
  void theIndexOverTimeIsThatOfComparisonsWithTheFirstStep() {
    JsonNode answer =
        ask(
            "{\"type\": \"impact\", \"subject\": \"$of\"}",
            subject(DB) + range(change.minus(Duration.ofDays(6)), change.plus(Duration.ofDays(4))));

    JsonNode index = answer.get("impact").get("index");
    assertThat(index.get("stepMillis").longValue()).isEqualTo(86_400_000);
    assertThat(index.get("times")).hasSize(10);
    assertThat(Instant.ofEpochMilli(index.get("baseFrom").longValue()))
        .isEqualTo(change.minus(Duration.ofDays(4)));
    JsonNode values = index.get("values");
    assertThat(values.get(0).isNull()).isTrue();
    assertThat(values.get(2).doubleValue()).isEqualTo(50);
    List<JsonNode> expected = new ArrayList<>();
    for (int day = -3; day < 4; day++) {
      Answer comparison =
          api.post(
              "/comparisons",
              """
              {"a": {"objects": ["%1$s"], "from": "%2$s", "to": "%3$s"}, "b": {"objects": ["%1$s"], "from": "%4$s", "to": "%5$s"}, "goal": "balanced"}
              """
                  .formatted(
                      DB,
                      change.minus(Duration.ofDays(4)),
                      change.minus(Duration.ofDays(3)),
                      change.plus(Duration.ofDays(day)),
                      change.plus(Duration.ofDays(day + 1))));
      assertThat(comparison.status()).as(comparison.body()).isEqualTo(200);
      expected.add(comparison.json().get("index"));
    }
    assertThat(values.valueStream().skip(3)).containsExactlyElementsOf(expected);
    assertThat(expected.stream().skip(3).mapToDouble(one -> one.asDouble(0)).max().orElse(0))
        .isGreaterThan(60);
  }

  @Test
  void aChangeOfNowIsNotJudgedAndADayHasNoIndex() {
    UUID web = SampleData.uuid("VirtualMachine", "web");
    Answer recorded =
        api.post("/changes", "{\"object\": \"%s\", \"title\": \"just now\"}".formatted(web));
    assertThat(recorded.status()).isEqualTo(201);

    JsonNode answer = ask("{\"type\": \"impact\", \"subject\": \"$of\"}", subject(web));

    JsonNode one = answer.get("impact").get("changes").get(0);
    assertThat(one.has("comparison")).isFalse();
    assertThat(one.get("reason").stringValue()).endsWith("less than 35 minutes ago");
    assertThat(codes(answer)).containsExactly("index-left-out");
    assertThat(answer.get("impact").has("index")).isFalse();
  }

  // ------------------------------------------------------------------------------------- capacity

  @Test
  void whatFillsUpBelowAHostIsWhatTheForecastsOfItsDatastoreSay() {
    JsonNode answer = ask("{\"type\": \"capacity\", \"subject\": \"$of\"}", subject(HOST));

    UUID datastore = SampleData.uuid("Datastore", "growing");
    JsonNode listed = get("/objects/" + datastore + "/forecasts").get("items");
    assertThat(listed).hasSize(1);
    assertThat(answer.get("capacity").valueStream().map(one -> one.get("forecast")).toList())
        .containsExactlyElementsOf(listed);
    assertThat(answer.get("capacity").get(0).get("object").get("name").stringValue())
        .isEqualTo("growing");
    ObjectNode all = (ObjectNode) ask("{\"type\": \"capacity\"}", "");
    assertThat(all.get("capacity")).isEqualTo(answer.get("capacity"));
  }

  @Test
  void aForecastOfAPastMomentKnowsNothingOfWhatCameLater() {
    Instant then = now.minus(Duration.ofDays(10));
    JsonNode forecast =
        ask("{\"type\": \"capacity\"}", ", \"asOf\": \"%s\"".formatted(then))
            .get("capacity")
            .get(0)
            .get("forecast");

    assertThat(Instant.parse(forecast.get("asOf").stringValue())).isEqualTo(then);
    JsonNode today = ask("{\"type\": \"capacity\"}", "").get("capacity").get(0).get("forecast");
    assertThat(forecast.get("days").doubleValue() - today.get("days").doubleValue())
        .isBetween(9.9, 10.1);
  }

  @Test
  void anEmptyFindingSaysWhy() {
    assertThat(reason("{\"type\": \"capacity\", \"kind\": \"VMWARE/VirtualMachine\"}"))
        .isEqualTo(
            "no-match: Of 4 objects none is of a kind that fills up, such as datastores and hosts.");
    assertThat(reason("{\"type\": \"capacity\", \"kind\": \"VMWARE/HostSystem\"}"))
        .isEqualTo(
            "never-reported: Of 2 objects none has mem|usage_average of at least a week, up to the last days.");
    assertThat(reason("{\"type\": \"talkers\"}"))
        .isEqualTo(
            "never-reported: No flow was ever reported. It would come from NetFlow, IPFIX or sFlow.");
    for (String type : List.of("outliers", "talkers", "impact", "capacity")) {
      assertThat(reason("{\"type\": \"%s\", \"subject\": \"$of\"}".formatted(type)))
          .startsWith("choose: ");
      assertThat(reason("{\"type\": \"%s\", \"kind\": \"VMWARE/ResourcePool\"}".formatted(type)))
          .startsWith("no-kind: ");
    }
  }

  private String reason(String panel) {
    JsonNode empty = ask(panel, "").get("empty");
    assertThat(empty).as(panel).isNotNull();
    return empty.get("reason").stringValue() + ": " + empty.get("text").stringValue();
  }

  // -------------------------------------------------------------------------------------- reports

  @Test
  void aReportOfOutliersHasTheFiguresOfTheAnswer() {
    Instant from = now.minus(Duration.ofHours(12));
    ReportOfPanel report =
        ReportOfPanel.run(
            api,
            "Outliers",
            "{\"type\": \"outliers\", \"subject\": \"$of\"}",
            HOST.toString(),
            from,
            now);

    JsonNode events = report.answer().get("outliers").get("events");
    assertThat(events).hasSize(2);
    for (JsonNode one : events) {
      assertThat(report.pdf())
          .contains(
              one.get("object").get("name").stringValue(),
              ReportOfPanel.shown(one.get("score").doubleValue()));
      assertThat(report.csv())
          .contains(
              one.get("object").get("name").stringValue() + ",vms,",
              "," + one.get("since").stringValue() + ",");
    }
    report.hasNoOtherNumbers(Set.of());
  }

  @Test
  void aReportOfImpactHasTheFiguresOfTheAnswer() {
    ReportOfPanel report =
        ReportOfPanel.run(
            api,
            "Impact",
            "{\"type\": \"impact\", \"subject\": \"$of\"}",
            DB.toString(),
            change.minus(Duration.ofDays(6)),
            change.plus(Duration.ofDays(4)));

    JsonNode impact = report.answer().get("impact");
    JsonNode values = impact.get("index").get("values");
    assertThat(values).hasSize(10);
    assertThat(report.pdf())
        .contains("db, performance index", "NVMe driver")
        .contains(": " + ReportOfPanel.shown(values.get(9).doubleValue()));
    List<String> lines = report.csv().lines().toList();
    assertThat(lines).hasSize(1 + impact.get("changes").size() + 10);
    for (int i = 0; i < 10; i++) {
      String[] cells = lines.get(1 + impact.get("changes").size() + i).split(",", -1);
      assertThat(cells[0]).isEqualTo("index");
      assertThat(cells[5].isEmpty()).isEqualTo(values.get(i).isNull());
      if (!values.get(i).isNull()) {
        assertThat(Double.parseDouble(cells[5])).isEqualTo(values.get(i).doubleValue());
      }
    }
    // Numbers of the axis, of the line that says what the index means, and of the changes.
    Set<String> more = new HashSet<>(List.of("1", "2", "0", "50", "100"));
    for (int tick = 0; tick <= 100; tick++) {
      more.add(String.valueOf(tick));
    }
    report.hasNoOtherNumbers(more);
  }

  @Test
  void aReportOfCapacityHasTheFiguresOfTheAnswer() {
    ReportOfPanel report =
        ReportOfPanel.run(
            api,
            "Capacity",
            "{\"type\": \"capacity\", \"subject\": \"$of\"}",
            HOST.toString(),
            now.minus(Duration.ofDays(1)),
            now);

    JsonNode forecast = report.answer().get("capacity").get(0).get("forecast");
    assertThat(report.pdf())
        .contains(
            "growing",
            ReportOfPanel.shown(forecast.get("level").doubleValue()),
            ReportOfPanel.shown(forecast.get("limit").doubleValue()),
            ReportOfPanel.shown(forecast.get("perDay").doubleValue()));
    String[] cells = report.csv().lines().toList().get(1).split(",", -1);
    assertThat(Double.parseDouble(cells[2])).isEqualTo(forecast.get("level").doubleValue());
    assertThat(Double.parseDouble(cells[6])).isEqualTo(forecast.get("days").doubleValue());
    report.hasNoOtherNumbers(Set.of());
  }
}
