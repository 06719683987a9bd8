package io.peerlens.incident;

import static io.peerlens.database.Times.instant;
import static java.util.Objects.requireNonNull;

import io.peerlens.api.model.Incident;
import io.peerlens.api.model.IncidentCause;
import io.peerlens.api.model.IncidentConfidence;
import io.peerlens.api.model.IncidentEnd;
import io.peerlens.api.model.IncidentEvent;
import io.peerlens.api.model.IncidentOpenness;
import io.peerlens.api.model.IncidentSign;
import io.peerlens.api.model.IncidentStatus;
import io.peerlens.api.model.IncidentStep;
import io.peerlens.api.model.ObjectRef;
import io.peerlens.api.model.Severity;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.time.OffsetDateTime;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Incidents for the API. */
final class StoredIncidentQueries {

  /** An incident names so many of its alerts. */
  private static final int NAMED = 1000;

  private static final int STEPS = 1000;
  private static final int EARLIER = 10;

  private static final String SELECT =
      """
      select i.*, p.uuid as place_uuid, p.adapter_kind as place_adapter, p.object_kind as place_kind, p.name as place_name,
        c.number as cause_number, c.definition_name as cause_name, c.severity as cause_severity, c.since as cause_since,
        co.uuid as cause_uuid, co.adapter_kind as cause_adapter, co.object_kind as cause_kind, co.name as cause_object,
        into_.number as into_number, m.open_count, m.alerts
      from incident i
      left join object p on p.id = i.place_id
      left join alert c on c.id = i.cause_id
      left join object co on co.id = c.object_id
      left join incident into_ on into_.id = i.merged_into
      cross join lateral (
        select count(*) filter (where a.status <> 'canceled' and x.left_at is null) as open_count,
          (array_agg(a.id order by a.id = i.cause_id desc nulls last, (a.status <> 'canceled') desc, a.severity desc,
            a.since, a.number))[1\\:%d] as alerts
        from incident_alert x join alert a on a.id = x.alert_id
        where x.incident_id = i.id and (x.left_at is null or x.reason = 'closed')) m
      """
          .formatted(NAMED);

  private static final String WORST_FIRST =
      " order by i.status = 'closed', i.closed_at desc, i.severity desc, m.open_count desc, i.number limit :limit";

  private static final String OF_STATUS =
      """
       where (:status = 'any' or i.status = :status)
        and (:object::uuid is null or exists (
          select from incident_alert y join alert b on b.id = y.alert_id join object q on q.id = b.object_id
          where y.incident_id = i.id and q.uuid = :object and (y.left_at is null or y.reason = 'closed')))
        and (:ancestor::uuid is null or i.id in (
          with recursive below(id) as (
            select id from object where uuid = :ancestor
            union
            select r.child_id from below b join relation r on r.parent_id = b.id)
          select y.incident_id from incident_alert y join alert b on b.id = y.alert_id
          where b.object_id in (select id from below) and (y.left_at is null or y.reason = 'closed')))
      """;

  private static final String EARLIER_ONES =
      """
       where i.status = 'closed' and i.id <> :id and i.opened_at < :before
        and (i.place_id = :place or i.cause_rule = :rule) and i.end_reason <> 'merged'
      order by i.closed_at desc limit :limit
      """;

  private static final String TIMELINE =
      "select * from incident_event where incident_id = :id order by id desc limit :limit";

  private static final String ALONE =
      """
      select count(*) from alert a where a.status <> 'canceled' and a.control_state <> 'suppressed'
        and not exists (select from incident_alert m where m.alert_id = a.id and m.left_at is null)
      """;

  private final JdbcClient jdbc;

  StoredIncidentQueries(JdbcClient jdbc) {
    this.jdbc = jdbc;
  }

  /**
   * Incidents, the worst open ones first; closed ones behind them, the newest first.
   *
   * @param object only those in which it has alerts; null = all
   * @param ancestor only those in which it or what is below it has alerts; null = all
   */
  List<Incident> find(
      IncidentOpenness status, @Nullable UUID object, @Nullable UUID ancestor, int limit) {
    return jdbc.sql(SELECT + OF_STATUS + WORST_FIRST)
        .param("status", status.getValue())
        .param("object", object, Types.OTHER)
        .param("ancestor", ancestor, Types.OTHER)
        .param("limit", limit)
        .query((row, number) -> incident(row))
        .list();
  }

  int count(IncidentOpenness status, @Nullable UUID object, @Nullable UUID ancestor) {
    return jdbc.sql("select count(*) from incident i" + OF_STATUS)
        .param("status", status.getValue())
        .param("object", object, Types.OTHER)
        .param("ancestor", ancestor, Types.OTHER)
        .query(Integer.class)
        .single();
  }

  /** How many open alerts are in no incident. */
  int alone() {
    return jdbc.sql(ALONE).query(Integer.class).single();
  }

  Optional<Incident> one(long number) {
    return jdbc.sql(SELECT + " where i.number = :number")
        .param("number", number)
        .query((row, n) -> incident(row))
        .optional();
  }

  /** What happened to an incident, the newest first. */
  List<IncidentStep> timeline(UUID incident) {
    return jdbc.sql(TIMELINE)
        .param("id", incident)
        .param("limit", STEPS)
        .query(
            (row, number) ->
                new IncidentStep(
                    instant(row, "at"),
                    IncidentEvent.fromValue(row.getString("kind")),
                    row.getString("by"),
                    row.getString("text"),
                    Arrays.asList((UUID[]) row.getArray("alerts").getArray())))
        .list();
  }

  /** Closed incidents of the same cause or place before one. */
  List<Incident> earlier(long number) {
    record Of(UUID id, @Nullable Integer place, @Nullable UUID rule, OffsetDateTime opened) {}
    Of of =
        jdbc.sql("select id, place_id, cause_rule, opened_at from incident where number = :number")
            .param("number", number)
            .query(
                (row, n) ->
                    new Of(
                        row.getObject("id", UUID.class),
                        row.getObject("place_id", Integer.class),
                        row.getObject("cause_rule", UUID.class),
                        row.getObject("opened_at", OffsetDateTime.class)))
            .single();
    return jdbc.sql(SELECT + EARLIER_ONES)
        .param("id", of.id())
        .param("before", of.opened())
        .param("place", of.place(), Types.INTEGER)
        .param("rule", of.rule(), Types.OTHER)
        .param("limit", EARLIER)
        .query((row, n) -> incident(row))
        .list();
  }

  private static Incident incident(ResultSet row) throws SQLException {
    boolean closed = row.getString("status").equals("closed");
    java.sql.Array alerts = row.getArray("alerts");
    Incident incident =
        new Incident(
            row.getObject("id", UUID.class),
            row.getLong("number"),
            IncidentStatus.fromValue(row.getString("status")),
            row.getString(closed ? "title_after" : "title"),
            severity(row.getInt("severity")),
            severity(row.getInt("worst")),
            instant(row, "since"),
            instant(row, "opened_at"),
            instant(row, "updated_at"),
            IncidentConfidence.fromValue(row.getString("confidence")),
            Arrays.stream((String[]) row.getArray("signs").getArray())
                .map(IncidentSign::fromValue)
                .toList(),
            alerts == null ? List.of() : Arrays.asList((UUID[]) alerts.getArray()),
            row.getInt("alert_count"),
            row.getInt("open_count"),
            row.getInt("object_count"));
    if (closed) {
      incident.setClosedAt(instant(row, "closed_at"));
      incident.setEnd(IncidentEnd.fromValue(row.getString("end_reason")));
      long into = row.getLong("into_number");
      incident.setMergedInto(row.wasNull() ? null : into);
    }
    incident.setOwner(row.getString("owner"));
    String by = row.getString("acknowledged_by");
    if (by != null) {
      incident.setAcknowledgedBy(by);
      incident.setAcknowledgedAt(instant(row, "acknowledged_at"));
    }
    ObjectRef cause = object(row, "cause_uuid", "cause_adapter", "cause_kind", "cause_object");
    if (cause != null) {
      incident.setCause(
          new IncidentCause(
              row.getObject("cause_id", UUID.class),
              row.getLong("cause_number"),
              row.getString("cause_name"),
              cause,
              severity(row.getInt("cause_severity")),
              instant(row, "cause_since")));
    } else {
      incident.setPlace(object(row, "place_uuid", "place_adapter", "place_kind", "place_name"));
    }
    return incident;
  }

  private static @Nullable ObjectRef object(
      ResultSet row, String id, String adapter, String kind, String name) throws SQLException {
    UUID uuid = row.getObject(id, UUID.class);
    return uuid == null
        ? null
        : new ObjectRef(
            uuid,
            requireNonNull(row.getString(adapter)),
            requireNonNull(row.getString(kind)),
            requireNonNull(row.getString(name)));
  }

  private static Severity severity(int level) {
    return Severity.values()[level - 1];
  }
}
