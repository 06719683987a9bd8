package io.peerlens.notify.pipeline;

import io.peerlens.notify.delivery.QueueStore.Fate;
import io.peerlens.notify.delivery.QueueStore.Line;
import io.peerlens.notify.pipeline.InhibitionQueries.OpenAlert;
import java.time.Instant;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.dao.DataAccessException;

/**
 * What a batch goes through between intake and queue, in order. The pipeline runs it on what
 * happens, {@link Simulation} on what happened.
 */
final class Stages {

  private static final Logger log = LoggerFactory.getLogger(Stages.class);

  private final ContextStage contexts;
  private final FlowStage flow;
  private final GroupStage groups;
  private final Standings standings;
  private final Queued queue;

  /** What is queued already. */
  interface Queued {
    /** What became of the newest NEW about subjects. */
    Map<Line, Fate> openings(Collection<UUID> subjects);

    /** How many NEW were made for targets within a minute. */
    Map<UUID, Integer> recent(Collection<UUID> targets, Instant now);
  }

  Stages(
      ContextStage contexts, FlowStage flow, GroupStage groups, Standings standings, Queued queue) {
    this.contexts = contexts;
    this.flow = flow;
    this.groups = groups;
    this.standings = standings;
    this.queue = queue;
  }

  /** Decides on everything in a batch. */
  void run(Batch batch) {
    contexts.describe(batch); // context: what templates, rules and conditions see of it
    standings(batch);
    for (Item item : batch.items) {
      decide(batch, item); // match, flow, modify, render: who is told what, and when
    }
    standings.put(batch.states(), batch.now);
    batch.openings.putAll(queue.openings(batch.groups.keySet()));
    groups.tell(batch); // the same for what is told together
    standings.putGroups(batch.groups.values());
  }

  /** One alert that nothing can be made of costs the others nothing. */
  private void decide(Batch batch, Item item) {
    try {
      flow.decide(batch, item);
    } catch (DataAccessException e) {
      throw e; // the transaction is over
    } catch (RuntimeException e) {
      log.error("Nothing can be made of {} of alert {}", item.arrival.change(), item.alert, e);
      flow.settle(batch, item);
    }
  }

  private void standings(Batch batch) {
    Set<UUID> alerts = new HashSet<>();
    batch.items.forEach(item -> alerts.add(item.alert));
    Set<UUID> subjects = new HashSet<>(alerts);
    batch.above.values().stream().flatMap(List::stream).map(OpenAlert::id).forEach(alerts::add);
    standings.states(alerts).forEach(batch::put);
    batch.states().stream()
        .map(state -> state.group)
        .filter(Objects::nonNull)
        .forEach(subjects::add);
    batch.dueGroups.forEach(group -> subjects.add(group.id));
    batch.openings = queue.openings(subjects);
    batch.externalIds = standings.externalIds(subjects);
    batch.recent =
        queue.recent(
            batch.inForce.targets().values().stream()
                .filter(target -> target.digestAfter() != null)
                .map(InForce.Target::id)
                .toList(),
            batch.now);
  }
}
