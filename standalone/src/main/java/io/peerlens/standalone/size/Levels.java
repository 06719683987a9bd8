package io.peerlens.standalone.size;

import java.util.ArrayList;
import java.util.List;

/** Tables that grow with time: their rows and the bytes of each. */
final class Levels {
  private static final double DAY = 86_400;
  private static final double FIVE_MINUTES = 300;
  private static final double HOUR = 3_600;

  /** Days that learned bounds are kept. */
  private static final int LEARNED_DAYS = 9;

  // When chunks are compressed, and how long they are, as shipped (store: Columnstore; V3, V24,
  // V25).
  private static final double RAW_PACKED_AFTER = 2;
  private static final double FIVE_MINUTES_PACKED_AFTER = 7;
  private static final double HOURS_PACKED_AFTER = 60;
  private static final double FIVE_MINUTES_CHUNK = 7;
  private static final double HOURS_CHUNK = 30;

  private Levels() {}

  /**
   * @param rawChunkDays length of chunks of raw samples
   */
  static List<Level> of(Estate estate, double rawChunkDays) {
    Kept kept = estate.kept();
    double width = estate.metricsPerSet();
    List<Level> levels = new ArrayList<>();
    levels.add(
        new Level(
            "raw samples",
            kept.raw(),
            rawChunkDays,
            estate.rowsPerSecond() * DAY,
            RowBytes.raw(width).plus(Cost.RAW_INDEX.range()),
            Cost.COLUMNSTORE.range().times(width),
            RAW_PACKED_AFTER,
            List.of(Cost.RAW_INDEX, Cost.COLUMNSTORE)));
    int arrays = estate.interval() >= FIVE_MINUTES ? 1 : 4;
    levels.add(
        new Level(
            "roll-ups of 5 min",
            kept.fiveMinutes(),
            FIVE_MINUTES_CHUNK,
            estate.sets() * DAY / Math.max(FIVE_MINUTES, estate.interval()),
            RowBytes.rollUp(width, arrays, 0).plus(Cost.ROLL_UP_INDEX.range()),
            Cost.COLUMNSTORE.range().times(width * arrays),
            FIVE_MINUTES_PACKED_AFTER,
            List.of(Cost.ROLL_UP_INDEX, Cost.COLUMNSTORE)));
    levels.add(hours(estate));
    levels.add(
        new Level(
            "learned bounds",
            LEARNED_DAYS,
            0,
            estate.metrics(),
            Cost.LEARNED_BYTES.range(),
            null,
            0,
            List.of(Cost.LEARNED_BYTES)));
    if (estate.flows() > 0) {
      double flows = estate.flows();
      levels.add(flows("flows by minute", kept.flowMinutes(), 1 / 12.0, flows * 1440));
      levels.add(flows("flows of 5 min", kept.flow5m(), 1, flows * 288));
      levels.add(flows("flows of 1 h", kept.flow1h(), 7, flows * 24));
      levels.add(flows("flows of 1 d", kept.flow1d(), 90, flows));
    }
    return levels;
  }

  private static Level hours(Estate estate) {
    double width = estate.metricsPerSet();
    int arrays = estate.interval() >= HOUR ? 1 : 4;
    Range sketch = sketch(HOUR / estate.interval());
    Range heap =
        new Range(
            RowBytes.rollUp(width, arrays, sketch.low()).low(),
            RowBytes.rollUp(width, arrays, sketch.high()).high());
    return new Level(
        "roll-ups of 1 h",
        estate.kept().hours(),
        HOURS_CHUNK,
        estate.sets() * DAY / Math.max(HOUR, estate.interval()),
        heap.plus(Cost.ROLL_UP_INDEX.range()),
        Cost.COLUMNSTORE.range().times(width * arrays).plus(sketch.times(width)),
        HOURS_PACKED_AFTER,
        List.of(Cost.ROLL_UP_INDEX, Cost.SKETCH_OF_12, Cost.SKETCH_OF_180, Cost.COLUMNSTORE));
  }

  /** Bytes of the sketch of a series and hour, between what was measured by a straight line. */
  static Range sketch(double samples) {
    if (samples <= 1) {
      return Range.of(0);
    }
    Range few = Cost.SKETCH_OF_12.range();
    Range many = Cost.SKETCH_OF_180.range();
    double part = Math.clamp((samples - 12) / (180 - 12), 0, 1);
    return few.times(1 - part).plus(many.times(part));
  }

  private static Level flows(String name, double days, double chunk, double rowsPerDay) {
    Cost cost = name.endsWith("minute") ? Cost.FLOW_MINUTE : Cost.FLOW_SUM;
    return new Level(name, days, chunk, rowsPerDay, cost.range(), null, 0, List.of(cost));
  }
}
