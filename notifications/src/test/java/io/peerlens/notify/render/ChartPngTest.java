package io.peerlens.notify.render;

import static org.assertj.core.api.Assertions.assertThat;

import java.awt.image.BufferedImage;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Arrays;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.Test;

class ChartPngTest {

  private static final int POINTS = 120;

  private static Chart chart(double[] values, boolean band, double... bounds) {
    long[] times = new long[POINTS];
    double[] low = new double[POINTS];
    double[] high = new double[POINTS];
    double[] middle = new double[POINTS];
    for (int i = 0; i < POINTS; i++) {
      times[i] = 1_795_262_400L - (POINTS - i) * 60L;
      low[i] = 20 + 3 * Math.sin(i / 15.0);
      high[i] = 35 + 3 * Math.sin(i / 15.0);
      middle[i] = 27 + 2 * Math.sin(i / 15.0);
    }
    return new Chart(
        "web-17: CPU|Usage",
        "%",
        times,
        values,
        band ? low : null,
        band ? high : null,
        band ? middle : null,
        Arrays.stream(bounds).boxed().toList(),
        Instant.ofEpochSecond(times[90]),
        ZoneOffset.UTC);
  }

  private static double[] values() {
    double[] values = new double[POINTS];
    for (int i = 0; i < POINTS; i++) {
      values[i] = i < 90 ? 28 + Math.sin(i / 5.0) : 28 + (i - 90) * 2;
    }
    Arrays.fill(values, 40, 50, Double.NaN);
    return values;
  }

  private static BufferedImage draw(Chart chart) throws IOException {
    byte[] png = ChartPng.draw(chart).orElseThrow();
    Path file = Path.of("target", "chart.png");
    Files.createDirectories(file.getParent());
    Files.write(file, png);
    return ImageIO.read(new ByteArrayInputStream(png));
  }

  private static long pixels(BufferedImage image, IntPredicate colour) {
    return Arrays.stream(
            image.getRGB(0, 0, image.getWidth(), image.getHeight(), null, 0, image.getWidth()))
        .map(rgb -> rgb & 0xffffff)
        .filter(colour)
        .count();
  }

  @Test
  void theChartShowsMetricBandPeersAndAlert() throws IOException {
    BufferedImage image = draw(chart(values(), true, 60));
    assertThat(image.getWidth()).isEqualTo(1280);
    assertThat(image.getHeight()).isEqualTo(480);
    assertThat(image.getRGB(2, 2) & 0xffffff).isEqualTo(0xffffff);
    assertThat(pixels(image, rgb -> rgb == 0x1d4ed8)).as("line").isGreaterThan(1000);
    assertThat(pixels(image, rgb -> rgb == 0xdbeafe)).as("band").isGreaterThan(10_000);
    assertThat(pixels(image, rgb -> rgb == 0xb3261e)).as("marks").isGreaterThan(300);
    assertThat(pixels(image, rgb -> rgb == 0xffffff)).as("paper").isGreaterThan(300_000);
    BufferedImage without = draw(chart(values(), false));
    assertThat(pixels(without, rgb -> rgb == 0xdbeafe)).isZero();
  }

  @Test
  void missingValuesAreGaps() throws IOException {
    BufferedImage image = draw(chart(values(), false));
    int width = ChartPng.WIDTH - ChartPng.LEFT - ChartPng.RIGHT;
    int from = ChartPng.SCALE * (ChartPng.LEFT + width * 42 / 119);
    int to = ChartPng.SCALE * (ChartPng.LEFT + width * 47 / 119);
    for (int x = from; x <= to; x++) {
      for (int y = ChartPng.SCALE * ChartPng.TOP; y < image.getHeight(); y++) {
        assertThat(image.getRGB(x, y) & 0xffffff).isNotEqualTo(0x1d4ed8);
      }
    }
  }

  @Test
  void aRiseIsNotDrawnBeforeItsMoment() throws IOException {
    double[] values = new double[POINTS];
    Arrays.fill(values, 10);
    Arrays.fill(values, 60, POINTS, 90);
    BufferedImage image = draw(chart(values, false));
    int width = ChartPng.WIDTH - ChartPng.LEFT - ChartPng.RIGHT;
    int before = ChartPng.SCALE * (ChartPng.LEFT + width * 59 / 119) + 4;
    int rise = ChartPng.SCALE * (ChartPng.LEFT + width * 60 / 119) - 4;

    assertThat(rise).isGreaterThan(before);
    for (int x = before; x <= rise; x++) {
      int column = x;
      int[] line =
          IntStream.range(0, image.getHeight())
              .filter(y -> (image.getRGB(column, y) & 0xffffff) == 0x1d4ed8)
              .toArray();
      assertThat(line).as("column %d", x).isNotEmpty();
      assertThat(line[line.length - 1] - line[0]).as("column %d", x).isLessThan(12);
    }
  }

  @Test
  void noLineOfTheAxisLiesAboveTheChart() throws IOException {
    for (int peak = 11; peak <= 100; peak += 5) {
      double[] values = new double[POINTS];
      Arrays.fill(values, 9);
      values[60] = peak;
      BufferedImage image = draw(chart(values, false));
      int x = ChartPng.SCALE * (ChartPng.LEFT + 2);
      for (int y = 0; y < ChartPng.SCALE * (ChartPng.TOP - 2); y++) {
        assertThat(image.getRGB(x, y) & 0xffffff).as("%d at %d", peak, y).isNotEqualTo(0xe5e7eb);
      }
    }
  }

  @Test
  void everySizeOfNumberIsDrawnAndNothingIsNoChart() throws IOException {
    for (double size : new double[] {0, 1e-9, 1, -5, 1e4, 3e7, 2e12, 1e300}) {
      double[] values = new double[POINTS];
      Arrays.fill(values, size);
      assertThat(draw(chart(values, false))).isNotNull();
      values[7] = size * 2 + 1;
      assertThat(draw(chart(values, false))).isNotNull();
    }
    double[] none = new double[POINTS];
    Arrays.fill(none, Double.NaN);
    assertThat(ChartPng.draw(chart(none, false))).isEmpty();
    none[3] = Double.POSITIVE_INFINITY;
    assertThat(ChartPng.draw(chart(none, false))).isEmpty();
  }
}
