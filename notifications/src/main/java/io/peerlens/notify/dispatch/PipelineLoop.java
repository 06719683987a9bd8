package io.peerlens.notify.dispatch;

import io.micrometer.core.instrument.MeterRegistry;
import io.peerlens.database.Workload;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Loop that runs the pipeline whenever there is something for it. */
final class PipelineLoop implements AutoCloseable {

  private static final Logger log = LoggerFactory.getLogger(PipelineLoop.class);

  private static final Duration AFTER_FAILURE = Duration.ofSeconds(1);

  private final NotificationPipeline pipeline;
  private final Runnable queued;
  private final Duration poll;
  private final MeterRegistry meters;
  private volatile boolean closed;
  private @Nullable Thread thread;
  private @Nullable String failing;

  /**
   * A loop.
   *
   * @param queued called when something was queued
   */
  PipelineLoop(
      NotificationPipeline pipeline, Runnable queued, Duration poll, MeterRegistry meters) {
    this.pipeline = pipeline;
    this.queued = queued;
    this.poll = poll;
    this.meters = meters;
  }

  void start() {
    thread =
        Thread.ofPlatform()
            .daemon()
            .name("notifications")
            .start(Workload.NOTIFICATION.of(this::run));
  }

  private void run() {
    while (!closed) {
      Duration rest = poll;
      try {
        long began = System.nanoTime();
        int done = pipeline.run();
        if (done > 0) {
          meters
              .timer("peerlens.notify.batches")
              .record(System.nanoTime() - began, TimeUnit.NANOSECONDS);
          meters.counter("peerlens.notify.decided").increment(done);
          queued.run();
          rest = Duration.ZERO;
        }
        failing = null;
      } catch (RuntimeException e) {
        if (closed) {
          return;
        }
        meters.counter("peerlens.notify.failures").increment();
        if (!e.toString().equals(failing)) {
          failing = e.toString();
          log.error("Notifications are not decided on; it is tried again", e);
        }
        rest = AFTER_FAILURE;
      }
      LockSupport.parkNanos(rest.toNanos());
    }
  }

  @Override
  public void close() {
    closed = true;
    Thread running = thread;
    if (running != null) {
      LockSupport.unpark(running);
      try {
        running.join(Duration.ofSeconds(10));
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
