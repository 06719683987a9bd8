/** A real Kafka broker for tests, and the consumer's tests on it. */
@NullMarked
package io.peerlens.ingest.kafka;

import org.jspecify.annotations.NullMarked;
