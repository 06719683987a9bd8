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
 * <p>Of a trouble only the first {@link #LONGEST} is left out. What lasts longer is what is usual
 * now; else bounds would never follow a change that they raise an alert about, least of all one
 * that comes back every day. Half a day is a compromise on the sets in docs/accuracy.md: with a day
 * left out there are more false events, with nothing left out fewer found ones.
 */
final class Exclusions {

  static final Duration LONGEST = Duration.ofHours(12);

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
   */
  Exclusions(MetricGroup group, List<Trouble> troubles, List<Occurrences> windows) {
    this.windows = windows;
    for (Trouble trouble : troubles) {
      MetricKey key = MetricKey.parse(trouble.key());
      if (!key.group().equals(group.name())) {
        continue;
      }
      Instant last = trouble.since().plus(LONGEST);
      Instant until = trouble.until();
      byObject
          .computeIfAbsent(trouble.object(), object -> new ArrayList<>())
          .add(
              new Stretch(
                  key.instance(),
                  key.metric(),
                  firstHour(trouble.since()),
                  hourAfter(until == null || until.isAfter(last) ? last : until)));
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
