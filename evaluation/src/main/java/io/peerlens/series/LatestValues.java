package io.peerlens.series;

import io.peerlens.ingest.key.MetricKey;
import io.peerlens.store.Level;
import io.peerlens.store.SampleReader;
import io.peerlens.store.SampleReader.Newest;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/** Newest values of metrics. Thread-safe. */
final class LatestValues {

  private final SeriesStore store;
  private final SampleReader reader;

  LatestValues(SeriesStore store, SampleReader reader) {
    this.store = store;
    this.reader = reader;
  }

  /**
   * The newest value of each pair that has one not older than {@code maxAge}, in the order of the
   * request.
   */
  List<LatestValue> of(List<UUID> objects, List<MetricKey> metrics, Duration maxAge, Instant now) {
    List<SeriesStore.Line> wanted = store.lines(objects, metrics);
    int[] sets = new int[wanted.size()];
    int[] positions = new int[wanted.size()];
    for (int i = 0; i < wanted.size(); i++) {
      sets[i] = wanted.get(i).setId();
      positions[i] = wanted.get(i).position();
    }
    Newest newest = reader.newest(sets, positions, Level.micros(now.minus(maxAge)));
    List<LatestValue> result = new ArrayList<>();
    for (int i = 0; i < wanted.size(); i++) {
      if (!Double.isNaN(newest.values()[i])) {
        SeriesStore.Line line = wanted.get(i);
        result.add(
            new LatestValue(
                line.object(),
                line.metric(),
                line.unit(),
                Math.floorDiv(newest.times()[i], 1000),
                newest.values()[i]));
      }
    }
    return result;
  }
}
