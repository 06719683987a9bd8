package io.peerlens.alert;

import java.time.Instant;
import java.util.Map;
import java.util.UUID;

/**
 * Changes of alerts at a tick, for {@link AlertStore#write}.
 *
 * @param raised what alerts are raised by, by id
 * @param details of those that were opened or changed, by id of the alert
 * @param open how many alerts of the shard are open afterwards
 */
public record AlertChanges(
    Instant tick,
    Transitions transitions,
    Map<UUID, Raised> raised,
    Map<UUID, Detail> details,
    long open) {

  /** How many alerts were opened, changed or canceled. */
  public int count() {
    return (int) transitions.alerts().stream().filter(one -> !one.events().isEmpty()).count();
  }
}
