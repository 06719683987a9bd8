package io.peerlens.incident;

import static org.assertj.core.api.Assertions.assertThat;

import io.peerlens.node.Role;
import io.peerlens.support.AlertRow;
import io.peerlens.support.ApiClient;
import io.peerlens.support.PeerlensServer;
import io.peerlens.support.SampleData;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/**
 * Incidents as the service keeps them and the API shows them, of alerts, relations and super
 * metrics.
 */
class IncidentsIT {

  private static final Instant START =
      Instant.now().truncatedTo(ChronoUnit.MILLIS).minus(1, ChronoUnit.HOURS);
  private static final UUID MEMORY = UUID.randomUUID();
  private static final UUID READY = UUID.randomUUID();
  private static final UUID SILENT = UUID.randomUUID();
  private static final UUID SUM = UUID.randomUUID();

  private static SampleData data;
  private static PeerlensServer server;
  private static ApiClient api;
  private static IncidentKeeper keeper;
  private static Instant now;
  private static final Map<String, Integer> ids = new TreeMap<>();

  @BeforeAll
  static void start() {
    data = SampleData.create();
    object("Datacenter", "dc");
    object("ClusterComputeResource", "cluster");
    relation("dc", "cluster");
    object("Datastore", "store");
    relation("dc", "store");
    for (String host : List.of("esx-1", "esx-2")) {
      object("HostSystem", host);
      relation("cluster", host);
      for (int m = 1; m <= 4; m++) {
        String machine = host + "-vm-" + m;
        object("VirtualMachine", machine);
        relation(host, machine);
        relation(machine, "store"); // a datastore is a child of what uses it
      }
    }
    server = PeerlensServer.start(data.database(), Set.of(Role.API));
    api = server.admin();
    keeper = TestKeeper.of(data);
  }

  @AfterAll
  static void stop() {
    server.close();
    data.close();
    ids.clear();
  }

  @BeforeEach
  void empty() {
    data.sql("delete from incident");
    data.sql("delete from alert");
    now = START.plus(10, ChronoUnit.MINUTES);
  }

  private static void object(String kind, String name) {
    ids.put(name, data.object("VMWARE", kind, name));
  }

  private static void relation(String parent, String child) {
    data.sql(
        "insert into relation (parent_id, child_id) values (%d, %d)"
            .formatted(ids.get(parent), ids.get(child)));
  }

  private static UUID alert(
      UUID rule, String kind, String object, String key, int severity, int minute) {
    return AlertRow.of(rule, SampleData.uuid(kind, object))
        .symptom(key, rule == SILENT ? "no-data" : "gt")
        .severity(severity)
        .opened(START.plus(minute, ChronoUnit.MINUTES))
        .insert(data);
  }

  /** Those of the present moment. */
  private static JsonNode incidents() {
    now = now.plus(1, ChronoUnit.SECONDS);
    keeper.run(now);
    return get("/incidents");
  }

  private static JsonNode get(String path) {
    ApiClient.Answer answer = api.get(path);
    assertThat(answer.status()).as(answer.body()).isEqualTo(200);
    return answer.json();
  }

  private static void later(int minutes) {
    for (int minute = 0; minute < minutes; minute++) {
      now = now.plus(1, ChronoUnit.MINUTES);
      keeper.run(now);
    }
  }

  private static JsonNode act(JsonNode incident, String body) {
    ApiClient.Answer answer = post(incident, body);
    assertThat(answer.status()).as(answer.body()).isEqualTo(200);
    return answer.json();
  }

  private static ApiClient.Answer post(JsonNode incident, String body) {
    return api.post("/incidents/" + incident.path("number").asLong() + "/actions", body);
  }

  private static void close(UUID alert) {
    data.sql(
        """
        with closed as (
          update alert set status = 'canceled', canceled_at = now(), cancel_reason = 'cleared' where id = '%s' returning id)
        insert into alert_history (alert_id, at, event, severity) select id, now(), 'canceled', 4 from closed
        """
            .formatted(alert));
  }

  private static JsonNode oneIncident() {
    JsonNode found = incidents();
    assertThat(found.path("total").asInt()).isEqualTo(1);
    return found.path("items").path(0);
  }

  private static String steps(JsonNode incident) {
    return get("/incidents/" + incident.path("number").asLong())
        .path("timeline")
        .valueStream()
        .map(step -> step.path("event").asString() + ": " + step.path("text").asString())
        .collect(Collectors.joining("\n"));
  }

  @Test
  void aHostWithoutMemoryExplainsAlertsOfItsMachines() {
    assertThat(incidents().path("total").asInt()).isZero();
    UUID cause = alert(MEMORY, "HostSystem", "esx-1", "mem|usage_average", 4, 0);
    alert(READY, "VirtualMachine", "esx-1-vm-1", "cpu|readiness_average", 3, 4);
    alert(READY, "VirtualMachine", "esx-1-vm-2", "cpu|readiness_average", 3, 4);
    alert(READY, "VirtualMachine", "esx-2-vm-1", "cpu|readiness_average", 3, 4);
    alert(SILENT, "VirtualMachine", "esx-1-vm-3", "sys|uptime_latest", 3, 4);
    alert(SUM, "ClusterComputeResource", "cluster", "mem|usage_average", 2, 6);

    JsonNode found = incidents();

    assertThat(found.path("total").asInt()).isEqualTo(1);
    assertThat(found.path("alone").asInt()).as("another host, and one that is silent").isEqualTo(2);
    JsonNode incident = found.path("items").path(0);
    assertThat(incident.path("title").asString()).isEqualTo("esx-1 is short of memory");
    assertThat(incident.at("/cause/id").asString()).isEqualTo(cause.toString());
    assertThat(incident.at("/cause/object/name").asString()).isEqualTo("esx-1");
    assertThat(incident.path("severity").asString()).isEqualTo("critical");
    assertThat(Instant.parse(incident.path("since").asString())).isEqualTo(START);
    assertThat(incident.path("alertCount").asInt()).isEqualTo(4);
    assertThat(incident.path("objectCount").asInt()).isEqualTo(4);
    assertThat(incident.at("/alerts/0").asString()).isEqualTo(cause.toString());
    assertThat(incident.path("signs").valueStream().map(JsonNode::asString))
        .contains("fits", "before", "in-step");
    assertThat(incident.has("place")).isFalse();
    for (String[] below :
        List.of(
            new String[] {"ClusterComputeResource", "cluster", "1"},
            new String[] {"HostSystem", "esx-1", "1"},
            new String[] {"VirtualMachine", "esx-1-vm-1", "1"},
            new String[] {"VirtualMachine", "esx-1-vm-3", "0"},
            new String[] {"HostSystem", "esx-2", "0"})) {
      JsonNode scoped = get("/incidents?ancestor=" + SampleData.uuid(below[0], below[1]));
      assertThat(scoped.path("total").asText()).as(below[1]).isEqualTo(below[2]);
      assertThat(scoped.path("items")).hasSize(Integer.parseInt(below[2]));
    }
    assertThat(get("/incidents?ancestor=" + new UUID(0, 4711)).path("total").asInt()).isZero();
  }

  @Test
  void anIncidentIsOverTenMinutesAfterItsLastAlert() {
    UUID cause = alert(MEMORY, "HostSystem", "esx-1", "mem|usage_average", 4, 0);
    UUID effect = alert(READY, "VirtualMachine", "esx-1-vm-1", "cpu|readiness_average", 3, 4);
    long number = oneIncident().path("number").asLong();
    close(cause);
    later(5);
    assertThat(oneIncident().path("severity").asString()).isEqualTo("immediate");
    close(effect);
    later(9);
    assertThat(oneIncident().path("openCount").asInt()).isZero();
    later(2);

    JsonNode found = incidents();
    assertThat(found.path("total").asInt()).isZero();
    JsonNode closed = get("/incidents/" + number).path("incident");
    assertThat(closed.path("state").asString()).isEqualTo("closed");
    assertThat(closed.path("end").asString()).isEqualTo("over");
    assertThat(closed.path("title").asString()).isEqualTo("esx-1 was short of memory");
    assertThat(closed.path("worst").asString()).isEqualTo("critical");
    assertThat(closed.path("alertCount").asInt()).isEqualTo(2);
    assertThat(closed.path("alerts").size()).isEqualTo(2);
    assertThat(steps(closed))
        .contains("opened: Opened with 2 alerts of 2 objects")
        .contains("cause-over: The cause is over")
        .contains("severity: Severity fell to immediate")
        .contains("closed: Closed: none of its alerts was open for 10 min");

    alert(MEMORY, "HostSystem", "esx-1", "mem|usage_average", 3, 50);
    alert(READY, "VirtualMachine", "esx-1-vm-2", "cpu|readiness_average", 3, 51);
    JsonNode next = oneIncident();
    assertThat(next.path("number").asLong()).isGreaterThan(number);
    assertThat(get("/incidents/" + next.path("number").asLong()).at("/earlier/0/number").asLong())
        .isEqualTo(number);
    assertThat(get("/incidents?state=any").path("total").asInt()).isEqualTo(2);
    assertThat(get("/alerts?state=any&incident=" + number).path("total").asInt()).isEqualTo(2);
  }

  @Test
  void anAlertStillOpenHalfAnHourAfterItsCauseLeavesTheIncident() {
    UUID cause = alert(MEMORY, "HostSystem", "esx-1", "mem|usage_average", 4, 0);
    UUID effect = alert(READY, "VirtualMachine", "esx-1-vm-1", "cpu|readiness_average", 3, 4);
    JsonNode incident = oneIncident();
    close(cause);
    later(29);
    assertThat(oneIncident().path("openCount").asInt()).isEqualTo(1);

    later(3);

    assertThat(incidents().path("total").asInt()).isZero();
    assertThat(incidents().path("alone").asInt()).isEqualTo(1);
    assertThat(steps(incident))
        .contains("left: 1 alert was still open 30 min after the cause was over, and left");
    assertThat(get("/alerts/" + effect).has("incident")).isFalse();
    assertThat(get("/alerts/" + cause).path("incident").asLong())
        .isEqualTo(incident.path("number").asLong());
  }

  @Test
  void takingAnIncidentTakesItsAlertsAndThoseThatJoin() {
    UUID cause = alert(MEMORY, "HostSystem", "esx-1", "mem|usage_average", 4, 0);
    alert(READY, "VirtualMachine", "esx-1-vm-1", "cpu|readiness_average", 3, 4);
    JsonNode incident = oneIncident();
    act(incident, "{\"action\": \"take\", \"comment\": \"Looking\"}");
    act(incident, "{\"action\": \"acknowledge\"}");
    UUID late = alert(READY, "VirtualMachine", "esx-1-vm-2", "cpu|readiness_average", 3, 5);

    JsonNode taken = oneIncident();

    String me = taken.path("owner").asString();
    assertThat(me).isNotEmpty();
    assertThat(taken.path("acknowledgedBy").asString()).isEqualTo(me);
    assertThat(taken.path("alertCount").asInt()).isEqualTo(3);
    for (UUID one : List.of(cause, late)) {
      JsonNode alert = get("/alerts/" + one);
      assertThat(alert.path("owner").asString()).isEqualTo(me);
      assertThat(alert.path("controlState").asString()).isEqualTo("acknowledged");
      assertThat(alert.path("incident").asLong()).isEqualTo(taken.path("number").asLong());
    }
    assertThat(get("/alerts/" + late + "/history").path("items").valueStream())
        .anyMatch(
            step ->
                step.path("event").asString().equals("incident")
                    && step.path("note").asString().equals("I-" + taken.path("number").asLong()));
    assertThat(steps(taken))
        .contains("owner: Taken by " + me)
        .contains("comment: Looking")
        .contains("joined: 1 alert joined");

    act(incident, "{\"action\": \"release\"}");
    assertThat(get("/alerts/" + late).path("owner").isNull()).isTrue();
  }

  @Test
  void anAlertSplitOffByHandStaysOut() {
    UUID cause = alert(MEMORY, "HostSystem", "esx-1", "mem|usage_average", 4, 0);
    UUID other = alert(READY, "VirtualMachine", "esx-1-vm-1", "cpu|readiness_average", 3, 4);
    alert(READY, "VirtualMachine", "esx-1-vm-2", "cpu|readiness_average", 3, 4);
    JsonNode incident = oneIncident();

    act(incident, "{\"action\": \"split\", \"alerts\": [\"%s\"]}".formatted(other));
    later(3);

    assertThat(oneIncident().path("alertCount").asInt()).isEqualTo(2);
    assertThat(incidents().path("alone").asInt()).isEqualTo(1);
    assertThat(get("/alerts?incident=none").at("/items/0/id").asString())
        .isEqualTo(other.toString());
    assertThat(
            post(incident, "{\"action\": \"split\", \"alerts\": [\"%s\"]}".formatted(cause)).body())
        .contains("names the cause of the incident");
  }

  @Test
  void manualMergesAndEndsAreKept() {
    alert(MEMORY, "HostSystem", "esx-1", "mem|usage_average", 4, 0);
    alert(READY, "VirtualMachine", "esx-1-vm-1", "cpu|readiness_average", 3, 4);
    alert(MEMORY, "HostSystem", "esx-2", "mem|usage_average", 3, 0);
    alert(READY, "VirtualMachine", "esx-2-vm-1", "cpu|readiness_average", 3, 4);
    JsonNode two = incidents();
    assertThat(two.path("total").asInt()).isEqualTo(2);
    JsonNode first = two.at("/items/0");
    JsonNode second = two.at("/items/1");

    act(second, "{\"action\": \"merge\", \"into\": %d}".formatted(first.path("number").asLong()));
    later(3);

    JsonNode merged = oneIncident();
    assertThat(merged.path("number")).isEqualTo(first.path("number"));
    assertThat(merged.path("alertCount").asInt()).isEqualTo(4);
    JsonNode gone = get("/incidents/" + second.path("number").asLong()).path("incident");
    assertThat(gone.path("end").asString()).isEqualTo("merged");
    assertThat(gone.path("mergedInto")).isEqualTo(first.path("number"));
    assertThat(post(second, "{\"action\": \"take\"}").body()).contains("closed incident");

    act(first, "{\"action\": \"end\", \"comment\": \"Known\"}");
    later(3);

    assertThat(incidents().path("total").asInt()).isZero();
    assertThat(incidents().path("alone").asInt()).isEqualTo(4);
  }

  @Test
  void aDeeperCauseTakesTheIncidentOver() {
    alert(READY, "VirtualMachine", "esx-1-vm-1", "disk|maxTotalLatency_latest", 3, 1);
    alert(SUM, "VirtualMachine", "esx-1-vm-1", "virtualDisk|totalWriteLatency_average", 3, 1);
    alert(MEMORY, "VirtualMachine", "esx-1-vm-1", "datastore|totalReadLatency_average", 3, 1);
    JsonNode incident = oneIncident();
    assertThat(incident.at("/cause/object/name").asString()).isEqualTo("esx-1-vm-1");
    alert(MEMORY, "Datastore", "store", "datastore|totalWriteLatency_average", 4, 2);

    JsonNode deeper = oneIncident();

    assertThat(deeper.path("number")).isEqualTo(incident.path("number"));
    assertThat(deeper.path("title").asString()).isEqualTo("store answers slowly");
    assertThat(steps(deeper))
        .contains("cause: Likely cause: store answers slowly")
        .contains("severity: Severity rose to critical");
  }

  @Test
  void anAlertStaysWithItsCauseWhileThatIsOpen() {
    alert(MEMORY, "HostSystem", "esx-1", "mem|usage_average", 3, 0);
    alert(READY, "VirtualMachine", "esx-1-vm-1", "cpu|readiness_average", 2, 1);
    alert(READY, "VirtualMachine", "esx-1-vm-2", "cpu|readiness_average", 2, 1);
    JsonNode incident = oneIncident();
    UUID busy = alert(SUM, "VirtualMachine", "esx-1-vm-3", "cpu|usage_average", 4, 1);
    later(3);

    JsonNode same = oneIncident();

    assertThat(same.path("number")).isEqualTo(incident.path("number"));
    assertThat(same.path("alertCount").asInt())
        .as("none went to what would explain it too")
        .isEqualTo(3);
    assertThat(get("/alerts/" + busy).has("incident")).isFalse();
    alert(READY, "VirtualMachine", "esx-2-vm-1", "cpu|readiness_average", 2, 2);
    alert(SUM, "VirtualMachine", "esx-2-vm-2", "cpu|usage_average", 4, 1);
    JsonNode two = incidents();
    assertThat(two.path("total").asInt()).isEqualTo(2);
    assertThat(two.path("items").valueStream().mapToLong(one -> one.path("number").asLong()).max())
        .as("numbers have no gaps")
        .hasValue(incident.path("number").asLong() + 1);
  }

  @Test
  void severalNodesCreateEachIncidentOnce() throws Exception {
    List<IncidentKeeper> nodes =
        List.of(TestKeeper.of(data), TestKeeper.of(data), TestKeeper.of(data));
    try (ExecutorService threads = Executors.newFixedThreadPool(3)) {
      for (int round = 0; round < 10; round++) {
        String host = round % 2 == 0 ? "esx-1" : "esx-2";
        UUID rule = UUID.randomUUID();
        for (int m = 1; m <= 4; m++) {
          alert(rule, "VirtualMachine", host + "-vm-" + m, "cpu|readiness_average", 2, 5);
        }
        if (round == 0) {
          alert(MEMORY, "HostSystem", "esx-1", "mem|usage_average", 4, 0);
          alert(MEMORY, "HostSystem", "esx-2", "mem|usage_average", 4, 0);
        }
        now = now.plus(1, ChronoUnit.MINUTES);
        Instant moment = now;
        List<Future<?>> runs = new ArrayList<>();
        nodes.forEach(node -> runs.add(threads.submit(() -> node.run(moment))));
        for (Future<?> run : runs) {
          run.get(30, TimeUnit.SECONDS);
        }
      }
    }

    JsonNode found = incidents();

    assertThat(found.path("total").asInt()).isEqualTo(2);
    assertThat(found.path("alone").asInt()).isZero();
    assertThat(found.path("items").valueStream().mapToInt(one -> one.path("alertCount").asInt()))
        .containsExactlyInAnyOrder(21, 21);
    assertThat(
            data.jdbc()
                .sql("select count(*) from alert_history where event = 'incident'")
                .query(Integer.class)
                .single())
        .as("each joined once")
        .isEqualTo(42);
  }

  @Test
  void requestsThatDoNotFitSayWhy() {
    assertThat(api.get("/incidents/4711").status()).isEqualTo(404);
    alert(MEMORY, "HostSystem", "esx-1", "mem|usage_average", 4, 0);
    alert(READY, "VirtualMachine", "esx-1-vm-1", "cpu|readiness_average", 3, 4);
    JsonNode incident = oneIncident();
    assertThat(post(incident, "{\"action\": \"assign\"}").body()).contains("owner", "is missing");
    assertThat(post(incident, "{\"action\": \"take\", \"into\": 3}").body())
        .contains("does not go with take");
    assertThat(post(incident, "{\"action\": \"comment\"}").body()).contains("is missing");
    assertThat(
            post(
                    incident,
                    "{\"action\": \"merge\", \"into\": %d}"
                        .formatted(incident.path("number").asLong()))
                .body())
        .contains("is the number of this incident");
    assertThat(
            post(
                    incident,
                    "{\"action\": \"split\", \"alerts\": [\"%s\"]}".formatted(UUID.randomUUID()))
                .body())
        .contains("which is not in it");
  }

  @Test
  void aSuperMetricIsAboutWhatItReads() {
    UUID metric = UUID.randomUUID();
    data.sql(
        "insert into super_metric (id, name, formula, created_at, created_by, updated_at, updated_by) values ('%s', '%s', '%s', now(), 'a', now(), 'a')"
            .formatted(metric, "Ready", "${this, metric=cpu|ready_summation} / 200"));
    alert(MEMORY, "HostSystem", "esx-1", "mem|usage_average", 4, 0);
    for (int m = 1; m <= 2; m++) {
      alert(READY, "VirtualMachine", "esx-1-vm-" + m, "Super Metric|sm_" + metric, 2, 2);
    }

    JsonNode incident = incidents().path("items").path(0);

    assertThat(incident.path("alertCount").asInt()).isEqualTo(3);
  }

  @Test
  void aDatastoreExplainsItsMachinesOnEveryHost() {
    alert(MEMORY, "Datastore", "store", "datastore|totalWriteLatency_average", 4, 0);
    for (String host : List.of("esx-1", "esx-2")) {
      for (int m = 1; m <= 3; m++) {
        alert(READY, "VirtualMachine", host + "-vm-" + m, "disk|maxTotalLatency_latest", 3, 2);
      }
    }

    JsonNode incident = incidents().path("items").path(0);

    assertThat(incident.at("/cause/object/name").asString()).isEqualTo("store");
    assertThat(incident.path("alertCount").asInt()).isEqualTo(7);
    assertThat(incident.path("confidence").asString()).isEqualTo("high");
  }

  @Test
  void objectsThatFallSilentTogetherAreOneIncidentOfTheirPlace() {
    for (String host : List.of("esx-1", "esx-2")) {
      for (int m = 1; m <= 4; m++) {
        alert(SILENT, "VirtualMachine", host + "-vm-" + m, "sys|uptime_latest", 4, m % 2);
      }
    }

    JsonNode found = incidents();

    assertThat(found.path("total").asInt()).isEqualTo(1);
    JsonNode incident = found.path("items").path(0);
    assertThat(incident.has("cause")).isFalse();
    assertThat(incident.at("/place/name").asString()).isEqualTo("dc");
    assertThat(incident.path("title").asString()).isEqualTo("Rule: 8 objects in dc");
    assertThat(incident.path("confidence").asString()).isEqualTo("low");
  }

  @Test
  void alertsInMaintenanceAreLeftOut() {
    AlertRow.of(MEMORY, SampleData.uuid("HostSystem", "esx-1"))
        .symptom("mem|usage_average", "gt")
        .severity(4)
        .opened(START)
        .inMaintenance()
        .insert(data);
    alert(READY, "VirtualMachine", "esx-1-vm-1", "cpu|readiness_average", 3, 4);

    assertThat(incidents().path("total").asInt()).isZero();
    assertThat(incidents().path("alone").asInt()).isEqualTo(1);
  }
}
