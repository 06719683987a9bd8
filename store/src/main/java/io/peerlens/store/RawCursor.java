package io.peerlens.store;

import java.sql.Connection;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;
import org.postgresql.PGConnection;
import org.postgresql.copy.CopyOut;

/**
 * Cursor over raw samples in the order of set and time: a reader that goes on row by row beside
 * another one. It owns its connection and gives it back when it is closed.
 */
final class RawCursor implements AutoCloseable {
  private final Connection connection;
  private @Nullable CopyOut copy;
  private @Nullable CopyRows rows;
  private boolean more;
  private long time;
  private int setId;
  private long read;

  /**
   * @param select of time, set_id and values
   */
  RawCursor(Connection connection, String select) throws SQLException {
    this.connection = connection;
    try {
      copy =
          connection
              .unwrap(PGConnection.class)
              .getCopyAPI()
              .copyOut("copy (" + select + ") to stdout (format binary)");
      rows = new CopyRows(copy);
      advance();
    } catch (SQLException | RuntimeException e) {
      close();
      throw e;
    }
  }

  /** Number of rows that were read. */
  long read() {
    return read;
  }

  /** Receiver of the values of one row. */
  @FunctionalInterface
  interface Values {
    /**
     * @param value NaN = none
     */
    void value(int position, double value);
  }

  /** Passes over what comes before a set and gives the rows of that set before a moment. */
  void each(int set, long before, Values values) throws SQLException {
    while (more && (setId < set || setId == set && time < before)) {
      CopyRows row = rows();
      int width = row.arrayField();
      for (int i = 0; i < width; i++) {
        double value = row.doubleField();
        if (setId == set) {
          values.value(i, value);
        }
      }
      advance();
    }
  }

  private CopyRows rows() {
    if (rows == null) {
      throw new IllegalStateException("The cursor is closed");
    }
    return rows;
  }

  private void advance() throws SQLException {
    more = rows().next();
    if (more) {
      time = rows().timeField();
      setId = rows().intField();
      read++;
    }
  }

  @Override
  public void close() throws SQLException {
    try (connection) {
      // As in SampleReader: a cancelled COPY would leave answers behind for the next user.
      while (copy != null && copy.isActive() && copy.readFromCopy() != null) {}
    } finally {
      copy = null;
      rows = null;
    }
  }
}
