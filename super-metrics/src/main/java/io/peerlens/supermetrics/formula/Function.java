package io.peerlens.supermetrics.formula;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.DoubleBinaryOperator;
import java.util.function.DoubleUnaryOperator;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Functions of the language: name, arguments, meaning and examples in one place. The list is that
 * of the product manuals, unchanged from vCenter Operations 5.0 to VCF Operations 9.0.
 */
public enum Function {
  AVG(
      "Mean of all values; no value if there are none",
      Example.of("avg([1, 2, 6])", 3),
      Example.of("avg([1, sqrt(-1), 3])", 2)),
  COMBINE(
      "All values of its argument as one set, for use inside another looping function",
      Example.of("sum(combine([1, 2, 3]))", 6)),
  COUNT(
      "How many values there are, text values too; 0 if there are none",
      Example.of("count([3, 5, 7])", 3),
      Example.of("count([sqrt(-1)])", 0)),
  MAX(
      "Greatest value; no value if there are none",
      Example.of("max([1, 7, 3])", 7),
      Example.of("max([sqrt(-1), 0])", 0)),
  MIN(
      "Least value; no value if there are none",
      Example.of("min([1, 2, 3])", 1),
      Example.of("min([2, max([1, 5])])", 2)),
  SUM(
      "Sum of all values; no value if there are none",
      Example.of("sum([1, 2, 3])", 6),
      Example.of("sum([1, 2, 3] * 2)", 12)),

  ABS("Absolute value", Math::abs, Example.of("abs(-2.5)", 2.5)),
  ACOS("Angle in radians whose cosine is x, from -1 to 1", Math::acos, Example.of("acos(1)", 0)),
  ASIN("Angle in radians whose sine is x, from -1 to 1", Math::asin, Example.of("asin(0)", 0)),
  ATAN("Angle in radians whose tangent is x", Math::atan, Example.of("atan(0)", 0)),
  CEIL(
      "Least whole number that is not less than x",
      Math::ceil,
      Example.of("ceil(2.1)", 3),
      Example.of("ceil(-2.1)", -2)),
  COS("Cosine of an angle in radians", Math::cos, Example.of("cos(0)", 1)),
  COSH("Hyperbolic cosine", Math::cosh, Example.of("cosh(0)", 1)),
  EXP("e to the power of x", Math::exp, Example.of("exp(0)", 1)),
  FLOOR(
      "Greatest whole number that is not greater than x; floor(x * 100 + 0.5) / 100 rounds to two"
          + " decimals",
      Math::floor,
      Example.of("floor(2.9)", 2),
      Example.of("floor(2.345 * 10 + 0.5) / 10", 2.3)),
  LOG(
      "Natural logarithm; no value unless x is greater than 0",
      Math::log,
      Example.of("log(1)", 0),
      Example.of("log(0)", Double.NaN)),
  LOG10(
      "Logarithm to base 10; no value unless x is greater than 0",
      Math::log10,
      Example.of("log10(1000)", 3)),
  POW("x to the power of y", (DoubleBinaryOperator) Math::pow, Example.of("pow(2, 10)", 1024)),
  RAND(
      "A random number from 0 to below 1, another one for each object and moment; the same again"
          + " when that moment is computed again",
      Example.of("rand() < 1", 1)),
  SIN("Sine of an angle in radians", Math::sin, Example.of("sin(0)", 0)),
  SINH("Hyperbolic sine", Math::sinh, Example.of("sinh(0)", 0)),
  SQRT(
      "Square root; no value if x is less than 0",
      Math::sqrt,
      Example.of("sqrt(9)", 3),
      Example.of("sqrt(-1)", Double.NaN)),
  TAN("Tangent of an angle in radians", Math::tan, Example.of("tan(0)", 0)),
  TANH("Hyperbolic tangent", Math::tanh, Example.of("tanh(0)", 0));

  /**
   * A formula and what it yields.
   *
   * @param value NaN = no value
   */
  public record Example(String formula, double value) {
    static Example of(String formula, double value) {
      return new Example(formula, value);
    }
  }

  private static final Map<String, Function> BY_NAME =
      Arrays.stream(values()).collect(Collectors.toUnmodifiableMap(Function::text, f -> f));

  private final String summary;
  private final int arguments;
  private final boolean looping;
  private final transient @Nullable DoubleUnaryOperator unary;
  private final transient @Nullable DoubleBinaryOperator binary;
  private final transient List<Example> examples;

  /** A looping function, or rand, which takes nothing. */
  Function(String summary, Example... examples) {
    this.summary = summary;
    this.looping = !name().equals("RAND");
    this.arguments = looping ? 1 : 0;
    this.unary = null;
    this.binary = null;
    this.examples = List.of(examples);
  }

  Function(String summary, DoubleUnaryOperator unary, Example... examples) {
    this.summary = summary;
    this.looping = false;
    this.arguments = 1;
    this.unary = unary;
    this.binary = null;
    this.examples = List.of(examples);
  }

  Function(String summary, DoubleBinaryOperator binary, Example... examples) {
    this.summary = summary;
    this.looping = false;
    this.arguments = 2;
    this.unary = null;
    this.binary = binary;
    this.examples = List.of(examples);
  }

  /** The function of a name in any letter case; null = there is none. */
  public static @Nullable Function named(String name) {
    return BY_NAME.get(name.toLowerCase(Locale.ROOT));
  }

  /** Names of all functions, as they are written. */
  public static List<String> names() {
    return Arrays.stream(values()).map(Function::text).toList();
  }

  /** Name as it is written in a formula. */
  public String text() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** How it is called, for instance {@code pow(x, y)}. */
  public String signature() {
    return text()
        + switch (arguments) {
          case 0 -> "()";
          case 1 -> looping ? "(set)" : "(x)";
          default -> "(x, y)";
        };
  }

  /** What it yields, without a full stop. */
  public String summary() {
    return summary;
  }

  /** How many arguments it takes. */
  public int arguments() {
    return arguments;
  }

  /** Whether it makes one number of a set. */
  public boolean isLooping() {
    return looping;
  }

  /** Formulas without data that show what it does. */
  public List<Example> examples() {
    return examples;
  }

  /**
   * The function of one number.
   *
   * @throws IllegalStateException if it takes another number of arguments
   */
  public DoubleUnaryOperator unary() {
    if (unary == null) {
      throw new IllegalStateException(this + " is no function of one number");
    }
    return unary;
  }

  /**
   * The function of two numbers.
   *
   * @throws IllegalStateException if it takes another number of arguments
   */
  public DoubleBinaryOperator binary() {
    if (binary == null) {
      throw new IllegalStateException(this + " is no function of two numbers");
    }
    return binary;
  }
}
