package io.peerlens.source;

/** Outlet of one collector to Kafka. Thread-safe. */
public interface Outlet {

  /** Longest value; brokers refuse records over 1 MiB unless told otherwise. */
  int MAX_VALUE_BYTES = 900_000;

  /**
   * Sends a record, without waiting until it is there. Waits while too much is on the way already.
   *
   * @param key records of one key stay in order
   * @throws OutletException if there is no room within 30 seconds, or the record is too long
   */
  void send(Topic topic, String key, byte[] value);

  /**
   * Waits until everything that was sent before is acknowledged by Kafka.
   *
   * @throws OutletException if some record since the last flush was not; what it was is unknown to
   *     Kafka, so the whole round has to be sent again
   */
  void flush();
}
