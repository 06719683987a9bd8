package io.peerlens.capacity;

import io.peerlens.baselines.TimeRemaining;
import io.peerlens.store.Level;
import io.peerlens.store.LevelStates;
import io.peerlens.store.SampleReader;
import io.peerlens.store.SampleRow;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Capacity forecasts: the hours of four weeks, carried on. A day is 24 hours before the last hour
 * that is rolled up, and its value the highest mean of an hour, since what is full at noon is full.
 * Thread-safe.
 */
final class Forecasts {

  private static final long DAY = Duration.ofDays(1).toMillis() * 1000;

  private final CapacityQueries queries;
  private final SampleReader reader;
  private final LevelStates levels;

  Forecasts(CapacityQueries queries, SampleReader reader, LevelStates levels) {
    this.queries = queries;
    this.reader = reader;
    this.levels = levels;
  }

  /**
   * The forecasts of everything that has at least a week of values.
   *
   * @param objects of these objects only, internal ids; null = of all
   * @param asOf a past moment, after which nothing counts; null = now
   */
  List<Forecast> of(Integer @Nullable [] objects, @Nullable Instant asOf) {
    long rolled = levels.read().rolledUntil(Level.ONE_HOUR);
    long until =
        asOf == null ? rolled : Math.min(rolled, Level.micros(asOf.truncatedTo(ChronoUnit.HOURS)));
    List<Forecast> forecasts = new ArrayList<>();
    if (until > 0) {
      for (Container container : Container.ALL) {
        CapacityQueries.Group group = queries.group(container);
        if (group != null) {
          forecasts.addAll(of(container, group, until, objects));
        }
      }
    }
    return forecasts;
  }

  private List<Forecast> of(
      Container container, CapacityQueries.Group group, long until, Integer @Nullable [] objects) {
    Map<Integer, Days> sets = new HashMap<>();
    for (CapacityQueries.ObjectSet set : queries.sets(group, container.instances(), objects)) {
      sets.put(set.setId(), new Days(set));
    }
    int[] positions =
        group.capacity() < 0
            ? new int[] {group.used()}
            : new int[] {group.used(), group.capacity()};
    long from = until - TimeRemaining.HISTORY_DAYS * DAY;
    reader.read(
        Level.ONE_HOUR,
        sets.keySet().stream().mapToInt(Integer::intValue).toArray(),
        positions,
        Set.of(),
        from,
        until,
        row -> {
          Days days = sets.get(row.setId());
          if (days != null) {
            days.add(row, (int) ((row.time() - from) / DAY));
          }
        });
    List<Forecast> forecasts = new ArrayList<>();
    for (Days days : sets.values()) {
      double limit = container.capacity() == null ? container.limit() : days.limit;
      TimeRemaining remaining = TimeRemaining.of(days.highest, limit);
      if (remaining != null) {
        forecasts.add(
            new Forecast(
                container,
                days.set.objectId(),
                days.set.instance(),
                limit,
                group.unit(),
                Level.instant(until),
                remaining));
      }
    }
    return forecasts;
  }

  /** The days of a set. */
  private static final class Days {
    final CapacityQueries.ObjectSet set;
    final double[] highest = new double[TimeRemaining.HISTORY_DAYS];
    double limit = Double.NaN;
    private long limitTime = Long.MIN_VALUE;

    Days(CapacityQueries.ObjectSet set) {
      this.set = set;
      Arrays.fill(highest, Double.NaN);
    }

    void add(SampleRow row, int day) {
      double value = row.avg(0);
      if (!(value <= highest[day])) {
        highest[day] = Double.isNaN(value) ? highest[day] : value;
      }
      if (row.width() > 1 && row.time() > limitTime && !Double.isNaN(row.avg(1))) {
        limit = row.avg(1);
        limitTime = row.time();
      }
    }
  }
}
