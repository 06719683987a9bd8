package io.peerlens.web;

import java.util.Collection;
import java.util.Locale;
import java.util.Optional;

/** Small help with what people typed. */
final class Texts {

  private Texts() {}

  /** What was given, short enough to be shown in an answer, without control characters. */
  static String shorten(String text) {
    String plain = text.replaceAll("\\p{Cntrl}", "?");
    return plain.length() <= 60 ? plain : plain.substring(0, 57) + "...";
  }

  /** Whether the database can hold the text: it has neither NUL nor half of a surrogate pair. */
  static boolean isStorable(String text) {
    return text.codePoints()
        .noneMatch(c -> c == 0 || (c >= Character.MIN_SURROGATE && c <= Character.MAX_SURROGATE));
  }

  /** The known word that was probably meant. */
  static Optional<String> closest(String typed, Collection<String> known) {
    return known.stream()
        .filter(
            word ->
                distance(typed.toLowerCase(Locale.ROOT), word.toLowerCase(Locale.ROOT))
                    <= 1 + word.length() / 4)
        .min(
            (a, b) ->
                Integer.compare(
                    distance(typed.toLowerCase(Locale.ROOT), a.toLowerCase(Locale.ROOT)),
                    distance(typed.toLowerCase(Locale.ROOT), b.toLowerCase(Locale.ROOT))));
  }

  /** Levenshtein distance: least number of letters to insert, delete or replace. */
  private static int distance(String a, String b) {
    int[] previous = new int[b.length() + 1];
    for (int j = 0; j <= b.length(); j++) {
      previous[j] = j;
    }
    for (int i = 1; i <= a.length(); i++) {
      int[] current = new int[b.length() + 1];
      current[0] = i;
      for (int j = 1; j <= b.length(); j++) {
        int replaced = previous[j - 1] + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
        current[j] = Math.min(replaced, 1 + Math.min(previous[j], current[j - 1]));
      }
      previous = current;
    }
    return previous[b.length()];
  }
}
