package io.peerlens.series;

import io.peerlens.ingest.key.MetricKey;
import io.peerlens.supermetrics.formula.ObjectKind;
import java.sql.Array;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Metric sets and positions behind objects and metric keys. */
final class SeriesStore implements SeriesLines {
  private static final String GROUPS =
      """
      select id, adapter_kind, object_kind, name, metrics, units from metric_group where name = any(?)
      """;
  private static final String SETS_OF_OBJECTS =
      """
      select s.id, o.uuid, s.group_id, s.instance
      from object o
      join metric_set s on s.object_id = o.id
      where o.uuid = any(cast(? as uuid[])) and s.group_id = any(?) and s.instance = any(?)
      """;
  private static final String SETS_OF_GROUPS =
      """
      select s.id, s.object_id
      from metric_set s
      where s.group_id = any(:groups) and s.instance = :instance
        and (:parent::uuid is null or s.object_id in (
          select r.child_id from relation r join object p on p.id = r.parent_id where p.uuid = :parent))
        and (:ancestor::uuid is null or s.object_id in (
          with recursive below as (
            select r.child_id from relation r join object a on a.id = r.parent_id where a.uuid = :ancestor
            union
            select r.child_id from relation r join below b on b.child_id = r.parent_id)
          select child_id from below))
      """;
  private static final String OBJECTS =
      """
      select id, uuid, adapter_kind, object_kind, name from object where id = any(?)
      """;

  private static final String KINDS =
      """
      select distinct adapter_kind, object_kind from object where uuid = any(cast(? as uuid[]))
      order by adapter_kind, object_kind
      """;

  private final JdbcClient jdbc;

  SeriesStore(JdbcClient jdbc) {
    this.jdbc = jdbc;
  }

  /**
   * A metric group of one object kind.
   *
   * @param positions position from 0 of each metric name
   */
  record Group(
      int id,
      String adapterKind,
      String objectKind,
      String name,
      Map<String, Integer> positions,
      List<@Nullable String> units) {

    boolean holds(MetricKey key) {
      return name.equals(key.group()) && positions.containsKey(key.metric());
    }

    /** The position of a metric; -1 = it has none. */
    int position(String metric) {
      Integer position = positions.get(metric);
      return position == null ? -1 : position;
    }

    @Nullable String unit(String metric) {
      int position = position(metric);
      return position >= 0 && position < units.size() ? units.get(position) : null;
    }
  }

  /** A metric set of a requested object. */
  private record SetOfObject(int setId, UUID object, int groupId, String instance) {}

  /** A metric set of a ranked object. */
  record RankedSet(int setId, int objectId) {}

  /** An object with its name. */
  record NamedObject(int id, UUID uuid, String adapterKind, String objectKind, String name) {}

  List<Group> groups(Collection<MetricKey> keys) {
    Set<String> names = new HashSet<>();
    for (MetricKey key : keys) {
      names.add(key.group());
    }
    return jdbc.sql(GROUPS)
        .param(names.toArray(String[]::new))
        .query((row, number) -> group(row))
        .list();
  }

  @Override
  public List<Line> lines(List<UUID> objects, List<MetricKey> metrics) {
    Map<Integer, Group> groups = new HashMap<>();
    Set<String> instances = new HashSet<>();
    for (Group group : groups(metrics)) {
      if (metrics.stream().anyMatch(key -> group.holds(key))) {
        groups.put(group.id(), group);
      }
    }
    metrics.forEach(key -> instances.add(key.instance()));
    if (groups.isEmpty()) {
      return List.of();
    }
    Map<UUID, List<SetOfObject>> setsByObject = new HashMap<>();
    for (SetOfObject set : sets(objects, groups.keySet(), instances)) {
      setsByObject.computeIfAbsent(set.object(), object -> new ArrayList<>()).add(set);
    }
    List<Line> lines = new ArrayList<>();
    for (UUID object : new LinkedHashSet<>(objects)) {
      List<SetOfObject> sets = setsByObject.getOrDefault(object, List.of());
      for (MetricKey key : new LinkedHashSet<>(metrics)) {
        for (SetOfObject set : sets) {
          Group group = groups.get(set.groupId());
          if (group != null && group.holds(key) && set.instance().equals(key.instance())) {
            lines.add(
                new Line(
                    object,
                    key,
                    group.unit(key.metric()),
                    group.id(),
                    set.setId(),
                    group.position(key.metric())));
          }
        }
      }
    }
    return lines;
  }

  private List<SetOfObject> sets(
      Collection<UUID> objects, Collection<Integer> groups, Collection<String> instances) {
    return jdbc.sql(SETS_OF_OBJECTS)
        .param(uuids(objects))
        .param(groups.toArray(Integer[]::new))
        .param(instances.toArray(String[]::new))
        .query(
            (row, number) ->
                new SetOfObject(
                    row.getInt(1), row.getObject(2, UUID.class), row.getInt(3), row.getString(4)))
        .list();
  }

  List<RankedSet> sets(
      Collection<Integer> groups, String instance, @Nullable UUID parent, @Nullable UUID ancestor) {
    return jdbc.sql(SETS_OF_GROUPS)
        .param("groups", groups.toArray(Integer[]::new))
        .param("instance", instance)
        .param("parent", parent)
        .param("ancestor", ancestor)
        .query((row, number) -> new RankedSet(row.getInt(1), row.getInt(2)))
        .list();
  }

  Map<Integer, NamedObject> objects(Collection<Integer> ids) {
    Map<Integer, NamedObject> found = new HashMap<>();
    jdbc.sql(OBJECTS)
        .param(ids.toArray(Integer[]::new))
        .query(
            row -> {
              found.put(
                  row.getInt(1),
                  new NamedObject(
                      row.getInt(1),
                      row.getObject(2, UUID.class),
                      row.getString(3),
                      row.getString(4),
                      row.getString(5)));
            });
    return found;
  }

  /** The kinds of objects; those that do not exist have none. */
  List<ObjectKind> kinds(Collection<UUID> objects) {
    return jdbc.sql(KINDS)
        .param(uuids(objects))
        .query((row, number) -> new ObjectKind(row.getString(1), row.getString(2)))
        .list();
  }

  private static String uuids(Collection<UUID> ids) {
    return ids.stream().map(UUID::toString).collect(Collectors.joining(",", "{", "}"));
  }

  private static Group group(ResultSet row) throws SQLException {
    String[] metrics = strings(row.getArray("metrics"));
    Map<String, Integer> positions = new HashMap<>();
    for (int i = 0; i < metrics.length; i++) {
      positions.put(metrics[i], i);
    }
    List<@Nullable String> units = new ArrayList<>();
    for (String unit : strings(row.getArray("units"))) {
      units.add(unit);
    }
    return new Group(
        row.getInt("id"),
        row.getString("adapter_kind"),
        row.getString("object_kind"),
        row.getString("name"),
        positions,
        units);
  }

  private static String[] strings(Array array) throws SQLException {
    return (String[]) array.getArray();
  }
}
