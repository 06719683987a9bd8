package io.peerlens.supermetrics.formula;

import java.math.BigDecimal;
import java.util.List;
import java.util.Locale;
import java.util.StringJoiner;

/**
 * Printer of trees as formulas, with no more parentheses than needed. What it writes reads as the
 * same tree, if names and keys are such as can be written.
 */
final class Printer {

  private static final int CONDITIONAL = 0;
  private static final int UNARY = 7;
  private static final int POSTFIX = 8;

  private final StringBuilder out = new StringBuilder();

  static String print(Expr expr) {
    Printer printer = new Printer();
    printer.write(expr, CONDITIONAL);
    return printer.out.toString();
  }

  private void write(Expr expr, int least) {
    boolean brackets = level(expr) < least;
    out.append(brackets ? "(" : "");
    switch (expr) {
      case Expr.Number(double value, Span at) -> out.append(number(value));
      case Expr.Text(String value, Span at) -> quoted(value);
      case Expr.Value(Span at) -> out.append("$value");
      case Expr.OtherKey(String key, Span at) -> out.append("${metric=").append(key).append('}');
      case Expr.Fresh(Expr of, Span at) -> {
        write(of, POSTFIX);
        out.append(".isFresh()");
      }
      case Expr.Negative(Expr of, Span at) -> {
        out.append('-');
        write(of, UNARY);
      }
      case Expr.Not(Expr of, Span at) -> {
        out.append('!');
        write(of, UNARY);
      }
      case Expr.Binary(Operator operator, Expr left, Expr right, Span at) -> {
        write(left, operator.level());
        out.append(' ').append(operator.text()).append(' ');
        write(right, operator.level() + 1);
      }
      case Expr.Conditional(Expr condition, Expr yes, Expr no, Span at) -> {
        write(condition, 1);
        out.append(" ? ");
        write(yes, CONDITIONAL);
        out.append(" : ");
        write(no, CONDITIONAL);
      }
      case Expr.Array(List<Expr> members, Span at) -> list("[", members, "]");
      case Expr.Call(Function function, List<Expr> arguments, Span at) ->
          list(function.text() + "(", arguments, ")");
      case Expr.Named(Expr of, String name, Span at) -> {
        write(of, POSTFIX);
        out.append(" as ").append(name);
      }
      case Expr.Alias(String name, Span at) -> out.append(name);
      case Expr.Entry entry -> entry(entry);
      case Expr.Bad(Span at) ->
          throw new IllegalArgumentException("a formula with errors cannot be written");
    }
    out.append(brackets ? ")" : "");
  }

  private static int level(Expr expr) {
    return switch (expr) {
      case Expr.Conditional c -> CONDITIONAL;
      case Expr.Binary binary -> binary.operator().level();
      case Expr.Negative n -> UNARY;
      case Expr.Not n -> UNARY;
      default -> POSTFIX;
    };
  }

  private void list(String open, List<Expr> members, String close) {
    out.append(open);
    for (int i = 0; i < members.size(); i++) {
      out.append(i == 0 ? "" : ", ");
      write(members.get(i), CONDITIONAL);
    }
    out.append(close);
  }

  private void entry(Expr.Entry entry) {
    StringJoiner clauses = new StringJoiner(", ", "${", "}");
    if (entry.self()) {
      clauses.add("this");
    } else {
      clauses.add("adaptertype=" + entry.adapterKind());
      clauses.add("objecttype=" + entry.objectKind());
    }
    if (entry.objectName() != null) {
      clauses.add("objectname=" + entry.objectName());
    }
    if (!entry.identifiers().isEmpty()) {
      StringJoiner pairs = new StringJoiner(", ", "identifiers={", "}");
      entry.identifiers().forEach((name, value) -> pairs.add(name + "=" + value));
      clauses.add(pairs.toString());
    }
    clauses.add((entry.attribute() ? "attribute=" : "metric=") + entry.key());
    if (entry.depth() != null) {
      clauses.add("depth=" + entry.depth());
    }
    if (entry.where() != null) {
      clauses.add("where=" + where(entry.where()));
    }
    if (entry.defaultValue() != null) {
      clauses.add("defval=" + decimal(entry.defaultValue()));
    }
    out.append(clauses);
  }

  private static String where(Expr.Where where) {
    Printer inside = new Printer();
    if (where.form() == Expr.Where.Form.EXPRESSION) {
      inside.write(where.condition(), CONDITIONAL);
      return "(" + inside.out + ")";
    }
    inside.textCondition(where.condition());
    return "\"" + inside.out + "\"";
  }

  private void textCondition(Expr condition) {
    boolean negated = condition instanceof Expr.Not;
    Expr test = condition instanceof Expr.Not(Expr of, Span at) ? of : condition;
    if (!(test instanceof Expr.Binary(Operator operator, Expr left, Expr right, Span at))) {
      throw new IllegalArgumentException("no condition that can be written in quotes");
    }
    if (left instanceof Expr.OtherKey(String key, Span keyAt)) {
      out.append(key).append(' ');
    }
    out.append(negated ? "!" : "").append(operator.text()).append(' ');
    if (right instanceof Expr.Text(String value, Span textAt)) {
      out.append(value);
    } else {
      write(right, UNARY);
    }
  }

  private void quoted(String value) {
    char quote = value.indexOf('\'') < 0 ? '\'' : '"';
    out.append(quote).append(value).append(quote);
  }

  /** As {@link #number}, of any number. */
  static String decimal(double value) {
    return (value < 0 ? "-" : "") + number(Math.abs(value));
  }

  /** Digits that read as the same number, without an exponent where there is a short way. */
  static String number(double value) {
    if (value == Math.rint(value) && value < 1e15) {
      return String.format(Locale.ROOT, "%d", (long) value);
    }
    String shortest = Double.toString(value);
    return shortest.indexOf('E') >= 0 && value > 1e-7 && value < 1e21
        ? new BigDecimal(shortest).toPlainString()
        : shortest;
  }
}
