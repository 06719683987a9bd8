package io.peerlens.threshold;

import com.google.re2j.Pattern;
import io.peerlens.alerttemplates.UserPattern;
import java.util.function.Predicate;

/** Comparison of the text of a property with that of a level. Letter case counts. */
final class TextTest {

  private TextTest() {}

  /**
   * Level that a text violates.
   *
   * @throws UserPattern.InvalidPatternException if it is to be matched and cannot be used
   */
  static Predicate<String> of(Operator operator, String wanted) {
    return switch (operator) {
      case EQ -> wanted::equals;
      case NE -> text -> !text.equals(wanted);
      case CONTAINS -> text -> text.contains(wanted);
      case NOT_CONTAINS -> text -> !text.contains(wanted);
      case STARTS_WITH -> text -> text.startsWith(wanted);
      case NOT_STARTS_WITH -> text -> !text.startsWith(wanted);
      case ENDS_WITH -> text -> text.endsWith(wanted);
      case NOT_ENDS_WITH -> text -> !text.endsWith(wanted);
      case MATCHES -> UserPattern.compile(wanted)::matches;
      case NOT_MATCHES -> {
        Pattern pattern = UserPattern.compile(wanted);
        yield text -> !pattern.matches(text);
      }
      case GT, GE, LT, LE, INSIDE, OUTSIDE ->
          throw new IllegalArgumentException(operator + " is not for texts");
    };
  }
}
