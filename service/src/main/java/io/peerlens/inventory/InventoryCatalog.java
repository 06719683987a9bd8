package io.peerlens.inventory;

import io.peerlens.ingest.Catalog;
import io.peerlens.ingest.GroupKey;
import io.peerlens.ingest.Metric;
import io.peerlens.ingest.ObjectAttributes;
import io.peerlens.ingest.ObjectKey;
import io.peerlens.ingest.ObjectReference;
import io.peerlens.ingest.SampleSink;
import io.peerlens.ingest.SetKey;
import java.sql.Array;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.function.Function;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.json.JsonMapper;

/**
 * The writing side of the inventory: objects, references, relations, metric groups and sets.
 *
 * <p>Each call is one transaction under one advisory lock, so that nodes that meet the same new
 * object, metric or host in the same moment do so one after the other and agree. New things are
 * rare; the path of a sample never takes this lock. What a call changes counts up a number in
 * {@code inventory_version}, for those who keep the inventory in memory.
 */
public final class InventoryCatalog implements Catalog {

  private static final String LOCK = "select pg_advisory_xact_lock(hashtext('peerlens inventory'))";
  private static final String OBJECTS =
      """
      select id, uuid, adapter_kind, object_kind, external_id, name, locator, properties, tags,
             (extract(epoch from attributes_time) * 1000000)::bigint as attributes_micros
      from object where uuid = any (?) or id = any (?)
      """;
  private static final String REFERENCES =
      """
      select object_id, role, adapter_kind, object_kind, locator
      from object_reference where object_id = any (?)
      """;
  private static final String INSERT_OBJECT =
      """
      insert into object (uuid, adapter_kind, object_kind, external_id, name, locator, properties,
                          tags, attributes_time, first_seen)
      values (?, ?, ?, ?, ?, ?, ?::jsonb, ?::jsonb, to_timestamp(? / 1e6), to_timestamp(? / 1e6))
      returning id
      """;
  private static final String UPDATE_OBJECT =
      """
      update object set name = ?, locator = ?, properties = ?::jsonb, tags = ?::jsonb,
                        attributes_time = to_timestamp(? / 1e6)
      where id = ?
      """;
  private static final String INSERT_LIVENESS =
      """
      insert into object_liveness (object_id, last_seen) values (?, to_timestamp(? / 1e6))
      on conflict (object_id) do nothing
      """;
  private static final String INSERT_REFERENCE =
      """
      insert into object_reference (object_id, role, adapter_kind, object_kind, locator, last_seen)
      values (?, ?, ?, ?, ?, to_timestamp(? / 1e6))
      on conflict (object_id, role, adapter_kind, object_kind, locator) do nothing
      """;
  private static final String DELETE_REFERENCE =
      """
      delete from object_reference
      where object_id = ? and role = ? and adapter_kind = ? and object_kind = ? and locator = ?
      """;
  private static final String INSERT_CHANGE =
      """
      insert into object_change (time, object_id, kind, key, old_value, new_value)
      values (to_timestamp(? / 1e6), ?, ?, ?, ?, ?)
      """;

  /** A host that was removed and added again has a new id and the old name: the newest has it. */
  private static final String TAKE_LOCATORS =
      """
      update object o set locator = null
      from object n
      where o.adapter_kind = n.adapter_kind and o.object_kind = n.object_kind
        and o.locator = n.locator and o.id < n.id
        and (o.id = any (?) or n.id = any (?))
      returning o.id
      """;

  private static final String RELATE =
      """
      insert into relation (parent_id, child_id)
      select distinct parent_id, child_id from resolved_references(?)
      on conflict do nothing
      """;
  private static final String UNRELATE =
      """
      delete from relation r
      where (r.parent_id = any (?) or r.child_id = any (?))
        and (r.parent_id, r.child_id) not in (select parent_id, child_id from resolved_references(?))
      """;
  private static final String GROUPS =
      """
      select g.id, g.adapter_kind, g.object_kind, g.name, g.metrics
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

  private static final String COUNT_UP =
      """
      update inventory_version set version = version + ?, sets_version = sets_version + ?
      """;

  private static final Duration LAST_ROW_AGE = Duration.ofHours(1);

  private static final JsonMapper JSON = JsonMapper.shared();
  private static final TypeReference<Map<String, String>> TEXTS = new TypeReference<>() {};

  private final DataSource dataSource;

  public InventoryCatalog(DataSource dataSource) {
    this.dataSource = dataSource;
  }

  /** An object as this transaction sees it. */
  private static final class Known {
    int id;
    final ObjectKey key;
    @Nullable ObjectAttributes stored; // null: new
    ObjectAttributes attributes;
    long timeMicros;

    Known(ObjectKey key, ObjectAttributes attributes, long timeMicros) {
      this.key = key;
      this.attributes = attributes;
      this.timeMicros = timeMicros;
    }

    void tell(ObjectAttributes told, long micros) {
      if (micros >= timeMicros) {
        ObjectAttributes merged = attributes.with(told);
        if (!merged.equals(attributes)) {
          attributes = merged;
          timeMicros = micros;
        }
      }
    }
  }

  /** What a call has changed so far. */
  private static final class Changes {
    /** Objects, their names, properties and tags, relations. */
    boolean graph;

    /** Groups, their metrics, sets. */
    boolean sets;

    int newObjects;
    int newMetrics;
    int newSets;
  }

  private record SetRow(int objectId, int groupId, String instance) {}

  /**
   * @throws SampleSink.RefusedException when the database refuses what is told, whoever tells it
   */
  @Override
  public Answer apply(Request request) {
    return apply(request, true);
  }

  /**
   * What {@link #apply} would answer now, with nothing stored. The ids of things that do not exist
   * are good for nothing outside of this answer.
   */
  public Answer pretend(Request request) {
    return apply(request, false);
  }

  private Answer apply(Request request, boolean store) {
    // The pool gives the connection its auto-commit back, and rolls back what is left open.
    try (Connection connection = dataSource.getConnection()) {
      connection.setAutoCommit(false);
      try {
        try (Statement statement = connection.createStatement()) {
          statement.execute(LOCK);
        }
        Answer answer = apply(connection, request);
        if (store) {
          connection.commit();
        } else {
          connection.rollback();
        }
        return answer;
      } catch (SQLException | RuntimeException e) {
        try {
          connection.rollback();
        } catch (SQLException rollback) {
          e.addSuppressed(rollback);
        }
        throw e;
      }
    } catch (SQLException e) {
      throw failure(e);
    }
  }

  private static RuntimeException failure(SQLException e) {
    String state = e.getSQLState() == null ? "" : e.getSQLState();
    String message = e.getMessage() + " (SQLSTATE " + state + ")";
    // Classes 22 data, 23 constraint, 54 program limit: the data are refused and always will be.
    return state.startsWith("22") || state.startsWith("23") || state.startsWith("54")
        ? new SampleSink.RefusedException(message, e)
        : new IllegalStateException("The inventory could not be stored: " + message, e);
  }

  private Answer apply(Connection connection, Request request) throws SQLException {
    Map<ObjectKey, Known> objects = objects(connection, request);
    Changes changes = new Changes();
    insertNew(connection, objects, request.maxNewObjects(), changes);
    storeChanges(connection, objects.values(), changes);
    Map<GroupKey, KnownGroup> groups = groups(connection, request, changes);
    List<SetAnswer> sets =
        sets(
            connection,
            request,
            objects,
            groups,
            request.maxNewSets() + (long) SETS_OF_A_NEW_OBJECT * changes.newObjects,
            changes);
    countUp(connection, changes);
    return new Answer(sets, groups, changes.newObjects, changes.newMetrics, changes.newSets);
  }

  private static void countUp(Connection connection, Changes changes) throws SQLException {
    if (changes.graph || changes.sets) {
      try (PreparedStatement statement = connection.prepareStatement(COUNT_UP)) {
        statement.setInt(1, changes.graph ? 1 : 0);
        statement.setInt(2, changes.sets ? 1 : 0);
        statement.executeUpdate();
      }
    }
  }

  // Objects ---------------------------------------------------------------------------------------

  private static Map<ObjectKey, Known> objects(Connection connection, Request request)
      throws SQLException {
    Set<UUID> uuids = new LinkedHashSet<>();
    for (NewSet set : request.sets()) {
      uuids.add(set.key().object().uuid());
    }
    Integer[] ids =
        request.updates().stream().map(AttributeUpdate::objectId).toArray(Integer[]::new);
    Map<ObjectKey, Known> objects = new LinkedHashMap<>();
    Map<Integer, Known> byId = new HashMap<>();
    if (!uuids.isEmpty() || ids.length > 0) {
      Map<Integer, Set<ObjectReference>> references = new HashMap<>();
      List<Object[]> rows = new ArrayList<>();
      try (PreparedStatement statement = connection.prepareStatement(OBJECTS)) {
        statement.setArray(1, connection.createArrayOf("uuid", uuids.toArray()));
        statement.setArray(2, connection.createArrayOf("int4", ids));
        try (ResultSet found = statement.executeQuery()) {
          while (found.next()) {
            rows.add(
                new Object[] {
                  found.getInt("id"),
                  new ObjectKey(
                      found.getString("adapter_kind"),
                      found.getString("object_kind"),
                      found.getString("external_id")),
                  found.getString("name"),
                  found.getString("locator"),
                  JSON.readValue(found.getString("properties"), TEXTS),
                  JSON.readValue(found.getString("tags"), TEXTS),
                  found.getLong("attributes_micros")
                });
          }
        }
      }
      try (PreparedStatement statement = connection.prepareStatement(REFERENCES)) {
        statement.setArray(
            1, connection.createArrayOf("int4", rows.stream().map(r -> r[0]).toArray()));
        try (ResultSet found = statement.executeQuery()) {
          while (found.next()) {
            references
                .computeIfAbsent(found.getInt(1), id -> new HashSet<>())
                .add(
                    new ObjectReference(
                        role(found.getString(2)),
                        found.getString(3),
                        found.getString(4),
                        found.getString(5)));
          }
        }
      }
      for (Object[] row : rows) {
        @SuppressWarnings("unchecked") // filled above
        ObjectAttributes attributes =
            new ObjectAttributes(
                (String) row[2],
                (String) row[3],
                (Map<String, String>) row[4],
                (Map<String, String>) row[5],
                references.getOrDefault((Integer) row[0], Set.of()));
        Known known = new Known((ObjectKey) row[1], attributes, (Long) row[6]);
        known.id = (Integer) row[0];
        known.stored = attributes;
        objects.put(known.key, known);
        byId.put(known.id, known);
      }
    }
    for (NewSet set : request.sets()) {
      Known known = objects.get(set.key().object());
      if (known == null) {
        objects.put(
            set.key().object(), new Known(set.key().object(), set.attributes(), set.timeMicros()));
      } else {
        known.tell(set.attributes(), set.timeMicros());
      }
    }
    for (AttributeUpdate update : request.updates()) {
      Known known = byId.get(update.objectId());
      if (known != null) {
        known.tell(update.attributes(), update.timeMicros());
      }
    }
    return objects;
  }

  /** Inserts objects that are new, in the order in which they were met, and forgets the rest. */
  private static void insertNew(
      Connection connection, Map<ObjectKey, Known> objects, int allowed, Changes changes)
      throws SQLException {
    try (PreparedStatement insert = connection.prepareStatement(INSERT_OBJECT);
        PreparedStatement alive = connection.prepareStatement(INSERT_LIVENESS)) {
      for (var iterator = objects.values().iterator(); iterator.hasNext(); ) {
        Known object = iterator.next();
        if (object.stored != null) {
          continue;
        }
        if (changes.newObjects == allowed) {
          iterator.remove();
          continue;
        }
        insert.setObject(1, object.key.uuid());
        insert.setString(2, object.key.adapterKind());
        insert.setString(3, object.key.objectKind());
        insert.setString(4, object.key.externalId());
        insert.setString(5, object.attributes.name());
        insert.setString(6, object.attributes.locator());
        insert.setString(7, json(object.attributes.properties()));
        insert.setString(8, json(object.attributes.tags()));
        insert.setLong(9, object.timeMicros);
        insert.setLong(10, object.timeMicros);
        try (ResultSet id = insert.executeQuery()) {
          id.next();
          object.id = id.getInt(1);
        }
        alive.setInt(1, object.id);
        alive.setLong(2, object.timeMicros);
        alive.addBatch();
        changes.newObjects++;
        changes.graph = true;
      }
      alive.executeBatch();
    }
  }

  private static void storeChanges(
      Connection connection, Collection<Known> objects, Changes changes) throws SQLException {
    Set<Integer> moved = new LinkedHashSet<>();
    try (PreparedStatement update = connection.prepareStatement(UPDATE_OBJECT);
        PreparedStatement refer = connection.prepareStatement(INSERT_REFERENCE);
        PreparedStatement unrefer = connection.prepareStatement(DELETE_REFERENCE);
        PreparedStatement change = connection.prepareStatement(INSERT_CHANGE)) {
      for (Known object : objects) {
        ObjectAttributes now = object.attributes;
        ObjectAttributes before = object.stored;
        if (now.equals(before)) {
          continue;
        }
        if (before == null) {
          change(change, object, "new", null, null, now.name());
        } else {
          update.setString(1, now.name());
          update.setString(2, now.locator());
          update.setString(3, json(now.properties()));
          update.setString(4, json(now.tags()));
          update.setLong(5, object.timeMicros);
          update.setInt(6, object.id);
          update.addBatch();
          changes.graph |=
              !now.name().equals(before.name())
                  || !now.properties().equals(before.properties())
                  || !now.tags().equals(before.tags());
          if (!now.name().equals(before.name())) {
            change(change, object, "name", null, before.name(), now.name());
          }
          changes(change, object, "property", before.properties(), now.properties());
          changes(change, object, "tag", before.tags(), now.tags());
          changes(change, object, "placement", parents(before), parents(now));
        }
        Set<ObjectReference> had = before == null ? Set.of() : before.references();
        if (before == null
            || !now.references().equals(had)
            || !Objects.equals(now.locator(), before.locator())) {
          moved.add(object.id);
        }
        for (ObjectReference gone : had) {
          if (!now.references().contains(gone)) {
            reference(unrefer, object.id, gone);
            unrefer.addBatch();
          }
        }
        for (ObjectReference added : now.references()) {
          if (!had.contains(added)) {
            reference(refer, object.id, added);
            refer.setLong(6, object.timeMicros);
            refer.addBatch();
          }
        }
      }
      update.executeBatch();
      unrefer.executeBatch();
      refer.executeBatch();
      change.executeBatch();
    }
    if (!moved.isEmpty()) {
      Array ids = connection.createArrayOf("int4", moved.toArray());
      try (PreparedStatement statement = connection.prepareStatement(TAKE_LOCATORS)) {
        statement.setArray(1, ids);
        statement.setArray(2, ids);
        try (ResultSet losers = statement.executeQuery()) {
          while (losers.next()) {
            moved.add(losers.getInt(1));
          }
        }
      }
      ids = connection.createArrayOf("int4", moved.toArray());
      int relations = execute(connection, RELATE, ids);
      relations += execute(connection, UNRELATE, ids, ids, ids);
      changes.graph |= relations > 0;
    }
  }

  private static Map<String, String> parents(ObjectAttributes attributes) {
    Map<String, String> parents = new TreeMap<>();
    for (ObjectReference reference : attributes.references()) {
      if (reference.role() == ObjectReference.Role.PARENT) {
        String locator = reference.locator();
        parents.put(reference.objectKind(), locator.substring(locator.lastIndexOf('/') + 1));
      }
    }
    return parents;
  }

  private static void changes(
      PreparedStatement change,
      Known object,
      String kind,
      Map<String, String> before,
      Map<String, String> now)
      throws SQLException {
    for (Map.Entry<String, String> entry : new TreeMap<>(now).entrySet()) {
      String old = before.get(entry.getKey());
      if (!entry.getValue().equals(old) && !isNoNews(kind, entry.getKey(), old)) {
        change(change, object, kind, entry.getKey(), old, entry.getValue());
      }
    }
  }

  /**
   * A property heard of for the first time was not changed, and summary|parentHost and its like say
   * once more what the placement says.
   */
  private static boolean isNoNews(String kind, String key, @Nullable String old) {
    return kind.equals("property") && (old == null || key.startsWith("summary|parent"));
  }

  private static void change(
      PreparedStatement change,
      Known object,
      String kind,
      @Nullable String key,
      @Nullable String old,
      String now)
      throws SQLException {
    change.setLong(1, object.timeMicros);
    change.setInt(2, object.id);
    change.setString(3, kind);
    change.setString(4, key);
    change.setString(5, old);
    change.setString(6, now);
    change.addBatch();
  }

  private static void reference(PreparedStatement statement, int id, ObjectReference reference)
      throws SQLException {
    statement.setInt(1, id);
    statement.setString(2, reference.role() == ObjectReference.Role.PARENT ? "parent" : "child");
    statement.setString(3, reference.adapterKind());
    statement.setString(4, reference.objectKind());
    statement.setString(5, reference.locator());
  }

  private static ObjectReference.Role role(String text) {
    return text.equals("parent") ? ObjectReference.Role.PARENT : ObjectReference.Role.CHILD;
  }

  private static int execute(Connection connection, String sql, Array... arrays)
      throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      for (int i = 0; i < arrays.length; i++) {
        statement.setArray(i + 1, arrays[i]);
      }
      return statement.executeUpdate();
    }
  }

  private static String json(Map<String, String> texts) {
    return JSON.writeValueAsString(texts);
  }

  // Groups and sets -------------------------------------------------------------------------------

  private static Map<GroupKey, KnownGroup> groups(
      Connection connection, Request request, Changes changes) throws SQLException {
    Set<GroupKey> wanted = new LinkedHashSet<>(request.metrics().keySet());
    for (NewSet set : request.sets()) {
      SetKey key = set.key();
      wanted.add(new GroupKey(key.object().adapterKind(), key.object().objectKind(), key.group()));
    }
    Map<GroupKey, KnownGroup> groups = new HashMap<>();
    if (wanted.isEmpty()) {
      return groups;
    }
    Array adapterKinds = texts(connection, wanted.stream().map(GroupKey::adapterKind).toList());
    Array objectKinds = texts(connection, wanted.stream().map(GroupKey::objectKind).toList());
    Array names = texts(connection, wanted.stream().map(GroupKey::name).toList());
    changes.sets |= execute(connection, INSERT_GROUPS, adapterKinds, objectKinds, names) > 0;
    try (PreparedStatement statement = connection.prepareStatement(GROUPS)) {
      statement.setArray(1, adapterKinds);
      statement.setArray(2, objectKinds);
      statement.setArray(3, names);
      try (ResultSet rows = statement.executeQuery()) {
        while (rows.next()) {
          groups.put(
              new GroupKey(rows.getString(2), rows.getString(3), rows.getString(4)),
              new KnownGroup(rows.getInt(1), List.of((String[]) rows.getArray(5).getArray())));
        }
      }
    }
    for (Map.Entry<GroupKey, List<Metric>> entry : request.metrics().entrySet()) {
      KnownGroup group = Objects.requireNonNull(groups.get(entry.getKey()));
      List<Metric> missing = new ArrayList<>();
      for (Metric metric : entry.getValue()) {
        if (!group.metrics().contains(metric.name())
            && changes.newMetrics < request.maxNewMetrics()) {
          missing.add(metric);
          changes.newMetrics++;
          changes.sets = true;
        }
      }
      if (!missing.isEmpty()) {
        try (PreparedStatement statement = connection.prepareStatement(APPEND_METRICS)) {
          statement.setArray(1, texts(connection, missing.stream().map(Metric::name).toList()));
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
    return groups;
  }

  private static Array texts(Connection connection, List<String> texts) throws SQLException {
    return connection.createArrayOf("text", texts.toArray());
  }

  /** The sets that were asked for, in that order. */
  private static List<SetAnswer> sets(
      Connection connection,
      Request request,
      Map<ObjectKey, Known> objects,
      Map<GroupKey, KnownGroup> groups,
      long allowed,
      Changes changes)
      throws SQLException {
    List<@Nullable SetRow> rows = new ArrayList<>();
    Set<SetRow> distinct = new LinkedHashSet<>();
    for (NewSet set : request.sets()) {
      SetKey key = set.key();
      Known object = objects.get(key.object());
      if (object == null) {
        rows.add(null);
        continue;
      }
      GroupKey group =
          new GroupKey(key.object().adapterKind(), key.object().objectKind(), key.group());
      SetRow row =
          new SetRow(object.id, Objects.requireNonNull(groups.get(group)).id(), key.instance());
      rows.add(row);
      distinct.add(row);
    }
    Map<SetRow, Integer> ids = new HashMap<>();
    setIds(connection, SETS, distinct, ids);
    List<SetRow> missing =
        distinct.stream().filter(row -> !ids.containsKey(row)).limit(allowed).toList();
    setIds(connection, INSERT_SETS, missing, ids);
    changes.newSets = missing.size();
    changes.sets |= !missing.isEmpty();
    Map<Integer, Long> withLast = new TreeMap<>();
    for (int i = 0; i < rows.size(); i++) {
      NewSet set = request.sets().get(i);
      Integer id = ids.get(rows.get(i));
      if (id != null && set.wantsLastRow()) {
        withLast.merge(id, set.timeMicros() - LAST_ROW_AGE.toNanos() / 1_000, Math::min);
      }
    }
    Map<Integer, LastRow> lastRows = lastRows(connection, withLast);
    List<SetAnswer> sets = new ArrayList<>(rows.size());
    for (int i = 0; i < rows.size(); i++) {
      SetRow row = rows.get(i);
      if (row == null) {
        sets.add(TooMany.OBJECTS);
        continue;
      }
      Integer id = ids.get(row);
      if (id == null) {
        sets.add(TooMany.SETS);
        continue;
      }
      Known object = Objects.requireNonNull(objects.get(request.sets().get(i).key().object()));
      sets.add(new KnownSet(id, object.id, object.attributes, object.timeMicros, lastRows.get(id)));
    }
    return sets;
  }

  /** Adds the ids that a statement answers for some sets. */
  private static void setIds(
      Connection connection, String sql, Collection<SetRow> sets, Map<SetRow, Integer> ids)
      throws SQLException {
    if (sets.isEmpty()) {
      return;
    }
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      statement.setArray(1, ints(connection, sets, SetRow::objectId));
      statement.setArray(2, ints(connection, sets, SetRow::groupId));
      statement.setArray(3, texts(connection, sets.stream().map(SetRow::instance).toList()));
      try (ResultSet found = statement.executeQuery()) {
        while (found.next()) {
          ids.put(
              new SetRow(found.getInt(2), found.getInt(3), found.getString(4)), found.getInt(1));
        }
      }
    }
  }

  private static Array ints(
      Connection connection, Collection<SetRow> sets, Function<SetRow, Integer> each)
      throws SQLException {
    return connection.createArrayOf("int4", sets.stream().map(each).toArray());
  }

  private static Map<Integer, LastRow> lastRows(Connection connection, Map<Integer, Long> since)
      throws SQLException {
    Map<Integer, LastRow> lastRows = new HashMap<>();
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
          lastRows.put(rows.getInt(1), new LastRow(rows.getLong(2), values));
        }
      }
    }
    return lastRows;
  }
}
