package io.peerlens.notify.dispatch;

import io.peerlens.notify.delivery.QueueStore;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Objects;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * Notification pipeline: from events of alerts to queued deliveries.
 *
 * <p>A batch is one transaction under one lock: what happened is taken from the outbox, what
 * follows from it is queued, and how things stand is noted, or nothing of it; a process that is
 * killed leaves nothing half done, and what it had taken is there again. So every step of every
 * alert is decided on once, in order, whichever node does it.
 */
public final class NotificationPipeline {

  private final IntakeStore intake;
  private final NotificationStates stateStore;
  private final Stages stages;
  private final QueueStore queue;
  private final TraceStore traces;
  private final ActiveConfig.Source definitions;
  private final TransactionTemplate transaction;
  private final InstantSource clock;
  private final int limit;

  NotificationPipeline(
      IntakeStore intake,
      NotificationStates stateStore,
      Stages stages,
      QueueStore queue,
      TraceStore traces,
      ActiveConfig.Source definitions,
      TransactionTemplate transaction,
      InstantSource clock,
      int limit) {
    this.intake = intake;
    this.stateStore = stateStore;
    this.stages = stages;
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
    ActiveConfig active = definitions.now();
    return Objects.requireNonNull(transaction.execute(status -> batch(active)));
  }

  private int batch(ActiveConfig active) {
    Instant now = clock.instant();
    if (!intake.lock()) {
      return 0;
    }
    Batch batch = // intake: what happened, and what is due
        new Batch(now, active, intake.take(now, limit), stateStore.groupsDue(now, limit));
    stages.run(batch); // context, match, mute, dedup, group, render, enqueue
    queue.drop(batch.drops, now); // queue: workers deliver it
    queue.put(batch.drafts);
    traces.put(batch.traces); // why somebody was, or was not, notified
    return batch.size();
  }
}
