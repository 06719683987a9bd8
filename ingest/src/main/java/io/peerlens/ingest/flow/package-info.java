/**
 * Names of flows: what is measured, of which type and service, and how that is written in the keys
 * of metrics ({@link io.peerlens.ingest.flow.FlowMetric}, {@link
 * io.peerlens.ingest.flow.FlowPart}).
 */
@NullMarked
package io.peerlens.ingest.flow;

import org.jspecify.annotations.NullMarked;
