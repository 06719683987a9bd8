package io.peerlens.alerttemplates;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Lookup tables that steps may use. Safe to share between threads. */
@FunctionalInterface
public interface Lookups {

  /** There is no table. */
  Lookups NONE = name -> null;

  /** The table of a name such as runbooks.csv; null = there is none. */
  @Nullable LookupTable table(String name);

  /** These tables by their names. */
  static Lookups of(Map<String, LookupTable> tables) {
    return Map.copyOf(tables)::get;
  }
}
