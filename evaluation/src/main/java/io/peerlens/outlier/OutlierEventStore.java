package io.peerlens.outlier;

import static io.peerlens.database.Times.instantOrNull;
import static io.peerlens.database.Times.utc;
import static java.util.Objects.requireNonNull;
import static java.util.Objects.requireNonNullElse;

import io.peerlens.alert.Finding;
import io.peerlens.api.model.OutlierEventMetric;
import io.peerlens.api.model.OutlierExplanation;
import io.peerlens.outliers.Event;
import io.peerlens.outliers.Evidence;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.json.JsonMapper;

/** Events and their history: those of ticks in the transaction of the tick, others at once. */
final class OutlierEventStore {

  static final JsonMapper JSON = JsonMapper.builder().build();
  static final TypeReference<List<OutlierEventMetric>> METRICS = new TypeReference<>() {};

  /** What tells the two events of a group as a whole apart. */
  private static final String UNUSUAL = Evidence.UNUSUAL.name().toLowerCase(Locale.ROOT);

  private static final String OPEN =
      """
      select id, group_id, object_id, status, side, since, evidence, peak_score, peak_at, violations, of, metrics, explanation
      from outlier_event where status <> 'closed' and group_id = any (:ids)
      """;

  /**
   * A merge rather than an insert with a conflict, which would take a number from the sequence at
   * every update, so that the numbers of events jumped.
   */
  private static final String WRITE =
      """
      merge into outlier_event e
      using (
        select ?::uuid as id, ?::uuid as group_id, ?::text as group_name, ?::int as object_id, ?::text as status,
          ?::timestamptz as opened_at, ?::timestamptz as since, ?::timestamptz as last_bucket, ?::timestamptz as updated_at,
          ?::text as side, ?::smallint as severity, ?::text as evidence, ?::float8 as score, ?::float8 as peak_score,
          ?::timestamptz as peak_at, ?::int as violations, ?::int as of, ?::int as judged, ?::int as members, ?::int as flaps,
          coalesce(?::jsonb, '[]') as metrics, coalesce(?::jsonb, '{}') as explanation) n
      on e.id = n.id
      when matched then update
      set group_name = n.group_name, status = n.status, since = n.since, last_bucket = n.last_bucket,
        updated_at = greatest(e.updated_at, n.updated_at), closed_at = null, close_reason = null, side = n.side,
        severity = n.severity, evidence = n.evidence, score = n.score, peak_score = n.peak_score, peak_at = n.peak_at,
        violations = n.violations, of = n.of, judged = n.judged, members = n.members, flaps = n.flaps,
        metrics = case when n.metrics = '[]' then e.metrics else n.metrics end,
        explanation = case when n.explanation = '{}' then e.explanation else n.explanation end
      when not matched then
      insert (id, group_id, group_name, object_id, status, opened_at, since, last_bucket, updated_at, side, severity,
        evidence, score, peak_score, peak_at, violations, of, judged, members, flaps, metrics, explanation)
      values (n.id, n.group_id, n.group_name, n.object_id, n.status, n.opened_at, n.since, n.last_bucket, n.updated_at, n.side,
        n.severity, n.evidence, n.score, n.peak_score, n.peak_at, n.violations, n.of, n.judged, n.members, n.flaps, n.metrics,
        n.explanation)
      """;

  private static final String CLOSE =
      """
      update outlier_event
      set status = 'closed', closed_at = ?, close_reason = ?, updated_at = greatest(updated_at, ?) where id = ?
      """;

  private static final String NOTE =
      """
      insert into outlier_event_history (event_id, at, event, score, value, metric, unit, note, explanation)
      values (?, ?, ?, ?, ?, ?, ?, ?, ?)
      """;

  private static final String CLOSE_NOW =
      """
      with closed as (
        update outlier_event
        set status = 'closed', closed_at = :now, close_reason = :reason, updated_at = greatest(updated_at, :now)
        where group_id = :group and status <> 'closed' and (:object::int is null or object_id = :object)
        returning id)
      insert into outlier_event_history (event_id, at, event, by, note) select id, :now, 'closed', :by, :reason from closed
      """;

  private static final String CLOSE_SHIFT =
      """
      with closed as (
        update outlier_event
        set status = 'closed', closed_at = :now, close_reason = :reason, updated_at = greatest(updated_at, :now)
        where group_id = :group and status <> 'closed' and object_id is null and evidence = :evidence
        returning id)
      insert into outlier_event_history (event_id, at, event, note) select id, :now, 'closed', :reason from closed
      """;

  private final JdbcClient jdbc;
  private final InstantSource clock;

  OutlierEventStore(JdbcClient jdbc, InstantSource clock) {
    this.jdbc = jdbc;
    this.clock = clock;
  }

  /** Events of groups that are not closed. */
  Map<UUID, List<OpenEvent>> open(UUID[] groups) {
    Map<UUID, List<OpenEvent>> open = new HashMap<>();
    jdbc.sql(OPEN)
        .param("ids", groups)
        .query(
            row -> {
              open.computeIfAbsent(row.getObject("group_id", UUID.class), id -> new ArrayList<>())
                  .add(event(row));
            });
    return open;
  }

  private static OpenEvent event(ResultSet row) throws SQLException {
    List<OutlierEventMetric> metrics = JSON.readValue(row.getString("metrics"), METRICS);
    OutlierExplanation explanation =
        JSON.readValue(row.getString("explanation"), OutlierExplanation.class);
    int object = row.getInt("object_id");
    boolean ofGroup = row.wasNull();
    String text = explanation.getText();
    return new OpenEvent(
        row.getObject("id", UUID.class),
        !ofGroup ? object : row.getString("evidence").equals(UNUSUAL) ? Event.SHIFT : Event.GROUP,
        Event.Status.valueOf(row.getString("status").toUpperCase(Locale.ROOT)),
        row.getString("side").equals("high"),
        requireNonNull(instantOrNull(row, "since")),
        row.getDouble("peak_score"),
        requireNonNull(instantOrNull(row, "peak_at")),
        row.getInt("violations"),
        row.getInt("of"),
        metrics.isEmpty()
            ? new OpenEvent.Lead("", null, Double.NaN, Double.NaN, Double.NaN)
            : EventRows.lead(metrics.getFirst()),
        text == null
            ? Finding.Explained.NOTHING
            : new Finding.Explained(
                text,
                explanation.getStrong(),
                requireNonNullElse(explanation.getMoments(), List.of())));
  }

  /** Closes the event of a median that is not where it usually is, within a change of rules. */
  void closeShift(UUID group, CloseReason reason) {
    jdbc.sql(CLOSE_SHIFT)
        .param("now", utc(clock.instant()))
        .param("reason", reason.label())
        .param("group", group)
        .param("evidence", UNUSUAL)
        .update();
  }

  /** Closes the open events of a group, within a change of rules. */
  void closeAll(UUID group, CloseReason reason) {
    close(group, null, reason, null);
  }

  /**
   * Closes open events of a group now, within a change of rules.
   *
   * @param object of this object only; null = all of them
   * @param by who did it; null = it follows from a change
   */
  void close(UUID group, @Nullable Integer object, CloseReason reason, @Nullable String by) {
    jdbc.sql(CLOSE_NOW)
        .param("now", utc(clock.instant()))
        .param("reason", reason.label())
        .param("group", group)
        .param("object", object, Types.INTEGER)
        .param("by", by, Types.VARCHAR)
        .update();
  }

  /** Writes what a tick has changed, in the transaction of the connection. */
  void write(Connection connection, OutlierChanges changes) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(WRITE)) {
      for (OutlierChanges.EventRow one : changes.events()) {
        event(statement, one);
        statement.addBatch();
      }
      statement.executeBatch();
    }
    try (PreparedStatement statement = connection.prepareStatement(CLOSE)) {
      for (OutlierChanges.Closed one : changes.closed()) {
        statement.setObject(1, utc(one.at()));
        statement.setString(2, one.reason().label());
        statement.setObject(3, utc(one.at()));
        statement.setObject(4, one.id());
        statement.addBatch();
      }
      statement.executeBatch();
    }
    try (PreparedStatement statement = connection.prepareStatement(NOTE)) {
      for (OutlierChanges.Step one : changes.steps()) {
        statement.setObject(1, one.event());
        statement.setObject(2, utc(one.at()));
        statement.setString(3, one.kind());
        statement.setObject(4, one.score(), Types.DOUBLE);
        statement.setObject(5, one.value(), Types.DOUBLE);
        statement.setString(6, one.metric());
        statement.setString(7, one.unit());
        statement.setString(8, one.note());
        statement.setString(9, one.explanation());
        statement.addBatch();
      }
      statement.executeBatch();
    }
  }

  private static void event(PreparedStatement statement, OutlierChanges.EventRow one)
      throws SQLException {
    Event event = one.event();
    boolean ofGroup = event.member() == Event.GROUP || event.member() == Event.SHIFT;
    long width = one.group().bucket().toMillis();
    statement.setObject(1, one.id());
    statement.setObject(2, one.group().id());
    statement.setString(3, one.group().name());
    statement.setObject(4, ofGroup ? null : event.member(), Types.INTEGER);
    statement.setString(5, event.status().name().toLowerCase(Locale.ROOT));
    statement.setObject(6, utc(Instant.ofEpochMilli(event.openedAt())));
    statement.setObject(7, utc(Instant.ofEpochMilli(event.since() - width)));
    statement.setObject(8, utc(Instant.ofEpochMilli(event.lastBucket() - width)));
    statement.setObject(9, utc(one.at()));
    statement.setString(10, event.high() ? "high" : "low");
    statement.setInt(11, ofGroup ? 1 : one.group().severity().level());
    statement.setString(12, event.evidence().name().toLowerCase(Locale.ROOT));
    statement.setObject(13, Rows.finite(event.score()), Types.DOUBLE);
    statement.setDouble(14, event.peakScore());
    statement.setObject(15, utc(one.peakAt()));
    statement.setInt(16, event.violations());
    statement.setInt(17, event.of());
    statement.setInt(18, one.judged());
    statement.setInt(19, one.members());
    statement.setInt(20, event.flaps());
    statement.setString(21, one.metrics() == null ? null : JSON.writeValueAsString(one.metrics()));
    statement.setString(
        22, one.explanation() == null ? null : JSON.writeValueAsString(one.explanation()));
  }
}
