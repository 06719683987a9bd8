package io.peerlens.planning;

import io.peerlens.planning.BenchmarkRunStore.Choice;
import io.peerlens.planning.BenchmarkRunStore.Stored;
import io.peerlens.run.Run;
import io.peerlens.run.reading.Drift;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/**
 * Drift of runs against the reference runs on the same object, told as the property {@value #KEY}
 * of each run, so that a threshold raises an alert on it. Only the newest run of the same
 * parameters is judged: the alert on an older one ends when the test is repeated. Thread-safe.
 */
final class BenchmarkDrift {

  static final String KEY = "run|drift";

  private final BenchmarkRunStore store;
  private final BenchmarkRunRecords records;

  BenchmarkDrift(BenchmarkRunStore store, BenchmarkRunRecords records) {
    this.store = store;
    this.records = records;
  }

  /**
   * Judges the runs on an object anew.
   *
   * @param tested the object
   * @throws IOException when Kafka does not take what is said
   */
  void judge(UUID tested, Instant now) throws IOException {
    List<Stored> runs = store.whole(new Choice(tested, null, null), BenchmarkReadings.MOST_RUNS);
    List<Run> references = runs.stream().filter(Stored::reference).map(Stored::run).toList();
    List<Stored> newest = new ArrayList<>();
    Map<Stored, String> told = new LinkedHashMap<>();
    for (Stored run :
        runs.stream().sorted(Comparator.comparing(BenchmarkDrift::time).reversed()).toList()) {
      if (run.reference()) {
        told.put(run, "A reference for later runs.");
      } else if (references.stream().noneMatch(one -> Drift.comparable(run.run(), one))) {
        told.put(run, "Not known: there is no reference run of these parameters.");
      } else if (newest.stream().anyMatch(one -> Drift.comparable(run.run(), one.run()))) {
        told.put(run, "Not judged: there is a newer run of the same parameters.");
      } else {
        newest.add(run);
        told.put(run, Drift.of(run.run(), references).sentence());
      }
    }
    records.properties(told, KEY, now);
  }

  private static Instant time(Stored run) {
    Instant start = run.run().start();
    return start == null ? run.importedAt() : start;
  }
}
