package io.peerlens.job;

import io.peerlens.database.Workload;
import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;

/**
 * Recurring task of one node, on a thread of its own from the start of the application to its end.
 * A failure is logged when its reason changes, and the task is tried again. What one node should do
 * for all is a task of db-scheduler.
 */
public abstract class RecurringTask implements SmartLifecycle {

  private final Logger log = LoggerFactory.getLogger(getClass());
  private final String thread;
  private final Workload workload;
  private final Duration first;
  private final Duration every;
  private final String failure;
  private @Nullable ScheduledExecutorService executor; // guarded by this
  private String trouble = ""; // the thread's own

  /**
   * @param thread name of the thread
   * @param first pause before the first run
   * @param every pause between two runs
   * @param failure words for the log, to which the reason is added
   */
  protected RecurringTask(
      String thread, Workload workload, Duration first, Duration every, String failure) {
    this.thread = thread;
    this.workload = workload;
    this.first = first;
    this.every = every;
    this.failure = failure;
  }

  /** Does the work once. */
  protected abstract void work();

  /** Does the work once; a failure ends up in the log. */
  protected final void run() {
    try {
      work();
      trouble = "";
    } catch (RuntimeException e) { // an exception would end the schedule
      String message = String.valueOf(e.getMessage());
      if (!message.equals(trouble)) {
        log.warn("{}: {}", failure, message);
      }
      trouble = message;
    }
  }

  @Override
  public synchronized void start() {
    ScheduledExecutorService made =
        Executors.newSingleThreadScheduledExecutor(
            workload.threads(Thread.ofPlatform().daemon().name(thread)));
    made.scheduleWithFixedDelay(
        this::run, first.toMillis(), every.toMillis(), TimeUnit.MILLISECONDS);
    executor = made;
  }

  @Override
  public synchronized void stop() {
    if (executor != null) {
      executor.shutdownNow();
      executor = null;
    }
  }

  @Override
  public synchronized boolean isRunning() {
    return executor != null;
  }
}
