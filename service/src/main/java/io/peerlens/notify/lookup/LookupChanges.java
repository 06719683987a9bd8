package io.peerlens.notify.lookup;

import io.peerlens.alerttemplates.LookupTable;
import io.peerlens.api.model.DiffLine;
import io.peerlens.api.model.DiffLineKind;
import io.peerlens.api.model.FieldChange;
import io.peerlens.supermetrics.file.Change.Line;
import io.peerlens.supermetrics.file.LineDiff;
import java.util.ArrayList;
import java.util.List;

/**
 * In what two versions of a lookup table differ; a table may be long, so most of it is left out.
 */
final class LookupChanges {

  private static final int MOST_LINES = 200;

  private LookupChanges() {}

  static List<FieldChange> between(LookupFile before, LookupFile after) {
    List<FieldChange> changes = new ArrayList<>();
    LookupTable was = LookupTable.parse(before.csv());
    LookupTable is = LookupTable.parse(after.csv());
    add(changes, "columns", String.join(", ", was.columns()), String.join(", ", is.columns()));
    add(changes, "rows", String.valueOf(was.rows().size()), String.valueOf(is.rows().size()));
    if (!before.csv().equals(after.csv())) {
      changes.add(new FieldChange("csv", null, null, lines(before.csv(), after.csv())));
    }
    return changes;
  }

  private static void add(List<FieldChange> changes, String field, String was, String is) {
    if (!was.equals(is)) {
      changes.add(new FieldChange(field, was, is, List.of()));
    }
  }

  /** The lines that differ, each with its neighbours. */
  private static List<DiffLine> lines(String before, String after) {
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

  private static String plain(String csv) {
    return csv.replace("\r\n", "\n").stripTrailing();
  }
}
