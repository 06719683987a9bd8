package io.peerlens.profile;

import io.peerlens.profile.Grid.Bucket;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Options of a profile.
 *
 * @param hours the period, in hours
 * @param fineGrid the part of it that has 5-minute means; null = none has
 * @param businessHours null = all hours count
 * @param idleIops an hour with fewer operations a second than this is idle: it counts in means and
 *     percentiles and falls into no profile, because the few operations of an idle machine say
 *     nothing on its work. It holds for a machine and for a group alike
 * @param peakDistance peaks that are listed are at least this far apart, so that one burst is one
 *     peak
 * @param memoryLimit bytes that sums of groups may take, all together; about 1.2 MB a group and
 *     year
 */
public record ProfileOptions(
    Grid hours,
    @Nullable Grid fineGrid,
    @Nullable BusinessHours businessHours,
    double idleIops,
    Duration peakDistance,
    long memoryLimit) {

  private static final double IDLE_IOPS = 1;
  private static final Duration PEAK_DISTANCE = Duration.ofHours(6);
  private static final long MEMORY_LIMIT = 512L << 20;

  public ProfileOptions {
    if (hours.bucket() != Bucket.HOUR) {
      throw new IllegalArgumentException("The grid of a profile has hours as buckets");
    }
    if (fineGrid != null && fineGrid.bucket() != Bucket.FIVE_MINUTES) {
      throw new IllegalArgumentException("The fine grid of a profile has buckets of 5 minutes");
    }
    if (!(idleIops >= 0) || Double.isInfinite(idleIops)) {
      throw new IllegalArgumentException(
          "The floor of idle hours is " + idleIops + " IOPS: give 0 or more");
    }
    if (peakDistance.isNegative()) {
      throw new IllegalArgumentException("The distance of peaks is negative: " + peakDistance);
    }
  }

  /**
   * All hours of a period count; idle below 1 IOPS; peaks are 6 hours apart; at most 512 MB of
   * sums.
   */
  public static ProfileOptions of(Grid hours) {
    return new ProfileOptions(hours, null, null, IDLE_IOPS, PEAK_DISTANCE, MEMORY_LIMIT);
  }

  /** The same with 5-minute means over a part of the period. */
  public ProfileOptions withFineGrid(Grid grid) {
    return new ProfileOptions(hours, grid, businessHours, idleIops, peakDistance, memoryLimit);
  }

  /** The same over business hours only. */
  public ProfileOptions during(BusinessHours only) {
    return new ProfileOptions(hours, fineGrid, only, idleIops, peakDistance, memoryLimit);
  }

  /** The same with another floor below which hours are idle. */
  public ProfileOptions idleBelow(double iops) {
    return new ProfileOptions(hours, fineGrid, businessHours, iops, peakDistance, memoryLimit);
  }

  /** The same with another distance of peaks. */
  public ProfileOptions peaksApart(Duration distance) {
    return new ProfileOptions(hours, fineGrid, businessHours, idleIops, distance, memoryLimit);
  }

  /** The same with another limit of memory, in bytes. */
  public ProfileOptions limitedTo(long bytes) {
    return new ProfileOptions(hours, fineGrid, businessHours, idleIops, peakDistance, bytes);
  }
}
