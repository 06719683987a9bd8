package io.peerlens.report.picture;

import io.peerlens.api.model.PanelAnswer;
import io.peerlens.api.model.PanelColumn;
import io.peerlens.api.model.PanelRecord;
import io.peerlens.api.model.PanelRow;
import io.peerlens.api.model.PanelState;
import io.peerlens.report.picture.AnswerRows.Part;
import io.peerlens.report.picture.Table.Cell;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/** Table of the rows of an answer, group by group, and of their totals. */
final class RowTable {

  private final Sheet sheet;
  private final PanelValues values;

  RowTable(Sheet sheet, PanelValues values) {
    this.sheet = sheet;
    this.values = values;
  }

  void draw(PanelAnswer answer) {
    AnswerRows of = AnswerRows.of(answer);
    boolean named = of.sayNames();
    List<Cell> titles = new ArrayList<>();
    if (!named) {
      titles.add(Cell.title("Object"));
    }
    for (PanelColumn column : of.columns()) {
      titles.add(title(column));
    }
    List<List<Cell>> rows = new ArrayList<>();
    for (Part part : of.parts()) {
      if (part.title() != null) {
        rows.add(group(part.title(), titles.size()));
      }
      for (PanelRow row : part.rows()) {
        rows.add(cells(row, of.columns(), named));
      }
    }
    List<Double> totals = answer.getTotals();
    if (totals != null) {
      rows.add(totals(totals, of.columns(), named));
    }
    new Grid(new Table(titles, rows), sheet).draw();
  }

  /** Rows that are of no object. */
  void records(PanelAnswer answer) {
    List<PanelColumn> columns = Objects.requireNonNullElse(answer.getColumns(), List.of());
    List<Cell> titles = columns.stream().map(RowTable::title).toList();
    List<List<Cell>> rows = new ArrayList<>();
    for (PanelRecord record :
        Objects.requireNonNullElse(answer.getRecords(), List.<PanelRecord>of())) {
      List<Cell> cells = new ArrayList<>();
      for (int c = 0; c < columns.size(); c++) {
        PanelColumn column = columns.get(c);
        cells.add(
            new Cell(
                values.cell(column, record.getCells().get(c)),
                AnswerRows.isNumber(column),
                false,
                null,
                null));
      }
      rows.add(cells);
    }
    if (!rows.isEmpty()) {
      new Grid(new Table(titles, rows), sheet).draw();
    }
  }

  private static Cell title(PanelColumn column) {
    String title = PanelValues.title(column);
    return AnswerRows.isNumber(column) ? Cell.numberTitle(title) : Cell.title(title);
  }

  private static List<Cell> group(String title, int columns) {
    List<Cell> cells = new ArrayList<>();
    cells.add(Cell.title(title));
    while (cells.size() < columns) {
      cells.add(Cell.of(""));
    }
    return cells;
  }

  private List<Cell> cells(PanelRow row, List<PanelColumn> columns, boolean named) {
    List<Cell> cells = new ArrayList<>();
    if (!named) {
      cells.add(Cell.of(AnswerRows.name(row)));
    }
    for (int c = 0; c < columns.size(); c++) {
      PanelState state = AnswerRows.state(row, c);
      cells.add(
          new Cell(
              values.cell(columns.get(c), row.getCells().get(c)),
              AnswerRows.isNumber(columns.get(c)),
              false,
              state == null || state == PanelState.NORMAL ? null : Ink.behind(state),
              AnswerRows.at(row.getSparklines(), c)));
    }
    return cells;
  }

  private List<Cell> totals(List<Double> totals, List<PanelColumn> columns, boolean named) {
    List<Cell> cells = new ArrayList<>();
    if (!named) {
      cells.add(Cell.title("All"));
    }
    for (int c = 0; c < columns.size(); c++) {
      boolean number = AnswerRows.isNumber(columns.get(c));
      boolean label = cells.isEmpty() && !number;
      cells.add(
          new Cell(
              label ? "All" : values.cell(columns.get(c), AnswerRows.at(totals, c)),
              number,
              true,
              null,
              null));
    }
    return cells;
  }
}
