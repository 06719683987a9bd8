package io.peerlens.talker;

import java.sql.SQLException;
import java.util.function.Supplier;
import org.springframework.dao.DataAccessException;

/** Limit on the time of a query: tells a statement that ran out of time from other failures. */
final class TimedQueries {

  private static final String STOPPED = "57014"; // SQLSTATE of a statement that ran out of time

  private TimedQueries() {}

  /**
   * Runs a query that may be stopped for its time.
   *
   * @throws TooExpensiveException if it was stopped
   */
  static <T> T watch(Supplier<T> work) {
    try {
      return work.get();
    } catch (DataAccessException e) {
      if (e.getRootCause() instanceof SQLException sql && STOPPED.equals(sql.getSQLState())) {
        throw new TooExpensiveException(e);
      }
      throw e;
    }
  }
}
