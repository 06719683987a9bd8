package io.peerlens.report.picture;

import static io.peerlens.report.picture.Sheet.PAD;
import static io.peerlens.report.picture.Sheet.SMALL;

import io.peerlens.api.model.PanelAnswer;
import io.peerlens.api.model.PanelColumn;
import io.peerlens.api.model.PanelRow;
import io.peerlens.report.picture.AnswerRows.Part;
import io.peerlens.report.picture.Mark.Box;
import io.peerlens.report.picture.Mark.Side;
import io.peerlens.report.picture.Mark.Words;
import io.peerlens.report.picture.PanelPicture.Strip;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/** Heat map: a small cell for each row, in the colour of its state, below the name of its group. */
final class HeatMap {

  private static final List<String> BOUNDS = List.of("warning", "immediate", "critical");
  private static final double WIDTH = 72;
  private static final double HEIGHT = 26;

  private final Sheet sheet;
  private final PanelValues values;

  HeatMap(Sheet sheet, PanelValues values) {
    this.sheet = sheet;
    this.values = values;
  }

  void draw(PanelAnswer answer) {
    AnswerRows of = AnswerRows.of(answer);
    int colour = colourColumn(of);
    if (colour < of.columns().size() && !of.rows().isEmpty()) {
      sheet.title(legend(of.columns().get(colour)), SMALL, false, Ink.FAINT);
    }
    for (Part part : of.parts()) {
      if (part.title() != null) {
        sheet.title(part.title(), SMALL, true, Ink.INK);
      }
      cells(part.rows(), of.columns(), colour);
    }
  }

  /** The first column whose values have states; else the first with numbers. */
  private static int colourColumn(AnswerRows of) {
    for (int c = 0; c < of.columns().size(); c++) {
      int column = c;
      if (of.rows().stream().anyMatch(row -> AnswerRows.state(row, column) != null)) {
        return c;
      }
    }
    for (int c = 0; c < of.columns().size(); c++) {
      if (AnswerRows.isNumber(of.columns().get(c))) {
        return c;
      }
    }
    return 0;
  }

  /** What the values are, and from where on they have a colour. */
  private String legend(PanelColumn column) {
    List<Double> bounds = Objects.requireNonNullElse(column.getBounds(), List.of());
    List<String> words = new ArrayList<>();
    for (int b = 0; b < bounds.size(); b++) {
      Double bound = bounds.get(b);
      if (bound != null && !bound.isNaN()) {
        words.add(BOUNDS.get(b) + " at " + values.cell(column, bound));
      }
    }
    String title = PanelValues.title(column);
    return words.isEmpty() ? title : title + ": " + String.join(", ", words);
  }

  private void cells(List<PanelRow> rows, List<PanelColumn> columns, int colour) {
    int across = Math.max(1, (int) (sheet.width() / WIDTH));
    double each = sheet.width() / across;
    for (int first = 0; first < rows.size(); first += across) {
      List<Mark> marks = new ArrayList<>();
      for (int i = first; i < Math.min(rows.size(), first + across); i++) {
        PanelRow row = rows.get(i);
        double x = (i - first) * each;
        double room = each - 2 * PAD;
        marks.add(
            new Box(x + 1, 1, each - 2, HEIGHT - 2, Ink.behind(AnswerRows.state(row, colour))));
        marks.add(
            new Words(
                x + PAD,
                11,
                sheet.widths().fit(AnswerRows.name(row), SMALL, false, room),
                SMALL,
                false,
                Ink.INK,
                Side.RIGHT_OF));
        if (colour < columns.size()) {
          String value = values.withUnit(columns.get(colour), row.getCells().get(colour));
          marks.add(
              new Words(
                  x + PAD,
                  21,
                  sheet.widths().fit(value, SMALL, true, room),
                  SMALL,
                  true,
                  Ink.INK,
                  Side.RIGHT_OF));
        }
      }
      sheet.add(new Strip(HEIGHT, marks));
    }
  }
}
