package io.peerlens.alerttemplates;

import com.google.re2j.Pattern;
import com.google.re2j.PatternSyntaxException;

/**
 * Regular expression that a user has written. It is compiled only if it is short and comes to a
 * small program: RE2 matches in linear time, but copies what is repeated {@code {n,m}} times, so
 * that {@code ((a{0,1000}){0,1000}){0,1000}} would fill the memory. The size is estimated from the
 * text, in one pass, before anything is compiled.
 */
public final class UserPattern {

  /** Characters of a pattern, at most. */
  public static final int MAX_LENGTH = 500;

  /** Instructions of the program, at most; a character or class is one, times its repetitions. */
  public static final int MAX_SIZE = 10_000;

  private static final int MAX_GROUPS = 100;
  private static final int MAX_DEPTH = 50;

  /**
   * When letter case does not count, RE2/J 1.8 looks for the other cases of each character, and for
   * these nine, which Unicode 9 brought, it never ends.
   */
  private static final char ENDLESS_FIRST = '\u1c80';

  private static final char ENDLESS_LAST = '\u1c88';

  private UserPattern() {}

  /** A pattern that cannot be used. The message says why, after the name of a field. */
  public static final class InvalidPatternException extends IllegalArgumentException {
    private InvalidPatternException(String reason) {
      super(reason);
    }

    /** What is wrong, such as {@code is longer than 500 characters}. */
    public String reason() {
      return String.valueOf(getMessage());
    }

    /** What to do about it. */
    public String hint() {
      return "A pattern of RE2 has at most %,d characters, and numbers in {} that are small when multiplied."
          .formatted(MAX_LENGTH);
    }
  }

  /**
   * Compiles a pattern.
   *
   * @throws InvalidPatternException if it is no pattern of RE2, too long, or repeats too much
   */
  public static Pattern compile(String text) {
    if (text.length() > MAX_LENGTH) {
      throw new InvalidPatternException(
          "is longer than the %,d characters that a pattern may have".formatted(MAX_LENGTH));
    }
    if (new Size(text).ofAll() > MAX_SIZE) {
      throw new InvalidPatternException(
          "repeats too much: what stands before each {} counts as often as it says, and all may come to %,d characters"
              .formatted(MAX_SIZE));
    }
    try {
      return Pattern.compile(text);
    } catch (PatternSyntaxException e) {
      throw new InvalidPatternException(
          "is no pattern of RE2: "
              + e.getDescription()
              + "; look-around and back references are not possible");
    }
  }

  /**
   * Size of the program that a pattern comes to, at least as large as RE2 makes it. It goes through
   * the syntax as far as it matters for that; what is wrong otherwise, RE2 says.
   */
  private static final class Size {
    private static final long FAR = Long.MAX_VALUE / 4;

    private final String text;
    private int at;
    private int groups;
    private boolean mayBeEndless;
    private boolean ignoresCase;

    Size(String text) {
      this.text = text;
    }

    long ofAll() {
      long size = 0;
      while (at < text.length()) {
        size = plus(size, alternatives(0));
        at++; // a bracket that closes nothing
      }
      if (ignoresCase && mayBeEndless) {
        throw new InvalidPatternException(
            "has beside (?i) a range or a character that it cannot be used with: ranges within [] end at z there, and there is no \\x and no U+1C80 to U+1C88");
      }
      return size;
    }

    private long alternatives(int depth) {
      if (depth > MAX_DEPTH) {
        throw new InvalidPatternException(
            "has brackets within more than %d others".formatted(MAX_DEPTH));
      }
      long size = 0;
      while (at < text.length() && text.charAt(at) != ')') {
        if (text.charAt(at) == '|') {
          at++;
          size = plus(size, 1);
        } else {
          size = plus(size, repeated(depth));
        }
      }
      return size;
    }

    private long repeated(int depth) {
      long size = one(depth);
      if (size == 0 && at < text.length() && "*+?{".indexOf(text.charAt(at)) >= 0) {
        // RE2 would repeat what stands before flags or an empty quotation.
        throw new InvalidPatternException(
            "repeats nothing: " + text.charAt(at) + " stands behind flags or an empty quotation");
      }
      while (at < text.length()) {
        char c = text.charAt(at);
        if (c == '*' || c == '+' || c == '?') {
          at++;
          size = plus(size, 1);
        } else if (c == '{') {
          long copies = copies();
          if (copies < 0) {
            return size;
          }
          size = copies == 0 ? size : times(plus(size, 1), copies);
        } else {
          return size;
        }
      }
      return size;
    }

    /** The larger number of {@code {n}}, {@code {n,}} or {@code {n,m}}; -1 = no repetition. */
    private long copies() {
      int end = text.indexOf('}', at);
      if (end < 0) {
        return -1;
      }
      long most = 0;
      long number = -1;
      int commas = 0;
      for (int i = at + 1; i < end; i++) {
        char c = text.charAt(i);
        if (c >= '0' && c <= '9') {
          number = Math.min(1_000_000, Math.max(0, number) * 10 + (c - '0'));
          most = Math.max(most, number);
        } else if (c == ',' && number >= 0 && commas == 0) {
          commas++;
          number = -1;
        } else {
          return -1;
        }
      }
      if (end == at + 1) {
        return -1;
      }
      at = end + 1;
      return most;
    }

    private long one(int depth) {
      char c = text.charAt(at++);
      return switch (c) {
        case '(' -> group(depth);
        case '[' -> charClass();
        case '\\' -> escape();
        default -> {
          mayBeEndless |= isEndless(c);
          yield 1;
        }
      };
    }

    private long group(int depth) {
      if (++groups > MAX_GROUPS) {
        throw new InvalidPatternException("has more than %d groups".formatted(MAX_GROUPS));
      }
      if (at < text.length() && text.charAt(at) == '?') {
        // A name, or flags up to ':' or ')'.
        at++;
        if (text.startsWith("P<", at) || text.startsWith("<", at)) {
          int end = text.indexOf('>', at);
          at = end < 0 ? text.length() : end + 1;
        } else {
          while (at < text.length() && text.charAt(at) != ':' && text.charAt(at) != ')') {
            ignoresCase |= text.charAt(at) == 'i';
            at++;
          }
          if (at < text.length() && text.charAt(at++) == ')') {
            return 0; // only flags, for what follows
          }
        }
      }
      long size = alternatives(depth + 1);
      at = Math.min(text.length(), at + 1);
      return plus(size, 2);
    }

    /** One instruction, whatever it holds; what is written in it bounds its memory. */
    private long charClass() {
      if (at < text.length() && text.charAt(at) == '^') {
        at++;
      }
      if (at < text.length() && text.charAt(at) == ']') {
        at++;
      }
      while (at < text.length() && text.charAt(at) != ']') {
        mayBeEndless |= isEndless(text.charAt(at)) || text.startsWith("\\x", at);
        if (text.charAt(at) == '\\') {
          at += 2;
        } else if (text.startsWith("[:", at) && text.indexOf(":]", at) > 0) {
          at = text.indexOf(":]", at) + 2;
        } else {
          if (text.charAt(at) == '-' && at + 1 < text.length()) {
            char end = text.charAt(at + 1);
            mayBeEndless |= end == '\\' || end > 0x7f;
          }
          at++;
        }
      }
      at = Math.min(text.length(), at + 1);
      return 1;
    }

    private long escape() {
      if (at >= text.length()) {
        return 1;
      }
      char c = text.charAt(at++);
      mayBeEndless |= c == 'x';
      if (c == 'Q') {
        mayBeEndless |= text.chars().anyMatch(one -> isEndless((char) one));
        int end = text.indexOf("\\E", at);
        int length = (end < 0 ? text.length() : end) - at;
        at = end < 0 ? text.length() : end + 2;
        return length;
      }
      if ((c == 'p' || c == 'P' || c == 'x') && at < text.length() && text.charAt(at) == '{') {
        int end = text.indexOf('}', at);
        at = end < 0 ? text.length() : end + 1;
      } else if (c == 'p' || c == 'P') {
        at = Math.min(text.length(), at + 1);
      }
      return 1;
    }

    private static boolean isEndless(char c) {
      return c >= ENDLESS_FIRST && c <= ENDLESS_LAST;
    }

    private static long plus(long a, long b) {
      return Math.min(FAR, a + b);
    }

    private static long times(long a, long b) {
      return a > FAR / b ? FAR : a * b;
    }
  }
}
