package io.peerlens.alert;

import static org.assertj.core.api.Assertions.assertThat;

import io.peerlens.support.AlertRow;
import io.peerlens.support.Properties;
import io.peerlens.support.SampleData;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class AlertRetentionIT {

  private static final UUID RULE = new UUID(7, 7);

  @Test
  void onlyOldCanceledAlertsAndUntakenOutboxEntriesAreRemoved() {
    Instant now = Instant.now().truncatedTo(ChronoUnit.MILLIS);
    Instant old = now.minus(Duration.ofDays(40));
    try (SampleData data = SampleData.create()) {
      UUID esx1 = host(data, "esx-1");
      UUID esx2 = host(data, "esx-2");
      UUID longOpen = AlertRow.of(RULE, esx1).opened(old).insert(data);
      AlertRow.of(RULE, esx2).opened(old).canceled(now.minus(Duration.ofDays(31))).insert(data);
      UUID endedLater =
          AlertRow.of(RULE, esx2)
              .opened(old)
              .canceled(now.minus(Duration.ofDays(29)))
              .event("acknowledged")
              .insert(data);
      UUID fresh = AlertRow.of(RULE, esx2).opened(now).insert(data);

      assertThat(retention(data).run(now)).isEqualTo(1);

      assertThat(ids(data, "select id from alert")).isEqualTo(Set.of(longOpen, endedLater, fresh));
      assertThat(ids(data, "select alert_id from alert_history"))
          .isEqualTo(Set.of(longOpen, endedLater, fresh));
      assertThat(
              data.jdbc()
                  .sql("select count(*) from alert_history where alert_id = ?")
                  .param(endedLater)
                  .query(Integer.class)
                  .single())
          .isEqualTo(2);
      assertThat(ids(data, "select alert_id from alert_outbox")).isEqualTo(Set.of(fresh));
      assertThat(retention(data).run(now)).isZero();
    }
  }

  @Test
  void manyRowsAreRemovedInSeveralSteps() {
    try (SampleData data = SampleData.create()) {
      UUID host = host(data, "esx-1");
      Instant now = Instant.now();
      Instant old = now.minus(Duration.ofDays(40));
      AlertRow.of(RULE, host).opened(old).canceled(old.plusSeconds(60)).insert(data);
      data.sql(
          """
          insert into alert (id, definition_id, source, definition_name, object_id, impact, severity, status, since,
            opened_at, updated_at, canceled_at, last_tick, openings, member_count, members, member_print, explanation,
            recommendations)
          select gen_random_uuid(), definition_id, source, definition_name, object_id, impact, severity, status, since,
            opened_at, updated_at, canceled_at, last_tick, openings, 0, members, 0, explanation, recommendations
          from alert, generate_series(1, 5001)
          """);

      assertThat(retention(data).run(now)).isEqualTo(5002);
    }
  }

  private static UUID host(SampleData data, String name) {
    data.object("VMWARE", "HostSystem", name);
    return SampleData.uuid("HostSystem", name);
  }

  private static AlertRetentionStore retention(SampleData data) {
    return new AlertRetentionStore(
        data.jdbc(),
        Properties.with(
            AlertProperties.class,
            Map.of("peerlens.alerts.keep-canceled", "30d", "peerlens.alerts.keep-outbox", "7d")));
  }

  private static Set<UUID> ids(SampleData data, String sql) {
    return new HashSet<>(data.jdbc().sql(sql).query(UUID.class).list());
  }
}
