package io.peerlens.standalone.size;

import io.peerlens.standalone.size.Level.Engine;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** What makes a {@link Plan} smaller, or spreads it. */
final class Advice {
  private static final double MANY_BYTES = 1e11;
  private static final double WIDE_SET = 25;
  private static final double FIVE_MINUTES = 300;

  private Advice() {}

  static List<String> of(
      Estate estate, List<Level> levels, List<Job> jobs, Plan.Machines machines) {
    List<String> advice = new ArrayList<>();
    Range rows = disk(levels, Engine.TIMESCALE);
    Range packed = disk(levels, Engine.COLUMNSTORE);
    if (rows.high() > MANY_BYTES && packed.high() < 0.8 * rows.high()) {
      advice.add(
          "TimescaleDB's community edition has the columnstore: %s in place of %s. It is on by itself where the licence has it."
              .formatted(Numbers.bytes(packed), Numbers.bytes(rows)));
    }
    Kept kept = estate.kept();
    Level fine = levels.get(1);
    if (estate.interval() >= FIVE_MINUTES
        && kept.fiveMinutes() > kept.raw()
        && fine.rows().high() > MANY_BYTES / 10) {
      advice.add(
          "With a sample every %s s, roll-ups of 5 min are copies of the samples. Kept for %s days, as raw samples are, they take %s less (Settings, Retention); charts of older times then show hours."
              .formatted(
                  Numbers.number(estate.interval()),
                  Numbers.number(kept.raw()),
                  Numbers.bytes(fine.rows().times(1 - kept.raw() / kept.fiveMinutes()))));
    }
    if (estate.metricsPerSet() < WIDE_SET && rows.high() > MANY_BYTES) {
      Estate wide =
          new Estate(
              estate.objects(),
              estate.metrics(),
              estate.interval(),
              estate.flows(),
              WIDE_SET,
              kept);
      Range other = disk(Levels.of(wide, machines.chunkHours() / 24.0), Engine.TIMESCALE);
      advice.add(
          "Collectors that send %s metrics of an object together, in one set, in place of %s: %s without the columnstore."
              .formatted(
                  Numbers.number(WIDE_SET),
                  Numbers.number(estate.metricsPerSet()),
                  Numbers.bytes(other)));
    }
    if (machines.chunkHours() < 24) {
      advice.add(
          "On TimescaleDB, chunks of raw samples are made shorter by themselves, about %d h, so that the index of the newest stays in memory; peerlens.chunks.raw sets a length."
              .formatted(machines.chunkHours()));
    }
    for (Job job : jobs) {
      if (job.used().high() > 1 && !job.spread()) {
        advice.add(unspread(job));
      }
    }
    if (machines.cells() > 1) {
      advice.add(
          String.format(
              Locale.ROOT,
              "More than the largest machine that is planned with (%d cores, %s, %s of disk): %d installations, each for some of the vCenters, or shorter retention.",
              Planner.LARGEST_CORES,
              Numbers.bytes(Planner.LARGEST_MEMORY),
              Numbers.bytes(Planner.LARGEST_DISK),
              machines.cells()));
    }
    return List.copyOf(advice);
  }

  private static Range disk(List<Level> levels, Engine engine) {
    return levels.stream().map(level -> level.disk(engine)).reduce(Range.of(0), Range::plus);
  }

  private static String unspread(Job job) {
    return job.growsWith() == Job.Grows.FLOWS
        ? "Roll-ups of flows are one job: fewer observers of the same traffic, or sampling in the exporters, until a bucket takes less than its 5 min."
        : "Rules over objects of one kind stay in one shard: longer intervals of super metrics and thresholds, or fewer of them, until a tick takes less than a quarter of its interval.";
  }
}
