package io.peerlens.database;

import java.sql.Connection;
import java.sql.SQLException;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.SingleConnectionDataSource;

/** Transactions on a connection of their own, for COPY and cursors. */
public final class Transactions {

  private Transactions() {}

  /** Statements of one transaction. */
  public interface Work<T extends @Nullable Object> {
    T run(Connection connection) throws SQLException;
  }

  /** Runs work and commits it; an exception takes all of it back. */
  public static <T extends @Nullable Object> T run(DataSource dataSource, Work<T> work)
      throws SQLException {
    try (Connection connection = dataSource.getConnection()) {
      connection.setAutoCommit(false);
      try {
        T result = work.run(connection);
        connection.commit();
        return result;
      } catch (SQLException | RuntimeException | Error e) {
        try {
          connection.rollback();
        } catch (SQLException rollback) {
          e.addSuppressed(rollback);
        }
        throw e;
      } finally {
        connection.setAutoCommit(true);
      }
    }
  }

  /** Statements with named parameters on a connection, which stays open. */
  public static JdbcClient on(Connection connection) {
    return JdbcClient.create(new SingleConnectionDataSource(connection, true));
  }
}
