package io.peerlens.definition;

import static org.assertj.core.api.Assertions.assertThat;

import io.peerlens.node.Role;
import io.peerlens.support.ApiClient.Answer;
import io.peerlens.support.PeerlensServer;
import io.peerlens.support.TestDatabase;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.assertj.core.api.SoftAssertions;
import org.flywaydb.core.Flyway;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.DriverManagerDataSource;

/** An installation from before definitions had a number of their form starts, and all are read. */
@Timeout(120)
class DefinitionUpgradeIT {

  /** A definition as an installation of migration 46 had it in the table. */
  private record Row(String table, String list, String definition) {}

  private static final String KIND =
      "{\"adapterKind\": \"VMWARE\", \"objectKind\": \"VirtualMachine\"}";

  private static final List<Row> ROWS =
      List.of(
          new Row(
              "threshold",
              "/thresholds",
              """
              {"name": "text", "enabled": true, "tags": ["a"], "intervalSeconds": 60, "overrides": [],
               "objectKind": %s, "scope": {"tags": ["env=prod"]},
               "condition": {"type": "metric", "key": "cpu|usage_average", "operator": "gt", "instances": false,
                 "levels": [{"severity": "critical", "bound": {"type": "number", "value": 90}}]},
               "trigger": {"violations": 3, "of": 5, "minimumDuration": "0s", "clearAfter": 2}}
              """),
          new Row(
              "alert_definition",
              "/alert-definitions",
              """
              {"name": "text", "enabled": true, "objectKind": %s, "impact": "health", "intervalSeconds": 60,
               "waitCycles": 1, "cancelCycles": 1, "type": "Storage",
               "condition": {"type": "threshold", "threshold": "ID"}}
              """),
          new Row(
              "maintenance_window",
              "/maintenance-windows",
              """
              {"name": "text", "enabled": true, "scope": {"objectKinds": [%s]},
               "oneOff": {"from": "2027-01-01T00:00:00Z", "to": "2027-01-01T02:00:00Z"}}
              """),
          new Row(
              "object_group",
              "/groups",
              "{\"name\": \"text\", \"scope\": {\"objectKinds\": [%s]}}"),
          new Row(
              "outlier_group",
              "/outlier-groups",
              """
              {"name": "text", "enabled": true, "objectKind": %s, "scope": {}, "side": "both",
               "sensitivity": "high", "bucket": "5m", "evaluationDelay": "1m", "method": {"type": "peers"},
               "metrics": [{"key": "cpu|usage_average"}], "opens": {"violations": 3, "of": 5}, "closesAfter": 3}
              """),
          new Row(
              "notification_target",
              "/notification-targets",
              """
              {"name": "text", "enabled": true, "type": "webhook", "webhook": {"url": "https://receiver.example/hook"}}
              """),
          new Row(
              "notification_rule",
              "/notification-rules",
              """
              {"name": "text", "enabled": true, "order": 10, "continue": true, "sampling": 100,
               "template": "plain-json", "targets": ["ID"], "scope": {"objectKinds": [%s]}}
              """),
          new Row(
              "notification_relay",
              "/notification-relays",
              """
              {"name": "text", "enabled": true, "auth": {"type": "bearer", "token": {"secret": "relay"}}}
              """),
          new Row(
              "silence",
              "/silences",
              """
              {"comment": "text", "from": "2026-11-01T00:00:00Z", "to": "2099-01-01T00:00:00Z",
               "scope": {"objectKinds": [%s]}}
              """),
          new Row(
              "talker_report",
              "/talker-reports",
              """
              {"name": "text", "query": {"by": "vm", "window": "24h", "measure": "bytes", "direction": "both", "limit": 10}}
              """));

  @Test
  void definitionsOfBeforeAreReadAndKeepTheirVersions() {
    TestDatabase database = TestDatabase.create();
    DriverManagerDataSource dataSource =
        new DriverManagerDataSource(database.jdbcUrl(), database.user(), database.password());
    JdbcClient jdbc = JdbcClient.create(dataSource);
    Flyway.configure().dataSource(dataSource).target("46").load().migrate();
    UUID id = UUID.randomUUID();
    for (Row row : ROWS) {
      jdbc.sql(
              """
              insert into %s (id, name, definition, version, created_at, created_by, updated_at, updated_by)
              values (:id, 'text', :definition::jsonb, 3, now(), 'ann', now(), 'ben')
              """
                  .formatted(row.table()))
          .param("id", id)
          .param("definition", row.definition().replace("%s", KIND).replace("ID", id.toString()))
          .update();
    }
    try (PeerlensServer server = PeerlensServer.start(database, Set.of(Role.API))) {
      SoftAssertions softly = new SoftAssertions();
      ROWS.forEach(
          row -> {
            String table = row.table();
            String list = row.list();
            Answer answer = server.admin().get(list + "/" + id);
            softly.assertThat(answer.status()).as(table + ": " + answer.body()).isEqualTo(200);
            softly.assertThat(answer.json().path("version").asInt()).as(table).isEqualTo(3);
            softly
                .assertThat(answer.json().path("updatedBy").asString())
                .as(table)
                .isEqualTo("ben");
            Answer all = server.admin().get(list);
            softly
                .assertThat(all.json().path("items").size())
                .as(table + ": " + all.body())
                .isOne();
          });
      softly.assertAll();
      Answer history = server.admin().get("/maintenance-windows/" + id + "/history");
      assertThat(history.json().path("items").path(0).path("version").asInt()).isEqualTo(3);
      assertThat(history.json().path("items").path(0).path("action").asString())
          .isEqualTo("changed");
    }
  }
}
