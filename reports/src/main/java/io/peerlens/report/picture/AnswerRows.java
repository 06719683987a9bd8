package io.peerlens.report.picture;

import io.peerlens.api.model.PanelAnswer;
import io.peerlens.api.model.PanelColumn;
import io.peerlens.api.model.PanelColumnType;
import io.peerlens.api.model.PanelGroup;
import io.peerlens.api.model.PanelRow;
import io.peerlens.api.model.PanelState;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Columns and rows of an answer.
 *
 * @param parts the rows in the order in which they are drawn
 */
record AnswerRows(List<PanelColumn> columns, List<PanelRow> rows, List<Part> parts) {

  /**
   * Rows that stand together.
   *
   * @param title name of their group; null = the rows have no groups
   */
  record Part(@Nullable String title, List<PanelRow> rows) {}

  static AnswerRows of(PanelAnswer answer) {
    List<PanelRow> rows = Objects.requireNonNullElse(answer.getRows(), List.of());
    List<PanelGroup> groups = answer.getGroups();
    return new AnswerRows(
        Objects.requireNonNullElse(answer.getColumns(), List.of()),
        rows,
        groups == null
            ? List.of(new Part(null, rows))
            : groups.stream()
                .map(
                    group ->
                        new Part(
                            group.getName().isEmpty() ? "none" : group.getName(),
                            group.getRows().stream().map(rows::get).toList()))
                .toList());
  }

  /** The name of what a row is about. */
  static String name(PanelRow row) {
    String instance = row.getInstance();
    return instance == null
        ? row.getObject().getName()
        : row.getObject().getName() + " " + instance;
  }

  /** Whether a column already says which object a row is about. */
  boolean sayNames() {
    if (rows.isEmpty()) {
      return false;
    }
    for (int c = 0; c < rows.getFirst().getCells().size(); c++) {
      int column = c;
      if (rows.stream()
          .allMatch(
              row ->
                  row.getInstance() == null
                      && row.getObject().getName().equals(row.getCells().get(column)))) {
        return true;
      }
    }
    return false;
  }

  static boolean isNumber(PanelColumn column) {
    return column.getType() == PanelColumnType.NUMBER;
  }

  /** The state of a value; null = it has none. */
  static @Nullable PanelState state(PanelRow row, int column) {
    return at(row.getStates(), column);
  }

  /** What a list has for a column; null = nothing. */
  static <T> @Nullable T at(@Nullable List<T> list, int column) {
    return list == null || column >= list.size() ? null : list.get(column);
  }
}
