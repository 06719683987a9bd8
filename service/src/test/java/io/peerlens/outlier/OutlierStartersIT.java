package io.peerlens.outlier;

import static org.assertj.core.api.Assertions.assertThat;

import io.peerlens.outlier.suggest.SuggestionService;
import io.peerlens.support.ApiClient.Answer;
import io.peerlens.support.Capture;
import io.peerlens.support.PeerlensServer;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.jdbc.core.simple.JdbcClient;
import tools.jackson.databind.JsonNode;

/** What is suggested for what a collector really sent. */
@Timeout(300)
class OutlierStartersIT {

  @Test
  void hostsOfEachClusterAndValuesOfEachTagAreOffered() throws Exception {
    Capture capture = Capture.orSkip("telegraf-vsphere/vsphere-main.lp.gz");
    try (PeerlensServer server = capture.stored(key -> key)) {
      JdbcClient jdbc = server.context().getBean(JdbcClient.class);
      jdbc.sql("update object_liveness set last_seen = now()").update();
      server.context().getBean(SuggestionService.class).refresh();
      Answer answer = server.admin().get("/outlier-groups/suggestions");
      assertThat(answer.status()).as(answer.body()).isEqualTo(200);
      Map<String, JsonNode> starters = new TreeMap<>();
      for (JsonNode one : answer.json().path("items")) {
        starters.put(one.path("reason").asString(), one);
      }
      Map<String, Integer> clusters = new TreeMap<>();
      jdbc.sql(
              """
              select c.name, count(*) as hosts from object c join relation r on r.parent_id = c.id join object h on h.id = r.child_id
              where c.object_kind = 'ClusterComputeResource' and h.object_kind = 'HostSystem' group by c.id, c.name having count(*) >= 3
              """)
          .query(
              row -> {
                clusters.put(row.getString("name"), row.getInt("hosts"));
              });
      assertThat(clusters).hasSize(6);
      clusters.forEach(
          (name, hosts) ->
              assertThat(starters.keySet())
                  .contains("%d hosts of the cluster %s".formatted(hosts, name)));
      assertThat(starters.keySet())
          .anyMatch(reason -> reason.matches("\\d+ VMs share the tag app=.*"));
      starters
          .values()
          .forEach(
              one -> {
                Answer preview =
                    server
                        .admin()
                        .post("/outlier-groups/preview", "{\"group\": " + one.path("group") + "}");
                assertThat(preview.status()).as(preview.body()).isEqualTo(200);
                assertThat(preview.json().path("members").asInt())
                    .isEqualTo(one.path("members").asInt());
              });
    }
  }
}
