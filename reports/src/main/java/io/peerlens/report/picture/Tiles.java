package io.peerlens.report.picture;

import static io.peerlens.report.picture.Sheet.PAD;
import static io.peerlens.report.picture.Sheet.SIZE;
import static io.peerlens.report.picture.Sheet.SMALL;

import io.peerlens.api.model.PanelAnswer;
import io.peerlens.api.model.PanelColumn;
import io.peerlens.api.model.PanelLine;
import io.peerlens.api.model.PanelPlace;
import io.peerlens.api.model.PanelRow;
import io.peerlens.api.model.PanelState;
import io.peerlens.report.picture.Mark.Box;
import io.peerlens.report.picture.Mark.Side;
import io.peerlens.report.picture.Mark.Words;
import io.peerlens.report.picture.PanelPicture.Strip;
import java.util.ArrayList;
import java.util.List;

/** Tiles of a scoreboard, one for each value; those of an object follow its name. */
final class Tiles {

  private static final double WIDTH = 118;
  private static final double HEIGHT = 62;

  /** Letters of a value that has room. */
  private static final double LARGE = 15;

  private final Sheet sheet;
  private final PanelValues values;

  Tiles(Sheet sheet, PanelValues values) {
    this.sheet = sheet;
    this.values = values;
  }

  void draw(PanelAnswer answer) {
    AnswerRows of = AnswerRows.of(answer);
    int across = Math.max(1, (int) (sheet.width() / WIDTH));
    double each = sheet.width() / across;
    for (PanelRow row : of.rows()) {
      sheet.title(AnswerRows.name(row), SIZE, true, Ink.INK);
      for (int first = 0; first < of.columns().size(); first += across) {
        List<Mark> marks = new ArrayList<>();
        for (int c = first; c < Math.min(of.columns().size(), first + across); c++) {
          tile(of.columns().get(c), row, c, (c - first) * each, each - PAD, marks);
        }
        sheet.add(new Strip(HEIGHT + PAD, marks));
      }
    }
  }

  private void tile(
      PanelColumn column, PanelRow row, int c, double x, double width, List<Mark> marks) {
    TextWidths widths = sheet.widths();
    PanelState state = AnswerRows.state(row, c);
    marks.add(new Box(x, 0, width, HEIGHT, Ink.GRID));
    marks.add(new Box(x + 0.5, 0.5, width - 1, HEIGHT - 1, Ink.PAPER));
    if (state != null) {
      marks.add(new Box(x, 0, 3, HEIGHT, Ink.of(state)));
    }
    double left = x + 8;
    double room = width - 12;
    marks.add(
        new Words(
            left,
            12,
            widths.fit(column.getTitle(), SMALL, false, room),
            SMALL,
            false,
            Ink.FAINT,
            Side.RIGHT_OF));
    String value = values.withUnit(column, row.getCells().get(c));
    double size = widths.of(value, LARGE, true) > room ? SIZE : LARGE;
    marks.add(
        new Words(
            left,
            31,
            value.isEmpty() ? "–" : widths.fit(value, size, true, room),
            size,
            true,
            Ink.INK,
            Side.RIGHT_OF));
    PanelPlace place = AnswerRows.at(row.getPlaces(), c);
    if (place != null && place.getRank() != null) {
      marks.add(
          new Words(
              left,
              42,
              widths.fit(
                  "%,d of %,d".formatted(place.getRank(), place.getPeers()), SMALL, false, room),
              SMALL,
              false,
              Ink.FAINT,
              Side.RIGHT_OF));
    }
    PanelLine line = AnswerRows.at(row.getSparklines(), c);
    if (line != null) {
      Sparkline.of(line, left, 46, width - 16, HEIGHT - 50).ifPresent(marks::add);
    }
  }
}
