package io.peerlens.threshold;

import io.peerlens.api.model.PreviewSweep;
import io.peerlens.web.ApiException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The same threshold with other values for the bound of one level. */
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
        level.after() != null || (level.bound() instanceof Bound.Fixed && level.upper() == null);
    if (!isNumber) {
      throw ApiException.invalidField(
              "sweep.severity", "the level " + severity.label() + " has no single number as bound")
          .hint("Values can be tried for levels with one bound of the type number, or after.");
    }
    int steps = Objects.requireNonNullElse(wanted.getSteps(), 20);
    List<Variant> variants = new ArrayList<>();
    for (int i = 0; i < steps; i++) {
      double value = wanted.getFrom() + (wanted.getTo() - wanted.getFrom()) * i / (steps - 1);
      if (!Double.isFinite(value) || (level.after() != null && (value < 1 || value > 1e8))) {
        throw ApiException.invalidField("sweep.from", "makes no sense as a bound")
            .hint("Where there are no data, values are seconds.");
      }
      List<Level> levels = new ArrayList<>(condition.levels());
      levels.replaceAll(one -> one.equals(level) ? with(level, value) : one);
      variants.add(
          new Variant(
              value,
              new Threshold(
                  threshold.id(),
                  threshold.name(),
                  threshold.description(),
                  threshold.enabled(),
                  threshold.kind(),
                  threshold.scope(),
                  condition.withLevels(levels),
                  threshold.trigger(),
                  threshold.special(),
                  threshold.alert(),
                  threshold.interval(),
                  threshold.version())));
    }
    return variants;
  }

  private static Level with(Level level, double value) {
    if (level.after() != null) {
      return new Level(
          level.severity(), null, null, null, null, null, Duration.ofMillis((long) (value * 1e3)));
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

  private static @Nullable Bound moved(@Nullable Bound bound, double by) {
    return bound instanceof Bound.Fixed(double value) ? new Bound.Fixed(value + by) : bound;
  }
}
