package io.peerlens.panel;

import java.util.Locale;

/**
 * Pattern of a whole text: {@code *} stands for any text, everything else for itself; letter case
 * does not count. The time of a match grows with the product of the two lengths at most.
 */
final class Glob {

  private final String pattern;

  Glob(String pattern) {
    this.pattern = pattern.toLowerCase(Locale.ROOT);
  }

  boolean matches(String text) {
    String of = text.toLowerCase(Locale.ROOT);
    int p = 0;
    int t = 0;
    int star = -1;
    int mark = 0;
    while (t < of.length()) {
      if (p < pattern.length() && pattern.charAt(p) == '*') {
        star = p++;
        mark = t;
      } else if (p < pattern.length() && pattern.charAt(p) == of.charAt(t)) {
        p++;
        t++;
      } else if (star >= 0) {
        p = star + 1;
        t = ++mark;
      } else {
        return false;
      }
    }
    while (p < pattern.length() && pattern.charAt(p) == '*') {
      p++;
    }
    return p == pattern.length();
  }
}
