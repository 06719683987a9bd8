package io.peerlens.alert;

import static org.assertj.core.api.Assertions.assertThat;

import io.peerlens.node.Role;
import io.peerlens.support.AlertRow;
import io.peerlens.support.ApiClient;
import io.peerlens.support.PeerlensServer;
import io.peerlens.support.SampleData;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/**
 * What alerts say of their objects and of all objects above them. A virtual machine is below a host
 * and below a pool, both of the cluster; it must count once there.
 *
 * <pre>
 * dc - cluster - host - vm-1 - datastore
 *              \ pool / \ vm-2
 * </pre>
 */
class HealthIT {

  private static SampleData data;
  private static PeerlensServer server;
  private static ApiClient api;
  private static final Map<String, Integer> ids = new HashMap<>();
  private static final Map<String, UUID> uuids = new HashMap<>();

  @BeforeAll
  static void start() {
    data = SampleData.create();
    object("dc", "Datacenter");
    object("cluster", "ClusterComputeResource", "dc");
    object("host", "HostSystem", "cluster");
    object("pool", "ResourcePool", "cluster");
    object("vm-1", "VirtualMachine", "host", "pool");
    object("vm-2", "VirtualMachine", "host");
    object("datastore", "Datastore", "vm-1");
    object("other", "HostSystem", "dc");
    alert("vm-1", "health", 4);
    alert("vm-1", "health", 2);
    alert("vm-1", "risk", 1);
    alert("vm-2", "efficiency", 3);
    alert("cluster", "health", 3);
    alert("datastore", "risk", 2);
    AlertRow.of(UUID.randomUUID(), uuid("vm-2")).severity(4).event("acknowledged").insert(data);
    AlertRow.of(UUID.randomUUID(), uuid("vm-2")).severity(4).suspended().insert(data);
    AlertRow.of(UUID.randomUUID(), uuid("host")).severity(4).inMaintenance().insert(data);
    AlertRow.of(UUID.randomUUID(), uuid("host"))
        .severity(4)
        .canceled(java.time.Instant.now())
        .insert(data);
    server = PeerlensServer.start(data.database(), Set.of(Role.API));
    api = server.admin();
  }

  @AfterAll
  static void stop() {
    server.close();
    data.close();
  }

  private static void object(String name, String kind, String... parents) {
    ids.put(name, data.object("VMWARE", kind, name));
    uuids.put(name, SampleData.uuid(kind, name));
    for (String parent : parents) {
      data.jdbc()
          .sql("insert into relation (parent_id, child_id) values (?, ?)")
          .params(ids.get(parent), ids.get(name))
          .update();
    }
  }

  private static UUID uuid(String name) {
    return java.util.Objects.requireNonNull(uuids.get(name));
  }

  private static void alert(String object, String impact, int severity) {
    AlertRow.of(UUID.randomUUID(), uuid(object)).impact(impact).severity(severity).insert(data);
  }

  /** The worst, then own and below: how many, and the worst of them. */
  private static String badge(String object, String impact) {
    ApiClient.Answer answer = api.get("/objects/" + uuid(object) + "/health");
    assertThat(answer.status()).as(answer.body()).isEqualTo(200);
    return badge(answer.json().get(impact));
  }

  private static String badge(JsonNode badge) {
    return "%s, own %d %s, below %d %s"
        .formatted(
            badge.path("severity").asString("none"),
            badge.get("own").get("count").asInt(),
            badge.get("own").path("severity").asString("none"),
            badge.get("below").get("count").asInt(),
            badge.get("below").path("severity").asString("none"));
  }

  @Test
  void anObjectHasTheWorstOfItsOwnAlertsAndThoseBelow() {
    assertThat(badge("vm-1", "health")).isEqualTo("critical, own 2 critical, below 0 none");
    assertThat(badge("vm-1", "risk")).isEqualTo("warning, own 1 information, below 1 warning");
    assertThat(badge("vm-1", "efficiency")).isEqualTo("none, own 0 none, below 0 none");
    assertThat(badge("datastore", "risk")).isEqualTo("warning, own 1 warning, below 0 none");
    assertThat(badge("other", "health")).isEqualTo("none, own 0 none, below 0 none");
  }

  @Test
  void acknowledgedOnesCountAndSuspendedSuppressedAndCanceledOnesDoNot() {
    assertThat(badge("vm-2", "health")).isEqualTo("critical, own 1 critical, below 0 none");
    assertThat(badge("host", "health")).isEqualTo("critical, own 0 none, below 3 critical");
  }

  @Test
  void ancestorsAtAnyDepthCountEachAlertOnceWhateverWaysLeadToIt() {
    assertThat(badge("pool", "health")).isEqualTo("critical, own 0 none, below 2 critical");
    assertThat(badge("cluster", "health")).isEqualTo("critical, own 1 immediate, below 3 critical");
    assertThat(badge("cluster", "risk")).isEqualTo("warning, own 0 none, below 2 warning");
    assertThat(badge("cluster", "efficiency"))
        .isEqualTo("immediate, own 0 none, below 1 immediate");
    assertThat(badge("dc", "health")).isEqualTo("critical, own 0 none, below 4 critical");
    assertThat(badge("dc", "risk")).isEqualTo("warning, own 0 none, below 2 warning");
  }

  @Test
  void manyAreAnsweredInTheOrderOfTheQuestionWithoutThoseThatDoNotExist() {
    ApiClient.Answer answer =
        api.post(
            "/objects/health/query",
            "{\"ids\": [\"%s\", \"%s\", \"%s\"]}"
                .formatted(uuid("dc"), UUID.randomUUID(), uuid("vm-2")));
    assertThat(answer.status()).as(answer.body()).isEqualTo(200);
    JsonNode items = answer.json().get("items");
    assertThat(items.size()).isEqualTo(2);
    assertThat(items.get(0).get("object").get("name").asString()).isEqualTo("dc");
    assertThat(badge(items.get(0).get("health")))
        .isEqualTo("critical, own 0 none, below 4 critical");
    assertThat(badge(items.get(1).get("efficiency")))
        .isEqualTo("immediate, own 1 immediate, below 0 none");
    assertThat(api.get("/objects/" + UUID.randomUUID() + "/health").status()).isEqualTo(404);
  }
}
