package io.peerlens.report.picture;

import static io.peerlens.report.picture.Sheet.MOST_LINES;
import static io.peerlens.report.picture.Sheet.PAD;

import io.peerlens.report.picture.Mark.Box;
import io.peerlens.report.picture.Mark.Side;
import io.peerlens.report.picture.Mark.Words;
import io.peerlens.report.picture.PanelPicture.Strip;
import io.peerlens.report.picture.Table.Cell;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/** Table on a sheet: how large its letters are, how wide its columns, where its lines break. */
final class Grid {

  private static final double LEAST_ROOM = 12;
  private static final int MEASURED_ROWS = 200;

  /** Letters of tables with many columns become so small. */
  private static final double SMALLEST = 5.5;

  /** Room that a column has for courses. */
  private static final double SPARK = 60;

  /** So that a text which fits exactly is not broken by a rounded width. */
  private static final double SLACK = 0.5;

  private final Table table;
  private final List<List<Cell>> measured;
  private final Sheet sheet;
  private final TextWidths widths;
  private final double width;

  /** Of the letters. */
  private final double size;

  /** Width of each column. */
  private final double[] columns;

  /** The widest text of each column. */
  private final double[] texts;

  Grid(Table table, Sheet sheet) {
    this.table = table;
    this.measured = table.rows().subList(0, Math.min(table.rows().size(), MEASURED_ROWS));
    this.sheet = sheet;
    this.widths = sheet.widths();
    this.width = sheet.width();
    double letters = Sheet.SIZE;
    double[] least = leastWidths(letters);
    while (Arrays.stream(least).sum() > width && letters > SMALLEST) {
      letters--;
      least = leastWidths(letters);
    }
    this.size = letters;
    this.columns = columnWidths(letters, least);
    this.texts = textWidths(letters);
  }

  /** The only thing on its sheet: each page begins with its titles. */
  void draw() {
    sheet.addToHead(strip(table.titles()));
    List<List<Cell>> rows = table.rows();
    for (List<Cell> row : rows) {
      Strip strip = strip(row);
      sheet.add(row.getFirst().bold() && row != rows.getLast() ? strip.keptWithNext() : strip);
    }
    if (rows.isEmpty()) {
      sheet.remark("There are no rows.");
    }
  }

  /** Below something else: its titles stand among the strips. */
  void drawBelow() {
    Strip titles = strip(table.titles());
    sheet.add(titles.keptWithNext());
    table.rows().forEach(row -> sheet.add(strip(row).under(titles)));
  }

  /** What a column needs so that no word is broken, unless the word is very long. */
  private double[] leastWidths(double size) {
    List<Cell> titles = table.titles();
    double[] least = new double[titles.size()];
    double most = width / Math.min(4, Math.max(1, least.length));
    for (int c = 0; c < least.length; c++) {
      double word = widths.longestWord(titles.get(c).text(), size, true);
      boolean line = false;
      for (List<Cell> row : measured) {
        Cell cell = row.get(c);
        word = Math.max(word, widths.longestWord(cell.text(), size, cell.bold()));
        line |= cell.line() != null;
      }
      least[c] = Math.min(word + 2 * PAD + SLACK, most) + (line ? SPARK : 0);
    }
    return least;
  }

  private double[] textWidths(double size) {
    double[] widest = new double[measured.isEmpty() ? 0 : measured.getFirst().size()];
    for (List<Cell> row : measured) {
      for (int c = 0; c < widest.length; c++) {
        widest[c] = Math.max(widest[c], widths.of(row.get(c).text(), size, row.get(c).bold()));
      }
    }
    return widest;
  }

  /** What the texts need; if that is too much, the widest columns give way and break lines. */
  private double[] columnWidths(double size, double[] least) {
    List<Cell> titles = table.titles();
    double[] wanted = new double[titles.size()];
    for (int c = 0; c < wanted.length; c++) {
      wanted[c] = widths.of(titles.get(c).text(), size, true) + 2 * PAD + SLACK;
      for (List<Cell> row : measured) {
        Cell cell = row.get(c);
        wanted[c] =
            Math.max(
                wanted[c],
                widths.of(cell.text(), size, cell.bold())
                    + 2 * PAD
                    + SLACK
                    + (cell.line() == null ? 0 : SPARK));
      }
    }
    double sum = Arrays.stream(wanted).sum();
    if (sum <= width) {
      // Room that is left goes to all alike.
      double more = wanted.length == 0 ? 0 : (width - sum) / wanted.length;
      return Arrays.stream(wanted).map(one -> one + more).toArray();
    }
    double enough = Arrays.stream(least).sum();
    if (enough > width) {
      return Arrays.stream(least).map(one -> one * width / enough).toArray();
    }
    double low = 0;
    double high = width;
    for (int round = 0; round < 40; round++) {
      double middle = (low + high) / 2;
      if (Arrays.stream(capped(wanted, least, middle)).sum() <= width) {
        low = middle;
      } else {
        high = middle;
      }
    }
    return capped(wanted, least, low);
  }

  private static double[] capped(double[] wanted, double[] least, double most) {
    return IntStream.range(0, wanted.length)
        .mapToDouble(c -> Math.max(least[c], Math.min(wanted[c], most)))
        .toArray();
  }

  private Strip strip(List<Cell> cells) {
    double leading = Sheet.LEADING * size / Sheet.SIZE;
    List<List<String>> lines = new ArrayList<>();
    int most = 1;
    for (int c = 0; c < columns.length; c++) {
      Cell cell = cells.get(c);
      double room = columns[c] - 2 * PAD - (cell.line() == null ? 0 : SPARK);
      lines.add(
          widths.lines(cell.text(), size, cell.bold(), Math.max(LEAST_ROOM, room), MOST_LINES));
      most = Math.max(most, lines.get(c).size());
    }
    double height = Sheet.ROW + (most - 1) * leading;
    List<Mark> marks = new ArrayList<>();
    double x = 0;
    for (int c = 0; c < columns.length; c++) {
      Cell cell = cells.get(c);
      if (cell.behind() != null) {
        marks.add(new Box(x + 1, 1, columns[c] - 2, height - 2, cell.behind()));
      }
      for (int l = 0; l < lines.get(c).size(); l++) {
        String line = lines.get(c).get(l);
        if (!line.isEmpty()) {
          marks.add(
              new Words(
                  cell.number() ? x + columns[c] - PAD : x + PAD,
                  Sheet.BASE + l * leading,
                  line,
                  size,
                  cell.bold(),
                  Ink.INK,
                  cell.number() ? Side.LEFT_OF : Side.RIGHT_OF));
        }
      }
      if (cell.line() != null) {
        double room = Math.max(SPARK - PAD, columns[c] - 4 * PAD - texts[c]);
        Sparkline.of(cell.line(), x + PAD, 2, room, Sheet.ROW - 4).ifPresent(marks::add);
      }
      x += columns[c];
    }
    marks.add(new Mark.Line(0, height, width, height, Ink.GRID, 0.5, false));
    return new Strip(height, marks);
  }
}
