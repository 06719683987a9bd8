package io.peerlens.threshold;

import com.google.re2j.Pattern;
import com.google.re2j.PatternSyntaxException;
import java.util.function.Predicate;
import java.util.regex.Matcher;

/** Holds the text of a property against that of a level. Letter case counts. */
final class TextTest {

  /**
   * What repetitions such as {@code {3,20}} may multiply to; each is copied when it is compiled.
   */
  private static final long MOST_COPIES = 1000;

  private static final java.util.regex.Pattern REPETITION =
      java.util.regex.Pattern.compile("\\{(\\d+)(?:,(\\d*))?}");

  private TextTest() {}

  /**
   * What is violated by a text.
   *
   * @throws PatternSyntaxException if it is to be matched and is no pattern
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
      case MATCHES -> pattern(wanted)::matches;
      case NOT_MATCHES -> {
        Pattern pattern = pattern(wanted);
        yield text -> !pattern.matches(text);
      }
      case GT, GE, LT, LE, INSIDE, OUTSIDE ->
          throw new IllegalArgumentException(operator + " is not for texts");
    };
  }

  /** RE2 matches in a time that goes by the lengths of pattern and text, whatever they are. */
  private static Pattern pattern(String wanted) {
    long copies = 1;
    for (Matcher found = REPETITION.matcher(wanted); found.find(); ) {
      long least = number(found.group(1));
      long most =
          found.group(2) == null || found.group(2).isEmpty() ? least : number(found.group(2));
      copies = Math.min(MOST_COPIES + 1, copies * Math.max(1, Math.max(least, most)));
    }
    if (copies > MOST_COPIES) {
      throw new PatternSyntaxException(
          "its repetitions multiply to more than " + MOST_COPIES, wanted);
    }
    return Pattern.compile(wanted);
  }

  private static long number(String digits) {
    return digits.length() > 6 ? MOST_COPIES + 1 : Long.parseLong(digits);
  }
}
