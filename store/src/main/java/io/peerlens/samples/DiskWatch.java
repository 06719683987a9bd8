package io.peerlens.samples;

import java.util.Locale;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;

/**
 * Watch over the disk of the data: pauses ingest before it is full, so that the database can go on
 * answering, and lets it go on when there is room again. The two bounds lie apart, so that it does
 * not change its mind with each file that is removed. Thread-safe.
 */
final class DiskWatch implements HealthIndicator {

  private static final Logger log = LoggerFactory.getLogger(DiskWatch.class);
  private static final String CAUSE = "disk";

  private final Supplier<DiskSpace> disk;
  private final DiskProperties properties;
  private final IngestPause pause;
  private boolean low;

  /**
   * @param disk asks how much is free now
   */
  DiskWatch(Supplier<DiskSpace> disk, DiskProperties properties, IngestPause pause) {
    this.disk = disk;
    this.properties = properties;
    this.pause = pause;
  }

  /** Looks once, and pauses ingest or lets it go on. */
  synchronized void look() {
    DiskSpace space = disk.get();
    double free = space.percentFree();
    if (free < properties.pauseBelow()) {
      if (!low) {
        log.warn("Ingest pauses, {} of {} are free", space, space.directory());
      }
      low = true;
      // No figures: the reason is the same as long as it lasts, and the notice with it.
      pause.pause(
          CAUSE,
          String.format(
              Locale.ROOT,
              "less than %s %% of the disk of %s is free; make space, ingest resumes by itself"
                  + " above %s %%",
              number(properties.pauseBelow()),
              space.directory(),
              number(properties.resumeAbove())));
    } else if (low && free > properties.resumeAbove()) {
      log.info("Ingest resumes, {} of {} is free", space, space.directory());
      low = false;
      pause.resume(CAUSE);
    }
  }

  private static String number(double percent) {
    return percent == Math.rint(percent) ? String.valueOf((long) percent) : String.valueOf(percent);
  }

  @Override
  public synchronized Health health() {
    DiskSpace space = disk.get();
    return (low || space.percentFree() < properties.pauseBelow() ? Health.down() : Health.up())
        .withDetail("path", space.directory().toString())
        .withDetail("total", space.total())
        .withDetail("free", space.free())
        .withDetail("pausesBelowPercent", properties.pauseBelow())
        .build();
  }
}
