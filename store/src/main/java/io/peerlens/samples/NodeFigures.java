package io.peerlens.samples;

import io.peerlens.ingest.Catalog;
import io.peerlens.ingest.SampleBatch;
import io.peerlens.ingest.SampleSink;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.TopicPartition;

/**
 * What this node stored lately, batch by batch: taken down by a sink and a catalog that stand
 * before the real ones, read by {@link IngestReporter}. Thread-safe; a batch costs one lock.
 */
final class NodeFigures {

  /** More batches in ten seconds than this are not needed for a median. */
  private static final int MAX_BATCHES = 1_000;

  /**
   * A stored batch.
   *
   * @param millis from begin to commit
   */
  record Batch(int records, int rows, int points, float millis) {}

  /** What was new in the minute that began then. */
  record Minute(Instant begin, int newObjects, int newMetrics, int newSets) {}

  private final InstantSource clock;
  private final List<Batch> batches = new ArrayList<>();
  private final Map<TopicPartition, Long> records = new HashMap<>();
  private Minute minute;

  NodeFigures(InstantSource clock) {
    this.clock = clock;
    this.minute = new Minute(thisMinute(), 0, 0, 0);
  }

  /** The sink, with every batch it stores taken down. */
  SampleSink measured(SampleSink sink) {
    return new SampleSink() {
      @Override
      public void write(SampleBatch batch) {
        long begin = System.nanoTime();
        sink.write(batch);
        stored(batch, (System.nanoTime() - begin) / 1e6f);
      }

      @Override
      public Map<TopicPartition, Long> positions(Collection<TopicPartition> partitions) {
        return sink.positions(partitions);
      }
    };
  }

  /** The catalog, with everything new taken down. */
  Catalog measured(Catalog catalog) {
    return request -> {
      Catalog.Answer answer = catalog.apply(request);
      met(answer);
      return answer;
    };
  }

  private synchronized void stored(SampleBatch batch, float millis) {
    if (batches.size() < MAX_BATCHES) {
      batches.add(
          new Batch(
              Math.toIntExact(batch.records()),
              batch.rows(),
              Math.toIntExact(batch.points()),
              millis));
    }
    batch
        .ranges()
        .forEach(
            (partition, range) ->
                // An offset not known before the first batch is 0, so the difference may be too
                // big.
                records.merge(
                    partition, Math.min(batch.records(), range.to() - range.from()), Long::sum));
  }

  private synchronized void met(Catalog.Answer answer) {
    Minute now = minute();
    minute =
        new Minute(
            now.begin,
            now.newObjects + answer.newObjects(),
            now.newMetrics + answer.newMetrics(),
            now.newSets + answer.newSets());
  }

  /** The batches since the last call. */
  synchronized List<Batch> takeBatches() {
    List<Batch> taken = List.copyOf(batches);
    batches.clear();
    return taken;
  }

  /** Records stored since the start, by partition. */
  synchronized Map<TopicPartition, Long> records() {
    return Map.copyOf(records);
  }

  /** What was new in this minute. */
  synchronized Minute minute() {
    Instant begin = thisMinute();
    if (!minute.begin.equals(begin)) {
      minute = new Minute(begin, 0, 0, 0);
    }
    return minute;
  }

  private Instant thisMinute() {
    return clock.instant().truncatedTo(ChronoUnit.MINUTES);
  }
}
