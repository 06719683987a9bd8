package io.peerlens.alert;

import static io.peerlens.database.Times.utc;

import java.sql.Types;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Steps in the history of alerts that no tick makes; notifiers see them too. */
public final class AlertStepStore {

  private static final String NOTE =
      """
      with noted as (
        insert into alert_history (alert_id, at, event, by, severity, value, text, bound, upper, note)
        select id, :now, :event, :by, severity, (members -> 0 ->> 'value')::float8, members -> 0 ->> 'text',
          (members -> 0 ->> 'bound')::float8, (members -> 0 ->> 'upper')::float8, :note
        from alert where id = any (:ids)
        returning id, alert_id, event, at)
      insert into alert_outbox (alert_id, history_id, event, at) select alert_id, id, event, at from noted
      """;

  /** Locks in the order in which ticks do. */
  private static final String LOCK =
      "select id from alert where id = any (:ids) and status <> 'canceled' order by id for update";

  private static final String OWN =
      "update alert set owner = :by, updated_at = :now where id = any (:ids) and owner is null returning id";

  private static final String ACKNOWLEDGE =
      """
      update alert set acknowledged_by = :by, acknowledged_at = :now, updated_at = :now
      where id = any (:ids) and acknowledged_by is null returning id
      """;

  private final JdbcClient jdbc;

  /** Steps that become part of the transaction of the caller. */
  public AlertStepStore(JdbcClient jdbc) {
    this.jdbc = jdbc;
  }

  /**
   * Notes that alerts have joined an incident. Those that nobody has become its owner's, and what
   * is acknowledged of it is acknowledged of them.
   *
   * @param incident its number, such as {@code I-7}
   * @param owner null = nobody has the incident
   * @param acknowledgedBy null = nobody has acknowledged it
   */
  public void joined(
      List<UUID> alerts,
      String incident,
      @Nullable String owner,
      @Nullable String acknowledgedBy,
      Instant now) {
    UUID[] ids = alerts.toArray(UUID[]::new);
    if (owner != null || acknowledgedBy != null) {
      UUID[] open = ids(jdbc.sql(LOCK).param("ids", ids));
      change(OWN, open, owner, Event.ASSIGNED, owner, now);
      change(ACKNOWLEDGE, open, acknowledgedBy, Event.ACKNOWLEDGED, null, now);
    }
    note(ids, Event.INCIDENT, null, incident, now);
  }

  private void change(
      String sql,
      UUID[] ids,
      @Nullable String by,
      Event event,
      @Nullable String note,
      Instant now) {
    if (by != null) {
      UUID[] changed = ids(jdbc.sql(sql).param("ids", ids).param("by", by).param("now", utc(now)));
      note(changed, event, by, note, now);
    }
  }

  private static UUID[] ids(JdbcClient.StatementSpec statement) {
    return statement
        .query((row, number) -> row.getObject(1, UUID.class))
        .list()
        .toArray(UUID[]::new);
  }

  void note(UUID[] ids, Event event, @Nullable String by, @Nullable String note, Instant now) {
    jdbc.sql(NOTE)
        .param("ids", ids)
        .param("now", utc(now))
        .param("event", event.label())
        .param("by", by, Types.VARCHAR)
        .param("note", note, Types.VARCHAR)
        .update();
  }
}
