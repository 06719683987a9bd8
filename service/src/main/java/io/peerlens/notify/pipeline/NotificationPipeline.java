package io.peerlens.notify.pipeline;

import io.peerlens.notify.delivery.QueueStore;
import io.peerlens.notify.pipeline.InhibitionQueries.OpenAlert;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.dao.DataAccessException;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * From what happened to alerts to what is sent about it.
 *
 * <p>A batch is one transaction under one lock: what happened is taken from the outbox, what
 * follows from it is queued, and how things stand is noted, or nothing of it; a process that is
 * killed leaves nothing half done, and what it had taken is there again. So every step of every
 * alert is decided on once, in order, whichever node does it.
 */
public final class NotificationPipeline {

  private static final Logger log = LoggerFactory.getLogger(NotificationPipeline.class);

  private final IntakeStore intake;
  private final StandingStore standings;
  private final ContextStage contexts;
  private final FlowStage flow;
  private final GroupStage groups;
  private final QueueStore queue;
  private final TraceStore traces;
  private final InForce.Source definitions;
  private final TransactionTemplate transaction;
  private final InstantSource clock;
  private final int limit;

  NotificationPipeline(
      IntakeStore intake,
      StandingStore standings,
      ContextStage contexts,
      FlowStage flow,
      GroupStage groups,
      QueueStore queue,
      TraceStore traces,
      InForce.Source definitions,
      TransactionTemplate transaction,
      InstantSource clock,
      int limit) {
    this.intake = intake;
    this.standings = standings;
    this.contexts = contexts;
    this.flow = flow;
    this.groups = groups;
    this.queue = queue;
    this.traces = traces;
    this.definitions = definitions;
    this.transaction = transaction;
    this.clock = clock;
    this.limit = limit;
  }

  /**
   * Works off what there is.
   *
   * @return number of things decided on; 0 = there was nothing, or another node is at it
   */
  public int run() {
    if (!intake.isAnything(clock.instant())) {
      return 0;
    }
    InForce inForce = definitions.now();
    return Objects.requireNonNull(transaction.execute(status -> batch(inForce)));
  }

  private int batch(InForce inForce) {
    Instant now = clock.instant();
    if (!intake.lock()) {
      return 0;
    }
    Batch batch = // intake: what happened, and what is due
        new Batch(now, inForce, intake.take(now, limit), standings.groupsDue(now, limit));
    contexts.describe(batch); // context: what templates, rules and conditions see of it
    standings(batch);
    for (Item item : batch.items) {
      decide(batch, item); // match, flow, modify, render: who is told what, and when
    }
    standings.put(batch.states(), now);
    batch.openings.putAll(queue.openings(batch.groups.keySet()));
    groups.tell(batch); // the same for what is told together
    standings.putGroups(batch.groups.values());
    queue.drop(batch.drops, now); // queue: workers deliver it
    queue.put(batch.drafts);
    traces.put(batch.traces); // why somebody was, or was not, notified
    return batch.size();
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
