package io.peerlens.ingest;

import java.util.Collection;
import java.util.Map;
import org.apache.kafka.common.TopicPartition;

/**
 * Sink of batches; the port of ingest to the store. An implementation stores samples, dead letters
 * and offsets in one transaction; that is what makes ingest exactly-once.
 */
public interface SampleSink {

  /**
   * Stores the whole batch or nothing of it. Blocks until it is durable.
   *
   * @throws FencedException when another node has moved on one of the partitions; the batch must be
   *     forgotten and reading resumed from {@link #positions}
   * @throws RefusedException when the data themselves are refused and trying again is of no use
   * @throws RuntimeException anything else is passing: write the same batch again later
   */
  void write(SampleBatch batch);

  /** The offset to read next, for each partition that has one; absent = never read. */
  Map<TopicPartition, Long> positions(Collection<TopicPartition> partitions);

  /** Another node stored offsets of one of these partitions since they were assigned here. */
  final class FencedException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public FencedException(TopicPartition partition, long expected) {
      super(
          "Partition %s is no longer at offset %d: another node has taken it over"
              .formatted(partition, expected));
    }
  }

  /** The store or the catalog is away or in trouble; the same data may be stored later. */
  final class UnavailableException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public UnavailableException(String message, Throwable cause) {
      super(message, cause);
    }
  }

  /** The store refuses the data of this batch, whoever sends them and however often. */
  final class RefusedException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public RefusedException(String message, Throwable cause) {
      super(message, cause);
    }
  }
}
