package io.peerlens.notify.render;

import java.awt.BasicStroke;
import java.awt.Color;
import java.awt.Font;
import java.awt.FontMetrics;
import java.awt.Graphics2D;
import java.awt.RenderingHints;
import java.awt.geom.Line2D;
import java.awt.geom.Path2D;
import java.awt.image.BufferedImage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.Optional;
import javax.imageio.ImageIO;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * PNG of a chart, for mails: on white, readable without colours, as mails get printed, with letters
 * that stay legible when a mail client makes it smaller. The picture has two pixels for each unit
 * of the layout, for screens that show them.
 */
final class ChartPng {

  /** Width in the layout of a mail; the picture has {@link #SCALE} times as many pixels. */
  static final int WIDTH = 640;

  /** Height in the layout of a mail. */
  static final int HEIGHT = 240;

  /** Pixels for each unit of the layout. */
  static final int SCALE = 2;

  private static final Logger LOG = LoggerFactory.getLogger(ChartPng.class);

  static final Color BAND = new Color(0xdbeafe);
  static final Color LINE = new Color(0x1d4ed8);
  static final Color ALERT = new Color(0xb3261e);

  private static final Color PAPER = Color.WHITE;
  private static final Color INK = new Color(0x1f2937);
  private static final Color FAINT_INK = new Color(0x4b5563);
  private static final Color GRID = new Color(0xe5e7eb);
  private static final Color MIDDLE = new Color(0x6b7280);
  private static final float[] DASHES = {5f, 4f};

  static final int LEFT = 60;
  static final int RIGHT = 12;
  static final int TOP = 52;
  static final int BOTTOM = 26;

  static {
    System.setProperty("java.awt.headless", System.getProperty("java.awt.headless", "true"));
  }

  private final Chart chart;
  private final double least;
  private final double most;

  /** Between two lines. Least and most are multiples of it, so that no line is above the chart. */
  private final double step;

  private final long from;
  private final long to;

  private ChartPng(Chart chart, double least, double most) {
    this.chart = chart;
    this.from = chart.times()[0];
    this.to = chart.times()[chart.times().length - 1];
    this.step = step(most - least);
    this.least = Math.floor(least / step) * step;
    this.most = Math.ceil(most / step) * step;
  }

  /**
   * The PNG.
   *
   * @return empty when there is nothing to draw, or this machine cannot draw text
   */
  static Optional<byte[]> draw(Chart chart) {
    double[] range = {Double.NaN, Double.NaN};
    widen(range, chart.values());
    widen(range, chart.low());
    widen(range, chart.high());
    widen(range, chart.middle());
    widen(range, chart.bounds().stream().mapToDouble(Double::doubleValue).toArray());
    if (Double.isNaN(range[0]) || chart.times().length < 2) {
      return Optional.empty();
    }
    if (range[0] == range[1]) { // a flat line lies in the middle
      double around = range[0] == 0 ? 1 : Math.abs(range[0]) * 0.1;
      range[0] -= around;
      range[1] += around;
    }
    try {
      return Optional.of(new ChartPng(chart, range[0], range[1]).png());
    } catch (LinkageError | InternalError | NullPointerException e) {
      // A machine without fonts; Java says so in several ways.
      LOG.warn(
          "No charts in mails: this machine has no fonts (install fontconfig): {}", e.toString());
      return Optional.empty();
    }
  }

  private static void widen(double[] range, double @Nullable [] values) {
    if (values == null) {
      return;
    }
    for (double value : values) {
      if (Double.isFinite(value)) {
        range[0] = Double.isNaN(range[0]) ? value : Math.min(range[0], value);
        range[1] = Double.isNaN(range[1]) ? value : Math.max(range[1], value);
      }
    }
  }

  private byte[] png() {
    BufferedImage image =
        new BufferedImage(WIDTH * SCALE, HEIGHT * SCALE, BufferedImage.TYPE_INT_RGB);
    Graphics2D g = image.createGraphics();
    try {
      g.scale(SCALE, SCALE);
      g.setRenderingHint(RenderingHints.KEY_ANTIALIASING, RenderingHints.VALUE_ANTIALIAS_ON);
      g.setRenderingHint(
          RenderingHints.KEY_TEXT_ANTIALIASING, RenderingHints.VALUE_TEXT_ANTIALIAS_ON);
      g.setRenderingHint(RenderingHints.KEY_STROKE_CONTROL, RenderingHints.VALUE_STROKE_PURE);
      g.setColor(PAPER);
      g.fillRect(0, 0, WIDTH, HEIGHT);
      axes(g);
      legend(g);
      g.setClip(LEFT, TOP - 3, WIDTH - LEFT - RIGHT + 5, HEIGHT - TOP - BOTTOM + 6);
      band(g);
      double[] middle = chart.middle();
      if (middle != null) {
        dashed(g, MIDDLE);
        g.draw(line(middle, false));
      }
      marks(g);
      g.setColor(LINE);
      g.setStroke(new BasicStroke(2f, BasicStroke.CAP_ROUND, BasicStroke.JOIN_ROUND));
      g.draw(line(chart.values(), true));
      lastPoint(g);
    } finally {
      g.dispose();
    }
    try (ByteArrayOutputStream out = new ByteArrayOutputStream()) {
      ImageIO.write(image, "png", out);
      return out.toByteArray();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void axes(Graphics2D g) {
    g.setFont(new Font(Font.SANS_SERIF, Font.BOLD, 14));
    g.setColor(INK);
    FontMetrics title = g.getFontMetrics();
    g.drawString(fit(chart.title(), title, WIDTH - 8 - RIGHT), 8, 18);
    g.setFont(new Font(Font.SANS_SERIF, Font.PLAIN, 13));
    FontMetrics metrics = g.getFontMetrics();
    g.setStroke(new BasicStroke(1f));
    for (double value = least; value <= most + step / 2; value += step) {
      int y = (int) Math.round(y(value));
      g.setColor(GRID);
      g.drawLine(LEFT, y, WIDTH - RIGHT, y);
      g.setColor(FAINT_INK);
      String text = fit(number(value, step) + shortUnit(), metrics, LEFT - 8);
      g.drawString(text, LEFT - 6 - metrics.stringWidth(text), y + 5);
    }
    DateTimeFormatter format =
        DateTimeFormatter.ofPattern(to - from > 86_400 ? "d MMM HH:mm" : "HH:mm", Locale.ENGLISH)
            .withZone(chart.zone());
    String zone = chart.zone().normalized().equals(ZoneOffset.UTC) ? "UTC" : chart.zone().getId();
    g.drawString(zone, LEFT - 6 - metrics.stringWidth(zone), HEIGHT - 7);
    long apart = apart(to - from);
    for (long time = Math.ceilDiv(from, apart) * apart; time <= to; time += apart) {
      String text = format.format(Instant.ofEpochSecond(time));
      int width = metrics.stringWidth(text);
      int x = (int) Math.round(across(time));
      g.setColor(GRID);
      g.drawLine(x, HEIGHT - BOTTOM, x, HEIGHT - BOTTOM + 4);
      g.setColor(FAINT_INK);
      g.drawString(
          text, Math.max(LEFT, Math.min(x - width / 2, WIDTH - RIGHT - width)), HEIGHT - 7);
    }
  }

  /** Round times, five or so. */
  private static long apart(long seconds) {
    for (int minutes : new int[] {1, 2, 5, 10, 15, 30, 60, 120, 180, 240, 360, 720}) {
      if (seconds / (minutes * 60L) <= 6) {
        return minutes * 60L;
      }
    }
    return Math.ceilDiv(seconds, 6 * 86_400) * 86_400;
  }

  /** A long unit, such as {@code megaBytes}, stands in the legend alone. */
  private String shortUnit() {
    return chart.unit().length() <= 2 ? chart.unit() : "";
  }

  /** What lines and areas mean; they differ in shape as well as in colour. */
  private void legend(Graphics2D g) {
    g.setFont(new Font(Font.SANS_SERIF, Font.PLAIN, 12));
    String unit = chart.unit().length() > 2 ? " (" + chart.unit() + ")" : "";
    int x = key(g, 8, "value" + unit, LINE, new BasicStroke(2.5f));
    if (!chart.bounds().isEmpty()) {
      x = key(g, x, chart.bounds().size() > 1 ? "limits" : "limit", ALERT, dashes());
    }
    if (chart.middle() != null) {
      x = key(g, x, "median of peers", MIDDLE, dashes());
    }
    if (chart.low() != null) {
      x = key(g, x, "band of peers", BAND, new BasicStroke(9f));
    }
    if (isMarked()) {
      g.setColor(ALERT);
      g.fill(triangle(x + 6, 30));
      g.setColor(FAINT_INK);
      g.drawString("alert began", x + 16, 39);
    }
  }

  private static int key(Graphics2D g, int x, String words, Color colour, BasicStroke stroke) {
    g.setColor(colour);
    g.setStroke(stroke);
    g.draw(new Line2D.Double(x + 3, 35, x + 21, 35));
    g.setColor(FAINT_INK);
    g.drawString(words, x + 28, 39);
    return x + 28 + g.getFontMetrics().stringWidth(words) + 16;
  }

  private static Path2D triangle(double x, double y) {
    Path2D triangle = new Path2D.Double();
    triangle.moveTo(x - 5, y);
    triangle.lineTo(x + 5, y);
    triangle.lineTo(x, y + 8);
    triangle.closePath();
    return triangle;
  }

  private static BasicStroke dashes() {
    return new BasicStroke(1.5f, BasicStroke.CAP_BUTT, BasicStroke.JOIN_MITER, 10f, DASHES, 0f);
  }

  private static void dashed(Graphics2D g, Color colour) {
    g.setColor(colour);
    g.setStroke(dashes());
  }

  private boolean isMarked() {
    Instant since = chart.since();
    return since != null && since.getEpochSecond() >= from && since.getEpochSecond() <= to;
  }

  private void band(Graphics2D g) {
    double[] low = chart.low();
    double[] high = chart.high();
    if (low == null || high == null) {
      return;
    }
    g.setColor(BAND);
    int begin = -1;
    for (int i = 0; i <= low.length; i++) {
      boolean there = i < low.length && Double.isFinite(low[i]) && Double.isFinite(high[i]);
      if (there && begin < 0) {
        begin = i;
      } else if (!there && begin >= 0) {
        Path2D area = new Path2D.Double();
        area.moveTo(x(begin), y(high[begin]));
        for (int j = begin + 1; j < i; j++) {
          area.lineTo(x(j), y(high[j]));
        }
        for (int j = i - 1; j >= begin; j--) {
          area.lineTo(x(j), y(low[j]));
        }
        area.closePath();
        g.fill(area);
        begin = -1;
      }
    }
  }

  private void marks(Graphics2D g) {
    dashed(g, ALERT);
    for (double bound : chart.bounds()) {
      int y = (int) Math.round(y(bound));
      g.drawLine(LEFT, y, WIDTH - RIGHT, y);
    }
    Instant since = chart.since();
    if (since != null && isMarked()) {
      double x = across(since.getEpochSecond());
      g.setStroke(new BasicStroke(1.2f));
      g.draw(new Line2D.Double(x, TOP, x, HEIGHT - BOTTOM));
      g.fill(triangle(x, TOP - 3));
    }
  }

  private void lastPoint(Graphics2D g) {
    double[] values = chart.values();
    for (int i = values.length - 1; i >= 0; i--) {
      if (Double.isFinite(values[i])) {
        g.fillOval((int) Math.round(x(i)) - 3, (int) Math.round(y(values[i])) - 3, 6, 6);
        return;
      }
    }
  }

  /**
   * With gaps where values are missing.
   *
   * @param steps whether a value holds until the next one, so that no rise is drawn before the
   *     moment that it was measured at
   */
  private Path2D line(double[] values, boolean steps) {
    Path2D line = new Path2D.Double();
    boolean open = false;
    for (int i = 0; i < values.length; i++) {
      if (!Double.isFinite(values[i])) {
        open = false;
      } else if (open) {
        if (steps) {
          line.lineTo(x(i), y(values[i - 1]));
        }
        line.lineTo(x(i), y(values[i]));
      } else {
        line.moveTo(x(i), y(values[i]));
        line.lineTo(x(i), y(values[i])); // a lone value is a dot
        open = true;
      }
    }
    return line;
  }

  private double x(int index) {
    return across(chart.times()[index]);
  }

  private double across(long time) {
    return LEFT + (double) (time - from) / Math.max(1, to - from) * (WIDTH - LEFT - RIGHT);
  }

  private double y(double value) {
    return HEIGHT - BOTTOM - (value - least) / (most - least) * (HEIGHT - TOP - BOTTOM);
  }

  /** About four lines: 1, 2 or 5 times a power of ten apart. */
  private static double step(double range) {
    double power = Math.pow(10, Math.floor(Math.log10(range / 4)));
    double first = range / 4 / power;
    return power * (first <= 1 ? 1 : first <= 2 ? 2 : first <= 5 ? 5 : 10);
  }

  private static String number(double value, double step) {
    double tidy = Math.abs(value) < step / 1e6 ? 0 : value;
    double size = Math.abs(tidy);
    if (size >= 1e9) {
      return "%.3gG".formatted(tidy / 1e9);
    }
    if (size >= 1e6) {
      return "%.3gM".formatted(tidy / 1e6);
    }
    if (size >= 1e4) {
      return "%.3gk".formatted(tidy / 1e3);
    }
    int decimals = (int) Math.max(0, Math.min(6, -Math.floor(Math.log10(step))));
    return String.format(Locale.ROOT, "%." + decimals + "f", tidy);
  }

  private static String fit(String text, FontMetrics metrics, int width) {
    if (metrics.stringWidth(text) <= width) {
      return text;
    }
    int end = text.length();
    while (end > 0 && metrics.stringWidth(text.substring(0, end) + "…") > width) {
      end = text.offsetByCodePoints(end, -1);
    }
    return text.substring(0, end) + "…";
  }
}
