package io.peerlens.capacity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.awaitility.Awaitility.await;

import io.peerlens.node.Role;
import io.peerlens.support.ApiClient;
import io.peerlens.support.PeerlensServer;
import io.peerlens.support.SampleData;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** Forecasts from hours in the database to the API, and to metrics of the object. */
class CapacityIT {

  private static final SampleData data = SampleData.create();
  private static final Instant NOW = Instant.now().truncatedTo(ChronoUnit.HOURS);
  private static final Duration MONTH = Duration.ofDays(28);

  private static PeerlensServer server;
  private static ApiClient api;

  @BeforeAll
  static void fill() {
    // Grows by 24 each day and is 1,000 in size; its last day is at 648 to 671.
    int datastore = data.object("VMWARE", "Datastore", "growing");
    int disk = data.group("VMWARE", "Datastore", "disk", List.of("used_latest", "capacity_latest"));
    hours(data.set(datastore, disk, ""), MONTH, "i", "1000");
    int young = data.object("VMWARE", "Datastore", "young");
    hours(data.set(young, disk, ""), Duration.ofDays(6), "i", "1000");
    int silent = data.object("VMWARE", "Datastore", "silent");
    int ofSilent = data.set(silent, disk, "");
    hours(ofSilent, MONTH, "i", "1000");
    data.jdbc()
        .sql("delete from sample_1h where set_id = ? and time >= ?")
        .params(ofSilent, SampleData.time(NOW.minus(Duration.ofDays(4))))
        .update();
    int host = data.object("Telegraf", "Host", "files");
    int files = data.group("Telegraf", "Host", "disk", List.of("free", "used_percent"));
    hours(data.set(host, files, "/"), MONTH, "5", "40 + (i % 3)");
    hours(data.set(host, files, "/var"), MONTH, "5", "30 + i / 24.0");
    int memory = data.group("Telegraf", "Host", "mem", List.of("used_percent"));
    hours(data.set(host, memory, ""), MONTH, "100", "0");
    data.jdbc()
        .sql("update level_state set rolled_until = ? where level in ('5m', '1h')")
        .param(SampleData.time(NOW))
        .update();
    server = PeerlensServer.start(data.database(), Set.of(Role.API, Role.EVALUATOR));
    api = server.admin();
  }

  @AfterAll
  static void close() {
    server.close();
    data.close();
  }

  /** Hours up to now, from formulas over the number of the hour. */
  private static void hours(int set, Duration past, String first, String second) {
    data.jdbc()
        .sql(
            """
            insert into sample_1h (time, set_id, samples, avg)
            select ?::timestamptz + i * interval '1 hour', ?, 12, array[%s, %s]::float8[]
            from generate_series(0, ?::int - 1) i
            """
                .formatted(first, second))
        .params(SampleData.time(NOW.minus(past)), set, (int) past.toHours())
        .update();
  }

  private static JsonNode forecasts(String kind, String name) {
    ApiClient.Answer answer = api.get("/objects/" + SampleData.uuid(kind, name) + "/forecasts");
    assertThat(answer.status()).isEqualTo(200);
    return answer.json().get("items");
  }

  @Test
  void aGrowingDatastoreHasItsTimeRemaining() {
    JsonNode items = forecasts("Datastore", "growing");
    assertThat(items).hasSize(1);
    JsonNode one = items.get(0);
    assertThat(one.get("key").asString()).isEqualTo("disk|used_latest");
    assertThat(one.get("unit").asString()).isEqualTo("unit0");
    assertThat(one.get("limit").asDouble()).isEqualTo(1000);
    assertThat(one.get("perDay").asDouble()).isCloseTo(24, within(1e-9));
    assertThat(one.get("level").asDouble()).isEqualTo(647); // the last hour of the day before
    assertThat(one.get("days").asDouble()).isCloseTo((1000 - 647) / 24.0, within(1e-9));
    assertThat(Instant.parse(one.get("asOf").asString())).isEqualTo(NOW);
  }

  @Test
  void eachFileSystemHasItsOwnAndTheFirstToFillUpComesFirst() {
    JsonNode items = forecasts("Host", "files");
    assertThat(items)
        .extracting(one -> one.get("key").asString())
        .containsExactly("mem|used_percent", "disk:/var|used_percent", "disk:/|used_percent");
    assertThat(items.get(0).get("days").asDouble()).isZero();
    assertThat(items.get(1).get("days").asDouble()).isCloseTo(43, within(1.5));
    assertThat(items.get(2).get("days").asDouble()).isEqualTo(366);
  }

  @Test
  void thereIsNoForecastWithoutAWeekAndTheLastDays() {
    assertThat(forecasts("Datastore", "young")).isEmpty();
    assertThat(forecasts("Datastore", "silent")).isEmpty();
  }

  @Test
  void anObjectThatDoesNotExistIsNotFound() {
    assertThat(api.get("/objects/" + UUID.randomUUID() + "/forecasts").status()).isEqualTo(404);
  }

  @Test
  void theDaysAreMetricsOfTheObject() {
    await()
        .atMost(Duration.ofSeconds(60))
        .untilAsserted(
            () -> {
              assertThat(newest("Datastore", "growing"))
                  .containsEntry(
                      "OnlineCapacityAnalytics|diskspace|timeRemaining", (1000 - 647) / 24.0)
                  .containsEntry("OnlineCapacityAnalytics|timeRemaining", (1000 - 647) / 24.0)
                  .containsKeys(
                      "OnlineCapacityAnalytics|diskspace|timeRemainingEarliest",
                      "OnlineCapacityAnalytics|diskspace|timeRemainingLatest");
              assertThat(newest("Host", "files"))
                  .containsEntry("OnlineCapacityAnalytics:/|diskspace|timeRemaining", 366.0)
                  .containsEntry("OnlineCapacityAnalytics|mem|timeRemaining", 0.0)
                  .containsEntry("OnlineCapacityAnalytics|timeRemaining", 0.0);
            });
    assertThat(newest("Datastore", "young").keySet())
        .noneMatch(key -> key.startsWith("OnlineCapacityAnalytics"));
  }

  private static Map<String, Double> newest(String kind, String name) {
    Map<String, Double> values = new HashMap<>();
    for (JsonNode metric :
        api.get("/objects/" + SampleData.uuid(kind, name) + "/metrics?newest=true")
            .json()
            .get("items")) {
      if (metric.hasNonNull("newestValue")) {
        values.put(metric.get("key").asString(), metric.get("newestValue").asDouble());
      }
    }
    return values;
  }
}
