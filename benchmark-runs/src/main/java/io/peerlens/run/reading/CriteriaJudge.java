package io.peerlens.run.reading;

import io.peerlens.run.Parameter;
import io.peerlens.run.Run;
import io.peerlens.run.Run.Figure;
import io.peerlens.run.reading.Criteria.Outcome;
import io.peerlens.run.reading.Criteria.Status;
import io.peerlens.run.reading.Criterion.At;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import org.apache.commons.statistics.distribution.TDistribution;
import org.jspecify.annotations.Nullable;

/** Judge of runs by criteria. */
final class CriteriaJudge {

  private static final double CONFIDENCE = 0.95;

  /** Parameters by which load is turned up, so that a curve has a reading. */
  private static final Set<String> LOAD =
      Set.of(
          Parameter.OUTSTANDING,
          Parameter.QUEUE_DEPTH,
          Parameter.THREADS,
          Parameter.MACHINES,
          Parameter.RATE_LIMIT);

  private final Collection<TheoreticalMaximum> maxima;

  CriteriaJudge(Collection<TheoreticalMaximum> maxima) {
    this.maxima = List.copyOf(maxima);
  }

  /**
   * A value that a criterion is held against, in the unit of runs.
   *
   * @param value null = not known
   * @param atLeast whether it may be more
   * @param atMost whether it may be less
   * @param where what it is of, for sentences
   * @param why it is not known, or may be more or less; may be empty
   */
  private record Measured(
      @Nullable Double value,
      @Nullable Interval interval,
      boolean atLeast,
      boolean atMost,
      String where,
      String why) {

    static Measured unknown(String where, String why) {
      return new Measured(null, null, false, false, where, why);
    }

    static Measured exact(double value, @Nullable Interval interval, String where) {
      return new Measured(value, interval, false, false, where, "");
    }

    Measured scaled(double factor) {
      Interval range = interval;
      return new Measured(
          value == null ? null : Wording.finite(value * factor),
          range == null ? null : Interval.of(range.low() * factor, range.high() * factor),
          atLeast,
          atMost,
          where,
          why);
    }
  }

  Outcome judge(Criterion criterion, List<Run> runs) {
    if (runs.isEmpty()) {
      return outcome(
          criterion,
          Measured.unknown("", "no run has the parameters that the criterion names"),
          0,
          0);
    }
    List<Measured> all =
        measured(criterion, runs).stream().map(one -> one.scaled(1 / criterion.factor())).toList();
    Measured worst = all.getFirst();
    for (Measured one : all) {
      worst = worse(criterion, one, worst) ? one : worst;
    }
    int met = (int) all.stream().filter(one -> status(criterion, one) == Status.PASS).count();
    return outcome(criterion, worst, all.size(), met);
  }

  private List<Measured> measured(Criterion criterion, List<Run> runs) {
    Sweeps sweeps = Sweeps.find(runs);
    boolean share = criterion.figure().equals(Criterion.SHARE);
    TheoreticalMaximum maximum = share ? maximum(criterion.of()) : null;
    if (share && maximum == null) {
      return List.of(
          Measured.unknown(
              "", "no theoretical maximum of " + Wording.figure(criterion.of()) + " is given"));
    }
    List<Measured> all;
    if (criterion.figure().equals(Criterion.SCATTER)) {
      all = scatter(criterion, sweeps);
    } else if (criterion.at() != null) {
      all = readings(criterion, criterion.at(), sweeps);
    } else if (share) {
      // What was reached at best: the other runs were not meant to reach it.
      all =
          groups(criterion.of(), "", runs, sweeps).stream()
              .max(Comparator.comparingDouble(one -> one.value() == null ? -1 : one.value()))
              .map(List::of)
              .orElse(List.of());
    } else {
      all = groups(criterion.of(), criterion.unit(), runs, sweeps);
    }
    return maximum == null
        ? all
        : all.stream().map(one -> one.scaled(100 / maximum.total())).toList();
  }

  private @Nullable TheoreticalMaximum maximum(String figure) {
    return maxima.stream().filter(one -> one.figure().equals(figure)).findFirst().orElse(null);
  }

  private static List<Measured> scatter(Criterion criterion, Sweeps sweeps) {
    List<Measured> all = new ArrayList<>();
    for (Sweeps.Repeats repeats : sweeps.repeats()) {
      Scatter scatter = repeats.scatter(criterion.of());
      if (scatter != null) {
        all.add(
            Measured.exact(
                scatter.percent(), scatter.interval(), where(repeats.runs(), scatter.count())));
      }
    }
    return all.isEmpty()
        ? List.of(
            Measured.unknown(
                "", "no two runs with " + Wording.figure(criterion.of()) + " are repeats"))
        : all;
  }

  /** Each set of repeats by its mean, which is what the next repeats would come back to. */
  private static List<Measured> groups(String figure, String unit, List<Run> runs, Sweeps sweeps) {
    List<List<Run>> groups = new ArrayList<>();
    Set<Run> repeated = Collections.newSetFromMap(new IdentityHashMap<>());
    for (Sweeps.Repeats repeats : sweeps.repeats()) {
      groups.add(repeats.runs());
      repeated.addAll(repeats.runs());
    }
    for (Run run : runs) {
      if (!repeated.contains(run)) {
        groups.add(List.of(run));
      }
    }
    return groups.stream().map(group -> group(figure, unit, group)).toList();
  }

  private static Measured group(String figure, String unit, List<Run> runs) {
    List<Double> values = Sweeps.values(runs, figure);
    String where = where(runs, values.size());
    if (values.isEmpty()) {
      return Measured.unknown(where, "it does not say " + Wording.figure(figure));
    }
    Figure own = runs.getFirst().figure(figure);
    if (Wording.unit(figure).isEmpty() && own != null && !own.unit().equals(unit)) {
      return Measured.unknown(
          where,
          "it says %s in \"%s\", the criterion in \"%s\"".formatted(figure, own.unit(), unit));
    }
    Scatter scatter = Scatter.of(values);
    double mean = values.stream().mapToDouble(Double::doubleValue).average().orElseThrow();
    Interval interval = null;
    if (scatter != null) {
      int n = scatter.count();
      double reach =
          TDistribution.of(n - 1.0).inverseSurvivalProbability((1 - CONFIDENCE) / 2)
              * scatter.deviation()
              / Math.sqrt(n);
      interval = Interval.of(mean - reach, mean + reach);
    }
    return Measured.exact(mean, interval, where);
  }

  private static String where(List<Run> runs, int count) {
    String name = runs.getFirst().name();
    return count > 1 ? "%d repeats of %s".formatted(count, name) : name;
  }

  private static List<Measured> readings(Criterion criterion, At at, Sweeps sweeps) {
    List<Measured> all = new ArrayList<>();
    Curve.Load load =
        criterion.of().equals(Curve.Load.THROUGHPUT.figure())
            ? Curve.Load.THROUGHPUT
            : Curve.Load.IOPS;
    for (Sweep sweep : sweeps.sweeps()) {
      if (sweep.ordered() && LOAD.contains(sweep.parameter())) {
        Curve curve = Curve.of(sweep, load, at.latency());
        Reading reading = Reading.of(curve, at.limit(), 0);
        String where = sweep.title().isEmpty() ? sweep.sentence() : sweep.title();
        all.add(
            criterion.of().equals(load.figure())
                ? load(reading, where)
                : beside(criterion.of(), curve, reading, where));
      }
    }
    return all.isEmpty()
        ? List.of(
            Measured.unknown("", "no two runs differ in load only, so there is no curve to read"))
        : all;
  }

  private static Measured load(Reading reading, String where) {
    return switch (reading) {
      case Reading.Reached at -> Measured.exact(at.load(), null, where);
      case Reading.AtLeast least ->
          new Measured(least.load(), null, true, false, where, least.sentence());
      // Less load, less latency: what is carried at the limit is below the least that was tried.
      case Reading.NotReached not ->
          new Measured(not.lowest().load().mean(), null, false, true, where, not.sentence());
      case Reading.Unknown unknown -> Measured.unknown(where, unknown.sentence());
    };
  }

  /** Another figure at the reading, on the line between the two points beside it. */
  private static Measured beside(String figure, Curve curve, Reading reading, String where) {
    if (!(reading instanceof Reading.Reached at)) {
      return Measured.unknown(where, reading.sentence());
    }
    Double below = mean(figure, curve, at.below());
    if (!at.interpolated() || at.above() == null) {
      return below == null
          ? Measured.unknown(where, "the runs do not say " + Wording.figure(figure))
          : Measured.exact(below, null, where);
    }
    Double above = mean(figure, curve, at.above());
    if (below == null || above == null) {
      return Measured.unknown(where, "the runs do not say " + Wording.figure(figure));
    }
    double from = at.below().latency().mean();
    double share = (at.limit() - from) / (at.above().latency().mean() - from);
    return Measured.exact(below + share * (above - below), null, where);
  }

  private static @Nullable Double mean(String figure, Curve curve, Curve.Point point) {
    for (Sweep.Point one : curve.sweep().points()) {
      if (one.value().equals(point.value())) {
        List<Double> values = Sweeps.values(one.runs(), figure);
        return values.isEmpty()
            ? null
            : Double.valueOf(
                values.stream().mapToDouble(Double::doubleValue).average().orElseThrow());
      }
    }
    return null;
  }

  private static Status status(Criterion criterion, Measured measured) {
    Double value = measured.value();
    if (value == null) {
      return Status.NOT_KNOWN;
    }
    boolean met = criterion.operator().met(value, criterion.limit());
    // A bound answers only in its own direction.
    boolean up = criterion.operator().higherIsBetter();
    if ((measured.atLeast() && met != up) || (measured.atMost() && met == up)) {
      return Status.NOT_KNOWN;
    }
    return met ? Status.PASS : Status.FAIL;
  }

  /** Failures first, then what is not known, then the least margin. */
  private static boolean worse(Criterion criterion, Measured a, Measured b) {
    int order = rank(status(criterion, a)) - rank(status(criterion, b));
    if (order != 0) {
      return order < 0;
    }
    Double marginA = margin(criterion, a);
    Double marginB = margin(criterion, b);
    return marginA != null && marginB != null && marginA < marginB;
  }

  private static int rank(Status status) {
    return switch (status) {
      case FAIL -> 0;
      case NOT_KNOWN -> 1;
      case PASS -> 2;
    };
  }

  private static @Nullable Double margin(Criterion criterion, Measured measured) {
    Double value = measured.value();
    if (value == null) {
      return null;
    }
    double over = value - criterion.limit();
    return Wording.finite(criterion.operator().higherIsBetter() ? over : 0 - over);
  }

  private static Outcome outcome(Criterion criterion, Measured measured, int judged, int met) {
    Status status = status(criterion, measured);
    Double value = measured.value();
    Double margin = margin(criterion, measured);
    Double percent =
        margin == null || criterion.limit() == 0
            ? null
            : Wording.finite(100 * margin / Math.abs(criterion.limit()));
    Interval interval = measured.interval();
    Boolean clear = null;
    if (interval != null && status != Status.NOT_KNOWN) {
      clear =
          criterion.operator().met(interval.low(), criterion.limit())
              == criterion.operator().met(interval.high(), criterion.limit());
    }
    return new Outcome(
        criterion,
        status,
        value,
        margin,
        percent,
        interval,
        clear,
        judged,
        met,
        sentence(criterion, measured, status, margin, percent, clear, judged, met));
  }

  private static String sentence(
      Criterion criterion,
      Measured measured,
      Status status,
      @Nullable Double margin,
      @Nullable Double percent,
      @Nullable Boolean clear,
      int judged,
      int met) {
    String needs = criterion.operator().words() + " " + CriteriaWords.limit(criterion);
    Double value = measured.value();
    String of = measured.where().isEmpty() ? "" : " (" + measured.where() + ")";
    if (status == Status.NOT_KNOWN || value == null) {
      String why = measured.why();
      return "%s: not known%s, needs %s; %s%s"
          .formatted(criterion.name(), of, needs, why, why.endsWith(".") ? "" : ".");
    }
    String bound = measured.atLeast() ? "at least " : measured.atMost() ? "less than " : "";
    StringBuilder text = new StringBuilder();
    text.append(
        "%s: %s%s%s, needs %s: %s"
            .formatted(
                criterion.name(),
                bound,
                CriteriaWords.value(criterion, value),
                of,
                needs,
                status == Status.PASS ? "pass" : "fail"));
    if (margin != null) {
      text.append(" (").append(CriteriaWords.margin(criterion, margin, percent)).append(")");
    }
    if (clear != null) {
      text.append(
          clear ? ", beyond the scatter of repeats" : ", but within the scatter of repeats");
    }
    if (judged > 1) {
      text.append("; %d of %d meet it, this is the worst".formatted(met, judged));
    }
    return text.append(".").toString();
  }
}
