package io.peerlens.impact;

import io.peerlens.api.model.ComparedMetric;
import io.peerlens.api.model.ComparisonPairing;
import io.peerlens.api.model.ComparisonWarning;
import io.peerlens.impact.Comparisons.Asked;
import io.peerlens.words.Figures;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** Reasons for doubt about a comparison. */
record Warnings(
    Asked asked, List<ComparedMetric> metrics, PeriodReader.Read a, PeriodReader.Read b) {

  private static final double WEEKEND_DIFFERS = 0.1;
  private static final double ENOUGH = 0.8;
  private static final int NAMED = 3;

  List<ComparisonWarning> list(ComparisonQueries queries) {
    List<ComparisonWarning> list = new ArrayList<>();
    if (metrics.isEmpty()) {
      add(list, "no-values", "None of the metrics is reported by these objects.");
    }
    if (paired(ComparisonPairing.NONE)) {
      add(
          list,
          "hours",
          "The periods cover different hours of the day, so a daily cycle looks like a change.");
    }
    if (paired(ComparisonPairing.NONE) || paired(ComparisonPairing.HOUR_OF_DAY)) {
      weekdays(list);
    }
    unfinished(list, "first", asked.a());
    unfinished(list, "second", asked.b());
    if (a.hourly() || b.hourly()) {
      add(
          list,
          "hourly",
          "Five-minute means are no longer kept of %s; hourly means are used instead."
              .formatted(
                  a.hourly() && b.hourly()
                      ? "both periods"
                      : a.hourly() ? "the first period" : "the second period"));
    } else {
      gaps(list);
    }
    changes(list, queries);
    return list;
  }

  private static void add(List<ComparisonWarning> list, String code, String text) {
    list.add(new ComparisonWarning(code, text));
  }

  private boolean paired(ComparisonPairing pairing) {
    return metrics.stream().anyMatch(one -> one.getPairing() == pairing && one.getP() != null);
  }

  private static void unfinished(List<ComparisonWarning> list, String which, ComparisonSide side) {
    if (side.cut()) {
      add(
          list,
          "unfinished",
          "The %s period is not over; so far it has %s."
              .formatted(
                  which, Figures.duration(Duration.between(side.from(), side.to()).toSeconds())));
    }
  }

  private void weekdays(List<ComparisonWarning> list) {
    double first = weekend(asked.a(), asked.zone());
    double second = weekend(asked.b(), asked.zone());
    if (Math.abs(first - second) > WEEKEND_DIFFERS) {
      add(
          list,
          "weekdays",
          "%.0f %% of the first period and %.0f %% of the second are weekend, which may be all that differs."
              .formatted(100 * first, 100 * second));
    }
  }

  private static double weekend(ComparisonSide side, ZoneId zone) {
    long steps = 0;
    Instant at = side.from();
    for (int i = 0; i < side.steps(); i++) {
      steps += at.atZone(zone).getDayOfWeek().getValue() > 5 ? 1 : 0;
      at = at.plus(ComparisonSide.STEP);
    }
    return (double) steps / side.steps();
  }

  private void gaps(List<ComparisonWarning> list) {
    List<ComparedMetric> with =
        metrics.stream()
            .filter(one -> one.getA().getCoverage() < ENOUGH || one.getB().getCoverage() < ENOUGH)
            .toList();
    if (!with.isEmpty()) {
      add(
          list,
          "gaps",
          "Values are missing: "
              + with.stream()
                  .limit(NAMED)
                  .map(
                      one ->
                          "%s has %.0f %% of the first period and %.0f %% of the second"
                              .formatted(
                                  one.getName(),
                                  100 * one.getA().getCoverage(),
                                  100 * one.getB().getCoverage()))
                  .collect(Collectors.joining("; "))
              + (with.size() > NAMED ? "; " + (with.size() - NAMED) + " more" : "")
              + ".");
    }
  }

  private void changes(List<ComparisonWarning> list, ComparisonQueries queries) {
    int first = changes(queries, asked.a());
    int second = changes(queries, asked.b());
    if (first + second > 0) {
      add(
          list,
          "changes",
          "Other changes of these objects may be the cause: %d in the first period, %d in the second."
              .formatted(first, second));
    }
  }

  private int changes(ComparisonQueries queries, ComparisonSide side) {
    return queries.changes(side.ids(), side.from(), side.to(), asked.change());
  }
}
