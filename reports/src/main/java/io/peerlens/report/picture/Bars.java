package io.peerlens.report.picture;

import static io.peerlens.report.picture.Sheet.BASE;
import static io.peerlens.report.picture.Sheet.LEADING;
import static io.peerlens.report.picture.Sheet.PAD;
import static io.peerlens.report.picture.Sheet.ROW;
import static io.peerlens.report.picture.Sheet.SIZE;

import io.peerlens.api.model.PanelAnswer;
import io.peerlens.api.model.PanelBucket;
import io.peerlens.api.model.PanelColumn;
import io.peerlens.api.model.PanelRow;
import io.peerlens.report.picture.Mark.Box;
import io.peerlens.report.picture.Mark.Side;
import io.peerlens.report.picture.Mark.Words;
import io.peerlens.report.picture.PanelPicture.Strip;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/** Bars as long as values: of rows by their rank, or of how many rows each bucket has. */
final class Bars {

  /**
   * A bar between its name and its value.
   *
   * @param length in the unit of the value
   */
  private record Bar(String name, String value, double length, Ink ink) {}

  private final Sheet sheet;
  private final PanelValues values;

  Bars(Sheet sheet, PanelValues values) {
    this.sheet = sheet;
    this.values = values;
  }

  /** Bars of the first column with numbers; without one, a table. */
  void top(PanelAnswer answer) {
    AnswerRows of = AnswerRows.of(answer);
    int ranked = 0;
    while (ranked < of.columns().size() && !AnswerRows.isNumber(of.columns().get(ranked))) {
      ranked++;
    }
    if (ranked == of.columns().size()) {
      new RowTable(sheet, values).draw(answer);
      return;
    }
    PanelColumn column = of.columns().get(ranked);
    List<Bar> bars = new ArrayList<>();
    for (PanelRow row : of.rows()) {
      Object value = row.getCells().get(ranked);
      bars.add(
          new Bar(
              AnswerRows.name(row),
              values.withUnit(column, value),
              value instanceof Number number ? number.doubleValue() : 0,
              Ink.of(AnswerRows.state(row, ranked))));
    }
    sheet.caption(PanelValues.title(column));
    draw(bars);
  }

  void distribution(PanelAnswer answer) {
    List<PanelColumn> columns = Objects.requireNonNullElse(answer.getColumns(), List.of());
    List<PanelBucket> buckets = Objects.requireNonNullElse(answer.getBuckets(), List.of());
    if (!columns.isEmpty()) {
      sheet.caption(PanelValues.title(columns.getFirst()));
    }
    draw(
        buckets.stream()
            .map(
                one ->
                    new Bar(
                        one.getLabel(),
                        "%,d".formatted(one.getCount()),
                        one.getCount(),
                        Ink.of(one.getState())))
            .toList());
  }

  private void draw(List<Bar> bars) {
    TextWidths widths = sheet.widths();
    double names =
        Math.min(
            sheet.width() * 0.4,
            bars.stream().mapToDouble(one -> widths.of(one.name(), SIZE, false)).max().orElse(0));
    double texts =
        bars.stream().mapToDouble(one -> widths.of(one.value(), SIZE, false)).max().orElse(0);
    double begin = names + 3 * PAD;
    double room = Math.max(20, sheet.width() - begin - texts - 3 * PAD);
    double most = bars.stream().mapToDouble(one -> Math.abs(one.length())).max().orElse(0);
    for (Bar one : bars) {
      List<String> lines = widths.lines(one.name(), SIZE, false, names + 1, Sheet.MOST_LINES);
      List<Mark> marks = new ArrayList<>();
      for (int l = 0; l < lines.size(); l++) {
        marks.add(
            new Words(PAD, BASE + l * LEADING, lines.get(l), SIZE, false, Ink.INK, Side.RIGHT_OF));
      }
      double length = most == 0 ? 0 : Math.abs(one.length()) / most * room;
      marks.add(new Box(begin, 3, Math.max(length, 0.5), ROW - 6, one.ink()));
      marks.add(
          new Words(sheet.width() - PAD, BASE, one.value(), SIZE, false, Ink.INK, Side.LEFT_OF));
      sheet.add(new Strip(ROW + (lines.size() - 1) * LEADING, marks));
    }
    if (bars.isEmpty()) {
      sheet.remark("There are no rows.");
    }
  }
}
