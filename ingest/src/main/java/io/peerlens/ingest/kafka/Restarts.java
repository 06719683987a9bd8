package io.peerlens.ingest.kafka;

import io.peerlens.ingest.SampleSink;
import java.io.IOException;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;

/**
 * Count of how often reading was started again at one and the same place. A place at which it fails
 * time and again is no passing trouble: health is down then, and a notice tells of it.
 *
 * <p>Thread-safe.
 */
public final class Restarts {

  /** So many starts at one offset are too many. */
  public static final int TOO_MANY = 10;

  private record Place(long offset, int starts, String reason) {}

  private final Map<TopicPartition, Place> places = new HashMap<>();
  private int startsWithoutRecords;
  private volatile String stuck = "";

  /**
   * Notes that reading failed.
   *
   * @param at offset of the first record of each partition that could not be stored; empty when it
   *     failed before there was one
   */
  public synchronized void failed(Map<TopicPartition, Long> at, String reason) {
    at.forEach(
        (partition, offset) ->
            places.merge(
                partition,
                new Place(offset, 1, reason),
                (old, now) ->
                    old.offset == offset ? new Place(offset, old.starts + 1, reason) : now));
    startsWithoutRecords = at.isEmpty() ? startsWithoutRecords + 1 : 0;
    if (startsWithoutRecords >= TOO_MANY) {
      stuck = "reading was started %,d times: %s".formatted(startsWithoutRecords, reason);
    } else {
      look();
    }
  }

  /** Notes that reading goes on; records that failed before may fail again. */
  public synchronized void reading() {
    if (startsWithoutRecords > 0) {
      startsWithoutRecords = 0;
      look();
    }
  }

  /** Notes that records of these partitions were stored, or that others read them now. */
  public synchronized void moved(Collection<TopicPartition> partitions) {
    if (places.keySet().removeAll(partitions)) {
      look();
    }
  }

  private void look() {
    stuck =
        places.entrySet().stream()
            .filter(entry -> entry.getValue().starts >= TOO_MANY)
            .max(Comparator.comparing(entry -> entry.getValue().starts))
            .map(
                entry ->
                    "reading %s was started %,d times at offset %d: %s"
                        .formatted(
                            entry.getKey(),
                            entry.getValue().starts,
                            entry.getValue().offset,
                            entry.getValue().reason))
            .orElse("");
  }

  /** Why nothing is stored any more, with the place; empty while it is, or may soon be. */
  public String stuck() {
    return stuck;
  }

  /** Says whether the store, Kafka or the network is to blame, so that waiting can help. */
  public static boolean isOfOthers(Throwable e) {
    for (Throwable cause = e; cause != null; cause = cause.getCause()) {
      if (cause instanceof SampleSink.UnavailableException
          || cause instanceof KafkaException
          || cause instanceof IOException) {
        return true;
      }
    }
    return false;
  }
}
