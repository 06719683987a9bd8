package io.peerlens.threshold;

import io.peerlens.scope.Scope;
import io.peerlens.supermetrics.formula.ObjectKind;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A condition on a metric or property of every object of a kind. An object that meets it has a
 * symptom.
 *
 * @param kind never {@code *}
 * @param scope which objects of the kind
 * @param special other settings for some objects, in order; the last that matches one decides
 * @param alert what an alert of this threshold alone says; null = it has none of its own
 * @param interval a multiple of 5 s
 * @param version its ETag, from 1
 */
public record Threshold(
    UUID id,
    String name,
    String description,
    boolean enabled,
    ObjectKind kind,
    Scope scope,
    Condition condition,
    Trigger trigger,
    List<Special> special,
    @Nullable AlertSettings alert,
    Duration interval,
    long version) {

  public Threshold {
    special = List.copyOf(special);
  }

  /** The same with other levels. */
  Threshold with(Condition other, List<Special> others) {
    return new Threshold(
        id,
        name,
        description,
        enabled,
        kind,
        scope,
        other,
        trigger,
        others,
        alert,
        interval,
        version);
  }

  /** Metrics and properties that are read to judge it. */
  public Set<String> keys() {
    Set<String> keys = new TreeSet<>();
    keys.add(condition.key());
    collect(condition.levels(), keys);
    for (Special one : special) {
      if (one.levels() != null) {
        collect(one.levels(), keys);
      }
    }
    return keys;
  }

  private static void collect(List<Level> levels, Set<String> keys) {
    for (Level level : levels) {
      Stream.of(level.bound(), level.upper(), level.clear(), level.clearUpper())
          .forEach(
              bound -> {
                if (bound instanceof Bound.OfKey read) {
                  keys.add(read.key());
                }
              });
    }
  }

  /**
   * Override: other settings for some objects.
   *
   * @param enabled whether they are judged
   * @param levels null = as the threshold
   * @param trigger null = as the threshold
   */
  public record Special(
      String name,
      Scope scope,
      boolean enabled,
      @Nullable List<Level> levels,
      @Nullable Trigger trigger) {}

  /** Aspect of an object that suffers. */
  public enum Impact {
    HEALTH,
    RISK,
    EFFICIENCY
  }

  /**
   * Texts of an alert.
   *
   * @param recommendations what to do, one step each
   */
  public record AlertSettings(
      Impact impact,
      List<String> recommendations,
      @Nullable String type,
      @Nullable String subType) {

    public AlertSettings {
      recommendations = List.copyOf(recommendations);
    }
  }
}
