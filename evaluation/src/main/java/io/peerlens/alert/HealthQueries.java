package io.peerlens.alert;

import io.peerlens.api.model.Badge;
import io.peerlens.api.model.BadgePart;
import io.peerlens.api.model.Impact;
import io.peerlens.api.model.ObjectHealth;
import io.peerlens.api.model.ObjectRef;
import io.peerlens.api.model.Severity;
import java.util.Collection;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * Health of objects, from the alerts that are open on them and below them. It begins at the open
 * alerts and goes up, since there are far fewer of them than objects below a datacentre.
 */
final class HealthQueries {

  private static final String HEALTH =
      """
      with recursive alerting as (
        select object_id, impact, severity from alert
        where status <> 'canceled' and control_state in ('open', 'acknowledged')),
      up(start, id) as (
        select distinct object_id, object_id from alerting
        union
        select u.start, r.parent_id from up u join relation r on r.child_id = u.id)
      select o.uuid, a.impact, u.start = u.id as own, count(*) as count, max(a.severity) as worst
      from up u join object o on o.id = u.id join alerting a on a.object_id = u.start
      where o.uuid = any (:ids)
      group by 1, 2, 3
      """;

  private static final String OBJECTS =
      "select uuid, adapter_kind, object_kind, name from object where uuid = any (:ids)";

  private final JdbcClient jdbc;

  HealthQueries(JdbcClient jdbc) {
    this.jdbc = jdbc;
  }

  /** In the order of the ids; objects that do not exist are left out. */
  List<ObjectHealth> of(Collection<UUID> ids) {
    UUID[] asked = ids.toArray(UUID[]::new);
    Map<UUID, ObjectRef> objects = new HashMap<>();
    jdbc.sql(OBJECTS)
        .param("ids", asked)
        .query(
            row -> {
              objects.put(row.getObject("uuid", UUID.class), AlertQueries.object(row));
            });
    Map<UUID, Map<Impact, Badge>> badges = new LinkedHashMap<>();
    for (UUID id : asked) {
      if (objects.containsKey(id)) {
        badges.put(id, none());
      }
    }
    jdbc.sql(HEALTH)
        .param("ids", asked)
        .query(
            row -> {
              Map<Impact, Badge> of = badges.get(row.getObject("uuid", UUID.class));
              if (of != null) {
                Badge badge =
                    Objects.requireNonNull(of.get(Impact.fromValue(row.getString("impact"))));
                BadgePart part = new BadgePart(row.getInt("count"));
                part.setSeverity(AlertQueries.severity(row.getInt("worst")));
                if (row.getBoolean("own")) {
                  badge.setOwn(part);
                } else {
                  badge.setBelow(part);
                }
                badge.setSeverity(worse(badge.getSeverity(), part.getSeverity()));
              }
            });
    return badges.entrySet().stream()
        .map(
            entry ->
                new ObjectHealth(
                    Objects.requireNonNull(objects.get(entry.getKey())),
                    Objects.requireNonNull(entry.getValue().get(Impact.HEALTH)),
                    Objects.requireNonNull(entry.getValue().get(Impact.RISK)),
                    Objects.requireNonNull(entry.getValue().get(Impact.EFFICIENCY))))
        .toList();
  }

  private static Map<Impact, Badge> none() {
    Map<Impact, Badge> badges = new EnumMap<>(Impact.class);
    for (Impact impact : Impact.values()) {
      badges.put(impact, new Badge(new BadgePart(0), new BadgePart(0)));
    }
    return badges;
  }

  private static @Nullable Severity worse(@Nullable Severity one, @Nullable Severity other) {
    return one == null || other != null && other.compareTo(one) > 0 ? other : one;
  }
}
