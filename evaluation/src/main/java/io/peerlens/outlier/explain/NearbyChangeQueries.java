package io.peerlens.outlier.explain;

import static io.peerlens.database.Times.instant;
import static io.peerlens.database.Times.utc;
import static java.util.Objects.requireNonNull;

import io.peerlens.api.model.ObjectKindRef;
import io.peerlens.api.model.OutlierNearbyChange;
import io.peerlens.api.model.OutlierNearbyKind;
import io.peerlens.api.model.OutlierNearbyRule;
import io.peerlens.api.model.OutlierNearbyRuleSort;
import io.peerlens.api.model.OutlierTraitKind;
import io.peerlens.frame.Frames;
import io.peerlens.inventory.ChangeQueries;
import io.peerlens.maintenance.Maintenance;
import io.peerlens.maintenance.MaintenanceWindows;
import io.peerlens.outlier.event.GroupEventQueries;
import io.peerlens.outlier.explain.AttributeQueries.Attribute;
import io.peerlens.outlier.group.OutlierGroup;
import io.peerlens.supermetrics.program.ObjectGraph;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import tools.jackson.databind.json.JsonMapper;

/** Changes on a member, or around it, shortly before its event. */
public final class NearbyChangeQueries {

  static final Duration BEFORE = Duration.ofHours(1);
  private static final Duration PROBE = Duration.ofMinutes(5);
  private static final int MOST = 100;

  /**
   * On the member and all that it is below, and who moved to where it is: a neighbour that came is
   * a change of what is around it. All of a datacentre may be in one folder or network, so these
   * make no neighbours.
   */
  private static final String CHANGES =
      """
      with recursive up(id, height) as (
        select :object::int, 0
        union
        select r.parent_id, u.height + 1 from up u join relation r on r.child_id = u.id where u.height < 4),
      beside as (
        select distinct r.child_id as id from relation r join up u on u.id = r.parent_id join object p on p.id = u.id
        where u.height = 1 and r.child_id <> :object
          and p.object_kind not in ('Folder', 'Network', 'OpaqueNetwork', 'DistributedVirtualPortgroup'))
      select c.time, c.kind, c.key, c.old_value, c.new_value, r.author, o.uuid, o.adapter_kind, o.object_kind, o.name, c.object_id
      from object_change c join object o on o.id = c.object_id left join recorded_change r on r.change_id = c.id
      where c.time >= :from and c.time < :to and c.kind <> 'reporting'
        and not (c.kind = 'new' and c.time < (select min(time) from object_change where kind = 'new') + interval '15 minutes')
        and (c.object_id in (select id from up) or c.kind in ('placement', 'new') and c.object_id in (select id from beside))
      """
          + ChangeQueries.ONCE
          + """
      order by c.time desc, c.id desc limit :most
      """;

  /** Who joined when all did is left out: the group was judged for the first time, or anew. */
  private static final String MEMBERSHIP =
      """
      select m.at as time, case when m.kind in ('joined', 'unmarked') then null else m.kind end as old_value,
        case when m.kind in ('joined', 'unmarked') then m.kind end as new_value, m.kind as key,
        o.uuid, o.adapter_kind, o.object_kind, o.name
      from outlier_membership m join object o on o.id = m.object_id
      where m.group_id = :group and m.at >= :from and m.at < :to
        and not (m.kind = 'joined' and m.members = (
          select count(*) from outlier_membership f where f.group_id = m.group_id and f.at = m.at and f.kind = 'joined'))
      order by m.at desc, m.id desc limit :most
      """;

  /**
   * Rules that say what is compared, or what is wrong with it. Those of other metrics would be true
   * of any hour.
   */
  private static final String RULES =
      """
      with recursive compared(id) as (
        select unnest(:superMetrics::uuid[])
        union
        select m.found[1]::uuid
        from compared c join super_metric s on s.id = c.id
          cross join regexp_matches(s.formula, 'sm_([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})', 'gi') as m(found)),
      judging as (
        select t.id from threshold t
        where t.definition -> 'objectKind' = :kind::jsonb and t.definition -> 'condition' ->> 'key' = any (:keys)),
      changed as (
        select h.at, 'outlier-group' as sort, h.outlier_group_id as id, h.name, h.action, h.by
        from outlier_group_history h where h.outlier_group_id = :group
        union all
        select h.at, 'group', h.object_group_id, h.name, h.action, h.by
        from object_group_history h
          join outlier_group g on g.id = :group and strpos((g.definition -> 'scope')::text, h.object_group_id::text) > 0
        union all
        select h.at, 'super-metric', h.super_metric_id, h.name, h.action, h.by
        from super_metric_history h where h.super_metric_id in (select id from compared)
        union all
        select h.at, 'threshold', h.threshold_id, h.name, h.action, h.by
        from threshold_history h
        where h.definition -> 'objectKind' = :kind::jsonb and h.definition -> 'condition' ->> 'key' = any (:keys)
          or h.definition -> 'scope' -> 'objects' @> to_jsonb(:member::text)
        union all
        select h.at, 'alert-definition', h.alert_definition_id, h.name, h.action, h.by
        from alert_definition_history h
        where exists (select from judging j where strpos(h.definition::text, j.id::text) > 0)
          or h.definition -> 'scope' -> 'objects' @> to_jsonb(:member::text))
      select at as time, sort, id, name as key, action as new_value, by from changed
      where at >= :from and at < :to order by at desc, sort, id limit :most
      """;

  private static final Pattern SUPER_METRIC =
      Pattern.compile(
          "Super Metric\\|sm_([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})",
          Pattern.CASE_INSENSITIVE);

  private final JdbcClient jdbc;
  private final Frames frames;
  private final MaintenanceWindows maintenance;

  public NearbyChangeQueries(JdbcClient jdbc, Frames frames, MaintenanceWindows maintenance) {
    this.jdbc = jdbc;
    this.frames = frames;
    this.maintenance = maintenance;
  }

  /**
   * Changes found near an event.
   *
   * @param all newest first
   * @param own those of the member's own attributes, by attribute, the newest of each
   */
  record Found(List<OutlierNearbyChange> all, Map<Attribute, Traits.Changed> own) {

    /** What changed of an attribute of the member; null = nothing. */
    Traits.@Nullable Changed of(Attribute attribute) {
      return own.get(
          attribute.kind() == OutlierTraitKind.VERSION
              ? new Attribute(OutlierTraitKind.PROPERTY, attribute.key())
              : attribute);
    }
  }

  /**
   * Looks from an hour before the event on.
   *
   * @param until a little after its first bucket, since that is when it may have happened
   */
  Found find(OutlierGroup group, int object, Instant since, Instant until) {
    Instant from = since.minus(BEFORE);
    List<OutlierNearbyChange> all = new ArrayList<>();
    Map<Attribute, Traits.Changed> own = new HashMap<>();
    jdbc.sql(CHANGES)
        .param("object", object)
        .param("from", utc(from))
        .param("to", utc(until))
        .param("most", MOST)
        .query(
            row -> {
              OutlierNearbyKind kind = kind(row.getString("kind"));
              all.add(change(row, kind, since).author(row.getString("author")));
              OutlierTraitKind trait = trait(kind);
              String key = row.getString("key");
              if (row.getInt("object_id") == object && trait != null && key != null) {
                own.putIfAbsent(
                    new Attribute(trait, key),
                    new Traits.Changed(instant(row, "time"), row.getString("old_value")));
              }
            });
    jdbc.sql(MEMBERSHIP)
        .param("group", group.id())
        .param("from", utc(from))
        .param("to", utc(until))
        .param("most", MOST)
        .query(
            row -> {
              all.add(change(row, OutlierNearbyKind.MEMBERSHIP, since));
            });
    rules(group, object, from, until, since, all);
    maintenance(object, from, until, since, all);
    all.sort(Comparator.comparing(OutlierNearbyChange::getTime).reversed());
    return new Found(List.copyOf(all.subList(0, Math.min(MOST, all.size()))), Map.copyOf(own));
  }

  private static OutlierNearbyKind kind(String stored) {
    return stored.equals("new")
        ? OutlierNearbyKind.NEW_OBJECT
        : OutlierNearbyKind.fromValue(stored);
  }

  private static @Nullable OutlierTraitKind trait(OutlierNearbyKind kind) {
    return switch (kind) {
      case PROPERTY -> OutlierTraitKind.PROPERTY;
      case TAG -> OutlierTraitKind.TAG;
      case PLACEMENT -> OutlierTraitKind.PARENT;
      default -> null;
    };
  }

  private static OutlierNearbyChange change(ResultSet row, OutlierNearbyKind kind, Instant since)
      throws SQLException {
    return made(
            instant(row, "time"),
            kind,
            row.getString("key"),
            row.getString("old_value"),
            row.getString("new_value"),
            since)
        .object(GroupEventQueries.object(row));
  }

  private void rules(
      OutlierGroup group,
      int object,
      Instant from,
      Instant until,
      Instant since,
      List<OutlierNearbyChange> all) {
    String member =
        jdbc.sql("select uuid::text from object where id = :id")
            .param("id", object)
            .query(String.class)
            .optional()
            .orElse("");
    jdbc.sql(RULES)
        .param("group", group.id())
        .param(
            "kind",
            JsonMapper.shared()
                .writeValueAsString(
                    new ObjectKindRef(group.kind().adapterKind(), group.kind().objectKind())))
        .param("keys", group.keys().toArray(String[]::new))
        .param("superMetrics", superMetrics(group.keys()))
        .param("member", member)
        .param("from", utc(from))
        .param("to", utc(until))
        .param("most", MOST)
        .query(
            row -> {
              all.add(
                  made(
                          instant(row, "time"),
                          OutlierNearbyKind.RULE,
                          row.getString("key"),
                          null,
                          row.getString("new_value"),
                          since)
                      .rule(
                          new OutlierNearbyRule(
                              OutlierNearbyRuleSort.fromValue(row.getString("sort")),
                              row.getObject("id", UUID.class),
                              row.getString("by"))));
            });
  }

  private static UUID[] superMetrics(List<String> keys) {
    return keys.stream()
        .map(SUPER_METRIC::matcher)
        .filter(Matcher::matches)
        .map(found -> UUID.fromString(found.group(1)))
        .toArray(UUID[]::new);
  }

  private static OutlierNearbyChange made(
      Instant time,
      OutlierNearbyKind kind,
      @Nullable String key,
      @Nullable String before,
      @Nullable String after,
      Instant since) {
    return new OutlierNearbyChange(
        time, kind, key, before, after, Duration.between(time, since).toSeconds());
  }

  /** Windows that began or ended, to five minutes. */
  private void maintenance(
      int object, Instant from, Instant until, Instant since, List<OutlierNearbyChange> all) {
    ObjectGraph graph = frames.objects();
    if (graph.kindOf(object) == null) {
      return;
    }
    Maintenance before = maintenance.at(from, graph).apply(object);
    for (Instant at = from.plus(PROBE); at.isBefore(until); at = at.plus(PROBE)) {
      Maintenance now = maintenance.at(at, graph).apply(object);
      if (!Objects.equals(before, now)) {
        Maintenance named = now == null ? requireNonNull(before) : now;
        all.add(
            made(
                at,
                OutlierNearbyKind.MAINTENANCE,
                named.name(),
                before == null ? null : before.name(),
                now == null ? null : now.name(),
                since));
      }
      before = now;
    }
  }
}
