package io.peerlens.ingest;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/**
 * A {@link SampleSink} in maps: merges rows by position, keeps offsets with the rows, and fences
 * off a batch that does not begin where the last one ended. Can be told to fail. Thread-safe.
 */
public final class InMemorySampleSink implements SampleSink {

  /** Where a row is. */
  public record RowKey(int setId, long timeMicros) {}

  private final Map<RowKey, double[]> rows = new HashMap<>();
  private final Map<Integer, Long> newest = new HashMap<>();
  private final Map<Integer, Long> liveness = new HashMap<>();
  private final Map<TopicPartition, Long> positions = new HashMap<>();
  private final List<DeadLetter> deadLetters = new ArrayList<>();
  private final Deque<RuntimeException> failures = new ArrayDeque<>();
  private Predicate<SampleBatch> refused = batch -> false;
  private long writes;
  private long overwritten;

  @Override
  public synchronized void write(SampleBatch batch) {
    RuntimeException failure = failures.poll();
    if (failure != null) {
      throw failure;
    }
    if (refused.test(batch)) {
      throw new RefusedException("refused by the test", new IllegalStateException());
    }
    batch
        .ranges()
        .forEach(
            (partition, range) -> {
              if (positions.getOrDefault(partition, 0L) != range.from()) {
                throw new FencedException(partition, range.from());
              }
            });
    writes++;
    batch.ranges().forEach((partition, range) -> positions.put(partition, range.to()));
    for (int row = 0; row < batch.rows(); row++) {
      store(batch, row);
    }
    deadLetters.addAll(batch.deadLetters());
    batch.liveness().forEach((object, time) -> liveness.merge(object, time, Math::max));
  }

  private void store(SampleBatch batch, int row) {
    int from = batch.offset(row);
    double[] values = Arrays.copyOfRange(batch.values(), from, from + batch.width(row));
    rows.merge(
        new RowKey(batch.setId(row), batch.time(row)),
        values,
        (old, now) -> {
          double[] merged = Arrays.copyOf(old, Math.max(old.length, now.length));
          Arrays.fill(merged, old.length, merged.length, Double.NaN);
          for (int i = 0; i < now.length; i++) {
            if (!Double.isNaN(now[i])) {
              overwritten += Double.isNaN(merged[i]) ? 0 : 1;
              merged[i] = now[i];
            }
          }
          return merged;
        });
    newest.merge(batch.setId(row), batch.time(row), Math::max);
  }

  @Override
  public synchronized Map<TopicPartition, Long> positions(Collection<TopicPartition> partitions) {
    Map<TopicPartition, Long> found = new HashMap<>();
    for (TopicPartition partition : partitions) {
      Long position = positions.get(partition);
      if (position != null) {
        found.put(partition, position);
      }
    }
    return found;
  }

  /** The next writes throw these, one each. */
  public synchronized void failNext(RuntimeException... exceptions) {
    failures.addAll(List.of(exceptions));
  }

  /** Refuses batches as a database refuses data it does not take. */
  public synchronized void refuse(Predicate<SampleBatch> which) {
    refused = which;
  }

  /** Moves a partition on as another node would. */
  public synchronized void moveOn(TopicPartition partition, long position) {
    positions.put(partition, position);
  }

  public synchronized int rows() {
    return rows.size();
  }

  /** Values that are not NaN. */
  public synchronized long points() {
    return rows.values().stream()
        .mapToLong(values -> Arrays.stream(values).filter(v -> !Double.isNaN(v)).count())
        .sum();
  }

  /** Values that were there already when they were written; 0 = nothing was stored twice. */
  public synchronized long overwritten() {
    return overwritten;
  }

  public synchronized long writes() {
    return writes;
  }

  /** A row's values by position, null when there is no such row. */
  public synchronized double @Nullable [] row(int setId, long timeMicros) {
    double[] values = rows.get(new RowKey(setId, timeMicros));
    return values == null ? null : values.clone();
  }

  public synchronized List<RowKey> keys() {
    return List.copyOf(rows.keySet());
  }

  /** Newest row of a set, as {@link Catalog.KnownSet#lastRow} wants it. */
  public synchronized Catalog.@Nullable LastRow lastRow(int setId) {
    Long time = newest.get(setId);
    if (time == null) {
      return null;
    }
    double[] values = row(setId, time);
    return values == null ? null : new Catalog.LastRow(time, values);
  }

  public synchronized List<DeadLetter> deadLetters() {
    return List.copyOf(deadLetters);
  }

  public synchronized Map<Integer, Long> liveness() {
    return Map.copyOf(liveness);
  }

  /** Offset to read next. */
  public synchronized long position(TopicPartition partition) {
    return positions.getOrDefault(partition, 0L);
  }
}
