package io.peerlens.inventory;

import io.peerlens.database.NamedStatement;
import io.peerlens.ingest.key.ObjectAttributes;
import io.peerlens.ingest.key.ObjectReference;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/**
 * References between objects by the names that collectors give their parents and children, and the
 * relations that follow: a collector may name an object before it is known, or name it anew.
 */
final class ObjectReferences implements AutoCloseable {

  private static final String REFERENCES =
      """
      select object_id, role, adapter_kind, object_kind, locator
      from object_reference where object_id = any (:ids)
      """;
  private static final String INSERT_REFERENCE =
      """
      insert into object_reference (object_id, role, adapter_kind, object_kind, locator, last_seen)
      values (:id, :role, :adapterKind, :objectKind, :locator, to_timestamp(:micros / 1e6))
      on conflict (object_id, role, adapter_kind, object_kind, locator) do nothing
      """;
  private static final String DELETE_REFERENCE =
      """
      delete from object_reference
      where object_id = :id and role = :role and adapter_kind = :adapterKind and object_kind = :objectKind
        and locator = :locator
      """;

  /**
   * A host that was removed and added again has a new id and the old name: the newest of those that
   * are there has it.
   */
  private static final String TAKE_LOCATORS =
      """
      update object o set locator = null
      from object n
      where o.adapter_kind = n.adapter_kind and o.object_kind = n.object_kind
        and o.locator = n.locator and o.id <> n.id
        and case when (o.removed_at is null) = (n.removed_at is null) then o.id < n.id else n.removed_at is null end
        and (o.id = any (:ids) or n.id = any (:ids))
      returning o.id
      """;

  private static final String RELATE =
      """
      insert into relation (parent_id, child_id)
      select distinct parent_id, child_id from resolved_references(:ids)
      on conflict do nothing
      """;
  private static final String UNRELATE =
      """
      delete from relation r
      where (r.parent_id = any (:ids) or r.child_id = any (:ids))
        and (r.parent_id, r.child_id) not in (select parent_id, child_id from resolved_references(:ids))
      """;

  private final Connection connection;
  private final NamedStatement insert;
  private final NamedStatement delete;
  private final Set<Integer> moved = new LinkedHashSet<>();

  ObjectReferences(Connection connection) throws SQLException {
    this.connection = connection;
    this.insert = new NamedStatement(connection, INSERT_REFERENCE);
    this.delete = new NamedStatement(connection, DELETE_REFERENCE);
  }

  /** The stored references of some objects, by their internal ids. */
  static Map<Integer, Set<ObjectReference>> of(Connection connection, int[] ids)
      throws SQLException {
    Map<Integer, Set<ObjectReference>> references = new HashMap<>();
    try (NamedStatement statement = new NamedStatement(connection, REFERENCES)) {
      ResultSet found = statement.set("ids", ids).query();
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
    return references;
  }

  /** Notes how an object's references differ from what was stored. */
  void note(CatalogObjects.Known object) throws SQLException {
    ObjectAttributes now = object.attributes();
    ObjectAttributes before = object.stored();
    Set<ObjectReference> had = before == null ? Set.of() : before.references();
    if (before == null
        || !now.references().equals(had)
        || !Objects.equals(now.locator(), before.locator())) {
      moved.add(object.id());
    }
    for (ObjectReference gone : had) {
      if (!now.references().contains(gone)) {
        reference(delete, object.id(), gone).add();
      }
    }
    for (ObjectReference added : now.references()) {
      if (!had.contains(added)) {
        reference(insert, object.id(), added).set("micros", object.changedMicros()).add();
      }
    }
  }

  /** Notes that an object was removed: it has no relations, and keeps its references. */
  void noteRemoved(CatalogObjects.Known object) {
    moved.add(object.id());
  }

  /** Notes that an object that was removed is there again. */
  void noteReturned(int object) {
    moved.add(object);
  }

  /**
   * Stores what was noted and relates the objects anew; they must be stored before.
   *
   * @return whether there are other relations than before
   */
  boolean write() throws SQLException {
    delete.run();
    insert.run();
    if (moved.isEmpty()) {
      return false;
    }
    try (NamedStatement take = new NamedStatement(connection, TAKE_LOCATORS);
        NamedStatement relate = new NamedStatement(connection, RELATE);
        NamedStatement unrelate = new NamedStatement(connection, UNRELATE)) {
      ResultSet losers = take.set("ids", "int4", moved).query();
      while (losers.next()) {
        moved.add(losers.getInt(1));
      }
      int related = relate.set("ids", "int4", moved).update();
      return related + unrelate.set("ids", "int4", moved).update() > 0;
    }
  }

  @Override
  public void close() throws SQLException {
    insert.close();
    delete.close();
  }

  private static NamedStatement reference(
      NamedStatement statement, int id, ObjectReference reference) throws SQLException {
    return statement
        .set("id", id)
        .set("role", reference.role() == ObjectReference.Role.PARENT ? "parent" : "child")
        .set("adapterKind", reference.adapterKind())
        .set("objectKind", reference.objectKind())
        .set("locator", reference.locator());
  }

  private static ObjectReference.Role role(String text) {
    return text.equals("parent") ? ObjectReference.Role.PARENT : ObjectReference.Role.CHILD;
  }
}
