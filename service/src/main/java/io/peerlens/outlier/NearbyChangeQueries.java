package io.peerlens.outlier;

import static io.peerlens.outlier.Rows.instant;
import static io.peerlens.outlier.Rows.utc;
import static java.util.Objects.requireNonNull;

import io.peerlens.api.model.ObjectRef;
import io.peerlens.api.model.OutlierNearbyChange;
import io.peerlens.api.model.OutlierNearbyKind;
import io.peerlens.api.model.OutlierTraitKind;
import io.peerlens.frame.Frames;
import io.peerlens.maintenance.Maintenance;
import io.peerlens.maintenance.MaintenanceWindows;
import io.peerlens.outlier.AttributeQueries.Attribute;
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
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Reads what changed on a member, or around it, shortly before its event. */
final class NearbyChangeQueries {

  static final Duration BEFORE = Duration.ofHours(1);
  private static final Duration PROBE = Duration.ofMinutes(5);
  private static final int MOST = 100;

  /**
   * On the member and all that it is below, and who moved to where it is: a neighbour that came is
   * a change of what is around it.
   */
  private static final String CHANGES =
      """
      with recursive up(id, height) as (
        select :object::int, 0
        union
        select r.parent_id, u.height + 1 from up u join relation r on r.child_id = u.id where u.height < 4),
      beside as (
        select distinct r.child_id as id from relation r join up u on u.id = r.parent_id where u.height = 1 and r.child_id <> :object)
      select c.time, c.kind, c.key, c.old_value, c.new_value, o.uuid, o.adapter_kind, o.object_kind, o.name, c.object_id
      from object_change c join object o on o.id = c.object_id
      where c.time >= :from and c.time < :to
        and (c.object_id in (select id from up) or c.kind in ('placement', 'new') and c.object_id in (select id from beside))
      order by c.time desc, c.id desc limit :most
      """;

  private static final String MEMBERSHIP =
      """
      select m.at as time, case when m.kind in ('joined', 'unmarked') then null else m.kind end as old_value,
        case when m.kind in ('joined', 'unmarked') then m.kind end as new_value, m.kind as key,
        o.uuid, o.adapter_kind, o.object_kind, o.name
      from outlier_membership m join object o on o.id = m.object_id
      where m.group_id = :group and m.at >= :from and m.at < :to order by m.at desc, m.id desc limit :most
      """;

  private static final String RULES =
      """
      select h.at as time, h.name as key, h.action as new_value from outlier_group_history h
      where h.outlier_group_id = :group and h.at >= :from and h.at < :to order by h.at desc limit :most
      """;

  private final JdbcClient jdbc;
  private final Frames frames;
  private final MaintenanceWindows maintenance;

  NearbyChangeQueries(JdbcClient jdbc, Frames frames, MaintenanceWindows maintenance) {
    this.jdbc = jdbc;
    this.frames = frames;
    this.maintenance = maintenance;
  }

  /**
   * What was found.
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
  Found find(UUID group, int object, Instant since, Instant until) {
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
              all.add(change(row, kind, since));
              OutlierTraitKind trait = trait(kind);
              String key = row.getString("key");
              if (row.getInt("object_id") == object && trait != null && key != null) {
                own.putIfAbsent(
                    new Attribute(trait, key),
                    new Traits.Changed(
                        requireNonNull(instant(row, "time")), row.getString("old_value")));
              }
            });
    for (String sql : List.of(MEMBERSHIP, RULES)) {
      jdbc.sql(sql)
          .param("group", group)
          .param("from", utc(from))
          .param("to", utc(until))
          .param("most", MOST)
          .query(
              row -> {
                all.add(
                    change(
                        row,
                        sql.equals(RULES) ? OutlierNearbyKind.RULE : OutlierNearbyKind.MEMBERSHIP,
                        since));
              });
    }
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
    boolean rule = kind == OutlierNearbyKind.RULE;
    OutlierNearbyChange change =
        made(
            requireNonNull(instant(row, "time")),
            kind,
            row.getString("key"),
            rule ? null : row.getString("old_value"),
            row.getString("new_value"),
            since);
    if (!rule) {
      change.setObject(
          new ObjectRef(
              row.getObject("uuid", UUID.class),
              row.getString("adapter_kind"),
              row.getString("object_kind"),
              row.getString("name")));
    }
    return change;
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
