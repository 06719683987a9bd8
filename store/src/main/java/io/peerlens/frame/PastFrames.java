package io.peerlens.frame;

import io.peerlens.frame.Frames.Known;
import io.peerlens.frame.Frames.TooManyValuesException;
import io.peerlens.store.Coverage;
import io.peerlens.store.Level;
import io.peerlens.store.LevelStates;
import io.peerlens.store.SampleReader;
import io.peerlens.store.SampleRow;
import io.peerlens.store.Segment;
import io.peerlens.supermetrics.program.Frame;
import io.peerlens.supermetrics.program.Input;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;

/** Past frames: rows are read in stretches and told in the order of time. */
final class PastFrames {

  private static final int TICKS_AT_ONCE = 360;

  private final SampleReader samples;
  private final FrameReader reader;
  private final LevelStates levels;
  private final FrameProperties properties;
  private final Known known;
  private final Set<Input> inputs;
  private final Instant from;
  private final Instant to;
  private final Duration step;

  PastFrames(
      SampleReader samples,
      FrameReader reader,
      LevelStates levels,
      FrameProperties properties,
      Known known,
      Set<Input> inputs,
      Instant from,
      Instant to,
      Duration step) {
    this.samples = samples;
    this.reader = reader;
    this.levels = levels;
    this.properties = properties;
    this.known = known;
    this.inputs = inputs;
    this.from = from;
    this.to = to;
    this.step = step;
  }

  void run(Consumer<Frame> frames) {
    Map<Integer, LastValues> values = new HashMap<>();
    List<Rows> rows = new ArrayList<>();
    long first = Level.micros(from);
    for (FrameNeeds need : FrameNeeds.of(inputs, known)) {
      LastValues of = reader.empty(need, known);
      reader.readDay(of, need.instances, first + 1);
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
      long from = Math.max(segment.from(), first - Math.max(0, segment.level().widthMicros() - 1));
      if (from < segment.to()) {
        segments.add(new Segment(segment.level(), from, segment.to()));
      }
    }
    return segments;
  }

  private Frame frame(Instant tick, Map<Integer, LastValues> values) {
    return new StoredFrame(tick, known, values, properties.metricAge());
  }

  /**
   * Rows of one group, kept until their time comes: a bucket is known at its end, which may be in a
   * later stretch than its start.
   */
  private final class Rows {

    private final FrameNeeds need;
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

    Rows(FrameNeeds need, LastValues values) {
      this.need = need;
      this.values = values;
      this.width = values.positions().length;
      this.numbers = new double[1024 * width];
    }

    void read(Segment segment) {
      Level level = segment.level();
      samples.readGroup(
          level,
          values.group().id(),
          need.instances,
          values.positions(),
          FrameReader.LAST,
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

    /** Forgets the rows that were passed on; those that count after the stretch stay. */
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
