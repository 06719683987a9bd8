package io.peerlens.intake;

import java.util.Map;

/**
 * Record to be written to Kafka.
 *
 * @param key decides the partition: samples of one series have the same
 * @param headers beside those that all records of the request have
 */
record Piece(byte[] key, byte[] value, Map<String, String> headers) {

  /** A value may be as long; Kafka takes 1 MiB with headers unless a topic says otherwise. */
  static final int LIMIT = 900_000;

  Piece(byte[] key, byte[] value) {
    this(key, value, Map.of());
  }
}
