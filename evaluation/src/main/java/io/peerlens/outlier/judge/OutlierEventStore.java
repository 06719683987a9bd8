package io.peerlens.outlier.judge;

import static io.peerlens.database.Times.instant;
import static io.peerlens.database.Times.utc;
import static java.util.Objects.requireNonNullElse;

import io.peerlens.alert.Finding;
import io.peerlens.api.model.OutlierEventMetric;
import io.peerlens.api.model.OutlierEventProperty;
import io.peerlens.api.model.OutlierEvidence;
import io.peerlens.api.model.OutlierExplanation;
import io.peerlens.database.NamedStatement;
import io.peerlens.database.Rows;
import io.peerlens.outlier.group.CloseReason;
import io.peerlens.outlier.group.OpenEvents;
import io.peerlens.outliers.Event;
import io.peerlens.outliers.Evidence;
import java.sql.Connection;
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
public final class OutlierEventStore implements OpenEvents {

  public static final TypeReference<List<OutlierEventMetric>> METRICS = new TypeReference<>() {};

  /** What tells the two events of a group as a whole apart. */
  private static final String UNUSUAL = Evidence.UNUSUAL.name().toLowerCase(Locale.ROOT);

  /** What tells events of the configuration of members from those of metrics. */
  public static final String CONFIGURATION = OutlierEvidence.CONFIGURATION.getValue();

  public static final TypeReference<List<OutlierEventProperty>> PROPERTIES =
      new TypeReference<>() {};

  private static final String OPEN =
      """
      select id, group_id, object_id, status, side, since, evidence, peak_score, peak_at, violations, of, metrics, explanation
      from outlier_event where status <> 'closed' and evidence <> 'configuration' and group_id = any (:ids)
      """;

  private static final String DRIFTED =
      """
      select id, group_id, object_id, opened_at, since, properties, explanation
      from outlier_event
      where status <> 'closed' and evidence = 'configuration' and object_id is not null and group_id = any (:ids)
      """;

  /**
   * A merge rather than an insert with a conflict, which would take a number from the sequence at
   * every update, so that the numbers of events jumped.
   */
  private static final String WRITE =
      """
      merge into outlier_event e
      using (
        select :id::uuid as id, :group::uuid as group_id, :groupName::text as group_name, :object::int as object_id,
          :status::text as status, :openedAt::timestamptz as opened_at, :since::timestamptz as since,
          :lastBucket::timestamptz as last_bucket, :at::timestamptz as updated_at, :side::text as side,
          :severity::smallint as severity, :evidence::text as evidence, :score::float8 as score,
          :peakScore::float8 as peak_score, :peakAt::timestamptz as peak_at, :violations::int as violations, :of::int as of,
          :judged::int as judged, :members::int as members, :flaps::int as flaps,
          coalesce(:metrics::jsonb, '[]') as metrics, coalesce(:properties::jsonb, '[]') as properties,
          coalesce(:explanation::jsonb, '{}') as explanation) n
      on e.id = n.id
      when matched then update
      set group_name = n.group_name, status = n.status, since = n.since, last_bucket = n.last_bucket,
        updated_at = greatest(e.updated_at, n.updated_at), closed_at = null, close_reason = null, side = n.side,
        severity = n.severity, evidence = n.evidence, score = n.score, peak_score = n.peak_score, peak_at = n.peak_at,
        violations = n.violations, of = n.of, judged = n.judged, members = n.members, flaps = n.flaps,
        metrics = case when n.metrics = '[]' then e.metrics else n.metrics end,
        properties = case when n.properties = '[]' then e.properties else n.properties end,
        explanation = case when n.explanation = '{}' then e.explanation else n.explanation end
      when not matched then
      insert (id, group_id, group_name, object_id, status, opened_at, since, last_bucket, updated_at, side, severity,
        evidence, score, peak_score, peak_at, violations, of, judged, members, flaps, metrics, properties, explanation)
      values (n.id, n.group_id, n.group_name, n.object_id, n.status, n.opened_at, n.since, n.last_bucket, n.updated_at, n.side,
        n.severity, n.evidence, n.score, n.peak_score, n.peak_at, n.violations, n.of, n.judged, n.members, n.flaps, n.metrics,
        n.properties, n.explanation)
      """;

  private static final String CLOSE =
      """
      update outlier_event
      set status = 'closed', closed_at = :at, close_reason = :reason, updated_at = greatest(updated_at, :at) where id = :id
      """;

  private static final String NOTE =
      """
      insert into outlier_event_history (event_id, at, event, score, value, metric, unit, note, explanation)
      values (:event, :at, :kind, :score, :value, :metric, :unit, :note, :explanation)
      """;

  private static final String CLOSE_NOW =
      """
      with closed as (
        update outlier_event
        set status = 'closed', closed_at = :now, close_reason = :reason, updated_at = greatest(updated_at, :now)
        where group_id = :group and status <> 'closed' and (:object::int is null or object_id = :object)
          and (:configuration::boolean is null or (evidence = 'configuration') = :configuration)
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

  public OutlierEventStore(JdbcClient jdbc, InstantSource clock) {
    this.jdbc = jdbc;
    this.clock = clock;
  }

  /** Events of groups that are not closed. */
  public Map<UUID, List<OpenEvent>> open(UUID[] groups) {
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

  /** Events of the configuration of members that are not closed. */
  Map<UUID, List<OpenDrift>> drifted(UUID[] groups) {
    Map<UUID, List<OpenDrift>> open = new HashMap<>();
    jdbc.sql(DRIFTED)
        .param("ids", groups)
        .query(
            row -> {
              open.computeIfAbsent(row.getObject("group_id", UUID.class), id -> new ArrayList<>())
                  .add(drift(row));
            });
    return open;
  }

  private static OpenDrift drift(ResultSet row) throws SQLException {
    return new OpenDrift(
        row.getObject("id", UUID.class),
        row.getInt("object_id"),
        instant(row, "opened_at"),
        instant(row, "since"),
        JsonMapper.shared().readValue(row.getString("properties"), PROPERTIES),
        explained(
            JsonMapper.shared().readValue(row.getString("explanation"), OutlierExplanation.class)));
  }

  private static Finding.Explained explained(OutlierExplanation explanation) {
    String text = explanation.getText();
    return text == null
        ? Finding.Explained.NOTHING
        : new Finding.Explained(
            text, explanation.getStrong(), requireNonNullElse(explanation.getMoments(), List.of()));
  }

  private static OpenEvent event(ResultSet row) throws SQLException {
    List<OutlierEventMetric> metrics =
        JsonMapper.shared().readValue(row.getString("metrics"), METRICS);
    OutlierExplanation explanation =
        JsonMapper.shared().readValue(row.getString("explanation"), OutlierExplanation.class);
    int object = row.getInt("object_id");
    boolean ofGroup = row.wasNull();
    return new OpenEvent(
        row.getObject("id", UUID.class),
        !ofGroup ? object : row.getString("evidence").equals(UNUSUAL) ? Event.SHIFT : Event.GROUP,
        Event.Status.valueOf(row.getString("status").toUpperCase(Locale.ROOT)),
        row.getString("side").equals("high"),
        instant(row, "since"),
        row.getDouble("peak_score"),
        instant(row, "peak_at"),
        row.getInt("violations"),
        row.getInt("of"),
        metrics.isEmpty()
            ? new OpenEvent.Lead("", null, Double.NaN, Double.NaN, Double.NaN)
            : EventRows.lead(metrics.getFirst()),
        explained(explanation));
  }

  /** Closes the event of a median that is not where it usually is, within a change of rules. */
  @Override
  public void closeShift(UUID group, CloseReason reason) {
    jdbc.sql(CLOSE_SHIFT)
        .param("now", utc(clock.instant()))
        .param("reason", reason.label())
        .param("group", group)
        .param("evidence", UNUSUAL)
        .update();
  }

  /** Closes the open events of a group, within a change of rules. */
  @Override
  public void closeAll(UUID group, CloseReason reason) {
    close(group, null, null, reason, null);
  }

  @Override
  public void closeMetrics(UUID group, CloseReason reason) {
    close(group, null, false, reason, null);
  }

  @Override
  public void closeConfiguration(UUID group, CloseReason reason) {
    close(group, null, true, reason, null);
  }

  /**
   * Closes the open events of a member now, within a change of rules.
   *
   * @param by who did it
   */
  public void close(UUID group, int object, CloseReason reason, String by) {
    close(group, object, null, reason, by);
  }

  /**
   * Closes open events of a group.
   *
   * @param object of this object only; null = all of them
   * @param configuration whether those of configuration or those of metrics; null = both
   * @param by who did it; null = it follows from a change
   */
  private void close(
      UUID group,
      @Nullable Integer object,
      @Nullable Boolean configuration,
      CloseReason reason,
      @Nullable String by) {
    jdbc.sql(CLOSE_NOW)
        .param("now", utc(clock.instant()))
        .param("reason", reason.label())
        .param("group", group)
        .param("object", object, Types.INTEGER)
        .param("configuration", configuration, Types.BOOLEAN)
        .param("by", by, Types.VARCHAR)
        .update();
  }

  /** Writes what a tick has changed, in the transaction of the connection. */
  public void write(Connection connection, OutlierChanges changes) throws SQLException {
    try (NamedStatement batch = new NamedStatement(connection, WRITE)) {
      for (OutlierChanges.EventRow one : changes.events()) {
        event(batch, one);
        batch.add();
      }
      for (OutlierChanges.DriftRow one : changes.drifted()) {
        drifted(batch, one);
        batch.add();
      }
      batch.run();
    }
    try (NamedStatement batch = new NamedStatement(connection, CLOSE)) {
      for (OutlierChanges.Closed one : changes.closed()) {
        batch.set("at", one.at()).set("reason", one.reason().label()).set("id", one.id()).add();
      }
      batch.run();
    }
    try (NamedStatement batch = new NamedStatement(connection, NOTE)) {
      for (OutlierChanges.Step one : changes.steps()) {
        batch
            .set("event", one.event())
            .set("at", one.at())
            .set("kind", one.kind())
            .set("score", one.score())
            .set("value", one.value())
            .set("metric", one.metric())
            .set("unit", one.unit())
            .set("note", one.note())
            .set("explanation", one.explanation())
            .add();
      }
      batch.run();
    }
  }

  private static void event(NamedStatement batch, OutlierChanges.EventRow one) throws SQLException {
    Event event = one.event();
    boolean ofGroup = event.member() == Event.GROUP || event.member() == Event.SHIFT;
    long width = one.group().bucket().toMillis();
    batch
        .set("id", one.id())
        .set("group", one.group().id())
        .set("groupName", one.group().name())
        .set("object", ofGroup ? null : (Integer) event.member())
        .set("status", event.status().name().toLowerCase(Locale.ROOT))
        .set("openedAt", Instant.ofEpochMilli(event.openedAt()))
        .set("since", Instant.ofEpochMilli(event.since() - width))
        .set("lastBucket", Instant.ofEpochMilli(event.lastBucket() - width))
        .set("at", one.at())
        .set("side", event.high() ? "high" : "low")
        .set("severity", ofGroup ? 1 : one.group().severity().level())
        .set("evidence", event.evidence().name().toLowerCase(Locale.ROOT))
        .set("score", Rows.finite(event.score()))
        .set("peakScore", event.peakScore())
        .set("peakAt", one.peakAt())
        .set("violations", event.violations())
        .set("of", event.of())
        .set("judged", one.judged())
        .set("members", one.members())
        .set("flaps", event.flaps())
        .json("metrics", one.metrics())
        .json("properties", null)
        .json("explanation", one.explanation());
  }

  private static void drifted(NamedStatement batch, OutlierChanges.DriftRow one)
      throws SQLException {
    batch
        .set("id", one.id())
        .set("group", one.group().id())
        .set("groupName", one.group().name())
        .set("object", (Integer) one.object())
        .set("status", "open")
        .set("openedAt", one.openedAt())
        .set("since", one.since())
        .set("lastBucket", one.bucket())
        .set("at", one.at())
        .set("side", (String) null)
        .set("severity", one.group().severity().level())
        .set("evidence", CONFIGURATION)
        .set("score", (Double) null)
        .set("peakScore", (Double) null)
        .set("peakAt", one.bucket())
        .set("violations", 1)
        .set("of", 1)
        .set("judged", one.judged())
        .set("members", one.members())
        .set("flaps", 0)
        .json("metrics", null)
        .json("properties", one.properties())
        .json("explanation", one.explanation());
  }
}
