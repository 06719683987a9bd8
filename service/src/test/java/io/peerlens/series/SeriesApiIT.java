package io.peerlens.series;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.peerlens.job.JobRecord.Kind;
import io.peerlens.job.JobRun;
import io.peerlens.job.Jobs;
import io.peerlens.node.Role;
import io.peerlens.support.ApiClient;
import io.peerlens.support.ApiClient.Answer;
import io.peerlens.support.PeerlensServer;
import io.peerlens.support.SampleData;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import tools.jackson.databind.JsonNode;

/** The API and the recurring work of a whole server; answers are held against the contract. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class SeriesApiIT {
  private static final UUID VM = SampleData.uuid("VirtualMachine", "vm");

  /** 12 hours ago, on the hour. */
  private final Instant start =
      Instant.now().truncatedTo(ChronoUnit.HOURS).minus(Duration.ofHours(12));

  private SampleData data;
  private PeerlensServer server;
  private ApiClient admin;

  @BeforeAll
  void start() {
    data = SampleData.create();
    int group = data.group("VMWARE", "VirtualMachine", "cpu", List.of("usage_average", "ready"));
    int set = data.set(data.object("VMWARE", "VirtualMachine", "vm"), group, "");
    data.object("VMWARE", "VirtualMachine", "other");
    SampleData.Samples rows = data.samples();
    for (int i = 0; i < 120; i++) {
      rows.add(start.plus(Duration.ofMinutes(i)), set, i, 1);
    }
    rows.add(Instant.now(), set, 77);
    rows.flush();
    server =
        PeerlensServer.start(
            data.database(),
            Set.of(Role.API, Role.EVALUATOR),
            "peerlens.rollup.every=1s",
            "peerlens.series.max-values=1000",
            "db-scheduler.polling-interval=200ms");
    admin = server.admin();
  }

  @AfterAll
  void stop() {
    server.close();
    data.close();
  }

  private String query(String rest) {
    return """
    {"objects": ["%s"], "metrics": ["cpu|usage_average", "cpu|never"], "from": "%s", "to": "%s"%s}
    """
        .formatted(VM, start, start.plus(Duration.ofHours(2)), rest);
  }

  @Test
  void seriesAreReturned() {
    Answer answer = admin.post("/series/query", query(", \"step\": \"1h\", \"withRange\": true"));
    assertThat(answer.status()).isEqualTo(200);
    assertThat(answer.json().get("stepMillis").longValue()).isEqualTo(3_600_000);
    assertThat(answer.json().get("series").size()).isOne();
    assertThat(answer.json().get("series").get(0).get("values").toString())
        .isEqualTo("[29.5,89.5]");
    assertThat(answer.json().get("series").get(0).get("max").toString()).isEqualTo("[59.0,119.0]");
    assertThat(answer.json().get("series").get(0).get("unit").stringValue()).isEqualTo("unit0");
  }

  @Test
  void gapsAreNull() {
    Answer answer =
        admin.post("/series/query", query(", \"step\": \"30s\", \"aggregation\": \"last\""));
    assertThat(answer.json().get("series").get(0).get("values").toString())
        .startsWith("[0.0,null,1.0,null,2.0");
  }

  @Test
  void aMetricThatNoneOfTheObjectsHasGetsARemark() {
    Answer answer =
        admin.post(
            "/series/query",
            """
            {"objects": ["%s"], "from": "%s", "to": "%s", "step": "1h", "metrics": [
              "cpu|usage_average", "cpu|usage_averge", "CPU|Usage_Average", "cpu:7|usage_average", "cpu:7|usage_averag",
              "Usage_average", "cpu", "mem|balloon"]}
            """
                .formatted(VM, start, start.plus(Duration.ofHours(2))));
    assertThat(answer.status()).isEqualTo(200);
    assertThat(answer.json().get("series").size()).isOne();
    assertThat(
            answer
                .json()
                .get("remarks")
                .valueStream()
                .map(
                    one ->
                        one.get("metric").stringValue()
                            + " -> "
                            + one.get("didYouMean").asString("nothing")))
        .containsExactly(
            "cpu|usage_averge -> cpu|usage_average",
            "CPU|Usage_Average -> cpu|usage_average",
            "cpu:7|usage_average -> nothing",
            "cpu:7|usage_averag -> cpu:7|usage_average",
            "Usage_average -> cpu|usage_average",
            "cpu -> cpu|ready",
            "mem|balloon -> nothing");
    assertThat(answer.json().get("remarks").get(0).get("message").stringValue())
        .isEqualTo("No object of the kind VMWARE/VirtualMachine has this metric here.");
    assertThat(answer.json().get("remarks").get(2).get("message").stringValue())
        .isEqualTo("None of the requested objects has this instance of cpu|usage_average.");
    assertThat(answer.json().get("remarks").get(5).get("message").stringValue())
        .endsWith("has this metric here: a key is group|metric.");
  }

  @Test
  void aMetricOfAnotherObjectAndObjectsThatAreNotThereGetRemarks() {
    UUID other = SampleData.uuid("VirtualMachine", "other");
    String query =
        """
        {"objects": ["%s"], "metrics": ["cpu|ready"], "from": "%s", "to": "%s"}
        """;
    Answer idle =
        admin.post("/series/query", query.formatted(other, start, start.plus(Duration.ofHours(2))));
    assertThat(idle.json().get("remarks").get(0).get("message").stringValue())
        .isEqualTo(
            "None of the requested objects has this metric; others of their kind have it, or it is a property.");
    Answer nobody =
        admin.post(
            "/series/query",
            query.formatted(UUID.randomUUID(), start, start.plus(Duration.ofHours(2))));
    assertThat(nobody.json().get("remarks").get(0).get("message").stringValue())
        .isEqualTo("None of the requested objects exists.");
    Answer found =
        admin.post("/series/query", query.formatted(VM, start, start.plus(Duration.ofHours(2))));
    assertThat(found.json().has("remarks")).isFalse();
  }

  @Test
  void seriesAreReturnedAsCsv() {
    Answer answer =
        admin
            .with("Accept", "text/csv")
            .post("/series/query", query(", \"step\": \"1h\", \"withRange\": true"));
    assertThat(answer.status()).isEqualTo(200);
    assertThat(answer.header("Content-Type")).startsWith("text/csv");
    assertThat(answer.body().split("\r\n"))
        .containsExactly(
            "time,objectId,metric,unit,value,min,max,percentileFrom,relativeError",
            start + "," + VM + ",cpu|usage_average,unit0,29.5,0,59,,",
            start.plus(Duration.ofHours(1)) + "," + VM + ",cpu|usage_average,unit0,89.5,60,119,,");
    String gaps =
        admin.with("Accept", "text/csv").post("/series/query", query(", \"step\": \"30s\"")).body();
    assertThat(gaps.split("\r\n")).hasSize(241);
    assertThat(gaps.split("\r\n")[2])
        .isEqualTo(start.plusSeconds(30) + "," + VM + ",cpu|usage_average,unit0,,,,,");
  }

  @Test
  void percentilesAreReturnedAndSayWhatTheyAreFrom() {
    Answer answer =
        admin.post("/series/query", query(", \"step\": \"1h\", \"aggregation\": \"percentile\""));
    assertThat(answer.status()).as(answer.body()).isEqualTo(200);
    assertThat(answer.json().get("aggregation").stringValue()).isEqualTo("percentile");
    assertThat(answer.json().get("percentile").doubleValue()).isEqualTo(95);
    JsonNode line = answer.json().get("series").get(0);
    assertThat(line.get("values").toString()).isEqualTo("[56.0,116.0]");
    assertThat(line.get("percentileFrom").stringValue()).isEqualTo("raw");
    assertThat(line.has("relativeError")).isFalse();
    assertThat(line.has("meansShare")).isFalse();

    Answer fine =
        admin.post(
            "/series/query",
            query(
                ", \"step\": \"1h\", \"aggregation\": \"percentile\", \"percentile\": 98.5, \"withRange\": true"));
    assertThat(fine.json().get("percentile").doubleValue()).isEqualTo(98.5);
    assertThat(fine.json().get("series").get(0).get("values").toString()).isEqualTo("[59.0,119.0]");
    assertThat(fine.json().get("series").get(0).get("min").toString()).isEqualTo("[0.0,60.0]");

    String csv =
        admin
            .with("Accept", "text/csv")
            .post("/series/query", query(", \"step\": \"1h\", \"aggregation\": \"percentile\""))
            .body();
    assertThat(csv.split("\r\n")[1])
        .isEqualTo(start + "," + VM + ",cpu|usage_average,unit0,56,,,raw,");
    assertThat(admin.post("/series/query", query(", \"step\": \"1h\"")).json().has("percentile"))
        .isFalse();
  }

  @Test
  void aPercentileThatIsNoneIsRefusedInWords() {
    for (String wrong : List.of("0", "100", "-1", "1000", "95.00001")) {
      Answer answer =
          admin.post(
              "/series/query",
              query(", \"aggregation\": \"percentile\", \"percentile\": " + wrong));
      assertThat(answer.status()).as(wrong).isEqualTo(400);
      assertThat(answer.json().get("detail").stringValue())
          .isEqualTo(
              "Field percentile: is "
                  + wrong
                  + ", which is no percentile: give a number above 0 and below 100 with at most four"
                  + " decimals, such as 95 or 99.9.");
    }
    Answer alone = admin.post("/series/query", query(", \"percentile\": 95"));
    assertThat(alone.status()).isEqualTo(400);
    assertThat(alone.json().get("detail").stringValue())
        .isEqualTo(
            "Field percentile: belongs to the aggregation percentile, which is not asked for.");
    Answer ranking =
        admin.get(
            "/series/top?metric=cpu%7Cusage_average&objectKind=VirtualMachine&aggregation=percentile&percentile=100");
    assertThat(ranking.status()).isEqualTo(400);
    assertThat(ranking.json().get("detail").stringValue()).contains("percentile: is 100, which is");
    Answer several =
        admin.post(
            "/series/top/query",
            """
            {"rankings": [{"metrics": ["cpu|usage_average"], "objectKind": "VirtualMachine", "percentile": 99}]}
            """);
    assertThat(several.status()).isEqualTo(400);
    assertThat(several.json().get("errors").get(0).get("field").stringValue())
        .isEqualTo("rankings[0].percentile");
  }

  @Test
  void rankingsByAPercentileSayWhatTheyAreFrom() {
    String path =
        "/series/top?metric=cpu%7Cusage_average&objectKind=VirtualMachine&aggregation=percentile&percentile=50&sparkline=true&from="
            + start
            + "&to="
            + start.plus(Duration.ofHours(2));
    Answer answer = admin.get(path);
    assertThat(answer.status()).as(answer.body()).isEqualTo(200);
    assertThat(answer.json().get("percentile").doubleValue()).isEqualTo(50);
    assertThat(answer.json().get("percentileFrom").stringValue()).isEqualTo("raw");
    JsonNode entry = answer.json().get("items").get(0);
    assertThat(entry.get("value").doubleValue()).isEqualTo(59);
    assertThat(entry.get("mean").doubleValue()).isEqualTo(59.5);
    assertThat(entry.get("percentileFrom").stringValue()).isEqualTo("raw");
    assertThat(admin.with("Accept", "text/csv").get(path).body().split("\r\n")[1])
        .endsWith(",59.5,119,raw,");

    Answer several =
        admin.post(
            "/series/top/query",
            """
            {"from": "%s", "to": "%s", "rankings": [
              {"metrics": ["cpu|usage_average"], "objectKind": "VirtualMachine", "aggregation": "percentile"},
              {"metrics": ["cpu|usage_average"], "objectKind": "VirtualMachine", "aggregation": "percentile", "percentile": 25}]}
            """
                .formatted(start, start.plus(Duration.ofHours(2))));
    assertThat(several.status()).as(several.body()).isEqualTo(200);
    assertThat(several.json().get("items").get(0).get("items").get(0).get("value").doubleValue())
        .isEqualTo(113);
    assertThat(several.json().get("items").get(1).get("items").get(0).get("value").doubleValue())
        .isEqualTo(29);
    assertThat(several.json().get("items").get(1).get("percentile").doubleValue()).isEqualTo(25);
  }

  @Test
  void aStepThatIsNoneIsRefusedInWords() {
    for (String wrong : List.of("5 minutes", "1w", "0m", "-5m", "")) {
      Answer answer = admin.post("/series/query", query(", \"step\": \"" + wrong + "\""));
      assertThat(answer.status()).as(wrong).isEqualTo(400);
      assertThat(answer.json().get("detail").stringValue())
          .isEqualTo(
              "Field step: is not a width of a step: write auto, or a whole number above 0 and s, m, h or d, such as 20s, 5m, 1h or 1d.");
    }
  }

  @Test
  void aTooLargeQueryIsRefusedWithAStepThatFits() {
    Answer answer = admin.post("/series/query", query(", \"step\": \"1s\""));
    assertThat(answer.status()).isEqualTo(400);
    assertThat(answer.json().get("code").stringValue()).isEqualTo("too-many-points");
    assertThat(answer.json().get("hint").stringValue())
        .isEqualTo("Use a step of at least 20s, or fewer objects.");
  }

  @Test
  void aWindowThatEndsBeforeItStartsIsRefused() {
    Answer answer =
        admin.post(
            "/series/query",
            """
            {"objects": ["%s"], "metrics": ["cpu|usage_average"], "from": "%s", "to": "%s"}
            """
                .formatted(VM, start, start));
    assertThat(answer.status()).isEqualTo(400);
    assertThat(answer.json().get("errors").get(0).get("field").stringValue()).isEqualTo("to");
  }

  @Test
  void daysMayBeThoseOfAZone() {
    Answer answer =
        admin.post("/series/query", query(", \"step\": \"1d\", \"zone\": \"Asia/Kolkata\""));
    assertThat(answer.status()).isEqualTo(200);
    assertThat(answer.json().get("times").get(0).longValue() % 86_400_000)
        .isEqualTo(Duration.ofMinutes(18 * 60 + 30).toMillis());
  }

  @Test
  void anInvalidZoneIsRefused() {
    Answer answer =
        admin.post("/series/query", query(", \"step\": \"1d\", \"zone\": \"Mars/Olympus\""));
    assertThat(answer.status()).isEqualTo(400);
    assertThat(answer.json().get("errors").get(0).get("field").stringValue()).isEqualTo("zone");
    assertThat(answer.json().get("hint").stringValue()).contains("Europe/Berlin");
  }

  @Test
  void newestValuesAreReturned() {
    Answer answer =
        admin.post(
            "/series/latest",
            """
            {"objects": ["%s"], "metrics": ["cpu|usage_average", "cpu|ready"], "maxAge": "1h"}
            """
                .formatted(VM));
    assertThat(answer.status()).isEqualTo(200);
    assertThat(answer.json().get("values").size()).isOne();
    assertThat(answer.json().get("values").get(0).get("value").doubleValue()).isEqualTo(77);
  }

  @Test
  void rankingsAreReturned() {
    Answer answer =
        admin.get(
            "/series/top?metric=cpu%7Cusage_average&objectKind=VirtualMachine&aggregation=max&sparkline=true");
    assertThat(answer.status()).isEqualTo(200);
    assertThat(answer.json().get("ranked").longValue()).isOne();
    assertThat(answer.json().get("items").get(0).get("value").doubleValue()).isEqualTo(119);
    assertThat(answer.json().get("items").get(0).get("object").get("name").stringValue())
        .isEqualTo("vm");
    assertThat(
            admin
                .get("/series/top?metric=cpu%7Cusage_average&objectKind=NoSuch")
                .json()
                .get("items")
                .size())
        .isZero();
  }

  @Test
  void severalRankingsAreReturnedAtOnce() {
    Answer answer =
        admin.post(
            "/series/top/query",
            """
            {'rankings': [{'metrics': ['cpu|no_such', 'cpu|usage_average', 'cpu|other'], 'objectKind': 'VirtualMachine', 'aggregation': 'max'},
              {'metrics': ['cpu|usage_average', 'cpu|other'], 'objectKind': 'NoSuch'}], 'limit': 1, 'sparkline': true}
            """
                .replace('\'', '"'));
    assertThat(answer.status()).isEqualTo(200);
    JsonNode first = answer.json().get("items").get(0);
    assertThat(first.get("metric").stringValue()).isEqualTo("cpu|usage_average");
    assertThat(first.get("aggregation").stringValue()).isEqualTo("max");
    assertThat(first.get("items").get(0).get("value").doubleValue()).isEqualTo(119);
    assertThat(first.get("items").get(0).get("sparkline").size()).isPositive();
    JsonNode none = answer.json().get("items").get(1);
    assertThat(none.get("items").size()).isZero();
    assertThat(none.get("metric").stringValue()).isEqualTo("cpu|usage_average");

    assertThat(admin.post("/series/top/query", "{\"rankings\": []}").status()).isEqualTo(400);
    assertThat(
            admin
                .post(
                    "/series/top/query",
                    """
                    {"from": "2020-01-02T00:00:00Z", "to": "2020-01-01T00:00:00Z",
                     "rankings": [{"metrics": ["cpu|usage_average"], "objectKind": "VirtualMachine"}]}
                    """)
                .status())
        .isEqualTo(400);
  }

  @Test
  void rollUpsAndViewsAppearByThemselves() {
    await()
        .atMost(Duration.ofSeconds(60))
        .untilAsserted(
            () -> {
              assertThat(count("sample_1h")).isEqualTo(2);
              assertThat(count("views.\"VirtualMachine_cpu\"")).isEqualTo(121);
            });
  }

  @Test
  void jobsAreShownAndCancelled() {
    Jobs jobs = server.context().getBean(Jobs.class);
    JobRun run = jobs.start(Kind.REPLAY, "a capture", "records", true);
    assertThat(admin.get("/jobs?state=running").json().get("items").toString())
        .contains("a capture");
    Answer cancelled = admin.post("/jobs/" + run.id() + "/cancel", "");
    assertThat(cancelled.status()).isEqualTo(202);
    assertThat(cancelled.json().get("state").stringValue()).isEqualTo("cancelling");
    Answer one = admin.get("/jobs/" + run.id());
    assertThat(one.json()).isEqualTo(cancelled.json());
    run.finish();
    assertThat(admin.get("/jobs/" + run.id()).json().get("finishedAt").isNull()).isFalse();
    assertThat(admin.get("/jobs/" + UUID.randomUUID()).status()).isEqualTo(404);
    assertThat(admin.get("/jobs/1").status()).isEqualTo(400);
    assertThat(admin.post("/jobs/" + run.id() + "/cancel", "").status()).isEqualTo(409);
    assertThat(admin.post("/jobs/" + UUID.randomUUID() + "/cancel", "").status()).isEqualTo(404);
  }

  private long count(String table) {
    return data.jdbc().sql("select count(*) from " + table).query(Long.class).single();
  }
}
