package io.peerlens.series;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.peerlens.job.JobRecord.Kind;
import io.peerlens.job.JobRun;
import io.peerlens.job.Jobs;
import io.peerlens.role.Role;
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
  void answersSeries() {
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
  void saysWhatWouldDoWhenTooMuchIsAskedFor() {
    Answer answer = admin.post("/series/query", query(", \"step\": \"1s\""));
    assertThat(answer.status()).isEqualTo(400);
    assertThat(answer.json().get("code").stringValue()).isEqualTo("too-many-points");
    assertThat(answer.json().get("hint").stringValue())
        .isEqualTo("Use a step of at least 20s, or fewer objects.");
  }

  @Test
  void refusesAWindowThatEndsBeforeItBegins() {
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
  void refusesAZoneThatIsNone() {
    Answer answer =
        admin.post("/series/query", query(", \"step\": \"1d\", \"zone\": \"Mars/Olympus\""));
    assertThat(answer.status()).isEqualTo(400);
    assertThat(answer.json().get("errors").get(0).get("field").stringValue()).isEqualTo("zone");
    assertThat(answer.json().get("hint").stringValue()).contains("Europe/Berlin");
  }

  @Test
  void answersNewestValues() {
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
  void answersRankings() {
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
  void showsJobsAndCancelsThem() {
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
