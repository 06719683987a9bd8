package io.peerlens.outlier.event;

import static io.peerlens.database.Times.instant;
import static io.peerlens.database.Times.instantOrNull;
import static io.peerlens.database.Times.utc;

import io.peerlens.api.model.ObjectRef;
import io.peerlens.api.model.OutlierDeviant;
import io.peerlens.api.model.OutlierDirection;
import io.peerlens.api.model.OutlierEventMetric;
import io.peerlens.api.model.OutlierEventStatus;
import io.peerlens.api.model.OutlierException;
import io.peerlens.api.model.OutlierSpan;
import io.peerlens.api.model.Severity;
import io.peerlens.database.Rows;
import io.peerlens.outlier.judge.OutlierEventStore;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.springframework.jdbc.core.simple.JdbcClient;
import tools.jackson.databind.json.JsonMapper;

/** Events and marked members of groups, for lists of groups. */
public final class GroupEventQueries {

  private static final int MOST_SPANS = 100;

  private static final String DEVIANTS =
      """
      select e.group_id, e.id, e.status, e.side, e.severity, e.since, e.score, e.metrics,
        jsonb_array_length(e.properties) as properties, o.uuid, o.adapter_kind,
        o.object_kind, o.name
      from outlier_event e join object o on o.id = e.object_id
      where e.group_id = any (:ids) and e.status <> 'closed'
      order by e.severity desc, abs(e.score) desc nulls last, e.since, e.number
      """;

  private static final String SPANS =
      """
      select e.group_id, e.id, o.uuid, e.since, e.closed_at, e.severity
        from unnest(:ids::uuid[]) as g(id) cross join lateral (
        select * from outlier_event
        where group_id = g.id and (closed_at is null or closed_at > :from) order by opened_at desc limit :most) e
      left join object o on o.id = e.object_id
      """;

  private static final String COUNT =
      """
      select group_id, count(*) from outlier_event where group_id = any (:ids) and opened_at > :from group by group_id
      """;

  private static final String EXCEPTIONS =
      """
      select x.group_id, x.until, x.reason, x.by, x.at, o.uuid, o.adapter_kind, o.object_kind, o.name
      from outlier_exception x join object o on o.id = x.object_id
      where x.group_id = any (:ids) and (x.until is null or x.until > :now) order by lower(o.name), o.id
      """;

  private final JdbcClient jdbc;

  public GroupEventQueries(JdbcClient jdbc) {
    this.jdbc = jdbc;
  }

  /** A member that differs now, with the metrics in which it does; none = in its configuration. */
  public record Deviant(OutlierDeviant deviant, List<OutlierEventMetric> metrics) {

    /** As one metric has it; one that has no values now has none here either. */
    public OutlierDeviant in(String key) {
      OutlierEventMetric metric =
          deviant.getState() == OutlierEventStatus.UNKNOWN
              ? null
              : metrics.stream().filter(one -> one.getKey().equals(key)).findFirst().orElse(null);
      return new OutlierDeviant(
              deviant.getEvent(),
              deviant.getObject(),
              metric == null ? null : metric.getValue(),
              metric == null ? null : metric.getScore(),
              metric == null ? null : metric.getFactor(),
              deviant.getSince(),
              deviant.getSeverity(),
              deviant.getState())
          .side(deviant.getSide());
    }

    /** Whether it is about properties. */
    public boolean isOfConfiguration() {
      return deviant.getProperties() != null;
    }

    public boolean isIn(String key) {
      return metrics.stream().anyMatch(one -> one.getKey().equals(key));
    }
  }

  /** By group, the worst first. */
  public Map<UUID, List<Deviant>> deviants(Collection<UUID> groups) {
    Map<UUID, List<Deviant>> found = new HashMap<>();
    jdbc.sql(DEVIANTS)
        .param("ids", groups.toArray(UUID[]::new))
        .query(
            row -> {
              found
                  .computeIfAbsent(row.getObject("group_id", UUID.class), id -> new ArrayList<>())
                  .add(deviant(row));
            });
    return found;
  }

  private static Deviant deviant(ResultSet row) throws SQLException {
    String side = row.getString("side");
    int properties = row.getInt("properties");
    return new Deviant(
        new OutlierDeviant(
                row.getObject("id", UUID.class),
                object(row),
                null,
                Rows.number(row, "score"),
                null,
                instant(row, "since"),
                Severity.values()[row.getInt("severity") - 1],
                OutlierEventStatus.fromValue(row.getString("status")))
            .side(side == null ? null : OutlierDirection.fromValue(side))
            .properties(properties == 0 ? null : properties),
        JsonMapper.shared().readValue(row.getString("metrics"), OutlierEventStore.METRICS));
  }

  public static ObjectRef object(ResultSet row) throws SQLException {
    return new ObjectRef(
        row.getObject("uuid", UUID.class),
        row.getString("adapter_kind"),
        row.getString("object_kind"),
        row.getString("name"));
  }

  /** Events of the last day, by group, newest first. */
  public Map<UUID, List<OutlierSpan>> lastDay(Collection<UUID> groups, Instant now) {
    Map<UUID, List<OutlierSpan>> found = new HashMap<>();
    jdbc.sql(SPANS)
        .param("ids", groups.toArray(UUID[]::new))
        .param("from", utc(now.minus(Duration.ofDays(1))))
        .param("most", MOST_SPANS)
        .query(
            row -> {
              found
                  .computeIfAbsent(row.getObject("group_id", UUID.class), id -> new ArrayList<>())
                  .add(
                      new OutlierSpan(
                          row.getObject("id", UUID.class),
                          row.getObject("uuid", UUID.class),
                          instant(row, "since"),
                          instantOrNull(row, "closed_at"),
                          Severity.values()[row.getInt("severity") - 1]));
            });
    return found;
  }

  /** How many events opened within the last 30 days. */
  public Map<UUID, Integer> lastMonth(Collection<UUID> groups, Instant now) {
    Map<UUID, Integer> found = new HashMap<>();
    jdbc.sql(COUNT)
        .param("ids", groups.toArray(UUID[]::new))
        .param("from", utc(now.minus(Duration.ofDays(30))))
        .query(
            row -> {
              found.put(row.getObject(1, UUID.class), row.getInt(2));
            });
    return found;
  }

  /** Members that are marked now, by group and name. */
  public Map<UUID, List<OutlierException>> exceptions(Collection<UUID> groups, Instant now) {
    Map<UUID, List<OutlierException>> found = new HashMap<>();
    jdbc.sql(EXCEPTIONS)
        .param("ids", groups.toArray(UUID[]::new))
        .param("now", utc(now))
        .query(
            row -> {
              found
                  .computeIfAbsent(row.getObject("group_id", UUID.class), id -> new ArrayList<>())
                  .add(
                      new OutlierException(
                          object(row),
                          instantOrNull(row, "until"),
                          row.getString("reason"),
                          row.getString("by"),
                          instant(row, "at")));
            });
    return found;
  }
}
