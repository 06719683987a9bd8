package io.peerlens.standalone.size;

import io.peerlens.standalone.size.Job.Grows;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Work that repeats: how much of it one process or part does, and how many cores it keeps busy. */
final class Jobs {
  /** Each measurement ran on a machine of two cores, all of which are counted. */
  private static final int MEASURED_CORES = 2;

  /** Share of what was measured that is planned with, so that there is room to catch up. */
  private static final double PLANNED = 0.5;

  private static final double DAY = 86_400;

  /** Usual interval of ticks (docs/operations.md, "The evaluation loop"). */
  private static final double TICK_INTERVAL = 60;

  /** A tick is to take no more than this share of its interval. */
  private static final double TICK_SHARE = 0.25;

  private static final double BUCKET = 300;
  private static final double PART_OF_LEARNING_HOURS = 6;
  private static final double RESTS_OF_LEARNING = 0.2;

  private static final int MOST_PARTS = 64;
  private static final int ROLL_UP_PARTS = 2;
  private static final int LEARNING_PARTS = 4;
  private static final int SHARDS = 4;

  // The largest that was ever measured, in docs/performance.md.
  private static final double MEASURED_OBJECTS = 100_000;
  private static final double MEASURED_SERIES = 1_000_000;
  private static final double MEASURED_FLOW_RECORDS = 100_000;
  private static final double MEASURED_FLOW_KEYS = 2_600_000;

  private Jobs() {}

  static List<Job> of(Estate estate) {
    List<Job> jobs = new ArrayList<>();
    jobs.add(ingest(estate));
    jobs.add(rollUps(estate));
    jobs.add(evaluation(estate));
    jobs.add(learning(estate));
    if (estate.flows() > 0) {
      jobs.add(flows(estate));
      jobs.add(flowRollUps(estate));
    }
    return jobs;
  }

  /** Values a second, of sets as wide as those that were measured: narrow ones cost more. */
  static double ingestLoad(Estate estate) {
    return Math.max(
        estate.valuesPerSecond(), estate.rowsPerSecond() * Cost.VALUES_OF_A_ROW.range().low());
  }

  private static Job ingest(Estate estate) {
    Range used = Range.of(ingestLoad(estate)).over(Cost.INGEST.range());
    int processes = count(used);
    return new Job(
        "ingest",
        say("%,.0f values/s", estate.valuesPerSecond()),
        used,
        "one process",
        processes,
        true,
        used.times(MEASURED_CORES),
        processes == 1 ? "" : "role ingest: " + processes + " nodes for samples",
        Grows.METRICS,
        used.low() > 1 ? "one process; what several store into one database" : null,
        "values/s over ingest; at least values-of-a-row for a row",
        List.of(Cost.INGEST, Cost.VALUES_OF_A_ROW));
  }

  private static Job rollUps(Estate estate) {
    Range used =
        Range.of(estate.rowsPerSecond())
            .over(Cost.ROLL_UP_ROWS.range())
            .max(Range.of(estate.valuesPerSecond()).over(Cost.ROLL_UP_VALUES.range()));
    int parts = Math.clamp(count(used), ROLL_UP_PARTS, MOST_PARTS);
    return new Job(
        "roll-ups",
        say("%,.0f rows/s", estate.rowsPerSecond()),
        used,
        "one part",
        parts,
        true,
        used.times(MEASURED_CORES),
        setting("peerlens.rollup.parts", parts, ROLL_UP_PARTS),
        Grows.METRICS,
        used.low() > 1 ? "one part; what several do at once" : null,
        "rows/s over roll-up-rows, or values/s over roll-up-values where that is more",
        List.of(Cost.ROLL_UP_ROWS, Cost.ROLL_UP_VALUES));
  }

  private static Job evaluation(Estate estate) {
    Range tick = Cost.TICK.range().times(estate.objects());
    Range used = tick.times(1 / (TICK_INTERVAL * TICK_SHARE));
    return new Job(
        "evaluation",
        "a tick of %s s every %.0f s".formatted(Numbers.range(tick), TICK_INTERVAL),
        used,
        "a quarter of the interval",
        1,
        false,
        tick.times(MEASURED_CORES / TICK_INTERVAL),
        setting("peerlens.evaluation.shards", SHARDS, SHARDS),
        Grows.OBJECTS,
        estate.objects() > MEASURED_OBJECTS ? say("%,.0f objects", MEASURED_OBJECTS) : null,
        "objects x tick over a quarter of 60 s",
        List.of(Cost.TICK));
  }

  private static Job learning(Estate estate) {
    Range seconds = Cost.LEARNING.range().times(estate.metrics());
    int parts =
        Math.clamp(
            (int) Math.ceil(seconds.high() / 3600 / PART_OF_LEARNING_HOURS),
            LEARNING_PARTS,
            MOST_PARTS);
    double working = (1 - RESTS_OF_LEARNING) * estate.metrics() / DAY;
    Range cost = Cost.LEARNING.range();
    return new Job(
        "learning",
        "%s h a day in one part".formatted(Numbers.range(seconds.times(1 / 3600.0))),
        seconds.times(1 / DAY),
        "a day of one part",
        parts,
        true,
        new Range(cost.low() * working, MEASURED_CORES * cost.high() * working),
        setting("peerlens.learning.parts", parts, LEARNING_PARTS),
        Grows.METRICS,
        estate.metrics() > MEASURED_SERIES ? say("%,.0f series", MEASURED_SERIES) : null,
        "metrics x learning over 24 h; parts so that each takes 6 h at most",
        List.of(Cost.LEARNING));
  }

  private static Job flows(Estate estate) {
    double records = estate.flows() / 60.0;
    Range used = Range.of(records).over(Cost.FLOW_RECORDS.range());
    int processes = count(used);
    return new Job(
        "flows",
        say("%,.0f records/s", records),
        used,
        "one process",
        processes,
        true,
        used.times(MEASURED_CORES),
        processes == 1 ? "" : "role ingest: " + processes + " nodes for flows",
        Grows.FLOWS,
        records > MEASURED_FLOW_RECORDS
            ? say("%,.0f records/s as they come", MEASURED_FLOW_RECORDS)
            : null,
        "flows / 60 s over flow-records",
        List.of(Cost.FLOW_RECORDS));
  }

  private static Job flowRollUps(Estate estate) {
    double sums = estate.flows() * 5.0;
    Range seconds = Cost.FLOW_ROLL_UP.range().times(sums);
    Range used = seconds.times(1 / BUCKET);
    return new Job(
        "roll-ups of flows",
        "%s s for a bucket of %.0f s".formatted(Numbers.range(seconds), BUCKET),
        used,
        "one job",
        1,
        false,
        used.times(MEASURED_CORES),
        "",
        Grows.FLOWS,
        estate.flows() > MEASURED_FLOW_KEYS
            ? say("%,.0f keys in a minute", MEASURED_FLOW_KEYS)
            : null,
        "flows x 5 x flow-roll-up over 300 s",
        List.of(Cost.FLOW_ROLL_UP));
  }

  private static int count(Range used) {
    return Math.max(1, (int) Math.min(10_000, Math.ceil(used.high() / PLANNED)));
  }

  private static String setting(String name, int value, int shipped) {
    return name + " = " + value + (value == shipped ? " (as shipped)" : "");
  }

  private static String say(String form, @Nullable Object... values) {
    return String.format(Locale.ROOT, form, values);
  }
}
