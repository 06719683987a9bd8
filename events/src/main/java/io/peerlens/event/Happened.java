package io.peerlens.event;

import io.peerlens.event.mapping.Happening;
import io.peerlens.ingest.DeadLetter;
import io.peerlens.ingest.RejectReason;

/**
 * Something that happened, on its way to the store.
 *
 * @param source the vCenter as the sender names it; empty = it does not
 * @param origin where it was read
 */
record Happened(Happening what, String source, Origin origin) {

  /**
   * Place of an event in Kafka, and its bytes.
   *
   * @param timestamp Kafka's timestamp of the record in milliseconds, -1 = it has none
   */
  record Origin(
      String topic, int partition, long offset, int line, long timestamp, byte[] payload) {

    DeadLetter letter(RejectReason reason, String detail) {
      return new DeadLetter(topic, partition, offset, line, timestamp, reason, detail, payload);
    }
  }
}
