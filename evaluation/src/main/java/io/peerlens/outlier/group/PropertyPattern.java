package io.peerlens.outlier.group;

/**
 * Pattern of keys of properties, in which {@code *} stands for any text. Its time is at most that
 * of its length times that of the key, whatever it says.
 *
 * @param text as users write it
 */
public record PropertyPattern(String text) {

  /** How many {@code *} one may have. */
  static final int MOST_STARS = 10;

  /** Whether a key is one of those that it stands for. */
  public boolean fits(String key) {
    int at = 0;
    int in = 0;
    int star = -1;
    int tried = 0;
    while (in < key.length()) {
      if (at < text.length() && text.charAt(at) == '*') {
        star = at++;
        tried = in;
      } else if (at < text.length() && text.charAt(at) == key.charAt(in)) {
        at++;
        in++;
      } else if (star >= 0) {
        at = star + 1;
        in = ++tried;
      } else {
        return false;
      }
    }
    while (at < text.length() && text.charAt(at) == '*') {
      at++;
    }
    return at == text.length();
  }

  int stars() {
    return (int) text.chars().filter(c -> c == '*').count();
  }

  @Override
  public String toString() {
    return text;
  }
}
