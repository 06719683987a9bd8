package io.peerlens.incident;

import static org.assertj.core.api.Assertions.assertThat;

import io.peerlens.role.Role;
import io.peerlens.support.AlertRow;
import io.peerlens.support.ApiClient;
import io.peerlens.support.PeerlensServer;
import io.peerlens.support.SampleData;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** Incidents over the API, of alerts, relations and super metrics as they are stored. */
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
  }

  @AfterAll
  static void stop() {
    server.close();
    data.close();
    ids.clear();
  }

  @BeforeEach
  void empty() {
    data.sql("delete from alert");
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

  private static JsonNode incidents() {
    ApiClient.Answer answer = api.get("/incidents");
    assertThat(answer.status()).as(answer.body()).isEqualTo(200);
    return answer.json();
  }

  @Test
  void aHostWithoutMemoryExplainsWhatItsMachinesSuffer() {
    assertThat(incidents().path("total").asInt()).isZero();
    UUID cause = alert(MEMORY, "HostSystem", "esx-1", "mem|usage_average", 4, 0);
    alert(READY, "VirtualMachine", "esx-1-vm-1", "cpu|readiness_average", 3, 4);
    alert(READY, "VirtualMachine", "esx-1-vm-2", "cpu|readiness_average", 3, 4);
    alert(READY, "VirtualMachine", "esx-2-vm-1", "cpu|readiness_average", 3, 4);
    alert(SILENT, "VirtualMachine", "esx-1-vm-3", "sys|uptime_latest", 3, 4);
    alert(SUM, "ClusterComputeResource", "cluster", "mem|usage_average", 2, 6);

    JsonNode now = incidents();

    assertThat(now.path("total").asInt()).isEqualTo(1);
    assertThat(now.path("alone").asInt()).as("another host, and one that is silent").isEqualTo(2);
    JsonNode incident = now.path("items").path(0);
    assertThat(incident.path("title").asString()).isEqualTo("Rule on esx-1");
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
  }

  @Test
  void anAlertThatClosesChangesTheAnswerAtOnce() {
    UUID cause = alert(MEMORY, "HostSystem", "esx-1", "mem|usage_average", 4, 0);
    alert(READY, "VirtualMachine", "esx-1-vm-1", "cpu|readiness_average", 3, 4);
    assertThat(incidents().path("total").asInt()).isEqualTo(1);
    data.sql(
        """
        with closed as (update alert set status = 'canceled', canceled_at = now(), cancel_reason = 'cleared' where id = '%s' returning id)
        insert into alert_history (alert_id, at, event, severity) select id, now(), 'canceled', 4 from closed
        """
            .formatted(cause));

    JsonNode now = incidents();

    assertThat(now.path("total").asInt()).isZero();
    assertThat(now.path("alone").asInt()).isEqualTo(1);
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
  void whatFallsSilentTogetherIsOneIncidentWithItsPlace() {
    for (String host : List.of("esx-1", "esx-2")) {
      for (int m = 1; m <= 4; m++) {
        alert(SILENT, "VirtualMachine", host + "-vm-" + m, "sys|uptime_latest", 4, m % 2);
      }
    }

    JsonNode now = incidents();

    assertThat(now.path("total").asInt()).isEqualTo(1);
    JsonNode incident = now.path("items").path(0);
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
