package io.peerlens.notify.pipeline;

import io.peerlens.notify.delivery.QueueStore;
import io.peerlens.notify.delivery.QueueStore.Fate;
import io.peerlens.notify.delivery.QueueStore.Line;
import java.time.Instant;
import java.util.Collection;
import java.util.Map;
import java.util.UUID;

/** The queue as it is stored. */
record StoredQueue(QueueStore store) implements Stages.Queued {

  @Override
  public Map<Line, Fate> openings(Collection<UUID> subjects) {
    return store.openings(subjects);
  }

  @Override
  public Map<UUID, Integer> recent(Collection<UUID> targets, Instant now) {
    return store.recent(targets, now);
  }
}
