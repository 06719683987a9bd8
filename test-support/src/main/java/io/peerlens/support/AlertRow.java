package io.peerlens.support;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** An alert as the evaluation would have stored it, for tests of what reads alerts. */
public final class AlertRow {

  private final UUID definition;
  private final UUID object;
  private final List<String> events = new ArrayList<>(List.of("opened"));
  private String impact = "health";
  private int severity = 2;
  private Instant opened = Instant.now().truncatedTo(ChronoUnit.MILLIS).minusSeconds(60);
  private @Nullable Instant canceled;
  private @Nullable Instant suspendedUntil;
  private boolean inMaintenance;
  private @Nullable String key;
  private String operator = "gt";

  private AlertRow(UUID definition, UUID object) {
    this.definition = definition;
    this.object = object;
  }

  /** An open alert of impact health, a warning. */
  public static AlertRow of(UUID definition, UUID object) {
    return new AlertRow(definition, object);
  }

  public AlertRow impact(String impact) {
    this.impact = impact;
    return this;
  }

  /** From 1, information, to 4, critical. */
  public AlertRow severity(int level) {
    this.severity = level;
    return this;
  }

  public AlertRow opened(Instant at) {
    this.opened = at;
    return this;
  }

  public AlertRow canceled(Instant at) {
    this.canceled = at;
    return this;
  }

  /** Something that happened to it when it was opened. */
  public AlertRow event(String event) {
    events.add(event.toLowerCase(Locale.ROOT));
    return this;
  }

  /** The metric of its one symptom, and the operator of the condition; without, it has none. */
  public AlertRow symptom(String metric, String comparison) {
    this.key = metric;
    this.operator = comparison;
    return this;
  }

  public AlertRow suspended() {
    this.suspendedUntil = Instant.now().plus(1, ChronoUnit.DAYS);
    return this;
  }

  public AlertRow inMaintenance() {
    this.inMaintenance = true;
    return this;
  }

  /** Stores it with its history and what notifiers work off. */
  public UUID insert(SampleData data) {
    UUID id = UUID.randomUUID();
    data.jdbc()
        .sql(
            """
            insert into alert (id, definition_id, source, definition_name, object_id, impact, severity, status, since,
              opened_at, updated_at, canceled_at, cancel_reason, last_tick, openings, member_count, members, member_print,
              explanation, recommendations, acknowledged_by, suspended_until, maintenance_id, maintenance_name)
            select :id, :definition, 'threshold', 'Rule', o.id, :impact, :severity,
              case when :canceled::timestamptz is null then 'active' else 'canceled' end, :opened, :opened, :opened,
              :canceled::timestamptz, case when :canceled::timestamptz is not null then 'cleared' end, :opened,
              array[:opened::timestamptz], case when :key::text is null then 0 else 1 end,
              case when :key::text is null then '[]'
                else jsonb_build_array(jsonb_build_object('threshold', :definition, 'name', 'Rule', 'object', o.id,
                  'instance', '', 'key', :key::text, 'operator', :operator::text, 'severity', :severity, 'value', 97, 'bound', 90,
                  'since', to_char(:opened::timestamptz at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS"Z"'), 'unknown', false)) end, 0,
              '{"text": "It is so.", "strong": [], "key": "cpu|usage_average", "metricName": "CPU usage", "operator": "gt",
                "since": "2026-01-01T00:00:00Z", "violations": 1, "of": 1, "setting": {"name": "Rule", "href": "/"}}',
              '{}', case when :acknowledged then 'anna' end, :suspended::timestamptz,
              case when :maintenance then gen_random_uuid() end, case when :maintenance then 'Patch night' end
            from object o where o.uuid = :object
            """)
        .param("id", id)
        .param("definition", definition)
        .param("object", object)
        .param("impact", impact)
        .param("severity", severity)
        .param("opened", SampleData.time(opened))
        .param("canceled", canceled == null ? null : canceled.toString(), java.sql.Types.VARCHAR)
        .param("key", key, java.sql.Types.VARCHAR)
        .param("operator", operator)
        .param("acknowledged", events.contains("acknowledged"))
        .param(
            "suspended",
            suspendedUntil == null ? null : suspendedUntil.toString(),
            java.sql.Types.VARCHAR)
        .param("maintenance", inMaintenance)
        .update();
    for (String event : events) {
      data.jdbc()
          .sql(
              """
              with noted as (
                insert into alert_history (alert_id, at, event, by, severity) values (:id, :at, :event, :by, :severity)
                returning id, alert_id, event, at)
              insert into alert_outbox (alert_id, history_id, event, at) select alert_id, id, event, at from noted
              """)
          .param("id", id)
          .param("at", SampleData.time(opened))
          .param("event", event)
          .param("by", event.equals("acknowledged") ? "anna" : null, java.sql.Types.VARCHAR)
          .param("severity", severity)
          .update();
    }
    return id;
  }
}
