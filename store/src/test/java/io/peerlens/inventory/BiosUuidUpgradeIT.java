package io.peerlens.inventory;

import static org.assertj.core.api.Assertions.assertThat;

import io.peerlens.support.TestDatabase;
import org.flywaydb.core.Flyway;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.DriverManagerDataSource;

/** Where an installation finds the BIOS uuid that it stored as the instance uuid. */
class BiosUuidUpgradeIT {

  private final TestDatabase database = TestDatabase.create();
  private final DriverManagerDataSource dataSource =
      new DriverManagerDataSource(database.jdbcUrl(), database.user(), database.password());
  private final JdbcClient jdbc = JdbcClient.create(dataSource);

  private void migrate(String target) {
    Flyway.configure().dataSource(dataSource).target(target).load().migrate();
  }

  private void object(String id, String adapterKind, String objectKind, String properties) {
    jdbc.sql(
            """
            insert into object (uuid, adapter_kind, object_kind, external_id, name, properties, attributes_time, first_seen)
            values (gen_random_uuid(), :adapterKind, :objectKind, :id, :id, :properties::jsonb, now(), now())
            """)
        .param("id", id)
        .param("adapterKind", adapterKind)
        .param("objectKind", objectKind)
        .param("properties", properties.replace('\'', '"'))
        .update();
  }

  private boolean has(String id, String properties) {
    return jdbc.sql("select properties = :properties::jsonb from object where name = :id")
        .param("id", id)
        .param("properties", properties.replace('\'', '"'))
        .query(Boolean.class)
        .single();
  }

  @Test
  void theBiosUuidMovesToItsNameAndNothingElseDoes() {
    migrate("34");
    object("vm", "VMWARE", "VirtualMachine", "{'config|instanceUuid': '42', 'state': 'on'}");
    object("both", "VMWARE", "VirtualMachine", "{'config|instanceUuid': '5', 'config|uuid': '4'}");
    object("neither", "VMWARE", "VirtualMachine", "{'state': 'on'}");
    object("host", "VMWARE", "HostSystem", "{'config|instanceUuid': '42'}");
    object("other", "OTHER", "VirtualMachine", "{'config|instanceUuid': '42'}");
    migrate("latest");
    assertThat(has("vm", "{'config|uuid': '42', 'state': 'on'}")).isTrue();
    assertThat(has("both", "{'config|instanceUuid': '5', 'config|uuid': '4'}")).isTrue();
    assertThat(has("neither", "{'state': 'on'}")).isTrue();
    assertThat(has("host", "{'config|instanceUuid': '42'}")).isTrue();
    assertThat(has("other", "{'config|instanceUuid': '42'}")).isTrue();
  }
}
