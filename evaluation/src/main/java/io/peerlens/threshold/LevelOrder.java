package io.peerlens.threshold;

import io.peerlens.web.ApiException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Validation of levels: a worse severity must not be easier to reach than a lesser one, and
 * clearing levels lie on the good side of their bounds. Plain numbers can be compared with one
 * another, and learned bounds.
 */
final class LevelOrder {

  private LevelOrder() {}

  /**
   * Checks levels.
   *
   * @param levels by severity, the least first
   * @param given the same in the order of the request
   */
  static void check(
      String path, @Nullable Operator operator, List<Level> levels, List<Level> given) {
    for (int i = 0; i < levels.size(); i++) {
      Level level = levels.get(i);
      String at = path + "[" + given.indexOf(level) + "].";
      if (operator != null && level.bound() != null) {
        ends(at, operator, level);
        clearing(at, operator, level);
      }
      if (i > 0) {
        worse(at, operator, levels.get(i - 1), level);
      }
    }
  }

  private static void ends(String at, Operator operator, Level level) {
    double lower = number(level.bound());
    double upper = number(level.upper());
    if (operator.isRange() && lower > upper) {
      throw ApiException.invalidField(
          at + "upper", "%s is below the lower end, %s".formatted(text(upper), text(lower)));
    }
  }

  private static void clearing(String at, Operator operator, Level level) {
    if (isFurtherOut(level.clear(), level.bound())) {
      throw ApiException.invalidField(at + "clear", "lies further out than the bound")
          .hint("Give a sensitivity that is at least the bound's, and no larger deviations.");
    }
    double bound = number(level.bound());
    double clear = number(level.clear());
    boolean below =
        operator == Operator.GT || operator == Operator.GE || operator == Operator.INSIDE;
    if (below ? clear > bound : clear < bound) {
      throw ApiException.invalidField(
              at + "clear",
              "%s lies on the violating side of the bound %s".formatted(text(clear), text(bound)))
          .hint("Give at " + (below ? "most" : "least") + " " + text(bound) + ".");
    }
    double upper = number(level.upper());
    double clearUpper = number(level.clearUpper());
    boolean above = operator == Operator.INSIDE;
    if (above ? clearUpper < upper : clearUpper > upper) {
      throw ApiException.invalidField(
              at + "clearUpper",
              "%s lies on the violating side of the bound %s"
                  .formatted(text(clearUpper), text(upper)))
          .hint("Give at " + (above ? "least" : "most") + " " + text(upper) + ".");
    }
  }

  private static void worse(String at, @Nullable Operator operator, Level lesser, Level level) {
    if (level.after() != null && lesser.after() != null) {
      if (level.after().compareTo(lesser.after()) < 0) {
        throw easier(at + "after", level, lesser);
      }
      return;
    }
    if (operator == null || operator == Operator.EQ || operator == Operator.NE) {
      return;
    }
    if (isFurtherOut(lesser.bound(), level.bound())) {
      throw easier(at + "bound", level, lesser);
    }
    double bound = number(level.bound());
    double before = number(lesser.bound());
    boolean grows =
        operator == Operator.GT || operator == Operator.GE || operator == Operator.INSIDE;
    if (grows ? bound < before : bound > before) {
      throw easier(at + "bound", level, lesser);
    }
    double upper = number(level.upper());
    double upperBefore = number(lesser.upper());
    boolean shrinks = operator == Operator.INSIDE;
    if (shrinks ? upper > upperBefore : upper < upperBefore) {
      throw easier(at + "upper", level, lesser);
    }
  }

  private static ApiException easier(String field, Level level, Level lesser) {
    return ApiException.invalidField(
            field,
            "%s is easier to reach than %s"
                .formatted(level.severity().label(), lesser.severity().label()))
        .hint(
            "Order the levels so that a worse severity takes a worse value, or with learned bounds"
                + " no higher sensitivity and no smaller deviations.");
  }

  /** Whether both are learned and one lies further out than the other, if only in one respect. */
  private static boolean isFurtherOut(@Nullable Bound one, @Nullable Bound other) {
    return one instanceof Bound.Learned first
        && other instanceof Bound.Learned second
        && (first.sensitivity().compareTo(second.sensitivity()) < 0
            || first.minimumDeviation() > second.minimumDeviation()
            || first.minimumRelativeDeviation() > second.minimumRelativeDeviation());
  }

  /** NaN, which is neither above nor below anything, unless it is a plain number. */
  private static double number(@Nullable Bound bound) {
    return bound instanceof Bound.Fixed(double value) ? value : Double.NaN;
  }

  private static String text(double number) {
    return number == Math.rint(number) && Math.abs(number) < 1e15
        ? Long.toString((long) number)
        : Double.toString(number);
  }
}
