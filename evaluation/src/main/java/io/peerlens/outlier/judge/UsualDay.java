package io.peerlens.outlier.judge;

import io.peerlens.baselines.Band;
import io.peerlens.baselines.State;
import io.peerlens.outliers.GroupShift.Usual;
import java.time.Instant;
import java.util.List;

/**
 * Usual range of the medians of a group on one day in UTC.
 *
 * @param bands one for each metric, of 24 hours
 */
public record UsualDay(List<Band> bands) {

  public UsualDay {
    bands = List.copyOf(bands);
  }

  /** What is usual in a bucket of the day, for each metric. */
  public List<Usual> at(Instant bucket) {
    int hour = (int) (Math.floorMod(bucket.getEpochSecond(), 86_400L) / 3600);
    return bands.stream()
        .map(
            band ->
                band.state() == State.LEARNING
                    ? Usual.UNKNOWN
                    : new Usual(band.lower()[hour], band.upper()[hour], band.spread()))
        .toList();
  }
}
