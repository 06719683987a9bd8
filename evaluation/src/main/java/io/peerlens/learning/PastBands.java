package io.peerlens.learning;

import io.peerlens.frame.Frames;
import io.peerlens.frame.KeySets;
import io.peerlens.learning.BandQueries.StoredBlock;
import io.peerlens.learning.Ranges.Located;
import io.peerlens.learning.Ranges.Places;
import io.peerlens.store.SampleReader;
import io.peerlens.supermetrics.formula.ObjectKind;
import io.peerlens.supermetrics.program.Instances;
import io.peerlens.supermetrics.program.ObjectGraph;
import java.time.Instant;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Bounds of past and future times: as they were stored where they still are, else computed from
 * stored hours as they would have been. Thread-safe.
 */
public final class PastBands {

  /** Hours of so many series and days of learning are held at once. */
  private static final int CELLS_AT_ONCE = Learning.SERIES_AT_ONCE * 28 * Days.HOURS;

  private final Frames frames;
  private final BandQueries queries;
  private final BandStore store;
  private final SampleReader reader;
  private final ExclusionSource exclusions;
  private final LearningProperties properties;

  PastBands(
      Frames frames,
      BandQueries queries,
      BandStore store,
      SampleReader reader,
      ExclusionSource exclusions,
      LearningProperties properties) {
    this.frames = frames;
    this.queries = queries;
    this.store = store;
    this.reader = reader;
    this.exclusions = exclusions;
    this.properties = properties;
  }

  /**
   * Bounds of some objects over a stretch of time. Those of a metric are found out when they are
   * first asked for, of the whole stretch.
   *
   * @param from inclusive; outside of the stretch nothing is known
   * @param to exclusive
   * @param objects which objects are wanted, by id within the database
   */
  public LearnedBands during(Instant from, Instant to, IntPredicate objects) {
    return new Stretch(from, to, objects);
  }

  /**
   * Bounds of a metric of some objects on the days that a stretch of time lies in.
   *
   * @param allInstances whether those of all instances are wanted, whatever the key names
   * @return null = no metric has this key
   */
  @Nullable PastBounds read(
      ObjectKind kind,
      String key,
      boolean allInstances,
      IntPredicate objects,
      Instant from,
      Instant to) {
    KeySets all = frames.keySets(kind, key, allInstances);
    if (all == null) {
      return null;
    }
    KeySets sets = some(all, objects);
    long firstDay = Days.day(from);
    int days = (int) (Days.day(to.minusMillis(1)) - firstDay) + 1;
    PastBounds bounds = new PastBounds(sets, firstDay, Math.max(1, days));
    if (sets.sets().length > 0) {
      readStored(bounds, firstDay, firstDay + days - 1);
      compute(bounds, firstDay, firstDay + days - 1);
    }
    return bounds;
  }

  private static KeySets some(KeySets all, IntPredicate objects) {
    int[] places =
        IntStream.range(0, all.sets().length).filter(i -> objects.test(all.objects()[i])).toArray();
    return new KeySets(
        all.group(),
        all.position(),
        Arrays.stream(places).map(i -> all.sets()[i]).toArray(),
        Arrays.stream(places).map(i -> all.objects()[i]).toArray(),
        Arrays.stream(places).mapToObj(i -> all.instances()[i]).toArray(String[]::new));
  }

  private void readStored(PastBounds bounds, long firstDay, long lastDay) {
    KeySets sets = bounds.sets();
    List<StoredBlock> blocks =
        queries.blocks(sets.group(), sets.position(), firstDay, lastDay, sets.sets());
    Map<Long, StoredBlock> byId = HashMap.newHashMap(blocks.size());
    for (StoredBlock block : blocks) {
      byId.put(block.id(), block);
      for (int set = 0; set < sets.sets().length; set++) {
        int at = Arrays.binarySearch(block.sets(), sets.sets()[set]);
        if (at >= 0) {
          bounds.put(block.day(), set, block.spread()[at], block.states()[at], block.days()[at]);
        } else if (Arrays.binarySearch(block.empty(), sets.sets()[set]) >= 0) {
          bounds.putNothing(block.day(), set);
        }
      }
    }
    queries.bands(
        blocks,
        sets.position(),
        (id, hour, lower, upper) -> {
          StoredBlock block = byId.get(id);
          for (int set = 0; block != null && set < sets.sets().length; set++) {
            int at = Arrays.binarySearch(block.sets(), sets.sets()[set]);
            if (at >= 0) {
              bounds.put(block.day(), hour, set, lower[at], upper[at]);
            }
          }
        });
  }

  private void compute(PastBounds bounds, long firstDay, long lastDay) {
    KeySets sets = bounds.sets();
    int[] unknown =
        IntStream.range(0, sets.sets().length)
            .filter(
                set -> {
                  for (long day = firstDay; day <= lastDay; day++) {
                    if (!bounds.isKnown(day, set)) {
                      return true;
                    }
                  }
                  return false;
                })
            .toArray();
    if (unknown.length == 0) {
      return;
    }
    MetricGroup group = store.group(sets.group());
    SeriesLearner learner =
        new SeriesLearner(reader, exclusions, properties.zone(), properties.historyDays());
    int[] objects = Arrays.stream(unknown).map(i -> sets.objects()[i]).toArray();
    Exclusions without = learner.exclusions(group, objects, firstDay, lastDay);
    int hours = (int) (lastDay - firstDay + properties.historyDays()) * Days.HOURS;
    int atOnce = Math.max(1, CELLS_AT_ONCE / hours);
    for (int from = 0; from < unknown.length; from += atOnce) {
      int[] part = Arrays.copyOfRange(unknown, from, Math.min(unknown.length, from + atOnce));
      SetRange range =
          new SetRange(
              group,
              Arrays.stream(part).map(i -> sets.sets()[i]).toArray(),
              Arrays.stream(part).map(i -> sets.objects()[i]).toArray(),
              Arrays.stream(part).mapToObj(i -> sets.instances()[i]).toArray(String[]::new),
              sets.position(),
              1);
      HourCells cells = learner.read(range, without, firstDay, lastDay);
      for (int i = 0; i < part.length; i++) {
        for (long day = firstDay; day <= lastDay; day++) {
          if (!bounds.isKnown(day, part[i])) {
            bounds.put(day, part[i], learner.learn(cells, i, 0, day));
          }
        }
      }
    }
  }

  /** Bounds over a stretch of time; for one thread. */
  private final class Stretch implements LearnedBands {
    private final Instant from;
    private final Instant to;
    private final IntPredicate objects;
    private final Map<Key, Optional<Known>> known = new HashMap<>();

    Stretch(Instant from, Instant to, IntPredicate objects) {
      this.from = from;
      this.to = to;
      this.objects = objects;
    }

    private record Key(ObjectKind kind, String key, boolean allInstances) {}

    /** Bounds of a metric, and where those of each instance are. */
    private final class Known {
      private final PastBounds bounds;
      private final Places places;
      private long hour = Long.MIN_VALUE;
      private @Nullable ObjectGraph graph;
      private @Nullable LearnedRange range;

      Known(PastBounds bounds) {
        this.bounds = bounds;
        this.places = new Places(bounds.sets());
      }

      LearnedRange range(ObjectKind kind, ObjectGraph of, long at) {
        LearnedRange present = range;
        if (present == null || hour != at || graph != of) {
          present = Ranges.ofObjects(bounds.sets(), bounds.at(at), kind, of);
          range = present;
          hour = at;
          graph = of;
        }
        return present;
      }
    }

    private @Nullable Known known(Key key) {
      return known
          .computeIfAbsent(
              key,
              k ->
                  Optional.ofNullable(
                          read(key.kind(), key.key(), key.allInstances(), objects, from, to))
                      .filter(bounds -> bounds.sets().sets().length > 0)
                      .map(Known::new))
          .orElse(null);
    }

    @Override
    public @Nullable LearnedRange at(ObjectKind kind, String key, ObjectGraph graph, long millis) {
      Known of = known(new Key(kind, key, false));
      return of == null ? null : of.range(kind, graph, Days.hour(millis));
    }

    @Override
    public @Nullable LearnedRange at(
        ObjectKind kind, Instances instances, ObjectGraph graph, long millis) {
      long hour = Days.hour(millis);
      return Ranges.ofInstances(
          kind,
          instances,
          graph,
          key -> {
            Known of = known(new Key(kind, key, true));
            return of == null ? null : new Located(of.places, of.bounds.at(hour));
          });
    }
  }
}
