package io.peerlens.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.function.DoubleSupplier;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ValueSketchTest {
  private static final int OF_AN_HOUR = 180;

  /** A hair of room: the bounds of a bin are rounded. */
  private static final double ERROR = ValueSketch.RELATIVE_ERROR * (1 + 1e-9);

  private static Path corpus() {
    Path folder = Path.of("..", "shared", "corpus").toAbsolutePath();
    Path besideTheReactor = Path.of("..", "..", "shared", "corpus").toAbsolutePath();
    return Files.isDirectory(folder) ? folder : besideTheReactor.normalize();
  }

  private static byte[] pack(double... values) {
    PackedSketch packed = new PackedSketch();
    Arrays.stream(values).forEach(packed::add);
    return packed.pack();
  }

  private static ValueSketch merged(List<double[]> hours) {
    ValueSketch sketch = new ValueSketch();
    for (double[] hour : hours) {
      sketch.add(
          pack(hour),
          Arrays.stream(hour).min().orElseThrow(),
          Arrays.stream(hour).max().orElseThrow());
    }
    return sketch;
  }

  /** Every rank of the merged sketches is near the value that has this rank among all values. */
  private static void assertNear(List<double[]> hours, String what) {
    double[] all = hours.stream().flatMapToDouble(Arrays::stream).sorted().toArray();
    ValueSketch sketch = merged(hours);
    assertThat(sketch.count()).as(what).isEqualTo(all.length);
    for (int rank = 1; rank <= all.length; rank += 1 + all.length / 997) {
      double exact = all[rank - 1];
      assertThat(sketch.atRank(rank))
          .as("%s, rank %d of %d", what, rank, all.length)
          .isCloseTo(exact, within(Math.abs(exact) * ERROR));
    }
    assertThat(sketch.atRank(all.length))
        .as(what)
        .isCloseTo(all[all.length - 1], within(Math.abs(all[all.length - 1]) * ERROR));
  }

  @ParameterizedTest(name = "seed {0}")
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void everyRankOfMergedHoursIsWithinTheStatedError(long seed) {
    Random random = new Random(seed);
    List<DoubleSupplier> shapes =
        List.of(
            () -> random.nextDouble() * 100,
            () -> random.nextGaussian() * 1000,
            () -> Math.exp(random.nextGaussian() * 4),
            () -> -Math.exp(random.nextGaussian() * 4),
            () -> random.nextInt(4),
            () -> random.nextInt(3) - 1,
            () -> 8_589_934_592.0 + random.nextInt(1000),
            () -> random.nextInt(10) == 0 ? 0.0 : random.nextDouble() * 1e-9,
            () -> 0.0);
    for (int i = 0; i < shapes.size(); i++) {
      List<double[]> hours = new ArrayList<>();
      for (int hour = random.nextInt(30); hour >= 0; hour--) {
        double[] values = new double[1 + random.nextInt(400)];
        DoubleSupplier shape = shapes.get(i);
        Arrays.setAll(values, at -> shape.getAsDouble());
        hours.add(values);
      }
      assertNear(hours, "shape " + i);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"smd/machine-1-2_test.csv.gz", "smd/machine-1-3_test.csv.gz"})
  void everyRankOfRealServersIsWithinTheStatedError(String file) throws IOException {
    List<double[]> series = series(file);
    double bytes = 0;
    int hours = 0;
    for (int i = 0; i < series.size(); i++) {
      List<double[]> of = hours(series.get(i));
      assertNear(of, file + ", column " + i);
      for (double[] hour : of) {
        boolean even = Arrays.stream(hour).distinct().count() == 1;
        bytes += even ? 0 : pack(hour).length;
        hours++;
      }
    }
    // Of 180 values as doubles, 1440 bytes; where all are equal there is no sketch.
    assertThat(bytes / hours).isBetween(1.0, 60.0);
  }

  private static List<double[]> series(String file) throws IOException {
    Path path = corpus().resolve(file);
    assumeTrue(Files.exists(path), "Skipped, the capture is not here: " + path);
    List<double[]> rows = new ArrayList<>();
    try (BufferedReader lines =
        new BufferedReader(
            new InputStreamReader(
                new GZIPInputStream(Files.newInputStream(path)), StandardCharsets.UTF_8))) {
      for (String line; (line = lines.readLine()) != null; ) {
        rows.add(Arrays.stream(line.split(",")).mapToDouble(Double::parseDouble).toArray());
      }
    }
    List<double[]> series = new ArrayList<>();
    for (int i = 0; i < rows.getFirst().length; i++) {
      int column = i;
      series.add(rows.stream().mapToDouble(row -> row[column]).toArray());
    }
    return series;
  }

  private static List<double[]> hours(double[] series) {
    List<double[]> hours = new ArrayList<>();
    for (int at = 0; at < series.length; at += OF_AN_HOUR) {
      hours.add(Arrays.copyOfRange(series, at, Math.min(series.length, at + OF_AN_HOUR)));
    }
    return hours;
  }

  @Test
  void rawValuesAndSketchesAreMerged() {
    ValueSketch sketch = new ValueSketch();
    sketch.add(10, 1);
    sketch.add(pack(-5, 0, 20, 30), -5, 30);
    sketch.add(25, 3);
    assertThat(sketch.count()).isEqualTo(8);
    double[] expected = {-5, 0, 10, 20, 25, 25, 25, 30};
    for (int rank = 1; rank <= 8; rank++) {
      double exact = expected[rank - 1];
      assertThat(sketch.atRank(rank)).isCloseTo(exact, within(Math.abs(exact) * ERROR));
    }
    assertThat(sketch.atRank(1)).isEqualTo(-5);
    assertThat(sketch.atRank(8)).isEqualTo(30);
    assertThatThrownBy(() -> sketch.atRank(9)).hasMessage("Rank 9 of 8 values");
  }

  @Test
  void valuesFarBelowTheLargestAreOffByLessThanItsLastDigit() {
    double[] values = {1e-300, 1e-20, 1e-9, 1, 1e6, 1e12};
    ValueSketch sketch = merged(List.of(values, new double[] {-1e-30, -1e12}));
    double[] all = {-1e12, -1e-30, 1e-300, 1e-20, 1e-9, 1, 1e6, 1e12};
    for (int rank = 1; rank <= all.length; rank++) {
      double exact = all[rank - 1];
      assertThat(sketch.atRank(rank))
          .isCloseTo(exact, within(Math.max(Math.abs(exact) * ERROR, Math.ulp(1e12))));
    }
  }

  @Test
  void extremeValuesAreTaken() {
    ValueSketch sketch =
        merged(
            List.of(
                new double[] {
                  Double.MIN_VALUE, -Double.MIN_VALUE, -0.0, Double.MAX_VALUE, -Double.MAX_VALUE
                }));
    assertThat(sketch.count()).isEqualTo(5);
    assertThat(sketch.atRank(3)).isZero();
    assertThat(sketch.atRank(5))
        .isCloseTo(Double.MAX_VALUE, within(Double.MAX_VALUE * ValueSketch.RELATIVE_ERROR));
    assertThat(merged(List.of(new double[] {1e300, Double.POSITIVE_INFINITY})).atRank(1))
        .isCloseTo(1e300, within(1e300 * ERROR));
  }

  @Test
  void aSketchIsBoundedHoweverWideItsValuesSpread() {
    Random random = new Random(3);
    double[] values = new double[200_000];
    Arrays.setAll(values, at -> Math.pow(10, random.nextInt(600) - 300 + random.nextDouble()));
    assertThat(pack(values).length).isLessThan(ValueSketch.MOST_BINS * 3);
  }

  @Test
  void aHundredAndEightyValuesOfAProcessorTakeSomeDozensOfBytes() {
    Random random = new Random(1);
    double[] values = new double[OF_AN_HOUR];
    Arrays.setAll(values, at -> Math.max(0, 20 + 6 * random.nextGaussian()));
    assertThat(pack(values).length).isLessThan(64);
    assertThat(pack(0, 0, 0, 1).length).isLessThanOrEqualTo(3);
  }

  @Test
  void bytesThatAreNoSketchAreRefused() {
    ValueSketch sketch = new ValueSketch();
    assertThatThrownBy(() -> sketch.add(new byte[0], 0, 1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("A sketch that ends too early");
    assertThatThrownBy(() -> sketch.add(new byte[] {0x60}, 0, 1))
        .hasMessage("A sketch of another version than this program reads");
    assertThatThrownBy(() -> sketch.add(new byte[12], 0, 1))
        .hasMessage("A sketch with a number of too many digits");
  }
}
