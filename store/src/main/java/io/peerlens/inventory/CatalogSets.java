package io.peerlens.inventory;

import io.peerlens.database.NamedStatement;
import io.peerlens.ingest.Catalog;
import io.peerlens.ingest.Catalog.KnownGroup;
import io.peerlens.ingest.Metric;
import io.peerlens.ingest.key.GroupKey;
import io.peerlens.ingest.key.SetKey;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The metric groups and sets that one call of the catalog is about; lives for that call's
 * transaction.
 */
final class CatalogSets {

  private static final String GROUPS =
      """
      select g.id, g.adapter_kind, g.object_kind, g.name, g.metrics, g.units
      from metric_group g
      join unnest(:adapterKinds::text[], :objectKinds::text[], :names::text[]) as k(adapter_kind, object_kind, name)
        on (g.adapter_kind, g.object_kind, g.name) = (k.adapter_kind, k.object_kind, k.name)
      """;
  private static final String INSERT_GROUPS =
      """
      insert into metric_group (adapter_kind, object_kind, name)
      select k.adapter_kind, k.object_kind, k.name
      from unnest(:adapterKinds::text[], :objectKinds::text[], :names::text[]) as k(adapter_kind, object_kind, name)
      where not exists (
        select from metric_group g
        where (g.adapter_kind, g.object_kind, g.name) = (k.adapter_kind, k.object_kind, k.name))
      """;
  private static final String APPEND_METRICS =
      "update metric_group set metrics = metrics || :names::text[], units = units || :units::text[] where id = :id";

  /** Whoever knows a unit first is right; positions count from 1. */
  private static final String FILL_UNIT =
      "update metric_group set units[:position] = :unit where id = :id and units[:position] is null";

  private static final String INSERT_SETS =
      """
      insert into metric_set (object_id, group_id, instance)
      select * from unnest(:objects::int[], :groups::int[], :instances::text[])
      returning id, object_id, group_id, instance
      """;
  private static final String SETS =
      """
      select s.id, s.object_id, s.group_id, s.instance
      from metric_set s
      join unnest(:objects::int[], :groups::int[], :instances::text[]) as k(object_id, group_id, instance)
        on (s.object_id, s.group_id, s.instance) = (k.object_id, k.group_id, k.instance)
      """;

  /** Older rows do not count for rates, and a bound in time spares looking through all chunks. */
  private static final String LAST_ROWS =
      """
      select s.id, (extract(epoch from l.time) * 1000000)::bigint, l.values
      from unnest(:sets::int[], :since::bigint[]) as s(id, since)
      cross join lateral (
        select time, values from sample
        where set_id = s.id and time >= to_timestamp(s.since / 1e6)
        order by time desc limit 1) l
      """;

  private static final Duration LAST_ROW_AGE = Duration.ofHours(1);

  private final Connection connection;
  private final Map<GroupKey, KnownGroup> groups = new HashMap<>();
  private int newMetrics;
  private int newSets;
  private boolean newGroups;
  private boolean newUnits;

  CatalogSets(Connection connection) {
    this.connection = connection;
  }

  private record SetRow(int objectId, int groupId, String instance) {}

  /**
   * Finds and makes what a request names.
   *
   * @param objects those of the request
   * @return the sets that were asked for, in that order
   */
  List<Catalog.SetAnswer> apply(Catalog.Request request, CatalogObjects objects)
      throws SQLException {
    groups(request);
    return sets(request, objects);
  }

  /** Every group that the request names. */
  Map<GroupKey, KnownGroup> groups() {
    return groups;
  }

  /** How many metric names were added. */
  int newMetrics() {
    return newMetrics;
  }

  /** How many sets were made. */
  int newSets() {
    return newSets;
  }

  /** Whether there are other groups, metric names, units or sets than before. */
  boolean changed() {
    return newGroups || newUnits || newMetrics > 0 || newSets > 0;
  }

  private void groups(Catalog.Request request) throws SQLException {
    Set<GroupKey> wanted = new LinkedHashSet<>(request.metrics().keySet());
    Map<GroupKey, String[]> units = new HashMap<>();
    for (Catalog.NewSet set : request.sets()) {
      SetKey key = set.key();
      wanted.add(new GroupKey(key.object().adapterKind(), key.object().objectKind(), key.group()));
    }
    if (wanted.isEmpty()) {
      return;
    }
    try (NamedStatement insert = new NamedStatement(connection, INSERT_GROUPS);
        NamedStatement find = new NamedStatement(connection, GROUPS)) {
      newGroups = names(insert, wanted).update() > 0;
      ResultSet rows = names(find, wanted).query();
      while (rows.next()) {
        GroupKey key = new GroupKey(rows.getString(2), rows.getString(3), rows.getString(4));
        units.put(key, (String[]) rows.getArray(6).getArray());
        groups.put(
            key, new KnownGroup(rows.getInt(1), List.of((String[]) rows.getArray(5).getArray())));
      }
    }
    for (Map.Entry<GroupKey, List<Metric>> entry : request.metrics().entrySet()) {
      KnownGroup group = Objects.requireNonNull(groups.get(entry.getKey()));
      List<Metric> missing = new ArrayList<>();
      for (Metric metric : entry.getValue()) {
        if (!group.metrics().contains(metric.name()) && newMetrics < request.maxNewMetrics()) {
          missing.add(metric);
          newMetrics++;
        }
      }
      fillUnits(group, Objects.requireNonNull(units.get(entry.getKey())), entry.getValue());
      if (!missing.isEmpty()) {
        try (NamedStatement statement = new NamedStatement(connection, APPEND_METRICS)) {
          statement
              .set("names", "text", missing.stream().map(Metric::name).toList())
              .set("units", "text", missing.stream().map(Metric::unit).toList())
              .set("id", group.id())
              .update();
        }
        List<String> metrics = new ArrayList<>(group.metrics());
        missing.forEach(m -> metrics.add(m.name()));
        groups.put(entry.getKey(), new KnownGroup(group.id(), List.copyOf(metrics)));
      }
    }
  }

  private void fillUnits(KnownGroup group, @Nullable String[] units, List<Metric> told)
      throws SQLException {
    for (Metric metric : told) {
      int position = metric.unit() == null ? -1 : group.metrics().indexOf(metric.name());
      if (position >= 0 && (position >= units.length || units[position] == null)) {
        try (NamedStatement statement = new NamedStatement(connection, FILL_UNIT)) {
          statement.set("position", position + 1).set("unit", metric.unit()).set("id", group.id());
          newUnits |= statement.update() > 0;
        }
      }
    }
  }

  private static NamedStatement names(NamedStatement statement, Collection<GroupKey> groups)
      throws SQLException {
    return statement
        .set("adapterKinds", "text", groups.stream().map(GroupKey::adapterKind).toList())
        .set("objectKinds", "text", groups.stream().map(GroupKey::objectKind).toList())
        .set("names", "text", groups.stream().map(GroupKey::name).toList());
  }

  private List<Catalog.SetAnswer> sets(Catalog.Request request, CatalogObjects objects)
      throws SQLException {
    List<@Nullable SetRow> rows = new ArrayList<>();
    Set<SetRow> distinct = new LinkedHashSet<>();
    for (Catalog.NewSet set : request.sets()) {
      SetKey key = set.key();
      CatalogObjects.Known object = objects.get(key.object());
      if (object == null) {
        rows.add(null);
        continue;
      }
      GroupKey group =
          new GroupKey(key.object().adapterKind(), key.object().objectKind(), key.group());
      SetRow row =
          new SetRow(object.id(), Objects.requireNonNull(groups.get(group)).id(), key.instance());
      rows.add(row);
      distinct.add(row);
    }
    Map<SetRow, Integer> ids = new HashMap<>();
    setIds(SETS, distinct, ids);
    long allowed = request.maxNewSets() + (long) Catalog.SETS_OF_A_NEW_OBJECT * objects.made();
    List<SetRow> missing =
        distinct.stream().filter(row -> !ids.containsKey(row)).limit(allowed).toList();
    setIds(INSERT_SETS, missing, ids);
    newSets = missing.size();
    Map<Integer, Long> withLast = new TreeMap<>();
    for (int i = 0; i < rows.size(); i++) {
      Catalog.NewSet set = request.sets().get(i);
      Integer id = ids.get(rows.get(i));
      if (id != null && set.wantsLastRow()) {
        withLast.merge(id, set.timeMicros() - LAST_ROW_AGE.toNanos() / 1_000, Math::min);
      }
    }
    Map<Integer, Catalog.LastRow> lastRows = lastRows(withLast);
    List<Catalog.SetAnswer> sets = new ArrayList<>(rows.size());
    for (int i = 0; i < rows.size(); i++) {
      SetRow row = rows.get(i);
      if (row == null) {
        sets.add(Catalog.TooMany.OBJECTS);
        continue;
      }
      Integer id = ids.get(row);
      if (id == null) {
        sets.add(Catalog.TooMany.SETS);
        continue;
      }
      CatalogObjects.Known object =
          Objects.requireNonNull(objects.get(request.sets().get(i).key().object()));
      sets.add(new Catalog.KnownSet(id, object.known(), lastRows.get(id)));
    }
    return sets;
  }

  /** Adds the ids that a statement answers for some sets. */
  private void setIds(String sql, Collection<SetRow> sets, Map<SetRow, Integer> ids)
      throws SQLException {
    if (sets.isEmpty()) {
      return;
    }
    try (NamedStatement statement = new NamedStatement(connection, sql)) {
      ResultSet found =
          statement
              .set("objects", sets.stream().mapToInt(SetRow::objectId).toArray())
              .set("groups", sets.stream().mapToInt(SetRow::groupId).toArray())
              .set("instances", "text", sets.stream().map(SetRow::instance).toList())
              .query();
      while (found.next()) {
        ids.put(new SetRow(found.getInt(2), found.getInt(3), found.getString(4)), found.getInt(1));
      }
    }
  }

  private Map<Integer, Catalog.LastRow> lastRows(Map<Integer, Long> since) throws SQLException {
    Map<Integer, Catalog.LastRow> lastRows = new HashMap<>();
    if (since.isEmpty()) {
      return lastRows;
    }
    try (NamedStatement statement = new NamedStatement(connection, LAST_ROWS)) {
      statement.set("sets", "int4", since.keySet()).set("since", "int8", since.values());
      ResultSet rows = statement.query();
      while (rows.next()) {
        Double[] boxed = (Double[]) rows.getArray(3).getArray();
        double[] values = new double[boxed.length];
        for (int i = 0; i < boxed.length; i++) {
          values[i] = boxed[i] == null ? Double.NaN : boxed[i];
        }
        lastRows.put(rows.getInt(1), new Catalog.LastRow(rows.getLong(2), values));
      }
    }
    return lastRows;
  }
}
