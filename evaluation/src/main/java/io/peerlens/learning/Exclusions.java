package io.peerlens.learning;

import io.peerlens.ingest.key.MetricKey;
import io.peerlens.maintenance.MaintenanceWindows.Occurrences;
import io.peerlens.maintenance.Span;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
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
 */
final class Exclusions {

  static final Duration LONGEST = Duration.ofDays(1);

  private static final long HOUR_MILLIS = Duration.ofHours(1).toMillis();

  /**
   * An alert or event about a metric of an object.
   *
   * @param key as in {@link MetricKey}
   * @param until null = it is open
   */
  record Trouble(int object, String key, Instant since, @Nullable Instant until) {}

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
    for (Trouble trouble : troubles) {
      MetricKey key = MetricKey.parse(trouble.key());
      Instant until = trouble.until() == null ? end : trouble.until();
      boolean lasts = Duration.between(trouble.since(), until).compareTo(LONGEST) > 0;
      if (lasts || !key.group().equals(group.name())) {
        continue;
      }
      byObject
          .computeIfAbsent(trouble.object(), object -> new ArrayList<>())
          .add(
              new Stretch(
                  key.instance(), key.metric(), firstHour(trouble.since()), hourAfter(until)));
    }
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
