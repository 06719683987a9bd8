package io.peerlens.samples;

import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;

/** Clock of the watches over disk and database: each looks once a second while ingest runs. */
final class SpaceWatch implements SmartLifecycle {

  private static final Logger log = LoggerFactory.getLogger(SpaceWatch.class);

  private final @Nullable DiskWatch disk;
  private final FullDatabase database;
  private @Nullable ScheduledExecutorService executor;
  private String trouble = "";

  /**
   * @param disk null = none is watched
   */
  SpaceWatch(@Nullable DiskWatch disk, FullDatabase database) {
    this.disk = disk;
    this.database = database;
  }

  @Override
  public synchronized void start() {
    look(); // before the first record is read
    ScheduledExecutorService made =
        Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().daemon().name("space-watch").factory());
    made.scheduleWithFixedDelay(this::look, 1, 1, TimeUnit.SECONDS);
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

  /** Before the consumers, which have the latest phase. */
  @Override
  public int getPhase() {
    return DEFAULT_PHASE - 1;
  }

  private void look() {
    try {
      database.look();
      if (disk != null) {
        disk.look();
      }
      trouble = "";
    } catch (RuntimeException e) { // an exception would end the schedule
      String message = String.valueOf(e.getMessage());
      if (!message.equals(trouble)) {
        log.warn("The disk cannot be watched, tried again: {}", message);
      }
      trouble = message;
    }
  }
}
