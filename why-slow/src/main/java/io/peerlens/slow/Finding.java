package io.peerlens.slow;

import org.jspecify.annotations.Nullable;

/**
 * A cause that was found.
 *
 * @param reading the figure that proves it
 * @param share the share of the latency that is due to it, 0 to 1; NaN = not known
 * @param reason one or two sentences
 * @param culprit the other machine whose load it is; null = none
 * @param limit the limit that delays; null = none
 */
public record Finding(
    Band band,
    Cause cause,
    Reading reading,
    double share,
    String reason,
    @Nullable Culprit culprit,
    @Nullable LimitReading limit) {

  double weight() {
    return Double.isNaN(share) ? 0.5 : share;
  }
}
