package io.peerlens.standalone.esxtop;

import java.util.List;

/**
 * One line of a file.
 *
 * @param timeMs epoch milliseconds
 * @param records for Kafka, in this order
 */
public record EsxtopSample(long timeMs, List<Record> records) {

  /**
   * Line protocol, or JSON in our own form, of one object.
   *
   * @param key keeps the records of an object in order
   */
  @SuppressWarnings("ArrayRecordComponent") // handed on, never compared
  public record Record(String key, byte[] value) {}
}
