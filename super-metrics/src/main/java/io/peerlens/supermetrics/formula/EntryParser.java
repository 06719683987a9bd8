package io.peerlens.supermetrics.formula;

import io.peerlens.supermetrics.formula.Issue.Code;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Reads what stands between <code>${</code> and its brace: {@code this} and clauses {@code
 * key=value} with commas between.
 *
 * <p>Values are not quoted and may hold nearly anything, commas and equals signs too. A comma ends
 * a value only if one of the known keys and an equals sign follow it; the rule read all of 499
 * published super metrics rightly.
 */
final class EntryParser {

  private enum Key {
    THIS("this"),
    ADAPTER_KIND("adaptertype", "adapterkind"),
    OBJECT_KIND("objecttype", "resourcekind"),
    OBJECT_NAME("objectname", "resourcename"),
    IDENTIFIERS("identifiers"),
    METRIC("metric"),
    ATTRIBUTE("attribute"),
    PROPERTY("property"),
    DEPTH("depth"),
    WHERE("where"),
    DEFAULT("defval");

    private final List<String> spellings;

    Key(String... spellings) {
      this.spellings = List.of(spellings);
    }

    String text() {
      return spellings.getFirst();
    }

    static @Nullable Key named(String word) {
      String lower = word.toLowerCase(Locale.ROOT);
      for (Key key : values()) {
        if (key.spellings.contains(lower)) {
          return key;
        }
      }
      return null;
    }

    static final List<String> WORDS =
        Arrays.stream(values()).flatMap(key -> key.spellings.stream()).toList();
  }

  /**
   * An entry.
   *
   * @param end offset behind its brace
   */
  record Result(Expr expr, int end) {}

  /** A clause as it stands: where its key and its value are; no value = no equals sign. */
  private record Clause(Span key, @Nullable Span value) {}

  private record Body(List<Clause> clauses, int end, boolean closed) {}

  private static final int LONGEST_WORD = 40;

  private final String text;
  private final Issues issues;
  private final Limits limits;
  private final boolean strict;
  private int entries;
  private @Nullable Span open;
  private boolean unclosed;

  EntryParser(String text, Issues issues, Limits limits, boolean strict) {
    this.text = text;
    this.issues = issues;
    this.limits = limits;
    this.strict = strict;
  }

  /** Offset behind the brace that closes the entry whose inside begins at an offset. */
  int skip(int from) {
    return body(from).end();
  }

  /** Whether there was an entry without an end, which leaves nothing of the formula. */
  boolean foundUnclosed() {
    return unclosed;
  }

  /** An entry of a formula; the span is that of its opening. */
  Result entry(Span open) {
    Body body = body(open.end());
    Span at = new Span(open.start(), body.end());
    if (!closed(body, open) || tooMany(at)) {
      return new Result(new Expr.Bad(at), body.end());
    }
    Map<Key, Clause> clauses = clauses(body);
    if (clauses == null) {
      return new Result(new Expr.Bad(at), body.end());
    }
    Expr entry = new Reader(clauses, at).read();
    return new Result(entry, body.end());
  }

  /** {@code ${metric=key}} of a condition. */
  Result otherKey(Span open) {
    Body body = body(open.end());
    Span at = new Span(open.start(), body.end());
    if (!closed(body, open) || tooMany(at)) {
      return new Result(new Expr.Bad(at), body.end());
    }
    Map<Key, Clause> clauses = clauses(body);
    if (clauses == null) {
      return new Result(new Expr.Bad(at), body.end());
    }
    Clause metric = null;
    for (Map.Entry<Key, Clause> clause : clauses.entrySet()) {
      switch (clause.getKey()) {
        case METRIC, PROPERTY -> metric = clause.getValue();
        case THIS ->
            issues.warning(
                Code.BAD_WHERE,
                clause.getValue().key(),
                "\"this\" is not needed in a condition, which always looks at the object whose"
                    + " value is tested",
                "write ${metric=...}");
        default -> {
          issues.error(
              Code.BAD_WHERE,
              clause.getValue().key(),
              "a condition looks at other metrics of the same object only, so it takes no"
                  + " \""
                  + clause.getKey().text()
                  + "\"",
              "write ${metric=...}");
          return new Result(new Expr.Bad(at), body.end());
        }
      }
    }
    if (metric == null || metric.value() == null || value(metric.value()).isEmpty()) {
      issues.error(Code.MISSING_CLAUSE, at, "\"metric=\" and a key are expected");
      return new Result(new Expr.Bad(at), body.end());
    }
    return new Result(new Expr.OtherKey(Keys.stored(value(metric.value())), at), body.end());
  }

  private boolean tooMany(Span at) {
    if (++entries == limits.entries() + 1) {
      issues.error(
          Code.TOO_LARGE,
          at,
          "more than " + limits.entries() + " entries ${...}",
          "name entries with \"as\" or split the formula into several super metrics");
    }
    return entries > limits.entries();
  }

  private boolean closed(Body body, Span open) {
    if (!body.closed()) {
      unclosed = true;
      Span inside = this.open;
      if (inside == null) {
        issues.error(Code.SYNTAX, open, "\"${\" is never closed", "the brace \"}\" is missing");
      } else {
        boolean paren = text.charAt(inside.start()) == '(';
        issues.error(
            Code.SYNTAX,
            inside,
            "this " + (paren ? "parenthesis" : "quote") + " is never closed",
            "the condition ends with " + (paren ? "\")\"" : "a quote"));
      }
    }
    return body.closed();
  }

  // Cutting into clauses ------------------------------------------------------------------------

  private Body body(int from) {
    List<Clause> clauses = new ArrayList<>();
    int i = from;
    while (true) {
      i = Lexer.skipBlanks(text, i, text.length());
      int keyStart = i;
      while (i < text.length() && "=,}".indexOf(text.charAt(i)) < 0) {
        i++;
      }
      if (i == text.length()) {
        return new Body(clauses, i, false);
      }
      Span key = trimmed(keyStart, i);
      if (text.charAt(i) == '=') {
        int valueStart = Lexer.skipBlanks(text, i + 1, text.length());
        int valueEnd = valueEnd(Key.named(text.substring(key.start(), key.end())), valueStart);
        if (valueEnd < 0) {
          return new Body(clauses, text.length(), false);
        }
        clauses.add(new Clause(key, trimmed(valueStart, valueEnd)));
        i = valueEnd;
      } else if (key.start() < key.end() || text.charAt(i) == ',') {
        clauses.add(new Clause(key, null));
      }
      if (text.charAt(i) == '}') {
        return new Body(clauses, i + 1, true);
      }
      i++;
    }
  }

  /** Offset of the comma or brace behind a value; -1 = there is none. */
  private int valueEnd(@Nullable Key key, int start) {
    int i = start;
    if (i < text.length()) {
      char first = text.charAt(i);
      if (key == Key.WHERE && Lexer.isDoubleQuote(first)) {
        i = behindQuote(i);
      } else if (key == Key.WHERE && first == '(') {
        i = behindParen(i);
      }
      if (i < 0) {
        open = new Span(start, start + 1);
      }
    }
    int braces = 0;
    for (; i >= 0 && i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == '{') {
        braces++;
      } else if (c == '}') {
        if (braces == 0) {
          return i;
        }
        braces--;
      } else if (c == ',' && braces == 0 && clauseFollows(i + 1, key)) {
        return i;
      }
    }
    return -1;
  }

  private int behindQuote(int start) {
    int i = start + 1;
    while (i < text.length() && !Lexer.isDoubleQuote(text.charAt(i))) {
      i++;
    }
    return i < text.length() ? i + 1 : -1;
  }

  private int behindParen(int start) {
    int open = 0;
    int i = start;
    while (i < text.length()) {
      char c = text.charAt(i);
      if (c == '\'' || Lexer.isDoubleQuote(c)) {
        do {
          i++;
        } while (i < text.length() && !Lexer.closes(c, text.charAt(i)));
      } else if (c == '$' && i + 1 < text.length() && text.charAt(i + 1) == '{') {
        int close = text.indexOf('}', i); // a key may hold quotes and parentheses
        if (close < 0) {
          return -1;
        }
        i = close;
      } else if (c == '(') {
        open++;
      } else if (c == ')' && --open == 0) {
        return i + 1;
      }
      i++;
    }
    return -1;
  }

  private boolean clauseFollows(int from, @Nullable Key current) {
    int start = Lexer.skipBlanks(text, from, text.length());
    int i = start;
    while (i < text.length() && i - start <= LONGEST_WORD && Character.isLetter(text.charAt(i))) {
      i++;
    }
    String word = text.substring(start, i);
    int equals = Lexer.skipBlanks(text, i, text.length());
    if (word.equalsIgnoreCase("this") && current != Key.OBJECT_NAME && equals < text.length()) {
      return text.charAt(equals) == ',' || text.charAt(equals) == '}';
    }
    if (word.isEmpty() || equals == text.length() || text.charAt(equals) != '=') {
      return false;
    }
    // a misspelled key is more likely than a value that looks like one, except in a name
    return Key.named(word) != null
        || (current != Key.OBJECT_NAME && Nearest.of(word, Key.WORDS) != null);
  }

  private Span trimmed(int start, int end) {
    int from = start;
    int to = end;
    while (from < to && Lexer.isBlank(text.charAt(from))) {
      from++;
    }
    while (to > from && Lexer.isBlank(text.charAt(to - 1))) {
      to--;
    }
    return new Span(from, to);
  }

  /** A value without the characters of no width that come along when a formula is copied. */
  private String value(Span at) {
    StringBuilder out = new StringBuilder();
    for (int i = at.start(); i < at.end(); i++) {
      char c = text.charAt(i);
      if (c == '\u00a0') {
        out.append(' ');
      } else if (c < 127 || Character.getType(c) != Character.FORMAT) {
        out.append(c);
      }
    }
    return out.toString();
  }

  // Clauses -------------------------------------------------------------------------------------

  /** Clauses by key; null if one of them cannot be read. Every mistake is noted. */
  private @Nullable Map<Key, Clause> clauses(Body body) {
    Map<Key, Clause> byKey = new LinkedHashMap<>();
    boolean good = true;
    for (Clause clause : body.clauses()) {
      Span at = clause.key();
      String word = text.substring(at.start(), at.end());
      Key key = Key.named(word);
      if (key == null) {
        good = false;
        if (word.isEmpty()) {
          Span place = clause.value() == null ? new Span(at.start(), at.start() + 1) : at;
          issues.error(Code.BAD_CLAUSE, place, "a clause such as metric=... is expected");
        } else {
          String near = Nearest.of(word, Key.WORDS);
          issues.error(
              Code.BAD_CLAUSE,
              at,
              "unknown clause \"" + word + "\"",
              near == null
                  ? "clauses are this, adaptertype, objecttype, objectname, identifiers, metric,"
                      + " attribute, depth, where and defval"
                  : "did you mean " + near + "?");
        }
      } else if (byKey.containsKey(key)) {
        good = false;
        issues.error(Code.DUPLICATE_CLAUSE, at, "\"" + key.text() + "\" is given twice");
      } else if (key == Key.THIS && clause.value() != null) {
        good = false;
        issues.error(Code.BAD_CLAUSE, at, "\"this\" takes no value");
      } else if (key == Key.THIS && !byKey.isEmpty()) {
        good = false;
        issues.error(Code.BAD_CLAUSE, at, "\"this\" must come first");
      } else if (key != Key.THIS && (clause.value() == null || isEmpty(clause.value()))) {
        good = false;
        issues.error(
            Code.BAD_CLAUSE, at, "\"" + key.text() + "\" needs a value", key.text() + "=...");
      } else {
        byKey.put(key, clause);
      }
    }
    return good ? byKey : null;
  }

  private static boolean isEmpty(Span span) {
    return span.start() == span.end();
  }

  /** Reads the clauses of one entry into a tree. */
  private final class Reader {

    private final Map<Key, Clause> clauses;
    private final Span at;
    private boolean good = true;

    Reader(Map<Key, Clause> clauses, Span at) {
      this.clauses = clauses;
      this.at = at;
    }

    Expr read() {
      boolean self = clauses.containsKey(Key.THIS);
      String adapterKind = string(Key.ADAPTER_KIND);
      String objectKind = string(Key.OBJECT_KIND);
      String objectName = string(Key.OBJECT_NAME);
      Map<String, String> identifiers = identifiers();
      if (self) {
        for (Key key :
            List.of(Key.ADAPTER_KIND, Key.OBJECT_KIND, Key.OBJECT_NAME, Key.IDENTIFIERS)) {
          if (clauses.containsKey(key)) {
            bad(
                Code.BAD_CLAUSE,
                keyAt(key),
                "\"this\" is the object itself, so it takes no \"" + key.text() + "\"",
                "leave out one of the two");
          }
        }
      } else if (adapterKind == null || objectKind == null) {
        String missing = adapterKind == null ? "adaptertype" : "objecttype";
        bad(
            Code.MISSING_CLAUSE,
            at,
            "\"this\" or \"" + missing + "=\" is missing",
            adapterKind == null && objectKind == null
                ? "for a metric of the object itself write ${this, metric=...}"
                : "write ${adaptertype=..., objecttype=..., metric=..., depth=N}");
      } else if (adapterKind.equals("*")) {
        bad(
            Code.BAD_CLAUSE,
            Key.ADAPTER_KIND,
            "\"*\" is allowed for objecttype only",
            "name the adapter kind, for instance VMWARE");
      } else if (objectName != null && objectKind.equals("*")) {
        bad(Code.BAD_CLAUSE, Key.OBJECT_KIND, "a named object has one kind", "name the kind");
      }
      if (clauses.containsKey(Key.IDENTIFIERS) && objectName == null && !self) {
        bad(
            Code.MISSING_CLAUSE,
            Key.IDENTIFIERS,
            "identifiers tell objects of one name apart",
            "add objectname=...");
      }
      boolean attribute = clauses.containsKey(Key.ATTRIBUTE);
      String key = key();
      Integer depth = depth(self || objectName != null);
      Expr.Where where = where();
      Double defaultValue = defaultValue();
      if (!good || key == null) {
        return new Expr.Bad(at);
      }
      return new Expr.Entry(
          self,
          self ? null : adapterKind,
          self ? null : objectKind,
          self ? null : objectName,
          self ? Map.of() : identifiers,
          attribute,
          key,
          depth,
          where,
          defaultValue,
          at);
    }

    private @Nullable String string(Key key) {
      Clause clause = clauses.get(key);
      return clause == null || clause.value() == null ? null : value(clause.value());
    }

    private Span valueAt(Key key) {
      Clause clause = clauses.get(key);
      return clause == null ? at : clause.value() == null ? clause.key() : clause.value();
    }

    private Span keyAt(Key key) {
      Clause clause = clauses.get(key);
      return clause == null ? at : clause.key();
    }

    private void bad(Code code, Key key, String message, @Nullable String hint) {
      bad(code, valueAt(key), message, hint);
    }

    private void bad(Code code, Span place, String message, @Nullable String hint) {
      good = false;
      issues.error(code, place, message, hint);
    }

    private @Nullable String key() {
      List<Key> given =
          List.of(Key.METRIC, Key.ATTRIBUTE, Key.PROPERTY).stream()
              .filter(clauses::containsKey)
              .toList();
      if (given.isEmpty()) {
        bad(Code.MISSING_CLAUSE, at, "\"metric=\" or \"attribute=\" is missing", null);
        return null;
      }
      if (given.size() > 1) {
        bad(
            Code.DUPLICATE_CLAUSE,
            keyAt(given.get(1)),
            "\""
                + given.get(0).text()
                + "\" and \""
                + given.get(1).text()
                + "\" exclude each other",
            "metric= is one exact key, attribute= is the key and all its instances");
        return null;
      }
      if (given.getFirst() == Key.PROPERTY) {
        issues.warning(
            Code.UNDOCUMENTED_CLAUSE,
            keyAt(Key.PROPERTY),
            "\"property=\" is in no manual and read as \"metric=\"",
            "write metric=, which reads properties too");
      }
      String key = string(given.getFirst());
      return key == null ? null : Keys.stored(key);
    }

    private @Nullable Integer depth(boolean ignored) {
      String word = string(Key.DEPTH);
      if (word == null) {
        return null;
      }
      int depth;
      try {
        depth = Integer.parseInt(word.replace('\u2013', '-').replace('\u2212', '-'));
      } catch (NumberFormatException e) {
        bad(
            Code.BAD_DEPTH,
            Key.DEPTH,
            "depth is a whole number, not \"" + word + "\"",
            "for instance depth=2, or depth=-1 for parents");
        return null;
      }
      if (ignored) {
        issues.warning(
            Code.IGNORED_DEPTH,
            valueAt(Key.DEPTH),
            "depth says nothing about one given object and is ignored",
            null);
      } else if (depth == 0) {
        bad(
            Code.BAD_DEPTH,
            Key.DEPTH,
            "depth=0 would be the object itself",
            "write ${this, metric=...}");
      } else if (Math.abs(depth) > 100) {
        bad(Code.BAD_DEPTH, Key.DEPTH, "depth is at most 100, up or down", null);
      }
      return depth;
    }

    private @Nullable Double defaultValue() {
      String word = string(Key.DEFAULT);
      if (word == null) {
        return null;
      }
      issues.warning(
          Code.UNDOCUMENTED_CLAUSE,
          keyAt(Key.DEFAULT),
          "\"defval=\" is in no manual; it is taken where there is no value",
          null);
      Double number = decimal(word);
      if (number == null) {
        bad(Code.BAD_CLAUSE, Key.DEFAULT, "defval is a number, not \"" + word + "\"", null);
      }
      return number;
    }

    private Map<String, String> identifiers() {
      Clause clause = clauses.get(Key.IDENTIFIERS);
      Map<String, String> identifiers = new LinkedHashMap<>();
      if (clause == null || clause.value() == null) {
        return identifiers;
      }
      String body = value(clause.value());
      if (!body.startsWith("{") || !body.endsWith("}") || body.length() < 2) {
        bad(
            Code.BAD_CLAUSE,
            Key.IDENTIFIERS,
            "identifiers stand in braces",
            "identifiers={name=value, name=value}");
        return identifiers;
      }
      for (String pair : body.substring(1, body.length() - 1).split(",", -1)) {
        int equals = pair.indexOf('=');
        String name = equals < 0 ? "" : pair.substring(0, equals).strip();
        if (name.isEmpty() || identifiers.containsKey(name)) {
          bad(
              Code.BAD_CLAUSE,
              Key.IDENTIFIERS,
              name.isEmpty()
                  ? "\"" + pair.strip() + "\" is no identifier"
                  : "the identifier \"" + name + "\" is given twice",
              "identifiers={name=value, name=value}");
          return identifiers;
        }
        identifiers.put(name, pair.substring(equals + 1).strip());
      }
      return identifiers;
    }

    private Expr.@Nullable Where where() {
      Clause clause = clauses.get(Key.WHERE);
      if (clause == null || clause.value() == null) {
        return null;
      }
      Span span = clause.value();
      char first = text.charAt(span.start());
      char last = text.charAt(span.end() - 1);
      boolean quoted = Lexer.isDoubleQuote(first) && Lexer.isDoubleQuote(last);
      boolean bracketed = first == '(' && last == ')';
      if (span.end() - span.start() < 2 || !(quoted || bracketed)) {
        bad(
            Code.BAD_WHERE,
            span,
            "a condition stands in quotes or parentheses",
            "where=\"> 0\" or where=($value > 0)");
        return null;
      }
      Span inside = trimmed(span.start() + 1, span.end() - 1);
      if (isEmpty(inside)) {
        bad(Code.BAD_WHERE, span, "the condition is empty", "where=\"> 0\" or where=($value > 0)");
        return null;
      }
      if (bracketed) {
        Expr condition =
            Parser.condition(text, inside.start(), inside.end(), issues, limits, EntryParser.this);
        return new Expr.Where(Expr.Where.Form.EXPRESSION, condition);
      }
      Expr condition = new TextCondition(inside).read();
      return condition == null ? null : new Expr.Where(Expr.Where.Form.TEXT, condition);
    }

    /** The condition in quotes: one comparison, with texts that have no quotes of their own. */
    private final class TextCondition {

      private static final List<Operator> SYMBOLS =
          List.of(
              Operator.GREATER_OR_EQUAL,
              Operator.LESS_OR_EQUAL,
              Operator.EQUAL,
              Operator.NOT_EQUAL,
              Operator.GREATER,
              Operator.LESS);

      private final Span inside;

      TextCondition(Span inside) {
        this.inside = inside;
      }

      @Nullable Expr read() {
        int compound = compound();
        if (compound >= 0 && strict) {
          bad(
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
            Span literal = trimmed(wordEnd, inside.end());
            Expr left = subject(trimmed(inside.start(), i), word);
            Expr right = new Expr.Text(value(literal), literal);
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
        bad(
            Code.BAD_WHERE,
            inside,
            "a comparison is expected",
            "operators are > >= < <= == != equals contains startsWith endsWith");
        return null;
      }

      private @Nullable Expr numberTest(Operator symbol, Span word) {
        Span right = trimmed(word.end(), inside.end());
        String digits = value(right).replace('\u2013', '-').replace('\u2212', '-');
        Double number = decimal(digits);
        if (number == null) {
          bad(
              Code.BAD_WHERE,
              isEmpty(right) ? word : right,
              "a number is expected behind \"" + symbol.text() + "\"",
              isEmpty(right)
                  ? null
                  : "texts are compared by equals, other metrics by where=( ... )");
          return null;
        }
        Expr value =
            number < 0 || digits.startsWith("-")
                ? new Expr.Negative(new Expr.Number(-number, right), right)
                : new Expr.Number(number, right);
        Expr left = subject(trimmed(inside.start(), word.start()), word);
        return new Expr.Binary(symbol, left, value, inside);
      }

      private Expr subject(Span key, Span operator) {
        return isEmpty(key)
            ? new Expr.Value(operator)
            : new Expr.OtherKey(Keys.stored(value(key)), key);
      }
    }

    private static @Nullable Double decimal(String word) {
      if (!word.matches("[-+]?(\\d{1,40}\\.?\\d{0,40}|\\.\\d{1,40})([eE][-+]?\\d{1,3})?")) {
        return null;
      }
      double number = Double.parseDouble(word);
      return Double.isInfinite(number) ? null : number;
    }
  }
}
