package io.peerlens.assistant;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;

/** Keys of metrics that are nearest to one that is not there. */
final class NearKeys {

  private static final int MOST = 5;
  private static final int LONGEST = 100;

  private NearKeys() {}

  private record Near(String key, double distance) {}

  /** The nearest keys, best first; only those that may be meant. */
  static List<String> of(String wanted, List<String> known) {
    String a = shorten(wanted);
    List<Near> near = new ArrayList<>();
    for (String key : known) {
      near.add(new Near(key, distance(a, shorten(key))));
    }
    return near.stream()
        .filter(one -> one.distance() < 0.6)
        .sorted(Comparator.comparingDouble(Near::distance).thenComparing(Near::key))
        .limit(MOST)
        .map(Near::key)
        .toList();
  }

  private static String shorten(String key) {
    String plain = key.toLowerCase(Locale.ROOT);
    return plain.length() > LONGEST ? plain.substring(0, LONGEST) : plain;
  }

  /** 0 = equal, 1 = nothing in common; words that both have bring them near. */
  private static double distance(String a, String b) {
    int words = 0;
    int common = 0;
    for (String word : a.split("[^a-z0-9]+")) {
      if (word.length() > 1) {
        words++;
        common += b.contains(word) ? 1 : 0;
      }
    }
    double byWords = words == 0 ? 1 : 1 - (double) common / words;
    double byEdits = (double) edits(a, b) / Math.max(1, Math.max(a.length(), b.length()));
    return a.equals(b) ? 0 : Math.min(byEdits, 0.1 + 0.6 * byWords + 0.3 * byEdits);
  }

  private static int edits(String a, String b) {
    int[] row = new int[b.length() + 1];
    for (int j = 0; j <= b.length(); j++) {
      row[j] = j;
    }
    for (int i = 1; i <= a.length(); i++) {
      int diagonal = row[0];
      row[0] = i;
      for (int j = 1; j <= b.length(); j++) {
        int above = row[j];
        row[j] =
            Math.min(
                Math.min(row[j], row[j - 1]) + 1,
                diagonal + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1));
        diagonal = above;
      }
    }
    return row[b.length()];
  }
}
