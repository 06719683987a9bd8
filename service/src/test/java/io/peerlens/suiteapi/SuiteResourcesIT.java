package io.peerlens.suiteapi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.peerlens.node.Role;
import io.peerlens.suiteapi.SuiteClient.Got;
import io.peerlens.support.PeerlensServer;
import io.peerlens.support.SampleData;
import io.peerlens.support.TestKafka;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import tools.jackson.databind.JsonNode;

/** Resources that programs create, relate, fill and delete, and what is usual of their values. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class SuiteResourcesIT {

  private static final UUID VM = SampleData.uuid("VirtualMachine", "web-1");
  private static final UUID HOST = SampleData.uuid("HostSystem", "esx-1");

  private final Instant hour = Instant.now().truncatedTo(ChronoUnit.HOURS);

  private SampleData data;
  private PeerlensServer server;
  private SuiteClient client;

  @BeforeAll
  void start() {
    data = SampleData.create();
    int host = data.object("VMWARE", "HostSystem", "esx-1");
    int vm = data.object("VMWARE", "VirtualMachine", "web-1");
    data.sql("insert into relation (parent_id, child_id) values (%d, %d)".formatted(host, vm));
    int group = data.group("VMWARE", "VirtualMachine", "cpu", List.of("usage_average"));
    int set = data.set(vm, group, "");
    int core = data.set(vm, group, "0");
    try (SampleData.Samples rows = data.samples()) {
      for (int i = 0; i < 12; i++) {
        rows.add(hour.minus(Duration.ofMinutes(5L * i + 1)), set, 100 - i);
        rows.add(hour.minus(Duration.ofMinutes(5L * i + 1)), core, 50);
      }
    }
    learned(group, set);
    String topic = "suite-resources-" + UUID.randomUUID();
    TestKafka.createTopic(TestKafka.shared().bootstrap(), topic, 1);
    server =
        PeerlensServer.start(
            data.database(),
            Set.of(Role.API, Role.INGEST),
            "peerlens.ingest.bootstrap-servers=" + TestKafka.shared().bootstrap(),
            "peerlens.ingest.topic=" + topic,
            "peerlens.ingest.group=" + topic,
            "peerlens.ingest.dead-letter-topic=" + topic + "-dead",
            "peerlens.load.requests-per-second=1000");
    client = SuiteClient.admin(server);
  }

  /** The hour before this one is known: usually from 40 to 60. */
  private void learned(int group, int set) {
    Instant last = hour.minus(Duration.ofHours(1));
    Instant day = last.truncatedTo(ChronoUnit.DAYS);
    long block =
        data.jdbc()
            .sql(
                """
                insert into learned_block (group_id, day, first_position, width, sets, set_ids, empty_ids, state, days, spread,
                  learning, learned, few_valued, constant, computed_at, since)
                values (:group, :day, 0, 1, 1, :sets, '{}', :state, :days, :spread, 0, 1, 0, 0, now(), :day) returning id
                """)
            .param("group", group)
            .param("day", SampleData.time(day))
            .param("sets", new Integer[] {set})
            .param("state", new byte[] {2})
            .param("days", new byte[] {28})
            .param("spread", floats(0))
            .query(Long.class)
            .single();
    data.jdbc()
        .sql("insert into learned_band (block_id, hour, lower, upper) values (?, ?, ?, ?)")
        .params(block, (int) Duration.between(day, last).toHours(), floats(40), floats(60))
        .update();
  }

  private static byte[] floats(float... values) {
    ByteBuffer bytes = ByteBuffer.allocate(4 * values.length).order(ByteOrder.BIG_ENDIAN);
    for (float value : values) {
      bytes.putFloat(value);
    }
    return bytes.array();
  }

  @AfterAll
  void stop() {
    client.close();
    server.close();
    data.close();
  }

  private String create(String name) {
    return client
        .post(
            "/api/resources/adapterkinds/Plant",
            """
            {"resourceKey": {"name": "%s", "adapterKindKey": "Plant", "resourceKindKey": "Pump", "resourceIdentifiers": []}}
            """
                .formatted(name))
        .is(201)
        .json()
        .get("identifier")
        .stringValue();
  }

  private List<String> related(String id, String type) {
    return client
        .get("/api/resources/" + id + "/relationships?relationshipType=" + type)
        .is(200)
        .json()
        .get("resourceList")
        .valueStream()
        .map(one -> one.get("identifier").stringValue())
        .sorted()
        .toList();
  }

  private static String uuids(Object... ids) {
    List<String> all = new ArrayList<>();
    for (Object id : ids) {
      all.add("\"" + id + "\"");
    }
    return "{\"uuids\": [" + String.join(", ", all) + "]}";
  }

  @Test
  void relationsOfPushedResourcesAreAddedReplacedAndTakenAway() {
    String pump = create("pump-a");
    String valve = create("valve-a");
    String other = create("valve-b");
    String path = "/api/resources/" + pump + "/relationships/";
    assertThat(client.post(path + "CHILD", uuids(valve, VM)).is(204).body()).isEmpty();
    assertThat(related(pump, "CHILD")).containsExactlyInAnyOrder(valve, VM.toString());
    assertThat(related(VM.toString(), "PARENT"))
        .as("its host stays")
        .containsExactlyInAnyOrder(pump, HOST.toString());
    client.post(path + "children", uuids(other)).is(204);
    assertThat(related(pump, "CHILD")).containsExactlyInAnyOrder(valve, other, VM.toString());

    client.put(path + "CHILD", uuids(other)).is(204);
    assertThat(related(pump, "CHILD")).containsExactly(other);
    assertThat(related(VM.toString(), "PARENT")).containsExactly(HOST.toString());
    client.delete("/api/resources/" + other + "/relationships/PARENT/" + pump).is(204);
    assertThat(related(pump, "CHILD")).isEmpty();
    client.delete(path + "CHILD/" + other).is(404);

    client.post("/api/resources/" + VM + "/relationships/PARENT", uuids(pump)).is(204);
    assertThat(related(pump, "CHILD")).containsExactly(VM.toString());
    client.put(path + "CHILD", "{\"uuids\": []}").is(204);
    assertThat(related(pump, "CHILD")).isEmpty();

    client.post(path + "CHILD", uuids(pump)).is(400);
    client.post(path + "CHILD", "{}").is(400);
    client.post(path + "COUSIN", uuids(valve)).is(400);
    client.post(path + "CHILD", uuids(UUID.randomUUID())).is(404);
    assertThat(
            client
                .post("/api/resources/" + HOST + "/relationships/CHILD", uuids(VM))
                .is(400)
                .json()
                .get("message")
                .stringValue())
        .contains("what their source says");
    assertThat(server.admin().get("/audit?limit=50").body()).contains("changeRelations");
  }

  @Test
  void aPushedResourceIsDeletedAndComesBackWhenItIsCreatedAgain() {
    String id = create("pump-gone");
    client.delete("/api/resources/" + id).is(204);
    client.get("/api/resources/" + id).is(404);
    client.delete("/api/resources/" + id).is(404);
    assertThat(
            client
                .get("/api/resources?name=pump-gone")
                .json()
                .get("pageInfo")
                .get("totalCount")
                .intValue())
        .isZero();
    assertThat(create("pump-gone")).isEqualTo(id);
    client.get("/api/resources/" + id).is(200);
    client.delete("/api/resources/" + UUID.randomUUID()).is(404);
    assertThat(client.delete("/api/resources/" + VM).is(400).json().get("message").stringValue())
        .contains("comes from a source");
  }

  @Test
  void valuesOfManyResourcesArePushedAtOnce() {
    int many = 200;
    long time = hour.minus(Duration.ofMinutes(30)).toEpochMilli();
    List<String> ids = new ArrayList<>();
    StringBuilder body = new StringBuilder("{\"resource-stat-content\": [");
    for (int i = 0; i < many; i++) {
      ids.add(create("meter-" + i));
      body.append(i == 0 ? "" : ",")
          .append(
              """
              {"id": "%s", "stat-contents": [{"statKey": "flow|rate", "timestamps": [%d], "data": [%d.5]},
                {"statKey": "flow|state", "timestamps": [%d], "values": ["open %d"]}]}
              """
                  .formatted(ids.get(i), time, i, time, i));
    }
    client.post("/api/resources/stats", body.append("]}").toString()).is(200);
    String query =
        "{\"resourceId\": [\"" + String.join("\", \"", ids) + "\"], \"statKey\": [\"flow|rate\"]}";
    await()
        .atMost(Duration.ofSeconds(60))
        .untilAsserted(
            () ->
                assertThat(
                        client
                            .post("/api/resources/stats/latest/query", query)
                            .json()
                            .get("values")
                            .size())
                    .isEqualTo(many));
    JsonNode values =
        client.post("/api/resources/stats/latest/query", query).is(200).json().get("values");
    for (JsonNode one : values) {
      int number = ids.indexOf(one.get("resourceId").stringValue());
      assertThat(one.get("stat-list").get("stat").get(0).get("data").toString())
          .isEqualTo("[" + number + ".5]");
    }
    JsonNode properties =
        client
            .post(
                "/api/resources/properties/latest/query",
                "{\"resourceIds\": [\"%s\"], \"propertyKeys\": [\"flow|state\"]}"
                    .formatted(ids.get(7)))
            .is(200)
            .json();
    assertThat(properties.toString()).contains("open 7");
    Got missing =
        client.post(
            "/api/resources/stats",
            """
            {"resource-stat-content": [{"id": "%s", "stat-contents": [{"statKey": "a|b", "timestamps": [1], "data": [1]}]}]}
            """
                .formatted(UUID.randomUUID()));
    missing.is(404);
  }

  @Test
  void howManyValuesAndOfWhatIsUpToTheRequest() {
    String path = "/api/resources/" + VM + "/stats";
    JsonNode two =
        client
            .get(path + "?statKey=cpu%7Cusage_average&latestMaxSamples=2")
            .is(200)
            .json()
            .get("values")
            .get(0)
            .get("stat-list")
            .get("stat")
            .get(0);
    assertThat(two.get("data").toString()).isEqualTo("[99.0,100.0]");
    assertThat(two.get("timestamps").size()).isEqualTo(2);
    assertThat(
            client
                .get(path + "?statKey=cpu%7Cusage_average&maxSamples=2")
                .json()
                .get("values")
                .get(0)
                .get("stat-list")
                .get("stat")
                .get(0)
                .get("data")
                .size())
        .as("maxSamples is for the latest only")
        .isEqualTo(12);
    assertThat(client.get(path + "/latest").json().toString()).contains("cpu:0|usage_average");
    assertThat(client.get(path + "/latest?metrics=true").json().toString())
        .contains("cpu|usage_average")
        .doesNotContain("cpu:0|usage_average");
    assertThat(client.get(path + "/latest?wrapStatValues=true").body())
        .startsWith("{\"values\":[{\"resourceId\":");
    client.get(path + "?latestMaxSamples=0").is(400);
  }

  @Test
  void dynamicThresholdsAreTheLearnedBounds() {
    long begin = hour.minus(Duration.ofHours(1)).toEpochMilli();
    JsonNode stat =
        client
            .post(
                "/api/resources/stats/dt/query",
                """
                {"resourceIds": ["%s"], "statKeys": ["cpu|usage_average"], "begin": %d, "end": %d}
                """
                    .formatted(VM, begin, hour.toEpochMilli() - 1))
            .is(200)
            .json()
            .get("values")
            .get(0)
            .get("stat-list")
            .get("stat")
            .get(0);
    assertThat(stat.get("dtTimestamps").toString()).isEqualTo("[" + begin + "]");
    assertThat(stat.get("minThresholdData").toString()).isEqualTo("[40.0]");
    assertThat(stat.get("maxThresholdData").toString()).isEqualTo("[60.0]");
    assertThat(stat.get("smoothValues").toString()).isEqualTo("[50.0]");
    assertThat(stat.get("data").size()).isEqualTo(12);
    assertThat(
            client
                .get(
                    "/api/resources/"
                        + VM
                        + "/stats/dt?statKey=cpu%7Cusage_average&showSmooth=false")
                .is(200)
                .json()
                .toString())
        .contains("minThresholdData")
        .doesNotContain("smoothValues");
    client.get("/api/resources/" + VM + "/stats/dt").is(400);
  }

  @Test
  void oneCollectorHasAllAdapterInstancesAndThereAreNoCredentials() {
    JsonNode collector = client.get("/api/collectors").is(200).json().get("collector").get(0);
    assertThat(collector.get("state").stringValue()).isEqualTo("UP");
    JsonNode adapters =
        client
            .get("/api/collectors/" + collector.get("id").stringValue() + "/adapters")
            .is(200)
            .json()
            .get("adapterInstancesInfoDto");
    assertThat(collector.get("adapterInstanceIds").size()).isEqualTo(adapters.size()).isPositive();
    assertThat(adapters.get(0).get("collectorId").toString())
        .isEqualTo(collector.get("id").stringValue());
    JsonNode group =
        client.get("/api/collectorgroups").is(200).json().get("collectorGroups").get(0);
    assertThat(group.get("collectorId").toString()).isEqualTo("[1]");
    client.get("/api/collectorgroups/" + group.get("id").stringValue()).is(200);
    client.get("/api/collectorgroups/7").is(404);
    client.get("/api/collectors/7/adapters").is(404);
    assertThat(client.get("/api/credentials").is(200).body())
        .isEqualTo("{\"credentialInstances\":[]}");
    assertThat(client.get("/api/credentialkinds").is(200).body())
        .isEqualTo("{\"credentialTypes\":[]}");
  }

  @Test
  void wrongPasswordsAreBraked() {
    PeerlensServer own =
        PeerlensServer.start(
            data.database(), Set.of(Role.API), "peerlens.security.sign-in-attempts=3");
    try (SuiteClient stranger = new SuiteClient(own.url(), null)) {
      List<Integer> statuses = new ArrayList<>();
      Got last = null;
      for (int i = 0; i < 5; i++) {
        last =
            stranger.post(
                "/api/auth/token/acquire",
                "{\"username\": \"admin\", \"password\": \"guess %d\"}".formatted(i));
        statuses.add(last.status());
      }
      assertThat(statuses).startsWith(401, 401, 401).endsWith(429);
      assertThat(last).isNotNull();
      assertThat(last.response().headers().firstValue("Retry-After")).isPresent();
      assertThat(last.json().get("httpStatusCode").intValue()).isEqualTo(429);
    } finally {
      own.close();
    }
  }
}
