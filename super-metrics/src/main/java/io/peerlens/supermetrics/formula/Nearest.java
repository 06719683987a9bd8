package io.peerlens.supermetrics.formula;

import java.util.Collection;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Name that somebody probably meant. */
public final class Nearest {

  private static final int LONGEST = 200;

  private Nearest() {}

  /**
   * The known name nearest to a misspelled one, by the number of letters that were left out, added,
   * changed or swapped (Damerau and Levenshtein's distance, each pair of letters swapped once).
   *
   * @param name as written
   * @param known names that exist
   * @return null if none is near: more than a third of the letters would have to change; nothing is
   *     near to a single letter
   */
  public static @Nullable String of(String name, Collection<String> known) {
    String wanted = name.toLowerCase(Locale.ROOT);
    if (wanted.length() < 2 || wanted.length() > LONGEST) {
      return null;
    }
    String best = null;
    int bestDistance = Math.max(1, wanted.length() / 3) + 1;
    for (String candidate : known) {
      if (Math.abs(candidate.length() - wanted.length()) < bestDistance) {
        int distance = distance(wanted, candidate.toLowerCase(Locale.ROOT), bestDistance);
        if (distance < bestDistance) {
          best = candidate;
          bestDistance = distance;
        }
      }
    }
    return best;
  }

  /**
   * The distance between two words.
   *
   * @param most where it is no less than this, any number that is no less will do
   */
  private static int distance(String a, String b, int most) {
    int[] before = new int[b.length() + 1];
    int[] above = new int[b.length() + 1];
    int[] row = new int[b.length() + 1];
    for (int j = 0; j <= b.length(); j++) {
      above[j] = j;
    }
    int leastAbove = 0;
    for (int i = 1; i <= a.length(); i++) {
      row[0] = i;
      int least = i;
      for (int j = 1; j <= b.length(); j++) {
        int change = a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1;
        int best = Math.min(Math.min(row[j - 1], above[j]) + 1, above[j - 1] + change);
        if (i > 1
            && j > 1
            && a.charAt(i - 1) == b.charAt(j - 2)
            && a.charAt(i - 2) == b.charAt(j - 1)) {
          best = Math.min(best, before[j - 2] + 1);
        }
        row[j] = best;
        least = Math.min(least, best);
      }
      if (least >= most && leastAbove >= most) {
        return most; // it can only grow from here
      }
      leastAbove = least;
      int[] reused = before;
      before = above;
      above = row;
      row = reused;
    }
    return above[b.length()];
  }
}
