package io.peerlens.store;

import java.sql.SQLException;

/** Classification of database errors: whose fault one is. */
public final class Refusals {

  private Refusals() {}

  /** Whether the data are refused and always will be, whoever sends them and however often. */
  public static boolean isOfData(SQLException e) {
    String state = e.getSQLState() == null ? "" : e.getSQLState();
    // Classes 22 data, 23 constraint, 54 program limit.
    return state.startsWith("22") || state.startsWith("23") || state.startsWith("54");
  }
}
