package io.peerlens.supermetrics.formula;

/**
 * Lexer of formulas, one token at a time. What stands between <code>${</code> and its brace is no
 * affair of this class: keys there may hold nearly anything, so {@link EntryParser} reads it.
 *
 * <p>Blanks are what Unicode calls so, and the characters without width that come along when
 * somebody copies a formula from a web page. Typographic quotes and dashes from there are read as
 * the plain ones.
 */
final class Lexer {

  enum Kind {
    NUMBER,
    NAME,
    TEXT,
    VALUE,
    ENTRY,
    LEFT_PAREN,
    RIGHT_PAREN,
    LEFT_BRACKET,
    RIGHT_BRACKET,
    COMMA,
    DOT,
    QUESTION,
    COLON,
    BANG,
    PLUS,
    MINUS,
    TIMES,
    SLASH,
    PERCENT,
    OR,
    AND,
    EQUAL,
    NOT_EQUAL,
    LESS,
    LESS_OR_EQUAL,
    GREATER,
    GREATER_OR_EQUAL,
    UNKNOWN,
    END
  }

  private final String text;
  private final int end;
  private int position;

  private Kind kind = Kind.END;
  private int start;
  private String value = "";

  Lexer(String text, int from, int end) {
    this.text = text;
    this.end = end;
    this.position = from;
    next();
  }

  Kind kind() {
    return kind;
  }

  /** Name, number or text without its quotes; of other tokens what stands in the formula. */
  String value() {
    return value;
  }

  Span at() {
    return new Span(start, position);
  }

  int start() {
    return start;
  }

  /** Goes on behind something that somebody else has read. */
  void continueAt(int offset) {
    position = Math.min(offset, end);
    next();
  }

  /** Whether a name follows this token without a blank between, as in {@code !contains}. */
  boolean nameFollowsAtOnce() {
    return position < end && isNameStart(text.charAt(position));
  }

  /** The token behind this one, for the rare place where one is not enough. */
  Lexer ahead() {
    return new Lexer(text, position, end);
  }

  void next() {
    position = skipBlanks(text, position, end);
    start = position;
    if (position >= end) {
      kind = Kind.END;
      value = "";
      return;
    }
    char c = text.charAt(position);
    if (isDigit(c) || (c == '.' && position + 1 < end && isDigit(text.charAt(position + 1)))) {
      number();
    } else if (c == '\'' || isDoubleQuote(c)) {
      quoted(c);
    } else if (c == '$') {
      dollar();
    } else if (isNameStart(c)) {
      name();
    } else {
      symbol(c);
    }
  }

  private void number() {
    int i = digits(position);
    if (i < end && text.charAt(i) == '.') {
      i = digits(i + 1);
    }
    if (i < end && (text.charAt(i) == 'e' || text.charAt(i) == 'E')) {
      int exponent = i + 1;
      if (exponent < end && (text.charAt(exponent) == '+' || text.charAt(exponent) == '-')) {
        exponent++;
      }
      int behind = digits(exponent);
      if (behind > exponent) {
        i = behind;
      }
    }
    token(Kind.NUMBER, i);
  }

  private int digits(int from) {
    int i = from;
    while (i < end && isDigit(text.charAt(i))) {
      i++;
    }
    return i;
  }

  private void quoted(char open) {
    int close = position + 1;
    while (close < end && !closes(open, text.charAt(close))) {
      close++;
    }
    if (close == end) {
      token(Kind.UNKNOWN, end);
      return;
    }
    value = text.substring(position + 1, close);
    kind = Kind.TEXT;
    position = close + 1;
  }

  private void dollar() {
    if (position + 1 < end && text.charAt(position + 1) == '{') {
      token(Kind.ENTRY, position + 2);
      return;
    }
    int i = position + 1;
    while (i < end && isNamePart(text.charAt(i))) {
      i++;
    }
    boolean isValue = text.substring(position, i).equalsIgnoreCase("$value");
    token(isValue ? Kind.VALUE : Kind.UNKNOWN, i);
  }

  private void name() {
    int i = position + 1;
    while (i < end && isNamePart(text.charAt(i))) {
      i++;
    }
    token(Kind.NAME, i);
  }

  private void symbol(char c) {
    char then = position + 1 < end ? text.charAt(position + 1) : 0;
    switch (c) {
      case '(' -> token(Kind.LEFT_PAREN, position + 1);
      case ')' -> token(Kind.RIGHT_PAREN, position + 1);
      case '[' -> token(Kind.LEFT_BRACKET, position + 1);
      case ']' -> token(Kind.RIGHT_BRACKET, position + 1);
      case ',' -> token(Kind.COMMA, position + 1);
      case '.' -> token(Kind.DOT, position + 1);
      case '?' -> token(Kind.QUESTION, position + 1);
      case ':' -> token(Kind.COLON, position + 1);
      case '+' -> token(Kind.PLUS, position + 1);
      case '-', '\u2013', '\u2212' -> token(Kind.MINUS, position + 1);
      case '*' -> token(Kind.TIMES, position + 1);
      case '/' -> token(Kind.SLASH, position + 1);
      case '%' -> token(Kind.PERCENT, position + 1);
      case '!' -> two(then == '=', Kind.NOT_EQUAL, Kind.BANG);
      case '<' -> two(then == '=', Kind.LESS_OR_EQUAL, Kind.LESS);
      case '>' -> two(then == '=', Kind.GREATER_OR_EQUAL, Kind.GREATER);
      case '=' -> two(then == '=', Kind.EQUAL, Kind.UNKNOWN);
      case '&' -> two(then == '&', Kind.AND, Kind.UNKNOWN);
      case '|' -> two(then == '|', Kind.OR, Kind.UNKNOWN);
      default -> token(Kind.UNKNOWN, position + Character.charCount(text.codePointAt(position)));
    }
  }

  private void two(boolean both, Kind ifBoth, Kind ifOne) {
    token(both ? ifBoth : ifOne, position + (both ? 2 : 1));
  }

  private void token(Kind kind, int behind) {
    this.kind = kind;
    this.value = text.substring(position, Math.min(behind, end));
    this.position = Math.min(behind, end);
  }

  static int skipBlanks(String text, int from, int end) {
    int i = from;
    while (i < end && isBlank(text.charAt(i))) {
      i++;
    }
    return i;
  }

  static boolean isBlank(char c) {
    return c == ' '
        || c == '\n'
        || c == '\r'
        || c == '\t'
        || (c > 127 && (Character.isSpaceChar(c) || Character.getType(c) == Character.FORMAT))
        || c == '\f';
  }

  static boolean isDoubleQuote(char c) {
    return c == '"' || c == '\u201c' || c == '\u201d';
  }

  static boolean closes(char open, char c) {
    return isDoubleQuote(open) ? isDoubleQuote(c) : c == open;
  }

  private static boolean isDigit(char c) {
    return c >= '0' && c <= '9';
  }

  private static boolean isNameStart(char c) {
    return isNamePart(c) && !isDigit(c);
  }

  private static boolean isNamePart(char c) {
    return c > ' '
        && "()[]{}+-*/%|&!=<>,.?:$'\"\u201c\u201d\u2013\u2212\u007f".indexOf(c) < 0
        && !isBlank(c)
        && !Character.isISOControl(c);
  }
}
