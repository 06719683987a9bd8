package io.peerlens.report.picture;

import io.peerlens.api.model.Change;
import io.peerlens.api.model.ObjectRef;
import io.peerlens.api.model.PanelAlert;
import io.peerlens.api.model.PanelAnswer;
import io.peerlens.api.model.PanelBucket;
import io.peerlens.api.model.PanelCapacity;
import io.peerlens.api.model.PanelChange;
import io.peerlens.api.model.PanelColumn;
import io.peerlens.api.model.PanelColumnType;
import io.peerlens.api.model.PanelGroup;
import io.peerlens.api.model.PanelImpact;
import io.peerlens.api.model.PanelIndex;
import io.peerlens.api.model.PanelLane;
import io.peerlens.api.model.PanelLine;
import io.peerlens.api.model.PanelNode;
import io.peerlens.api.model.PanelNote;
import io.peerlens.api.model.PanelOutliers;
import io.peerlens.api.model.PanelPlace;
import io.peerlens.api.model.PanelProperty;
import io.peerlens.api.model.PanelRow;
import io.peerlens.api.model.PanelSegment;
import io.peerlens.api.model.PanelSeries;
import io.peerlens.api.model.PanelState;
import io.peerlens.api.model.Severity;
import io.peerlens.api.model.TopTalkers;
import io.peerlens.report.picture.Mark.Box;
import io.peerlens.report.picture.Mark.Curve;
import io.peerlens.report.picture.Mark.Side;
import io.peerlens.report.picture.Mark.Words;
import io.peerlens.report.picture.PanelPicture.Strip;
import java.time.Duration;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Drawing of an answer: what stands where. For one thread. */
public final class PanelDrawing {

  static final double SIZE = 8.5;
  static final double SMALL = 7.5;

  private static final double PAD = 4;
  private static final double ROW = 14;
  private static final double LEADING = 10.5;
  private static final double BASE = 10;
  private static final int MOST_LINES = 8;
  private static final double LEAST_ROOM = 12;
  private static final int MEASURED_ROWS = 200;

  private final PanelAnswer answer;
  private final double width;
  private final PanelValues values;
  private final TextWidths widths = new TextWidths();
  private final List<Strip> head = new ArrayList<>();
  private final List<Strip> strips = new ArrayList<>();

  private PanelDrawing(PanelAnswer answer, double width, ZoneId zone) {
    this.answer = answer;
    this.width = width;
    this.values = new PanelValues(zone);
  }

  /**
   * The picture of an answer.
   *
   * @param width in points
   * @param zone of times
   */
  public static PanelPicture of(PanelAnswer answer, double width, ZoneId zone) {
    return new PanelDrawing(answer, width, zone).draw();
  }

  /** In the place of an answer that there is not, why. */
  public static PanelPicture failed(String title, String reason, double width) {
    TextWidths widths = new TextWidths();
    List<Strip> strips = new ArrayList<>();
    for (String line : widths.lines(reason, SIZE, false, width - 2 * PAD, MOST_LINES)) {
      strips.add(
          new Strip(
              SIZE + 4,
              List.of(new Words(PAD, SIZE + 1, line, SIZE, false, Ink.CRITICAL, Side.RIGHT_OF))));
    }
    return new PanelPicture(title, width, List.of(), strips, List.of());
  }

  private PanelPicture draw() {
    if (answer.getEmpty() != null) {
      paragraph(answer.getEmpty().getTitle(), SIZE, true, Ink.INK);
      paragraph(answer.getEmpty().getText(), SIZE, false, Ink.FAINT);
    } else {
      switch (answer.getType()) {
        case "table", "sparklines" -> table();
        case "top" -> top();
        case "scoreboard" -> scoreboard();
        case "distribution" -> distribution();
        case "heatmap" -> heatMap();
        case "chart" -> strips.addAll(new ChartStrip(answer, width, values, widths, true).strips());
        case "timeline" -> timeline();
        case "text" -> text(Objects.requireNonNullElse(answer.getMarkdown(), ""));
        case "properties" -> properties();
        case "alerts" -> alerts();
        case "relations" -> relations();
        case "changes" -> changes();
        case "outliers" -> outliers(Objects.requireNonNull(answer.getOutliers()));
        case "talkers" -> talkers(Objects.requireNonNull(answer.getTalkers()));
        case "impact" -> impact(Objects.requireNonNull(answer.getImpact()));
        case "capacity" -> capacity(orEmpty(answer.getCapacity()));
        default ->
            paragraph("Panels of this type are not drawn in reports.", SIZE, false, Ink.FAINT);
      }
      if (head.isEmpty() && strips.isEmpty()) {
        paragraph("There is nothing to show.", SIZE, false, Ink.FAINT);
      }
    }
    return new PanelPicture(
        Objects.requireNonNullElse(answer.getTitle(), ""),
        width,
        head,
        strips,
        answer.getNotes().stream().map(PanelNote::getText).toList());
  }

  private static <T> List<T> orEmpty(@Nullable List<T> list) {
    return Objects.requireNonNullElse(list, List.of());
  }

  private void paragraph(String text, double size, boolean bold, Ink ink) {
    strips.addAll(lines(text, size, bold, ink));
  }

  /** A title of what follows, on the same page. */
  private void title(String text, double size, Ink ink) {
    lines(text, size, true, ink).forEach(line -> strips.add(line.keptWithNext()));
  }

  private List<Strip> lines(String text, double size, boolean bold, Ink ink) {
    List<Strip> strips = new ArrayList<>();
    for (String line : widths.lines(text, size, bold, width - 2 * PAD, 200)) {
      strips.add(
          new Strip(
              size + 4, List.of(new Words(PAD, size + 1, line, size, bold, ink, Side.RIGHT_OF))));
    }
    return strips;
  }

  // -----------------------------------------------------------------------------------------
  // tables

  /**
   * A cell of a grid.
   *
   * @param behind null = nothing is behind it
   * @param line course of the value; null = none
   */
  record Cell(
      String text, boolean number, boolean bold, @Nullable Ink behind, @Nullable PanelLine line) {

    static Cell of(String text) {
      return new Cell(text, false, false, null, null);
    }
  }

  private void grid(List<Cell> titles, List<List<Cell>> rows) {
    Grid grid = divided(titles, rows);
    head.add(gridRow(titles, grid));
    for (List<Cell> row : rows) {
      Strip strip = gridRow(row, grid);
      strips.add(row.getFirst().bold() && row != rows.getLast() ? strip.keptWithNext() : strip);
    }
    if (rows.isEmpty()) {
      paragraph("There are no rows.", SIZE, false, Ink.FAINT);
    }
  }

  /** A grid below something else: its titles stand among the strips. */
  private void grid(FindingTables.Table table) {
    Grid grid = divided(table.titles(), table.rows());
    Strip titles = gridRow(table.titles(), grid);
    strips.add(titles.keptWithNext());
    table.rows().forEach(row -> strips.add(gridRow(row, grid).under(titles)));
  }

  private Grid divided(List<Cell> titles, List<List<Cell>> rows) {
    double size = SIZE;
    double[] least = leastWidths(titles, rows, size);
    while (Arrays.stream(least).sum() > width && size > SMALLEST) {
      size--;
      least = leastWidths(titles, rows, size);
    }
    return new Grid(size, columnWidths(titles, rows, size, least), textWidths(rows, size));
  }

  /** Letters of tables with many columns become so small. */
  private static final double SMALLEST = 5.5;

  /**
   * How a grid is divided.
   *
   * @param size of its letters
   * @param columns their widths
   * @param texts the widest text of each column
   */
  private record Grid(double size, double[] columns, double[] texts) {}

  /** What a column needs so that no word is broken, unless the word is very long. */
  private double[] leastWidths(List<Cell> titles, List<List<Cell>> rows, double size) {
    double[] least = new double[titles.size()];
    double most = width / Math.min(4, Math.max(1, least.length));
    for (int c = 0; c < least.length; c++) {
      double word = widths.longestWord(titles.get(c).text(), size, true);
      boolean line = false;
      for (List<Cell> row : rows.subList(0, Math.min(rows.size(), MEASURED_ROWS))) {
        Cell cell = row.get(c);
        word = Math.max(word, widths.longestWord(cell.text(), size, cell.bold()));
        line |= cell.line() != null;
      }
      least[c] = Math.min(word + 2 * PAD + SLACK, most) + (line ? SPARK : 0);
    }
    return least;
  }

  private double[] textWidths(List<List<Cell>> rows, double size) {
    double[] texts = new double[rows.isEmpty() ? 0 : rows.getFirst().size()];
    for (List<Cell> row : rows.subList(0, Math.min(rows.size(), MEASURED_ROWS))) {
      for (int c = 0; c < texts.length; c++) {
        texts[c] = Math.max(texts[c], widths.of(row.get(c).text(), size, row.get(c).bold()));
      }
    }
    return texts;
  }

  private static final double SPARK = 60;

  /** So that a text which fits exactly is not broken by a rounded width. */
  private static final double SLACK = 0.5;

  /** What the texts need; if that is too much, the widest columns give way and break lines. */
  private double[] columnWidths(
      List<Cell> titles, List<List<Cell>> rows, double size, double[] least) {
    double[] wanted = new double[titles.size()];
    for (int c = 0; c < wanted.length; c++) {
      wanted[c] = widths.of(titles.get(c).text(), size, true) + 2 * PAD + SLACK;
      for (List<Cell> row : rows.subList(0, Math.min(rows.size(), MEASURED_ROWS))) {
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

  private Strip gridRow(List<Cell> cells, Grid grid) {
    double[] columns = grid.columns();
    double leading = LEADING * grid.size() / SIZE;
    List<List<String>> lines = new ArrayList<>();
    int most = 1;
    for (int c = 0; c < columns.length; c++) {
      Cell cell = cells.get(c);
      double room = columns[c] - 2 * PAD - (cell.line() == null ? 0 : SPARK);
      lines.add(
          widths.lines(
              cell.text(), grid.size(), cell.bold(), Math.max(LEAST_ROOM, room), MOST_LINES));
      most = Math.max(most, lines.get(c).size());
    }
    double height = ROW + (most - 1) * leading;
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
                  BASE + l * leading,
                  line,
                  grid.size(),
                  cell.bold(),
                  Ink.INK,
                  cell.number() ? Side.LEFT_OF : Side.RIGHT_OF));
        }
      }
      if (cell.line() != null) {
        double room = Math.max(SPARK - PAD, columns[c] - 4 * PAD - grid.texts()[c]);
        spark(cell.line(), x + PAD, 2, room, ROW - 4, marks);
      }
      x += columns[c];
    }
    marks.add(new Mark.Line(0, height, width, height, Ink.GRID, 0.5, false));
    return new Strip(height, marks);
  }

  /** A small course without axes. */
  private static void spark(
      PanelLine line, double x, double y, double w, double h, List<Mark> marks) {
    List<Double> of = line.getValues();
    double least = Double.POSITIVE_INFINITY;
    double greatest = Double.NEGATIVE_INFINITY;
    for (Double value : of) {
      if (value != null) {
        least = Math.min(least, value);
        greatest = Math.max(greatest, value);
      }
    }
    if (least > greatest) {
      return;
    }
    double[] xs = new double[of.size()];
    double[] ys = new double[of.size()];
    for (int i = 0; i < xs.length; i++) {
      Double value = of.get(i);
      xs[i] = x + (xs.length == 1 ? 0 : w * i / (xs.length - 1));
      ys[i] =
          value == null
              ? Double.NaN
              : greatest == least ? y + h / 2 : y + h - (value - least) / (greatest - least) * h;
    }
    marks.add(new Curve(xs, ys, Ink.ACCENT, 0.8));
  }

  private static String name(PanelRow row) {
    String instance = row.getInstance();
    return instance == null
        ? row.getObject().getName()
        : row.getObject().getName() + " " + instance;
  }

  /** Whether a column already says which object a row is about. */
  private static boolean saysName(List<PanelRow> rows) {
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

  private static <T> @Nullable T at(@Nullable List<T> list, int place) {
    return list == null || place >= list.size() ? null : list.get(place);
  }

  private void table() {
    List<PanelColumn> columns = orEmpty(answer.getColumns());
    List<PanelRow> rows = orEmpty(answer.getRows());
    boolean named = saysName(rows);
    List<Cell> titles = new ArrayList<>();
    if (!named) {
      titles.add(new Cell("Object", false, true, null, null));
    }
    for (PanelColumn column : columns) {
      titles.add(new Cell(PanelValues.title(column), isNumber(column), true, null, null));
    }
    List<List<Cell>> cells = new ArrayList<>();
    for (int row : order(rows.size())) {
      if (row < 0) {
        List<Cell> group = new ArrayList<>();
        PanelGroup of = orEmpty(answer.getGroups()).get(-row - 1);
        group.add(
            new Cell(of.getName().isEmpty() ? "none" : of.getName(), false, true, null, null));
        while (group.size() < titles.size()) {
          group.add(Cell.of(""));
        }
        cells.add(group);
        continue;
      }
      PanelRow one = rows.get(row);
      List<Cell> of = new ArrayList<>();
      if (!named) {
        of.add(Cell.of(name(one)));
      }
      for (int c = 0; c < columns.size(); c++) {
        PanelState state = at(one.getStates(), c);
        of.add(
            new Cell(
                values.cell(columns.get(c), one.getCells().get(c)),
                isNumber(columns.get(c)),
                false,
                state == null || state == PanelState.NORMAL ? null : Ink.behind(state),
                at(one.getSparklines(), c)));
      }
      cells.add(of);
    }
    List<Double> totals = answer.getTotals();
    if (totals != null) {
      List<Cell> of = new ArrayList<>();
      if (!named) {
        of.add(new Cell("All", false, true, null, null));
      }
      for (int c = 0; c < columns.size(); c++) {
        boolean label = of.isEmpty() && !isNumber(columns.get(c));
        of.add(
            new Cell(
                label ? "All" : values.cell(columns.get(c), at(totals, c)),
                isNumber(columns.get(c)),
                true,
                null,
                null));
      }
      cells.add(of);
    }
    grid(titles, cells);
  }

  /** Numbers of rows in the order of their groups; -1 - i stands for the title of group i. */
  private int[] order(int rows) {
    List<PanelGroup> groups = answer.getGroups();
    if (groups == null) {
      return IntStream.range(0, rows).toArray();
    }
    List<Integer> order = new ArrayList<>();
    for (int g = 0; g < groups.size(); g++) {
      order.add(-1 - g);
      order.addAll(groups.get(g).getRows());
    }
    return order.stream().mapToInt(Integer::intValue).toArray();
  }

  private static boolean isNumber(PanelColumn column) {
    return column.getType() == PanelColumnType.NUMBER;
  }

  // ------------------------------------------------------------------------------------------ bars

  private void top() {
    List<PanelColumn> columns = orEmpty(answer.getColumns());
    List<PanelRow> rows = orEmpty(answer.getRows());
    int ranked = 0;
    while (ranked < columns.size() && !isNumber(columns.get(ranked))) {
      ranked++;
    }
    if (ranked == columns.size()) {
      table();
      return;
    }
    List<String> names = new ArrayList<>();
    List<String> texts = new ArrayList<>();
    List<Double> sizes = new ArrayList<>();
    List<Ink> inks = new ArrayList<>();
    for (PanelRow row : rows) {
      Object value = row.getCells().get(ranked);
      names.add(name(row));
      texts.add(values.withUnit(columns.get(ranked), value));
      sizes.add(value instanceof Number number ? number.doubleValue() : Double.valueOf(0));
      inks.add(Ink.of(at(row.getStates(), ranked)));
    }
    paragraph(PanelValues.title(columns.get(ranked)), SMALL, false, Ink.FAINT);
    bars(names, texts, sizes, inks);
  }

  private void distribution() {
    List<String> names = new ArrayList<>();
    List<String> texts = new ArrayList<>();
    List<Double> sizes = new ArrayList<>();
    List<Ink> inks = new ArrayList<>();
    for (PanelBucket one : orEmpty(answer.getBuckets())) {
      names.add(one.getLabel());
      texts.add("%,d".formatted(one.getCount()));
      sizes.add((double) one.getCount());
      inks.add(Ink.of(one.getState()));
    }
    if (!orEmpty(answer.getColumns()).isEmpty()) {
      paragraph(
          PanelValues.title(orEmpty(answer.getColumns()).getFirst()), SMALL, false, Ink.FAINT);
    }
    bars(names, texts, sizes, inks);
  }

  private void bars(List<String> names, List<String> texts, List<Double> sizes, List<Ink> inks) {
    double ofNames =
        Math.min(
            width * 0.4,
            names.stream().mapToDouble(one -> widths.of(one, SIZE, false)).max().orElse(0));
    double ofTexts = texts.stream().mapToDouble(one -> widths.of(one, SIZE, false)).max().orElse(0);
    double begin = ofNames + 3 * PAD;
    double room = Math.max(20, width - begin - ofTexts - 3 * PAD);
    double most = sizes.stream().mapToDouble(Math::abs).max().orElse(0);
    for (int i = 0; i < names.size(); i++) {
      List<String> lines = widths.lines(names.get(i), SIZE, false, ofNames + 1, MOST_LINES);
      List<Mark> marks = new ArrayList<>();
      for (int l = 0; l < lines.size(); l++) {
        marks.add(
            new Words(PAD, BASE + l * LEADING, lines.get(l), SIZE, false, Ink.INK, Side.RIGHT_OF));
      }
      double length = most == 0 ? 0 : Math.abs(sizes.get(i)) / most * room;
      marks.add(new Box(begin, 3, Math.max(length, 0.5), ROW - 6, inks.get(i)));
      marks.add(new Words(width - PAD, BASE, texts.get(i), SIZE, false, Ink.INK, Side.LEFT_OF));
      strips.add(new Strip(ROW + (lines.size() - 1) * LEADING, marks));
    }
    if (names.isEmpty()) {
      paragraph("There are no rows.", SIZE, false, Ink.FAINT);
    }
  }

  // ----------------------------------------------------------------------------------------- tiles

  private static final double TILE = 118;
  private static final double TILE_HEIGHT = 62;

  /** A tile for each value; those of an object follow its name. */
  private void scoreboard() {
    List<PanelColumn> columns = orEmpty(answer.getColumns());
    for (PanelRow row : orEmpty(answer.getRows())) {
      title(name(row), SIZE, Ink.INK);
      int across = Math.max(1, (int) (width / TILE));
      double each = width / across;
      for (int first = 0; first < columns.size(); first += across) {
        List<Mark> marks = new ArrayList<>();
        for (int c = first; c < Math.min(columns.size(), first + across); c++) {
          tile(columns.get(c), row, c, (c - first) * each, each - PAD, marks);
        }
        strips.add(new Strip(TILE_HEIGHT + PAD, marks));
      }
    }
  }

  private void tile(PanelColumn column, PanelRow row, int c, double x, double w, List<Mark> marks) {
    PanelState state = at(row.getStates(), c);
    marks.add(new Box(x, 0, w, TILE_HEIGHT, Ink.GRID));
    marks.add(new Box(x + 0.5, 0.5, w - 1, TILE_HEIGHT - 1, Ink.PAPER));
    if (state != null) {
      marks.add(new Box(x, 0, 3, TILE_HEIGHT, Ink.of(state)));
    }
    double left = x + 8;
    marks.add(
        new Words(
            left,
            12,
            widths.fit(column.getTitle(), SMALL, false, w - 12),
            SMALL,
            false,
            Ink.FAINT,
            Side.RIGHT_OF));
    String value = values.withUnit(column, row.getCells().get(c));
    double size = widths.of(value, 15, true) > w - 12 ? SIZE : 15;
    marks.add(
        new Words(
            left,
            31,
            value.isEmpty() ? "–" : widths.fit(value, size, true, w - 12),
            size,
            true,
            Ink.INK,
            Side.RIGHT_OF));
    PanelPlace place = at(row.getPlaces(), c);
    if (place != null && place.getRank() != null) {
      marks.add(
          new Words(
              left,
              42,
              widths.fit(
                  "%,d of %,d".formatted(place.getRank(), place.getPeers()), SMALL, false, w - 12),
              SMALL,
              false,
              Ink.FAINT,
              Side.RIGHT_OF));
    }
    PanelLine line = at(row.getSparklines(), c);
    if (line != null) {
      spark(line, left, 46, w - 16, TILE_HEIGHT - 50, marks);
    }
  }

  private static final List<String> BOUNDS = List.of("warning", "immediate", "critical");
  private static final double HEAT = 72;
  private static final double HEAT_HEIGHT = 26;

  private void heatMap() {
    List<PanelColumn> columns = orEmpty(answer.getColumns());
    List<PanelRow> rows = orEmpty(answer.getRows());
    int across = Math.max(1, (int) (width / HEAT));
    double each = width / across;
    int colour = colourColumn(columns, rows);
    if (colour < columns.size() && !rows.isEmpty()) {
      lines(legend(columns.get(colour)), SMALL, false, Ink.FAINT)
          .forEach(line -> strips.add(line.keptWithNext()));
    }
    List<Integer> open = new ArrayList<>();
    for (int row : order(rows.size())) {
      if (row >= 0) {
        open.add(row);
        continue;
      }
      heatRows(open, rows, columns, colour, across, each);
      open.clear();
      PanelGroup group = orEmpty(answer.getGroups()).get(-row - 1);
      title(group.getName().isEmpty() ? "none" : group.getName(), SMALL, Ink.INK);
    }
    heatRows(open, rows, columns, colour, across, each);
  }

  /** What the values are, and from where on they have a colour. */
  private String legend(PanelColumn column) {
    StringBuilder text = new StringBuilder(PanelValues.title(column));
    List<Double> bounds = orEmpty(column.getBounds());
    List<String> words = new ArrayList<>();
    for (int b = 0; b < bounds.size(); b++) {
      Double bound = at(bounds, b);
      if (bound != null && !bound.isNaN()) {
        words.add(BOUNDS.get(b) + " at " + values.cell(column, bound));
      }
    }
    return words.isEmpty() ? text.toString() : text + ": " + String.join(", ", words);
  }

  /** The first column whose values have states; else the first with numbers. */
  private static int colourColumn(List<PanelColumn> columns, List<PanelRow> rows) {
    for (int c = 0; c < columns.size(); c++) {
      int column = c;
      if (rows.stream().anyMatch(row -> at(row.getStates(), column) != null)) {
        return c;
      }
    }
    for (int c = 0; c < columns.size(); c++) {
      if (isNumber(columns.get(c))) {
        return c;
      }
    }
    return 0;
  }

  private void heatRows(
      List<Integer> places,
      List<PanelRow> rows,
      List<PanelColumn> columns,
      int colour,
      int across,
      double each) {
    for (int first = 0; first < places.size(); first += across) {
      List<Mark> marks = new ArrayList<>();
      for (int i = first; i < Math.min(places.size(), first + across); i++) {
        PanelRow row = rows.get(places.get(i));
        double x = (i - first) * each;
        marks.add(
            new Box(x + 1, 1, each - 2, HEAT_HEIGHT - 2, Ink.behind(at(row.getStates(), colour))));
        marks.add(
            new Words(
                x + PAD,
                11,
                widths.fit(name(row), SMALL, false, each - 2 * PAD),
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
                  widths.fit(value, SMALL, true, each - 2 * PAD),
                  SMALL,
                  true,
                  Ink.INK,
                  Side.RIGHT_OF));
        }
      }
      strips.add(new Strip(HEAT_HEIGHT, marks));
    }
  }

  // ------------------------------------------------------------------------------------------ time

  private void timeline() {
    List<PanelLane> lanes = orEmpty(answer.getLanes());
    double names =
        Math.min(
            width * 0.3,
            lanes.stream()
                .mapToDouble(lane -> widths.of(lane.getObject().getName(), SIZE, false))
                .max()
                .orElse(0));
    double begin = names + 3 * PAD;
    double room = Math.max(20, width - begin - PAD);
    double span = Math.max(1, answer.getTo() - answer.getFrom());
    for (PanelLane lane : lanes) {
      List<Mark> marks = new ArrayList<>();
      marks.add(
          new Words(
              PAD,
              BASE,
              widths.fit(lane.getObject().getName(), SIZE, false, names + 1),
              SIZE,
              false,
              Ink.INK,
              Side.RIGHT_OF));
      for (PanelSegment one : lane.getSegments()) {
        double from = Math.clamp((one.getFrom() - answer.getFrom()) / span, 0.0, 1.0);
        double to = Math.clamp((one.getTo() - answer.getFrom()) / span, 0.0, 1.0);
        if (to > from) {
          marks.add(
              new Box(begin + from * room, 2, (to - from) * room, ROW - 4, lane(one.getState())));
        }
      }
      strips.add(new Strip(ROW, marks));
    }
    strips.add(
        new Strip(
            ROW,
            List.of(
                new Words(
                    begin,
                    BASE,
                    values.time(answer.getFrom()),
                    SMALL,
                    false,
                    Ink.FAINT,
                    Side.RIGHT_OF),
                new Words(
                    width - PAD,
                    BASE,
                    values.time(answer.getTo()),
                    SMALL,
                    false,
                    Ink.FAINT,
                    Side.LEFT_OF))));
  }

  /** Much of a lane is as it should be, and faint. */
  private static Ink lane(@Nullable PanelState state) {
    return state == PanelState.NORMAL ? Ink.ACCENT_SOFT : Ink.of(state);
  }

  // ------------------------------------------------------------------------------------------
  // words

  /** Paragraphs, titles and lists; of the rest of Markdown the words remain. */
  private void text(String markdown) {
    for (String line : markdown.lines().toList()) {
      String stripped = line.strip();
      boolean title = stripped.startsWith("#");
      boolean item = stripped.matches("[-*+] .*");
      String words =
          stripped
              .replaceFirst("^#+\\s*", "")
              .replaceFirst("^[-*+] ", "")
              .replace("**", "")
              .replace("`", "")
              .replaceAll("\\[([^\\]\\[]*)\\]\\([^)(]*\\)", "$1");
      if (words.isEmpty()) {
        strips.add(new Strip(5, List.of()));
      } else {
        paragraph(item ? "• " + words : words, title ? SIZE + 2 : SIZE, title, Ink.INK);
      }
    }
  }

  private void properties() {
    List<List<Cell>> rows = new ArrayList<>();
    for (PanelProperty one : orEmpty(answer.getProperties())) {
      Long changed = one.getChangedAt();
      rows.add(
          List.of(
              Cell.of(one.getKey()),
              Cell.of(one.getValue()),
              Cell.of(changed == null ? "" : values.time(changed))));
    }
    grid(titles("Property", "Value", "Changed"), rows);
  }

  private static List<Cell> titles(String... titles) {
    return Arrays.stream(titles).map(one -> new Cell(one, false, true, null, null)).toList();
  }

  private void alerts() {
    List<List<Cell>> rows = new ArrayList<>();
    for (PanelAlert one : orEmpty(answer.getAlerts())) {
      rows.add(
          List.of(
              new Cell(
                  one.getSeverity().getValue(), false, false, severity(one.getSeverity()), null),
              Cell.of(one.getObject().getName()),
              Cell.of(one.getName()),
              Cell.of(values.time(one.getOpenedAt())),
              Cell.of(Objects.requireNonNullElse(one.getOwner(), ""))));
    }
    grid(titles("Severity", "Object", "Alert", "Since", "Owner"), rows);
  }

  static Ink severity(Severity severity) {
    return switch (severity) {
      case CRITICAL -> Ink.CRITICAL_SOFT;
      case IMMEDIATE -> Ink.IMMEDIATE_SOFT;
      case WARNING -> Ink.WARNING_SOFT;
      case INFORMATION -> Ink.ACCENT_SOFT;
    };
  }

  private void changes() {
    List<List<Cell>> rows = new ArrayList<>();
    for (PanelChange one : orEmpty(answer.getChanges())) {
      rows.add(
          List.of(
              Cell.of(values.time(one.getAt())),
              Cell.of(one.getObject().getName()),
              Cell.of(one.getText())));
    }
    grid(titles("When", "Object", "Change"), rows);
  }

  private void relations() {
    List<PanelNode> nodes = topDown(orEmpty(answer.getTree()));
    int highest = nodes.stream().mapToInt(PanelNode::getLevel).min().orElse(0);
    for (PanelNode one : nodes) {
      double indent = PAD + 14.0 * (one.getLevel() - highest);
      List<Mark> marks = new ArrayList<>();
      marks.add(new Box(indent, 4, 6, 6, Ink.of(one.getState())));
      marks.add(
          new Words(
              indent + 10,
              BASE,
              one.getObject().getName()
                  + " ("
                  + one.getObject().getObjectKind()
                  + ")"
                  + (one.getMore() > 0 ? ", %,d more".formatted(one.getMore()) : ""),
              SIZE,
              one.getLevel() == 0,
              Ink.INK,
              Side.RIGHT_OF));
      strips.add(new Strip(ROW, marks));
    }
  }

  /** What is above first, the highest at the top, then the object, then each below what has it. */
  private static List<PanelNode> topDown(List<PanelNode> nodes) {
    List<PanelNode> ordered = new ArrayList<>();
    nodes.stream()
        .filter(one -> one.getLevel() <= 0)
        .sorted(Comparator.comparingInt(PanelNode::getLevel))
        .forEach(ordered::add);
    below(nodes, 0, ordered);
    return ordered;
  }

  private static void below(List<PanelNode> nodes, int parent, List<PanelNode> ordered) {
    for (int i = 0; i < nodes.size(); i++) {
      PanelNode one = nodes.get(i);
      if (one.getLevel() > 0 && Objects.equals(one.getParent(), parent)) {
        ordered.add(one);
        below(nodes, i, ordered);
      }
    }
  }

  // ---------------------------------------------------------------------------------- findings

  private void outliers(PanelOutliers outliers) {
    FindingTables tables = new FindingTables(values);
    if (outliers.getEvents().isEmpty()) {
      paragraph("Nothing was unlike its peers in this time.", SIZE, false, Ink.FAINT);
    } else {
      grid(tables.outliers(outliers.getEvents()));
    }
    if (!outliers.getGroups().isEmpty()) {
      strips.add(new Strip(PAD, List.of()));
      title("Groups of peers now", SIZE, Ink.INK);
      grid(tables.groups(outliers.getGroups()));
    }
  }

  private void talkers(TopTalkers talkers) {
    if (talkers.getItems().isEmpty()) {
      String hint = talkers.getHint();
      paragraph(hint == null ? "There are no flows in this time." : hint, SIZE, false, Ink.FAINT);
      return;
    }
    paragraph(
        "%s %s, from %s to %s"
            .formatted(
                talkers.getMeasure().getValue(),
                switch (talkers.getDirection()) {
                  case SENT -> "sent";
                  case RECEIVED -> "received";
                  case BOTH -> "sent and received";
                },
                values.time(talkers.getFrom()),
                values.time(talkers.getTo())),
        SMALL,
        false,
        Ink.FAINT);
    grid(new FindingTables(values).talkers(talkers));
  }

  private void impact(PanelImpact impact) {
    List<Change> marked = FindingTables.marked(impact);
    PanelIndex index = impact.getIndex();
    if (index != null) {
      PanelAnswer chart =
          new PanelAnswer(
              "chart",
              answer.getFrom(),
              answer.getTo(),
              null,
              null,
              0L,
              null,
              answer.getObjects(),
              List.of());
      chart.setTimes(index.getTimes());
      chart.setSeries(
          List.of(
              new PanelSeries(
                  of(index.getObjects()),
                  null,
                  "performance index, " + index.getGoal(),
                  "",
                  null,
                  index.getValues())));
      chart.setChanges(
          marked.stream()
              .map(
                  one ->
                      new PanelChange(
                          one.getTime().toEpochMilli(), one.getObject(), ChangeWords.of(one)))
              .toList());
      strips.addAll(new ChartStrip(chart, width, values, widths, false).strips());
      paragraph(
          "50 = as from %s to %s, 100 = twice as good or better, 0 = twice as bad or worse; each value is of %s. Dashed lines are changes, with their numbers below."
              .formatted(
                  values.time(index.getBaseFrom()),
                  values.time(index.getBaseTo()),
                  days(index.getStepMillis())),
          SMALL,
          false,
          Ink.FAINT);
    }
    if (impact.getChanges().isEmpty()) {
      paragraph("Nothing changed in this time.", SIZE, false, Ink.FAINT);
    } else {
      grid(
          new FindingTables(values)
              .changes(impact.getChanges(), index == null ? List.of() : marked));
    }
  }

  /** One for the legend: the object, or how many there are. */
  private static ObjectRef of(List<ObjectRef> objects) {
    ObjectRef first = objects.getFirst();
    return objects.size() == 1
        ? first
        : new ObjectRef(
            first.getId(),
            first.getAdapterKind(),
            first.getObjectKind(),
            "%,d objects".formatted(objects.size()));
  }

  private static String days(long millis) {
    long days = Duration.ofMillis(millis).toDays();
    return days == 1 ? "a day" : "%,d days".formatted(days);
  }

  private void capacity(List<PanelCapacity> forecasts) {
    if (forecasts.isEmpty()) {
      paragraph("Nothing is known to fill up.", SIZE, false, Ink.FAINT);
    } else {
      grid(new FindingTables(values).capacity(forecasts));
    }
  }
}
