package io.peerlens.supermetrics.formula;

import io.peerlens.supermetrics.formula.Clauses.Body;
import io.peerlens.supermetrics.formula.Clauses.Clause;
import io.peerlens.supermetrics.formula.Clauses.Key;
import io.peerlens.supermetrics.formula.Issue.Code;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Parser of entries, between <code>${</code> and its brace: {@code this} and clauses {@code
 * key=value} with commas between. {@link Clauses} cuts, this reads.
 */
final class EntryParser {

  /**
   * An entry.
   *
   * @param end offset behind its brace
   */
  record Result(Expr expr, int end) {}

  private final String text;
  private final Issues issues;
  private final FormulaLimits limits;
  private final boolean strict;
  private final Clauses cutter;
  private int entries;
  private boolean unclosed;

  EntryParser(String text, Issues issues, FormulaLimits limits, boolean strict) {
    this.text = text;
    this.issues = issues;
    this.limits = limits;
    this.strict = strict;
    this.cutter = new Clauses(text, issues);
  }

  /** Offset behind the brace that closes the entry whose inside starts at an offset. */
  int skip(int from) {
    return cutter.body(from).end();
  }

  /** Whether there was an entry without an end, which leaves nothing of the formula. */
  boolean foundUnclosed() {
    return unclosed;
  }

  /** An entry of a formula; the span is that of its opening. */
  Result entry(Span open) {
    Body body = cutter.body(open.end());
    Span at = new Span(open.start(), body.end());
    if (!closed(body, open) || tooMany(at)) {
      return new Result(new Expr.Bad(at), body.end());
    }
    Map<Key, Clause> clauses = cutter.byKey(body);
    if (clauses == null) {
      return new Result(new Expr.Bad(at), body.end());
    }
    Expr entry = new Reader(clauses, at).read();
    return new Result(entry, body.end());
  }

  /** {@code ${metric=key}} of a condition. */
  Result otherKey(Span open) {
    Body body = cutter.body(open.end());
    Span at = new Span(open.start(), body.end());
    if (!closed(body, open) || tooMany(at)) {
      return new Result(new Expr.Bad(at), body.end());
    }
    Map<Key, Clause> clauses = cutter.byKey(body);
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
    if (metric == null || metric.value() == null || cutter.value(metric.value()).isEmpty()) {
      issues.error(Code.MISSING_CLAUSE, at, "\"metric=\" and a key are expected");
      return new Result(new Expr.Bad(at), body.end());
    }
    return new Result(new Expr.OtherKey(Keys.stored(cutter.value(metric.value())), at), body.end());
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
      Span inside = cutter.open();
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

  private static boolean isEmpty(Span span) {
    return span.start() == span.end();
  }

  /** Clauses of one entry on their way into a tree. */
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
      return clause == null || clause.value() == null ? null : cutter.value(clause.value());
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
      Double number = TextCondition.decimal(word);
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
      String body = cutter.value(clause.value());
      if (!body.startsWith("{") || !body.endsWith("}") || body.length() < 2) {
        bad(
            Code.BAD_CLAUSE,
            Key.IDENTIFIERS,
            "identifiers must be in braces",
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
            "a condition must be in quotes or parentheses",
            "where=\"> 0\" or where=($value > 0)");
        return null;
      }
      Span inside = cutter.trimmed(span.start() + 1, span.end() - 1);
      if (isEmpty(inside)) {
        bad(Code.BAD_WHERE, span, "the condition is empty", "where=\"> 0\" or where=($value > 0)");
        return null;
      }
      if (bracketed) {
        Expr condition =
            Parser.condition(text, inside.start(), inside.end(), issues, limits, EntryParser.this);
        return new Expr.Where(Expr.Where.Form.EXPRESSION, condition);
      }
      Expr condition = new TextCondition(text, inside, cutter, issues, strict).read();
      if (condition == null) {
        good = false;
        return null;
      }
      return new Expr.Where(Expr.Where.Form.TEXT, condition);
    }
  }
}
