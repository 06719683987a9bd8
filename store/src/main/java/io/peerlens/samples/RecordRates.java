package io.peerlens.samples;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.apache.kafka.common.TopicPartition;

/** Rates of records by partition, from counts that only grow. For one thread. */
public final class RecordRates {

  private static final Duration WINDOW = Duration.ofMinutes(1);

  private record Stored(long nanos, Map<TopicPartition, Long> records) {}

  private final Deque<Stored> stored = new ArrayDeque<>();

  /**
   * Takes down the counts of now.
   *
   * @param lag records that wait, of the partitions that are read
   * @param records stored since the start
   * @return the partitions with means of the last minute, or since the start
   */
  public List<NodePartition> partitions(
      Map<TopicPartition, Long> lag, Map<TopicPartition, Long> records) {
    Map<TopicPartition, Double> rates = rates(new Stored(System.nanoTime(), Map.copyOf(records)));
    return lag.entrySet().stream()
        .map(
            e ->
                new NodePartition(
                    e.getKey().topic(),
                    e.getKey().partition(),
                    e.getValue(),
                    rates.getOrDefault(e.getKey(), 0.0)))
        .toList();
  }

  private Map<TopicPartition, Double> rates(Stored now) {
    while (stored.size() > 1
        && now.nanos - Objects.requireNonNull(stored.peekFirst()).nanos > WINDOW.toNanos()) {
      stored.removeFirst();
    }
    Map<TopicPartition, Double> rates = new HashMap<>();
    Stored before = stored.peekFirst();
    if (before != null) {
      double seconds = Math.max(1, (now.nanos - before.nanos) / 1e9);
      now.records.forEach(
          (partition, count) ->
              rates.put(partition, (count - before.records.getOrDefault(partition, 0L)) / seconds));
    }
    stored.addLast(now);
    return rates;
  }
}
