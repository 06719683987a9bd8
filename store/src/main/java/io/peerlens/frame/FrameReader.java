package io.peerlens.frame;

import io.peerlens.frame.Frames.Known;
import io.peerlens.frame.Frames.TooManyValuesException;
import io.peerlens.frame.MetricSets.Sets;
import io.peerlens.store.Coverage;
import io.peerlens.store.Level;
import io.peerlens.store.LevelStates;
import io.peerlens.store.SampleReader;
import io.peerlens.store.SampleRow;
import io.peerlens.store.Segment;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Reader of the newest values before a moment, from roll-ups and raw samples. Thread-safe. */
final class FrameReader {

  static final Set<SampleReader.Part> LAST = Set.of(SampleReader.Part.LAST);

  /** So many sets are read one by one rather than all of their group. */
  static final int FEW = 500;

  private final SampleReader reader;
  private final LevelStates levels;
  private final FrameProperties properties;

  FrameReader(SampleReader reader, LevelStates levels, FrameProperties properties) {
    this.reader = reader;
    this.levels = levels;
    this.properties = properties;
  }

  /**
   * Values of which none is known yet.
   *
   * @throws TooManyValuesException if they are more than {@code frames.most-values}
   */
  LastValues empty(FrameNeeds need, Known known) {
    Sets sets = known.sets().sets(need.group, need.instances);
    int[] positions = need.positionArray();
    long values = (long) sets.ids().length * positions.length;
    if (values > properties.mostValues()) {
      throw new TooManyValuesException(values, properties.mostValues());
    }
    return new LastValues(need.group, need.instances, sets, positions, need.fresh);
  }

  /** Fills in what was newest just before a moment, from the day before it. */
  void readDay(LastValues values, @Nullable Set<String> instances, long before) {
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

  void read(LastValues values, @Nullable Set<String> instances, Segment segment) {
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

  static void tell(LastValues values, SampleRow row, Level level) {
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
}
