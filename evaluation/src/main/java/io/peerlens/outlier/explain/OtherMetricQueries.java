package io.peerlens.outlier.explain;

import io.peerlens.api.model.OutlierOtherMetric;
import io.peerlens.frame.Means;
import io.peerlens.outlier.group.ProposedDeviation;
import io.peerlens.outlier.group.Rounded;
import io.peerlens.outlier.judge.EventRows;
import io.peerlens.supermetrics.formula.ObjectKind;
import io.peerlens.words.MetricNames;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * Comparison of the other metrics of a member with those of the same peers at the same time: those
 * of its kind that most of the peers have too.
 */
public final class OtherMetricQueries {

  private static final int MOST = 50;
  private static final int MOST_KEYS = 400;
  private static final int MOST_TICKS = 60;

  /** So large a part of the peers has to have the metric. */
  private static final double MOST_PEERS = 0.5;

  /** A spread is taken to be at least this part of the median. */
  private static final double FLOOR = 0.05;

  private static final double MAD = 1.4826;

  /** A spread out of few values says little: they count as if there were some more of the floor. */
  private static final double FEW = 6;

  // How many metrics are out of their bands, and what is left of time, are not what a member does.
  private static final String KEYS =
      """
      select g.name || '|' || m.metric as key, u.unit
      from metric_group g
        join metric_set s on s.group_id = g.id and s.object_id = :object and s.instance = ''
        cross join unnest(g.metrics) with ordinality as m(metric, place)
        left join unnest(g.units) with ordinality as u(unit, place) on u.place = m.place
      where g.name <> 'System Attributes' and g.name not like 'OnlineCapacityAnalytics%'
      order by 1 limit :most
      """;

  private final JdbcClient jdbc;
  private final Means means;

  public OtherMetricQueries(JdbcClient jdbc, Means means) {
    this.jdbc = jdbc;
    this.means = means;
  }

  private record Key(String key, @Nullable String unit) {}

  /**
   * Compares.
   *
   * @param own keys that are not asked for, since the group compares them anyway
   * @param from start of the first bucket that counts
   * @param limit the score from which on a metric stands out
   */
  List<OutlierOtherMetric> find(
      MetricNames names,
      ObjectKind kind,
      int object,
      int[] peers,
      List<String> own,
      Instant from,
      int buckets,
      Duration width,
      double limit) {
    List<Key> keys =
        jdbc
            .sql(KEYS)
            .param("object", object)
            .param("most", MOST_KEYS)
            .query(
                (row, number) -> new Key(row.getString("key"), blankToNull(row.getString("unit"))))
            .list()
            .stream()
            .filter(key -> !own.contains(key.key()))
            .toList();
    if (keys.isEmpty() || peers.length < 2) {
      return List.of();
    }
    int[] all = Arrays.copyOf(peers, peers.length + 1);
    all[peers.length] = object;
    double[][][] values =
        means
            .read(
                List.of(new Means.Wanted(kind, keys.stream().map(Key::key).toList(), all)),
                from,
                buckets,
                width)
            .getFirst();
    List<OutlierOtherMetric> found = new ArrayList<>();
    for (int k = 0; k < keys.size(); k++) {
      double[] mean = mean(values[k], all.length);
      OutlierOtherMetric metric = compare(names, keys.get(k), mean, peers.length, limit);
      if (metric != null) {
        found.add(metric);
      }
    }
    return found.stream()
        .sorted(
            Comparator.comparing((OutlierOtherMetric one) -> -Math.abs(one.getScore()))
                .thenComparing(OutlierOtherMetric::getKey))
        .limit(MOST)
        .toList();
  }

  private static @Nullable String blankToNull(@Nullable String unit) {
    return unit == null || unit.isBlank() ? null : unit;
  }

  /** Of each object over the buckets. */
  private static double[] mean(double[][] values, int objects) {
    double[] mean = new double[objects];
    for (int i = 0; i < objects; i++) {
      int place = i;
      mean[i] =
          Arrays.stream(values)
              .mapToDouble(bucket -> bucket[place])
              .filter(value -> !Double.isNaN(value))
              .average()
              .orElse(Double.NaN);
    }
    return mean;
  }

  private static @Nullable OutlierOtherMetric compare(
      MetricNames names, Key key, double[] mean, int peers, double limit) {
    double value = mean[peers];
    double[] sorted =
        Arrays.stream(mean, 0, peers).filter(one -> !Double.isNaN(one)).sorted().toArray();
    if (Double.isNaN(value) || sorted.length < Math.max(2, MOST_PEERS * peers)) {
      return null;
    }
    ProposedDeviation proposed = ProposedDeviation.of(key.unit());
    double least = proposed.least();
    // Compared as the method compares: ratios where those say more than differences.
    double[] compared =
        Arrays.stream(sorted).map(one -> proposed.log() ? log(one, least) : one).toArray();
    double centre = median(compared);
    double[] distances =
        Arrays.stream(compared).map(one -> Math.abs(one - centre)).sorted().toArray();
    double floor = Math.max(0.4 * least, FLOOR * Math.abs(centre));
    double mad = MAD * median(distances);
    double n = sorted.length;
    double spread = Math.max(floor, Math.sqrt((n * mad * mad + FEW * floor * floor) / (n + FEW)));
    double score = ((proposed.log() ? log(value, least) : value) - centre) / spread;
    double middle = median(sorted);
    double low = centre - limit * spread;
    double high = centre + limit * spread;
    return new OutlierOtherMetric(
        key.key(),
        names.words(key.key()),
        key.unit(),
        Rounded.value(value),
        Rounded.value(middle),
        Rounded.value(proposed.log() ? back(low, least) : low),
        Rounded.value(proposed.log() ? back(high, least) : high),
        ticks(sorted),
        EventRows.factor(value, middle),
        Rounded.score(score),
        Math.abs(score) >= limit && Math.abs(value - middle) >= least);
  }

  /** As the method's own: near 0 the value itself, far from it equal ratios are equal distances. */
  private static double log(double value, double unit) {
    return Math.copySign(unit * Math.log1p(Math.abs(value) / unit), value);
  }

  private static double back(double value, double unit) {
    return Math.copySign(unit * Math.expm1(Math.abs(value) / unit), value);
  }

  private static double median(double[] sorted) {
    int n = sorted.length;
    return (sorted[(n - 1) / 2] + sorted[n / 2]) / 2;
  }

  /** All of them, or some that stand for all, with the least and the greatest. */
  static List<Double> ticks(double[] sorted) {
    List<Double> ticks = new ArrayList<>();
    int count = Math.min(MOST_TICKS, sorted.length);
    for (int i = 0; i < count; i++) {
      int at = count == 1 ? 0 : (int) Math.rint(i * (sorted.length - 1.0) / (count - 1));
      ticks.add(Rounded.value(sorted[at]));
    }
    return ticks;
  }
}
