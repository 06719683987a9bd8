package io.peerlens.learning;

import io.peerlens.learning.LearningQueries.Known;
import io.peerlens.learning.ObjectScorer.Period;
import io.peerlens.learning.UnusualPeriodStore.Carrier;
import io.peerlens.learning.UnusualPeriodStore.Unusual;
import io.peerlens.supermetrics.program.ObjectGraph;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Anomaly scores of all objects, five minutes after five minutes. An object is scored once its
 * scorer has learned from its stored history, which happens in the background: some seconds of each
 * run. Scorers are kept in memory, in an eighth of the heap at most; objects for which there is no
 * room have no score. Not thread-safe.
 */
final class RunningScores {

  private static final Logger log = LoggerFactory.getLogger(RunningScores.class);

  private static final int SHARE_OF_HEAP = 8;

  /** In a run it is found out for so many objects when their metrics began. */
  private static final int MOST_DESCRIBED = 30;

  /** New objects and metrics are looked for so often. */
  private static final Duration LOOK = Duration.ofMinutes(10);

  /** What was missed for longer is learned anew from history. */
  private static final Duration MOST_MISSED = Duration.ofHours(1);

  private final LearningQueries queries;
  private final AnomalyScores history;
  private final UnusualPeriodStore periods;
  private final int mostMetrics;
  private final Map<Integer, Scored> scored = new HashMap<>();
  private List<Known> waiting = List.of();
  private Instant looked = Instant.EPOCH;
  private Instant last = Instant.EPOCH;
  private final Set<Integer> grown = new HashSet<>();
  private int metrics;
  private boolean full;
  private boolean warned;

  RunningScores(LearningQueries queries, AnomalyScores history, UnusualPeriodStore periods) {
    this(
        queries,
        history,
        periods,
        (int)
            Math.min(
                Integer.MAX_VALUE,
                Runtime.getRuntime().maxMemory() / SHARE_OF_HEAP / ObjectScorer.BYTES_OF_METRIC));
  }

  RunningScores(
      LearningQueries queries, AnomalyScores history, UnusualPeriodStore periods, int mostMetrics) {
    this.queries = queries;
    this.history = history;
    this.periods = periods;
    this.mostMetrics = mostMetrics;
  }

  /** An object with its scorer, and the values of the present step. */
  private static final class Scored {
    private final Known object;
    private final ObjectScorer scorer;
    private final List<String> keys;
    private final Map<Long, Integer> places = new HashMap<>();
    private double[] values;

    private @Nullable Unusual told;

    Scored(Known object, ObjectScorer scorer, List<LearningQueries.Place> metrics) {
      this.object = object;
      this.scorer = scorer;
      this.keys = new ArrayList<>(metrics.size());
      this.values = new double[metrics.size()];
      metrics.forEach(this::add);
      Arrays.fill(values, Double.NaN);
    }

    void add(LearningQueries.Place metric) {
      places.put(place(metric.set(), metric.position()), keys.size());
      keys.add(metric.key().toString());
      if (values.length < keys.size()) {
        values = Arrays.copyOf(values, keys.size());
        values[keys.size() - 1] = Double.NaN;
      }
    }

    static long place(int set, int position) {
      return ((long) set << 32) | position;
    }
  }

  /** Whether any object is scored. */
  boolean isEmpty() {
    return scored.isEmpty();
  }

  /** Takes the mean of a metric over the present step. */
  void take(int object, int set, int position, double value) {
    Scored of = scored.get(object);
    if (of == null) {
      return;
    }
    Integer place = of.places.get(Scored.place(set, position));
    if (place != null) {
      of.values[place] = value;
    } else if (of.keys.size() < ObjectScorer.MOST_METRICS) {
      grown.add(object);
    }
  }

  /**
   * Scores what was taken, and stores the periods that go on.
   *
   * @param end of the step; nothing is scored twice
   * @return by object; one without a score is absent
   */
  Map<Integer, Double> score(Instant end, ObjectGraph objects) {
    Map<Integer, Double> scores = new HashMap<>();
    Map<Scored, Period> going = new LinkedHashMap<>();
    boolean isNew = end.isAfter(last);
    if (Duration.between(last, end).compareTo(MOST_MISSED) > 0) {
      scored.clear();
      looked = Instant.EPOCH;
    }
    scored.keySet().removeIf(object -> objects.kindOf(object) == null);
    scored.forEach(
        (object, of) -> {
          if (isNew) {
            double score = of.scorer.next(end.minus(ObjectScorer.STEP), of.values);
            if (!Double.isNaN(score)) {
              scores.put(object, score);
            }
            Period period = of.scorer.open();
            if (period != null && period.to().equals(end)) {
              going.put(of, period);
            }
          }
          Arrays.fill(of.values, Double.NaN);
        });
    metrics = scored.values().stream().mapToInt(of -> of.keys.size()).sum();
    last = isNew ? end : last;
    periods.write(describe(going));
    return scores;
  }

  /**
   * Periods with when each of their metrics began. That is read from history, where it is not known
   * yet, for some objects in each run.
   */
  private Map<Integer, Unusual> describe(Map<Scored, Period> going) {
    Map<Integer, Unusual> described = new HashMap<>();
    int[] read = {0};
    going.forEach(
        (of, period) -> {
          List<String> carriers = period.carriers().stream().map(of.keys::get).toList();
          Unusual told = of.told;
          if (told != null
              && told.from().equals(period.from())
              && told.carriers().stream().map(Carrier::key).toList().containsAll(carriers)) {
            of.told = told.until(period.to(), period.score());
          } else if (read[0]++ < MOST_DESCRIBED) {
            of.told = history.describe(of.object, of.keys, period);
          } else {
            described.put(
                of.object.id(),
                new Unusual(
                    period.from(),
                    period.to(),
                    period.score(),
                    carriers.stream().map(key -> new Carrier(key, null)).toList()));
            return;
          }
          described.put(of.object.id(), of.told);
        });
    return described;
  }

  /**
   * Lets further objects learn from their history.
   *
   * @param end of the last step that was scored
   * @param until when to stop, by the clock of the JVM in nanoseconds
   */
  void learn(Instant end, long until) {
    last = end.isAfter(last) ? end : last;
    boolean none = scored.isEmpty() && waiting.isEmpty();
    if (none || Duration.between(looked, end).compareTo(LOOK) >= 0) {
      look(end);
    }
    int next = 0;
    while (next < waiting.size() && !full && System.nanoTime() < until) {
      add(waiting.get(next++), end);
    }
    waiting = List.copyOf(waiting.subList(next, waiting.size()));
  }

  private void look(Instant end) {
    looked = end;
    waiting = queries.measured().stream().filter(one -> !scored.containsKey(one.id())).toList();
    full = false;
    periods.forget(end);
    grown.forEach(this::grow);
    grown.clear();
  }

  /** Metrics that are new have no history to learn from. */
  private void grow(int object) {
    Scored of = scored.get(object);
    if (of == null) {
      return;
    }
    for (LearningQueries.Place metric : queries.places(object, ObjectScorer.MOST_METRICS)) {
      if (!of.places.containsKey(Scored.place(metric.set(), metric.position()))
          && of.keys.size() < ObjectScorer.MOST_METRICS
          && metrics < mostMetrics) {
        of.add(metric);
        metrics++;
      }
    }
  }

  private void add(Known object, Instant end) {
    List<LearningQueries.Place> places = queries.places(object.id(), ObjectScorer.MOST_METRICS);
    if (metrics + places.size() > mostMetrics) {
      if (!warned) {
        log.warn(
            "Objects without an anomaly score: {} or more, as scores of {} metrics fill the memory that they may have; a larger heap (-Xmx) makes room",
            waiting.size(),
            metrics);
      }
      full = true;
      warned = true;
      return;
    }
    List<String> keys = places.stream().map(one -> one.key().toString()).toList();
    scored.put(object.id(), new Scored(object, history.learned(object, keys, end), places));
    metrics += places.size();
  }
}
