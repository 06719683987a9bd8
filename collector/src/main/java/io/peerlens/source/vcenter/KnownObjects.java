package io.peerlens.source.vcenter;

import java.util.Map;
import java.util.Set;
import java.util.function.BiConsumer;

/** Objects that are stored already, to find those that went while nobody collected. */
@FunctionalInterface
public interface KnownObjects {

  /**
   * The stored objects of a vCenter that are not said to be gone.
   *
   * @param vcenter first part of their ids
   * @return kinds by id
   */
  Map<String, String> of(String vcenter);

  /**
   * Tells what records have said of each stored object of a vCenter and still holds.
   *
   * @param each takes an id and the keys: {@code property:NAME}, {@code tag:NAME}, {@code
   *     parent:KIND}, {@code child:KIND}
   */
  default void told(String vcenter, BiConsumer<String, Set<String>> each) {}
}
