package io.peerlens.panel;

import io.peerlens.dashboard.file.Column.Instance;
import io.peerlens.dashboard.file.Column.Metric;
import io.peerlens.dashboard.file.Column.Statistic;
import io.peerlens.dashboard.file.Column.Transform;
import io.peerlens.dashboard.file.Column.Transform.Plain;
import io.peerlens.dashboard.file.Question;
import io.peerlens.frame.KeySets;
import io.peerlens.ingest.key.MetricKey;
import io.peerlens.series.Percentile;
import io.peerlens.series.PercentileOrigin;
import io.peerlens.series.WindowStatistics;
import io.peerlens.series.WindowStatistics.Precision;
import io.peerlens.store.Coverage;
import io.peerlens.store.Level;
import io.peerlens.store.SampleReader.Newest;
import io.peerlens.store.SampleReader.Part;
import io.peerlens.store.SampleReader.RowHandler;
import io.peerlens.store.SampleRow;
import io.peerlens.store.SampleSource;
import io.peerlens.store.Segment;
import io.peerlens.supermetrics.formula.ObjectKind;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Values of metrics for the rows of a panel: all metrics of a group over one window are read
 * together, each stretch from the coarsest level that is exact. For one answer; not thread-safe.
 */
final class MetricReads {

  /** Percentiles of more raw values than this come from sketches where there are some. */
  private static final long MOST_EXACT = 2_000_000;

  private static final long USUAL_INTERVAL = 20_000_000;
  private static final long DAY = 86_400_000_000L;

  /** Points through which a trend goes. */
  private static final int TREND_STEPS = 120;

  /** Courses of more rows than this step by hours, if the window has some. */
  private static final int MANY_COURSES = 500;

  private final PanelData data;
  private final SampleSource reader;
  private final Coverage coverage;
  private final long metricAge;
  private final Question.@Nullable BusinessHours hours;
  private final Map<Level, Long> read = new EnumMap<>(Level.class);
  private long newest = Long.MIN_VALUE;

  MetricReads(PanelData data, Question.@Nullable BusinessHours hours) {
    this.data = data;
    this.reader = data.samples();
    this.coverage = data.coverage();
    this.metricAge = data.metricAge().toMillis() * 1000;
    this.hours = hours;
  }

  /** When the newest value that was read came; null = none was. */
  @Nullable Instant newest() {
    return newest == Long.MIN_VALUE ? null : Level.instant(newest);
  }

  /** The level that most time was read from; null = none was. */
  @Nullable Level level() {
    return read.entrySet().stream()
        .max(Map.Entry.comparingByValue())
        .map(Map.Entry::getKey)
        .orElse(null);
  }

  /**
   * A metric that is wanted.
   *
   * @param metric with the keys as they are stored
   * @param from microseconds since 1970
   * @param to microseconds since 1970
   */
  record Wanted(Metric metric, Transform transform, long from, long to) {}

  /** Values of a metric by row. */
  static final class Found {
    final double[] numbers;
    final Map<String, Integer> keys = new LinkedHashMap<>();
    @Nullable String unit;
    PercentileOrigin.@Nullable From origin;

    /** Rows whose object has a place for the metric, with or without a value in the window. */
    final boolean[] known;

    Found(int rows) {
      numbers = new double[rows];
      known = new boolean[rows];
      Arrays.fill(numbers, Double.NaN);
    }

    /** The key that most rows have their value from; null = none has one. */
    @Nullable String key() {
      return keys.entrySet().stream()
          .max(Map.Entry.comparingByValue())
          .map(Map.Entry::getKey)
          .orElse(null);
    }
  }

  /** Whether an object of a kind among the rows has a set for a key, of any instance. */
  boolean isKnown(ObjectKind kind, String key, Rows rows) {
    KeySets sets = data.keySets(kind, key, true);
    if (sets == null) {
      return false;
    }
    Set<Integer> ids = new java.util.HashSet<>();
    Arrays.stream(rows.objects()).forEach(ids::add);
    return Arrays.stream(sets.objects()).anyMatch(ids::contains);
  }

  /** Instances that objects have of some metrics: rows for them, in the order of the objects. */
  Rows instances(Rows objects, List<Metric> metrics) {
    Map<Integer, TreeSet<String>> found = new HashMap<>();
    for (ObjectKind kind : objects.distinctKinds()) {
      for (Metric metric : metrics) {
        Glob pattern = pattern(metric);
        for (String key : metric.any()) {
          KeySets sets = data.keySets(kind, key, true);
          for (int i = 0; sets != null && i < sets.sets().length; i++) {
            String instance = sets.instances()[i];
            if (!instance.isEmpty() && pattern.matches(instance)) {
              found.computeIfAbsent(sets.objects()[i], id -> new TreeSet<>()).add(instance);
            }
          }
        }
      }
    }
    List<Integer> places = new ArrayList<>();
    List<String> names = new ArrayList<>();
    for (int row = 0; row < objects.size(); row++) {
      for (String instance : found.getOrDefault(objects.objects()[row], new TreeSet<>())) {
        places.add(row);
        names.add(instance);
      }
    }
    Rows rows = objects.at(places.stream().mapToInt(Integer::intValue).toArray());
    return new Rows(rows.objects(), rows.kinds(), names.toArray(String[]::new));
  }

  private static Glob pattern(Metric metric) {
    return new Glob(metric.instance() instanceof Instance.Each each ? each.matching() : "*");
  }

  // ------------------------------------------------------------------------------------- reading

  /**
   * Where the sets of a metric lead: a cell of an accumulator for each set, and the rows for each
   * cell.
   */
  private record Target(
      Found found,
      String key,
      KeySets sets,
      int[] setIds,
      int[] cells,
      int cellCount,
      int[][] rowsOfCell,
      double factor,
      @Nullable Statistic over) {

    /** Puts the value of each cell into its rows; cells of one row become one by the statistic. */
    void put(java.util.function.IntToDoubleFunction value) {
      if (over == null) {
        for (int cell = 0; cell < cellCount; cell++) {
          double one = value.applyAsDouble(cell);
          if (!Double.isNaN(one)) {
            for (int row : rowsOfCell[cell]) {
              found.numbers[row] = one * factor;
              found.keys.merge(key, 1, Integer::sum);
            }
          }
        }
        return;
      }
      Map<Integer, double[]> sums = new HashMap<>(); // value, count
      for (int cell = 0; cell < cellCount; cell++) {
        double one = value.applyAsDouble(cell);
        if (Double.isNaN(one)) {
          continue;
        }
        for (int row : rowsOfCell[cell]) {
          double[] sum = sums.computeIfAbsent(row, r -> new double[] {Double.NaN, 0});
          sum[0] =
              Double.isNaN(sum[0])
                  ? one
                  : switch (over) {
                    case SUM, AVG -> sum[0] + one;
                    case MIN -> Math.min(sum[0], one);
                    case MAX -> Math.max(sum[0], one);
                  };
          sum[1]++;
        }
      }
      sums.forEach(
          (row, sum) -> {
            found.numbers[row] = (over == Statistic.AVG ? sum[0] / sum[1] : sum[0]) * factor;
            found.keys.merge(key, 1, Integer::sum);
          });
    }
  }

  /** Reads metrics for rows; a row takes the first key that gives it a value. */
  List<Found> read(List<Wanted> wanted, Rows rows) {
    List<Found> found = new ArrayList<>();
    wanted.forEach(one -> found.add(new Found(rows.size())));
    for (ObjectKind kind : rows.distinctKinds()) {
      int[] ofKind = rows.ofKind(kind);
      int most = wanted.stream().mapToInt(one -> one.metric().any().size()).max().orElse(0);
      for (int k = 0; k < most; k++) {
        List<Target> targets = new ArrayList<>();
        List<Wanted> theirs = new ArrayList<>();
        for (int w = 0; w < wanted.size(); w++) {
          if (k < wanted.get(w).metric().any().size()) {
            Target target = target(wanted.get(w), k, found.get(w), kind, rows, ofKind);
            if (target != null) {
              targets.add(target);
              theirs.add(wanted.get(w));
            }
          }
        }
        read(targets, theirs);
      }
    }
    return found;
  }

  private @Nullable Target target(
      Wanted wanted, int keyNumber, Found found, ObjectKind kind, Rows rows, int[] ofKind) {
    Instance instance = wanted.metric().instance();
    String key = wanted.metric().any().get(keyNumber);
    boolean all = instance instanceof Instance.Each || instance instanceof Instance.Over;
    if (instance instanceof Instance.Named named) {
      MetricKey plain = MetricKey.parse(key);
      key = new MetricKey(plain.group(), named.name(), plain.metric()).toString();
    }
    KeySets sets = data.keySets(kind, key, all);
    if (sets == null) {
      return null;
    }
    boolean each = instance instanceof Instance.Each;
    Map<Integer, List<Integer>> pending = new HashMap<>();
    for (int row : ofKind) {
      if (Double.isNaN(found.numbers[row])) {
        pending.computeIfAbsent(rows.objects()[row], id -> new ArrayList<>(1)).add(row);
      }
    }
    int[] ids = new int[sets.sets().length];
    int[] cells = new int[ids.length];
    List<int[]> rowsOfCell = new ArrayList<>();
    Glob pattern = each ? pattern(wanted.metric()) : null;
    int count = 0;
    for (int i = 0; i < ids.length; i++) {
      List<Integer> theirs = pending.get(sets.objects()[i]);
      String of = sets.instances()[i];
      if (theirs == null || (all && of.isEmpty())) {
        continue;
      }
      int[] into =
          pattern == null
              ? theirs.stream().mapToInt(Integer::intValue).toArray()
              : pattern.matches(of)
                  ? theirs.stream()
                      .mapToInt(Integer::intValue)
                      .filter(row -> rows.instances()[row].equals(of))
                      .toArray()
                  : new int[0];
      if (into.length == 0) {
        continue;
      }
      for (int row : into) {
        found.known[row] = true;
      }
      ids[count] = sets.sets()[i];
      cells[count] = rowsOfCell.size();
      rowsOfCell.add(into);
      count++;
    }
    if (count == 0) {
      return null;
    }
    String unit = data.objects().unit(sets.group(), sets.position());
    if (found.unit == null) {
      found.unit = unit;
    }
    return new Target(
        found,
        key,
        sets,
        Arrays.copyOf(ids, count),
        Arrays.copyOf(cells, count),
        rowsOfCell.size(),
        rowsOfCell.toArray(int[][]::new),
        isInUnit(wanted.transform()) ? factor(unit, found.unit) : 1,
        instance instanceof Instance.Over over ? over.statistic() : null);
  }

  /** Whether what becomes of values has their unit, or is a change of it. */
  private static boolean isInUnit(Transform transform) {
    return switch (transform) {
      case Plain plain ->
          switch (plain) {
            case COUNT, TIMESTAMP, TIME_OF_MIN, TIME_OF_MAX -> false;
            default -> true;
          };
      case Transform.Reaches reaches -> false;
      default -> true;
    };
  }

  /** Keys of one column may have other units: all rows have that of the first. */
  private static double factor(@Nullable String from, @Nullable String to) {
    double factor = UnitScale.factor(from, to);
    return Double.isNaN(factor) ? 1 : factor;
  }

  private void read(List<Target> targets, List<Wanted> wanted) {
    List<Feed> feeds = new ArrayList<>();
    List<Runnable> finish = new ArrayList<>();
    List<Target> currents = new ArrayList<>();
    Map<PercentileRead, List<Target>> percentiles = new LinkedHashMap<>();
    for (int i = 0; i < targets.size(); i++) {
      Target target = targets.get(i);
      Wanted one = wanted.get(i);
      switch (one.transform()) {
        case Plain plain -> {
          switch (plain) {
            case CURRENT -> {
              if (hours == null && coverage.isKept(Level.RAW, one.to() - metricAge)) {
                currents.add(target);
              } else {
                fold(target, Plain.LAST, one.to() - metricAge, one.to(), feeds, finish);
              }
            }
            case TREND -> trend(target, one, feeds, finish, line -> line.perDay());
            default -> fold(target, plain, one.from(), one.to(), feeds, finish);
          }
        }
        case Transform.Percentile percentile ->
            percentiles
                .computeIfAbsent(
                    new PercentileRead(
                        target.sets().group(), percentile.percent(), one.from(), one.to()),
                    k -> new ArrayList<>())
                .add(target);
        case Transform.Forecast forecast -> {
          double days = forecast.ahead().toSeconds() / 86_400.0;
          trend(target, one, feeds, finish, line -> line.end() + line.perDay() * days);
        }
        case Transform.Reaches reaches ->
            trend(target, one, feeds, finish, line -> days(line, reaches.value()));
        case Transform.Change change -> {
          long earlier =
              change.earlier() == null ? one.to() - one.from() : change.earlier().toMillis() * 1000;
          Fold now = new Fold(change.of(), target.cellCount());
          Fold then = new Fold(change.of(), target.cellCount());
          feeds.add(Feed.of(now, target, one.from(), one.to()));
          feeds.add(Feed.of(then, target, one.from() - earlier, one.to() - earlier));
          finish.add(() -> target.put(cell -> now.value(cell) - then.value(cell)));
        }
        case Transform.Outside outside -> {} // compared with what is usual elsewhere
      }
    }
    feed(feeds);
    finish.forEach(Runnable::run);
    current(currents, wanted.isEmpty() ? 0 : wanted.getFirst().to());
    percentiles.forEach(this::percentile);
  }

  /**
   * In how many days a line is at a value; 0 = it is beyond already, NaN = it does not get there.
   */
  private static double days(Bins.Trend line, double value) {
    double way = value - line.end();
    if (Double.isNaN(way)) {
      return Double.NaN;
    }
    if (line.perDay() == 0 || way == 0) {
      return way == 0 ? 0 : Double.NaN;
    }
    double days = way / line.perDay();
    return days >= 0 ? days : Double.NaN;
  }

  private void fold(
      Target target, Plain of, long from, long to, List<Feed> feeds, List<Runnable> finish) {
    Fold fold = new Fold(of, target.cellCount());
    feeds.add(Feed.of(fold, target, from, to));
    finish.add(() -> target.put(fold::value));
  }

  private void trend(
      Target target,
      Wanted wanted,
      List<Feed> feeds,
      List<Runnable> finish,
      java.util.function.ToDoubleFunction<Bins.Trend> of) {
    Bins bins = bins(target.cellCount(), wanted.from(), wanted.to(), TREND_STEPS);
    feeds.add(Feed.of(target, levelOf(bins), wanted.from(), wanted.to(), bins::add));
    finish.add(
        () ->
            target.put(
                cell -> {
                  data.goOn();
                  return of.applyAsDouble(bins.trend(cell));
                }));
  }

  /** Equal steps, at most so many, of a width that buckets fill. */
  static Bins bins(int cells, long from, long to, int most) {
    long least = Math.ceilDiv(to - from, most);
    long width = least;
    for (long usual : USUAL_WIDTHS) {
      if (usual >= least) {
        width = usual;
        break;
      }
    }
    if (width < least || width > DAY) {
      width = Math.ceilDiv(least, DAY) * DAY;
    }
    long begin = Math.floorDiv(from, width) * width;
    return new Bins(cells, begin, width, (int) Math.ceilDiv(to - begin, width));
  }

  private static final long[] USUAL_WIDTHS = {
    20_000_000L,
    60_000_000L,
    120_000_000L,
    300_000_000L,
    600_000_000L,
    900_000_000L,
    1_800_000_000L,
    3_600_000_000L,
    7_200_000_000L,
    10_800_000_000L,
    21_600_000_000L,
    43_200_000_000L,
    DAY
  };

  static Level levelOf(Bins bins) {
    long width = bins.stepMillis() * 1000;
    return width % Level.ONE_HOUR.widthMicros() == 0
        ? Level.ONE_HOUR
        : width % Level.FIVE_MINUTES.widthMicros() == 0 ? Level.FIVE_MINUTES : Level.RAW;
  }

  // --------------------------------------------------------------------------------------- courses

  /**
   * Courses of a metric over a window.
   *
   * @param bins cells are rows
   */
  record Course(Bins bins, @Nullable String key, @Nullable String unit) {}

  /** Means of equal steps for each row; of several keys the first that gives any value. */
  Course course(Metric metric, Rows rows, long from, long to, int steps) {
    return course(metric, rows, from, to, bins(rows.size(), from, to, steps));
  }

  /**
   * The same with steps of at least five minutes, so that what reports that often has a value in
   * each; with many rows and at least half a day, of at least an hour.
   */
  Course slowCourse(Metric metric, Rows rows, long from, long to, int steps) {
    Level least =
        rows.size() > MANY_COURSES && 2 * (to - from) >= DAY ? Level.ONE_HOUR : Level.FIVE_MINUTES;
    int most = (int) Math.min(steps, Math.max(1, (to - from) / least.widthMicros()));
    return course(metric, rows, from, to, bins(rows.size(), from, to, most));
  }

  private Course course(Metric metric, Rows rows, long from, long to, Bins all) {
    boolean[] done = new boolean[rows.size()];
    Found found = new Found(rows.size());
    for (ObjectKind kind : rows.distinctKinds()) {
      int[] ofKind = rows.ofKind(kind);
      for (int k = 0; k < metric.any().size(); k++) {
        Wanted wanted = new Wanted(metric, Plain.AVG, from, to);
        Target target = target(wanted, k, found, kind, rows, ofKind);
        if (target == null) {
          continue;
        }
        feed(
            List.of(
                Feed.of(
                    target,
                    levelOf(all),
                    from,
                    to,
                    (cell, row, index) -> {
                      for (int into : target.rowsOfCell()[cell]) {
                        if (!done[into]) {
                          all.add(into, row, index);
                        }
                      }
                    })));
        for (int row : ofKind) {
          for (int step = 0; !done[row] && step < all.steps(); step++) {
            if (!Double.isNaN(all.mean(row, step))) {
              done[row] = true;
              found.numbers[row] = 0; // it needs no other key
              all.times(row, target.factor());
              found.keys.merge(target.key(), 1, Integer::sum);
            }
          }
        }
      }
    }
    return new Course(all, found.key(), found.unit);
  }

  // ------------------------------------------------------------------------------------------ SQL

  @FunctionalInterface
  private interface CellHandler {
    void add(int cell, SampleRow row, int index);
  }

  /**
   * A target that is to be fed with the rows of a window.
   *
   * @param parts of the rows that it reads
   * @param folds whether rows of a set may come as one
   */
  private record Feed(
      Target target,
      Level level,
      long from,
      long to,
      Set<Part> parts,
      boolean folds,
      CellHandler handler) {

    static Feed of(Fold fold, Target target, long from, long to) {
      return new Feed(target, Level.ONE_HOUR, from, to, fold.parts(), fold.folds(), fold::add);
    }

    /** A feed of means by time. */
    static Feed of(Target target, Level level, long from, long to, CellHandler handler) {
      return new Feed(target, level, from, to, EnumSet.of(Part.COUNT), false, handler);
    }
  }

  private record WindowKey(int group, Level level, long from, long to) {}

  /** Reads each group and window once, for all that want something of it. */
  private void feed(List<Feed> feeds) {
    Map<WindowKey, List<Feed>> byWindow = new LinkedHashMap<>();
    for (Feed feed : feeds) {
      Level level =
          hours != null && feed.level() == Level.ONE_HOUR ? Level.FIVE_MINUTES : feed.level();
      byWindow
          .computeIfAbsent(
              new WindowKey(feed.target().sets().group(), level, feed.from(), feed.to()),
              key -> new ArrayList<>())
          .add(feed);
    }
    byWindow.forEach(this::feed);
  }

  private void feed(WindowKey window, List<Feed> feeds) {
    Set<Integer> setIds = new TreeSet<>();
    Set<Integer> positionSet = new TreeSet<>();
    for (Feed feed : feeds) {
      Arrays.stream(feed.target().setIds()).forEach(setIds::add);
      positionSet.add(feed.target().sets().position());
    }
    int[] sets = ints(setIds);
    int[] positions = ints(positionSet);
    int[][] cells = new int[feeds.size()][sets.length];
    int[] indexes = new int[feeds.size()];
    for (int f = 0; f < feeds.size(); f++) {
      Target target = feeds.get(f).target();
      Arrays.fill(cells[f], -1);
      for (int i = 0; i < target.setIds().length; i++) {
        cells[f][Arrays.binarySearch(sets, target.setIds()[i])] = target.cells()[i];
      }
      indexes[f] = Arrays.binarySearch(positions, target.sets().position());
    }
    OpenHours open = hours == null ? null : new OpenHours(hours);
    boolean folded = open == null && feeds.stream().allMatch(Feed::folds);
    EnumSet<Part> parts = EnumSet.of(Part.AVG);
    feeds.forEach(feed -> parts.addAll(feed.parts()));
    for (Segment segment : coverage.plan(window.level(), window.from(), window.to())) {
      read.merge(segment.level(), segment.to() - segment.from(), Long::sum);
      long width = segment.level().widthMicros();
      RowHandler handler =
          row -> {
            if (open != null && !open.holds(row.time())) {
              return;
            }
            int slot = Arrays.binarySearch(sets, row.setId());
            newest = Math.max(newest, Math.min(row.time() + width, window.to()));
            for (int f = 0; f < cells.length; f++) {
              if (cells[f][slot] >= 0) {
                feeds.get(f).handler().add(cells[f][slot], row, indexes[f]);
              }
            }
          };
      if (folded) {
        reader.readFolded(
            segment.level(), sets, positions, parts, segment.from(), segment.to(), handler);
      } else {
        reader.read(segment.level(), sets, positions, parts, segment.from(), segment.to(), handler);
      }
    }
  }

  /** The newest values of all targets, with one statement. */
  private void current(List<Target> targets, long at) {
    int pairs = targets.stream().mapToInt(target -> target.setIds().length).sum();
    if (pairs == 0) {
      return;
    }
    int[] sets = new int[pairs];
    int[] positions = new int[pairs];
    int next = 0;
    for (Target target : targets) {
      for (int set : target.setIds()) {
        sets[next] = set;
        positions[next++] = target.sets().position();
      }
    }
    Newest values = reader.newest(sets, positions, at - metricAge, at);
    read.merge(Level.RAW, 1L, Long::sum);
    next = 0;
    for (Target target : targets) {
      double[] ofCell = new double[target.cellCount()];
      Arrays.fill(ofCell, Double.NaN);
      for (int i = 0; i < target.setIds().length; i++, next++) {
        ofCell[target.cells()[i]] = values.values()[next];
        if (!Double.isNaN(values.values()[next])) {
          newest = Math.max(newest, values.times()[next]);
        }
      }
      target.put(cell -> ofCell[cell]);
    }
  }

  private record PercentileRead(int group, double percent, long from, long to) {}

  private void percentile(PercentileRead key, List<Target> targets) {
    Set<Integer> setIds = new LinkedHashSet<>();
    Set<Integer> positionSet = new TreeSet<>();
    for (Target target : targets) {
      Arrays.stream(target.setIds()).forEach(setIds::add);
      positionSet.add(target.sets().position());
    }
    int[] positions = ints(positionSet);
    long values =
        (long) setIds.size() * positions.length * ((key.to() - key.from()) / USUAL_INTERVAL + 1);
    Percentile percentile = Percentile.of(key.percent());
    WindowStatistics.Statistics of =
        data.statistics()
            .percentiles(
                ints(setIds),
                positions,
                Level.instant(key.from()),
                Level.instant(key.to()),
                List.of(percentile),
                values <= MOST_EXACT ? Precision.EXACT : Precision.QUICK);
    for (Target target : targets) {
      int position = Arrays.binarySearch(positions, target.sets().position());
      double[] ofCell = new double[target.cellCount()];
      for (int i = 0; i < target.setIds().length; i++) {
        int set = target.setIds()[i];
        ofCell[target.cells()[i]] = of.percentile(set, position, percentile);
        PercentileOrigin origin = of.origin(set, position);
        PercentileOrigin.From worst = target.found().origin;
        if (origin != null && (worst == null || origin.from().compareTo(worst) > 0)) {
          target.found().origin = origin.from();
        }
      }
      target.put(cell -> ofCell[cell]);
    }
    read.merge(values <= MOST_EXACT ? Level.RAW : Level.ONE_HOUR, key.to() - key.from(), Long::sum);
  }

  private static int[] ints(Set<Integer> values) {
    return values.stream().mapToInt(Integer::intValue).toArray();
  }
}
