package io.peerlens.notify.render;

import io.peerlens.notify.render.ChartQueries.Point;
import io.peerlens.notify.render.ChartQueries.Subject;
import io.peerlens.words.Figures;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Charts of alerts: from some hours before it began until now, or until its end. */
final class AlertCharts {

  private static final Duration BEFORE = Duration.ofHours(3);
  private static final Duration LONGEST = Duration.ofHours(24);

  /** What happened after the end of an alert is of some use: that it went back. */
  private static final Duration AFTER = Duration.ofMinutes(10);

  private static final int MOST_POINTS = 180;
  private static final long LEAST_STEP = 20;
  private static final long[] STEPS = {LEAST_STEP, 30, 60, 120, 300, 600};

  private final ChartQueries queries;
  private final Function<String, String> names;
  private final InstantSource clock;

  /**
   * Charts.
   *
   * @param names what metric keys are called
   */
  AlertCharts(ChartQueries queries, Function<String, String> names, InstantSource clock) {
    this.queries = queries;
    this.names = names;
    this.clock = clock;
  }

  /** A chart and what it shows in words. */
  record Described(Chart chart, String words) {}

  /** Empty = there is nothing to draw: no such alert, no numbers, or no samples. */
  Optional<Described> of(UUID alert) {
    return queries.subject(alert).flatMap(this::of);
  }

  private Optional<Described> of(Subject subject) {
    Instant now = clock.instant();
    Instant end = subject.canceledAt();
    Instant to = end == null || end.plus(AFTER).isAfter(now) ? now : end.plus(AFTER);
    Instant from = subject.since().minus(BEFORE);
    if (from.isBefore(to.minus(LONGEST))) {
      from = to.minus(LONGEST);
    }
    if (!from.isBefore(to)) {
      return Optional.empty();
    }
    long step = step(Duration.between(from, to).toSeconds());
    List<Point> points =
        subject.isOfPeers()
            ? queries.judged(subject, from, to, step)
            : queries.series(subject, from, to, step);
    return points.isEmpty() ? Optional.empty() : Optional.of(chart(subject, points, step));
  }

  private static long step(long seconds) {
    for (long step : STEPS) {
      if (seconds / step <= MOST_POINTS) {
        return step;
      }
    }
    return STEPS[STEPS.length - 1];
  }

  /** On a grid; where nothing came for longer than usual there is a gap. */
  private Described chart(Subject subject, List<Point> points, long step) {
    long usual = usual(points, step);
    List<Point> whole = new ArrayList<>();
    Point before = null;
    for (Point point : points) {
      if (before != null && point.at() - before.at() > 2 * usual) {
        whole.add(new Point(before.at() + usual, Double.NaN, Double.NaN, Double.NaN, Double.NaN));
      }
      whole.add(point);
      before = point;
    }
    Figures.Scale scale =
        Figures.scale(largest(whole), subject.unit(), subject.key().startsWith("net"));
    String metric = names.apply(subject.key());
    int size = whole.size();
    long[] times = new long[size];
    double[] values = new double[size];
    double[] middle = new double[size];
    double[] low = new double[size];
    double[] high = new double[size];
    for (int i = 0; i < size; i++) {
      times[i] = whole.get(i).at();
      values[i] = whole.get(i).value() * scale.factor();
      middle[i] = whole.get(i).middle() * scale.factor();
      low[i] = whole.get(i).low() * scale.factor();
      high[i] = whole.get(i).high() * scale.factor();
    }
    boolean peers = subject.isOfPeers();
    List<Double> bounds = new ArrayList<>();
    if (!peers) {
      add(bounds, subject.bound(), scale.factor());
      add(bounds, subject.upper(), scale.factor());
    }
    Chart chart =
        new Chart(
            subject.name() + ": " + metric,
            scale.unit(),
            times,
            values,
            peers ? low : null,
            peers ? high : null,
            peers ? middle : null,
            bounds,
            subject.since(),
            ZoneOffset.UTC);
    return new Described(chart, words(subject, metric, chart));
  }

  /** How far apart values are as a rule. */
  private static long usual(List<Point> points, long step) {
    long[] apart = new long[Math.max(0, points.size() - 1)];
    for (int i = 0; i < apart.length; i++) {
      apart[i] = points.get(i + 1).at() - points.get(i).at();
    }
    java.util.Arrays.sort(apart);
    return apart.length == 0 ? step : Math.max(step, apart[apart.length / 2]);
  }

  private static double largest(List<Point> points) {
    double largest = 0;
    for (Point point : points) {
      double size = Math.abs(point.value());
      largest = size > largest ? size : largest; // NaN is not
    }
    return largest;
  }

  private static void add(List<Double> bounds, @Nullable Double bound, double factor) {
    if (bound != null && Double.isFinite(bound)) {
      bounds.add(bound * factor);
    }
  }

  /** For those who do not see it. */
  private static String words(Subject subject, String metric, Chart chart) {
    double least = Double.NaN;
    double most = Double.NaN;
    double last = Double.NaN;
    double peers = Double.NaN;
    double[] middle = chart.middle();
    for (int i = 0; i < chart.values().length; i++) {
      double value = chart.values()[i];
      if (Double.isFinite(value)) {
        least = Double.isNaN(least) ? value : Math.min(least, value);
        most = Double.isNaN(most) ? value : Math.max(most, value);
        last = value;
      }
      if (middle != null && Double.isFinite(middle[i])) {
        peers = middle[i];
      }
    }
    long[] times = chart.times();
    StringBuilder words = new StringBuilder("Chart of ").append(metric);
    words.append(" of ").append(subject.name());
    words.append(" from ").append(time(times[0]));
    words.append(" to ").append(time(times[times.length - 1])).append(" UTC: ");
    String unit = chart.unit();
    if (Double.isNaN(last)) {
      words.append("no values.");
    } else {
      words
          .append(plain(last, unit))
          .append(" at the end, between ")
          .append(plain(least, unit))
          .append(" and ")
          .append(plain(most, unit))
          .append('.');
    }
    if (!Double.isNaN(peers)) {
      words.append(" The median of its peers is ").append(plain(peers, unit)).append('.');
    }
    if (!chart.bounds().isEmpty()) {
      words.append(chart.bounds().size() > 1 ? " The limits are " : " The limit is ");
      words.append(String.join(" and ", chart.bounds().stream().map(b -> plain(b, unit)).toList()));
      words.append('.');
    }
    return words
        .append(" The alert began at ")
        .append(time(subject.since().getEpochSecond()))
        .append('.')
        .toString();
  }

  private static String time(long seconds) {
    return DateTimeFormatter.ofPattern("d MMM HH:mm", Locale.ENGLISH)
        .withZone(ZoneOffset.UTC)
        .format(Instant.ofEpochSecond(seconds));
  }

  private static String plain(double value, String unit) {
    String number =
        new java.math.BigDecimal(value)
            .round(new java.math.MathContext(4))
            .stripTrailingZeros()
            .toPlainString();
    return unit.isEmpty() ? number : number + " " + unit;
  }
}
