package io.peerlens.source.vcenter;

import java.util.Map;

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
}
