package io.peerlens.support;

import java.time.InstantSource;
import java.util.UUID;

/** Alerts and what happens to them, as the evaluation writes it. */
public final class AlertSteps {

  private final SampleData data;
  private final InstantSource clock;

  public AlertSteps(SampleData data, InstantSource clock) {
    this.data = data;
    this.clock = clock;
  }

  /** An alert opens; severity from 1 to 4. */
  public UUID opens(int object, int severity) {
    UUID id = UUID.randomUUID();
    data.jdbc()
        .sql(
            """
            insert into alert (id, definition_id, source, definition_name, object_id, impact, severity, status, since, opened_at,
              updated_at, last_tick, openings, member_count, members, explanation, recommendations, member_print)
            values (:id, gen_random_uuid(), 'threshold', 'CPU high', :object, 'health', :severity, 'new', :now, :now, :now, :now,
              array[:now::timestamptz], 1, cast(:members as jsonb), '{"text": "It is high."}', '{}', 0)
            """)
        .param("id", id)
        .param("object", object)
        .param("severity", severity)
        .param("now", SampleData.time(clock.instant()))
        .param(
            "members",
            """
            [{"threshold": "00000000-0000-0000-0000-000000000001", "name": "CPU high", "object": %d, "instance": "",
              "key": "cpu|usage_average", "unit": "%%", "severity": %d, "value": 92.5, "operator": "gt", "bound": 80,
              "since": "2026-11-21T09:58:00Z", "unknown": false}]
            """
                .formatted(object, severity))
        .update();
    step(id, "opened");
    return id;
  }

  /** Something happens to an alert. */
  public void step(UUID alert, String event) {
    data.jdbc()
        .sql(
            """
            with noted as (
              insert into alert_history (alert_id, at, event, severity, value, bound, explanation)
              select id, :now, :event, severity, 92.5, 80, 'It is high.' from alert where id = :id
              returning id, alert_id, event, at)
            insert into alert_outbox (alert_id, history_id, event, at) select alert_id, id, event, at from noted
            """)
        .param("id", alert)
        .param("event", event)
        .param("now", SampleData.time(clock.instant()))
        .update();
  }

  public void severity(UUID alert, int severity) {
    set(alert, "severity = " + severity);
    step(alert, "severity");
  }

  public void cancels(UUID alert) {
    set(alert, "status = 'canceled', canceled_at = updated_at");
    step(alert, "canceled");
  }

  public void reopens(UUID alert) {
    set(alert, "status = 'updated', canceled_at = null");
    step(alert, "reopened");
  }

  public void set(UUID alert, String what) {
    data.jdbc().sql("update alert set " + what + " where id = ?").param(alert).update();
  }
}
