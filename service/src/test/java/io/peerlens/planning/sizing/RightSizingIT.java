package io.peerlens.planning.sizing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.awaitility.Awaitility.await;

import io.peerlens.node.Role;
import io.peerlens.support.ApiClient;
import io.peerlens.support.ApiClient.Answer;
import io.peerlens.support.PeerlensServer;
import io.peerlens.support.SampleData;
import io.peerlens.support.WebhookReceiver;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import tools.jackson.databind.JsonNode;

/** Right-sizing of a stored estate whose right sizes are known, from samples to the hit rate. */
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class RightSizingIT {

  private static final String PATH = "/right-sizing";
  private static final String LIST = PATH + "/recommendations";

  private static SampleData data;
  private static SizingEstate estate;
  private static PeerlensServer server;
  private static ApiClient api;
  private static ApiClient operator;
  private static ApiClient viewer;
  private static WebhookReceiver receiver;

  @BeforeAll
  static void start() {
    data = SampleData.create();
    estate = new SizingEstate(data);
    estate.fill();
    server =
        PeerlensServer.start(
            data.database(),
            Set.of(Role.API, Role.EVALUATOR),
            "peerlens.notify.egress.allow=127.0.0.1/32",
            "peerlens.notify.url=https://peerlens.example.com/");
    api = server.admin();
    operator = client("operator");
    viewer = client("viewer");
    receiver = WebhookReceiver.start();
    await()
        .atMost(Duration.ofSeconds(60))
        .until(() -> api.get(PATH).json().hasNonNull("evaluatedAt"));
  }

  private static ApiClient client(String role) {
    Answer token = api.post("/tokens", "{\"name\": \"%1$s\", \"role\": \"%1$s\"}".formatted(role));
    return new ApiClient(server.url(), token.json().path("secret").asString());
  }

  @AfterAll
  static void stop() {
    receiver.close();
    server.close();
    data.close();
  }

  private static JsonNode only(String query) {
    Answer answer = viewer.get(LIST + query);
    assertThat(answer.status()).as(answer.body()).isEqualTo(200);
    assertThat(answer.json().path("items")).as(answer.body()).hasSize(1);
    return answer.json().at("/items/0");
  }

  private static List<String> names(String query) {
    Answer answer = viewer.get(LIST + query);
    assertThat(answer.status()).as(answer.body()).isEqualTo(200);
    return answer
        .json()
        .path("items")
        .valueStream()
        .map(one -> one.at("/object/name").asString() + " " + one.path("kind").asString())
        .toList();
  }

  @Test
  @Order(1)
  void whatIsTooSmallComesFirstThenWhatGivesBackMost() {
    assertThat(names("?kind=too-small,too-large,not-known"))
        .containsExactly("etl too-small", "report too-large", "wiki too-large", "wiki not-known");
    JsonNode etl = only("?kind=too-small");
    assertThat(etl.path("resource").asString()).isEqualTo("cpu");
    assertThat(etl.path("now").asDouble()).isEqualTo(4);
    assertThat(etl.path("size").asDouble()).isEqualTo(6);
    assertThat(etl.path("givesBackVcpus").asDouble()).isEqualTo(-2);
    assertThat(etl.at("/proof/0/sign").asString()).isEqualTo("ready");
    assertThat(etl.at("/proof/0/p95").asDouble()).isCloseTo(6, within(0.01));
    // Full from 8 to 18 h on five days a week.
    assertThat(etl.path("regretNowHoursPerWeek").asDouble()).isCloseTo(50, within(3.0));
    assertThat(etl.path("regretHoursPerWeek").isNull()).isTrue();
    assertThat(etl.path("owner").asString()).isEqualTo("team-e");
    JsonNode unknown = only("?kind=not-known");
    assertThat(unknown.path("resource").asString()).isEqualTo("memory");
    assertThat(unknown.path("reason").asString()).startsWith("No Tools");
    assertThat(unknown.path("size").isNull()).isTrue();
  }

  @Test
  @Order(1)
  void disksOfNoMachineAreListedWithTheirDatastore() {
    Answer answer = viewer.get(LIST + "?kind=orphaned-disk");
    JsonNode disks = answer.json().path("items");
    assertThat(disks).as(answer.body()).hasSize(2);
    JsonNode old = disks.get(0);
    assertThat(old.at("/object/name").asString()).isEqualTo("vsan");
    assertThat(old.at("/object/objectKind").asString()).isEqualTo("Datastore");
    assertThat(old.path("instance").asString()).isEqualTo("old one/old.vmdk");
    assertThat(old.path("now").asDouble()).isEqualTo(100);
    assertThat(old.path("givesBackDiskGb").asDouble()).isEqualTo(100);
    assertThat(old.path("ageDays").asDouble()).isCloseTo(200, within(1.1));
    assertThat(old.path("reason").asString())
        .contains("old.vmx of a machine that is not registered");
    assertThat(disks.get(1).path("instance").asString()).isEqualTo("uuid-7/lost.vmdk");
    assertThat(disks.get(1).path("now").isNull()).isTrue();
    JsonNode summary = viewer.get(PATH).json();
    JsonNode count =
        summary
            .path("counts")
            .valueStream()
            .filter(one -> one.path("kind").asString().equals("orphaned-disk"))
            .findFirst()
            .orElseThrow();
    assertThat(count.path("count").asLong()).isEqualTo(2);
    assertThat(count.path("machines").asLong()).isZero();
    assertThat(count.path("reason").asString())
        .isEqualTo(
            "Files were listed of 1 of 2 datastores in the three days before the evaluation. The account may not browse it.");
    assertThat(summary.path("machines").asLong()).isEqualTo(10);
    String id = old.path("id").asString();
    Answer decided =
        operator.post(
            LIST + "/actions", "{\"ids\": [\"%s\"], \"action\": \"approve\"}".formatted(id));
    assertThat(decided.json().at("/items/0/done").asBoolean()).as(decided.body()).isTrue();
  }

  @Test
  @Order(1)
  void evidenceSaysWhatASizeIsMadeOf() {
    JsonNode report = only("?kind=too-large&q=REPORT");
    JsonNode detail = viewer.get(LIST + "/" + report.path("id").asString()).json();
    assertThat(detail.at("/recommendation/now").asDouble()).isEqualTo(16);
    assertThat(detail.at("/recommendation/size").asDouble()).isEqualTo(4);
    assertThat(detail.at("/recommendation/p95").asDouble()).isCloseTo(3, within(0.01));
    assertThat(detail.at("/sizing/step").asString())
        .isEqualTo("even, within one NUMA node of 8 cores");
    assertThat(detail.at("/sizing/numaNodeCores").asInt()).isEqualTo(8);
    assertThat(detail.at("/sizing/regretMostHoursPerWeek").asDouble()).isZero();
    assertThat(detail.at("/sizing/restart").asBoolean()).isTrue();
    assertThat(detail.at("/other/resource").asString()).isEqualTo("memory");
    assertThat(detail.at("/other/p95").asDouble()).isCloseTo(51, within(0.01));
    assertThat(detail.at("/series/key").asString()).isEqualTo("cpu|demand_average");
    assertThat(detail.at("/series/factor").asDouble()).isCloseTo(1.0 / 2500, within(1e-9));
    assertThat(viewer.get(LIST + "/" + UUID.randomUUID()).status()).isEqualTo(404);
  }

  @Test
  @Order(1)
  void whatCanBeGivenBackCountsOnce() {
    JsonNode idle = only("?kind=idle");
    assertThat(idle.at("/object/name").asString()).isEqualTo("sleepy");
    JsonNode detail = viewer.get(LIST + "/" + idle.path("id").asString()).json();
    assertThat(detail.at("/idleness/batches/0/words").asString()).contains("from 02:00 to 03:00");
    assertThat(detail.at("/idleness/batches/0/kind").asString()).isEqualTo("backup");
    assertThat(idle.path("givesBackVcpus").asDouble()).isEqualTo(2);
    JsonNode off = only("?kind=powered-off");
    assertThat(off.at("/object/name").asString()).isEqualTo("retired");
    assertThat(off.path("ageDays").asDouble()).isCloseTo(40, within(0.1));
    assertThat(off.path("givesBackDiskGb").asDouble()).isEqualTo(100);
    JsonNode snapshot = only("?kind=snapshot");
    assertThat(snapshot.path("instance").asString()).isEqualTo("before upgrade");
    assertThat(snapshot.path("ageDays").asDouble()).isCloseTo(20, within(0.1));
    assertThat(
            viewer
                .get(LIST + "/" + snapshot.path("id").asString())
                .json()
                .path("growthGbPerDay")
                .asDouble())
        .isCloseTo(1, within(0.01));
    JsonNode sums = viewer.get(PATH).json();
    assertThat(sums.path("machines").asInt()).isEqualTo(10);
    assertThat(sums.path("assignedVcpus").asDouble()).isEqualTo(4 + 16 + 8 + 4 + 4 * 4 + 2 + 2);
    JsonNode large =
        sums.path("counts")
            .valueStream()
            .filter(one -> one.path("kind").asString().equals("too-large"))
            .findFirst()
            .orElseThrow();
    assertThat(large.path("vcpus").asDouble()).isEqualTo(12 + 6);
    assertThat(names("?owner=team-s&kind=idle,powered-off")).containsExactly("sleepy idle");
    assertThat(names("?ancestor=" + SampleData.uuid("ClusterComputeResource", "prod")))
        .containsExactly(
            "etl too-small",
            "report too-large",
            "wiki too-large",
            "sleepy idle",
            "vsan orphaned-disk",
            "retired powered-off",
            "build snapshot",
            "vsan orphaned-disk",
            "wiki not-known");
    assertThat(names("?ancestor=" + UUID.randomUUID())).isEmpty();
  }

  @Test
  @Order(1)
  void pagesAndCsv() {
    JsonNode first = viewer.get(LIST + "?limit=2").json();
    assertThat(first.path("total").asInt()).isEqualTo(9);
    JsonNode second =
        viewer.get(LIST + "?limit=7&cursor=" + first.path("nextCursor").asString()).json();
    assertThat(second.path("items")).hasSize(7);
    assertThat(second.path("nextCursor").isNull()).isTrue();
    assertThat(names("?sort=-name&kind=too-large,too-small"))
        .containsExactly("wiki too-large", "report too-large", "etl too-small");
    String csv = viewer.with("Accept", "text/csv").get(LIST).body();
    assertThat(csv.lines().count()).isEqualTo(10);
    assertThat(csv).startsWith("id,kind,objectId,object").contains("ready time 6 % of a vCPU");
  }

  @Test
  @Order(1)
  void resultsAreMetricsThatRankingsAndThresholdsRead() {
    String ranking =
        "/series/top?metric=summary%7Coversized%7Cvcpus&objectKind=VirtualMachine&aggregation=max&limit=2";
    JsonNode top = viewer.get(ranking).json().path("items");
    assertThat(top)
        .extracting(one -> one.at("/object/name").asString())
        .containsExactly("report", "wiki");
    assertThat(top.get(0).path("value").asDouble()).isEqualTo(12);
    Answer threshold =
        api.post(
            "/thresholds",
            """
            {"name": "Too small", "objectKind": {"adapterKind": "VMWARE", "objectKind": "VirtualMachine"},
             "condition": {"type": "metric", "key": "summary|undersized", "operator": "ge",
               "levels": [{"severity": "warning", "bound": {"type": "number", "value": 1}}]},
             "trigger": {"violations": 1, "of": 1, "clearAfter": 1}, "alert": {"impact": "efficiency"}}
            """);
    assertThat(threshold.status()).as(threshold.body()).isEqualTo(201);
    await()
        .atMost(Duration.ofSeconds(60))
        .untilAsserted(
            () ->
                assertThat(viewer.get("/alerts").json().path("items"))
                    .extracting(one -> one.at("/object/name").asString())
                    .containsExactly("etl"));
    String metrics =
        viewer
            .get(
                "/objects/"
                    + SampleData.uuid("ClusterComputeResource", "prod")
                    + "/metrics?newest=true")
            .body();
    assertThat(metrics)
        .contains("OnlineCapacityAnalytics|capacityRemainingProfile", "reclaimable|idle_vms|cpu");
    // What the collector tells in the same group stays.
    assertThat(
            viewer
                .get(
                    "/objects/" + SampleData.uuid("VirtualMachine", "etl") + "/metrics?newest=true")
                .body())
        .contains("summary|running", "summary|undersized|vcpus");
  }

  @Test
  @Order(2)
  void decisionsHoldAndCanBeUndone() {
    String report = only("?kind=too-large&q=report").path("id").asString();
    String wiki = only("?kind=too-large&q=wiki").path("id").asString();
    String approve = "{\"ids\": [\"%s\"], \"action\": \"approve\"}".formatted(report);
    assertThat(viewer.post(LIST + "/actions", approve).status()).isEqualTo(403);
    Answer approved = operator.post(LIST + "/actions", approve);
    assertThat(approved.status()).as(approved.body()).isEqualTo(200);
    assertThat(approved.json().at("/items/0/decision/by").asString()).isEqualTo("operator");
    Instant until = Instant.now().plus(Duration.ofDays(30));
    operator.post(
        LIST + "/actions",
        "{\"ids\": [\"%s\"], \"action\": \"ignore\", \"until\": \"%s\"}".formatted(wiki, until));
    assertThat(names("?kind=too-large")).containsExactly("report too-large");
    assertThat(names("?kind=too-large&decision=ignored")).containsExactly("wiki too-large");
    assertThat(viewer.get(PATH).json().path("ignored").asInt()).isEqualTo(1);
    // Its time is over.
    data.sql(
        "update sizing_recommendation set ignored_until = now() - interval '1 minute' where ignored_until is not null");
    assertThat(names("?kind=too-large&decision=open")).containsExactly("wiki too-large");
    assertThat(viewer.get(PATH).json().path("ignored").asInt()).isZero();
    operator.post(LIST + "/actions", "{\"ids\": [\"%s\"], \"action\": \"reopen\"}".formatted(wiki));
    assertThat(viewer.get(LIST + "/" + wiki).json().at("/recommendation/decision/by").isNull())
        .isTrue();
    for (String wrong :
        List.of(
            "{\"ids\": [\"%s\"], \"action\": \"ignore\"}",
            "{\"ids\": [\"%s\"], \"action\": \"ignore\", \"until\": \"2020-01-01T00:00:00Z\"}",
            "{\"ids\": [\"%s\"], \"action\": \"approve\", \"until\": \"2090-01-01T00:00:00Z\"}")) {
      assertThat(operator.post(LIST + "/actions", wrong.formatted(wiki)).status()).isEqualTo(400);
    }
    String unknown = only("?kind=not-known").path("id").asString();
    JsonNode refused =
        operator
            .post(
                LIST + "/actions",
                "{\"ids\": [\"%s\", \"%s\"], \"action\": \"approve\"}"
                    .formatted(unknown, UUID.randomUUID()))
            .json();
    assertThat(refused.at("/items/0/done").asBoolean()).isFalse();
    assertThat(refused.at("/items/1/reason").asString()).contains("no such recommendation");
    // An evaluation keeps what was decided.
    evaluate();
    assertThat(
            viewer.get(LIST + "/" + report).json().at("/recommendation/decision/state").asString())
        .isEqualTo("approved");
    assertThat(api.get("/audit?limit=50").body()).contains("decideRecommendations");
  }

  private static void evaluate() {
    Answer started = operator.post(PATH, "");
    assertThat(started.status()).as(started.body()).isEqualTo(202);
    String job = "/jobs/" + started.json().path("id").asString();
    await()
        .atMost(Duration.ofSeconds(60))
        .until(() -> api.get(job).json().path("state").asString().equals("done"));
  }

  @Test
  @Order(2)
  void aTicketGoesToAWebhook() {
    String target =
        api.post(
                "/notification-targets",
                "{\"name\": \"Tickets\", \"type\": \"webhook\", \"webhook\": {\"url\": \"%s\"}}"
                    .formatted(receiver.url("/tickets")))
            .json()
            .path("id")
            .asString();
    String etl = only("?kind=too-small").path("id").asString();
    String request = "{\"target\": \"%s\", \"note\": \"On Sunday\"}".formatted(target);
    Answer sent = operator.post(LIST + "/" + etl + "/tickets", request);
    assertThat(sent.status()).as(sent.body()).isEqualTo(200);
    assertThat(sent.json().path("delivered").asBoolean()).as(sent.body()).isTrue();
    assertThat(receiver.last().text())
        .contains(
            "etl: 4 to 6 vCPU",
            "On Sunday",
            "\"requestedBy\":\"operator\"",
            "https://peerlens.example.com/objects/" + SampleData.uuid("VirtualMachine", "etl"));
    receiver.usually(WebhookReceiver.Reply.status(400));
    assertThat(
            operator
                .post(LIST + "/" + etl + "/tickets", request)
                .json()
                .path("delivered")
                .asBoolean())
        .isFalse();
    JsonNode tickets = viewer.get(LIST + "/" + etl).json().path("tickets");
    assertThat(tickets).hasSize(2);
    assertThat(tickets.get(0).path("httpStatus").asInt()).isEqualTo(400);
    assertThat(viewer.post(LIST + "/" + etl + "/tickets", request).status()).isEqualTo(403);
  }

  @Test
  @Order(3)
  void whatWasCarriedOutIsJudgedAndCounts() {
    Instant at = SizingEstate.NOW.minus(Duration.ofDays(9));
    data.sql("update sizing_recommendation set first_seen_at = now() - interval '20 days'");
    estate.resized("report", at, 16, 8);
    estate.ready("report", at, 1, 1);
    estate.resized("wiki", at, 8, 2);
    estate.resized("wiki", at.plus(Duration.ofDays(2)), 2, 8);
    estate.ready("wiki", at, 1, 7);
    // Larger than it was recommended to be: that is nobody's recommendation.
    estate.resized("etl", at, 4, 2);
    Outcomes outcomes = server.context().getBean(Outcomes.class);
    outcomes.look(Instant.now());
    JsonNode rate = viewer.get(PATH + "/hit-rate").json();
    assertThat(rate.path("carriedOut").asInt()).as(rate.toString()).isEqualTo(2);
    assertThat(rate.path("judged").asInt()).as(rate.toString()).isEqualTo(2);
    assertThat(rate.path("hits").asInt()).isEqualTo(1);
    assertThat(rate.path("putBack").asInt()).isEqualTo(1);
    assertThat(rate.path("months")).hasSize(12);
    JsonNode wrong = rate.at("/wrong/0");
    assertThat(wrong.at("/object/name").asString()).isEqualTo("wiki");
    assertThat(wrong.path("verdict").asString()).as(rate.toString()).isEqualTo("worse");
    assertThat(wrong.path("sentence").asString()).contains("worse: 1").contains("full for");
    assertThat(Instant.parse(wrong.path("putBackAt").asString()))
        .isEqualTo(at.plus(Duration.ofDays(2)));
    // The change stands on the machine, with its impact.
    JsonNode impact = viewer.get("/changes/" + wrong.path("change").asLong() + "/impact").json();
    assertThat(impact.at("/change/after").asString()).isEqualTo("Right-sizing: 8 to 2 vCPU");
    assertThat(names("?decision=done"))
        .containsExactlyInAnyOrder("report too-large", "wiki too-large");
    // Nothing counts twice.
    outcomes.look(Instant.now());
    assertThat(viewer.get(PATH + "/hit-rate").json().path("carriedOut").asInt()).isEqualTo(2);
  }

  @Test
  @Order(1)
  void clustersAndScenarios() {
    JsonNode prod = viewer.get(PATH + "/clusters").json().at("/items/0");
    assertThat(prod.path("hosts").asInt()).isEqualTo(3);
    assertThat(prod.path("machines").asInt()).isEqualTo(9);
    JsonNode cpu = prod.at("/supplies/0");
    // Two of three hosts of 16 cores.
    assertThat(cpu.path("usable").asDouble()).isEqualTo(2 * 16 * 2500);
    assertThat(cpu.path("used").asDouble())
        .isCloseTo((3.95 + 3 + 0.5 + 3.1 + 4 * 3.2 + 0.01) * 2500, within(30.0));
    assertThat(prod.at("/supplies/2/used").asDouble()).isCloseTo(4450, within(15.0));
    assertThat(prod.at("/supplies/2/perDay").asDouble()).isCloseTo(10, within(0.2));
    assertThat(prod.at("/supplies/3/used").isNull()).isTrue();
    int fit = prod.at("/vms/value").asInt();
    // 21,600 MHz are free, and a machine adds 6,490 on average; the largest one adds 9,875.
    assertThat(fit).as(prod.toString()).isEqualTo(2);
    assertThat(prod.at("/vms/typical").asInt()).isEqualTo(3);
    String cluster = SampleData.uuid("ClusterComputeResource", "prod").toString();
    Answer answer =
        viewer.post(
            PATH + "/scenarios",
            """
            {"cluster": "%s", "scenarios": [
              {"name": "As it is", "changes": []},
              {"name": "Shop", "changes": [
                {"day": "%s", "kind": "add-vms", "count": 30, "cpuMhz": 2000, "memoryGb": 8, "diskGb": 50},
                {"day": "%s", "kind": "add-hosts", "count": 1}]}]}
            """
                .formatted(cluster, day(10), day(30)));
    assertThat(answer.status()).as(answer.body()).isEqualTo(200);
    JsonNode plans = answer.json().path("items");
    assertThat(plans.get(0).path("days").asDouble()).isEqualTo(366);
    assertThat(plans.get(0).at("/points/0/vms").asInt()).isCloseTo(fit, within(3));
    assertThat(plans.get(1).path("days").asDouble()).isEqualTo(10);
    assertThat(plans.get(1).path("fullFirst").asString()).isEqualTo("cpu");
    for (String wrong :
        List.of(
            "{\"day\": \"%s\", \"kind\": \"grow\"}".formatted(day(1)),
            "{\"day\": \"%s\", \"kind\": \"add-hosts\", \"count\": 5000}".formatted(day(1)),
            "{\"day\": \"%s\", \"kind\": \"add-vms\", \"like\": \"%s\"}"
                .formatted(day(1), UUID.randomUUID()))) {
      Answer refused =
          viewer.post(
              PATH + "/scenarios",
              "{\"cluster\": \"%s\", \"scenarios\": [{\"name\": \"x\", \"changes\": [%s]}]}"
                  .formatted(cluster, wrong));
      assertThat(refused.status()).as(refused.body()).isEqualTo(400);
      assertThat(refused.body()).contains("scenarios[0].changes[0]");
    }
  }

  private static String day(int ahead) {
    return LocalDate.now(ZoneOffset.UTC).plusDays(ahead).toString();
  }

  @Test
  @Order(4)
  void settingsHoldFromTheNextEvaluationOn() {
    Answer read = viewer.get(PATH + "/settings");
    assertThat(read.json().path("history").asString()).isEqualTo("90d");
    String wanted =
        """
        {"hours": {"days": ["mon"], "begins": "08:00", "ends": "18:00", "zone": "Europe/Berlin"}, "history": "30d", "ownerTag": null,
         "exclude": {"name": "sleep*"}, "hostFailures": 0, "poweredOffAfter": "60d", "snapshotAfter": "30d"}
        """;
    assertThat(operator.put(PATH + "/settings", wanted).status()).isEqualTo(428);
    ApiClient editor = operator.with("If-Match", read.header("ETag"));
    assertThat(viewer.with("If-Match", "*").put(PATH + "/settings", wanted).status())
        .isEqualTo(403);
    assertThat(
            editor
                .put(PATH + "/settings", wanted.replace("30d\", \"owner", "9d\", \"owner"))
                .body())
        .contains("history");
    assertThat(editor.put(PATH + "/settings", wanted.replace("Europe/Berlin", "Nowhere")).status())
        .isEqualTo(400);
    assertThat(
            editor
                .put(
                    PATH + "/settings",
                    wanted.replace(
                        "{\"name\": \"sleep*\"}", "{\"groups\": [\"" + UUID.randomUUID() + "\"]}"))
                .body())
        .contains("exclude.groups");
    Answer changed = editor.put(PATH + "/settings", wanted);
    assertThat(changed.status()).as(changed.body()).isEqualTo(200);
    evaluate();
    assertThat(names("?kind=idle,powered-off,snapshot")).isEmpty();
    JsonNode cluster = viewer.get(PATH + "/clusters").json().at("/items/0");
    assertThat(cluster.at("/supplies/0/usable").asDouble()).isEqualTo(3 * 16 * 2500);
    // What gets no recommendation is a load all the same.
    assertThat(cluster.path("machines").asInt()).isEqualTo(9);
  }
}
