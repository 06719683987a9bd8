package io.peerlens.outlier.judge;

import io.peerlens.alert.Outcome;
import java.util.List;

/**
 * Result of the outlier stage at a tick.
 *
 * @param changes to be stored with the tick
 * @param outcomes what groups with alerts found, of those that were judged
 * @param groups how many groups there are
 * @param open how many events are open now
 */
public record OutlierTick(OutlierChanges changes, List<Outcome> outcomes, int groups, long open) {}
