package io.peerlens.supermetrics.formula;

import io.peerlens.supermetrics.formula.Issue.Code;
import io.peerlens.supermetrics.formula.Lexer.Kind;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Recursive descent, one method for each production:
 *
 * <pre>
 * formula     = expr END
 * expr        = or [ "?" expr ":" expr ]
 * or          = and { "||" and }
 * and         = equality { "&amp;&amp;" equality }
 * equality    = relation { ("==" | "!=") relation }
 * relation    = sum { ("&lt;" | "&lt;=" | "&gt;" | "&gt;=" | test) sum }
 * test        = [ "!" ] ("equals" | "contains" | "startsWith" | "endsWith")      only in where
 * sum         = product { ("+" | "-") product }
 * product     = unary { ("*" | "/" | "%") unary }
 * unary       = ("-" | "+" | "!") unary | postfix
 * postfix     = primary { "as" name } | primary "." "isFresh" "(" ")"            the latter only in where
 * primary     = number | "(" expr ")" | array | call | entry | name
 *             | "$value" | text                                                  only in where
 * array       = "[" expr { "," expr } "]"
 * call        = name "(" [ expr { "," expr } ] ")"
 * entry       = "${" ... "}"                                                     EntryParser
 * </pre>
 *
 * <p>After a mistake it goes on behind the nearest closing bracket or comma, so that one reading
 * finds the mistakes of several arguments. It reads every character a bounded number of times.
 */
final class Parser {

  /** Thrown at a mistake that has been noted, up to where reading can go on. */
  @SuppressWarnings("serial")
  private static final class Unreadable extends RuntimeException {
    Unreadable() {
      super(null, null, false, false);
    }
  }

  private final String text;
  private final Lexer tokens;
  private final Issues issues;
  private final FormulaLimits limits;
  private final boolean condition;
  private final Map<String, Expr.Named> names;
  private final EntryParser entries;
  private int depth;
  private int operators;

  private Parser(
      String text,
      Lexer tokens,
      Issues issues,
      FormulaLimits limits,
      boolean condition,
      Map<String, Expr.Named> names,
      EntryParser entries) {
    this.text = text;
    this.tokens = tokens;
    this.issues = issues;
    this.limits = limits;
    this.condition = condition;
    this.names = names;
    this.entries = entries;
  }

  /**
   * A tree and its aliases.
   *
   * @param names by name in lower case
   */
  record Parsed(Expr tree, Map<String, Expr.Named> names) {}

  static Parsed formula(String text, Issues issues, FormulaLimits limits, boolean strict) {
    Map<String, Expr.Named> names = new HashMap<>();
    EntryParser entries = new EntryParser(text, issues, limits, strict);
    Lexer tokens = new Lexer(text, 0, text.length());
    Parser parser = new Parser(text, tokens, issues, limits, false, names, entries);
    return new Parsed(parser.whole("a formula"), names);
  }

  /** The expression of a condition, {@code where=( ... )}, between its parentheses. */
  static Expr condition(
      String text, int from, int end, Issues issues, FormulaLimits limits, EntryParser entries) {
    Lexer tokens = new Lexer(text, from, end);
    return new Parser(text, tokens, issues, limits, true, new HashMap<>(), entries)
        .whole("a condition");
  }

  private Expr whole(String what) {
    Expr tree;
    try {
      if (tokens.kind() == Kind.END) {
        issues.error(Code.SYNTAX, tokens.at(), what + " is expected, but there is nothing");
        return new Expr.Bad(tokens.at());
      }
      tree = expr();
      if (tokens.kind() != Kind.END) {
        unexpected("an operator or the end");
      }
    } catch (Unreadable e) {
      return new Expr.Bad(new Span(0, text.length()));
    }
    return tree;
  }

  private Expr expr() {
    deeper();
    Expr condition = or();
    if (tokens.kind() == Kind.QUESTION) {
      tokens.next();
      Expr yes = expr();
      expect(Kind.COLON, "\":\" and what holds otherwise");
      Expr no = expr();
      condition = new Expr.Conditional(condition, yes, no, condition.at().to(no.at()));
    }
    depth--;
    return condition;
  }

  private Expr or() {
    Expr left = and();
    while (tokens.kind() == Kind.OR) {
      tokens.next();
      left = binary(Operator.OR, left, and());
    }
    return left;
  }

  private Expr and() {
    Expr left = equality();
    while (tokens.kind() == Kind.AND) {
      tokens.next();
      left = binary(Operator.AND, left, equality());
    }
    return left;
  }

  private Expr equality() {
    Expr left = relation();
    while (tokens.kind() == Kind.EQUAL || tokens.kind() == Kind.NOT_EQUAL) {
      Operator operator = tokens.kind() == Kind.EQUAL ? Operator.EQUAL : Operator.NOT_EQUAL;
      tokens.next();
      left = binary(operator, left, relation());
    }
    return left;
  }

  private Expr relation() {
    Expr left = sum();
    while (true) {
      Operator operator =
          switch (tokens.kind()) {
            case LESS -> Operator.LESS;
            case LESS_OR_EQUAL -> Operator.LESS_OR_EQUAL;
            case GREATER -> Operator.GREATER;
            case GREATER_OR_EQUAL -> Operator.GREATER_OR_EQUAL;
            default -> null;
          };
      if (operator != null) {
        tokens.next();
        left = binary(operator, left, sum());
        continue;
      }
      boolean negated = tokens.kind() == Kind.BANG && tokens.nameFollowsAtOnce();
      Operator test = textTest(negated ? tokens.ahead() : tokens);
      if (test == null) {
        return left;
      }
      Span at = tokens.at();
      if (negated) {
        tokens.next();
      }
      if (!condition) {
        issues.error(
            Code.TEXT_OUTSIDE_WHERE,
            at.to(tokens.at()),
            "\"" + test.text() + "\" compares texts, which only conditions of where can",
            "write count(${..., where=($value " + test.text() + " '...')})");
      }
      tokens.next();
      if (tokens.kind() == Kind.NAME && tokens.ahead().kind() != Kind.LEFT_PAREN) {
        issues.error(
            Code.SYNTAX,
            tokens.at(),
            "a text in quotes is expected behind \"" + test.text() + "\"",
            "write '" + tokens.value() + "'");
        throw new Unreadable();
      }
      Expr right = sum();
      left = binary(test, left, right);
      if (negated) {
        left = new Expr.Not(left, left.at());
      }
    }
  }

  private static @Nullable Operator textTest(Lexer tokens) {
    return tokens.kind() == Kind.NAME ? textTest(tokens.value()) : null;
  }

  static @Nullable Operator textTest(String word) {
    return switch (word.toLowerCase(Locale.ROOT)) {
      case "equals" -> Operator.EQUALS;
      case "contains" -> Operator.CONTAINS;
      case "startswith" -> Operator.STARTS_WITH;
      case "endswith" -> Operator.ENDS_WITH;
      default -> null;
    };
  }

  private Expr sum() {
    Expr left = product();
    while (tokens.kind() == Kind.PLUS || tokens.kind() == Kind.MINUS) {
      Operator operator = tokens.kind() == Kind.PLUS ? Operator.ADD : Operator.SUBTRACT;
      tokens.next();
      left = binary(operator, left, product());
    }
    return left;
  }

  private Expr product() {
    Expr left = unary();
    while (true) {
      Operator operator =
          switch (tokens.kind()) {
            case TIMES -> Operator.MULTIPLY;
            case SLASH -> Operator.DIVIDE;
            case PERCENT -> Operator.REMAINDER;
            default -> null;
          };
      if (operator == null) {
        return left;
      }
      int sign = tokens.start();
      tokens.next();
      if (operator == Operator.DIVIDE && tokens.start() == sign + 1) {
        if (tokens.kind() == Kind.TIMES || tokens.kind() == Kind.SLASH) {
          issues.error(
              Code.SYNTAX,
              new Span(sign, sign + 2),
              "the language has no comments",
              "put the remark into the description");
          throw new Unreadable();
        }
      }
      if (operator == Operator.REMAINDER && !isValueStart(tokens.kind())) {
        issues.error(
            Code.SYNTAX,
            new Span(sign, sign + 1),
            "% is the remainder of a division, as in a % b",
            "write 60 for 60 %");
        throw new Unreadable();
      }
      left = binary(operator, left, unary());
    }
  }

  private static boolean isValueStart(Kind kind) {
    return switch (kind) {
      case NUMBER, NAME, TEXT, VALUE, ENTRY, LEFT_PAREN, LEFT_BRACKET, BANG, PLUS, MINUS -> true;
      default -> false;
    };
  }

  private Expr unary() {
    Span at = tokens.at();
    switch (tokens.kind()) {
      case MINUS -> {
        tokens.next();
        deeper();
        Expr of = unary();
        depth--;
        return new Expr.Negative(of, at.to(of.at()));
      }
      case PLUS -> {
        tokens.next();
        deeper();
        Expr of = unary();
        depth--;
        return of;
      }
      case BANG -> {
        tokens.next();
        deeper();
        Expr of = unary();
        depth--;
        return new Expr.Not(of, at.to(of.at()));
      }
      default -> {
        return postfix();
      }
    }
  }

  private Expr postfix() {
    Expr of = primary();
    if (tokens.kind() == Kind.DOT) {
      return fresh(of);
    }
    int before = depth;
    while (tokens.kind() == Kind.NAME && tokens.value().equalsIgnoreCase("as")) {
      tokens.next();
      Span at = tokens.at();
      String name = tokens.value();
      if (tokens.kind() != Kind.NAME) {
        unexpected("a name beginning with a letter behind \"as\"");
      }
      tokens.next();
      deeper(); // as many names as levels: the tree is walked recursively
      Expr.Named named = new Expr.Named(of, name, of.at().to(at));
      define(named, at);
      of = named;
    }
    depth = before;
    return of;
  }

  private void define(Expr.Named named, Span at) {
    String name = named.name();
    if (condition) {
      issues.error(Code.BAD_WHERE, at, "a condition of where cannot give names");
    } else if (Function.named(name) != null || name.equalsIgnoreCase("as")) {
      issues.error(
          Code.DUPLICATE_ALIAS,
          at,
          "\"" + name + "\" is a word of the language and cannot be an alias");
    } else if (names.putIfAbsent(name.toLowerCase(Locale.ROOT), named) != null) {
      issues.error(
          Code.DUPLICATE_ALIAS,
          at,
          "the alias \"" + name + "\" is given twice",
          "letter case does not tell aliases apart");
    }
  }

  private Expr fresh(Expr of) {
    tokens.next();
    if (tokens.kind() != Kind.NAME || !tokens.value().equalsIgnoreCase("isFresh")) {
      unexpected("\"isFresh()\" behind the dot");
    }
    Span at = of.at().to(tokens.at());
    tokens.next();
    expect(Kind.LEFT_PAREN, "\"()\" behind isFresh");
    at = at.to(tokens.at());
    expect(Kind.RIGHT_PAREN, "\")\", since isFresh takes nothing");
    boolean allowed = of instanceof Expr.Value || of instanceof Expr.OtherKey;
    if (!condition || !allowed) {
      issues.error(
          Code.BAD_WHERE,
          at,
          "isFresh() can only be asked of $value or ${metric=...} in where=( ... )");
    }
    return new Expr.Fresh(of, at);
  }

  private Expr primary() {
    Span at = tokens.at();
    String word = tokens.value();
    switch (tokens.kind()) {
      case NUMBER -> {
        return number(word, at);
      }
      case LEFT_PAREN -> {
        tokens.next();
        Expr inside = bracketed(Kind.RIGHT_PAREN, "an operator or \")\"");
        return inside;
      }
      case LEFT_BRACKET -> {
        tokens.next();
        return array(at);
      }
      case ENTRY -> {
        return entry(at);
      }
      case NAME -> {
        tokens.next();
        if (tokens.kind() == Kind.LEFT_PAREN) {
          return call(word, at);
        }
        return name(word, at);
      }
      case VALUE, TEXT -> {
        Kind kind = tokens.kind();
        tokens.next();
        if (!condition) {
          issues.error(
              kind == Kind.VALUE ? Code.BAD_WHERE : Code.TEXT_OUTSIDE_WHERE,
              at,
              (kind == Kind.VALUE ? "$value" : "a text in quotes")
                  + " has a meaning in conditions of where only");
        }
        return kind == Kind.VALUE ? new Expr.Value(at) : new Expr.Text(word, at);
      }
      default ->
          throw unexpected(
              "a number, \"(\", \"[\", a function or \"${\""
                  + (condition ? ", $value or a text in quotes" : ""));
    }
  }

  private Expr number(String word, Span at) {
    double value = Double.parseDouble(word);
    tokens.next();
    if (Double.isInfinite(value)) {
      issues.error(Code.SYNTAX, at, "the number " + word + " is too large");
      value = 0;
    }
    if (tokens.kind() == Kind.NAME && !mayFollowNumber(tokens.value())) {
      issues.error(
          Code.SYNTAX,
          tokens.at(),
          "a number takes no unit",
          "convert by hand, for instance \"/ 1024\"");
      throw new Unreadable();
    }
    return new Expr.Number(value, at);
  }

  private static boolean mayFollowNumber(String word) {
    return switch (word.toLowerCase(Locale.ROOT)) {
      case "as", "and", "or", "not", "isfresh" -> true;
      default -> textTest(word) != null;
    };
  }

  private Expr name(String word, Span at) {
    if (word.equalsIgnoreCase("not") && tokens.kind() != Kind.END) {
      issues.error(Code.SYNTAX, at, "\"not\" is no operator", "write \"!\"");
      throw new Unreadable();
    }
    if (condition) {
      issues.error(
          Code.BAD_WHERE,
          at,
          "a condition of where knows no name \"" + word + "\"",
          "write $value, ${metric=" + word + "} or '" + word + "'");
      throw new Unreadable();
    }
    return new Expr.Alias(word, at);
  }

  private Expr array(Span open) {
    List<Expr> members = new ArrayList<>();
    Span at = open;
    if (condition) {
      issues.error(Code.BAD_WHERE, open, "a condition of where takes no array");
    }
    if (tokens.kind() == Kind.RIGHT_BRACKET) {
      issues.error(Code.SYNTAX, tokens.at(), "an array cannot be empty");
      throw new Unreadable();
    }
    do {
      members.add(argument(Kind.RIGHT_BRACKET, "an operator, \",\" or \"]\""));
    } while (nextArgument());
    at = at.to(tokens.at());
    expect(Kind.RIGHT_BRACKET, "\",\" or \"]\"");
    return new Expr.Array(members, at);
  }

  private boolean nextArgument() {
    if (tokens.kind() != Kind.COMMA) {
      return false;
    }
    tokens.next();
    return true;
  }

  private Expr call(String name, Span nameAt) {
    tokens.next();
    List<Expr> arguments = new ArrayList<>();
    if (tokens.kind() != Kind.RIGHT_PAREN) {
      do {
        arguments.add(argument(Kind.RIGHT_PAREN, "an operator, \",\" or \")\""));
      } while (nextArgument());
    }
    Span at = nameAt.to(tokens.at());
    expect(Kind.RIGHT_PAREN, "\",\" or \")\"");
    Function function = Function.named(name);
    if (function == null) {
      unknownFunction(name, nameAt);
      return new Expr.Bad(at);
    }
    if (condition && (function.isLooping() || function == Function.RAND)) {
      issues.error(
          Code.BAD_WHERE,
          nameAt,
          "a condition is asked of one value, so it takes no " + function.signature());
      return new Expr.Bad(at);
    }
    if (arguments.size() != function.arguments()) {
      issues.error(
          Code.WRONG_ARGUMENT_COUNT,
          at,
          function.signature()
              + " takes "
              + switch (function.arguments()) {
                case 0 -> "nothing";
                case 1 -> "one argument";
                default -> function.arguments() + " arguments";
              }
              + ", not "
              + arguments.size(),
          function.isLooping() && arguments.size() > 1
              ? "put several values into an array: " + function.text() + "([a, b])"
              : null);
      return new Expr.Bad(at);
    }
    return new Expr.Call(function, arguments, at);
  }

  private void unknownFunction(String name, Span at) {
    String lower = name.toLowerCase(Locale.ROOT);
    if (lower.endsWith("n") && Function.named(lower.substring(0, lower.length() - 1)) != null) {
      Function loop = Function.named(lower.substring(0, lower.length() - 1));
      if (loop != null && loop.isLooping()) {
        issues.error(
            Code.OLD_SPELLING,
            at,
            "\"" + name + "\" is the spelling of vCenter Operations 5",
            "write " + loop.text() + "(${adaptertype=..., objecttype=..., metric=..., depth=N})");
        return;
      }
    }
    String instead =
        switch (lower) {
          case "round" -> "write floor(x + 0.5)";
          case "if" -> "write condition ? a : b";
          case "mod" -> "write a % b";
          case "power" -> "write pow(x, y)";
          case "not" -> "write !x";
          case "and" -> "write a && b";
          case "or" -> "write a || b";
          default -> {
            String near = Nearest.of(name, Function.names());
            yield near == null
                ? "functions are " + String.join(", ", Function.names())
                : "did you mean " + near + "?";
          }
        };
    issues.error(Code.UNKNOWN_FUNCTION, at, "unknown function \"" + name + "\"", instead);
  }

  /**
   * Reads one of several values between brackets; after a mistake in it the others are read too.
   */
  private Expr argument(Kind close, String expected) {
    Span start = tokens.at();
    int before = depth;
    try {
      Expr value = expr();
      if (tokens.kind() != Kind.COMMA && tokens.kind() != close) {
        unexpected(expected);
      }
      return value;
    } catch (Unreadable e) {
      depth = before;
      skipTo(true);
      return new Expr.Bad(start.to(tokens.at()));
    }
  }

  private Expr bracketed(Kind close, String expected) {
    Span start = tokens.at();
    int before = depth;
    Expr value;
    try {
      value = expr();
      if (tokens.kind() != close) {
        unexpected(expected);
      }
    } catch (Unreadable e) {
      depth = before;
      skipTo(false);
      value = new Expr.Bad(start.to(tokens.at()));
    }
    expect(close, expected);
    return value;
  }

  /** Skips to the bracket that closes what is open here, or to a comma of this level. */
  private void skipTo(boolean comma) {
    int open = 0;
    while (tokens.kind() != Kind.END) {
      switch (tokens.kind()) {
        case LEFT_PAREN, LEFT_BRACKET -> open++;
        case RIGHT_PAREN, RIGHT_BRACKET -> {
          if (open == 0) {
            return;
          }
          open--;
        }
        case COMMA -> {
          if (comma && open == 0) {
            return;
          }
        }
        case ENTRY -> {
          tokens.continueAt(entries.skip(tokens.at().end()));
          continue;
        }
        default -> {}
      }
      tokens.next();
    }
  }

  private Expr entry(Span open) {
    EntryParser.Result result = condition ? entries.otherKey(open) : entries.entry(open);
    tokens.continueAt(result.end());
    return result.expr();
  }

  private Expr binary(Operator operator, Expr left, Expr right) {
    if (++operators > limits.operators()) {
      issues.error(
          Code.TOO_LARGE,
          right.at(),
          "more than " + limits.operators() + " operators",
          "split the formula into several super metrics");
      throw new Unreadable();
    }
    return new Expr.Binary(operator, left, right, left.at().to(right.at()));
  }

  private void deeper() {
    if (++depth > limits.nesting()) {
      issues.error(
          Code.TOO_LARGE,
          tokens.at(),
          "more than " + limits.nesting() + " levels within each other",
          "name parts with \"as\" or split the formula into several super metrics");
      throw new Unreadable();
    }
  }

  private void expect(Kind kind, String expected) {
    if (tokens.kind() != kind) {
      unexpected(expected);
    }
    tokens.next();
  }

  /** Notes what stands here instead of what was expected, and gives up this part. */
  private Unreadable unexpected(String expected) {
    String hint = null;
    String found = "\"" + abbreviate(tokens.value()) + "\"";
    switch (tokens.kind()) {
      case END -> found = condition ? "the end of the condition" : "the end of the formula";
      case TEXT -> found = "a text in quotes";
      case ENTRY -> found = "\"${\"";
      case UNKNOWN -> {
        char first = tokens.value().charAt(0);
        if (first == '=') {
          hint = "equality is \"==\"";
        } else if (first == '&' || first == '|') {
          hint = "write \"" + first + first + "\"";
        } else if (first == '\'' || Lexer.isDoubleQuote(first)) {
          found = "a quote that is never closed";
        } else if (first == '$') {
          hint = "an entry is written ${...}";
        } else if (first == '}') {
          hint = "no \"${\" is open here";
        }
      }
      case NAME -> {
        switch (tokens.value().toLowerCase(Locale.ROOT)) {
          case "and" -> hint = "write \"&&\"";
          case "or" -> hint = "write \"||\"";
          case "not" -> hint = "write \"!\"";
          default -> {}
        }
      }
      default -> {}
    }
    if (tokens.kind() != Kind.END || !entries.foundUnclosed()) {
      issues.error(Code.SYNTAX, tokens.at(), expected + " is expected, but here is " + found, hint);
    }
    throw new Unreadable();
  }

  private static String abbreviate(String value) {
    return value.length() <= 40 ? value : value.substring(0, 40) + "\u2026";
  }
}
