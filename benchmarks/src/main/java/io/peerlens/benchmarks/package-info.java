/** Load generator, end-to-end measurement and JMH suites. */
@NullMarked
package io.peerlens.benchmarks;

import org.jspecify.annotations.NullMarked;
