/**
 * How good recommended sizes are: chosen from the first weeks of public traces, judged on the weeks
 * that follow. {@link io.peerlens.benchmarks.sizing.SizingBenchmark} is the command.
 */
@NullMarked
package io.peerlens.benchmarks.sizing;

import org.jspecify.annotations.NullMarked;
