/**
 * Network flows: from the bytes of a record to columns ({@link
 * io.peerlens.ingest.flow.FlowDecoder}, {@link io.peerlens.ingest.flow.FlowBatch}), and from there
 * to sums by minute ({@link io.peerlens.ingest.flow.FlowMinutes}, {@link
 * io.peerlens.ingest.flow.MinuteRows}), of which those count that {@link
 * io.peerlens.ingest.flow.Deduplication} marks. No database and no framework here.
 */
@NullMarked
package io.peerlens.ingest.flow;

import org.jspecify.annotations.NullMarked;
