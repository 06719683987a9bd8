package io.peerlens.inventory;

import io.peerlens.database.NamedStatement;
import io.peerlens.ingest.Catalog;
import io.peerlens.ingest.SampleSink;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import javax.sql.DataSource;

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
  private static final String COUNT_UP =
      """
      update inventory_version set version = version + :objects, sets_version = sets_version + :sets
      """;

  private final DataSource dataSource;

  public InventoryCatalog(DataSource dataSource) {
    this.dataSource = dataSource;
  }

  /**
   * @throws SampleSink.RefusedException when the database refuses what is reported, whoever reports
   *     it
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
        lock(connection);
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

  /** Waits for those who change the inventory, until the end of the transaction. */
  static void lock(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(LOCK);
    }
  }

  private static RuntimeException failure(SQLException e) {
    String state = e.getSQLState() == null ? "" : e.getSQLState();
    String message = e.getMessage() + " (SQLSTATE " + state + ")";
    // Classes 22 data, 23 constraint, 54 program limit: the data are refused and always will be.
    return state.startsWith("22") || state.startsWith("23") || state.startsWith("54")
        ? new SampleSink.RefusedException(message, e)
        : new SampleSink.UnavailableException("The inventory could not be stored: " + message, e);
  }

  private static Answer apply(Connection connection, Request request) throws SQLException {
    CatalogObjects objects = new CatalogObjects(connection);
    objects.apply(request);
    CatalogSets sets = new CatalogSets(connection);
    List<SetAnswer> answers = sets.apply(request, objects);
    countUp(connection, objects.changed(), sets.changed());
    return new Answer(
        objects.answers(request),
        answers,
        sets.groups(),
        objects.made(),
        sets.newMetrics(),
        sets.newSets());
  }

  static void countUp(Connection connection, boolean objects, boolean sets) throws SQLException {
    if (objects || sets) {
      try (NamedStatement statement = new NamedStatement(connection, COUNT_UP)) {
        statement.set("objects", objects ? 1 : 0).set("sets", sets ? 1 : 0).update();
      }
    }
  }
}
