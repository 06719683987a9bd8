package io.peerlens.talker;

import org.springframework.dao.DataAccessException;

/** The database was busy with a statement for longer than is allowed. */
final class TooExpensiveException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  TooExpensiveException(DataAccessException cause) {
    super(cause);
  }
}
