package io.peerlens.evaluation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.peerlens.role.Role;
import io.peerlens.support.ApiClient;
import io.peerlens.support.PeerlensServer;
import io.peerlens.support.SampleData;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.support.DefaultListableBeanFactory;
import org.springframework.beans.factory.support.RootBeanDefinition;
import tools.jackson.databind.JsonNode;

/** A shard goes from one evaluator to another and back, as it may at any time with several. */
class TurnsIT {

  @Test
  void anEvaluatorThatGetsAShardBackKnowsWhatAnotherFoundMeanwhile() {
    try (SampleData data = SampleData.create();
        PeerlensServer server =
            PeerlensServer.start(
                data.database(),
                Set.of(Role.EVALUATOR, Role.API),
                "peerlens.evaluation.lag=1s",
                "peerlens.evaluation.shards=1")) {
      Ticks.stopScheduler(server, data);
      ApiClient api = server.admin();
      int set = set(data);
      ApiClient.Answer made =
          api.post(
              "/thresholds",
              """
              {"name": "Busy", "objectKind": {"adapterKind": "VMWARE", "objectKind": "HostSystem"},
               "intervalSeconds": 5, "alert": {"impact": "health"},
               "condition": {"type": "metric", "key": "cpu|usage_average", "operator": "gt",
                 "levels": [{"severity": "warning", "bound": {"type": "number", "value": 80}}]}}
              """);
      assertThat(made.status()).as(made.body()).isEqualTo(201);
      ShardTask one = evaluator(server, "one");
      ShardTask other = evaluator(server, "other");

      data.sample(Instant.now(), set, 97);
      until(one, api, "new");
      data.sample(Instant.now(), set, 10);
      until(other, api, "canceled");
      data.sample(Instant.now(), set, 97);
      until(one, api, "active");
      assertThat(alert(api).get("flaps").asInt()).isEqualTo(1);
      data.sample(Instant.now(), set, 10);
      until(one, api, "canceled");
      assertThat(api.get("/evaluation").json().get("shards").findValuesAsString("error")).isEmpty();
    }
  }

  /** What another process would have. */
  private static ShardTask evaluator(PeerlensServer server, String name) {
    var beans = (DefaultListableBeanFactory) server.context().getBeanFactory();
    var definition =
        new RootBeanDefinition((RootBeanDefinition) beans.getMergedBeanDefinition("shardTask"));
    definition.setScope(RootBeanDefinition.SCOPE_PROTOTYPE);
    definition.setAutowireCandidate(false);
    beans.registerBeanDefinition(name, definition);
    return beans.getBean(name, ShardTask.class);
  }

  private static int set(SampleData data) {
    int group = data.group("VMWARE", "HostSystem", "cpu", List.of("usage_average"));
    int host = data.object("VMWARE", "HostSystem", "esx-01");
    int set = data.set(host, group, "");
    data.jdbc()
        .sql("insert into object_liveness (object_id, last_seen) values (?, now())")
        .param(host)
        .update();
    data.sql("update inventory_version set version = version + 1, sets_version = sets_version + 1");
    return set;
  }

  private static void until(ShardTask evaluator, ApiClient api, String status) {
    await()
        .atMost(Duration.ofSeconds(60))
        .untilAsserted(
            () -> {
              evaluator.run(0);
              assertThat(alert(api).path("status").asString()).isEqualTo(status);
            });
  }

  private static JsonNode alert(ApiClient api) {
    return api.get("/alerts?from=2020-01-01T00:00:00Z").json().get("items").path(0);
  }
}
