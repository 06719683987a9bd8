package io.peerlens.suiteapi;

import io.peerlens.series.Aggregation;
import io.peerlens.series.Cells;
import io.peerlens.series.SetSlots;
import io.peerlens.store.Coverage;
import io.peerlens.store.Level;
import io.peerlens.store.LevelStates;
import io.peerlens.store.SampleReader;
import io.peerlens.store.SampleReader.Part;
import io.peerlens.store.SampleRow;
import io.peerlens.store.Segment;
import io.peerlens.suiteapi.StatQueries.Group;
import io.peerlens.suiteapi.StatQueries.Line;
import io.peerlens.suiteapi.StatQueries.Points;
import io.peerlens.web.Doubles;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Reader of values of resources over time, some resources at once, so that memory does not grow
 * with the answer. Thread-safe.
 */
final class StatReads {

  /** Values on the way at once. */
  private static final int CELLS = 1_000_000;

  /** Beyond so many raw rows, roll-ups are read. */
  private static final long RAW_ROWS = 300_000;

  private static final long USUAL_INTERVAL = 20_000;
  private static final int OBJECTS_AT_ONCE = 1000;
  private static final int UNKNOWN_KEYS = 200;
  private static final long MICROS = 1000;
  private static final Duration FIRST_LOOK = Duration.ofHours(2);
  private static final Duration SECOND_LOOK = Duration.ofHours(24);
  private static final Duration LAST_LOOK = Duration.ofDays(30);

  private final StatQueries queries;
  private final SampleReader reader;
  private final LevelStates levels;
  private final InstantSource clock;

  StatReads(StatQueries queries, SampleReader reader, LevelStates levels, InstantSource clock) {
    this.queries = queries;
    this.reader = reader;
    this.levels = levels;
    this.clock = clock;
  }

  /**
   * What is read.
   *
   * @param keys empty = all
   * @param aggregation null = the values as they are
   * @param grid of the intervals; not used without aggregation
   */
  record Wanted(
      List<String> keys,
      long begin,
      long end,
      @Nullable Aggregation aggregation,
      @Nullable StatGrid grid) {}

  /** Receiver of the values of one resource by key, in the order of the keys. */
  @FunctionalInterface
  interface Receiver {
    void take(int object, Map<String, Points> stats);
  }

  /** Reads what is wanted of some resources, in their order; one without values is left out. */
  void read(List<Integer> objects, Wanted wanted, Receiver receiver) {
    List<Group> groups = queries.groups(objects);
    Coverage coverage = levels.read();
    StatGrid grid = wanted.grid();
    long steps =
        grid != null ? grid.size() : Math.max(1, (wanted.end() - wanted.begin()) / USUAL_INTERVAL);
    int keys = wanted.keys().isEmpty() ? UNKNOWN_KEYS : wanted.keys().size();
    int atOnce = (int) Math.clamp(CELLS / (steps * keys), 1, OBJECTS_AT_ONCE);
    // Small ones are exact to the last value: those at the edge of two intervals belong to the
    // first, but roll-ups have them in the second.
    boolean exact =
        coverage.isKept(Level.RAW, wanted.begin() * MICROS)
            && (long) objects.size() * keys * ((wanted.end() - wanted.begin()) / USUAL_INTERVAL)
                <= RAW_ROWS;
    for (int from = 0; from < objects.size(); from += atOnce) {
      List<Integer> some = objects.subList(from, Math.min(objects.size(), from + atOnce));
      List<Line> lines = queries.lines(some, wanted.keys(), groups);
      List<@Nullable Points> points =
          wanted.aggregation() == null || grid == null
              ? plain(lines, wanted, coverage)
              : folded(lines, wanted, wanted.aggregation(), grid, coverage, exact);
      Map<Integer, Map<String, Points>> byObject = new HashMap<>();
      for (int i = 0; i < lines.size(); i++) {
        Points of = points.get(i);
        if (of != null) {
          byObject
              .computeIfAbsent(lines.get(i).object(), o -> new LinkedHashMap<>())
              .put(lines.get(i).key(), of);
        }
      }
      for (Integer object : some) {
        Map<String, Points> stats = byObject.get(object);
        if (stats != null) {
          receiver.take(object, stats);
        }
      }
    }
  }

  // ----------------------------------------------------------------------------------------- reads

  @FunctionalInterface
  private interface Values {
    void take(int line, SampleRow row, int index, Level level);
  }

  private void each(List<Line> lines, List<Segment> plan, Set<Part> parts, Values values) {
    Map<Integer, List<Integer>> byGroup = new LinkedHashMap<>();
    for (int i = 0; i < lines.size(); i++) {
      byGroup.computeIfAbsent(lines.get(i).group(), g -> new ArrayList<>()).add(i);
    }
    for (List<Integer> of : byGroup.values()) {
      TreeSet<Integer> sets = new TreeSet<>();
      TreeSet<Integer> positions = new TreeSet<>();
      for (int i : of) {
        sets.add(lines.get(i).set());
        positions.add(lines.get(i).position());
      }
      SetSlots slots = new SetSlots(ints(sets));
      int[] places = ints(positions);
      int[][] table = new int[sets.size()][places.length];
      for (int[] row : table) {
        Arrays.fill(row, -1);
      }
      for (int i : of) {
        table[slots.of(lines.get(i).set())][Arrays.binarySearch(places, lines.get(i).position())] =
            i;
      }
      for (Segment segment : plan) {
        reader.read(
            segment.level(),
            slots.setIds(),
            places,
            parts,
            segment.from(),
            segment.to(),
            row -> {
              int[] linesOfSet = table[slots.of(row.setId())];
              for (int i = 0; i < linesOfSet.length; i++) {
                if (linesOfSet[i] >= 0) {
                  values.take(linesOfSet[i], row, i, segment.level());
                }
              }
            });
      }
    }
  }

  private static int[] ints(Collection<Integer> values) {
    return values.stream().mapToInt(Integer::intValue).toArray();
  }

  /** Values as they are; where only roll-ups are left, the mean of each at its end. */
  private List<@Nullable Points> plain(List<Line> lines, Wanted wanted, Coverage coverage) {
    @Nullable Collected[] found = new Collected[lines.size()];
    each(
        lines,
        coverage.plan(Level.RAW, wanted.begin() * MICROS, wanted.end() * MICROS + 1),
        EnumSet.of(Part.AVG),
        (line, row, index, level) -> {
          double value = row.avg(index);
          if (Double.isFinite(value)) {
            Collected of = found[line];
            if (of == null) {
              of = new Collected();
              found[line] = of;
            }
            of.add((row.time() + level.widthMicros()) / MICROS, value);
          }
        });
    List<@Nullable Points> points = new ArrayList<>(lines.size());
    Times before = null;
    for (int i = 0; i < found.length; i++) {
      Collected of = found[i];
      found[i] = null;
      if (of == null) {
        points.add(null);
      } else {
        Points some = of.points(before);
        before = some.times() instanceof Times times ? times : null;
        points.add(some);
      }
    }
    return points;
  }

  private List<@Nullable Points> folded(
      List<Line> lines,
      Wanted wanted,
      Aggregation aggregation,
      StatGrid grid,
      Coverage coverage,
      boolean exact) {
    int count = grid.size();
    Cells cells = new Cells(aggregation, Math.multiplyExact(lines.size(), count));
    long begin = wanted.begin() * MICROS;
    long end = wanted.end() * MICROS;
    List<Segment> plan =
        exact
            ? List.of(new Segment(Level.RAW, begin + 1, end + 1))
            : coverage.plan(level(grid), begin, end);
    each(
        lines,
        plan,
        aggregation.parts(),
        (line, row, index, level) -> {
          int step = exact ? grid.endingAt(row.time()) : grid.startingAt(row.time());
          if (step >= 0 && step < count) {
            cells.add(line * count + step, row, index);
          }
        });
    List<@Nullable Points> points = new ArrayList<>(lines.size());
    Times before = null;
    long[] times = new long[count];
    for (int i = 0; i < lines.size(); i++) {
      double[] values = cells.values(i * count, (i + 1) * count);
      int size = 0;
      for (int step = 0; step < count; step++) {
        if (Double.isFinite(values[step])) {
          times[size] = grid.edges()[step + 1];
          values[size] = values[step];
          size++;
        }
      }
      if (size == 0) {
        points.add(null);
      } else {
        before = Times.of(Arrays.copyOf(times, size)).orElse(before);
        points.add(
            new Points(before, Doubles.of(size == count ? values : Arrays.copyOf(values, size))));
      }
    }
    return points;
  }

  private static Level level(StatGrid grid) {
    Level coarsest = Level.RAW;
    for (Level level : Level.values()) {
      if (level != Level.RAW && grid.fits(level.width().toMillis())) {
        coarsest = level;
      }
    }
    return coarsest;
  }

  // ---------------------------------------------------------------------------------------- newest

  /**
   * Reads the newest values of some resources, in their order.
   *
   * @param since null = as far back as there may be some
   */
  void newest(
      List<Integer> objects,
      List<String> keys,
      int most,
      @Nullable Duration since,
      Receiver receiver) {
    Instant now = clock.instant();
    List<Group> groups = queries.groups(objects);
    for (int from = 0; from < objects.size(); from += OBJECTS_AT_ONCE) {
      List<Integer> some = objects.subList(from, Math.min(objects.size(), from + OBJECTS_AT_ONCE));
      List<Line> lines = queries.lines(some, keys, groups);
      Map<Line, Points> found = new HashMap<>();
      if (since != null || most > 1) {
        found.putAll(queries.newest(lines, now.minus(since == null ? LAST_LOOK : since), most));
      } else {
        found.putAll(queries.newest(lines, now.minus(FIRST_LOOK), most));
        List<Line> rest = lines.stream().filter(line -> !found.containsKey(line)).toList();
        found.putAll(queries.newest(rest, now.minus(SECOND_LOOK), most));
        // A set that has been at rest for a day has its newest row before; one that goes on lacks
        // what it lacks, and to look through a month of it would take long.
        Set<Integer> awake = new HashSet<>();
        found.keySet().forEach(line -> awake.add(line.set()));
        found.putAll(
            queries.newest(
                lines.stream().filter(line -> !awake.contains(line.set())).toList(),
                now.minus(LAST_LOOK),
                most));
      }
      Map<Integer, Map<String, Points>> byObject = new HashMap<>();
      for (Line line : lines) {
        Points of = found.get(line);
        if (of != null) {
          byObject.computeIfAbsent(line.object(), o -> new LinkedHashMap<>()).put(line.key(), of);
        }
      }
      for (Integer object : some) {
        Map<String, Points> stats = byObject.get(object);
        if (stats != null) {
          receiver.take(object, stats);
        }
      }
    }
  }

  /** The newest value of one key of each resource that has it. */
  Map<Integer, Double> newest(List<Integer> objects, String key) {
    Map<Integer, Double> values = new HashMap<>();
    newest(
        objects,
        List.of(key),
        1,
        null,
        (object, stats) ->
            stats.values().forEach(points -> values.put(object, points.values().getLast())));
    return values;
  }
}
