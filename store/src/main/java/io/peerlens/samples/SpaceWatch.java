package io.peerlens.samples;

import io.peerlens.database.Workload;
import io.peerlens.job.RecurringTask;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Clock of the watches over disk and database: each looks once a second while ingest runs. */
final class SpaceWatch extends RecurringTask {

  private final @Nullable DiskWatch disk;
  private final FullDatabase database;

  /**
   * @param disk null = none is watched
   */
  SpaceWatch(@Nullable DiskWatch disk, FullDatabase database) {
    super(
        "space-watch",
        Workload.BACKGROUND,
        Duration.ofSeconds(1),
        Duration.ofSeconds(1),
        "The disk cannot be watched, tried again");
    this.disk = disk;
    this.database = database;
  }

  @Override
  public void start() {
    run(); // before the first record is read
    super.start();
  }

  /** Before the consumers, which have the latest phase. */
  @Override
  public int getPhase() {
    return DEFAULT_PHASE - 1;
  }

  @Override
  protected void work() {
    database.look();
    if (disk != null) {
      disk.look();
    }
  }
}
