package io.peerlens.supermetrics.file;

import io.peerlens.supermetrics.file.Change.Line;
import io.peerlens.supermetrics.file.Change.Line.Kind;
import java.util.ArrayList;
import java.util.List;

/** Line diff of two texts, with as many lines in common as possible. */
public final class LineDiff {

  /** Cells of the comparison table; beyond it, all lines between the equal ends are exchanged. */
  private static final int MAX_CELLS = 4_000_000;

  private LineDiff() {}

  /** Lines of both texts in order; removed ones come before those that take their place. */
  public static List<Line> between(String before, String after) {
    String[] a = before.split("\n", -1);
    String[] b = after.split("\n", -1);
    int start = 0;
    while (start < a.length && start < b.length && a[start].equals(b[start])) {
      start++;
    }
    int endA = a.length;
    int endB = b.length;
    while (endA > start && endB > start && a[endA - 1].equals(b[endB - 1])) {
      endA--;
      endB--;
    }
    List<Line> lines = new ArrayList<>();
    add(lines, Kind.SAME, a, 0, start);
    if ((long) (endA - start) * (endB - start) > MAX_CELLS) {
      add(lines, Kind.REMOVED, a, start, endA);
      add(lines, Kind.ADDED, b, start, endB);
    } else {
      middle(lines, a, start, endA, b, endB);
    }
    add(lines, Kind.SAME, a, endA, a.length);
    return lines;
  }

  /** Longest common subsequence of the lines that differ, by the usual table. */
  private static void middle(
      List<Line> lines, String[] a, int start, int endA, String[] b, int endB) {
    int[][] common = new int[endA - start + 1][endB - start + 1];
    for (int i = endA - 1; i >= start; i--) {
      for (int j = endB - 1; j >= start; j--) {
        common[i - start][j - start] =
            a[i].equals(b[j])
                ? common[i - start + 1][j - start + 1] + 1
                : Math.max(common[i - start + 1][j - start], common[i - start][j - start + 1]);
      }
    }
    int i = start;
    int j = start;
    while (i < endA || j < endB) {
      if (i < endA && j < endB && a[i].equals(b[j])) {
        lines.add(new Line(Kind.SAME, a[i++]));
        j++;
      } else if (j >= endB
          || (i < endA && common[i - start + 1][j - start] >= common[i - start][j - start + 1])) {
        lines.add(new Line(Kind.REMOVED, a[i++]));
      } else {
        lines.add(new Line(Kind.ADDED, b[j++]));
      }
    }
  }

  private static void add(List<Line> lines, Kind kind, String[] texts, int from, int to) {
    for (int i = from; i < to; i++) {
      lines.add(new Line(kind, texts[i]));
    }
  }
}
