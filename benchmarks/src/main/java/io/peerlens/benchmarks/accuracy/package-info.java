/**
 * How well outliers are found: faults are injected into real traces, and detectors are compared at
 * the same number of alerts on the unchanged ones. {@link io.peerlens.benchmarks.accuracy.Accuracy}
 * is the command; it writes docs/accuracy.md.
 */
@NullMarked
package io.peerlens.benchmarks.accuracy;

import org.jspecify.annotations.NullMarked;
