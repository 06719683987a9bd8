package io.peerlens.source.collect;

import java.time.Duration;

/**
 * Times of leases.
 *
 * @param look how often a node looks whether sources have changed or collectors have ended
 * @param renew how often it renews its leases
 * @param lease how long a lease lasts after it was renewed
 * @param reserve how long before the end of a lease that could not be renewed its collector stops
 * @param close how long a collector may take to end
 * @param firstPause before a collector that has ended by itself is started again; doubles
 * @param longestPause between two starts
 */
record LeaseTiming(
    Duration look,
    Duration renew,
    Duration lease,
    Duration reserve,
    Duration close,
    Duration firstPause,
    Duration longestPause) {

  /** A source of a node that was killed is read by another one after 26 seconds at the latest. */
  static final LeaseTiming USUAL =
      new LeaseTiming(
          Duration.ofSeconds(1),
          Duration.ofSeconds(5),
          Duration.ofSeconds(20),
          Duration.ofSeconds(3),
          Duration.ofSeconds(10),
          Duration.ofSeconds(5),
          Duration.ofMinutes(5));
}
