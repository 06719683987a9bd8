/**
 * Thresholds: conditions on a metric or property of every object of a kind, and the symptoms of
 * objects that meet them. {@link io.peerlens.threshold.ThresholdStage} judges a moment.
 */
@NullMarked
package io.peerlens.threshold;

import org.jspecify.annotations.NullMarked;
