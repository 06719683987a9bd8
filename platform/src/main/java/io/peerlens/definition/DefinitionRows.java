package io.peerlens.definition;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Map;

/** Columns in which the definitions of a kind stand, beside those that every kind has. */
public interface DefinitionRows<E> {

  /** The table; a constant of the program. */
  String table();

  /** SQL of each column's value by its name, such as {@code :policy::jsonb} by {@code policy}. */
  Map<String, String> sql();

  /** The parameters of {@link #sql}. */
  Map<String, Object> values(E edit);

  /**
   * Reads a row, which has the id and the name, too.
   *
   * @throws RuntimeException if this version of the service cannot read it
   */
  E read(ResultSet row) throws SQLException;
}
