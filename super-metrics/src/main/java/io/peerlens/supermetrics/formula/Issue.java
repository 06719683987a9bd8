package io.peerlens.supermetrics.formula;

import org.jspecify.annotations.Nullable;

/**
 * Mistake in a formula, or a remark on it.
 *
 * @param severity whether the formula can be computed all the same
 * @param code stable name of the kind of mistake
 * @param at where
 * @param message what is wrong and what was expected, one sentence without its full stop
 * @param hint how to mend it; null = the message says it all
 */
public record Issue(Severity severity, Code code, Span at, String message, @Nullable String hint) {

  private static final int LONGEST_LINE = 160;

  /** Severity: whether a formula with this issue can be computed. */
  public enum Severity {
    /** It cannot. */
    ERROR,
    /** It can, but perhaps it does not say what its author meant. */
    WARNING
  }

  /** Kinds of mistakes. */
  public enum Code {
    SYNTAX,
    TOO_LARGE,
    UNKNOWN_FUNCTION,
    UNKNOWN_NAME,
    WRONG_ARGUMENT_COUNT,
    SET_WITHOUT_LOOPING_FUNCTION,
    MIXED_SETS,
    ARRAY_OUTSIDE_LOOPING_FUNCTION,
    COMBINE_AS_RESULT,
    BAD_CLAUSE,
    MISSING_CLAUSE,
    DUPLICATE_CLAUSE,
    BAD_DEPTH,
    DUPLICATE_ALIAS,
    ALIAS_WITHIN_ITSELF,
    TEXT_OUTSIDE_WHERE,
    COMPOUND_TEXT_WHERE,
    BAD_WHERE,
    OLD_SPELLING,
    UNKNOWN_KIND,
    UNKNOWN_KEY,
    ATTRIBUTE_WITHOUT_INSTANCES,
    SELF_REFERENCE,
    IGNORED_DEPTH,
    UNDOCUMENTED_CLAUSE
  }

  /** Whether the formula cannot be computed because of this. */
  public boolean isError() {
    return severity == Severity.ERROR;
  }

  /**
   * Line of the issue, from 1. Lines end with LF, CR or CR LF.
   *
   * @param text the formula
   */
  public int line(String text) {
    int line = 1;
    for (int i = 0; i < Math.min(at.start(), text.length()); i++) {
      if (endsLine(text, i)) {
        line++;
      }
    }
    return line;
  }

  /**
   * Column of the issue within its line, from 1, in UTF-16 units.
   *
   * @param text the formula
   */
  public int column(String text) {
    int start = Math.min(at.start(), text.length());
    return start - lineStart(text, start) + 1;
  }

  /**
   * The message with the line it is about, or 160 characters of it, and a caret below the place:
   *
   * <pre>
   * line 1, column 5: unknown function "agv"; did you mean avg?
   *   1 + agv(2)
   *       ^^^
   * </pre>
   *
   * @param text the formula
   */
  public String render(String text) {
    int start = Math.clamp(at.start(), 0, text.length());
    int lineStart = lineStart(text, start);
    int lineEnd = start;
    while (lineEnd < text.length()
        && text.charAt(lineEnd) != '\n'
        && text.charAt(lineEnd) != '\r') {
      lineEnd++;
    }
    StringBuilder out = new StringBuilder();
    out.append("line ").append(line(text)).append(", column ").append(column(text)).append(": ");
    out.append(message);
    if (hint != null) {
      out.append("; ").append(hint);
    }
    String line = visible(text.substring(lineStart, lineEnd));
    int caret = visible(text.substring(lineStart, start)).length();
    int end = Math.clamp(at.end(), start, lineEnd);
    int width = Math.max(1, visible(text.substring(start, end)).length());
    if (line.length() > LONGEST_LINE) {
      int from = Math.clamp(caret - LONGEST_LINE / 3, 0, line.length() - LONGEST_LINE);
      boolean more = from + LONGEST_LINE < line.length();
      line = line.substring(from, from + LONGEST_LINE) + (more ? "\u2026" : "");
      line = (from > 0 ? "\u2026" : "") + line;
      caret += (from > 0 ? 1 : 0) - from;
      width = Math.clamp(width, 1, Math.max(1, line.length() - caret));
    }
    out.append("\n  ").append(line).append("\n  ");
    out.append(" ".repeat(caret)).append("^".repeat(width));
    return out.toString();
  }

  private static int lineStart(String text, int offset) {
    int start = offset;
    while (start > 0 && text.charAt(start - 1) != '\n' && text.charAt(start - 1) != '\r') {
      start--;
    }
    return start;
  }

  private static boolean endsLine(String text, int i) {
    char c = text.charAt(i);
    return c == '\n' || (c == '\r' && (i + 1 == text.length() || text.charAt(i + 1) != '\n'));
  }

  /** Tabs take one column and blanks of no width take none, so that the caret stands right. */
  private static String visible(String line) {
    StringBuilder out = new StringBuilder(line.length());
    for (int i = 0; i < line.length(); i++) {
      char c = line.charAt(i);
      if (c == '\t' || c == '\u00a0') {
        out.append(' ');
      } else if (Character.getType(c) != Character.FORMAT && !Character.isISOControl(c)) {
        out.append(c);
      }
    }
    return out.toString();
  }
}
