package io.peerlens.threshold;

import io.peerlens.alerttemplates.UserPattern;
import io.peerlens.api.model.BoundType;
import io.peerlens.api.model.ThresholdAlert;
import io.peerlens.api.model.ThresholdCondition;
import io.peerlens.api.model.ThresholdEdit;
import io.peerlens.api.model.ThresholdLevel;
import io.peerlens.api.model.ThresholdOverride;
import io.peerlens.api.model.ThresholdTrigger;
import io.peerlens.baselines.Sensitivity;
import io.peerlens.scope.ScopeReader;
import io.peerlens.supermetrics.formula.Keys;
import io.peerlens.web.ApiException;
import io.peerlens.web.Durations;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Conversion of thresholds from API models, which files and the database hold, too. Whatever makes
 * no sense is refused with the field that is to blame.
 */
final class ThresholdReader {

  private static final Duration LONGEST_MINIMUM = Duration.ofDays(30);

  private ThresholdReader() {}

  /**
   * Reads a threshold.
   *
   * @param path of the threshold in the body, with a point at its end, or empty
   */
  static Threshold read(UUID id, long version, String path, ThresholdEdit wanted) {
    if (wanted.getName().isBlank()) {
      throw ApiException.invalidField(path + "name", "is blank");
    }
    int interval = Durations.interval(path + "interval", wanted.getInterval(), 60);
    Condition condition = condition(path + "condition.", wanted.getCondition());
    return new Threshold(
        id,
        ScopeReader.storable(path + "name", wanted.getName()),
        storable(path + "description", wanted.getDescription()),
        !Boolean.FALSE.equals(wanted.getEnabled()),
        ScopeReader.kind(path + "objectKind", wanted.getObjectKind()),
        ScopeReader.scope(path + "scope", wanted.getScope()),
        condition,
        trigger(path + "trigger.", wanted.getTrigger()),
        special(path + "overrides", condition, list(wanted.getOverrides())),
        alert(path + "alert.", wanted.getAlert()),
        Duration.ofSeconds(interval),
        version);
  }

  private static String storable(String path, @Nullable String text) {
    return text == null ? "" : ScopeReader.storable(path, text);
  }

  private static <T> List<T> list(@Nullable List<T> given) {
    return given == null ? List.of() : given;
  }

  // ------------------------------------------------------------------------------------ condition

  private static Condition condition(String path, ThresholdCondition wanted) {
    Condition.Type type = Condition.Type.valueOf(wanted.getType().name());
    Operator operator =
        wanted.getOperator() == null ? null : Operator.valueOf(wanted.getOperator().name());
    if (type == Condition.Type.NO_DATA && operator != null) {
      throw ApiException.invalidField(path + "operator", "has no place in a no-data condition")
          .hint("Leave it out; each level says after how long without a sample it holds.");
    }
    if (type != Condition.Type.NO_DATA && operator == null) {
      throw ApiException.invalidField(path + "operator", "is missing")
          .hint("Give one such as gt, lt or outside; see ConditionOperator.");
    }
    if (type == Condition.Type.METRIC && operator != null && !operator.isForNumbers()) {
      throw ApiException.invalidField(
              path + "operator", operator.label() + " compares texts, and metrics are numbers")
          .hint("Use gt, ge, lt, le, eq, ne, inside or outside, or the type property.");
    }
    String key = ScopeReader.storable(path + "key", wanted.getKey());
    if (key.isBlank()) {
      throw ApiException.invalidField(path + "key", "is blank");
    }
    Condition condition =
        new Condition(
            type, stored(key), Boolean.TRUE.equals(wanted.getInstances()), operator, List.of());
    return condition.withLevels(levels(path + "levels", condition, wanted.getLevels()));
  }

  private static List<Level> levels(String path, Condition condition, List<ThresholdLevel> wanted) {
    if (wanted.isEmpty()) {
      throw ApiException.invalidField(path, "is empty")
          .hint("Give one level for each severity to raise.");
    }
    List<Level> levels = new ArrayList<>();
    Set<Severity> seen = EnumSet.noneOf(Severity.class);
    for (int i = 0; i < wanted.size(); i++) {
      String at = path + "[" + i + "]";
      Level level = level(at + ".", condition, wanted.get(i));
      if (!seen.add(level.severity())) {
        throw ApiException.invalidField(
            at + ".severity", level.severity().label() + " has a level already");
      }
      levels.add(level);
    }
    if (levels.stream().map(level -> level.text() == null).distinct().count() > 1) {
      throw ApiException.invalidField(path, "some levels compare numbers, others texts")
          .hint("Give every level a bound, or every level a text.");
    }
    if (levels.stream().map(ThresholdReader::isLearned).distinct().count() > 1) {
      throw ApiException.invalidField(path, "some levels use learned bounds, others do not")
          .hint(
              "Give every level a learned bound, or write two thresholds and an alert definition of"
                  + " both.");
    }
    List<Level> sorted = new ArrayList<>(levels);
    sorted.sort(Comparator.comparing(Level::severity));
    LevelOrder.check(path, condition.operator(), sorted, levels);
    return sorted;
  }

  private static boolean isLearned(Level level) {
    return level.bound() instanceof Bound.Learned;
  }

  private static Level level(String path, Condition condition, ThresholdLevel wanted) {
    Severity severity = Severity.valueOf(wanted.getSeverity().name());
    if (condition.type() == Condition.Type.NO_DATA) {
      if (wanted.getBound() != null || wanted.getUpper() != null || wanted.getText() != null) {
        throw ApiException.invalidField(path + "bound", "has no place in a no-data condition")
            .hint("Give after, for instance 15m.");
      }
      if (wanted.getAfter() == null) {
        throw ApiException.invalidField(path + "after", "is missing")
            .hint("Give for how long there must be no sample, for instance 15m.");
      }
      noClear(path, wanted, "a no-data condition ends with the next sample");
      return new Level(severity, null, null, null, null, null, Durations.parse(wanted.getAfter()));
    }
    if (wanted.getAfter() != null) {
      throw ApiException.invalidField(path + "after", "is for no-data conditions only");
    }
    Operator operator = Objects.requireNonNull(condition.operator());
    if (wanted.getText() != null) {
      return textLevel(path, severity, condition, operator, wanted);
    }
    if (!operator.isForNumbers()) {
      throw ApiException.invalidField(path + "text", "is missing")
          .hint("Give the text that " + operator.label() + " compares with.");
    }
    return wanted.getBound() != null && wanted.getBound().getType() == BoundType.LEARNED
        ? learnedLevel(path, severity, condition, operator, wanted)
        : numberLevel(path, severity, operator, wanted);
  }

  private static Level learnedLevel(
      String path,
      Severity severity,
      Condition condition,
      Operator operator,
      ThresholdLevel wanted) {
    if (condition.type() != Condition.Type.METRIC) {
      throw ApiException.invalidField(path + "bound.type", "is for metrics only")
          .hint("Nothing is learned of properties. Give a number, or the type metric.");
    }
    if (operator != Operator.GT && operator != Operator.LT && operator != Operator.OUTSIDE) {
      throw ApiException.invalidField(
              path + "bound.type", operator.label() + " does not go with a learned bound")
          .hint("Use gt for above the usual range, lt for below it, outside for either.");
    }
    if (wanted.getUpper() != null || wanted.getClearUpper() != null) {
      throw ApiException.invalidField(
              path + (wanted.getUpper() != null ? "upper" : "clearUpper"),
              "cannot be combined with a learned bound, which has both ends")
          .hint("Leave it out.");
    }
    if (wanted.getClear() != null && wanted.getClear().getType() != BoundType.LEARNED) {
      throw ApiException.invalidField(path + "clear", "must be learned as the bound is")
          .hint("Give the type learned, or leave it out.");
    }
    return new Level(
        severity,
        bound(path + "bound", wanted.getBound()),
        null,
        bound(path + "clear", wanted.getClear()),
        null,
        null,
        null);
  }

  private static Level textLevel(
      String path,
      Severity severity,
      Condition condition,
      Operator operator,
      ThresholdLevel wanted) {
    String text = ScopeReader.storable(path + "text", Objects.requireNonNull(wanted.getText()));
    if (condition.type() != Condition.Type.PROPERTY || !operator.isForTexts()) {
      throw ApiException.invalidField(
              path + "text", "is for properties, and operators that compare texts, only")
          .hint("Give a bound.");
    }
    if (wanted.getBound() != null || wanted.getUpper() != null) {
      throw ApiException.invalidField(path + "bound", "cannot be combined with a text")
          .hint("Give a bound to compare numbers, or a text to compare texts.");
    }
    noClear(path, wanted, "a text has none");
    if (operator == Operator.MATCHES || operator == Operator.NOT_MATCHES) {
      try {
        TextTest.of(operator, text);
      } catch (UserPattern.InvalidPatternException e) {
        throw ApiException.invalidField(path + "text", e.reason()).hint(e.hint());
      }
    }
    return new Level(severity, null, null, null, null, text, null);
  }

  private static void noClear(String path, ThresholdLevel wanted, String reason) {
    if (wanted.getClear() != null || wanted.getClearUpper() != null) {
      throw ApiException.invalidField(path + "clear", "has no place: " + reason);
    }
  }

  private static Level numberLevel(
      String path, Severity severity, Operator operator, ThresholdLevel wanted) {
    Bound bound = bound(path + "bound", wanted.getBound());
    if (bound == null) {
      throw ApiException.invalidField(path + "bound", "is missing")
          .hint("Give for instance {\"type\": \"number\", \"value\": 90}.");
    }
    Bound upper = bound(path + "upper", wanted.getUpper());
    if (operator.isRange() && upper == null) {
      throw ApiException.invalidField(path + "upper", "is missing")
          .hint(operator.label() + " takes a range: bound is its lower end, upper its upper end.");
    }
    if (!operator.isRange() && (upper != null || wanted.getClearUpper() != null)) {
      throw ApiException.invalidField(
          path + (upper != null ? "upper" : "clearUpper"), "is for inside and outside only");
    }
    if (operator == Operator.EQ || operator == Operator.NE) {
      noClear(path, wanted, "eq and ne have no clearing level");
    }
    Bound clear = bound(path + "clear", wanted.getClear());
    Bound clearUpper = bound(path + "clearUpper", wanted.getClearUpper());
    notLearned(path + "upper", upper);
    notLearned(path + "clear", clear);
    notLearned(path + "clearUpper", clearUpper);
    return new Level(severity, bound, upper, clear, clearUpper, null, null);
  }

  private static void notLearned(String path, @Nullable Bound bound) {
    if (bound instanceof Bound.Learned) {
      throw ApiException.invalidField(path, "is learned, and the bound is not")
          .hint("Give bound the type learned and leave upper out, or give a number.");
    }
  }

  private static @Nullable Bound bound(String path, io.peerlens.api.model.@Nullable Bound wanted) {
    if (wanted == null) {
      return null;
    }
    return switch (wanted.getType()) {
      case NUMBER -> {
        if (wanted.getValue() == null) {
          throw ApiException.invalidField(path + ".value", "is missing");
        }
        yield new Bound.Fixed(finite(path + ".value", wanted.getValue()));
      }
      case LEARNED ->
          new Bound.Learned(
              wanted.getSensitivity() == null
                  ? Sensitivity.MEDIUM
                  : Sensitivity.valueOf(wanted.getSensitivity().name()),
              deviation(path + ".minimumDeviation", wanted.getMinimumDeviation()),
              deviation(path + ".minimumRelativeDeviation", wanted.getMinimumRelativeDeviation()));
      case METRIC, PROPERTY -> {
        if (wanted.getKey() == null || wanted.getKey().isBlank()) {
          throw ApiException.invalidField(path + ".key", "is missing");
        }
        double factor =
            wanted.getFactor() == null ? 1 : finite(path + ".factor", wanted.getFactor());
        if (factor == 0) {
          throw ApiException.invalidField(path + ".factor", "is 0, so the key would not matter")
              .hint("Use the type number.");
        }
        yield new Bound.OfKey(
            wanted.getType() == BoundType.PROPERTY,
            stored(ScopeReader.storable(path + ".key", wanted.getKey())),
            factor,
            wanted.getOffset() == null ? 0 : finite(path + ".offset", wanted.getOffset()));
      }
    };
  }

  /** As it is stored: the id of a super metric in lower case. */
  private static String stored(String key) {
    UUID superMetric = Keys.superMetric(key);
    return superMetric == null ? key : Keys.superMetric(superMetric);
  }

  private static double deviation(String path, @Nullable Double wanted) {
    double deviation = wanted == null ? 0 : finite(path, wanted);
    if (deviation < 0) {
      throw ApiException.invalidField(path, "is negative").hint("Give 0 or more.");
    }
    return deviation;
  }

  private static double finite(String path, double number) {
    if (!Double.isFinite(number)) {
      throw ApiException.invalidField(path, number + " is no number to compare with");
    }
    return number;
  }

  // ------------------------------------------------------------------------------------ the rest

  private static Trigger trigger(String path, @Nullable ThresholdTrigger wanted) {
    if (wanted == null) {
      return Trigger.AT_ONCE;
    }
    int violations = Objects.requireNonNullElse(wanted.getViolations(), 1);
    int of = Objects.requireNonNullElse(wanted.getOf(), violations);
    if (of < violations) {
      throw ApiException.invalidField(
              path + "of", "%d of %d samples cannot violate".formatted(violations, of))
          .hint("Give at least " + violations + ".");
    }
    String minimum = Objects.requireNonNullElse(wanted.getMinimumDuration(), "0s");
    Duration minimumDuration = Durations.parse(minimum);
    if (minimumDuration.compareTo(LONGEST_MINIMUM) > 0) {
      throw ApiException.invalidField(path + "minimumDuration", minimum + " is longer than 30d");
    }
    return new Trigger(
        violations, of, minimumDuration, Objects.requireNonNullElse(wanted.getClearAfter(), 1));
  }

  private static List<Threshold.Special> special(
      String path, Condition condition, List<ThresholdOverride> wanted) {
    List<Threshold.Special> special = new ArrayList<>();
    for (int i = 0; i < wanted.size(); i++) {
      ThresholdOverride one = wanted.get(i);
      String at = path + "[" + i + "].";
      List<ThresholdLevel> given = list(one.getLevels());
      List<Level> levels = given.isEmpty() ? null : levels(at + "levels", condition, given);
      if (levels != null && (levels.getFirst().text() != null) != condition.isText()) {
        throw ApiException.invalidField(
            at + "levels", "must compare as the threshold does: texts, or numbers");
      }
      if (levels != null && isLearned(levels.getFirst()) != condition.isLearned()) {
        throw ApiException.invalidField(
                at + "levels", "must compare as the threshold does: with learned bounds, or not")
            .hint("Write another threshold for these objects, and switch this one off for them.");
      }
      special.add(
          new Threshold.Special(
              ScopeReader.storable(at + "name", one.getName()),
              ScopeReader.scope(at + "scope", one.getScope()),
              !Boolean.FALSE.equals(one.getEnabled()),
              levels,
              one.getTrigger() == null ? null : trigger(at + "trigger.", one.getTrigger())));
    }
    return special;
  }

  private static Threshold.@Nullable AlertSettings alert(
      String path, @Nullable ThresholdAlert wanted) {
    if (wanted == null) {
      return null;
    }
    List<String> recommendations = list(wanted.getRecommendations());
    for (int i = 0; i < recommendations.size(); i++) {
      ScopeReader.storable(path + "recommendations[" + i + "]", recommendations.get(i));
    }
    return new Threshold.AlertSettings(
        Threshold.Impact.valueOf(wanted.getImpact().name()),
        recommendations,
        wanted.getType(),
        wanted.getSubType());
  }
}
