package io.peerlens.learning;

import io.peerlens.baselines.Band;
import io.peerlens.job.Progress;
import io.peerlens.store.Level;
import io.peerlens.store.LevelStates;
import io.peerlens.store.SampleReader;
import io.peerlens.store.SetPart;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Learning of the bands of today and tomorrow of all series that have none yet: tomorrow's once a
 * day, as soon as roll-ups have reached today; today's at a cold start and of what is new.
 *
 * <p>Work goes on block by block, each computed from one query for every few thousand series and
 * stored in one transaction. Whatever kills the process, a block is there whole or not at all, and
 * who goes on computes the same. Memory does not depend on the number of series.
 *
 * <p>Several threads and processes may learn different parts at once. Two that learn the same waste
 * work and harm nothing.
 */
public final class Learning {

  /** Series of one query: their hours take 8 kB each. */
  static final int SERIES_AT_ONCE = 4096;

  /** Series of a block, about: so many bounds of an hour are one row. */
  static final int SERIES_OF_BLOCK = 65_536;

  /** The troubles of so many objects are asked for apart, else those of all of their kind. */
  private static final int FEW_OBJECTS = 500;

  /** Days for which bands are kept, today included. */
  static final int KEPT_DAYS = 8;

  /** So many hours after its end a day is learned from, so that late samples are in. */
  private static final int GRACE_HOURS = 2;

  /** Of so much time one part is rest, so that evaluators and ingest get at the database. */
  private static final int REST = 5;

  private static final long LONGEST_REST = Duration.ofSeconds(5).toNanos();

  private final BandStore store;
  private final SampleReader reader;
  private final LevelStates levels;
  private final ExclusionSource exclusions;
  private final LearningProperties properties;

  private final Map<SetPart, Settled> settled = new ConcurrentHashMap<>();

  Learning(
      BandStore store,
      SampleReader reader,
      LevelStates levels,
      ExclusionSource exclusions,
      LearningProperties properties) {
    this.store = store;
    this.reader = reader;
    this.levels = levels;
    this.exclusions = exclusions;
    this.properties = properties;
  }

  /** Versions as of which nothing was left to do. */
  private record Settled(long setsVersion, List<Long> days) {}

  /**
   * Series of a group that have no band for a day.
   *
   * @param lastBlock as of which they have none
   */
  private record Missing(long day, MetricGroup group, long lastBlock, List<SetRange> ranges) {
    long series() {
      return ranges.stream().mapToLong(SetRange::series).sum();
    }

    /** Their objects if these are few, else null. */
    int @Nullable [] fewObjects() {
      int[] objects =
          ranges.stream().flatMapToInt(range -> Arrays.stream(range.objects())).toArray();
      return objects.length > FEW_OBJECTS ? null : objects;
    }
  }

  /**
   * Figures of a run.
   *
   * @param series how many series were looked at, each for each day
   * @param blocks how many blocks were stored
   */
  public record Result(long series, int blocks) {}

  /**
   * Learns what is missing as of {@code now}; returns early when cancelled. Series that had too
   * little history are looked at again when history was filled in, else on the next day.
   *
   * @param part of which sets
   */
  public Result run(Instant now, Progress progress, SetPart part) {
    if (store.isHistoryAdded(Days.day(now))) {
      lookAgain(now);
    }
    return new Run(progress, part).run(now);
  }

  /** Has series that are not learned yet looked at again by the next run. */
  void lookAgain(Instant now) {
    store.forgetUnlearned(Days.day(now));
    settled.clear();
  }

  /** One call of {@link #run}. */
  private final class Run {
    private final Progress progress;
    private final SetPart part;
    private final SeriesLearner learner;
    private long done;
    private int blocks;

    Run(Progress progress, SetPart part) {
      this.progress = progress;
      this.part = part;
      this.learner =
          new SeriesLearner(reader, exclusions, properties.zone(), properties.historyDays());
    }

    Result run(Instant now) {
      List<Long> days = days(Days.day(now));
      long version = store.setsVersion();
      Settled as = new Settled(version, days);
      if (as.equals(settled.get(part))) {
        return new Result(0, 0);
      }
      List<MetricGroup> groups = store.groups();
      List<Missing> work = new ArrayList<>();
      for (long day : days) {
        Set<Integer> incomplete = store.incomplete(day);
        for (MetricGroup group : groups) {
          if (!incomplete.contains(group.id())) {
            continue;
          }
          long lastBlock = store.lastBlock(group, day);
          List<SetRange> ranges = store.missing(group, day, part);
          if (!ranges.isEmpty()) {
            work.add(new Missing(day, group, lastBlock, ranges));
          }
        }
      }
      progress.total(work.stream().mapToLong(Missing::series).sum());
      boolean all = true;
      for (Missing missing : work) {
        all &= learn(missing);
      }
      store.forgetBefore(Days.day(now) - KEPT_DAYS + 1);
      if (all) {
        settled.put(part, as);
      } else {
        settled.remove(part);
      }
      return new Result(done, blocks);
    }

    /** Whether all of it is stored. */
    private boolean learn(Missing missing) {
      if (progress.cancelled()) {
        return false;
      }
      MetricGroup group = missing.group();
      long day = missing.day();
      progress.detail(
          "%s %s for %s"
              .formatted(
                  group.kind().objectKind(),
                  group.name(),
                  LocalDate.ofInstant(Days.start(day), ZoneOffset.UTC)));
      Exclusions without = learner.exclusions(group, missing.fewObjects(), day, day);
      for (SetRange range : missing.ranges()) {
        int room = Math.max(1, SERIES_OF_BLOCK / range.width());
        for (int from = 0; from < range.size(); from += room) {
          SetRange some = range.part(from, Math.min(range.size(), from + room));
          LearnedBlock block = learn(some, without, day);
          if (block == null || !store.write(block, missing.lastBlock())) {
            return false;
          }
          blocks++;
        }
      }
      return true;
    }

    /** The bands of some sets; null = cancelled on the way. */
    private @Nullable LearnedBlock learn(SetRange range, Exclusions without, long day) {
      LearnedBlock block =
          new LearnedBlock(range.group(), day, range.first(), range.width(), range.size());
      Band[] bands = new Band[range.width()];
      int atOnce = Math.max(1, SERIES_AT_ONCE / range.width());
      for (int from = 0; from < range.size(); from += atOnce) {
        if (progress.cancelled()) {
          return null;
        }
        long start = System.nanoTime();
        SetRange some = range.part(from, Math.min(range.size(), from + atOnce));
        HourCells cells = learner.read(some, without, day, day);
        for (int set = 0; set < some.size(); set++) {
          if (!cells.hasValues(set)) {
            block.addEmpty(some.sets()[set]);
            continue;
          }
          for (int metric = 0; metric < bands.length; metric++) {
            bands[metric] = learner.learn(cells, set, metric, day);
          }
          block.add(some.sets()[set], bands);
        }
        done += some.series();
        progress.done(done);
        rest(System.nanoTime() - start);
      }
      return block;
    }

    /** Today and tomorrow, as far as roll-ups have got for them. */
    private List<Long> days(long today) {
      long rolled = levels.read().rolledUntil(Level.ONE_HOUR);
      List<Long> days = new ArrayList<>();
      if (rolled >= Days.micros(Days.learnedUntil(today))) {
        days.add(today);
      }
      if (rolled >= Days.micros(Days.learnedUntil(today + 1) + GRACE_HOURS)) {
        days.add(today + 1);
      }
      return days;
    }
  }

  private static void rest(long worked) {
    LockSupport.parkNanos(Math.min(LONGEST_REST, worked / (REST - 1)));
  }
}
