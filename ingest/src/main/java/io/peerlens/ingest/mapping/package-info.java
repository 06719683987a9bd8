/**
 * Mapping files: which tags mean which object, parent, property and instance, and how fields become
 * metrics. One YAML file for each collector.
 */
@NullMarked
package io.peerlens.ingest.mapping;

import org.jspecify.annotations.NullMarked;
