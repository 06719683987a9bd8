/** Reading Kafka exactly once. */
@NullMarked
package io.peerlens.ingest.kafka;

import org.jspecify.annotations.NullMarked;
