/** Runs of benchmarks that people import: storing them, and what is asked of them. */
@NullMarked
package io.peerlens.planning;

import org.jspecify.annotations.NullMarked;
