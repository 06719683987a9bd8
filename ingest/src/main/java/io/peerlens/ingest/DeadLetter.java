package io.peerlens.ingest;

/**
 * A line that could not be stored, with its original bytes so that it can be sent again.
 *
 * @param line number of the line, or of the element of a JSON array, within the record, from 1
 * @param timestamp Kafka's timestamp of the record in milliseconds, -1 = it has none
 * @param detail what is wrong, where, and how to mend it
 * @param payload the bytes of this line alone, or of the whole record when it cannot be taken apart
 */
public record DeadLetter(
    String topic,
    int partition,
    long offset,
    int line,
    long timestamp,
    RejectReason reason,
    String detail,
    byte[] payload) {}
