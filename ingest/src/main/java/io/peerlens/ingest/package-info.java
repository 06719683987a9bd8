/**
 * From the bytes of a Kafka record to a columnar batch handed to a sink. The main path is {@link
 * io.peerlens.ingest.kafka.SampleConsumer}, {@link io.peerlens.ingest.RecordDecoder}, {@link
 * io.peerlens.ingest.SampleSink}. What is known of objects, groups and sets comes from a {@link
 * io.peerlens.ingest.Catalog}. No database here: both ports are implemented by the service.
 */
@NullMarked
package io.peerlens.ingest;

import org.jspecify.annotations.NullMarked;
