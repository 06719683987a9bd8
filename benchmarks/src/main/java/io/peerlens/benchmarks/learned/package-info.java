/**
 * How well a series' own past tells what is unusual: public labelled sets, Peerlens and baselines
 * beside it. {@link io.peerlens.benchmarks.learned.LearnedAccuracy} is the command; it writes its
 * section of docs/accuracy.md.
 */
@NullMarked
package io.peerlens.benchmarks.learned;

import org.jspecify.annotations.NullMarked;
