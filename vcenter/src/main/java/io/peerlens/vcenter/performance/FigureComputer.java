package io.peerlens.vcenter.performance;

import io.peerlens.vcenter.performance.Figure.OfParts;
import io.peerlens.vcenter.performance.Figure.Own;
import io.peerlens.vcenter.performance.Figure.Window;
import io.peerlens.vcenter.vim.Moref;
import io.peerlens.vcenter.vim.PerfBlock;
import io.peerlens.vcenter.vim.PerfCounter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Computer of {@link Figures} from what a vCenter tells. It remembers five minutes of each object,
 * and for a minute what the parts of an object told, so that one which is late still counts. Both
 * are forgotten when the collector starts anew. Not thread-safe.
 */
public final class FigureComputer {

  private static final long WINDOW_MS = 300_000;
  private static final long PATIENCE_MS = 60_000;

  /** Samples of twenty seconds in five minutes. */
  private static final int SAMPLES_OF_SUM = 15;

  /** With fewer, the highest is not known. */
  private static final int SAMPLES_OF_PEAK = 12;

  private static final Map<String, List<Figure>> BY_TYPE = new HashMap<>();
  private static final Map<String, List<Figure>> BY_PARTS = new HashMap<>();
  private static final Map<Figure, Integer> IDS = new HashMap<>();
  private static final List<PerfCounter> COUNTERS = new ArrayList<>();

  static {
    for (Figure figure : Figures.all()) {
      BY_TYPE.computeIfAbsent(figure.type(), type -> new ArrayList<>()).add(figure);
      if (figure.rule() instanceof OfParts of) {
        BY_PARTS
            .computeIfAbsent(figure.type() + " of " + of.part(), type -> new ArrayList<>())
            .add(figure);
      }
      if (figure.isTold()) {
        int id = -1 - IDS.size();
        IDS.put(figure, id);
        COUNTERS.add(new PerfCounter(id, figure.group(), figure.name(), "", "percent", 1));
      }
    }
  }

  private final Map<Integer, PerfCounter> counters = new HashMap<>();
  private final Map<Integer, String> keys = new HashMap<>();
  private final Map<Moref, Map<Figure, State>> windows = new HashMap<>();
  private final Map<Gathering, TreeMap<Long, Gathered>> gathering = new HashMap<>();
  private final Map<Gathering, Long> given = new HashMap<>();
  private final Map<String, Long> newest = new HashMap<>();

  private static final class State {
    long end = Long.MIN_VALUE;
    int samples;
    double value;
  }

  /** What parts of a type told of an object. */
  private record Gathering(Moref holder, String part) {}

  private static final class Gathered {
    int parts;
    final double[] values;
    final double[] weights;
    final int[] counts;

    Gathered(int figures) {
      values = new double[figures];
      weights = new double[figures];
      counts = new int[figures];
    }
  }

  /** Makes one for a vCenter that has some counters. */
  public FigureComputer(Collection<PerfCounter> all) {
    for (PerfCounter counter : all) {
      counters.put(counter.id(), counter);
      keys.put(counter.id(), Samples.key(counter));
    }
  }

  /**
   * The figures as counters of numbers below zero, whose values are hundredths; for {@link
   * PerfLines}.
   */
  static List<PerfCounter> counters() {
    return COUNTERS;
  }

  /**
   * A block with the figures of its entity added.
   *
   * @param after samples up to this, in milliseconds since 1970, were there before
   */
  public PerfBlock with(PerfBlock block, PerfEntity entity, int intervalSeconds, long after) {
    String type = entity.moref().type();
    List<Figure> figures = BY_TYPE.getOrDefault(type, List.of());
    Samples samples = new Samples(block, counters, keys);
    long[] times = cut(block.times(), intervalSeconds * 1000L, after);
    List<PerfBlock.Series> series = new ArrayList<>(block.series());
    for (Figure figure : figures) {
      Map<String, double[]> computed =
          switch (figure.rule()) {
            case Own own -> own.way().of(samples, entity);
            case Window window -> window(figure, window, samples, times, entity.moref());
            case OfParts parts -> Map.of();
          };
      computed.forEach(
          (instance, values) -> {
            if (!has(samples, figure.key(), instance)) {
              samples.put(figure.key(), instance, values);
              Integer id = IDS.get(figure);
              if (id != null) {
                series.add(new PerfBlock.Series(id, instance, hundredths(values)));
              }
            }
          });
    }
    for (Moref holder : entity.holders()) {
      gather(holder, type, samples, times);
    }
    return new PerfBlock(block.entity(), block.times(), series);
  }

  /** What vCenter itself tells is not computed. */
  private static boolean has(Samples samples, String key, String instance) {
    return instance.isEmpty()
        ? samples.total(key) != null
        : samples.each(key).containsKey(instance);
  }

  /** Times at whole intervals; {@code Long.MIN_VALUE} for what does not count. */
  private static long[] cut(long[] times, long interval, long after) {
    long[] cut = new long[times.length];
    for (int i = 0; i < times.length; i++) {
      long time = Math.floorDiv(times[i], interval) * interval;
      cut[i] = times[i] == Long.MIN_VALUE || time <= after ? Long.MIN_VALUE : time;
    }
    return cut;
  }

  private Map<String, double[]> window(
      Figure figure, Window window, Samples samples, long[] times, Moref moref) {
    double[] values = samples.total(window.of());
    if (values == null) {
      return Map.of();
    }
    State state =
        windows
            .computeIfAbsent(moref, m -> new HashMap<>())
            .computeIfAbsent(figure, f -> new State());
    double[] out = samples.none();
    boolean any = false;
    for (int i = 0; i < times.length; i++) {
      if (times[i] == Long.MIN_VALUE || Double.isNaN(values[i])) {
        continue;
      }
      long end = Math.ceilDiv(times[i], WINDOW_MS) * WINDOW_MS;
      if (end != state.end) {
        state.end = end;
        state.samples = 0;
        state.value = 0;
      }
      state.samples++;
      state.value = window.peak() ? Math.max(state.value, values[i]) : state.value + values[i];
      if (times[i] == end && state.samples >= (window.peak() ? SAMPLES_OF_PEAK : SAMPLES_OF_SUM)) {
        out[i] = state.value;
        any = true;
      }
    }
    return any ? Map.of("", out) : Map.of();
  }

  private void gather(Moref holder, String part, Samples samples, long[] times) {
    List<Figure> figures = ofParts(holder.type(), part);
    if (figures.isEmpty()) {
      return;
    }
    Gathering key = new Gathering(holder, part);
    TreeMap<Long, Gathered> byTime = gathering.computeIfAbsent(key, k -> new TreeMap<>());
    long told = given.getOrDefault(key, Long.MIN_VALUE);
    List<Weighed> weighed = figures.stream().map(f -> Weighed.of(f, samples)).toList();
    for (int i = 0; i < times.length; i++) {
      if (times[i] == Long.MIN_VALUE || (times[i] <= told && !byTime.containsKey(times[i]))) {
        continue;
      }
      newest.merge(part, times[i], Math::max);
      Gathered gathered = byTime.computeIfAbsent(times[i], t -> new Gathered(figures.size()));
      gathered.parts++;
      for (int f = 0; f < figures.size(); f++) {
        weighed.get(f).addTo(gathered, f, i);
      }
    }
  }

  /** The figures of a type of holder that are computed from a type of part. */
  private static List<Figure> ofParts(String holder, String part) {
    return BY_PARTS.getOrDefault(holder + " of " + part, List.of());
  }

  /** Values of a part with their weights. */
  private record Weighed(
      OfParts rule, double @Nullable [] values, List<double[]> weights, boolean complete) {

    static Weighed of(Figure figure, Samples samples) {
      OfParts rule = (OfParts) figure.rule();
      List<double[]> weights = new ArrayList<>();
      for (String weight : rule.weights()) {
        double[] by = samples.total(weight);
        if (by != null) {
          weights.add(by);
        }
      }
      return new Weighed(
          rule, samples.total(rule.of()), weights, weights.size() == rule.weights().size());
    }

    void addTo(Gathered gathered, int figure, int moment) {
      if (values == null || Double.isNaN(values[moment]) || !complete) {
        return;
      }
      double value = values[moment];
      double weight = weights.isEmpty() ? 1 : 0;
      for (double[] by : weights) {
        weight += by[moment];
      }
      if (Double.isNaN(weight)) {
        return;
      }
      gathered.counts[figure]++;
      switch (rule.together()) {
        case SUM -> gathered.values[figure] += value;
        case HIGHEST -> gathered.values[figure] = Math.max(gathered.values[figure], value);
        case SHARE -> gathered.values[figure] += value > rule.bound() ? 1 : 0;
        case MEAN -> {
          gathered.values[figure] += value * weight;
          gathered.weights[figure] += weight;
        }
      }
    }

    static double result(OfParts rule, Gathered gathered, int figure) {
      if (gathered.counts[figure] == 0) {
        return Double.NaN;
      }
      double value = gathered.values[figure];
      return switch (rule.together()) {
        case SUM, HIGHEST -> value;
        case SHARE -> value / gathered.counts[figure] * 100;
        case MEAN -> gathered.weights[figure] == 0 ? 0 : value / gathered.weights[figure];
      };
    }
  }

  /**
   * Figures of objects whose parts have told, to be asked for at the end of a round: the moments
   * that all have told, and those that are a minute old.
   *
   * @param parts all that are read now
   */
  public List<PerfBlock> ofHolders(Collection<PerfEntity> parts) {
    Map<Gathering, Integer> expected = new HashMap<>();
    for (PerfEntity part : parts) {
      for (Moref holder : part.holders()) {
        expected.merge(new Gathering(holder, part.moref().type()), 1, Integer::sum);
      }
    }
    List<PerfBlock> blocks = new ArrayList<>();
    gathering.forEach(
        (key, byTime) -> {
          long old = newest.getOrDefault(key.part, Long.MIN_VALUE) - PATIENCE_MS;
          int all = expected.getOrDefault(key, 0);
          Map<Long, Gathered> ready = new LinkedHashMap<>();
          byTime.forEach(
              (time, gathered) -> {
                if (gathered.parts >= all || time <= old) {
                  ready.put(time, gathered);
                }
              });
          if (!ready.isEmpty()) {
            byTime.keySet().removeAll(ready.keySet());
            ready.keySet().forEach(time -> given.merge(key, time, Math::max));
            blocks.add(block(key, ready));
          }
        });
    gathering.values().removeIf(TreeMap::isEmpty);
    return blocks;
  }

  private static PerfBlock block(Gathering key, Map<Long, Gathered> ready) {
    List<Figure> figures = ofParts(key.holder.type(), key.part);
    long[] times = ready.keySet().stream().mapToLong(Long::longValue).toArray();
    List<PerfBlock.Series> series = new ArrayList<>();
    for (int f = 0; f < figures.size(); f++) {
      Figure figure = figures.get(f);
      double[] values = new double[times.length];
      int i = 0;
      for (Gathered gathered : ready.values()) {
        values[i++] = Weighed.result((OfParts) figure.rule(), gathered, f);
      }
      Integer id = IDS.get(figure);
      if (id != null && Arrays.stream(values).anyMatch(value -> !Double.isNaN(value))) {
        series.add(new PerfBlock.Series(id, "", hundredths(values)));
      }
    }
    return new PerfBlock(key.holder, times, series);
  }

  private static long[] hundredths(double[] values) {
    long[] hundredths = new long[values.length];
    for (int i = 0; i < values.length; i++) {
      hundredths[i] = Double.isNaN(values[i]) ? -1 : Math.round(values[i] * 100);
    }
    return hundredths;
  }

  /** Forgets objects that are not read any more. */
  public void keepOnly(Set<Moref> there) {
    windows.keySet().retainAll(there);
    Set<Moref> holders = new HashSet<>();
    gathering.keySet().forEach(key -> holders.add(key.holder));
    given.keySet().removeIf(key -> !there.contains(key.holder) && !holders.contains(key.holder));
  }
}
