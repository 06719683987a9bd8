package io.peerlens.evaluation;

import static org.assertj.core.api.Assertions.assertThat;

import io.peerlens.node.Role;
import io.peerlens.support.ApiClient;
import io.peerlens.support.PeerlensServer;
import io.peerlens.support.SampleData;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** A shard goes from one evaluator to another and back, as it may at any time with several. */
class TurnsIT {

  @Test
  void anEvaluatorThatGetsAShardBackKnowsTheResultsOfTheOther() {
    try (SampleData data = SampleData.create();
        PeerlensServer server =
            PeerlensServer.start(
                data.database(),
                Set.of(Role.EVALUATOR, Role.API),
                "peerlens.evaluation.lag=0s",
                "peerlens.evaluation.shards=1")) {
      Ticks.stopScheduler(server, data);
      ApiClient api = server.admin();
      int set = set(data);
      ApiClient.Answer made =
          api.post(
              "/thresholds",
              """
              {"name": "Busy", "objectKind": {"adapterKind": "VMWARE", "objectKind": "HostSystem"},
               "interval": "5s", "alert": {"impact": "health"},
               "condition": {"type": "metric", "key": "cpu|usage_average", "operator": "gt",
                 "levels": [{"severity": "warning", "bound": {"type": "number", "value": 80}}]}}
              """);
      assertThat(made.status()).as(made.body()).isEqualTo(201);
      Instant now = Instant.now().truncatedTo(ChronoUnit.MINUTES);
      Ticks one = new Ticks(server, now); // what two processes would have
      Ticks other = new Ticks(server, now);
      one.at(now);

      data.sample(now.plusSeconds(1), set, 97);
      one.at(now.plusSeconds(5));
      assertThat(status(api)).isEqualTo("new");
      data.sample(now.plusSeconds(6), set, 10);
      other.at(now.plusSeconds(10));
      assertThat(status(api)).isEqualTo("canceled");
      data.sample(now.plusSeconds(11), set, 97);
      one.at(now.plusSeconds(15));
      assertThat(status(api)).isEqualTo("updated");
      assertThat(alert(api).get("flaps").asInt()).isEqualTo(1);
      data.sample(now.plusSeconds(16), set, 10);
      one.at(now.plusSeconds(20));
      assertThat(status(api)).isEqualTo("canceled");
      assertThat(api.get("/evaluation").json().get("shards").findValuesAsString("error")).isEmpty();
    }
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

  private static String status(ApiClient api) {
    return alert(api).path("state").asString();
  }

  private static JsonNode alert(ApiClient api) {
    return api.get("/alerts?from=2020-01-01T00:00:00Z").json().get("items").path(0);
  }
}
