package io.peerlens.inventory;

import io.peerlens.database.NamedStatement;
import io.peerlens.ingest.key.ObjectAttributes;
import io.peerlens.ingest.key.ObjectReference;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** History of objects, for people to read: new ones, other names, tags, places. */
final class ObjectHistory implements AutoCloseable {

  private static final String INSERT_CHANGE =
      """
      insert into object_change (time, object_id, kind, key, old_value, new_value)
      values (to_timestamp(:micros / 1e6), :object, :kind, :key, :old, :now)
      """;

  /** The objects that references name, as resolved_references finds them, and their names. */
  private static final String NAMES =
      """
      select r.i, o.id, o.name
      from unnest(:adapterKinds::text[], :objectKinds::text[], :locators::text[])
        with ordinality as r(adapter_kind, object_kind, locator, i)
      cross join lateral (
        select id, name from object t
        where (t.adapter_kind, t.object_kind, t.locator) = (r.adapter_kind, r.object_kind, r.locator)
        union
        select id, name from object t
        where (t.adapter_kind, t.object_kind, t.external_id) = (r.adapter_kind, r.object_kind, r.locator)) o
      order by o.id desc
      """;

  /** Properties whose newest entry says that they were taken away. */
  private static final String TAKEN_AWAY =
      """
      select object_id, key
      from (
        select distinct on (object_id, key) object_id, key, new_value from object_change
        where kind = 'property' and object_id = any (:ids) order by object_id, key, id desc) newest
      where new_value is null
      """;

  private static final String GIVE_NAME =
      """
      update object_change set new_value = :name
      where object_id = :object and kind = 'new' and new_value = :externalId
      """;

  /** Properties that vROps has under two keys, with the other key. */
  private static final Map<String, String> TWINS =
      Map.of(
          "config|hardware|num_Cpu", "config|hardware|numCpu",
          "summary|runtime|powerState", "runtime|powerState");

  private final Connection connection;
  private final NamedStatement statement;
  private final NamedStatement names;

  /** Properties that were not there before. */
  private final List<Appeared> appeared = new ArrayList<>();

  private final List<Moved> moved = new ArrayList<>();

  private record Appeared(CatalogObjects.Known object, String property, String value) {}

  /** An object whose parents of a kind are others than before. */
  private record Moved(
      CatalogObjects.Known object,
      String parentKind,
      List<ObjectReference> before,
      List<ObjectReference> now) {}

  ObjectHistory(Connection connection) throws SQLException {
    this.connection = connection;
    statement = new NamedStatement(connection, INSERT_CHANGE);
    names = new NamedStatement(connection, GIVE_NAME);
  }

  /** Notes how an object differs from what was stored. */
  void note(CatalogObjects.Known object) throws SQLException {
    ObjectAttributes now = object.attributes();
    ObjectAttributes before = object.stored();
    if (before == null) {
      note(object, "new", null, null, now.name());
      return;
    }
    boolean renamed = !now.name().equals(before.name());
    // One that was heard of before anybody said what it is has come nowhere and had no other name.
    boolean introduced = renamed && before.name().equals(object.externalId());
    if (introduced) {
      names
          .set("name", now.name())
          .set("object", object.id())
          .set("externalId", before.name())
          .add();
    } else if (renamed) {
      note(object, "name", null, before.name(), now.name());
    }
    compare(object, "property", before.properties(), now.properties());
    compare(object, "tag", before.tags(), now.tags());
    Map<String, List<ObjectReference>> parentsBefore = parents(before);
    Map<String, List<ObjectReference>> parentsNow = parents(now);
    TreeSet<String> kinds = new TreeSet<>(parentsBefore.keySet());
    kinds.addAll(parentsNow.keySet());
    for (String kind : kinds) {
      List<ObjectReference> old = parentsBefore.getOrDefault(kind, List.of());
      List<ObjectReference> others = parentsNow.getOrDefault(kind, List.of());
      if (!Set.copyOf(old).equals(Set.copyOf(others)) && !(introduced && old.isEmpty())) {
        moved.add(new Moved(object, kind, old, others));
      }
    }
  }

  /** Notes that its source removed an object. */
  void noteRemoved(CatalogObjects.Known object) throws SQLException {
    note(object.goneMicros(), object, "removed", null, "reporting", "removed");
  }

  /** Stores what was noted; the objects and their references must be stored before. */
  void write() throws SQLException {
    noteMoves();
    noteReturned();
    statement.run();
    names.run();
  }

  @Override
  public void close() throws SQLException {
    try (names) {
      statement.close();
    }
  }

  private static Map<String, List<ObjectReference>> parents(ObjectAttributes attributes) {
    return attributes.references().stream()
        .filter(reference -> reference.role() == ObjectReference.Role.PARENT)
        .collect(Collectors.groupingBy(ObjectReference::objectKind));
  }

  /**
   * A parent may be named by its id and by what others call it, and was not left when it is only
   * named otherwise. One that nobody knows has the last part of what it is called as its name.
   */
  private void noteMoves() throws SQLException {
    Map<ObjectReference, Parent> parents = new HashMap<>();
    for (Moved move : moved) {
      for (ObjectReference reference : move.before) {
        parents.put(reference, Parent.unknown(reference));
      }
      for (ObjectReference reference : move.now) {
        parents.put(reference, Parent.unknown(reference));
      }
    }
    if (parents.isEmpty()) {
      return;
    }
    resolve(parents);
    for (Moved move : moved) {
      List<Parent> left = move.before.stream().map(parents::get).collect(Collectors.toList());
      List<Parent> entered = move.now.stream().map(parents::get).collect(Collectors.toList());
      List<Parent> stayed = left.stream().filter(entered::contains).toList();
      left.removeAll(stayed);
      entered.removeAll(stayed);
      if (move.before.isEmpty() && entered.size() > 1) {
        continue; // whoever hears of many parents for the first time has not seen them come
      }
      List<String> from = left.stream().map(Parent::name).distinct().sorted().toList();
      List<String> to = entered.stream().map(Parent::name).distinct().sorted().toList();
      for (int i = 0; i < Math.max(from.size(), to.size()); i++) {
        String old = i < from.size() ? from.get(i) : null;
        String now = i < to.size() ? to.get(i) : null;
        if (!Objects.equals(old, now)) {
          note(move.object, "placement", move.parentKind, old, now);
        }
      }
    }
  }

  /**
   * @param id 0 = nobody knows it
   */
  private record Parent(int id, String name) {
    static Parent unknown(ObjectReference reference) {
      String locator = reference.locator();
      return new Parent(0, locator.substring(locator.lastIndexOf('/') + 1));
    }
  }

  private void resolve(Map<ObjectReference, Parent> parents) throws SQLException {
    List<ObjectReference> asked = List.copyOf(parents.keySet());
    try (NamedStatement called = new NamedStatement(connection, NAMES)) {
      ResultSet found =
          called
              .set("adapterKinds", "text", asked.stream().map(r -> r.adapterKind()).toList())
              .set("objectKinds", "text", asked.stream().map(r -> r.objectKind()).toList())
              .set("locators", "text", asked.stream().map(r -> r.locator()).toList())
              .query();
      while (found.next()) {
        parents.put(
            asked.get(found.getInt(1) - 1), new Parent(found.getInt(2), found.getString(3)));
      }
    }
  }

  /**
   * A property heard of for the first time was not changed; one that comes back after it was taken
   * away was.
   */
  private void noteReturned() throws SQLException {
    if (appeared.isEmpty()) {
      return;
    }
    Set<String> taken = new HashSet<>();
    try (NamedStatement takenAway = new NamedStatement(connection, TAKEN_AWAY)) {
      ResultSet found =
          takenAway
              .set("ids", appeared.stream().mapToInt(a -> a.object.id()).distinct().toArray())
              .query();
      while (found.next()) {
        taken.add(found.getInt(1) + " " + found.getString(2));
      }
    }
    for (Appeared each : appeared) {
      if (taken.contains(each.object.id() + " " + each.property)) {
        note(each.object, "property", each.property, null, each.value);
      }
    }
  }

  private void compare(
      CatalogObjects.Known object, String kind, Map<String, String> before, Map<String, String> now)
      throws SQLException {
    TreeSet<String> keys = new TreeSet<>(before.keySet());
    keys.addAll(now.keySet());
    for (String key : keys) {
      String old = before.get(key);
      String value = now.get(key);
      if (Objects.equals(old, value)) {
        continue;
      }
      if (kind.equals("property") && isSaidByAnother(key, keys)) {
        continue;
      }
      if (kind.equals("property") && old == null && value != null) {
        appeared.add(new Appeared(object, key, value));
      } else {
        note(object, kind, key, old, value);
      }
    }
  }

  /**
   * Whether a property only says once more what another one or the placement says.
   *
   * @param all properties of the object
   */
  private static boolean isSaidByAnother(String property, Set<String> all) {
    return property.startsWith("summary|parent")
        || (TWINS.containsKey(property) && all.contains(TWINS.get(property)));
  }

  private void note(
      CatalogObjects.Known object,
      String kind,
      @Nullable String key,
      @Nullable String old,
      @Nullable String now)
      throws SQLException {
    note(object.changedMicros(), object, kind, key, old, now);
  }

  private void note(
      long micros,
      CatalogObjects.Known object,
      String kind,
      @Nullable String key,
      @Nullable String old,
      @Nullable String now)
      throws SQLException {
    statement
        .set("micros", micros)
        .set("object", object.id())
        .set("kind", kind)
        .set("key", key)
        .set("old", old)
        .set("now", now)
        .add();
  }
}
