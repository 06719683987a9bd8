package io.peerlens.inventory;

import io.peerlens.ingest.Catalog;
import io.peerlens.ingest.Catalog.KnownGroup;
import io.peerlens.ingest.Metric;
import io.peerlens.ingest.key.GroupKey;
import io.peerlens.ingest.key.SetKey;
import java.sql.Array;
import java.sql.Connection;
import java.sql.PreparedStatement;
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
import java.util.function.Function;
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
      join unnest(?::text[], ?::text[], ?::text[]) as k(adapter_kind, object_kind, name)
        on (g.adapter_kind, g.object_kind, g.name) = (k.adapter_kind, k.object_kind, k.name)
      """;
  private static final String INSERT_GROUPS =
      """
      insert into metric_group (adapter_kind, object_kind, name)
      select k.adapter_kind, k.object_kind, k.name
      from unnest(?::text[], ?::text[], ?::text[]) as k(adapter_kind, object_kind, name)
      where not exists (
        select from metric_group g
        where (g.adapter_kind, g.object_kind, g.name) = (k.adapter_kind, k.object_kind, k.name))
      """;
  private static final String APPEND_METRICS =
      "update metric_group set metrics = metrics || ?::text[], units = units || ?::text[] where id = ?";

  /** Whoever knows a unit first is right; positions count from 1. */
  private static final String FILL_UNIT =
      "update metric_group set units[?] = ? where id = ? and units[?] is null";

  private static final String INSERT_SETS =
      """
      insert into metric_set (object_id, group_id, instance)
      select * from unnest(?::int[], ?::int[], ?::text[])
      returning id, object_id, group_id, instance
      """;
  private static final String SETS =
      """
      select s.id, s.object_id, s.group_id, s.instance
      from metric_set s
      join unnest(?::int[], ?::int[], ?::text[]) as k(object_id, group_id, instance)
        on (s.object_id, s.group_id, s.instance) = (k.object_id, k.group_id, k.instance)
      """;

  /** Older rows do not count for rates, and a bound in time spares looking through all chunks. */
  private static final String LAST_ROWS =
      """
      select s.id, (extract(epoch from l.time) * 1000000)::bigint, l.values
      from unnest(?::int[], ?::bigint[]) as s(id, since)
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
    Array adapterKinds = texts(wanted.stream().map(GroupKey::adapterKind).toList());
    Array objectKinds = texts(wanted.stream().map(GroupKey::objectKind).toList());
    Array names = texts(wanted.stream().map(GroupKey::name).toList());
    try (PreparedStatement statement = connection.prepareStatement(INSERT_GROUPS)) {
      statement.setArray(1, adapterKinds);
      statement.setArray(2, objectKinds);
      statement.setArray(3, names);
      newGroups = statement.executeUpdate() > 0;
    }
    try (PreparedStatement statement = connection.prepareStatement(GROUPS)) {
      statement.setArray(1, adapterKinds);
      statement.setArray(2, objectKinds);
      statement.setArray(3, names);
      try (ResultSet rows = statement.executeQuery()) {
        while (rows.next()) {
          GroupKey key = new GroupKey(rows.getString(2), rows.getString(3), rows.getString(4));
          units.put(key, (String[]) rows.getArray(6).getArray());
          groups.put(
              key, new KnownGroup(rows.getInt(1), List.of((String[]) rows.getArray(5).getArray())));
        }
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
        try (PreparedStatement statement = connection.prepareStatement(APPEND_METRICS)) {
          statement.setArray(1, texts(missing.stream().map(Metric::name).toList()));
          statement.setArray(
              2, connection.createArrayOf("text", missing.stream().map(Metric::unit).toArray()));
          statement.setInt(3, group.id());
          statement.executeUpdate();
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
        try (PreparedStatement statement = connection.prepareStatement(FILL_UNIT)) {
          statement.setInt(1, position + 1);
          statement.setString(2, metric.unit());
          statement.setInt(3, group.id());
          statement.setInt(4, position + 1);
          newUnits |= statement.executeUpdate() > 0;
        }
      }
    }
  }

  private Array texts(List<String> texts) throws SQLException {
    return connection.createArrayOf("text", texts.toArray());
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
      sets.add(
          new Catalog.KnownSet(
              id, object.id(), object.attributes(), object.timeMicros(), lastRows.get(id)));
    }
    return sets;
  }

  /** Adds the ids that a statement answers for some sets. */
  private void setIds(String sql, Collection<SetRow> sets, Map<SetRow, Integer> ids)
      throws SQLException {
    if (sets.isEmpty()) {
      return;
    }
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      statement.setArray(1, ints(sets, SetRow::objectId));
      statement.setArray(2, ints(sets, SetRow::groupId));
      statement.setArray(3, texts(sets.stream().map(SetRow::instance).toList()));
      try (ResultSet found = statement.executeQuery()) {
        while (found.next()) {
          ids.put(
              new SetRow(found.getInt(2), found.getInt(3), found.getString(4)), found.getInt(1));
        }
      }
    }
  }

  private Array ints(Collection<SetRow> sets, Function<SetRow, Integer> each) throws SQLException {
    return connection.createArrayOf("int4", sets.stream().map(each).toArray());
  }

  private Map<Integer, Catalog.LastRow> lastRows(Map<Integer, Long> since) throws SQLException {
    Map<Integer, Catalog.LastRow> lastRows = new HashMap<>();
    if (since.isEmpty()) {
      return lastRows;
    }
    try (PreparedStatement statement = connection.prepareStatement(LAST_ROWS)) {
      statement.setArray(1, connection.createArrayOf("int4", since.keySet().toArray()));
      statement.setArray(2, connection.createArrayOf("int8", since.values().toArray()));
      try (ResultSet rows = statement.executeQuery()) {
        while (rows.next()) {
          Double[] boxed = (Double[]) rows.getArray(3).getArray();
          double[] values = new double[boxed.length];
          for (int i = 0; i < boxed.length; i++) {
            values[i] = boxed[i] == null ? Double.NaN : boxed[i];
          }
          lastRows.put(rows.getInt(1), new Catalog.LastRow(rows.getLong(2), values));
        }
      }
    }
    return lastRows;
  }
}
