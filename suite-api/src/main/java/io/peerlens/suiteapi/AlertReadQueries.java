package io.peerlens.suiteapi;

import java.nio.charset.StandardCharsets;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Timestamp;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Queries of alerts, and of symptoms that are open. */
final class AlertReadQueries {

  private static final String ALERTS =
      """
      select a.id, o.uuid, a.severity, a.type, a.sub_type, a.status, a.control_state, a.opened_at, a.canceled_at,
             a.updated_at, a.suspended_until, a.object_id, a.definition_id, a.definition_name, a.impact, a.owner, a.members
      """;

  private static final String FROM = "from alert a join object o on o.id = a.object_id ";

  private static final String SYMPTOMS =
      """
      select s.threshold_id, o.uuid, s.instance, s.severity, s.since, s.updated_at, t.name,
             t.definition -> 'condition' ->> 'key' as key
      from symptom s join object o on o.id = s.object_id left join threshold t on t.id = s.threshold_id
      where s.since is not null and (:all or o.uuid = any (:objects))
      order by s.since, s.threshold_id, s.object_id, s.instance
      """;

  private static final String NOTES =
      "select id, at, by, note from alert_history where alert_id = ? and event = 'note' order by id";

  private static final String OTHER_DEFINITIONS =
      """
      select distinct on (a.definition_id) a.definition_id, a.definition_name, a.impact, a.severity, a.source,
             o.adapter_kind, o.object_kind
      from alert a join object o on o.id = a.object_id
      where a.source in ('outlier-group', 'talker-report')
      order by a.definition_id, a.opened_at desc
      """;

  private final JdbcClient jdbc;

  AlertReadQueries(JdbcClient jdbc) {
    this.jdbc = jdbc;
  }

  /** An alert; severities are from 1. */
  record Alert(
      UUID id,
      UUID resource,
      int object,
      int severity,
      @Nullable String type,
      @Nullable String subType,
      String status,
      String control,
      Instant opened,
      @Nullable Instant canceled,
      Instant updated,
      @Nullable Instant suspended,
      UUID definition,
      String name,
      String impact,
      @Nullable String owner,
      List<Member> members) {}

  /**
   * What made an alert: a threshold that is violated, on an object by its id within the database.
   */
  record Member(String threshold, int object, String key, String instance) {}

  /** An open symptom. */
  record Symptom(
      UUID threshold,
      UUID resource,
      String instance,
      int severity,
      Instant since,
      Instant updated,
      @Nullable String name,
      @Nullable String key) {

    UUID id() {
      return UUID.nameUUIDFromBytes(
          (threshold + " " + resource + " " + instance).getBytes(StandardCharsets.UTF_8));
    }
  }

  /**
   * A note of an alert.
   *
   * @param by null = nobody who was known
   */
  record Note(long id, Instant at, @Nullable String by, String text) {}

  /** A rule that is neither a threshold nor an alert definition, as its newest alert has it. */
  record Other(
      UUID id,
      String name,
      String impact,
      int severity,
      String source,
      String adapterKind,
      String objectKind) {}

  /**
   * Conditions on alerts, in SQL.
   *
   * @param any whether one of them is enough
   */
  static final class Filter {
    private final List<String> conditions = new ArrayList<>();
    private final Map<String, Object> parameters = new HashMap<>();
    private final boolean any;
    private boolean open;

    Filter(boolean any) {
      this.any = any;
    }

    Filter openOnly(boolean only) {
      open = only;
      return this;
    }

    Filter ids(String column, Collection<UUID> ids) {
      if (!ids.isEmpty()) {
        in(column, ids.toArray(UUID[]::new));
      }
      return this;
    }

    Filter texts(String column, Collection<String> texts) {
      if (!texts.isEmpty()) {
        in(column, texts.stream().map(t -> t.toLowerCase(Locale.ROOT)).toArray(String[]::new));
      }
      return this;
    }

    Filter numbers(String column, Collection<Integer> numbers) {
      if (!numbers.isEmpty()) {
        in(column, numbers.toArray(Integer[]::new));
      }
      return this;
    }

    Filter holds(String column, @Nullable String text) {
      if (text != null) {
        String name = "p" + parameters.size();
        conditions.add("strpos(lower(" + column + "), lower(:" + name + ")) > 0");
        parameters.put(name, text);
      }
      return this;
    }

    Filter between(String column, @Nullable Long from, @Nullable Long to) {
      if (from != null) {
        bound(column + " >= ", from);
      }
      if (to != null) {
        bound(column + " <= ", to);
      }
      return this;
    }

    private void bound(String condition, long millis) {
      String name = "p" + parameters.size();
      conditions.add(condition + ":" + name);
      parameters.put(name, Instant.ofEpochMilli(millis).atOffset(ZoneOffset.UTC));
    }

    /** Nothing matches. */
    Filter none() {
      conditions.add("false");
      return this;
    }

    private void in(String column, Object values) {
      String name = "p" + parameters.size();
      conditions.add(column + " = any (:" + name + ")");
      parameters.put(name, values);
    }

    private String where() {
      String all =
          conditions.isEmpty()
              ? "true"
              : "(" + String.join(any ? " or " : " and ", conditions) + ")";
      return "where " + (open ? "a.status <> 'canceled' and " : "") + all;
    }
  }

  long count(Filter filter) {
    return jdbc.sql("select count(*) " + FROM + filter.where())
        .params(filter.parameters)
        .query(Long.class)
        .single();
  }

  /** Alerts from one place on, in the order in which they were opened. */
  List<Alert> find(Filter filter, long offset, int limit) {
    return jdbc.sql(
            ALERTS
                + FROM
                + filter.where()
                + " order by a.number limit "
                + limit
                + " offset "
                + offset)
        .params(filter.parameters)
        .query(AlertReadQueries::alert)
        .list();
  }

  /**
   * Open symptoms.
   *
   * @param resources empty = of all
   */
  List<Symptom> symptoms(Collection<UUID> resources) {
    return jdbc.sql(SYMPTOMS)
        .param("all", resources.isEmpty())
        .param("objects", resources.toArray(UUID[]::new))
        .query(
            (row, number) ->
                new Symptom(
                    row.getObject("threshold_id", UUID.class),
                    row.getObject("uuid", UUID.class),
                    row.getString("instance"),
                    row.getInt("severity"),
                    row.getTimestamp("since").toInstant(),
                    row.getTimestamp("updated_at").toInstant(),
                    row.getString("name"),
                    row.getString("key")))
        .list();
  }

  /** Notes of an alert, the oldest first. */
  List<Note> notes(UUID alert) {
    return jdbc.sql(NOTES)
        .param(alert)
        .query(
            (row, number) ->
                new Note(
                    row.getLong(1),
                    row.getTimestamp(2).toInstant(),
                    row.getString(3),
                    row.getString(4)))
        .list();
  }

  /** Rules that alerts name and that are neither thresholds nor alert definitions. */
  List<Other> others() {
    return jdbc.sql(OTHER_DEFINITIONS)
        .query(
            (row, number) ->
                new Other(
                    row.getObject(1, UUID.class),
                    row.getString(2),
                    row.getString(3),
                    row.getInt(4),
                    row.getString(5),
                    row.getString(6),
                    row.getString(7)))
        .list();
  }

  private static Alert alert(ResultSet row, int number) throws SQLException {
    List<Member> members = new ArrayList<>();
    for (JsonNode member : JsonMapper.shared().readTree(row.getString("members"))) {
      members.add(
          new Member(
              member.path("threshold").asString(""),
              member.path("object").asInt(0),
              member.path("key").asString(""),
              member.path("instance").asString("")));
    }
    return new Alert(
        row.getObject("id", UUID.class),
        row.getObject("uuid", UUID.class),
        row.getInt("object_id"),
        row.getInt("severity"),
        row.getString("type"),
        row.getString("sub_type"),
        row.getString("status"),
        row.getString("control_state"),
        row.getTimestamp("opened_at").toInstant(),
        instant(row.getTimestamp("canceled_at")),
        row.getTimestamp("updated_at").toInstant(),
        instant(row.getTimestamp("suspended_until")),
        row.getObject("definition_id", UUID.class),
        row.getString("definition_name"),
        row.getString("impact"),
        row.getString("owner"),
        members);
  }

  private static @Nullable Instant instant(@Nullable Timestamp time) {
    return time == null ? null : time.toInstant();
  }
}
