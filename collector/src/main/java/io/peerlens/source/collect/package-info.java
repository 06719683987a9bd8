/**
 * Collecting: which node reads which source, its records on their way to Kafka, and its journal.
 */
@NullMarked
package io.peerlens.source.collect;

import org.jspecify.annotations.NullMarked;
