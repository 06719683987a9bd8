package io.peerlens.notify.channel;

import java.time.Duration;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * Deadline of an attempt: ends one that takes too long. Time limits of sockets count from byte to
 * byte, so a receiver that drips would hold a connection for ever; this one counts from the start.
 */
public final class Deadline implements AutoCloseable {

  private static final ScheduledThreadPoolExecutor TIMER = timer();

  private final ScheduledFuture<?> end;
  private volatile boolean passed;

  private Deadline(Duration after, Runnable stop) {
    this.end =
        TIMER.schedule(
            () -> {
              passed = true;
              // Closing a connection may block; the timer must not.
              Thread.ofVirtual().name("deadline").start(stop);
            },
            after.toMillis(),
            TimeUnit.MILLISECONDS);
  }

  private static ScheduledThreadPoolExecutor timer() {
    ScheduledThreadPoolExecutor timer =
        new ScheduledThreadPoolExecutor(
            1, Thread.ofPlatform().daemon().name("notify-deadline").factory());
    timer.setRemoveOnCancelPolicy(true);
    return timer;
  }

  /** Runs {@code stop} after the time, unless it is closed before. */
  public static Deadline after(Duration after, Runnable stop) {
    return new Deadline(after, stop);
  }

  /** Whether the time is up. */
  public boolean passed() {
    return passed;
  }

  @Override
  public void close() {
    end.cancel(false);
  }
}
