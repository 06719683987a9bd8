package io.peerlens.incident;

import static io.peerlens.database.Times.instant;
import static io.peerlens.database.Times.instantOrNull;
import static io.peerlens.database.Times.utc;

import io.peerlens.alert.AlertStepStore;
import io.peerlens.incident.IncidentState.Leaving;
import io.peerlens.incident.IncidentState.Member;
import io.peerlens.incident.IncidentState.Step;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * Store of incidents. Who changes them holds its lock until the end of his transaction, so that two
 * nodes, or a node and a person, do not change the same.
 */
final class IncidentStore {

  private static final long LOCK = 7305119023402L;

  private static final String STATES =
      """
      select * from incident where %s order by number
      """;

  private static final String MEMBERS =
      """
      select m.incident_id, m.alert_id, m.by_hand, a.object_id, a.severity, a.since, a.status <> 'canceled' as open
      from incident_alert m join alert a on a.id = m.alert_id
      where m.incident_id = any (:ids) and m.left_at is null
      order by m.joined_at, a.number
      """;

  private static final String SPLIT =
      "select incident_id, alert_id from incident_alert where incident_id = any (:ids) and reason = 'split'";

  /** An update first: an insert that meets a conflict would take a number each time. */
  private static final String PUT =
      """
      with changed as (
        update incident
        set status = :status, title = :title, title_after = :after, place_id = :place, cause_id = :cause,
          cause_rule = :rule, confidence = :confidence, signs = :signs, severity = :severity, worst = :worst,
          since = :since, updated_at = :now, cause_over_at = :causeOver, quiet_since = :quiet, closed_at = :closed,
          end_reason = :end, owner = :owner, acknowledged_by = :acknowledgedBy, acknowledged_at = :acknowledgedAt,
          alert_count = :alerts, object_count = :objects
        where id = :id
        returning number),
      begun as (
        insert into incident (id, status, title, title_after, place_id, cause_id, cause_rule, confidence, signs, severity,
          worst, since, opened_at, updated_at, cause_over_at, quiet_since, closed_at, end_reason, owner,
          acknowledged_by, acknowledged_at, alert_count, object_count)
        select :id, :status, :title, :after, :place::int, :cause::uuid, :rule::uuid, :confidence, :signs, :severity, :worst,
          :since, :opened, :now, :causeOver, :quiet, :closed, :end, :owner, :acknowledgedBy, :acknowledgedAt, :alerts,
          :objects
        where not exists (select from changed)
        returning number)
      select number from changed union all select number from begun
      """;

  private static final String LEAVE =
      """
      update incident_alert set left_at = :now, reason = :reason
      where incident_id = :id and alert_id = any (:alerts) and left_at is null
      """;

  private static final String JOIN =
      """
      insert into incident_alert (incident_id, alert_id, joined_at, by_hand)
      select :id, alert, :now, by_hand from unnest(:alerts::uuid[], :byHand::boolean[]) as joined (alert, by_hand)
      on conflict (incident_id, alert_id) do update
      set joined_at = excluded.joined_at, left_at = null, reason = null, by_hand = excluded.by_hand
      """;

  private static final String STEP =
      """
      insert into incident_event (incident_id, at, kind, by, text, alerts) values (:id, :at, :kind, :by, :text, :alerts)
      """;

  private final JdbcClient jdbc;
  private final AlertStepStore alerts;

  /**
   * @param alerts notes in the history of alerts which incident they joined, which also tells
   *     notifiers
   */
  IncidentStore(JdbcClient jdbc, AlertStepStore alerts) {
    this.jdbc = jdbc;
    this.alerts = alerts;
  }

  /** Takes the lock; false = another process has it. */
  boolean tryLock() {
    return jdbc.sql("select pg_try_advisory_xact_lock(%d)".formatted(LOCK))
        .query(Boolean.class)
        .single();
  }

  /** Waits for the lock. */
  void lock() {
    jdbc.sql("select pg_advisory_xact_lock(%d)".formatted(LOCK)).query((row, number) -> 0).list();
  }

  /** All open incidents. */
  List<IncidentState> open() {
    return states(jdbc.sql(STATES.formatted("status = 'open'")));
  }

  /** One incident; null = there is none of that number. */
  @Nullable IncidentState one(long number) {
    return states(jdbc.sql(STATES.formatted("number = :number")).param("number", number)).stream()
        .findFirst()
        .orElse(null);
  }

  private List<IncidentState> states(JdbcClient.StatementSpec statement) {
    Map<UUID, IncidentState> states = new LinkedHashMap<>();
    statement.query((row, number) -> state(row)).list().forEach(one -> states.put(one.id, one));
    if (!states.isEmpty()) {
      UUID[] ids = states.keySet().toArray(UUID[]::new);
      jdbc.sql(MEMBERS)
          .param("ids", ids)
          .query(
              row -> {
                Member member =
                    new Member(
                        row.getObject("alert_id", UUID.class),
                        row.getInt("object_id"),
                        row.getInt("severity"),
                        instant(row, "since"),
                        row.getBoolean("open"),
                        row.getBoolean("by_hand"));
                of(states, row).members.put(member.alert(), member);
              });
      jdbc.sql(SPLIT)
          .param("ids", ids)
          .query(
              row -> {
                of(states, row).split.add(row.getObject("alert_id", UUID.class));
              });
    }
    return List.copyOf(states.values());
  }

  private static IncidentState of(Map<UUID, IncidentState> states, ResultSet row)
      throws SQLException {
    return java.util.Objects.requireNonNull(states.get(row.getObject("incident_id", UUID.class)));
  }

  private static IncidentState state(ResultSet row) throws SQLException {
    IncidentState state =
        new IncidentState(
            row.getObject("id", UUID.class),
            instant(row, "opened_at"),
            new IncidentTitle(row.getString("title"), row.getString("title_after")),
            CauseJudgement.Confidence.valueOf(row.getString("confidence").toUpperCase(Locale.ROOT)),
            Arrays.stream((String[]) row.getArray("signs").getArray())
                .map(
                    sign ->
                        CauseJudgement.Sign.valueOf(
                            sign.toUpperCase(Locale.ROOT).replace('-', '_')))
                .collect(Collectors.toSet()),
            row.getInt("severity"),
            instant(row, "since"));
    state.number = row.getLong("number");
    state.worst = row.getInt("worst");
    state.place = row.getObject("place_id", Integer.class);
    state.cause = row.getObject("cause_id", UUID.class);
    state.causeRule = row.getObject("cause_rule", UUID.class);
    state.causeOverAt = instantOrNull(row, "cause_over_at");
    state.quietSince = instantOrNull(row, "quiet_since");
    state.closedAt = instantOrNull(row, "closed_at");
    String end = row.getString("end_reason");
    state.end = end == null ? null : IncidentState.End.valueOf(end.toUpperCase(Locale.ROOT));
    state.mergedInto = row.getObject("merged_into", UUID.class);
    state.owner = row.getString("owner");
    state.acknowledgedBy = row.getString("acknowledged_by");
    state.acknowledgedAt = instantOrNull(row, "acknowledged_at");
    return state;
  }

  /** Stores what changed in incidents, old and new; new ones get their number. */
  void put(Collection<IncidentState> states, Instant now) {
    List<IncidentState> changed = states.stream().filter(one -> one.changed).toList();
    // Alerts leave before others join: none is in two.
    changed.forEach(one -> leave(one, now));
    changed.forEach(one -> put(one, now));
    changed.stream()
        .filter(one -> one.mergedInto != null)
        .forEach(
            one ->
                jdbc.sql("update incident set merged_into = :into where id = :id")
                    .param("into", one.mergedInto)
                    .param("id", one.id)
                    .update());
    for (IncidentState one : changed) {
      join(one, now);
      for (Step step : one.steps) {
        jdbc.sql(STEP)
            .param("id", one.id)
            .param("at", utc(step.at()))
            .param("kind", label(step.kind()))
            .param("by", step.by(), Types.VARCHAR)
            .param("text", step.text())
            .param("alerts", step.alerts().toArray(UUID[]::new))
            .update();
      }
    }
  }

  private void leave(IncidentState state, Instant now) {
    state.left.stream()
        .collect(Collectors.groupingBy(Leaving::reason))
        .forEach(
            (reason, some) ->
                jdbc.sql(LEAVE)
                    .param("id", state.id)
                    .param("reason", label(reason))
                    .param("now", utc(now))
                    .param("alerts", some.stream().map(Leaving::alert).toArray(UUID[]::new))
                    .update());
  }

  private void put(IncidentState state, Instant now) {
    state.number =
        jdbc.sql(PUT)
            .param("id", state.id)
            .param("status", state.isOpen() ? "open" : "closed")
            .param("title", state.title.now())
            .param("after", state.title.after())
            .param("place", state.place, Types.INTEGER)
            .param("cause", state.cause, Types.OTHER)
            .param("rule", state.causeRule, Types.OTHER)
            .param("confidence", label(state.confidence))
            .param(
                "signs",
                state.signs.stream().sorted().map(IncidentStore::label).toArray(String[]::new))
            .param("severity", state.severity)
            .param("worst", state.worst)
            .param("since", utc(state.since))
            .param("opened", utc(state.openedAt))
            .param("now", utc(now))
            .param("causeOver", time(state.causeOverAt), Types.TIMESTAMP_WITH_TIMEZONE)
            .param("quiet", time(state.quietSince), Types.TIMESTAMP_WITH_TIMEZONE)
            .param("closed", time(state.closedAt), Types.TIMESTAMP_WITH_TIMEZONE)
            .param("end", state.end == null ? null : label(state.end), Types.VARCHAR)
            .param("owner", state.owner, Types.VARCHAR)
            .param("acknowledgedBy", state.acknowledgedBy, Types.VARCHAR)
            .param("acknowledgedAt", time(state.acknowledgedAt), Types.TIMESTAMP_WITH_TIMEZONE)
            .param("alerts", state.members.size())
            .param("objects", state.objectCount())
            .query(Long.class)
            .single();
  }

  private void join(IncidentState state, Instant now) {
    List<Member> joined =
        state.joined.stream().filter(one -> state.members.containsKey(one.alert())).toList();
    if (joined.isEmpty()) {
      return;
    }
    List<UUID> ids = new ArrayList<>(joined.stream().map(Member::alert).toList());
    jdbc.sql(JOIN)
        .param("id", state.id)
        .param("now", utc(now))
        .param("alerts", ids.toArray(UUID[]::new))
        .param("byHand", joined.stream().map(Member::byHand).toArray(Boolean[]::new))
        .update();
    alerts.joined(ids, "I-" + state.number, state.owner, state.acknowledgedBy, now);
  }

  static String label(Enum<?> value) {
    return value.name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  private static @Nullable OffsetDateTime time(@Nullable Instant instant) {
    return instant == null ? null : utc(instant);
  }
}
