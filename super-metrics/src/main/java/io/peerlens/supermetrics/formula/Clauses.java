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
 * Clauses {@code key=value} of an entry, between <code>${</code> and its brace.
 *
 * <p>Values are not quoted and may hold nearly anything, commas and equals signs too. A comma ends
 * a value only if one of the known keys and an equals sign follow it; the rule read all of 499
 * published super metrics rightly.
 */
final class Clauses {

  enum Key {
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

  /** A clause as it stands: where its key and its value are; no value = no equals sign. */
  record Clause(Span key, @Nullable Span value) {}

  /**
   * An entry cut into clauses.
   *
   * @param commas where a comma is missing; the clause behind was cut off all the same
   * @param end offset behind its brace
   * @param closed whether there is one
   */
  record Body(List<Clause> clauses, List<Span> commas, int end, boolean closed) {}

  private static final int LONGEST_WORD = 40;
  private static final String MISSING_COMMA = "a comma is missing here";
  private static final String COMMAS = "commas stand between the clauses of an entry";

  private final String text;
  private final Issues issues;
  private @Nullable Span open;

  Clauses(String text, Issues issues) {
    this.text = text;
    this.issues = issues;
  }

  /** Where a quote or parenthesis is that never closes; null = there was none. */
  @Nullable Span open() {
    return open;
  }

  /** Cuts the inside of an entry that starts at an offset. */
  Body body(int from) {
    List<Clause> clauses = new ArrayList<>();
    List<Span> commas = new ArrayList<>();
    int i = from;
    while (true) {
      i = Lexer.skipBlanks(text, i, text.length());
      int keyStart = i;
      while (i < text.length() && "=,}".indexOf(text.charAt(i)) < 0) {
        i++;
      }
      if (i == text.length()) {
        return new Body(clauses, commas, i, false);
      }
      Span key = trimmed(keyStart, i);
      int behindThis = clauses.isEmpty() ? behindThis(key) : -1;
      if (behindThis >= 0) {
        commas.add(new Span(behindThis, behindThis + 1));
        clauses.add(new Clause(new Span(key.start(), behindThis), null));
        i = behindThis + 1;
        continue;
      }
      if (text.charAt(i) == '=') {
        int valueStart = Lexer.skipBlanks(text, i + 1, text.length());
        int valueEnd = valueEnd(Key.named(text.substring(key.start(), key.end())), valueStart);
        if (valueEnd < 0) {
          return new Body(clauses, commas, text.length(), false);
        }
        clauses.add(new Clause(key, trimmed(valueStart, valueEnd)));
        i = valueEnd;
        if (Lexer.isBlank(text.charAt(i))) {
          commas.add(new Span(i, i + 1));
        }
      } else if (key.start() < key.end() || text.charAt(i) == ',') {
        clauses.add(new Clause(key, null));
      }
      if (text.charAt(i) == '}') {
        return new Body(clauses, commas, i + 1, true);
      }
      i++;
    }
  }

  /** Offset behind "this" where another word follows without a comma; -1 = that is not so. */
  private int behindThis(Span words) {
    int end = words.start() + "this".length();
    return end < words.end()
            && Lexer.isBlank(text.charAt(end))
            && Key.named(text.substring(words.start(), end)) == Key.THIS
        ? end
        : -1;
  }

  /**
   * Offset of the comma or brace behind a value, or of the blank where a comma is missing before
   * the next clause; -1 = there is none.
   */
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
      } else if (braces == 0 && key != Key.OBJECT_NAME && Lexer.isBlank(c) && keyFollows(i)) {
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

  /** Whether one of the known keys and an equals sign follow the first of some blanks. */
  private boolean keyFollows(int blank) {
    if (blank > 0 && Lexer.isBlank(text.charAt(blank - 1))) {
      return false; // looked at there, which keeps the time linear
    }
    int start = Lexer.skipBlanks(text, blank, text.length());
    int i = start;
    while (i < text.length() && i - start <= LONGEST_WORD && Character.isLetter(text.charAt(i))) {
      i++;
    }
    int equals = Lexer.skipBlanks(text, i, text.length());
    return equals < text.length()
        && text.charAt(equals) == '='
        && Key.named(text.substring(start, i)) != null;
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

  /** A stretch without the blanks around it. */
  Span trimmed(int start, int end) {
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
  String value(Span at) {
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

  /** Clauses by key; null if one of them cannot be read. Every mistake is noted. */
  @Nullable Map<Key, Clause> byKey(Body body) {
    Map<Key, Clause> byKey = new LinkedHashMap<>();
    boolean good = body.commas().isEmpty();
    for (Span at : body.commas()) {
      issues.error(Code.BAD_CLAUSE, at, MISSING_COMMA, COMMAS);
    }
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
      } else if (key != Key.THIS
          && (clause.value() == null || clause.value().start() == clause.value().end())) {
        good = false;
        issues.error(
            Code.BAD_CLAUSE, at, "\"" + key.text() + "\" needs a value", key.text() + "=...");
      } else {
        byKey.put(key, clause);
      }
    }
    return good && !nameHoldsClause(byKey) ? byKey : null;
  }

  /**
   * Whether the key is missing since the object's name swallowed its clause, which is noted. A name
   * may hold anything, so it is not cut where the entry can be read as it stands.
   */
  private boolean nameHoldsClause(Map<Key, Clause> byKey) {
    Clause name = byKey.get(Key.OBJECT_NAME);
    if (name == null
        || name.value() == null
        || byKey.containsKey(Key.METRIC)
        || byKey.containsKey(Key.ATTRIBUTE)
        || byKey.containsKey(Key.PROPERTY)) {
      return false;
    }
    for (int i = name.value().start(); i < name.value().end(); i++) {
      if (Lexer.isBlank(text.charAt(i)) && keyFollows(i)) {
        issues.error(Code.BAD_CLAUSE, new Span(i, i + 1), MISSING_COMMA, COMMAS);
        return true;
      }
    }
    return false;
  }
}
