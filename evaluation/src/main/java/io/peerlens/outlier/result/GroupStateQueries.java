package io.peerlens.outlier.result;

import static io.peerlens.database.Times.instantOrNull;

import io.peerlens.api.model.OutlierGroupState;
import io.peerlens.api.model.OutlierUsual;
import io.peerlens.database.Rows;
import io.peerlens.outlier.group.OutlierGroup;
import java.time.Instant;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.json.JsonMapper;

/** State of groups in their last bucket. */
public final class GroupStateQueries {

  private static final String BRIEF =
      """
      select g.id, s.state, s.error, cardinality(s.members) as members, e.open, e.deviants, e.severity, e.score,
        greatest(
          (select opened_at from outlier_event where group_id = g.id order by opened_at desc limit 1),
          (select closed_at from outlier_event where group_id = g.id and closed_at is not null
          order by closed_at desc limit 1)) as last_change
      from unnest(:ids::uuid[]) as g(id)
      left join outlier_state s on s.group_id = g.id
      cross join lateral (
        select count(*) as open, count(object_id) as deviants, max(severity) as severity, max(abs(score)) as score
        from outlier_event where group_id = g.id and status <> 'closed') e
      """;

  private static final String WHOLE =
      """
      select group_id, bucket, basis, state, error, metrics, states, members, judged, judged_of, centre, lower, upper, bands,
        values, expected, low, high, scores, score, usual
      from outlier_state where group_id = any (:ids)
      """;

  private static final String GROUPS_OF =
      """
      select s.group_id from outlier_state s join object o on o.id = any (s.members)
      where o.uuid = :object
        and not exists (
          select from outlier_exception x where x.group_id = s.group_id and x.object_id = o.id and x.until is null)
      """;

  private static final String GROUPS_BELOW =
      """
      with recursive below(id) as (
        select id from object where uuid = :ancestor
        union
        select r.child_id from below b join relation r on r.parent_id = b.id)
      select distinct m.group_id
      from (select group_id, unnest(members) as id from outlier_state) m join below using (id)
      """;

  private static final String GROUPS_WITH =
      """
      select distinct m.group_id from (select group_id, unnest(members) as id from outlier_state) m
      where m.id = any (:objects)
      """;

  private static final TypeReference<List<OutlierUsual>> USUAL = new TypeReference<>() {};

  private final JdbcClient jdbc;

  GroupStateQueries(JdbcClient jdbc) {
    this.jdbc = jdbc;
  }

  /**
   * Figures of a group that lists are sorted and filtered by.
   *
   * @param members how many there are
   * @param open events that are not closed
   * @param severity the worst of them; 0 = none is open
   * @param lastChange null = there never was an event
   */
  record Brief(
      OutlierGroupState state,
      int members,
      int open,
      int severity,
      double score,
      @Nullable Instant lastChange) {}

  /** Of groups that exist, by id. */
  Map<UUID, Brief> brief(Collection<OutlierGroup> groups) {
    Map<UUID, OutlierGroup> byId = new HashMap<>();
    groups.forEach(group -> byId.put(group.id(), group));
    Map<UUID, Brief> found = new HashMap<>();
    jdbc.sql(BRIEF)
        .param("ids", byId.keySet().toArray(UUID[]::new))
        .query(
            row -> {
              OutlierGroup group = byId.get(row.getObject("id", UUID.class));
              if (group != null) {
                found.put(
                    group.id(),
                    new Brief(
                        state(group, row.getString("state"), row.getInt("deviants")),
                        row.getInt("members"),
                        row.getInt("open"),
                        row.getInt("severity"),
                        row.getDouble("score"),
                        instantOrNull(row, "last_change")));
              }
            });
    return found;
  }

  /** Groups that compare an object: it was a member in the last bucket, and is not excluded. */
  Set<UUID> groupsOf(UUID object) {
    return Set.copyOf(jdbc.sql(GROUPS_OF).param("object", object).query(UUID.class).list());
  }

  /** Groups that had a member in or below an object in the last bucket. */
  Set<UUID> groupsBelow(UUID ancestor) {
    return Set.copyOf(jdbc.sql(GROUPS_BELOW).param("ancestor", ancestor).query(UUID.class).list());
  }

  /** Groups that had one of the objects as a member in the last bucket, by their internal ids. */
  Set<UUID> groupsWith(int[] objects) {
    return Set.copyOf(
        jdbc.sql(GROUPS_WITH)
            .param("objects", Arrays.stream(objects).boxed().toArray(Integer[]::new))
            .query(UUID.class)
            .list());
  }

  /** The state of a group: what was judged, and who differs. */
  private static OutlierGroupState state(
      OutlierGroup group, @Nullable String stored, int deviants) {
    if (!group.enabled()) {
      return OutlierGroupState.DISABLED;
    }
    if (stored == null) {
      return OutlierGroupState.NOT_JUDGED_YET;
    }
    OutlierGroupState state = OutlierGroupState.fromValue(stored);
    return deviants > 0 && state != OutlierGroupState.FAILING ? OutlierGroupState.DEVIANTS : state;
  }

  /**
   * The last bucket of a group; arrays over metrics and members hold one metric after the other.
   *
   * @param bucket null = none was judged yet
   * @param usual what is usual for the medians, for each metric; empty = nobody asked
   */
  record Whole(
      @Nullable Instant bucket,
      @Nullable String error,
      List<String> metrics,
      String[] states,
      int[] members,
      int judged,
      int[] judgedOf,
      double[] centre,
      double[] lower,
      double[] upper,
      int[] bands,
      float[] values,
      float[] expected,
      float[] low,
      float[] high,
      float[] scores,
      float[] score,
      List<OutlierUsual> usual) {

    /** Place of a metric and member in the arrays over both. */
    int at(int metric, int member) {
      return metric * members.length + member;
    }
  }

  private static List<OutlierUsual> usual(@Nullable String stored) {
    return stored == null ? List.of() : JsonMapper.shared().readValue(stored, USUAL);
  }

  /** Of groups that were judged, or failed. */
  Map<UUID, Whole> whole(Collection<UUID> groups) {
    Map<UUID, Whole> found = new HashMap<>();
    jdbc.sql(WHOLE)
        .param("ids", groups.toArray(UUID[]::new))
        .query(
            row -> {
              found.put(
                  row.getObject("group_id", UUID.class),
                  new Whole(
                      row.getString("basis").isEmpty() ? null : instantOrNull(row, "bucket"),
                      row.getString("error"),
                      List.of(Rows.texts(row, "metrics")),
                      Rows.texts(row, "states"),
                      Rows.ints(row, "members"),
                      row.getInt("judged"),
                      Rows.ints(row, "judged_of"),
                      Rows.doubles(row, "centre"),
                      Rows.doubles(row, "lower"),
                      Rows.doubles(row, "upper"),
                      Rows.ints(row, "bands"),
                      Rows.floats(row, "values"),
                      Rows.floats(row, "expected"),
                      Rows.floats(row, "low"),
                      Rows.floats(row, "high"),
                      Rows.floats(row, "scores"),
                      Rows.floats(row, "score"),
                      usual(row.getString("usual"))));
            });
    return found;
  }
}
