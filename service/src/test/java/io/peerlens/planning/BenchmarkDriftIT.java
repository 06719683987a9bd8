package io.peerlens.planning;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.peerlens.node.Role;
import io.peerlens.support.ApiClient.Answer;
import io.peerlens.support.PeerlensServer;
import io.peerlens.support.SampleData;
import io.peerlens.support.TestKafka;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Locale;
import java.util.Set;
import java.util.UUID;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.springframework.core.io.ClassPathResource;
import tools.jackson.databind.JsonNode;

/** Runs that are worse than their references, from the upload to the alert and its end. */
class BenchmarkDriftIT {

  private static final Path FIO = Path.of("src/test/resources/benchmark-runs/fio-8k-70/fio.json");
  private static final Pattern IOPS = Pattern.compile("\"iops\" : ([0-9.]+)");

  private static SampleData data;
  private static PeerlensServer server;
  private static UUID cluster;

  @BeforeAll
  static void start() throws IOException {
    data = SampleData.create();
    data.object("VMWARE", "ClusterComputeResource", "prod");
    cluster =
        data.jdbc().sql("select uuid from object where name = 'prod'").query(UUID.class).single();
    String topic = "benchmark-drift-" + UUID.randomUUID();
    TestKafka.createTopic(TestKafka.shared().bootstrap(), topic, 1);
    server =
        PeerlensServer.start(
            data.database(),
            Set.of(Role.API, Role.INGEST, Role.EVALUATOR),
            "peerlens.ingest.bootstrap-servers=" + TestKafka.shared().bootstrap(),
            "peerlens.ingest.topic=" + topic,
            "peerlens.ingest.group=" + topic,
            "peerlens.ingest.dead-letter-topic=" + topic + "-dead",
            "peerlens.evaluation.lag=1s");
    // The pack, judged more often.
    String rules =
        new ClassPathResource("rule-packs/benchmark-drift.json")
            .getContentAsString(StandardCharsets.UTF_8)
            .replace("\"1m\"", "\"5s\"");
    Answer pack = server.admin().post("/rules/import", rules);
    assertThat(pack.status()).as(pack.body()).isEqualTo(200);
  }

  @AfterAll
  static void stop() {
    server.close();
    data.close();
  }

  /** Imports a run whose IOPS are so many times those of the file. */
  private static String imported(double times) throws IOException {
    String json =
        IOPS.matcher(Files.readString(FIO))
            .replaceAll(
                found ->
                    String.format(
                        Locale.ROOT,
                        "\"iops\" : %.3f",
                        Double.parseDouble(found.group(1)) * times));
    Answer answer =
        server
            .admin()
            .upload(
                "/benchmark-runs?object=" + cluster,
                "application/json",
                json.getBytes(StandardCharsets.UTF_8));
    assertThat(answer.status()).as(answer.body()).isEqualTo(202);
    String id = answer.json().path("id").asString();
    await()
        .atMost(Duration.ofSeconds(60))
        .until(
            () ->
                !server
                    .admin()
                    .get("/benchmark-imports/" + id)
                    .json()
                    .path("state")
                    .asString()
                    .equals("reading"));
    return server
        .admin()
        .get("/benchmark-runs?benchmarkImport=" + id)
        .json()
        .at("/items/0/id")
        .asString();
  }

  private static void reference(String run, boolean is) {
    Answer answer =
        server.admin().send("PATCH", "/benchmark-runs/" + run, "{\"reference\": " + is + "}");
    assertThat(answer.status()).as(answer.body()).isEqualTo(200);
  }

  private static JsonNode alerts() {
    Answer answer = server.admin().get("/alerts");
    assertThat(answer.status()).as(answer.body()).isEqualTo(200);
    return answer.json().path("items");
  }

  @Test
  void aRunThatIsWorseThanItsReferencesRaisesAnAlertUntilItIsRepeated() throws IOException {
    reference(imported(1), true);
    reference(imported(1.01), true);
    reference(imported(0.99), true);
    String held = imported(1.005);
    String missed = imported(0.8);

    JsonNode run = server.admin().get("/benchmark-runs/" + missed).json();
    assertThat(run.path("driftAlert").asBoolean()).isTrue();
    assertThat(run.path("drift").asString()).startsWith("Worse than the 3 reference runs: IOPS ");
    assertThat(server.admin().get("/benchmark-runs/" + held).json().path("driftAlert").asBoolean())
        .isFalse();
    await()
        .atMost(Duration.ofSeconds(60))
        .untilAsserted(
            () -> {
              assertThat(alerts()).hasSize(1);
              assertThat(alerts().toString())
                  .contains(missed)
                  .contains("Worse than the 3 reference runs: IOPS ");
            });

    // Repeated, and as good as before: the older run is not judged any longer.
    imported(1);
    await().atMost(Duration.ofSeconds(60)).untilAsserted(() -> assertThat(alerts()).isEmpty());
    await()
        .atMost(Duration.ofSeconds(30))
        .untilAsserted(
            () ->
                assertThat(
                        server
                            .admin()
                            .get("/objects/" + missed)
                            .json()
                            .at("/properties/run|drift")
                            .asString())
                    .startsWith("Not judged: "));
  }
}
