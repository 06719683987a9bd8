package io.peerlens.notify.render;

import static io.peerlens.database.Times.instantOrNull;
import static io.peerlens.database.Times.utc;

import io.peerlens.ingest.key.MetricKey;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Data of contexts: one statement for each need, however many alerts there are. */
public final class ContextQueries {

  private static final int DEEPEST = 12;

  /** Where a step of the history says nothing, what was said before it counts. */
  private static final String ALERTS =
      """
      select m.n, a.id, a.number, a.definition_id, a.definition_name, a.impact, a.control_state, a.since, a.opened_at,
        a.updated_at,
        a.canceled_at, a.cancel_reason, a.owner, a.members, a.recommendations, a.object_id, a.source,
        a.type, a.sub_type,
        coalesce(h.severity, a.severity) as severity, h.id as history_id, h.at, h.by, h.value, h.text, h.bound, h.upper,
        h.note,
        coalesce(h.explanation,
          (select e.explanation from alert_history e
           where e.alert_id = a.id and e.id < h.id and e.explanation is not null order by e.id desc limit 1),
          a.explanation ->> 'text') as said,
        coalesce(t.definition, d.definition, g.definition, r.definition) ->> 'description' as description
      from unnest(:alerts::uuid[], :history::bigint[]) with ordinality as m(alert, history, n)
      join alert a on a.id = m.alert
      left join alert_history h on h.id = m.history and h.alert_id = a.id
      left join threshold t on t.id = a.definition_id
      left join alert_definition d on d.id = a.definition_id
      left join outlier_group g on g.id = a.definition_id
      left join talker_report r on r.id = a.definition_id
      """;

  private static final String STEP =
      """
      select id, event from alert_history
      where alert_id = :id and event = any (:events) and (event <> 'canceled' or :last)
      order by case when :last then -id else id end limit 1
      """;

  private static final String OBJECTS =
      """
      select id, uuid, adapter_kind, object_kind, external_id, name, tags, properties from object where id = any (:ids)
      """;

  /** Without the offset, PostgreSQL reads the whole view at each step. */
  private static final String ABOVE =
      """
      with recursive up(start, id, depth) as (
        select r.child_id, r.parent_id, 1 from last_relation r where r.child_id = any (:ids)
        union
        select u.start, r.parent_id, u.depth + 1 from up u
        cross join lateral (select parent_id from last_relation where child_id = u.id offset 0) r
        where u.depth < :deepest)
      select u.start, u.id, min(u.depth) as depth, o.adapter_kind, o.object_kind, o.name, o.uuid
      from up u join object o on o.id = u.id
      where u.id <> u.start
      group by u.start, u.id, o.adapter_kind, o.object_kind, o.name, o.uuid
      order by u.start, depth, o.object_kind, o.name
      """;

  private static final String BADGES =
      """
      select object_id, impact, max(severity) as worst from alert
      where object_id = any (:ids) and status <> 'canceled' and control_state in ('open', 'acknowledged')
      group by object_id, impact
      """;

  private static final String NEWEST =
      """
      select m.object_id, k.key, s.value
      from metric_set m
      join metric_group g on g.id = m.group_id
      join unnest(:keys::text[], :groups::text[], :instances::text[], :metrics::text[])
        as k(key, group_name, instance, metric) on k.group_name = g.name and k.instance = m.instance
      cross join lateral (select array_position(g.metrics, k.metric) as position) p
      cross join lateral (
        select s.values[p.position] as value from sample s
        where s.set_id = m.id and s.time > :from and s.time <= :to and s.values[p.position] is not null
        order by s.time desc limit 1) s
      where m.object_id = any (:ids)
      """;

  private static final String INCIDENTS =
      """
      select m.alert_id, m.joined_at, m.left_at, m.reason, i.id, i.number, i.status, i.title, i.title_after, i.severity,
        i.confidence, i.since, i.owner, i.alert_count, i.object_count, i.cause_id, c.definition_name as cause_name,
        o.name as cause_object
      from incident_alert m
      join incident i on i.id = m.incident_id
      left join alert c on c.id = i.cause_id
      left join object o on o.id = c.object_id
      where m.alert_id = any (:ids)
      order by m.joined_at
      """;

  private static final String SUPER_METRICS =
      "select id, name from super_metric where name = any (:names)";

  private static final String BY_NAME =
      """
      select min(id) as id, name, object_kind, adapter_kind, count(*) as count from object
      where name = any (:names) and removed_at is null group by name, object_kind, adapter_kind
      """;

  private static final String BY_UUID = "select id, uuid from object where uuid = any (:uuids)";

  private final JdbcClient jdbc;

  public ContextQueries(JdbcClient jdbc) {
    this.jdbc = jdbc;
  }

  /** An alert at a moment, as it is stored. */
  record AlertRow(
      int place,
      UUID id,
      long number,
      UUID definition,
      String name,
      String impact,
      String controlState,
      Instant since,
      Instant openedAt,
      Instant updatedAt,
      @Nullable Instant canceledAt,
      @Nullable String cancelReason,
      @Nullable String owner,
      String members,
      List<String> recommendations,
      int object,
      String source,
      @Nullable String type,
      @Nullable String subType,
      int severity,
      boolean past,
      @Nullable Instant at,
      @Nullable String by,
      @Nullable Double value,
      @Nullable String text,
      @Nullable Double bound,
      @Nullable Double upper,
      @Nullable String note,
      @Nullable String said,
      @Nullable String description) {}

  /** An object as it is stored. */
  record ObjectRow(
      int id,
      UUID uuid,
      String adapterKind,
      String kind,
      String externalId,
      String name,
      String tags,
      String properties) {}

  /** An object above another. */
  record AboveRow(
      int start, int id, int depth, String adapterKind, String kind, String name, UUID uuid) {}

  /** Those that are there, in the order of the moments. */
  List<AlertRow> alerts(List<Moment> moments) {
    return jdbc.sql(ALERTS)
        .param("alerts", moments.stream().map(Moment::alert).toArray(UUID[]::new))
        .param("history", moments.stream().map(Moment::history).toArray(Long[]::new))
        .query((row, number) -> alert(row))
        .list();
  }

  /**
   * The step in the history of an alert that stands for an event: the first opening, the last
   * change, the last end.
   */
  Optional<Moment> step(UUID alert, EventType event) {
    String[] steps =
        switch (event) {
          case NEW -> new String[] {"opened"};
          case CANCEL -> new String[] {"canceled"};
          default -> new String[] {"severity", "members"};
        };
    return jdbc.sql(STEP)
        .param("id", alert)
        .param("events", steps)
        .param("last", event != EventType.NEW)
        .query((row, number) -> new Moment(alert, row.getLong("id"), event, row.getString("event")))
        .optional();
  }

  Map<Integer, ObjectRow> objects(Collection<Integer> ids) {
    Map<Integer, ObjectRow> objects = new HashMap<>();
    if (!ids.isEmpty()) {
      jdbc.sql(OBJECTS)
          .param("ids", ids.toArray(Integer[]::new))
          .query(
              row -> {
                objects.put(
                    row.getInt("id"),
                    new ObjectRow(
                        row.getInt("id"),
                        row.getObject("uuid", UUID.class),
                        row.getString("adapter_kind"),
                        row.getString("object_kind"),
                        row.getString("external_id"),
                        row.getString("name"),
                        row.getString("tags"),
                        row.getString("properties")));
              });
    }
    return objects;
  }

  /** What is above objects, the nearest first. */
  Map<Integer, List<AboveRow>> above(Collection<Integer> ids) {
    Map<Integer, List<AboveRow>> above = new HashMap<>();
    if (!ids.isEmpty()) {
      jdbc.sql(ABOVE)
          .param("ids", ids.toArray(Integer[]::new))
          .param("deepest", DEEPEST)
          .query(
              row -> {
                above
                    .computeIfAbsent(row.getInt("start"), start -> new ArrayList<>())
                    .add(
                        new AboveRow(
                            row.getInt("start"),
                            row.getInt("id"),
                            row.getInt("depth"),
                            row.getString("adapter_kind"),
                            row.getString("object_kind"),
                            row.getString("name"),
                            row.getObject("uuid", UUID.class)));
              });
    }
    return above;
  }

  /**
   * An incident that an alert is or was in.
   *
   * @param leftAt null = it is in it
   * @param wasAtEnd whether it was in it when it was closed
   */
  record IncidentRow(
      UUID alert,
      Instant joinedAt,
      @Nullable Instant leftAt,
      boolean wasAtEnd,
      UUID id,
      long number,
      boolean closed,
      String title,
      int severity,
      String confidence,
      Instant since,
      @Nullable String owner,
      int alertCount,
      int objectCount,
      @Nullable UUID causeId,
      @Nullable String causeName,
      @Nullable String causeObject) {}

  /** The incidents of alerts, in the order in which these joined them. */
  List<IncidentRow> incidents(Collection<UUID> alerts) {
    return jdbc.sql(INCIDENTS)
        .param("ids", alerts.toArray(UUID[]::new))
        .query(
            (row, number) -> {
              boolean closed = row.getString("status").equals("closed");
              return new IncidentRow(
                  row.getObject("alert_id", UUID.class),
                  java.util.Objects.requireNonNull(instantOrNull(row, "joined_at")),
                  instantOrNull(row, "left_at"),
                  "closed".equals(row.getString("reason")),
                  row.getObject("id", UUID.class),
                  row.getLong("number"),
                  closed,
                  row.getString(closed ? "title_after" : "title"),
                  row.getInt("severity"),
                  row.getString("confidence"),
                  java.util.Objects.requireNonNull(instantOrNull(row, "since")),
                  row.getString("owner"),
                  row.getInt("alert_count"),
                  row.getInt("object_count"),
                  row.getObject("cause_id", UUID.class),
                  row.getString("cause_name"),
                  row.getString("cause_object"));
            })
        .list();
  }

  /** The worst open alert of objects by impact. */
  Map<Integer, Map<String, Integer>> badges(Collection<Integer> ids) {
    Map<Integer, Map<String, Integer>> badges = new HashMap<>();
    if (!ids.isEmpty()) {
      jdbc.sql(BADGES)
          .param("ids", ids.toArray(Integer[]::new))
          .query(
              row -> {
                badges
                    .computeIfAbsent(row.getInt("object_id"), id -> new HashMap<>())
                    .put(row.getString("impact"), row.getInt("worst"));
              });
    }
    return badges;
  }

  /** The newest values of metrics, not older than an age, by object. */
  Map<Integer, Map<String, Double>> newest(
      Collection<Integer> ids, Collection<String> keys, Instant at, Duration age) {
    Map<Integer, Map<String, Double>> values = new HashMap<>();
    if (ids.isEmpty() || keys.isEmpty()) {
      return values;
    }
    List<String> asked = List.copyOf(keys);
    List<MetricKey> parsed = asked.stream().map(MetricKey::parse).toList();
    jdbc.sql(NEWEST)
        .param("ids", ids.toArray(Integer[]::new))
        .param("keys", asked.toArray(String[]::new))
        .param("groups", parsed.stream().map(MetricKey::group).toArray(String[]::new))
        .param("instances", parsed.stream().map(MetricKey::instance).toArray(String[]::new))
        .param("metrics", parsed.stream().map(MetricKey::metric).toArray(String[]::new))
        .param("from", utc(at.minus(age)))
        .param("to", utc(at))
        .query(
            row -> {
              values
                  .computeIfAbsent(row.getInt("object_id"), id -> new HashMap<>())
                  .put(row.getString("key"), row.getDouble("value"));
            });
    return values;
  }

  /** Keys of super metrics by their names. */
  Map<String, String> superMetrics(Collection<String> names) {
    Map<String, String> keys = new HashMap<>();
    if (!names.isEmpty()) {
      jdbc.sql(SUPER_METRICS)
          .param("names", names.toArray(String[]::new))
          .query(
              row -> {
                keys.put(
                    row.getString("name"), "Super Metric|sm_" + row.getObject("id", UUID.class));
              });
    }
    return keys;
  }

  /**
   * Objects of one name and kind.
   *
   * @param id of the first of them
   * @param count how many there are
   */
  record NamedRow(int id, String name, String kind, String adapterKind, long count) {}

  List<NamedRow> named(Collection<String> names) {
    return names.isEmpty()
        ? List.of()
        : jdbc.sql(BY_NAME)
            .param("names", names.toArray(String[]::new))
            .query(
                (row, number) ->
                    new NamedRow(
                        row.getInt("id"),
                        row.getString("name"),
                        row.getString("object_kind"),
                        row.getString("adapter_kind"),
                        row.getLong("count")))
            .list();
  }

  /** Those of some ids that are objects of ours. */
  Map<UUID, Integer> identified(Collection<UUID> uuids) {
    Map<UUID, Integer> ids = new HashMap<>();
    if (!uuids.isEmpty()) {
      jdbc.sql(BY_UUID)
          .param("uuids", uuids.toArray(UUID[]::new))
          .query(
              row -> {
                ids.put(row.getObject("uuid", UUID.class), row.getInt("id"));
              });
    }
    return ids;
  }

  private static AlertRow alert(ResultSet row) throws SQLException {
    return new AlertRow(
        row.getInt("n") - 1,
        row.getObject("id", UUID.class),
        row.getLong("number"),
        row.getObject("definition_id", UUID.class),
        row.getString("definition_name"),
        row.getString("impact"),
        row.getString("control_state"),
        Objects.requireNonNull(instantOrNull(row, "since")),
        Objects.requireNonNull(instantOrNull(row, "opened_at")),
        Objects.requireNonNull(instantOrNull(row, "updated_at")),
        instantOrNull(row, "canceled_at"),
        row.getString("cancel_reason"),
        row.getString("owner"),
        row.getString("members"),
        Arrays.asList((String[]) row.getArray("recommendations").getArray()),
        row.getInt("object_id"),
        row.getString("source"),
        row.getString("type"),
        row.getString("sub_type"),
        row.getInt("severity"),
        row.getObject("history_id") != null,
        instantOrNull(row, "at"),
        row.getString("by"),
        number(row, "value"),
        row.getString("text"),
        number(row, "bound"),
        number(row, "upper"),
        row.getString("note"),
        row.getString("said"),
        row.getString("description"));
  }

  private static @Nullable Double number(ResultSet row, String column) throws SQLException {
    double number = row.getDouble(column);
    return row.wasNull() || !Double.isFinite(number) ? null : number;
  }
}
