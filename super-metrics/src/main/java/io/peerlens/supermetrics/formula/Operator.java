package io.peerlens.supermetrics.formula;

/**
 * Operators between two values. Those with a lower level bind weaker; all group from the left. The
 * order is that of C and Java, which documented results force.
 */
public enum Operator {
  OR("||", 1),
  AND("&&", 2),
  EQUAL("==", 3),
  NOT_EQUAL("!=", 3),
  LESS("<", 4),
  LESS_OR_EQUAL("<=", 4),
  GREATER(">", 4),
  GREATER_OR_EQUAL(">=", 4),
  EQUALS("equals", 4),
  CONTAINS("contains", 4),
  STARTS_WITH("startsWith", 4),
  ENDS_WITH("endsWith", 4),
  ADD("+", 5),
  SUBTRACT("-", 5),
  MULTIPLY("*", 6),
  DIVIDE("/", 6),
  REMAINDER("%", 6);

  private final String text;
  private final int level;

  Operator(String text, int level) {
    this.text = text;
    this.level = level;
  }

  /** As it is written in a formula. */
  public String text() {
    return text;
  }

  int level() {
    return level;
  }

  /** Whether it asks something of a text, which only conditions of {@code where} can. */
  public boolean isTextTest() {
    return switch (this) {
      case EQUALS, CONTAINS, STARTS_WITH, ENDS_WITH -> true;
      default -> false;
    };
  }

  /** Whether it compares two values by order or equality. */
  public boolean isComparison() {
    return level == 3 || (level == 4 && !isTextTest());
  }

  /** Whether a text asks so of another; letter case counts. */
  public boolean test(String value, String of) {
    return switch (this) {
      case EQUALS -> value.equals(of);
      case CONTAINS -> value.contains(of);
      case STARTS_WITH -> value.startsWith(of);
      case ENDS_WITH -> value.endsWith(of);
      default -> throw new IllegalStateException(text + " is no test of texts");
    };
  }

  /**
   * The operator on two numbers.
   *
   * @return 1 and 0 for true and false; NaN if an operand is NaN (which {@code &&} and {@code ||}
   *     find out only when they look at it) or the result is no number, as after a division by zero
   */
  public double apply(double left, double right) {
    return switch (this) {
      case OR -> isTrue(left) ? 1 : either(left, right) ? Double.NaN : truth(right != 0);
      case AND -> left == 0 ? 0 : either(left, right) ? Double.NaN : truth(right != 0);
      case EQUAL -> compared(left, right, left == right);
      case NOT_EQUAL -> compared(left, right, left != right);
      case LESS -> compared(left, right, left < right);
      case LESS_OR_EQUAL -> compared(left, right, left <= right);
      case GREATER -> compared(left, right, left > right);
      case GREATER_OR_EQUAL -> compared(left, right, left >= right);
      case ADD -> finite(left + right);
      case SUBTRACT -> finite(left - right);
      case MULTIPLY -> finite(left * right);
      case DIVIDE -> finite(left / right);
      case REMAINDER -> left % right;
      case EQUALS, CONTAINS, STARTS_WITH, ENDS_WITH ->
          throw new IllegalStateException(text + " compares texts");
    };
  }

  /** An infinite number becomes NaN; anything else is unchanged. */
  public static double finite(double value) {
    return Double.isFinite(value) ? value : Double.NaN;
  }

  /** Whether a number counts as true: any but 0, and NaN is none. */
  public static boolean isTrue(double value) {
    return value != 0 && !Double.isNaN(value);
  }

  private static double compared(double left, double right, boolean result) {
    return either(left, right) ? Double.NaN : truth(result);
  }

  private static boolean either(double left, double right) {
    return Double.isNaN(left) || Double.isNaN(right);
  }

  private static double truth(boolean value) {
    return value ? 1 : 0;
  }
}
