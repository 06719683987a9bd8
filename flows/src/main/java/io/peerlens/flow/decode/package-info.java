/**
 * Decoding of flows: from the bytes of a Kafka record ({@link io.peerlens.flow.decode.FlowDecoder})
 * to columns ({@link io.peerlens.flow.decode.FlowBatch}). No database and no framework here.
 */
@NullMarked
package io.peerlens.flow.decode;

import org.jspecify.annotations.NullMarked;
