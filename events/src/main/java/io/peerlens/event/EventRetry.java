package io.peerlens.event;

import io.peerlens.database.Workload;
import io.peerlens.job.RecurringTask;
import java.time.Duration;

/** Retry of events whose objects were not known when they came. */
final class EventRetry extends RecurringTask {

  private final EventStore store;
  private final EventIntake intake;
  private final EventCounters counters;

  /**
   * @param intake of this task alone
   */
  EventRetry(EventStore store, EventIntake intake, EventCounters counters) {
    super(
        "event-retry",
        Workload.INGEST,
        Duration.ofSeconds(5),
        Duration.ofSeconds(5),
        "Events of objects that were not known wait to be tried again");
    this.store = store;
    this.intake = intake;
    this.counters = counters;
  }

  @Override
  protected void work() {
    counters.tried(store.retry(intake::again));
  }
}
