package io.peerlens.alert;

import static io.peerlens.database.Times.instantOrNull;
import static io.peerlens.database.Times.utc;
import static io.peerlens.database.Times.utcOrNull;
import static java.util.Objects.requireNonNull;

import io.peerlens.database.Times;
import io.peerlens.maintenance.Maintenance;
import io.peerlens.threshold.Severity;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Timestamp;
import java.sql.Types;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import tools.jackson.databind.json.JsonMapper;

/**
 * The alerts of the evaluation loop: read when a shard is taken over, written in the transaction of
 * a tick. An alert, its history and what notifiers work off change together or not at all.
 */
public final class AlertStore {

  private static final String COLUMNS =
      """
      id, definition_id, object_id, status, severity, since, opened_at, canceled_at, cancel_reason, unknown, last_tick,
      quiet, quiet_since, openings, flaps, flapping, maintenance_id, maintenance_name, member_print
      """;

  private static final String OF_DEFINITIONS =
      "select "
          + COLUMNS
          + " from alert where definition_id = any (:ids) and (canceled_at is null or canceled_at >= :from)";

  private static final String ORPHANS =
      "select "
          + COLUMNS
          + " from alert where status <> 'canceled' and definition_id <> all (:ids)";

  /** Why alerts that nothing raises any more have lost their definition. */
  private static final String RETIRED =
      """
      select distinct on (a.definition_id) a.definition_id,
        case when coalesce(t.definition, d.definition, g.definition, r.definition) is null then 'DEFINITION_DELETED'
             when coalesce(t.definition, d.definition, g.definition, r.definition) ->> 'enabled' = 'false' or d.definition is not null
               then 'DEFINITION_DISABLED'
             else 'DEFINITION_CHANGED' end
      from (
        select definition_id from alert where status <> 'canceled' and definition_id <> all (:ids)
        union select definition_id from alert_pending where definition_id <> all (:ids)) a
      left join threshold t on t.id = a.definition_id
      left join alert_definition d on d.id = a.definition_id
      left join outlier_group g on g.id = a.definition_id
      left join talker_report r on r.id = a.definition_id
      """;

  private static final String PENDING =
      "select definition_id, object_id, cycles, last_tick from alert_pending where definition_id = any (:ids)";

  private static final String PENDING_ORPHANS =
      "select definition_id, object_id, cycles, last_tick from alert_pending where definition_id <> all (:ids)";

  private static final String SUSPENDED =
      "select id, suspended_until from alert where suspended_until is not null and status <> 'canceled'";

  private static final String GONE =
      "select object_id from object_liveness where last_seen < :before";

  private static final String INSERT =
      """
      insert into alert (id, definition_id, source, definition_name, object_id, impact, severity, status, since,
        opened_at, updated_at, last_tick, openings, maintenance_id, maintenance_name, member_count, members, explanation,
        recommendations, member_print, around, type, sub_type)
      values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?::jsonb, ?::jsonb, ?, ?, ?::jsonb, ?, ?)
      """;

  private static final String UPDATE =
      """
      update alert
      set severity = ?, status = ?, since = ?, updated_at = greatest(updated_at, ?), canceled_at = ?, cancel_reason = ?,
        unknown = ?, last_tick = ?, quiet = ?, quiet_since = ?, openings = ?, flaps = ?, flapping = ?, maintenance_id = ?,
        maintenance_name = ?, member_count = coalesce(?, member_count), members = coalesce(?::jsonb, members),
        explanation = coalesce(?::jsonb, explanation), definition_name = coalesce(?, definition_name),
        recommendations = coalesce(?, recommendations), member_print = ?, around = coalesce(?::jsonb, around),
        type = case when ? then ? else type end, sub_type = case when ? then ? else sub_type end
      where id = ?
      """;

  /** People may have suspended it for longer meanwhile; then it is not resumed. */
  private static final String RESUME =
      """
      with resumed as (
        update alert set suspended_until = null, updated_at = greatest(updated_at, ?)
        where id = ? and suspended_until <= ?
        returning id)
      """;

  private static final String EVENT =
      """
      , noted as (
        insert into alert_history (alert_id, at, event, by, severity, value, text, bound, upper, note, explanation)
        select a.id, ?, ?, null, a.severity, (members -> 0 ->> 'value')::float8, members -> 0 ->> 'text',
          (members -> 0 ->> 'bound')::float8, (members -> 0 ->> 'upper')::float8, ?,
          case when ? then explanation ->> 'text' end
        from alert a join %s on one.id = a.id
        returning id, alert_id, event, at)
      insert into alert_outbox (alert_id, history_id, event, at) select alert_id, id, event, at from noted
      """;

  private static final String NOTE = "with one as (select ?::uuid as id)" + EVENT.formatted("one");

  private static final String NOTE_RESUMED = RESUME + EVENT.formatted("resumed one");

  private static final String WAIT =
      """
      insert into alert_pending (definition_id, object_id, cycles, last_tick) values (?, ?, ?, ?)
      on conflict (definition_id, object_id) do update
      set cycles = excluded.cycles, last_tick = excluded.last_tick
      """;

  private static final String WAIT_NO_MORE =
      "delete from alert_pending where definition_id = ? and object_id = ?";

  static final JsonMapper JSON = JsonMapper.builder().build();

  private final JdbcClient jdbc;

  AlertStore(JdbcClient jdbc) {
    this.jdbc = jdbc;
  }

  /**
   * What a shard begins with.
   *
   * @param retired of definitions that raise nothing any more: why
   */
  record Loaded(List<AlertState> alerts, List<Pending> pending, Map<UUID, CancelReason> retired) {}

  /**
   * Reads the alerts of definitions.
   *
   * @param elsewhere what raises alerts in other shards or cannot be evaluated now, if alerts that
   *     nothing raises any more are wanted too; null = they are not
   * @param canceledFrom alerts that were canceled before are left out
   */
  Loaded load(
      Collection<UUID> definitions, @Nullable Collection<UUID> elsewhere, Instant canceledFrom) {
    UUID[] ids = definitions.toArray(UUID[]::new);
    List<AlertState> alerts =
        jdbc.sql(OF_DEFINITIONS)
            .param("ids", ids)
            .param("from", utc(canceledFrom))
            .query((row, number) -> state(row))
            .list();
    List<Pending> pending =
        jdbc.sql(PENDING).param("ids", ids).query((row, number) -> pending(row)).list();
    Map<AlertKey, AlertState> newest = new HashMap<>();
    alerts.forEach(alert -> newest.merge(alert.key(), alert, AlertStore::later));
    Map<UUID, CancelReason> retired = new HashMap<>();
    List<Pending> waiting = new ArrayList<>(pending);
    if (elsewhere != null) {
      Set<UUID> all = new HashSet<>(definitions);
      all.addAll(elsewhere);
      UUID[] others = all.toArray(UUID[]::new);
      jdbc.sql(ORPHANS)
          .param("ids", others)
          .query((row, number) -> state(row))
          .list()
          .forEach(alert -> newest.put(alert.key(), alert));
      waiting.addAll(
          jdbc.sql(PENDING_ORPHANS)
              .param("ids", others)
              .query((row, number) -> pending(row))
              .list());
      jdbc.sql(RETIRED)
          .param("ids", others)
          .query(
              row -> {
                retired.put(row.getObject(1, UUID.class), CancelReason.valueOf(row.getString(2)));
              });
    }
    return new Loaded(List.copyOf(newest.values()), waiting, retired);
  }

  private static AlertState later(AlertState one, AlertState other) {
    if (one.isOpen() != other.isOpen()) {
      return one.isOpen() ? one : other;
    }
    return one.openedAt().isAfter(other.openedAt()) ? one : other;
  }

  private static AlertState state(ResultSet row) throws SQLException {
    String reason = row.getString("cancel_reason");
    UUID window = row.getObject("maintenance_id", UUID.class);
    Timestamp[] openings = (Timestamp[]) row.getArray("openings").getArray();
    return new AlertState(
        row.getObject("id", UUID.class),
        new AlertKey(row.getObject("definition_id", UUID.class), row.getInt("object_id")),
        AlertStatus.valueOf(row.getString("status").toUpperCase(Locale.ROOT)),
        requireNonNull(Severity.of(row.getInt("severity"))),
        row.getLong("member_print"),
        requireNonNull(instantOrNull(row, "since")),
        requireNonNull(instantOrNull(row, "opened_at")),
        instantOrNull(row, "canceled_at"),
        reason == null
            ? null
            : CancelReason.valueOf(reason.toUpperCase(Locale.ROOT).replace('-', '_')),
        row.getBoolean("unknown"),
        requireNonNull(instantOrNull(row, "last_tick")),
        row.getInt("quiet"),
        instantOrNull(row, "quiet_since"),
        Arrays.stream(openings).map(Timestamp::toInstant).toList(),
        row.getInt("flaps"),
        row.getBoolean("flapping"),
        window == null
            ? null
            : new Maintenance(window, requireNonNull(row.getString("maintenance_name"))));
  }

  private static Pending pending(ResultSet row) throws SQLException {
    return new Pending(
        new AlertKey(row.getObject("definition_id", UUID.class), row.getInt("object_id")),
        row.getInt("cycles"),
        requireNonNull(instantOrNull(row, "last_tick")));
  }

  /** Until when open alerts are suspended. */
  Map<UUID, Instant> suspended() {
    Map<UUID, Instant> until = new HashMap<>();
    jdbc.sql(SUSPENDED)
        .query(
            row -> {
              until.put(
                  row.getObject(1, UUID.class),
                  requireNonNull(instantOrNull(row, "suspended_until")));
            });
    return until;
  }

  /** Objects of which nothing was heard since a moment. */
  Set<Integer> gone(Instant before) {
    return Set.copyOf(jdbc.sql(GONE).param("before", utc(before)).query(Integer.class).list());
  }

  /** Writes what a tick has changed, in the transaction of the connection. */
  public void write(Connection connection, AlertChanges changes) throws SQLException {
    // People lock alerts by id, too.
    List<Transition> alerts =
        changes.transitions().alerts().stream()
            .sorted(Comparator.comparing(transition -> transition.after().id()))
            .toList();
    if (!alerts.isEmpty()) {
      insert(connection, alerts, changes);
      update(connection, alerts, changes);
      note(connection, alerts, changes);
    }
    waiting(connection, changes.transitions());
  }

  private static void insert(
      Connection connection, List<Transition> transitions, AlertChanges changes)
      throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(INSERT)) {
      boolean any = false;
      for (Transition transition : transitions) {
        if (transition.before() != null) {
          continue;
        }
        any = true;
        AlertState alert = transition.after();
        Raised by = requireNonNull(changes.raised().get(alert.key().definition()));
        Detail detail = requireNonNull(changes.details().get(alert.id()));
        Maintenance maintenance = alert.maintenance();
        statement.setObject(1, alert.id());
        statement.setObject(2, by.id());
        statement.setString(3, by.source());
        statement.setString(4, by.name());
        statement.setInt(5, alert.key().objectId());
        statement.setString(6, by.impact().name().toLowerCase(Locale.ROOT));
        statement.setInt(7, alert.severity().level());
        statement.setString(8, alert.status().label());
        statement.setObject(9, utc(alert.since()));
        statement.setObject(10, utc(alert.openedAt()));
        statement.setObject(11, utc(changes.tick()));
        statement.setObject(12, utc(alert.lastTick()));
        statement.setArray(13, times(connection, alert));
        statement.setObject(14, maintenance == null ? null : maintenance.id(), Types.OTHER);
        statement.setString(15, maintenance == null ? null : maintenance.name());
        statement.setInt(16, detail.memberCount());
        statement.setString(17, members(detail));
        statement.setString(18, JSON.writeValueAsString(detail.explanation()));
        statement.setArray(19, texts(connection, by));
        statement.setLong(20, alert.members());
        statement.setString(21, JSON.writeValueAsString(detail.around()));
        statement.setString(22, by.type());
        statement.setString(23, by.subType());
        statement.addBatch();
      }
      if (any) {
        statement.executeBatch();
      }
    }
  }

  private static void update(
      Connection connection, List<Transition> transitions, AlertChanges changes)
      throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(UPDATE)) {
      boolean any = false;
      for (Transition transition : transitions) {
        AlertState alert = transition.after();
        if (transition.before() == null || alert.equals(transition.before())) {
          continue;
        }
        any = true;
        Detail detail = changes.details().get(alert.id());
        Raised by = detail == null ? null : changes.raised().get(alert.key().definition());
        Maintenance maintenance = alert.maintenance();
        CancelReason reason = alert.cancelReason();
        boolean told = !transition.events().isEmpty();
        statement.setInt(1, alert.severity().level());
        statement.setString(2, alert.status().label());
        statement.setObject(3, utc(alert.since()));
        statement.setObject(4, told ? utc(changes.tick()) : null, Types.TIMESTAMP_WITH_TIMEZONE);
        statement.setObject(5, utcOrNull(alert.canceledAt()), Types.TIMESTAMP_WITH_TIMEZONE);
        statement.setString(6, reason == null ? null : reason.label());
        statement.setBoolean(7, alert.unknown());
        statement.setObject(8, utc(alert.lastTick()));
        statement.setInt(9, alert.quiet());
        statement.setObject(10, utcOrNull(alert.quietSince()), Types.TIMESTAMP_WITH_TIMEZONE);
        statement.setArray(11, times(connection, alert));
        statement.setInt(12, alert.flaps());
        statement.setBoolean(13, alert.flapping());
        statement.setObject(14, maintenance == null ? null : maintenance.id(), Types.OTHER);
        statement.setString(15, maintenance == null ? null : maintenance.name());
        statement.setObject(16, detail == null ? null : detail.memberCount(), Types.INTEGER);
        statement.setString(17, detail == null ? null : members(detail));
        statement.setString(
            18, detail == null ? null : JSON.writeValueAsString(detail.explanation()));
        statement.setString(19, by == null ? null : by.name());
        statement.setArray(20, by == null ? null : texts(connection, by));
        statement.setLong(21, alert.members());
        statement.setString(22, detail == null ? null : JSON.writeValueAsString(detail.around()));
        statement.setBoolean(23, by != null);
        statement.setString(24, by == null ? null : by.type());
        statement.setBoolean(25, by != null);
        statement.setString(26, by == null ? null : by.subType());
        statement.setObject(27, alert.id());
        statement.addBatch();
      }
      if (any) {
        statement.executeBatch();
      }
    }
  }

  private static void note(
      Connection connection, List<Transition> transitions, AlertChanges changes)
      throws SQLException {
    OffsetDateTime at = utc(changes.tick());
    try (PreparedStatement notes = connection.prepareStatement(NOTE);
        PreparedStatement resumed = connection.prepareStatement(NOTE_RESUMED)) {
      boolean anyNote = false;
      boolean anyResumed = false;
      for (Transition transition : transitions) {
        for (Event event : transition.events()) {
          if (event == Event.RESUMED) {
            anyResumed = true;
            resumed.setObject(1, at);
            resumed.setObject(2, transition.after().id());
            resumed.setObject(3, at);
            event(resumed, 4, at, event, transition.after());
          } else {
            anyNote = true;
            notes.setObject(1, transition.after().id());
            event(notes, 2, at, event, transition.after());
          }
        }
      }
      if (anyNote) {
        notes.executeBatch();
      }
      if (anyResumed) {
        resumed.executeBatch();
      }
    }
  }

  private static void event(
      PreparedStatement statement, int first, OffsetDateTime at, Event event, AlertState alert)
      throws SQLException {
    statement.setObject(first, at);
    statement.setString(first + 1, event.label());
    statement.setString(first + 2, remark(event, alert));
    statement.setBoolean(
        first + 3,
        event == Event.OPENED
            || event == Event.REOPENED
            || event == Event.SEVERITY
            || event == Event.MEMBERS);
    statement.addBatch();
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
    if (!transitions.forgotten().isEmpty()) {
      try (PreparedStatement statement = connection.prepareStatement(WAIT_NO_MORE)) {
        for (AlertKey key : transitions.forgotten()) {
          statement.setObject(1, key.definition());
          statement.setInt(2, key.objectId());
          statement.addBatch();
        }
        statement.executeBatch();
      }
    }
    if (!transitions.pending().isEmpty()) {
      try (PreparedStatement statement = connection.prepareStatement(WAIT)) {
        for (Pending one : transitions.pending()) {
          statement.setObject(1, one.key().definition());
          statement.setInt(2, one.key().objectId());
          statement.setInt(3, one.cycles());
          statement.setObject(4, utc(one.lastTick()));
          statement.addBatch();
        }
        statement.executeBatch();
      }
    }
  }

  private static String members(Detail detail) {
    return JSON.writeValueAsString(detail.members().stream().map(StoredMember::of).toList());
  }

  private static java.sql.Array times(Connection connection, AlertState alert) throws SQLException {
    return connection.createArrayOf(
        "timestamptz", alert.openings().stream().map(Times::utc).toArray());
  }

  private static java.sql.Array texts(Connection connection, Raised by) throws SQLException {
    return connection.createArrayOf("text", by.recommendations().toArray());
  }
}
