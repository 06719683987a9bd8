package io.peerlens.notify.mail;

import static org.assertj.core.api.Assertions.assertThat;

import java.awt.image.BufferedImage;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntPredicate;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.Test;

class ChartPngTest {

  private static final int POINTS = 120;

  private static Chart chart(double[] values, boolean band, int peers, double bound) {
    long[] times = new long[POINTS];
    double[] low = new double[POINTS];
    double[] high = new double[POINTS];
    List<double[]> others = new ArrayList<>();
    for (int p = 0; p < peers; p++) {
      others.add(new double[POINTS]);
    }
    for (int i = 0; i < POINTS; i++) {
      times[i] = 1_795_262_400L - (POINTS - i) * 60L;
      low[i] = 20 + 3 * Math.sin(i / 15.0);
      high[i] = 35 + 3 * Math.sin(i / 15.0);
      for (int p = 0; p < peers; p++) {
        others.get(p)[i] = 27 + p + Math.sin(i / 7.0 + p);
      }
    }
    return new Chart(
        "web-17: CPU|Usage",
        "%",
        times,
        values,
        band ? low : null,
        band ? high : null,
        others,
        bound,
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
            image.getRGB(0, 0, ChartPng.WIDTH, ChartPng.HEIGHT, null, 0, ChartPng.WIDTH))
        .map(rgb -> rgb & 0xffffff)
        .filter(colour)
        .count();
  }

  @Test
  void drawsTheMetricItsBandItsPeersAndTheAlert() throws IOException {
    BufferedImage image = draw(chart(values(), true, 4, 60));
    assertThat(image.getWidth()).isEqualTo(560);
    assertThat(image.getHeight()).isEqualTo(180);
    assertThat(image.getRGB(2, 2) & 0xffffff).isEqualTo(0xffffff);
    assertThat(pixels(image, rgb -> rgb == 0x2563eb)).as("line").isGreaterThan(300);
    assertThat(pixels(image, rgb -> rgb == 0xdbeafe)).as("band").isGreaterThan(3000);
    assertThat(pixels(image, rgb -> rgb == 0xdc2626)).as("marks").isGreaterThan(150);
    assertThat(pixels(image, rgb -> rgb == 0xffffff)).as("paper").isGreaterThan(50_000);
    BufferedImage without = draw(chart(values(), false, 0, Double.NaN));
    assertThat(pixels(without, rgb -> rgb == 0xdbeafe)).isZero();
  }

  @Test
  void missingValuesAreGaps() throws IOException {
    BufferedImage image = draw(chart(values(), false, 0, Double.NaN));
    int from = 52 + (560 - 62) * 42 / 119;
    int to = 52 + (560 - 62) * 47 / 119;
    for (int x = from; x <= to; x++) {
      for (int y = 28; y < 156; y++) {
        assertThat(image.getRGB(x, y) & 0xffffff).isNotEqualTo(0x2563eb);
      }
    }
  }

  @Test
  void everySizeOfNumberIsDrawnAndNothingIsNoChart() throws IOException {
    for (double size : new double[] {0, 1e-9, 1, -5, 1e4, 3e7, 2e12, 1e300}) {
      double[] values = new double[POINTS];
      Arrays.fill(values, size);
      assertThat(draw(chart(values, false, 0, Double.NaN))).isNotNull();
      values[7] = size * 2 + 1;
      assertThat(draw(chart(values, false, 0, Double.NaN))).isNotNull();
    }
    double[] none = new double[POINTS];
    Arrays.fill(none, Double.NaN);
    assertThat(ChartPng.draw(chart(none, false, 0, Double.NaN))).isEmpty();
    none[3] = Double.POSITIVE_INFINITY;
    assertThat(ChartPng.draw(chart(none, false, 0, Double.NaN))).isEmpty();
  }
}
