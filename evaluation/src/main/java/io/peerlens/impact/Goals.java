package io.peerlens.impact;

import io.peerlens.api.model.ComparisonDirection;
import io.peerlens.api.model.Goal;
import io.peerlens.api.model.GoalMetric;
import io.peerlens.web.ApiException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.time.ZoneId;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

/** Goals of comparisons, from {@code impact/goals.json}. */
final class Goals {

  static final String USUAL = "balanced";

  /** The smallest change that matters, as in the contract; a body may say null. */
  static final double RELATIVE = 0.03;

  private static final String FILE = "/impact/goals.json";

  /**
   * Content of the file.
   *
   * @param lower words in keys of metrics of which lower values are better
   */
  private record Content(List<Goal> goals, List<String> lower) {}

  private final Content content;

  Goals() {
    try (InputStream file = Objects.requireNonNull(Goals.class.getResourceAsStream(FILE), FILE)) {
      content = JsonMapper.shared().readValue(file, Content.class);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  List<Goal> all() {
    return content.goals();
  }

  /** The goal of this id. */
  Goal get(String id, ApiException otherwise) {
    return content.goals().stream()
        .filter(goal -> goal.getId().equals(id))
        .findFirst()
        .orElseThrow(
            () ->
                otherwise.hint(
                    "Give one of "
                        + content.goals().stream()
                            .map(Goal::getId)
                            .collect(Collectors.joining(", "))
                        + "."));
  }

  /** Blames a field of the body, or a parameter. */
  @FunctionalInterface
  interface Blame {
    ApiException of(String what, String reason);
  }

  /** A question by the metrics of a goal, or by those that somebody names. */
  Comparisons.Asked asked(
      ComparisonSide a,
      ComparisonSide b,
      @Nullable String goal,
      @Nullable List<String> keys,
      ZoneId zone,
      double relative,
      long change,
      Blame blame) {
    if (keys == null || keys.isEmpty()) {
      String id = goal == null ? USUAL : goal;
      Goal found = get(id, blame.of("goal", "there is no goal \"" + id + "\""));
      return new Comparisons.Asked(a, b, found, found.getMetrics(), zone, relative, change);
    }
    List<GoalMetric> metrics =
        new LinkedHashSet<>(keys)
            .stream().map(key -> new GoalMetric(List.of(key), direction(key), 1.0)).toList();
    return new Comparisons.Asked(a, b, null, metrics, zone, relative, change);
  }

  /** Good direction of a metric that somebody named: as in a goal, or by a word in its key. */
  ComparisonDirection direction(String key) {
    for (Goal goal : content.goals()) {
      for (var metric : goal.getMetrics()) {
        if (metric.getKeys().contains(key)) {
          return metric.getDirection();
        }
      }
    }
    String lower = key.toLowerCase(Locale.ROOT);
    return content.lower().stream().anyMatch(word -> lower.contains(word.toLowerCase(Locale.ROOT)))
        ? ComparisonDirection.LOWER
        : ComparisonDirection.NEITHER;
  }
}
