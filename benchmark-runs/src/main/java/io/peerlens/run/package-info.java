/** Runs of benchmarks as tools report them: parameters, figures, series, distributions. */
@NullMarked
package io.peerlens.run;

import org.jspecify.annotations.NullMarked;
