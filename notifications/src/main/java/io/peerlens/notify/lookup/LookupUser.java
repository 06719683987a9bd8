package io.peerlens.notify.lookup;

import java.util.List;

/** Something that looks values up in tables. */
@FunctionalInterface
public interface LookupUser {

  /**
   * What uses a table, by names that people know.
   *
   * @param table for instance {@code runbooks.csv}
   */
  List<String> users(String table);
}
