package io.peerlens.dashboard;

import io.peerlens.api.model.OnConflict;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

/**
 * What a person wants of an import.
 *
 * @param shared whether new ones are shared
 * @param only ids of the dashboards to be imported; empty = all
 * @param choices answers to what was to be settled
 * @param enable whether new super metrics are on
 */
record ImportWishes(
    OnConflict onConflict,
    boolean shared,
    Set<UUID> only,
    Map<String, String> choices,
    boolean enable) {

  ImportWishes {
    only = Set.copyOf(only);
    choices = Map.copyOf(choices);
  }
}
