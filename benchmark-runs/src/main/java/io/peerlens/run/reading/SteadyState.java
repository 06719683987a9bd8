package io.peerlens.run.reading;

import io.peerlens.run.Run;
import io.peerlens.run.Run.Series;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Steady state: whether a run had settled when it ended, and from when on.
 *
 * <p>The last third of the intervals is asked three questions. Does it have a {@link Trend} that is
 * shown and moves it by at least {@value #MATTERS} % of its mean? Do the means of its five fifths
 * differ by more than {@value #EXCURSION} % of their mean? Can a trend of {@value #SLOPE_EXCURSION}
 * % be ruled out? The last two limits are the field's own: the Solid State Storage Performance Test
 * Specification of SNIA calls a measurement window of five rounds steady when the largest less the
 * smallest is at most 20 % of the average, and the line through them rises or falls by at most 10 %
 * of it. SNIA's own answer, with the fifths as rounds, stands beside ours.
 *
 * <p>The steady part begins where the rule MSER-5 cuts off the warm-up ({@link Truncation}).
 *
 * @param metric that was asked, such as {@code iops}; empty = the run has no series of intervals
 * @param from seconds after the start of the run at which the steady part begins; where the run is
 *     not steady, the cut after which its mean is known best
 * @param length seconds of the whole series; 0 = none
 * @param mean of the part after {@code from}; null = none is known
 * @param perHour trend of the last third, per cent of its mean an hour; null = not known
 * @param perHourInterval its interval at 95 %
 * @param excursion largest less smallest mean of the fifths of the last third, per cent of their
 *     mean; null = not known
 * @param slopeExcursion by how much the line through them rises or falls, per cent of their mean
 * @param reason why it is judged so, in words, without a full stop
 */
public record SteadyState(
    Judgement judgement,
    String metric,
    double from,
    double length,
    @Nullable Double mean,
    @Nullable Double perHour,
    @Nullable Interval perHourInterval,
    @Nullable Double excursion,
    @Nullable Double slopeExcursion,
    String reason) {

  /** A run needs so many intervals with a value. */
  public static final int FEWEST = 3 * Trend.FEWEST;

  /** The smallest drift over the last third that matters, per cent of its mean. */
  static final double MATTERS = 2;

  static final double EXCURSION = 20;
  static final double SLOPE_EXCURSION = 10;
  private static final int ROUNDS = 5;
  private static final double HOUR = 3600;

  /** Of fewer seconds, so much an hour would be a wild guess. */
  private static final double TOLD_BY_HOUR = 300;

  /** Whether a run had settled. */
  public enum Judgement {
    STEADY,
    NOT_STEADY,
    /** Too few intervals, or such that scatter too much: neither could be shown. */
    NOT_KNOWN
  }

  /**
   * Judges a run by its IOPS (else its throughput) and by its mean latency; both must be steady. At
   * a fixed number of outstanding operations one follows from the other, at a fixed rate only the
   * latency moves.
   */
  public static SteadyState of(Run run) {
    Series load = RunFigures.series(run, "iops");
    load = load == null ? RunFigures.series(run, "throughput") : load;
    Series latency = RunFigures.series(run, "latency");
    if (load == null) {
      return latency == null ? unknown("", "the run has no series of intervals") : of(latency);
    }
    SteadyState byLoad = of(load);
    if (byLoad.judgement != Judgement.STEADY || latency == null) {
      return byLoad;
    }
    SteadyState byLatency = of(latency);
    return byLatency.judgement == Judgement.NOT_STEADY ? byLatency : byLoad;
  }

  /** Judges a series; intervals without a value do not count. */
  public static SteadyState of(Series series) {
    String metric = series.metric();
    int n = 0;
    double[] seconds = new double[series.values().length];
    double[] values = new double[seconds.length];
    double[] begins = new double[seconds.length];
    for (int i = 0; i < seconds.length; i++) {
      if (Double.isFinite(series.values()[i]) && Double.isFinite(series.seconds()[i])) {
        seconds[n] = series.seconds()[i];
        begins[n] = i == 0 ? 0 : series.seconds()[i - 1];
        values[n++] = series.values()[i];
      }
    }
    if (n < FEWEST) {
      return unknown(
          metric,
          "%s with a value, %d are needed"
              .formatted(Wording.count(n, "interval", "intervals"), FEWEST));
    }
    return judge(
        metric, Arrays.copyOf(seconds, n), Arrays.copyOf(values, n), Arrays.copyOf(begins, n));
  }

  private static SteadyState unknown(String metric, String reason) {
    return new SteadyState(Judgement.NOT_KNOWN, metric, 0, 0, null, null, null, null, null, reason);
  }

  private static SteadyState judge(
      String metric, double[] seconds, double[] values, double[] begins) {
    int n = values.length;
    int start = Truncation.start(values);
    double from = begins[start];
    double length = seconds[n - 1];
    Double mean = Wording.finite(average(values, start, n));
    int third = n - n / 3;
    double[] times = Arrays.copyOfRange(seconds, third, n);
    double[] last = Arrays.copyOfRange(values, third, n);
    double level = average(last, 0, last.length);
    Trend trend = Trend.of(times, last);
    double window = length - begins[third];
    double percent = 100 / level;
    double perHour = trend == null ? Double.NaN : trend.perSecond() * HOUR * percent;
    double reach = trend == null ? Double.NaN : trend.reach() * HOUR * percent;
    Interval interval = Interval.of(perHour - reach, perHour + reach);
    if (interval == null || !(level > 0) || !(window > 0) || !Double.isFinite(window)) {
      String reason = level == 0 ? "all values of the last third are 0" : "no trend can be told";
      return new SteadyState(
          Judgement.NOT_KNOWN, metric, from, length, mean, null, null, null, null, reason);
    }
    double[] rounds = rounds(last);
    double excursion = (max(rounds) - min(rounds)) / average(rounds, 0, ROUNDS) * 100;
    double slopeExcursion = slopeExcursion(rounds);
    double drift = perHour * window / HOUR;
    boolean shown = Math.abs(perHour) > reach;
    double possible = (Math.abs(perHour) + reach) * window / HOUR;
    String words = Wording.figure(metric);
    Judgement judgement;
    String reason;
    if (shown && Math.abs(drift) >= MATTERS) {
      judgement = Judgement.NOT_STEADY;
      boolean hourly = window >= TOLD_BY_HOUR;
      double size = Math.abs(hourly ? perHour : drift);
      double either = hourly ? reach : reach * window / HOUR;
      reason =
          "%s %s by %s %% %s (%s to %s); a longer run is needed"
              .formatted(
                  words,
                  verb(metric, perHour),
                  Wording.rough(size),
                  hourly ? "an hour" : "over the last third, " + Wording.duration(window),
                  Wording.rough(size - either),
                  Wording.rough(size + either));
    } else if (excursion > EXCURSION) {
      judgement = Judgement.NOT_STEADY;
      reason =
          "%s %s by %s %% of the mean between fifths of the last third; a longer run is needed"
              .formatted(
                  words, metric.equals("iops") ? "differ" : "differs", Wording.rough(excursion));
    } else if (possible > SLOPE_EXCURSION) {
      judgement = Judgement.NOT_KNOWN;
      reason =
          "%s scatter%s so much that a change of %s %% over the last third can neither be shown nor ruled out; a longer run is needed"
              .formatted(words, metric.equals("iops") ? "" : "s", Wording.number(SLOPE_EXCURSION));
    } else {
      judgement = Judgement.STEADY;
      reason =
          "the last third, %s, changes by %s %% (%s to %s)"
              .formatted(
                  Wording.duration(window),
                  Wording.rough(drift),
                  Wording.rough((perHour - reach) * window / HOUR),
                  Wording.rough((perHour + reach) * window / HOUR));
    }
    return new SteadyState(
        judgement,
        metric,
        from,
        length,
        mean,
        Wording.finite(perHour),
        interval,
        Wording.finite(excursion),
        Wording.finite(slopeExcursion),
        reason);
  }

  private static String verb(String metric, double perHour) {
    String verb = perHour < 0 ? "fall" : "rise";
    return metric.equals("iops") ? verb : verb + "s";
  }

  private static double[] rounds(double[] values) {
    double[] rounds = new double[ROUNDS];
    for (int r = 0; r < ROUNDS; r++) {
      rounds[r] = average(values, r * values.length / ROUNDS, (r + 1) * values.length / ROUNDS);
    }
    return rounds;
  }

  private static double slopeExcursion(double[] rounds) {
    double middle = (ROUNDS - 1) / 2.0;
    double sum = 0;
    double squares = 0;
    for (int r = 0; r < ROUNDS; r++) {
      sum += (r - middle) * rounds[r];
      squares += (r - middle) * (r - middle);
    }
    return Math.abs(sum / squares) * (ROUNDS - 1) / average(rounds, 0, ROUNDS) * 100;
  }

  private static double average(double[] values, int from, int to) {
    double mean = 0;
    for (int i = from; i < to; i++) {
      mean += (values[i] - mean) / (i - from + 1);
    }
    return mean;
  }

  private static double max(double[] values) {
    return Arrays.stream(values).max().orElseThrow();
  }

  private static double min(double[] values) {
    return Arrays.stream(values).min().orElseThrow();
  }

  /** SNIA's answer, with the fifths of the last third as rounds; null = not known. */
  public @Nullable Boolean snia() {
    return excursion == null || slopeExcursion == null
        ? null
        : Boolean.valueOf(excursion <= EXCURSION && slopeExcursion <= SLOPE_EXCURSION);
  }

  /** Steady from min 5 of 30: the last third, 10 min, changes by -0.3 % (-0.9 to 0.3). */
  public String sentence() {
    return switch (judgement) {
      case STEADY ->
          (from > 0
                  ? "Steady from %s of %s: "
                      .formatted(Wording.duration(from), Wording.duration(length))
                  : "Steady from the beginning: ")
              + reason
              + ".";
      case NOT_STEADY -> "Not steady: " + reason + ".";
      case NOT_KNOWN -> "Not known whether it is steady: " + reason + ".";
    };
  }
}
