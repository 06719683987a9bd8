package io.peerlens.definition;

import io.peerlens.api.model.DiffLine;
import io.peerlens.api.model.DiffLineKind;
import io.peerlens.supermetrics.file.Change.Line;
import io.peerlens.supermetrics.file.LineDiff;
import java.util.ArrayList;
import java.util.List;

/** Diff of two long texts; most of them is alike and left out. */
public final class TextChanges {

  private static final int MOST_LINES = 200;

  private TextChanges() {}

  /** The lines that differ, each with its neighbours, at most 200; empty when none do. */
  public static List<DiffLine> between(String before, String after) {
    List<Line> all = LineDiff.between(plain(before), plain(after));
    List<DiffLine> shown = new ArrayList<>();
    for (int i = 0; i < all.size() && shown.size() < MOST_LINES; i++) {
      boolean near = false;
      for (int n = Math.max(0, i - 1); n <= Math.min(all.size() - 1, i + 1); n++) {
        near |= all.get(n).kind() != Line.Kind.SAME;
      }
      if (near) {
        Line line = all.get(i);
        shown.add(new DiffLine(DiffLineKind.valueOf(line.kind().name()), line.text()));
      }
    }
    return shown;
  }

  private static String plain(String text) {
    return text.replace("\r\n", "\n").stripTrailing();
  }
}
