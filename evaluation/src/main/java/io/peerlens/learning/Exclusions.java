package io.peerlens.learning;

import io.peerlens.ingest.key.MetricKey;
import io.peerlens.maintenance.MaintenanceWindows.Occurrences;
import io.peerlens.maintenance.Span;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Hours of some objects that nothing is learned from: those in which an alert or an outlier event
 * about the metric was open, or the object was in maintenance.
 *
 * <p>A trouble that lasts longer than {@link #LONGEST} is left out no more, from its beginning:
 * what it brought is what is usual now. Else bounds would follow a change that they raise an alert
 * about too late. On the sets in docs/accuracy.md to leave out the first day of it all the same
 * gives more false events, and with a limit of half a day fewer events are found.
 *
 * <p>Troubles of a metric with at most {@link #BETWEEN} between them are a series, such as a new
 * level that is beyond the bounds by day only. A series that lasts longer than {@link
 * #LONGEST_SERIES} is what is usual too, with all that belongs to it.
 */
final class Exclusions {

  static final Duration LONGEST = Duration.ofDays(1);

  static final Duration LONGEST_SERIES = Duration.ofDays(2);

  static final Duration BETWEEN = Duration.ofDays(1);

  private static final long HOUR_MILLIS = Duration.ofHours(1).toMillis();

  /**
   * An alert or event about a metric of an object.
   *
   * @param key as in {@link MetricKey}
   * @param until null = it is open
   */
  record Trouble(int object, String key, Instant since, @Nullable Instant until) {}

  /** Key of a metric, of an object. */
  private record Metric(int object, String key) {}

  private record Lasting(Instant since, Instant until) {}

  /** Hours of a metric that are left out; instance and metric as in the metric's key. */
  private record Stretch(String instance, String metric, long fromHour, long toHour) {}

  private final Map<Integer, List<Stretch>> byObject = new HashMap<>();
  private final List<Occurrences> windows;

  /**
   * @param group the metric group that is learned; troubles of others do not matter
   * @param end of what is learned from; what is open has lasted until then
   */
  Exclusions(MetricGroup group, List<Trouble> troubles, List<Occurrences> windows, Instant end) {
    this.windows = windows;
    Map<Metric, List<Lasting>> byMetric = new HashMap<>();
    for (Trouble trouble : troubles) {
      Instant until = trouble.until() == null ? end : trouble.until();
      byMetric
          .computeIfAbsent(new Metric(trouble.object(), trouble.key()), m -> new ArrayList<>())
          .add(new Lasting(trouble.since(), until));
    }
    byMetric.forEach(
        (metric, all) -> {
          MetricKey key = MetricKey.parse(metric.key());
          if (key.group().equals(group.name())) {
            takeOut(metric.object(), key, all);
          }
        });
  }

  private void takeOut(int object, MetricKey key, List<Lasting> troubles) {
    troubles.sort(Comparator.comparing(Lasting::since));
    int first = 0;
    while (first < troubles.size()) {
      Instant until = troubles.get(first).until();
      int next = first + 1;
      while (next < troubles.size() && !troubles.get(next).since().isAfter(until.plus(BETWEEN))) {
        Instant other = troubles.get(next++).until();
        until = other.isAfter(until) ? other : until;
      }
      if (!isLonger(troubles.get(first).since(), until, LONGEST_SERIES)) {
        for (Lasting trouble : troubles.subList(first, next)) {
          if (!isLonger(trouble.since(), trouble.until(), LONGEST)) {
            byObject
                .computeIfAbsent(object, o -> new ArrayList<>())
                .add(
                    new Stretch(
                        key.instance(),
                        key.metric(),
                        firstHour(trouble.since()),
                        hourAfter(trouble.until())));
          }
        }
      }
      first = next;
    }
  }

  private static boolean isLonger(Instant since, Instant until, Duration than) {
    return Duration.between(since, until).compareTo(than) > 0;
  }

  /** Takes out what is not to be learned from. */
  void apply(HourCells cells) {
    SetRange range = cells.range();
    for (int set = 0; set < range.size(); set++) {
      for (Stretch stretch : byObject.getOrDefault(range.objects()[set], List.of())) {
        int metric = range.group().metrics().indexOf(stretch.metric()) - range.first();
        if (metric >= 0
            && metric < range.width()
            && stretch.instance().equals(range.instances()[set])) {
          cells.takeOut(set, metric, stretch.fromHour(), stretch.toHour());
        }
      }
      for (Occurrences window : windows) {
        if (window.objects().test(range.objects()[set])) {
          takeOut(cells, set, window.spans());
        }
      }
    }
  }

  private static void takeOut(HourCells cells, int set, List<Span> spans) {
    for (Span span : spans) {
      for (int metric = 0; metric < cells.range().width(); metric++) {
        cells.takeOut(set, metric, firstHour(span.from()), hourAfter(span.to()));
      }
    }
  }

  private static long firstHour(Instant moment) {
    return Math.floorDiv(moment.toEpochMilli(), HOUR_MILLIS);
  }

  private static long hourAfter(Instant moment) {
    return Math.ceilDiv(moment.toEpochMilli(), HOUR_MILLIS);
  }
}
