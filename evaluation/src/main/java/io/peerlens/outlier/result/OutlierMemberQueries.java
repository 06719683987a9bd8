package io.peerlens.outlier.result;

import static io.peerlens.database.Times.instant;
import static io.peerlens.database.Times.instantOrNull;
import static io.peerlens.database.Times.utc;

import io.peerlens.api.model.ObjectRef;
import io.peerlens.api.model.OutlierMembershipChange;
import io.peerlens.api.model.OutlierMembershipKind;
import io.peerlens.api.model.OutlierMembershipPage;
import io.peerlens.database.Rows;
import io.peerlens.outlier.event.GroupEventQueries;
import io.peerlens.outlier.group.Mark;
import io.peerlens.web.Page;
import java.sql.Types;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Members of a group, now and before, with their recent events. */
public final class OutlierMemberQueries {

  static final int RECENT = 12;
  private static final int MOST_PARENTS = 10;

  private static final String OBJECTS =
      "select id, uuid, adapter_kind, object_kind, name from object where id = any (:ids)";

  private static final String PARENTS =
      """
      select r.child_id, o.uuid, o.adapter_kind, o.object_kind, o.name
      from relation r join object o on o.id = r.parent_id
      where r.child_id = any (:ids) order by o.object_kind, lower(o.name)
      """;

  /** Of two events of a member, that of metrics comes last and counts. */
  private static final String OPEN =
      """
      select object_id, id, side, since, status from outlier_event
      where group_id = :id and status <> 'closed' and object_id is not null
      order by evidence = 'configuration' desc
      """;

  private static final String RECENT_BUCKETS =
      """
      select bucket, members, values, score from outlier_bucket
      where group_id = :id and bucket > :from and bucket <= :to order by bucket
      """;

  private static final String MARKS =
      """
      select object_id, until from outlier_exception
      where group_id = :id and (until is null or until > :now)
      """;

  private static final String MEMBERSHIP =
      """
      select m.id, m.at, m.kind, m.members, o.uuid, o.adapter_kind, o.object_kind, o.name
      from outlier_membership m join object o on o.id = m.object_id
      where m.group_id = :id and (:from::timestamptz is null or m.at >= :from) and (:to::timestamptz is null or m.at < :to)
      """;

  private final JdbcClient jdbc;

  OutlierMemberQueries(JdbcClient jdbc) {
    this.jdbc = jdbc;
  }

  /** How objects are named, by number. */
  Map<Integer, ObjectRef> objects(Collection<Integer> ids) {
    Map<Integer, ObjectRef> objects = new HashMap<>();
    jdbc.sql(OBJECTS)
        .param("ids", ids.toArray(Integer[]::new))
        .query(
            row -> {
              objects.put(row.getInt("id"), GroupEventQueries.object(row));
            });
    return objects;
  }

  /** What objects are directly below. */
  Map<Integer, List<ObjectRef>> parents(Collection<Integer> ids) {
    Map<Integer, List<ObjectRef>> parents = new HashMap<>();
    jdbc.sql(PARENTS)
        .param("ids", ids.toArray(Integer[]::new))
        .query(
            row -> {
              List<ObjectRef> of =
                  parents.computeIfAbsent(row.getInt("child_id"), id -> new ArrayList<>());
              if (of.size() < MOST_PARENTS) {
                of.add(GroupEventQueries.object(row));
              }
            });
    return parents;
  }

  /**
   * An open event of a member.
   *
   * @param side null = it is about properties
   */
  record Open(UUID id, @Nullable String side, Instant since, boolean unknown) {}

  /** By object. */
  Map<Integer, Open> open(UUID group) {
    Map<Integer, Open> open = new HashMap<>();
    jdbc.sql(OPEN)
        .param("id", group)
        .query(
            row -> {
              open.put(
                  row.getInt("object_id"),
                  new Open(
                      row.getObject("id", UUID.class),
                      row.getString("side"),
                      instant(row, "since"),
                      row.getString("status").equals("unknown")));
            });
    return open;
  }

  /** What is said of members now, by object. */
  Map<Integer, Mark> marks(UUID group, Instant now) {
    Map<Integer, Mark> marks = new HashMap<>();
    jdbc.sql(MARKS)
        .param("id", group)
        .param("now", utc(now))
        .query(
            row -> {
              marks.put(row.getInt("object_id"), new Mark(instantOrNull(row, "until")));
            });
    return marks;
  }

  /**
   * Recent scores and values of members, by bucket.
   *
   * @param scores by object, one for each bucket, the oldest first; NaN = not judged
   * @param lastValue by object, start of the last bucket in which it had a value
   */
  record Recent(Map<Integer, double[]> scores, Map<Integer, Instant> lastValue) {}

  /** Of the buckets up to one. */
  Recent recent(UUID group, Instant last, long widthMillis) {
    Map<Integer, double[]> scores = new HashMap<>();
    Map<Integer, Instant> lastValue = new HashMap<>();
    jdbc.sql(RECENT_BUCKETS)
        .param("id", group)
        .param("from", utc(last.minusMillis(RECENT * widthMillis)))
        .param("to", utc(last))
        .query(
            row -> {
              Instant bucket = instant(row, "bucket");
              int at =
                  RECENT - 1 - (int) ((last.toEpochMilli() - bucket.toEpochMilli()) / widthMillis);
              int[] members = Rows.ints(row, "members");
              float[] score = Rows.floats(row, "score");
              float[] values = Rows.floats(row, "values");
              for (int i = 0; i < members.length; i++) {
                scores.computeIfAbsent(members[i], id -> none())[at] = score[i];
                for (int v = i; v < values.length; v += members.length) {
                  if (Float.isFinite(values[v])) {
                    lastValue.put(members[i], bucket);
                  }
                }
              }
            });
    return new Recent(scores, lastValue);
  }

  /** Not judged in any of the last buckets. */
  static double[] none() {
    double[] none = new double[RECENT];
    Arrays.fill(none, Double.NaN);
    return none;
  }

  /** One page of changes of the members, newest first. */
  OutlierMembershipPage membership(
      UUID group,
      @Nullable Instant from,
      @Nullable Instant to,
      int limit,
      @Nullable String cursor) {
    String scope = "membership %s %s %s".formatted(group, from, to);
    long before = Page.before(scope, cursor);
    Map<String, @Nullable OffsetDateTime> window = new HashMap<>();
    window.put("from", from == null ? null : utc(from));
    window.put("to", to == null ? null : utc(to));
    record Found(long id, OutlierMembershipChange change) {}
    List<Found> found =
        jdbc.sql(MEMBERSHIP + " and m.id < :before order by m.id desc limit :limit")
            .param("id", group)
            .param("from", window.get("from"), Types.TIMESTAMP_WITH_TIMEZONE)
            .param("to", window.get("to"), Types.TIMESTAMP_WITH_TIMEZONE)
            .param("before", before)
            .param("limit", limit + 1)
            .query(
                (row, number) -> {
                  int members = row.getInt("members");
                  Integer after = row.wasNull() ? null : members;
                  return new Found(
                      row.getLong("id"),
                      new OutlierMembershipChange(
                          instant(row, "at"),
                          OutlierMembershipKind.fromValue(row.getString("kind")),
                          GroupEventQueries.object(row),
                          after));
                })
            .list();
    long total =
        jdbc.sql("select count(*) from (" + MEMBERSHIP + ") found")
            .param("id", group)
            .param("from", window.get("from"), Types.TIMESTAMP_WITH_TIMEZONE)
            .param("to", window.get("to"), Types.TIMESTAMP_WITH_TIMEZONE)
            .query(Long.class)
            .single();
    return Page.newestFirst(found, Found::id, scope, limit, total)
        .map(Found::change)
        .as(OutlierMembershipPage::new);
  }
}
