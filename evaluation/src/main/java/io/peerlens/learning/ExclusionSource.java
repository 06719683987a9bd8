package io.peerlens.learning;

import io.peerlens.frame.Frames;
import io.peerlens.maintenance.MaintenanceWindows;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** Hours of a metric group that nothing is to be learned from. Thread-safe. */
final class ExclusionSource {

  private final TroubleQueries troubles;
  private final MaintenanceWindows windows;
  private final Frames frames;

  ExclusionSource(TroubleQueries troubles, MaintenanceWindows windows, Frames frames) {
    this.troubles = troubles;
    this.windows = windows;
    this.frames = frames;
  }

  /**
   * As things are known now.
   *
   * @param objects ids within the database; null = all of the group's kind
   * @param fromHour since 1970, inclusive
   * @param toHour exclusive
   */
  Exclusions during(MetricGroup group, int @Nullable [] objects, long fromHour, long toHour) {
    Instant from = Instant.ofEpochSecond(fromHour * 3600);
    Instant to = Instant.ofEpochSecond(toHour * 3600);
    return new Exclusions(
        group,
        troubles.during(group.kind(), objects, from, to),
        windows.during(from, to, frames.objects()),
        to);
  }
}
