package io.peerlens.evaluation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.peerlens.node.Role;
import io.peerlens.support.ApiClient;
import io.peerlens.support.PeerlensServer;
import io.peerlens.support.SampleData;
import java.time.Duration;
import java.time.Instant;
import java.util.Set;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** A tick whose samples ingest has not stored yet waits, and says for what. */
class WaitingTicksIT {

  @Test
  void aTickThatWaitsForIngestReportsThatUntilItIsStored() {
    try (SampleData data = SampleData.create()) {
      data.sql(
          "insert into ingest_reading (since, until) values (now() - interval '1 day', now())");
      data.sql(
          """
          insert into ingest_node (node, started_at, updated_at, partitions, mappings, minute, new_objects, new_metrics, trouble, stored_until)
          values ('slow', now(), now() + interval '1 hour', '[]', '[]', now(), 0, 0, '', now() + interval '1 hour')
          """);
      try (PeerlensServer server =
          PeerlensServer.start(
              data.database(),
              Set.of(Role.EVALUATOR, Role.API),
              "peerlens.evaluation.shards=1",
              "peerlens.evaluation.lag=1s")) {
        ApiClient admin = server.admin();
        awaitEvaluated(admin, Instant.EPOCH);
        Instant before = Instant.now();
        data.sql("update ingest_node set stored_until = now() - interval '10 minutes'");
        await()
            .atMost(Duration.ofSeconds(60))
            .untilAsserted(
                () ->
                    assertThat(shard(admin).path("waitsFor").asString(""))
                        .startsWith("ingest, which has stored what came until "));
        assertThat(Instant.parse(shard(admin).path("waitingSince").asString()))
            .isBetween(before, Instant.now());

        data.sql("update ingest_node set stored_until = now() + interval '1 hour'");
        awaitEvaluated(admin, Instant.now());
        assertThat(shard(admin).has("waitsFor")).isFalse();
        assertThat(shard(admin).has("waitingSince")).isFalse();
      }
    }
  }

  private static void awaitEvaluated(ApiClient admin, Instant after) {
    await()
        .atMost(Duration.ofSeconds(60))
        .until(
            () ->
                Instant.parse(shard(admin).path("evaluatedAt").asString("1970-01-01T00:00:00Z"))
                    .isAfter(after));
  }

  private static JsonNode shard(ApiClient admin) {
    return admin.get("/evaluation").json().path("shards").path(0);
  }
}
