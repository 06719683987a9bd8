package io.peerlens.frame;

import io.peerlens.frame.MetricSets.Group;
import io.peerlens.frame.MetricSets.Sets;
import io.peerlens.ingest.flow.FlowMetric;
import io.peerlens.ingest.flow.FlowPart;
import io.peerlens.store.Coverage;
import io.peerlens.store.Level;
import io.peerlens.store.LevelStates;
import io.peerlens.store.SampleReader;
import io.peerlens.store.SampleRow;
import io.peerlens.store.Segment;
import io.peerlens.supermetrics.formula.ObjectKind;
import io.peerlens.supermetrics.program.Frame;
import io.peerlens.supermetrics.program.Input;
import io.peerlens.supermetrics.program.ObjectGraph;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * Reads frames: what was newest at a moment. The last value of a metric counts up to {@code
 * frames.metric-age}, as in vROps; a property counts as it is now, also for a past moment, and so
 * do relations.
 *
 * <p>A frame of one moment reads the day before it: roll-ups as far as there are any, then raw
 * samples. When a value of a bucket was sampled is then looked up in what is finer, so that a frame
 * from scratch knows the same age of a silent metric as one that goes on. {@link Live} goes on from
 * the frame before and reads only what came since, one query for each kind and group.
 *
 * <p>Thread-safe, but for {@link Live}.
 */
public final class Frames {

  private static final Set<SampleReader.Part> LAST = Set.of(SampleReader.Part.LAST);
  private static final String VERSIONS = "select version, sets_version from inventory_version";
  private static final String DELAYS =
      """
      select o.adapter_kind, o.object_kind,
             coalesce(percentile_disc(0.98) within group (order by l.delay_s), 0)
      from object o join object_liveness l on l.object_id = o.id
      where l.last_seen > now() - interval '1 hour'
      group by 1, 2
      """;

  /** Samples that come later than this are seen by frames only once they are rolled up. */
  private static final Duration LONGEST_DELAY = Duration.ofHours(1);

  private static final Duration LEAST_LOOK_BACK = Duration.ofMinutes(2);
  private static final long SECOND = 1_000_000;

  /** Over so long the rows of sets are counted, to learn how often they report. */
  private static final long COUNTED = 300 * SECOND;

  /** So many sets are read one by one rather than all of their group. */
  private static final int FEW = 500;

  private static final Duration DELAYS_HOLD = Duration.ofMinutes(5);

  private final JdbcClient jdbc;
  private final SampleReader reader;
  private final LevelStates levels;
  private final FrameProperties properties;
  private final Duration flowAge;

  private @Nullable Inventory inventory;
  private @Nullable MetricSets metricSets;

  /**
   * @param flowAge how old a sample that is made of flows may be when it comes
   */
  public Frames(
      JdbcClient jdbc,
      SampleReader reader,
      LevelStates levels,
      FrameProperties properties,
      Duration flowAge) {
    this.jdbc = jdbc;
    this.reader = reader;
    this.levels = levels;
    this.properties = properties;
    this.flowAge = flowAge;
  }

  /** The inventory and the sets that belong together. */
  record Known(Inventory inventory, MetricSets sets) {}

  /** What is known now; read anew if it has changed. */
  synchronized Known known() {
    long[] versions =
        jdbc.sql(VERSIONS)
            .query((row, number) -> new long[] {row.getLong(1), row.getLong(2)})
            .single();
    Inventory objects = inventory;
    MetricSets sets = metricSets;
    if (objects == null || objects.version() != versions[0]) {
      objects = Inventory.read(versions[0], jdbc);
      sets = null;
    }
    if (sets == null || sets.version() != versions[1]) {
      sets = MetricSets.read(versions[1], objects, jdbc);
    }
    inventory = objects;
    metricSets = sets;
    return new Known(objects, sets);
  }

  /** The objects and relations as they are now. */
  public ObjectGraph objects() {
    return known().inventory().graph();
  }

  /**
   * The metric sets that hold the values of a key, as they are known now.
   *
   * @param key of an aggregate or of one instance
   * @param allInstances the instance that the key names is passed over, and the sets are those of
   *     all instances
   * @return null = no metric has this key
   */
  public @Nullable KeySets keySets(ObjectKind kind, String key, boolean allInstances) {
    Known known = known();
    for (Keyed keyed : Keyed.find(kind, key, false, known)) {
      Group group = keyed.group();
      String instance = keyed.instance();
      if (group != null && instance != null) {
        return KeySets.of(
            group,
            keyed.position(),
            known.sets().sets(group, allInstances ? null : Set.of(instance)),
            known.inventory().graph());
      }
    }
    return null;
  }

  /** A frame of one moment. */
  public Frame load(Set<Input> inputs, Instant tick) {
    return new Live().load(inputs, tick);
  }

  /**
   * Frames of many moments, oldest first. Each is valid during the call only.
   *
   * @param from first moment
   * @param to moments are before this
   * @param step from one moment to the next
   * @throws TooManyValuesException if more would have to be read than {@code frames.most-values}
   */
  public void each(
      Set<Input> inputs, Instant from, Instant to, Duration step, Consumer<Frame> frames) {
    new Range(inputs, from, to, step).run(frames);
  }

  /** A frame would hold more values than allowed. */
  public static final class TooManyValuesException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    TooManyValuesException(long values, int most) {
      super(
          "About %,d values would have to be read, %,d are allowed: shorten the time range, widen the step or choose fewer objects."
              .formatted(values, most));
    }
  }

  // What to read
  // ------------------------------------------------------------------------------------

  /** The sets and positions of one group that inputs need. */
  private static final class Need {
    final Group group;
    final TreeSet<Integer> positions = new TreeSet<>();
    @Nullable Set<String> instances = new HashSet<>(); // null = all
    boolean fresh;
    boolean flows; // whether metrics that are made of flows are among them

    Need(Group group) {
      this.group = group;
    }

    int[] positionArray() {
      return positions.stream().mapToInt(Integer::intValue).toArray();
    }
  }

  private static List<Need> needs(Set<Input> inputs, Known known) {
    Map<Integer, Need> needs = new HashMap<>();
    for (Input input : inputs) {
      for (ObjectKind kind : kinds(input.kind(), known.inventory().graph())) {
        for (Keyed keyed : Keyed.find(kind, input.key(), input.attribute(), known)) {
          Group group = keyed.group();
          if (group == null) {
            continue;
          }
          Need need = needs.computeIfAbsent(group.id(), id -> new Need(group));
          need.positions.add(keyed.position());
          need.fresh |= input.fresh();
          need.flows |= isFlow(keyed, group);
          Set<String> instances = need.instances;
          if (keyed.instance() == null) {
            need.instances = null;
          } else if (instances != null) {
            instances.add(keyed.instance());
          }
        }
      }
    }
    return List.copyOf(needs.values());
  }

  private static boolean isFlow(Keyed keyed, Group group) {
    return group.name().equals(FlowPart.GROUP)
        && FlowMetric.names().contains(keyed.metric())
        && (keyed.instance() == null || FlowPart.isFlow(keyed.instance()));
  }

  private static List<ObjectKind> kinds(ObjectKind kind, ObjectGraph graph) {
    return kind.isEvery()
        ? graph.kinds().stream()
            .filter(one -> one.adapterKind().equals(kind.adapterKind()))
            .toList()
        : List.of(kind);
  }

  private LastValues empty(Need need, Known known) {
    Sets sets = known.sets().sets(need.group, need.instances);
    int[] positions = need.positionArray();
    long values = (long) sets.ids().length * positions.length;
    if (values > properties.mostValues()) {
      throw new TooManyValuesException(values, properties.mostValues());
    }
    return new LastValues(need.group, need.instances, sets, positions, need.fresh);
  }

  /** Fills in what was newest just before a moment, from the day before it. */
  private void readDay(LastValues values, @Nullable Set<String> instances, long before) {
    long age = properties.metricAge().toMillis() * 1000;
    Coverage coverage = levels.read();
    long from = Level.ONE_HOUR.floor(before - age);
    for (Segment segment : coverage.plan(Level.ONE_HOUR, from, before)) {
      // A bucket that has begun before, and ends later, is not known yet.
      read(values, instances, segment, before - segment.level().widthMicros());
    }
    for (Level level : List.of(Level.ONE_HOUR, Level.FIVE_MINUTES)) {
      values
          .inBuckets(level)
          .forEach((begin, bucket) -> refine(values, instances, bucket, coverage));
    }
  }

  /** Looks up in finer samples, if they are still there, when in a bucket its last values were. */
  private void refine(
      LastValues values,
      @Nullable Set<String> instances,
      LastValues.Bucket bucket,
      Coverage coverage) {
    Level finer = Objects.requireNonNull(bucket.level().source());
    if (!coverage.isKept(finer, bucket.begin())) {
      return;
    }
    bucket.open();
    SampleReader.RowHandler handler =
        row -> {
          int place = values.sets().place(row.setId());
          if (place >= 0 && bucket.holds(place)) {
            tellValues(values, place, row, finer);
          }
        };
    int[] sets = bucket.sets();
    long end = bucket.begin() + bucket.level().widthMicros();
    if (sets.length > FEW) {
      reader.readGroup(
          finer,
          values.group().id(),
          instances,
          values.positions(),
          LAST,
          bucket.begin(),
          end,
          handler);
    } else {
      reader.read(finer, sets, values.positions(), LAST, bucket.begin(), end, handler);
    }
    bucket.close();
  }

  private void read(LastValues values, @Nullable Set<String> instances, Segment segment) {
    read(values, instances, segment, Long.MAX_VALUE);
  }

  /**
   * @param last rows after this are passed over
   */
  private void read(
      LastValues values, @Nullable Set<String> instances, Segment segment, long last) {
    Level level = segment.level();
    reader.readGroup(
        level,
        values.group().id(),
        instances,
        values.positions(),
        LAST,
        segment.from(),
        Math.min(segment.to(), last == Long.MAX_VALUE ? last : last + 1),
        row -> tell(values, row, level));
  }

  private static void tell(LastValues values, SampleRow row, Level level) {
    int place = values.sets().place(row.setId());
    if (place < 0) {
      return; // a set that was made just now
    }
    tellValues(values, place, row, level);
    if (level == Level.RAW) {
      values.tellPoint(place, row.time());
    }
  }

  private static void tellValues(LastValues values, int place, SampleRow row, Level level) {
    // the last value of a bucket is known at its end
    long time = row.time() + Math.max(0, level.widthMicros() - 1);
    for (int i = 0; i < values.positions().length; i++) {
      values.tell(i, place, time, row.last(i));
    }
  }

  /** Frames of moments that follow one another. Not thread-safe. */
  public final class Live {

    private final Map<Integer, LastValues> byGroup = new HashMap<>();
    private long at = Long.MIN_VALUE;
    private Map<ObjectKind, Long> delays = Map.of();
    private long delaysRead = Long.MIN_VALUE;
    private final Map<Integer, Long> spacings = new HashMap<>();

    /** The frame of a moment; quick if it is soon after the one before. */
    public Frame load(Set<Input> inputs, Instant tick) {
      Known known = known();
      long now = Level.micros(tick);
      boolean goesOn = now >= at && now - at <= LONGEST_DELAY.toMillis() * 1000;
      Map<Integer, LastValues> loaded = new HashMap<>();
      for (Need need : needs(inputs, known)) {
        LastValues values = byGroup.get(need.group.id());
        if (goesOn
            && values != null
            && values.serves(need.instances, need.positionArray(), need.fresh)) {
          values = sameSets(values, need, known);
          readSince(values, need, at - lookBack(need, tick), now);
        } else {
          values = empty(need, known);
          values.countFrom(now - COUNTED);
          readDay(values, need.instances, now + 1);
          spacings.put(need.group.id(), values.spacing(now));
        }
        loaded.put(need.group.id(), values);
      }
      byGroup.clear();
      byGroup.putAll(loaded);
      at = now;
      return new StoredFrame(tick, known, Map.copyOf(loaded), properties.metricAge());
    }

    /** Goes on with the sets that there are now; new ones have no past worth a long look. */
    private LastValues sameSets(LastValues before, Need need, Known known) {
      if (before.sets() == known.sets().sets(need.group, need.instances)) {
        return before;
      }
      LastValues values = empty(need, known);
      int[] unknown = values.adopt(before);
      reader.read(
          Level.RAW,
          unknown,
          values.positions(),
          LAST,
          at - LONGEST_DELAY.toMillis() * 1000,
          at + 1,
          row -> tell(values, row, Level.RAW));
      return values;
    }

    /**
     * Reads what came since the last moment. Of sets that all report at one interval, only the last
     * interval is read, and what is before it only of those that lack a value in it.
     */
    private void readSince(LastValues values, Need need, long since, long now) {
      long spacing = spacings.getOrDefault(need.group.id(), 0L);
      long last = now - spacing - spacing / 4 - SECOND;
      if (spacing == 0 || last <= since) {
        read(values, need.instances, new Segment(Level.RAW, since, now + 1));
        return;
      }
      read(values, need.instances, new Segment(Level.RAW, last, now + 1));
      int[] missing = values.notNewer(last - 1);
      if (missing.length > FEW && missing.length * 4 > values.sets().ids().length) {
        read(values, need.instances, new Segment(Level.RAW, since, last));
      } else if (missing.length > 0) {
        reader.read(
            Level.RAW,
            missing,
            values.positions(),
            LAST,
            since,
            last,
            row -> tell(values, row, Level.RAW));
      }
    }

    /** How long before the last moment samples may have been that came in since. */
    private long lookBack(Need need, Instant tick) {
      long now = tick.toEpochMilli();
      if (now - delaysRead > DELAYS_HOLD.toMillis()) {
        Map<ObjectKind, Long> read = new HashMap<>();
        jdbc.sql(DELAYS)
            .query(
                row -> {
                  read.put(new ObjectKind(row.getString(1), row.getString(2)), row.getLong(3));
                });
        delays = read;
        delaysRead = now;
      }
      long delay = delays.getOrDefault(need.group.kind(), 0L) * 1_000_000;
      if (need.flows) {
        delay = Math.max(delay, flowAge.toMillis() * 1000);
      }
      long least = LEAST_LOOK_BACK.toMillis() * 1000;
      return Math.min(LONGEST_DELAY.toMillis() * 1000, delay + least);
    }
  }

  /** Goes through the past: rows are read in stretches and told in the order of time. */
  private final class Range {

    private static final int TICKS_AT_ONCE = 360;

    private final Set<Input> inputs;
    private final Instant from;
    private final Instant to;
    private final Duration step;
    private final Known known = known();

    Range(Set<Input> inputs, Instant from, Instant to, Duration step) {
      this.inputs = inputs;
      this.from = from;
      this.to = to;
      this.step = step;
    }

    void run(Consumer<Frame> frames) {
      List<Need> needs = needs(inputs, known);
      Map<Integer, LastValues> values = new HashMap<>();
      List<Rows> rows = new ArrayList<>();
      long first = Level.micros(from);
      for (Need need : needs) {
        LastValues of = empty(need, known);
        readDay(of, need.instances, first + 1);
        values.put(need.group.id(), of);
        rows.add(new Rows(need, of));
      }
      Level preferred = Level.RAW;
      for (Level level : List.of(Level.FIVE_MINUTES, Level.ONE_HOUR)) {
        if (step.compareTo(level.width()) >= 0) {
          preferred = level;
        }
      }
      frames.accept(frame(from, values));
      for (Instant begin = from; begin.isBefore(to); begin = begin.plus(stretch())) {
        stretch(begin, rows, values, preferred, frames);
      }
    }

    private Duration stretch() {
      return step.multipliedBy(TICKS_AT_ONCE);
    }

    private void stretch(
        Instant begin,
        List<Rows> rows,
        Map<Integer, LastValues> values,
        Level preferred,
        Consumer<Frame> frames) {
      Instant end = begin.plus(stretch()).isBefore(to) ? begin.plus(stretch()) : to;
      List<Instant> ticks = new ArrayList<>();
      for (Instant tick = begin.plus(step);
          !tick.isAfter(end) && tick.isBefore(to);
          tick = tick.plus(step)) {
        ticks.add(tick);
      }
      Coverage coverage = levels.read();
      long first = Level.micros(begin) + 1;
      List<Segment> segments =
          begin.equals(from)
              ? andWhatHasBegun(coverage, preferred, first, Level.micros(end) + 1)
              : coverage.plan(preferred, first, Level.micros(end) + 1);
      for (Rows told : rows) {
        segments.forEach(told::read);
        told.sort(Level.micros(begin), step.toNanos() / 1000, ticks.size());
      }
      for (int i = 0; i < ticks.size(); i++) {
        for (Rows told : rows) {
          told.tell(i);
        }
        frames.accept(frame(ticks.get(i), values));
      }
      rows.forEach(Rows::keepLater);
    }

    /** With the buckets that begin before the first moment and end after it. */
    private static List<Segment> andWhatHasBegun(
        Coverage coverage, Level preferred, long first, long end) {
      List<Segment> segments = new ArrayList<>();
      for (Segment segment : coverage.plan(preferred, first - Level.ONE_HOUR.widthMicros(), end)) {
        long from =
            Math.max(segment.from(), first - Math.max(0, segment.level().widthMicros() - 1));
        if (from < segment.to()) {
          segments.add(new Segment(segment.level(), from, segment.to()));
        }
      }
      return segments;
    }

    private Frame frame(Instant tick, Map<Integer, LastValues> values) {
      return new StoredFrame(tick, known, values, properties.metricAge());
    }
  }

  /**
   * Rows of one group, kept until their time comes: a bucket is known at its end, which may be in a
   * later stretch than its start.
   */
  private final class Rows {

    private final Need need;
    private final LastValues values;
    private final int width;
    private int count;
    private long[] times = new long[1024];
    private int[] places = new int[1024];
    private boolean[] raw = new boolean[1024];
    private double[] numbers;

    /** Rows by the tick from which they count. */
    private int[] order = {};

    /** Where the rows of each tick of a stretch start in the order; at last where later ones do. */
    private int[] starts = {0};

    Rows(Need need, LastValues values) {
      this.need = need;
      this.values = values;
      this.width = values.positions().length;
      this.numbers = new double[1024 * width];
    }

    void read(Segment segment) {
      Level level = segment.level();
      reader.readGroup(
          level,
          values.group().id(),
          need.instances,
          values.positions(),
          LAST,
          segment.from(),
          segment.to(),
          row -> add(row, level));
    }

    private void add(SampleRow row, Level level) {
      int place = values.sets().place(row.setId());
      if (place < 0) {
        return;
      }
      if (count == times.length) {
        if ((long) count * width > properties.mostValues()) {
          throw new TooManyValuesException((long) count * width * 2, properties.mostValues());
        }
        times = Arrays.copyOf(times, count * 2);
        places = Arrays.copyOf(places, count * 2);
        raw = Arrays.copyOf(raw, count * 2);
        numbers = Arrays.copyOf(numbers, count * 2 * width);
      }
      times[count] = row.time() + Math.max(0, level.widthMicros() - 1);
      places[count] = place;
      raw[count] = level == Level.RAW;
      for (int i = 0; i < width; i++) {
        numbers[count * width + i] = row.last(i);
      }
      count++;
    }

    /**
     * Sorts the rows by the tick of a stretch from which they count. Their order within a tick does
     * not matter.
     *
     * @param begin one step before the first tick, in microseconds
     * @param step in microseconds
     */
    void sort(long begin, long step, int ticks) {
      int[] tickOf = new int[count];
      starts = new int[ticks + 2];
      for (int row = 0; row < count; row++) {
        long tick = Math.max(0, Math.ceilDiv(times[row] - begin, step) - 1);
        tickOf[row] = (int) Math.min(ticks, tick);
        starts[tickOf[row] + 1]++;
      }
      for (int tick = 0; tick <= ticks; tick++) {
        starts[tick + 1] += starts[tick];
      }
      order = new int[count];
      int[] next = starts.clone();
      for (int row = 0; row < count; row++) {
        order[next[tickOf[row]]++] = row;
      }
    }

    /** Tells the rows that count from a tick on. */
    void tell(int tick) {
      for (int at = starts[tick]; at < starts[tick + 1]; at++) {
        int row = order[at];
        for (int i = 0; i < width; i++) {
          values.tell(i, places[row], times[row], numbers[row * width + i]);
        }
        if (raw[row]) {
          values.tellPoint(places[row], times[row]);
        }
      }
    }

    /** Forgets the rows that were told; those that count after the stretch stay. */
    void keepLater() {
      int kept = 0;
      for (int at = starts[starts.length - 2]; at < count; at++, kept++) {
        int row = order[at]; // rows of a tick are in their order, so none is overwritten too early
        times[kept] = times[row];
        places[kept] = places[row];
        raw[kept] = raw[row];
        System.arraycopy(numbers, row * width, numbers, kept * width, width);
      }
      count = kept;
    }
  }
}
