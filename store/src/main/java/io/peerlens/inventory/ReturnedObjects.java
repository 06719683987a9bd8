package io.peerlens.inventory;

import io.peerlens.database.NamedStatement;
import io.peerlens.database.Transactions;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import javax.sql.DataSource;

/**
 * Objects that their source removed and that were heard of later: they are there again, with the
 * relations that their references tell. Whoever reads their lines need not have read of the
 * removal; the newest sign of life decides, wherever it came in.
 */
public final class ReturnedObjects {

  private static final String AMONG =
      """
      select o.id from object o join object_liveness l on l.object_id = o.id
      where o.removed_at is not null and o.id = any (:ids) and l.last_seen > o.removed_at
      """;

  /** An object that was silent before it was removed is told of once: as one that is back. */
  private static final String RETURN =
      """
      with back as (
        update object o set removed_at = null
        from object_liveness l
        where l.object_id = o.id and o.id = any (:ids) and l.last_seen > o.removed_at
        returning o.id, l.last_seen),
      calm as (
        update object_liveness l set silent_since = null, returned_at = null
        from back b where l.object_id = b.id)
      insert into object_change (time, object_id, kind, old_value, new_value)
      select last_seen, id, 'removed', 'removed', 'reporting' from back order by id
      returning object_id
      """;

  private ReturnedObjects() {}

  /** Those of some objects that are to be noted as returned. */
  public static List<Integer> among(Connection connection, Collection<Integer> ids)
      throws SQLException {
    return ids(connection, AMONG, ids);
  }

  /** Notes that objects are there again, in a transaction of its own. */
  public static void note(DataSource dataSource, Collection<Integer> ids) throws SQLException {
    Transactions.run(
        dataSource,
        connection -> {
          InventoryCatalog.lock(connection);
          List<Integer> returned = ids(connection, RETURN, ids);
          if (!returned.isEmpty()) {
            try (ObjectReferences references = new ObjectReferences(connection)) {
              returned.forEach(references::noteReturned);
              references.write();
            }
            InventoryCatalog.countUp(connection, true, false);
          }
          return null;
        });
  }

  private static List<Integer> ids(Connection connection, String sql, Collection<Integer> ids)
      throws SQLException {
    List<Integer> found = new ArrayList<>();
    try (NamedStatement statement = new NamedStatement(connection, sql)) {
      ResultSet row = statement.set("ids", "int4", ids).query();
      while (row.next()) {
        found.add(row.getInt(1));
      }
    }
    return found;
  }
}
