package io.peerlens.ingest.sender;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * Counters of what the senders of this node sent, of stored batches alone. At most some hundreds of
 * senders of a kind are counted one by one, and the others as one, since the tag {@code host} of
 * the machines that a collector runs on may have many values. Thread-safe.
 */
public final class SenderCounters {

  /** Senders of a kind that are counted one by one. */
  public static final int MOST = 500;

  /** Objects of a sender are counted in windows of this length, the one before with it. */
  public static final long WINDOW_MILLIS = 600_000;

  /** A sender that was silent for so long gives its place to another. */
  private static final long FORGET_AFTER_MILLIS = 3_600_000;

  private final Map<Sender, Counter> counters = new HashMap<>(); // guarded by this

  /**
   * What came of a sender since the last report.
   *
   * @param plugins what its measurements begin with, since it was met; some of them
   * @param firstMillis when the first of it came, by the clock of this node
   * @param lastMillis when the last of it came
   * @param newestMicros the newest time in it
   * @param offsetMillis from when it came to the newest time in it; the greatest of all batches
   * @param objects that it told of in this window of ten minutes or in the one before, whichever
   *     are more
   */
  public record Report(
      Sender sender,
      List<String> plugins,
      long lines,
      long firstMillis,
      long lastMillis,
      long newestMicros,
      long offsetMillis,
      int objects) {}

  private static final class Counter {
    final TreeSet<String> plugins = new TreeSet<>();
    long lines;
    long firstMillis;
    long lastMillis;
    long newestMicros;
    long offsetMillis;
    long window = Long.MIN_VALUE;
    Set<Integer> objects = new HashSet<>();
    int objectsBefore;

    void add(SenderTally tally) {
      if (lines == 0) {
        firstMillis = tally.arrivedMillis;
        newestMicros = Long.MIN_VALUE;
        offsetMillis = Long.MIN_VALUE;
      }
      lines += tally.lines;
      lastMillis = Math.max(lastMillis, tally.arrivedMillis);
      newestMicros = Math.max(newestMicros, tally.newestMicros);
      offsetMillis = Math.max(offsetMillis, tally.newestMicros / 1_000 - tally.arrivedMillis);
      for (String plugin : tally.plugins) {
        if (plugins.size() < SenderTally.MOST_PLUGINS) {
          plugins.add(plugin);
        }
      }
      turn(tally.arrivedMillis);
      objects.addAll(tally.objects);
    }

    void turn(long nowMillis) {
      long now = Math.floorDiv(nowMillis, WINDOW_MILLIS);
      if (now > window) {
        objectsBefore = now == window + 1 ? objects.size() : 0;
        objects = new HashSet<>();
        window = now;
      }
    }
  }

  /** Adds what was counted in a batch that is stored. */
  public synchronized void add(Map<Sender, SenderTally> tallies) {
    tallies.forEach(
        (sender, tally) -> {
          Counter counter = counters.get(sender);
          if (counter == null) {
            Sender counted =
                isFull(sender.kind()) ? new Sender(sender.kind(), Sender.OTHERS) : sender;
            counter = counters.computeIfAbsent(counted, one -> new Counter());
          }
          counter.add(tally);
        });
  }

  private boolean isFull(Sender.Kind kind) {
    return counters.size() >= MOST
        && counters.keySet().stream().filter(one -> one.kind() == kind).count() >= MOST;
  }

  /** Takes what came since the last call, in the order of kind and name. */
  public synchronized List<Report> take(long nowMillis) {
    List<Report> reports = new ArrayList<>();
    counters.forEach(
        (sender, counter) -> {
          if (counter.lines > 0) {
            counter.turn(nowMillis);
            reports.add(
                new Report(
                    sender,
                    List.copyOf(counter.plugins),
                    counter.lines,
                    counter.firstMillis,
                    counter.lastMillis,
                    counter.newestMicros,
                    counter.offsetMillis,
                    Math.max(counter.objects.size(), counter.objectsBefore)));
            counter.lines = 0;
          }
        });
    counters.values().removeIf(one -> nowMillis - one.lastMillis > FORGET_AFTER_MILLIS);
    reports.sort(
        Comparator.comparing((Report one) -> one.sender().kind())
            .thenComparing(one -> one.sender().name()));
    return reports;
  }
}
