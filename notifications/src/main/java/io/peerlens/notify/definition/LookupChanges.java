package io.peerlens.notify.definition;

import io.peerlens.alerttemplates.LookupTable;
import io.peerlens.api.model.FieldChange;
import io.peerlens.definition.TextChanges;
import java.util.ArrayList;
import java.util.List;

/**
 * Differences between two versions of a lookup table; a table may be long, so most of it is left
 * out.
 */
final class LookupChanges {

  private LookupChanges() {}

  static List<FieldChange> between(LookupFile before, LookupFile after) {
    List<FieldChange> changes = new ArrayList<>();
    LookupTable was = LookupTable.parse(before.csv());
    LookupTable is = LookupTable.parse(after.csv());
    add(changes, "columns", String.join(", ", was.columns()), String.join(", ", is.columns()));
    add(changes, "rows", String.valueOf(was.rows().size()), String.valueOf(is.rows().size()));
    if (!before.csv().equals(after.csv())) {
      changes.add(
          new FieldChange("csv", null, null, TextChanges.between(before.csv(), after.csv())));
    }
    return changes;
  }

  private static void add(List<FieldChange> changes, String field, String was, String is) {
    if (!was.equals(is)) {
      changes.add(new FieldChange(field, was, is, List.of()));
    }
  }
}
