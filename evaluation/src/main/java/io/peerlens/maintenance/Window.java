package io.peerlens.maintenance;

import io.peerlens.scope.Scope;
import java.time.Instant;
import java.util.UUID;

/**
 * A maintenance window.
 *
 * @param enabled whether it suppresses anything
 */
record Window(UUID id, String name, boolean enabled, Scope scope, Schedule schedule) {

  boolean isActive(Instant moment) {
    return enabled && schedule.isActive(moment);
  }
}
