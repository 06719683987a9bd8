package io.peerlens.threshold;

import io.peerlens.api.model.PreviewSweep;
import io.peerlens.baselines.Sensitivity;
import io.peerlens.web.ApiException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** Variants of a threshold with other values for the bound of one level, or other sensitivities. */
final class Sweep {

  /** A threshold with another value. */
  record Variant(double value, Threshold threshold) {}

  private Sweep() {}

  /**
   * Makes the variants.
   *
   * @throws ApiException if the level has no number that could be another
   */
  static List<Variant> variants(Threshold threshold, PreviewSweep wanted) {
    Severity severity = Severity.valueOf(wanted.getSeverity().name());
    Condition condition = threshold.condition();
    Level level =
        condition.levels().stream()
            .filter(one -> one.severity() == severity)
            .findFirst()
            .orElseThrow(
                () ->
                    ApiException.invalidField(
                        "sweep.severity", "the threshold has no level " + severity.label()));
    boolean isNumber =
        level.after() != null
            || level.bound() instanceof Bound.Learned
            || (level.bound() instanceof Bound.Fixed && level.upper() == null);
    if (!isNumber) {
      throw ApiException.invalidField(
              "sweep.severity", "the level " + severity.label() + " has no single number as bound")
          .hint(
              "Values can be tried for levels with one bound of the type number or learned, or"
                  + " after.");
    }
    int steps = Objects.requireNonNullElse(wanted.getSteps(), 20);
    List<Variant> variants = new ArrayList<>();
    for (int i = 0; i < steps; i++) {
      double value = wanted.getFirst() + (wanted.getLast() - wanted.getFirst()) * i / (steps - 1);
      if (!Double.isFinite(value) || (level.after() != null && (value < 1 || value > 1e8))) {
        throw ApiException.invalidField("sweep.first", "makes no sense as a bound")
            .hint("Where there are no data, values are seconds.");
      }
      if (level.bound() instanceof Bound.Learned && value < 0) {
        throw ApiException.invalidField("sweep.first", "makes no sense as a deviation")
            .hint("Give 0 or more.");
      }
      List<Level> levels = new ArrayList<>(condition.levels());
      levels.replaceAll(one -> one.equals(level) ? with(level, value) : one);
      variants.add(
          new Variant(value, threshold.with(condition.withLevels(levels), threshold.special())));
    }
    return variants;
  }

  private static Level with(Level level, double value) {
    if (level.after() != null) {
      return new Level(
          level.severity(), null, null, null, null, null, Duration.ofMillis((long) (value * 1e3)));
    }
    if (level.bound() instanceof Bound.Learned bound) {
      return learned(
          level, new Bound.Learned(bound.sensitivity(), value, bound.minimumRelativeDeviation()));
    }
    Bound.Fixed before = (Bound.Fixed) Objects.requireNonNull(level.bound());
    return new Level(
        level.severity(),
        new Bound.Fixed(value),
        null,
        moved(level.clear(), value - before.value()),
        null,
        null,
        null);
  }

  /** The threshold with one sensitivity for all learned bounds, its overrides' too. */
  static Threshold at(Sensitivity sensitivity, Threshold threshold) {
    UnaryOperator<List<Level>> changed =
        levels ->
            levels.stream()
                .map(
                    level -> {
                      Bound.Learned bound = (Bound.Learned) Objects.requireNonNull(level.bound());
                      return learned(
                          level,
                          new Bound.Learned(
                              sensitivity,
                              bound.minimumDeviation(),
                              bound.minimumRelativeDeviation()));
                    })
                .toList();
    Condition condition = threshold.condition();
    return threshold.with(
        condition.withLevels(changed.apply(condition.levels())),
        threshold.special().stream()
            .map(
                one ->
                    new Threshold.Special(
                        one.name(),
                        one.scope(),
                        one.enabled(),
                        one.levels() == null ? null : changed.apply(one.levels()),
                        one.trigger()))
            .toList());
  }

  /** A level with another learned bound; where it clears is no further out. */
  private static Level learned(Level level, Bound.Learned bound) {
    Bound.Learned clear = (Bound.Learned) level.clear();
    return new Level(
        level.severity(),
        bound,
        null,
        clear == null
            ? null
            : new Bound.Learned(
                Collections.max(List.of(clear.sensitivity(), bound.sensitivity())),
                Math.min(clear.minimumDeviation(), bound.minimumDeviation()),
                Math.min(clear.minimumRelativeDeviation(), bound.minimumRelativeDeviation())),
        null,
        null,
        null);
  }

  private static @Nullable Bound moved(@Nullable Bound bound, double by) {
    return bound instanceof Bound.Fixed(double value) ? new Bound.Fixed(value + by) : bound;
  }
}
