package io.peerlens.notify.pipeline;

import io.peerlens.notify.delivery.QueueStore;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Objects;
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

  private final IntakeStore intake;
  private final Standings standings;
  private final Stages stages;
  private final QueueStore queue;
  private final TraceStore traces;
  private final InForce.Source definitions;
  private final TransactionTemplate transaction;
  private final InstantSource clock;
  private final int limit;

  NotificationPipeline(
      IntakeStore intake,
      Standings standings,
      Stages stages,
      QueueStore queue,
      TraceStore traces,
      InForce.Source definitions,
      TransactionTemplate transaction,
      InstantSource clock,
      int limit) {
    this.intake = intake;
    this.standings = standings;
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
    stages.run(batch); // context, match, flow, modify, render: who is told what, and when
    queue.drop(batch.drops, now); // queue: workers deliver it
    queue.put(batch.drafts);
    traces.put(batch.traces); // why somebody was, or was not, notified
    return batch.size();
  }
}
