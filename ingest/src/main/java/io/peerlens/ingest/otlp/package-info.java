/**
 * OpenTelemetry's metrics as they stand in messages: protobuf and JSON, points, distributions. What
 * they mean for objects is not known here.
 */
@NullMarked
package io.peerlens.ingest.otlp;

import org.jspecify.annotations.NullMarked;
