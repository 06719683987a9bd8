package io.peerlens.report.picture;

import io.peerlens.api.model.PanelAnswer;
import io.peerlens.api.model.PanelBand;
import io.peerlens.api.model.PanelChange;
import io.peerlens.api.model.PanelColumn;
import io.peerlens.api.model.PanelForecast;
import io.peerlens.api.model.PanelSeries;
import io.peerlens.report.picture.Mark.Area;
import io.peerlens.report.picture.Mark.Box;
import io.peerlens.report.picture.Mark.Curve;
import io.peerlens.report.picture.Mark.Side;
import io.peerlens.report.picture.Mark.Words;
import io.peerlens.report.picture.PanelPicture.Strip;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The strips of a chart: what the lines are, and the chart. */
final class ChartStrip {

  private static final double HEIGHT = 170;
  private static final double LEFT = 48;
  private static final double RIGHT = 10;
  private static final double TOP = 6;
  private static final double BOTTOM = 18;
  private static final int LEGEND = 20;
  private static final int NUMBERED = 20;

  private final PanelAnswer answer;
  private final double width;
  private final PanelValues values;
  private final TextWidths widths;
  private final boolean listed;
  private final List<Mark> marks = new ArrayList<>();

  private double least = Double.POSITIVE_INFINITY;
  private double most = Double.NEGATIVE_INFINITY;
  private double step;
  private long to;

  /**
   * @param listed whether changes are listed below; else something else says what their numbers are
   */
  ChartStrip(
      PanelAnswer answer, double width, PanelValues values, TextWidths widths, boolean listed) {
    this.listed = listed;
    this.answer = answer;
    this.width = width;
    this.values = values;
    this.widths = widths;
    this.to = answer.getTo();
  }

  List<Strip> strips() {
    List<PanelSeries> series = Objects.requireNonNullElse(answer.getSeries(), List.of());
    List<Long> times = Objects.requireNonNullElse(answer.getTimes(), List.of());
    for (PanelSeries one : series) {
      widen(one.getValues());
      PanelBand usual = one.getUsual();
      if (usual != null) {
        widen(usual.getLower());
        widen(usual.getUpper());
      }
      PanelForecast forecast = one.getForecast();
      if (forecast != null && !forecast.getTimes().isEmpty()) {
        widen(forecast.getValues());
        to = Math.max(to, forecast.getTimes().getLast());
      }
    }
    if (least > most) {
      return List.of(
          new Strip(
              14,
              List.of(
                  new Words(
                      4,
                      10,
                      "There are no values in this time.",
                      Sheet.SIZE,
                      false,
                      Ink.FAINT,
                      Side.RIGHT_OF))));
    }
    scale();
    axes();
    for (int i = 0; i < series.size(); i++) {
      PanelBand usual = series.get(i).getUsual();
      if (usual != null) {
        band(usual, times);
      }
    }
    for (int i = 0; i < series.size(); i++) {
      line(times, series.get(i).getValues(), Ink.series(i), 1.3);
      PanelForecast forecast = series.get(i).getForecast();
      if (forecast != null) {
        line(forecast.getTimes(), forecast.getValues(), Ink.series(i), 0.7);
      }
    }
    List<PanelChange> changes =
        Objects.requireNonNullElse(answer.getChanges(), List.<PanelChange>of());
    for (int i = 0; i < changes.size(); i++) {
      double x = x(changes.get(i).getAt());
      marks.add(new Mark.Line(x, TOP, x, HEIGHT - BOTTOM, Ink.FAINT, 0.6, true));
      if (i < NUMBERED) {
        boolean right = x < width - RIGHT - 14;
        marks.add(
            words(
                right ? x + 2 : x - 2,
                TOP + 7 + (i % 3) * 8.0,
                String.valueOf(i + 1),
                right ? Side.RIGHT_OF : Side.LEFT_OF));
      }
    }
    List<Strip> strips = new ArrayList<>(legend(series).stream().map(Strip::keptWithNext).toList());
    strips.add(new Strip(HEIGHT, marks));
    if (listed) {
      strips.addAll(changed(changes));
    }
    return strips;
  }

  /** What the dashed lines are. */
  private List<Strip> changed(List<PanelChange> changes) {
    List<Strip> strips = new ArrayList<>();
    for (int i = 0; i < Math.min(changes.size(), NUMBERED); i++) {
      PanelChange one = changes.get(i);
      String text =
          "%d  %s  %s: %s"
              .formatted(i + 1, values.time(one.getAt()), one.getObject().getName(), one.getText());
      strips.add(note(widths.fit(text, Sheet.SMALL, false, width - 24)));
    }
    if (changes.size() > NUMBERED) {
      strips.add(note("and %,d more changes".formatted(changes.size() - NUMBERED)));
    }
    return strips;
  }

  private static Strip note(String text) {
    return new Strip(11, List.of(words(18, 8.5, text, Side.RIGHT_OF)));
  }

  private void widen(List<Double> of) {
    for (Double value : of) {
      if (value != null && Double.isFinite(value)) {
        least = Math.min(least, value);
        most = Math.max(most, value);
      }
    }
  }

  /** Four lines or so, at round numbers. */
  private void scale() {
    if (least == most) {
      double around = least == 0 ? 1 : Math.abs(least) * 0.1;
      least -= around;
      most += around;
    }
    double raw = (most - least) / 4;
    double power = Math.pow(10, Math.floor(Math.log10(raw)));
    double first = raw / power;
    step = power * (first <= 1 ? 1 : first <= 2 ? 2 : first <= 5 ? 5 : 10);
    least = Math.floor(least / step) * step;
    most = Math.ceil(most / step) * step;
  }

  private double x(double millis) {
    double share = (millis - answer.getFrom()) / Math.max(1.0, (double) to - answer.getFrom());
    return LEFT + Math.clamp(share, 0.0, 1.0) * (width - LEFT - RIGHT);
  }

  private double y(double value) {
    return HEIGHT - BOTTOM - (value - least) / (most - least) * (HEIGHT - TOP - BOTTOM);
  }

  private void axes() {
    int lines = (int) Math.round((most - least) / step);
    for (int i = 0; i <= lines; i++) {
      double value = least + i * step;
      double y = y(value);
      marks.add(new Mark.Line(LEFT, y, width - RIGHT, y, Ink.GRID, 0.5, false));
      marks.add(words(LEFT - 4, y + 3, PanelValues.number(value, null), Side.LEFT_OF));
    }
    marks.add(words(LEFT, HEIGHT - 5, values.time(answer.getFrom()), Side.RIGHT_OF));
    marks.add(words(width - RIGHT, HEIGHT - 5, values.time(to), Side.LEFT_OF));
  }

  private static Words words(double x, double y, String text, Side side) {
    return new Words(x, y, text, Sheet.SMALL, false, Ink.FAINT, side);
  }

  private void band(PanelBand band, List<Long> times) {
    int begin = -1;
    int size = Math.min(times.size(), band.getLower().size());
    for (int i = 0; i <= size; i++) {
      boolean there = i < size && band.getLower().get(i) != null && band.getUpper().get(i) != null;
      if (there && begin < 0) {
        begin = i;
      } else if (!there && begin >= 0) {
        int count = i - begin;
        double[] xs = new double[2 * count];
        double[] ys = new double[2 * count];
        for (int j = 0; j < count; j++) {
          xs[j] = x(times.get(begin + j));
          ys[j] = y(band.getUpper().get(begin + j));
          xs[2 * count - 1 - j] = xs[j];
          ys[2 * count - 1 - j] = y(band.getLower().get(begin + j));
        }
        marks.add(new Area(xs, ys, Ink.ACCENT_SOFT));
        begin = -1;
      }
    }
  }

  private void line(List<Long> times, List<Double> of, Ink ink, double thickness) {
    int size = Math.min(times.size(), of.size());
    double[] xs = new double[size];
    double[] ys = new double[size];
    Arrays.fill(ys, Double.NaN);
    for (int i = 0; i < size; i++) {
      Double value = of.get(i);
      xs[i] = x(times.get(i));
      if (value != null) {
        ys[i] = y(value);
      }
    }
    marks.add(new Curve(xs, ys, ink, thickness));
  }

  /** A line for each series, with the newest of its values. */
  private List<Strip> legend(List<PanelSeries> series) {
    List<Strip> strips = new ArrayList<>();
    for (int i = 0; i < Math.min(series.size(), LEGEND); i++) {
      PanelSeries one = series.get(i);
      String unit = one.getUnit();
      Double newest = newest(one.getValues());
      String text =
          one.getObject().getName()
              + (one.getInstance() == null ? "" : " " + one.getInstance())
              + ", "
              + title(one.getColumn())
              + (newest == null
                  ? ""
                  : ": " + PanelValues.number(newest, null) + (unit == null ? "" : " " + unit));
      strips.add(
          new Strip(
              11,
              List.of(
                  new Box(4, 4, 10, 3, Ink.series(i)),
                  new Words(
                      18,
                      8.5,
                      widths.fit(text, Sheet.SMALL, false, width - 24),
                      Sheet.SMALL,
                      false,
                      Ink.INK,
                      Side.RIGHT_OF))));
    }
    if (series.size() > LEGEND) {
      strips.add(
          new Strip(
              11,
              List.of(
                  words(
                      18, 8.5, "and %,d more".formatted(series.size() - LEGEND), Side.RIGHT_OF))));
    }
    return strips;
  }

  private String title(String column) {
    for (PanelColumn one :
        Objects.requireNonNullElse(answer.getColumns(), List.<PanelColumn>of())) {
      if (one.getName().equals(column)) {
        return one.getTitle();
      }
    }
    return column;
  }

  private static @Nullable Double newest(List<Double> of) {
    for (int i = of.size() - 1; i >= 0; i--) {
      Double value = of.get(i);
      if (value != null) {
        return value;
      }
    }
    return null;
  }
}
