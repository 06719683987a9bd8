package io.peerlens.frame;

import io.peerlens.frame.MetricSets.Group;
import io.peerlens.frame.MetricSets.Sets;
import io.peerlens.store.Level;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The last value of some metrics of every set of a group, moved on from moment to moment as rows
 * are told, in any order. Times are microseconds since 1970.
 */
final class LastValues {

  /** Spacing is judged by so many of a set's newest points. */
  private static final int POINTS = 6;

  private final Group group;
  private final @Nullable Object instances;
  private final Sets sets;
  private final int[] positions;
  private final double[][] values; // by position, then set
  private final long[][] times;
  private final long @Nullable [] points; // newest times of each set, descending

  // Raw rows since counting began: how many each set had.
  private final int[] rows;
  private long counting = Long.MAX_VALUE;

  /**
   * @param instances what the sets were chosen by
   * @param positions ascending
   * @param withSpacing whether it will be asked if values are fresh
   */
  LastValues(
      Group group, @Nullable Object instances, Sets sets, int[] positions, boolean withSpacing) {
    this.group = group;
    this.instances = instances;
    this.sets = sets;
    this.positions = positions;
    this.values = new double[positions.length][sets.ids().length];
    this.times = new long[positions.length][sets.ids().length];
    for (double[] column : values) {
      Arrays.fill(column, Double.NaN);
    }
    this.rows = new int[sets.ids().length];
    this.points = withSpacing ? new long[sets.ids().length * POINTS] : null;
  }

  Group group() {
    return group;
  }

  Sets sets() {
    return sets;
  }

  int[] positions() {
    return positions;
  }

  /** Whether it holds what is wanted, though perhaps of other sets. */
  boolean serves(@Nullable Object wantedInstances, int[] wantedPositions, boolean spacing) {
    return Objects.equals(instances, wantedInstances)
        && Arrays.equals(positions, wantedPositions)
        && (points != null || !spacing);
  }

  /**
   * Takes over what an older one knew of sets that both have.
   *
   * @return ids of the sets that the older one did not have
   */
  int[] adopt(LastValues older) {
    int[] unknown = new int[sets.ids().length];
    int count = 0;
    for (int place = 0; place < sets.ids().length; place++) {
      int from = older.sets.place(sets.ids()[place]);
      if (from < 0) {
        unknown[count++] = sets.ids()[place];
        continue;
      }
      for (int i = 0; i < positions.length; i++) {
        values[i][place] = older.values[i][from];
        times[i][place] = older.times[i][from];
      }
      if (points != null && older.points != null) {
        System.arraycopy(older.points, from * POINTS, points, place * POINTS, POINTS);
      }
    }
    return Arrays.copyOf(unknown, count);
  }

  /** Tells a value of a row; what is older than known changes nothing. */
  void tell(int index, int place, long time, double value) {
    if (!Double.isNaN(value) && time >= times[index][place]) {
      times[index][place] = time;
      values[index][place] = value;
    }
  }

  /** Values of which it is known only that they are the last ones of a bucket. */
  final class Bucket {

    private final Level level;
    private final long begin;
    private final BitSet[] places; // by position

    private Bucket(Level level, long begin) {
      this.level = level;
      this.begin = begin;
      this.places = new BitSet[positions.length];
      Arrays.setAll(places, i -> new BitSet());
    }

    Level level() {
      return level;
    }

    long begin() {
      return begin;
    }

    boolean holds(int place) {
      return Arrays.stream(places).anyMatch(of -> of.get(place));
    }

    /** Ids of the sets. */
    int[] sets() {
      BitSet all = new BitSet();
      for (BitSet of : places) {
        all.or(of);
      }
      return all.stream().map(place -> sets.ids()[place]).toArray();
    }

    /** Lets finer samples of the bucket come. */
    void open() {
      move(begin + level.widthMicros() - 1, begin - 1);
    }

    /** Values of which nothing finer came are as they were. */
    void close() {
      move(begin - 1, begin + level.widthMicros() - 1);
    }

    private void move(long from, long to) {
      for (int i = 0; i < places.length; i++) {
        long[] of = times[i];
        places[i].stream().filter(place -> of[place] == from).forEach(place -> of[place] = to);
      }
    }
  }

  /** What is known from buckets of a level, by the start of the bucket. */
  Map<Long, Bucket> inBuckets(Level level) {
    Map<Long, Bucket> buckets = new HashMap<>();
    for (int i = 0; i < positions.length; i++) {
      for (int place = 0; place < times[i].length; place++) {
        long end = times[i][place] + 1;
        if (end > 1 && end == level.floor(end)) {
          long begin = end - level.widthMicros();
          buckets.computeIfAbsent(begin, b -> new Bucket(level, b)).places[i].set(place);
        }
      }
    }
    return buckets;
  }

  /** Tells that a set has a raw row of a time. */
  void tellPoint(int place, long time) {
    if (time >= counting) {
      rows[place]++;
    }
    long[] latest = points;
    if (latest == null) {
      return;
    }
    int from = place * POINTS;
    int at = from;
    while (at < from + POINTS && latest[at] > time) {
      at++;
    }
    if (at == from + POINTS || latest[at] == time) {
      return;
    }
    System.arraycopy(latest, at, latest, at + 1, from + POINTS - 1 - at);
    latest[at] = time;
  }

  /** From now on rows from a time on are counted, to learn how often the sets report. */
  void countFrom(long time) {
    Arrays.fill(rows, 0);
    counting = time;
  }

  /**
   * How often the sets report, in microseconds, by the rows counted up to a time.
   *
   * @return 0 = they differ, or too few rows were counted to tell
   */
  long spacing(long until) {
    int most = 0;
    for (int count : rows) {
      most = Math.max(most, count);
    }
    int often = 0;
    int seldom = 0;
    for (int count : rows) {
      often += count * 2 >= most && count > 0 ? 1 : 0;
      seldom += count * 2 < most && count > 0 ? 1 : 0;
    }
    return most < 3 || seldom * 20 > often ? 0 : (until - counting) / (most - 1);
  }

  /**
   * Sets of which some value is not newer than a moment.
   *
   * @return their ids
   */
  int[] notNewer(long moment) {
    int[] found = new int[sets.ids().length];
    int count = 0;
    for (int place = 0; place < found.length; place++) {
      boolean newer = true;
      for (int i = 0; i < positions.length && newer; i++) {
        newer = times[i][place] > moment;
      }
      if (!newer) {
        found[count++] = sets.ids()[place];
      }
    }
    return Arrays.copyOf(found, count);
  }

  /**
   * The last value of a metric at a place.
   *
   * @param after older values count no more
   */
  double value(int index, int place, long after) {
    return times[index][place] > after ? values[index][place] : Double.NaN;
  }

  /** When the last sample of a metric was taken, however old; milliseconds, 0 = none is known. */
  long millis(int index, int place) {
    return Math.floorDiv(times[index][place], 1000);
  }

  /**
   * Whether the last value is younger than the usual time between points: the median of the newest
   * ones, at least one cycle.
   */
  boolean isFresh(int index, int place, long tick, long cycle) {
    long[] latest = points;
    if (latest == null) {
      return true;
    }
    long[] gaps = new long[POINTS - 1];
    int count = 0;
    for (int i = place * POINTS; i < place * POINTS + POINTS - 1 && latest[i + 1] > 0; i++) {
      gaps[count++] = latest[i] - latest[i + 1];
    }
    Arrays.sort(gaps, 0, count);
    long usual = count == 0 ? cycle : Math.max(cycle, gaps[count / 2]);
    return tick - times[index][place] < usual;
  }
}
