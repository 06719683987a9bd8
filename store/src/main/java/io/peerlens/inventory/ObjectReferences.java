package io.peerlens.inventory;

import io.peerlens.ingest.key.ObjectAttributes;
import io.peerlens.ingest.key.ObjectReference;
import java.sql.Array;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/**
 * What objects call their parents and children, and the relations that follow: a collector may name
 * an object before it is known, or name it anew.
 */
final class ObjectReferences implements AutoCloseable {

  private static final String REFERENCES =
      """
      select object_id, role, adapter_kind, object_kind, locator
      from object_reference where object_id = any (?)
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

  private final Connection connection;
  private final PreparedStatement insert;
  private final PreparedStatement delete;
  private final Set<Integer> moved = new LinkedHashSet<>();

  ObjectReferences(Connection connection) throws SQLException {
    this.connection = connection;
    this.insert = connection.prepareStatement(INSERT_REFERENCE);
    this.delete = connection.prepareStatement(DELETE_REFERENCE);
  }

  /** The stored references of some objects, by their internal ids. */
  static Map<Integer, Set<ObjectReference>> of(Connection connection, Integer[] ids)
      throws SQLException {
    Map<Integer, Set<ObjectReference>> references = new HashMap<>();
    try (PreparedStatement statement = connection.prepareStatement(REFERENCES)) {
      statement.setArray(1, connection.createArrayOf("int4", ids));
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
        reference(delete, object.id(), gone);
        delete.addBatch();
      }
    }
    for (ObjectReference added : now.references()) {
      if (!had.contains(added)) {
        reference(insert, object.id(), added);
        insert.setLong(6, object.timeMicros());
        insert.addBatch();
      }
    }
  }

  /**
   * Stores what was noted and relates the objects anew; they must be stored before.
   *
   * @return whether there are other relations than before
   */
  boolean write() throws SQLException {
    delete.executeBatch();
    insert.executeBatch();
    if (moved.isEmpty()) {
      return false;
    }
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
    int changed = execute(RELATE, ids) + execute(UNRELATE, ids, ids, ids);
    return changed > 0;
  }

  @Override
  public void close() throws SQLException {
    insert.close();
    delete.close();
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

  private int execute(String sql, Array... arrays) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      for (int i = 0; i < arrays.length; i++) {
        statement.setArray(i + 1, arrays[i]);
      }
      return statement.executeUpdate();
    }
  }
}
