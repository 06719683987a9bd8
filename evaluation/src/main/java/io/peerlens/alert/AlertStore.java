package io.peerlens.alert;

import io.peerlens.database.NamedStatement;
import io.peerlens.database.Times;
import io.peerlens.maintenance.Maintenance;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Store of the alerts that a tick opens and changes, in the transaction of the tick. An alert, its
 * history and the queue of the notifiers change together or not at all.
 */
public final class AlertStore {

  private static final String INSERT =
      """
      insert into alert (id, definition_id, source, definition_name, object_id, impact, severity, status, since,
        opened_at, updated_at, last_tick, openings, maintenance_id, maintenance_name, member_count, members, explanation,
        recommendations, member_print, around, type, sub_type)
      values (:id, :definition, :source, :name, :object, :impact, :severity, :status, :since, :opened, :tick, :last, :openings,
        :maintenance, :maintenanceName, :memberCount, :members::jsonb, :explanation::jsonb, :recommendations, :print,
        :around::jsonb, :type, :subType)
      """;

  private static final String UPDATE =
      """
      update alert
      set severity = :severity, status = :status, since = :since, updated_at = greatest(updated_at, :told),
        canceled_at = :canceled, cancel_reason = :reason, unknown = :unknown, last_tick = :last, quiet = :quiet,
        quiet_since = :quietSince, openings = :openings, flaps = :flaps, flapping = :flapping,
        maintenance_id = :maintenance, maintenance_name = :maintenanceName,
        member_count = coalesce(:memberCount, member_count), members = coalesce(:members::jsonb, members),
        explanation = coalesce(:explanation::jsonb, explanation), definition_name = coalesce(:name, definition_name),
        recommendations = coalesce(:recommendations, recommendations), member_print = :print,
        around = coalesce(:around::jsonb, around), type = case when :raised then :type else type end,
        sub_type = case when :raised then :subType else sub_type end
      where id = :id
      """;

  /** People may have suspended it for longer meanwhile; then it is not resumed. */
  private static final String RESUME =
      """
      with resumed as (
        update alert set suspended_until = null, updated_at = greatest(updated_at, :at)
        where id = :id and suspended_until <= :at
        returning id)
      """;

  private static final String EVENT =
      """
      , noted as (
        insert into alert_history (alert_id, at, event, by, severity, value, text, bound, upper, note, explanation)
        select a.id, :at, :event, case when :byHand then a.cancel_by end, a.severity, (members -> 0 ->> 'value')::float8, members -> 0 ->> 'text',
          (members -> 0 ->> 'bound')::float8, (members -> 0 ->> 'upper')::float8, :remark,
          case when :explained then explanation ->> 'text' end
        from alert a join %s on one.id = a.id
        returning id, alert_id, event, at)
      insert into alert_outbox (alert_id, history_id, event, at) select alert_id, id, event, at from noted
      """;

  private static final String NOTE =
      "with one as (select :id::uuid as id)" + EVENT.formatted("one");

  private static final String NOTE_RESUMED = RESUME + EVENT.formatted("resumed one");

  private static final String WAIT =
      """
      insert into alert_pending (definition_id, object_id, cycles, last_tick) values (:definition, :object, :cycles, :last)
      on conflict (definition_id, object_id) do update
      set cycles = excluded.cycles, last_tick = excluded.last_tick
      """;

  private static final String FORGET =
      "delete from alert_pending where definition_id = :definition and object_id = :object";

  /** Writes what a tick has changed, in the transaction of the connection. */
  public void write(Connection connection, AlertChanges changes) throws SQLException {
    // People lock alerts by id, too.
    List<Transition> alerts =
        changes.transitions().alerts().stream()
            .sorted(Comparator.comparing(transition -> transition.after().id()))
            .toList();
    try (NamedStatement insert = new NamedStatement(connection, INSERT);
        NamedStatement update = new NamedStatement(connection, UPDATE)) {
      for (Transition transition : alerts) {
        AlertState alert = transition.after();
        Detail detail = changes.details().get(alert.id());
        Raised by = detail == null ? null : changes.raised().get(alert.key().definition());
        if (transition.before() == null) {
          insert(insert, alert, Objects.requireNonNull(by), changes);
          put(insert, alert, Objects.requireNonNull(detail), by);
        } else if (!alert.equals(transition.before())) {
          update(update, alert, by, transition.events().isEmpty(), changes);
          put(update, alert, detail, by);
        }
      }
      insert.run();
      update.run();
    }
    note(connection, alerts, changes);
    waiting(connection, changes.transitions());
  }

  private static void insert(
      NamedStatement batch, AlertState alert, Raised by, AlertChanges changes) throws SQLException {
    batch
        .set("definition", by.id())
        .set("source", by.source())
        .set("object", alert.key().objectId())
        .set("impact", by.impact().name().toLowerCase(Locale.ROOT))
        .set("opened", alert.openedAt())
        .set("tick", changes.tick());
  }

  private static void update(
      NamedStatement batch,
      AlertState alert,
      @Nullable Raised by,
      boolean quietly,
      AlertChanges changes)
      throws SQLException {
    CancelReason reason = alert.cancelReason();
    batch
        .set("told", quietly ? null : changes.tick())
        .set("canceled", alert.canceledAt())
        .set("reason", reason == null ? null : reason.label())
        .set("unknown", alert.unknown())
        .set("quiet", alert.quiet())
        .set("quietSince", alert.quietSince())
        .set("flaps", alert.flaps())
        .set("flapping", alert.flapping())
        .set("raised", by != null);
  }

  /** Adds a row of what both statements write. */
  private static void put(
      NamedStatement batch, AlertState alert, @Nullable Detail detail, @Nullable Raised by)
      throws SQLException {
    Maintenance maintenance = alert.maintenance();
    batch
        .set("id", alert.id())
        .set("severity", alert.severity().level())
        .set("status", alert.status().label())
        .set("since", alert.since())
        .set("last", alert.lastTick())
        .set("openings", "timestamptz", alert.openings().stream().map(Times::utc).toList())
        .set("print", alert.members())
        .set("maintenance", maintenance == null ? null : maintenance.id())
        .set("maintenanceName", maintenance == null ? null : maintenance.name())
        .set("memberCount", detail == null ? null : (Integer) detail.memberCount())
        .json("members", detail == null ? null : stored(detail))
        .json("explanation", detail == null ? null : detail.explanation())
        .json("around", detail == null ? null : detail.around())
        .set("name", by == null ? null : by.name())
        .set("recommendations", "text", by == null ? null : by.recommendations())
        .set("type", by == null ? null : by.type())
        .set("subType", by == null ? null : by.subType())
        .add();
  }

  private static List<StoredMember> stored(Detail detail) {
    return detail.members().stream().map(StoredMember::of).toList();
  }

  private static void note(
      Connection connection, List<Transition> transitions, AlertChanges changes)
      throws SQLException {
    try (NamedStatement notes = new NamedStatement(connection, NOTE);
        NamedStatement resumed = new NamedStatement(connection, NOTE_RESUMED)) {
      for (Transition transition : transitions) {
        for (Event event : transition.events()) {
          (event == Event.RESUMED ? resumed : notes)
              .set("id", transition.after().id())
              .set("at", changes.tick())
              .set("event", event.label())
              .set("remark", remark(event, transition.after()))
              .set(
                  "byHand",
                  event == Event.CANCELED
                      && transition.after().cancelReason() == CancelReason.BY_HAND)
              .set(
                  "explained",
                  event == Event.OPENED
                      || event == Event.REOPENED
                      || event == Event.SEVERITY
                      || event == Event.MEMBERS)
              .add();
        }
      }
      notes.run();
      resumed.run();
    }
  }

  private static @Nullable String remark(Event event, AlertState alert) {
    CancelReason reason = alert.cancelReason();
    Maintenance maintenance = alert.maintenance();
    return switch (event) {
      case CANCELED -> reason == null ? null : reason.label();
      case SUPPRESSED -> maintenance == null ? null : maintenance.name();
      default -> null;
    };
  }

  private static void waiting(Connection connection, Transitions transitions) throws SQLException {
    try (NamedStatement forget = new NamedStatement(connection, FORGET);
        NamedStatement wait = new NamedStatement(connection, WAIT)) {
      for (AlertKey key : transitions.forgotten()) {
        forget.set("definition", key.definition()).set("object", key.objectId()).add();
      }
      for (Pending one : transitions.pending()) {
        wait.set("definition", one.key().definition())
            .set("object", one.key().objectId())
            .set("cycles", one.cycles())
            .set("last", one.lastTick())
            .add();
      }
      forget.run();
      wait.run();
    }
  }
}
