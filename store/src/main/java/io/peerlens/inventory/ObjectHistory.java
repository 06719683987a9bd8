package io.peerlens.inventory;

import io.peerlens.database.NamedStatement;
import io.peerlens.ingest.key.ObjectAttributes;
import io.peerlens.ingest.key.ObjectReference;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** History of objects, for people to read: new ones, other names, tags, places. */
final class ObjectHistory implements AutoCloseable {

  private static final String INSERT_CHANGE =
      """
      insert into object_change (time, object_id, kind, key, old_value, new_value)
      values (to_timestamp(:micros / 1e6), :object, :kind, :key, :old, :now)
      """;

  private final NamedStatement statement;

  ObjectHistory(Connection connection) throws SQLException {
    statement = new NamedStatement(connection, INSERT_CHANGE);
  }

  /** Notes how an object differs from what was stored. */
  void note(CatalogObjects.Known object) throws SQLException {
    ObjectAttributes now = object.attributes();
    ObjectAttributes before = object.stored();
    if (before == null) {
      note(object, "new", null, null, now.name());
      return;
    }
    if (!now.name().equals(before.name())) {
      note(object, "name", null, before.name(), now.name());
    }
    compare(object, "property", before.properties(), now.properties());
    compare(object, "tag", before.tags(), now.tags());
    compare(object, "placement", parents(before), parents(now));
  }

  /** Stores what was noted. */
  void write() throws SQLException {
    statement.run();
  }

  @Override
  public void close() throws SQLException {
    statement.close();
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

  private void compare(
      CatalogObjects.Known object, String kind, Map<String, String> before, Map<String, String> now)
      throws SQLException {
    for (Map.Entry<String, String> entry : new TreeMap<>(now).entrySet()) {
      String old = before.get(entry.getKey());
      if (!entry.getValue().equals(old) && !isNoNews(kind, entry.getKey(), old)) {
        note(object, kind, entry.getKey(), old, entry.getValue());
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

  private void note(
      CatalogObjects.Known object,
      String kind,
      @Nullable String key,
      @Nullable String old,
      String now)
      throws SQLException {
    statement
        .set("micros", object.timeMicros())
        .set("object", object.id())
        .set("kind", kind)
        .set("key", key)
        .set("old", old)
        .set("now", now)
        .add();
  }
}
