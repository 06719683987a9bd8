package io.peerlens.supermetrics.formula;

import io.peerlens.supermetrics.formula.Issue.Code;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The condition of {@code where} in quotes: one comparison, with texts that have no quotes of their
 * own.
 */
final class TextCondition {

  private static final List<Operator> SYMBOLS =
      List.of(
          Operator.GREATER_OR_EQUAL,
          Operator.LESS_OR_EQUAL,
          Operator.EQUAL,
          Operator.NOT_EQUAL,
          Operator.GREATER,
          Operator.LESS);

  private final String text;
  private final Span inside;
  private final Clauses clauses;
  private final Issues issues;
  private final boolean strict;

  /**
   * @param inside what stands between the quotes
   * @param strict whether several comparisons are an error
   */
  TextCondition(String text, Span inside, Clauses clauses, Issues issues, boolean strict) {
    this.text = text;
    this.inside = inside;
    this.clauses = clauses;
    this.issues = issues;
    this.strict = strict;
  }

  /** The comparison; null if it cannot be read, which is noted. */
  @Nullable Expr read() {
    int compound = compound();
    if (compound >= 0 && strict) {
      issues.error(
          Code.COMPOUND_TEXT_WHERE,
          new Span(compound, compound + 2),
          "a condition in quotes is one comparison; vROps takes this and then finds no data",
          "write where=($value ... && ${metric=...} ...)");
      return null;
    }
    if (compound >= 0) {
      issues.warning(
          Code.COMPOUND_TEXT_WHERE,
          new Span(compound, compound + 2),
          "a condition in quotes is one comparison, so this is read as a part of the text",
          "write where=($value ... && ${metric=...} ...)");
    }
    Expr test = textTest();
    return test != null ? test : numberTest();
  }

  private int compound() {
    for (int i = inside.start(); i + 1 < inside.end(); i++) {
      char c = text.charAt(i);
      if ((c == '&' || c == '|') && text.charAt(i + 1) == c) {
        return i;
      }
    }
    return -1;
  }

  /** {@code [key] [!]equals text}: the first word that is a test, with blanks around it. */
  private @Nullable Expr textTest() {
    int i = inside.start();
    while (i < inside.end()) {
      int wordEnd = i;
      while (wordEnd < inside.end() && !Lexer.isBlank(text.charAt(wordEnd))) {
        wordEnd++;
      }
      boolean negated = text.charAt(i) == '!';
      Operator test = Parser.textTest(text.substring(negated ? i + 1 : i, wordEnd));
      if (test != null) {
        Span word = new Span(i, wordEnd);
        Span literal = clauses.trimmed(wordEnd, inside.end());
        Expr left = subject(clauses.trimmed(inside.start(), i), word);
        Expr right = new Expr.Text(clauses.value(literal), literal);
        Expr binary = new Expr.Binary(test, left, right, inside);
        return negated ? new Expr.Not(binary, inside) : binary;
      }
      i = Lexer.skipBlanks(text, wordEnd, inside.end());
    }
    return null;
  }

  private @Nullable Expr numberTest() {
    for (int i = inside.start(); i < inside.end(); i++) {
      for (Operator symbol : SYMBOLS) {
        if (text.startsWith(symbol.text(), i) && i + symbol.text().length() <= inside.end()) {
          Span word = new Span(i, i + symbol.text().length());
          return numberTest(symbol, word);
        }
      }
    }
    issues.error(
        Code.BAD_WHERE,
        inside,
        "a comparison is expected",
        "operators are > >= < <= == != equals contains startsWith endsWith");
    return null;
  }

  private @Nullable Expr numberTest(Operator symbol, Span word) {
    Span right = clauses.trimmed(word.end(), inside.end());
    String digits = clauses.value(right).replace('\u2013', '-').replace('\u2212', '-');
    Double number = decimal(digits);
    if (number == null) {
      issues.error(
          Code.BAD_WHERE,
          isEmpty(right) ? word : right,
          "a number is expected behind \"" + symbol.text() + "\"",
          isEmpty(right) ? null : "texts are compared by equals, other metrics by where=( ... )");
      return null;
    }
    Expr value =
        number < 0 || digits.startsWith("-")
            ? new Expr.Negative(new Expr.Number(-number, right), right)
            : new Expr.Number(number, right);
    Expr left = subject(clauses.trimmed(inside.start(), word.start()), word);
    return new Expr.Binary(symbol, left, value, inside);
  }

  private Expr subject(Span key, Span operator) {
    return isEmpty(key)
        ? new Expr.Value(operator)
        : new Expr.OtherKey(Keys.stored(clauses.value(key)), key);
  }

  private static boolean isEmpty(Span span) {
    return span.start() == span.end();
  }

  /** A number as it is written in clauses; null = it is none. */
  static @Nullable Double decimal(String word) {
    if (!word.matches("[-+]?(\\d{1,40}\\.?\\d{0,40}|\\.\\d{1,40})([eE][-+]?\\d{1,3})?")) {
      return null;
    }
    double number = Double.parseDouble(word);
    return Double.isInfinite(number) ? null : number;
  }
}
