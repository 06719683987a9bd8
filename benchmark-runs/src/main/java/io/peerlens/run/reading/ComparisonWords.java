package io.peerlens.run.reading;

import io.peerlens.baselines.compare.PeriodVerdict;
import io.peerlens.run.reading.RunComparison.Difference;
import io.peerlens.run.reading.RunComparison.Metric;
import io.peerlens.run.reading.RunComparison.Total;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The verdict of a comparison in words. */
final class ComparisonWords {

  private static final int NAMED = 3;

  private ComparisonWords() {}

  /**
   * A is better: 6.1 % more IOPS than B (5.2 to 7), mean latency 1.28 against 1.5 ms. Certain; 3.2
   * times the scatter of repeats. They differ in firmware: 1.3.0 against 1.2.4.
   */
  static String sentence(
      PeriodVerdict judgement,
      @Nullable String certainty,
      @Nullable Metric head,
      List<Metric> metrics,
      List<Total> totals,
      List<Difference> differences,
      @Nullable Double times,
      @Nullable Boolean within) {
    StringBuilder text = new StringBuilder();
    if (head == null || judgement == PeriodVerdict.NOT_ENOUGH_DATA) {
      text.append("Cannot tell: ")
          .append(
              head == null
                  ? "the runs have no series of intervals in common"
                  : "their steady parts are too short");
      if (!totals.isEmpty()) {
        text.append("; in all ").append(total(totals.getFirst()));
      }
      text.append(".");
    } else if (judgement == PeriodVerdict.SAME) {
      text.append("No difference shown: ").append(change(head)).append(".");
    } else {
      text.append(
          switch (judgement) {
            case BETTER -> "A is better: ";
            case WORSE -> "A is worse: ";
            default -> "A is different: ";
          });
      text.append(change(head));
      metrics.stream()
          .filter(one -> one != head && one.changed())
          .limit(NAMED)
          .forEach(one -> text.append(", ").append(values(one)));
      text.append(". ").append(Wording.sentence(certainty == null ? "likely" : certainty));
      if (within != null && within) {
        text.append(" of these two runs, but repeats differ as much by themselves");
      } else if (times != null) {
        text.append("; ").append(Wording.rough(times)).append(" times the scatter of repeats");
      }
      text.append(".");
    }
    return text.append(differing(differences)).toString();
  }

  private static String change(Metric metric) {
    if (metric.level() == PeriodVerdict.SAME && metric.changed()) {
      return Wording.figure(metric.name()) + " at its highest; the level is the same";
    }
    Double percent = metric.percent();
    if (percent == null) {
      return values(metric);
    }
    String more =
        switch (metric.name()) {
          case "iops" -> percent < 0 ? "fewer " : "more ";
          case "throughput" -> percent < 0 ? "less " : "more ";
          default -> percent < 0 ? "lower " : "higher ";
        };
    // The interval in the direction that the words name.
    double sign = percent < 0 ? -1 : 1;
    Interval interval = metric.interval();
    String within =
        interval == null
            ? ""
            : " (%s to %s)"
                .formatted(
                    Wording.rough(Math.min(sign * interval.low(), sign * interval.high())),
                    Wording.rough(Math.max(sign * interval.low(), sign * interval.high())));
    return Wording.rough(Math.abs(percent))
        + " % "
        + more
        + Wording.figure(metric.name())
        + " than B"
        + within;
  }

  private static String values(Metric metric) {
    Double a = metric.a();
    Double b = metric.b();
    if (metric.level() == PeriodVerdict.SAME && metric.changed()) {
      return Wording.figure(metric.name()) + " at its highest " + word(metric.judgement());
    }
    return Wording.figure(metric.name())
        + " "
        + (a == null || b == null
            ? word(metric.judgement())
            : Wording.pair(a, b, " against ", beside(metric.unit())));
  }

  private static String word(PeriodVerdict verdict) {
    return switch (verdict) {
      case BETTER -> "better";
      case WORSE -> "worse";
      case SAME -> "the same";
      case DIFFERENT -> "different";
      case NOT_ENOUGH_DATA -> "not known";
    };
  }

  /** "IOPS 1100 against 1000" needs no unit. */
  private static String beside(String unit) {
    return unit.equals("IO/s") ? "" : unit;
  }

  private static String total(Total total) {
    return Wording.figure(total.name())
        + " "
        + Wording.pair(total.a(), total.b(), " against ", beside(total.unit()));
  }

  private static String differing(List<Difference> differences) {
    if (differences.isEmpty()) {
      return " Their parameters are the same.";
    }
    String named =
        differences.stream()
            .limit(NAMED)
            .map(
                one ->
                    "%s: %s against %s"
                        .formatted(
                            Wording.parameter(one.parameter()),
                            Wording.parameterValue(one.parameter(), one.a()),
                            Wording.parameterValue(one.parameter(), one.b())))
            .collect(Collectors.joining("; "));
    int more = differences.size() - NAMED;
    return " They differ in " + named + (more > 0 ? "; " + more + " more" : "") + ".";
  }
}
