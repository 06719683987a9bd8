package io.peerlens.evaluation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.peerlens.node.Role;
import io.peerlens.support.ApiClient;
import io.peerlens.support.PeerlensServer;
import io.peerlens.support.SampleData;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** Super metrics from the API to stored values and back, by the loop as it runs in production. */
class EvaluationIT {

  private static final String[] SETTINGS = {
    "peerlens.evaluation.lag=1s", "peerlens.evaluation.catch-up=1m"
  };

  private static final String WAITING_FOR_LOCKS =
      "select count(*) from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'";
  private static final String UPKEEP_IS_DUE =
      """
      update scheduled_tasks set execution_time = now()
      where not picked and task_name in ('roll-up-part', 'flow-roll-up', 'retention', 'talker-retention', 'learning-part', 'anomaly-counts')
      """;
  private static final String SHARDS_SINCE =
      "select count(*) from evaluation_shard where rules = 1 and last_tick > ?";
  private static final String SHARDS_WITH_RESULTS =
      "select count(*) from evaluation_shard where rules = 1 and results > 0";

  @Test
  void resultsAreOrdinaryMetricsAndMissedTicksAreCaughtUpWithinBounds() {
    try (SampleData data = SampleData.create()) {
      int vm = vm(data);
      String id;
      try (PeerlensServer server =
          PeerlensServer.start(data.database(), Set.of(Role.EVALUATOR, Role.API), SETTINGS)) {
        ApiClient admin = server.admin();
        id = create(admin, "Half", "${this, metric=cpu|usage_average} / 2");
        String failing = create(admin, "No such key", "${this, metric=cpu|no_such_metric}");
        String key = "Super Metric|sm_" + id;
        await()
            .atMost(Duration.ofSeconds(60))
            .untilAsserted(() -> assertThat(latest(admin, key)).isEqualTo(21));
        JsonNode metrics =
            admin.get("/objects/" + SampleData.uuid("VirtualMachine", "vm") + "/metrics").json();
        assertThat(metrics.toString()).contains(key);
        JsonNode state = admin.get("/super-metrics/" + id + "/state").json();
        assertThat(state.toString()).contains("\"computed\":1");
        await() // it was stored later, perhaps after the tick of the first
            .atMost(Duration.ofSeconds(60))
            .untilAsserted(
                () ->
                    assertThat(admin.get("/super-metrics/" + failing + "/state").body())
                        .contains("unknown-key"));
        await() // shards without rules may have their first tick later
            .atMost(Duration.ofSeconds(60))
            .untilAsserted(
                () ->
                    assertThat(admin.get("/evaluation").json().get("shards").size()).isEqualTo(4));
        JsonNode shards = admin.get("/evaluation").json().get("shards");
        assertThat(shards.findValuesAsString("error")).isEmpty();
      }
      // an hour away: one minute of it is made up for, the rest is counted
      data.sql(
          "update evaluation_shard set last_tick = date_trunc('minute', now()) - interval '1 hour',"
              + " skipped_ticks = 0");
      data.sql("update super_metric set interval_s = 5");
      try (PeerlensServer again =
          PeerlensServer.start(data.database(), Set.of(Role.EVALUATOR), SETTINGS)) {
        assertThat(again.url()).isNotEmpty();
        await()
            .atMost(Duration.ofSeconds(60))
            .untilAsserted(
                () -> {
                  List<Long> skipped =
                      data.jdbc()
                          .sql(
                              "select skipped_ticks from evaluation_shard where rules = 2 and last_tick > now() - interval '20 s'")
                          .query(Long.class)
                          .list();
                  assertThat(skipped).hasSize(1);
                  // 59 minutes, and what the minute had of seconds and the start took
                  assertThat(skipped.getFirst()).isBetween(690L, 760L);
                });
      }
      assertThat(vm).isPositive();
    }
  }

  /** Upkeep can take minutes: a day that is learned, an hour of flows that is rolled up. */
  @Test
  void ticksContinueWhileMaintenanceJobsAreBusy() throws SQLException {
    try (SampleData data = SampleData.create();
        Connection upkeep = data.dataSource().getConnection();
        Statement statement = upkeep.createStatement()) {
      vm(data);
      try (PeerlensServer server =
          PeerlensServer.start(data.database(), Set.of(Role.EVALUATOR, Role.API), SETTINGS)) {
        create(server.admin(), "Half", "${this, metric=cpu|usage_average} / 2");
        await()
            .atMost(Duration.ofSeconds(60))
            .untilAsserted(() -> assertThat(count(data, SHARDS_WITH_RESULTS)).isPositive());
        upkeep.setAutoCommit(false);
        statement.execute(
            "lock table level_state, flow_level_state, learned_block in access exclusive mode");
        data.sql(UPKEEP_IS_DUE);
        await()
            .atMost(Duration.ofSeconds(60))
            .untilAsserted(
                () -> assertThat(count(data, WAITING_FOR_LOCKS)).isGreaterThanOrEqualTo(4));
        Instant busy = Instant.now();
        await()
            .atMost(Duration.ofSeconds(60))
            .untilAsserted(
                () ->
                    assertThat(count(data, SHARDS_SINCE, SampleData.time(busy)))
                        .as("ticks after %s; %s", busy, state(data))
                        .isPositive());
        upkeep.rollback();
      }
    }
  }

  private static int count(SampleData data, String sql, Object... parameters) {
    return data.jdbc().sql(sql).params(parameters).query(Integer.class).single();
  }

  /** What the shards and the sessions of the database are at, for the message of a failure. */
  private static String state(SampleData data) {
    return data.jdbc()
        .sql(
            """
            select string_agg(line, e'\n')
            from (select row(s.*)::text as line from evaluation_shard s
                  union all
                  select concat_ws(' ', application_name, state, wait_event_type, wait_event, left(query, 200))
                  from pg_stat_activity where datname = current_database()) state
            """)
        .query(String.class)
        .single();
  }

  private static int vm(SampleData data) {
    int group = data.group("VMWARE", "VirtualMachine", "cpu", List.of("usage_average"));
    int vm = data.object("VMWARE", "VirtualMachine", "vm");
    int set = data.set(vm, group, "");
    data.sample(Instant.now().minusSeconds(30), set, 42);
    data.sql("update inventory_version set version = version + 1");
    return vm;
  }

  private static String create(ApiClient admin, String name, String formula) {
    ApiClient.Answer created =
        admin.post(
            "/super-metrics",
            """
            {"name": "%s", "formula": "%s", "interval": "5s",
             "kinds": [{"adapterKind": "VMWARE", "objectKind": "VirtualMachine"}]}
            """
                .formatted(name, formula));
    assertThat(created.status()).as(created.body()).isEqualTo(201);
    return created.json().get("id").asString();
  }

  private static double latest(ApiClient admin, String key) {
    JsonNode answer =
        admin
            .post(
                "/series/latest",
                "{\"objects\": [\"%s\"], \"metrics\": [\"%s\"]}"
                    .formatted(SampleData.uuid("VirtualMachine", "vm"), key))
            .json();
    JsonNode value = answer.findValue("value");
    return value == null ? Double.NaN : value.asDouble();
  }
}
