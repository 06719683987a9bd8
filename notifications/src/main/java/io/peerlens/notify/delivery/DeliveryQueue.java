package io.peerlens.notify.delivery;

import io.peerlens.notify.delivery.QueueStore.Fate;
import java.time.Instant;
import java.util.Collection;
import java.util.Map;
import java.util.UUID;

/** Queue of deliveries, as far as decisions depend on it: stored, or of a simulation. */
public interface DeliveryQueue {

  /** What became of the newest NEW about subjects; what nobody remembers is not there. */
  Map<TargetSubject, Fate> openings(Collection<UUID> subjects);

  /** How many NEW were made for targets within a minute. */
  Map<UUID, Integer> recent(Collection<UUID> targets, Instant now);
}
