package io.peerlens.impact;

import io.peerlens.api.model.Change;
import io.peerlens.api.model.ComparedMetric;
import io.peerlens.api.model.Comparison;
import io.peerlens.api.model.ObjectRef;
import io.peerlens.api.model.RecordedChange;
import io.peerlens.web.ApiException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Comparisons around changes, and step by step over a long time. Thread-safe. */
public final class ChangeImpacts {

  /** As long before and after a change, as in the contract. */
  private static final Duration AROUND = Duration.ofDays(7);

  /** Steps of an index. Shorter ones would compare nights with days. */
  private static final List<Duration> STEPS =
      List.of(Duration.ofDays(1), Duration.ofDays(7), Duration.ofDays(28));

  private static final int MOST_STEPS = 26;

  /** The index of a step that is compared with itself. */
  private static final double UNCHANGED = 50;

  private final Comparisons comparisons;
  private final Goals goals;

  ChangeImpacts(Comparisons comparisons, Goals goals) {
    this.comparisons = comparisons;
    this.goals = goals;
  }

  /**
   * What a change did; one of the two is null.
   *
   * @param reason why nothing can be said
   */
  public record Judged(@Nullable Comparison comparison, @Nullable String reason) {}

  /** What a change did by now, a week before held against a week after. */
  public Judged judge(Change change, Instant now) {
    try {
      return new Judged(of(change, AROUND, AROUND, null, null, ZoneOffset.UTC, now), null);
    } catch (ApiException e) {
      return new Judged(
          null, e.errors().isEmpty() ? e.detail() : e.errors().getFirst().getReason());
    }
  }

  /**
   * What a change did by now.
   *
   * @param goal null = that of the change, else the usual one
   * @param keys metrics instead of a goal; null = those of the change
   * @throws ApiException if the change is too new, or there is no such goal
   */
  Comparison of(
      Change change,
      Duration before,
      Duration after,
      @Nullable String goal,
      @Nullable List<String> keys,
      ZoneId zone,
      Instant now) {
    RecordedChange recorded = change.getRecorded();
    Instant until =
        recorded == null || recorded.getUntil() == null ? change.getTime() : recorded.getUntil();
    Instant start = ComparisonSide.ceil(until.plusMillis(1));
    if (start.plus(ComparisonSide.SHORTEST).isAfter(now)) {
      throw ApiException.invalidParameter(
              "after", "the change was at " + until + ", less than 35 minutes ago")
          .hint("Ask again when there are at least 30 minutes of values after it.");
    }
    List<ObjectRef> objects = List.of(change.getObject());
    Instant end = ComparisonSide.floor(change.getTime());
    Comparison answer =
        comparisons.compare(
            goals.asked(
                new ComparisonSide(objects, ComparisonSide.ceil(end.minus(before)), end, false),
                ComparisonSide.until(now, objects, start, start.plus(after)),
                goal != null || recorded == null ? goal : recorded.getGoal(),
                keys != null || goal != null || recorded == null ? keys : recorded.getMetrics(),
                zone,
                Goals.RELATIVE,
                Objects.requireNonNull(change.getId()),
                ApiException::invalidParameter));
    return answer.change(change);
  }

  /**
   * Performance index over time.
   *
   * @param from start of the step that all are compared with: the first that has values
   * @param starts of all steps
   * @param values one for each step; NaN = it has not enough values
   */
  public record Index(
      String goal, Instant from, Duration step, List<Instant> starts, double[] values) {}

  /**
   * The performance index of each step of a window, by the usual goal.
   *
   * @return null if the window is shorter than two days, or no step has enough values to be
   *     compared
   * @throws ApiException if the objects have too many series
   */
  public @Nullable Index index(List<ObjectRef> objects, Instant from, Instant to) {
    Instant end = ComparisonSide.floor(to);
    Duration window = Duration.between(ComparisonSide.floor(from), end);
    Duration step =
        STEPS.stream()
            .filter(one -> window.dividedBy(one) <= MOST_STEPS)
            .findFirst()
            .orElse(STEPS.getLast());
    int count = (int) Math.min(MOST_STEPS, window.dividedBy(step));
    List<ComparisonSide> sides =
        IntStream.range(0, Math.max(0, count))
            .mapToObj(i -> end.minus(step.multipliedBy(count - i)))
            .map(start -> new ComparisonSide(objects, start, start.plus(step), false))
            .toList();
    double[] values = new double[sides.size()];
    Arrays.fill(values, Double.NaN);
    int base = 0;
    boolean compared = false;
    for (int i = 1; i < sides.size(); i++) {
      Comparison one =
          comparisons.compare(
              goals.asked(
                  sides.get(base),
                  sides.get(i),
                  Goals.USUAL,
                  null,
                  ZoneOffset.UTC,
                  Goals.RELATIVE,
                  0,
                  ApiException::invalidParameter));
      if (one.getMetrics().stream().map(ComparedMetric::getA).noneMatch(a -> a.getCoverage() > 0)) {
        base = i;
        continue;
      }
      if (one.getIndex() != null) {
        compared = true;
        values[i] = one.getIndex();
      }
    }
    if (!compared) {
      return null;
    }
    values[base] = UNCHANGED;
    return new Index(
        Goals.USUAL,
        sides.get(base).from(),
        step,
        sides.stream().map(ComparisonSide::from).toList(),
        values);
  }
}
