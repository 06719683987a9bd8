package io.peerlens.dashboard.file;

import java.util.LinkedHashSet;
import java.util.Set;
import java.util.function.ToDoubleFunction;

/**
 * A computation over columns: numbers, names of columns, {@code + - * /} and brackets, with the
 * usual precedence. A value that is missing, or a division by zero, gives NaN.
 */
public sealed interface Expression {

  /** The most that a text may hold. */
  int LONGEST = 200;

  /** A number. */
  record Constant(double value) implements Expression {}

  /** The value of a column. */
  record Name(String name) implements Expression {}

  /** An operation; {@code operator} is one of {@code + - * /}. */
  record Operation(char operator, Expression left, Expression right) implements Expression {}

  /**
   * Reads an expression.
   *
   * @throws IllegalArgumentException if it is none; the message says what and where
   */
  static Expression parse(String text) {
    if (text.length() > LONGEST) {
      throw new IllegalArgumentException(
          "has %d characters, %d are allowed".formatted(text.length(), LONGEST));
    }
    return new Parser(text).whole();
  }

  /** The value, given those of the columns; NaN = none. */
  default double value(ToDoubleFunction<String> columns) {
    return switch (this) {
      case Constant constant -> constant.value();
      case Name name -> columns.applyAsDouble(name.name());
      case Operation operation -> {
        double left = operation.left().value(columns);
        double right = operation.right().value(columns);
        double value =
            switch (operation.operator()) {
              case '+' -> left + right;
              case '-' -> left - right;
              case '*' -> left * right;
              default -> left / right;
            };
        yield Double.isInfinite(value) ? Double.NaN : value;
      }
    };
  }

  /** Names of the columns that it reads. */
  default Set<String> names() {
    Set<String> names = new LinkedHashSet<>();
    collect(names);
    return names;
  }

  private void collect(Set<String> names) {
    switch (this) {
      case Constant constant -> {}
      case Name name -> names.add(name.name());
      case Operation operation -> {
        operation.left().collect(names);
        operation.right().collect(names);
      }
    }
  }

  /** Parser by recursive descent; the length of the text bounds its depth. */
  final class Parser {
    private final String text;
    private int at;

    private Parser(String text) {
      this.text = text;
    }

    private Expression whole() {
      Expression expression = sum();
      skip();
      if (at < text.length()) {
        throw wrong("an operator or the end");
      }
      return expression;
    }

    private Expression sum() {
      Expression left = product();
      while (next('+') || next('-')) {
        char operator = text.charAt(at++);
        left = new Operation(operator, left, product());
      }
      return left;
    }

    private Expression product() {
      Expression left = factor();
      while (next('*') || next('/')) {
        char operator = text.charAt(at++);
        left = new Operation(operator, left, factor());
      }
      return left;
    }

    private Expression factor() {
      if (next('-')) {
        at++;
        return new Operation('-', new Constant(0), factor());
      }
      if (next('(')) {
        at++;
        Expression inner = sum();
        if (!next(')')) {
          throw wrong("\")\"");
        }
        at++;
        return inner;
      }
      skip();
      int from = at;
      if (at < text.length() && isLetter(text.charAt(at))) {
        while (at < text.length() && isNamePart(text.charAt(at))) {
          at++;
        }
        return new Name(text.substring(from, at));
      }
      while (at < text.length() && (isDigit(text.charAt(at)) || text.charAt(at) == '.')) {
        at++;
      }
      if (from == at) {
        throw wrong("a number, a column or \"(\"");
      }
      try {
        return new Constant(Double.parseDouble(text.substring(from, at)));
      } catch (NumberFormatException e) {
        at = from;
        throw wrong("a number");
      }
    }

    private boolean next(char wanted) {
      skip();
      return at < text.length() && text.charAt(at) == wanted;
    }

    private void skip() {
      while (at < text.length() && text.charAt(at) == ' ') {
        at++;
      }
    }

    private static boolean isLetter(char c) {
      return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
    }

    private static boolean isDigit(char c) {
      return c >= '0' && c <= '9';
    }

    private static boolean isNamePart(char c) {
      return isLetter(c) || isDigit(c) || c == '_';
    }

    private IllegalArgumentException wrong(String expected) {
      return new IllegalArgumentException(
          "expects %s at character %d of \"%s\"".formatted(expected, at + 1, text));
    }
  }
}
