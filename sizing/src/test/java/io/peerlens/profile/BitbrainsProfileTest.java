package io.peerlens.profile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.peerlens.profile.Grid.Bucket;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Arrays;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;

/** Real machines, of which throughput is known and operations are not. */
class BitbrainsProfileTest {

  private static final Path FILE = Path.of("../../shared/corpus/bitbrains-rnd/mixed.csv.gz");
  private static final Grid HOURS =
      new Grid(Instant.parse("2013-06-30T22:00:00Z"), Bucket.HOUR, 30 * 24);
  private static final Grid FIVES =
      new Grid(Instant.parse("2013-06-30T22:00:00Z"), Bucket.FIVE_MINUTES, 30 * 288);
  private static final double[] NONE = {};

  /** Bytes read and written a second, by hour and by 5 minutes. */
  private static final class Columns {
    final double[] readHours = new double[HOURS.count()];
    final double[] writeHours = new double[HOURS.count()];
    final int[] inHours = new int[HOURS.count()];
    final double[] readFives = new double[FIVES.count()];
    final double[] writeFives = new double[FIVES.count()];

    Columns() {
      Arrays.fill(readFives, Double.NaN);
      Arrays.fill(writeFives, Double.NaN);
    }

    void add(Instant at, double read, double written) {
      int hour = (int) HOURS.index(at);
      int five = (int) FIVES.index(at);
      readHours[hour] += read;
      writeHours[hour] += written;
      inHours[hour]++;
      readFives[five] = read;
      writeFives[five] = written;
    }

    IoSeries hours() {
      for (int i = 0; i < inHours.length; i++) {
        readHours[i] /= inHours[i];
        writeHours[i] /= inHours[i];
      }
      return new IoSeries(HOURS, NONE, NONE, readHours, writeHours, NONE, NONE);
    }

    IoSeries fives() {
      return new IoSeries(FIVES, NONE, NONE, readFives, writeFives, NONE, NONE);
    }
  }

  private static Map<String, Columns> read() throws IOException {
    Map<String, Columns> machines = new TreeMap<>();
    try (BufferedReader reader =
        new BufferedReader(
            new InputStreamReader(
                new GZIPInputStream(Files.newInputStream(FILE)), StandardCharsets.UTF_8))) {
      reader.readLine();
      for (String line = reader.readLine(); line != null; line = reader.readLine()) {
        String[] cells = line.split(",");
        machines
            .computeIfAbsent(cells[0], vm -> new Columns())
            .add(
                Instant.ofEpochSecond(Long.parseLong(cells[1])),
                Double.parseDouble(cells[7]) * 1_024,
                Double.parseDouble(cells[8]) * 1_024);
      }
    }
    return machines;
  }

  @Test
  void throughputIsProfiledAndOperationsAreSaidToBeUnknown() throws IOException {
    assumeTrue(Files.exists(FILE), "skipped: no public traces in " + FILE);
    LoadProfiler profiler = new LoadProfiler(ProfileOptions.of(HOURS).withFineGrid(FIVES));
    Map<String, Columns> machines = read();
    double[] total = new double[HOURS.count()];
    double sumOfPeaks = 0;
    for (var machine : machines.entrySet()) {
      IoSeries hours = machine.getValue().hours();
      LoadProfile one =
          profiler.add(
              new Machine(
                  machine.getKey(),
                  machine.getKey(),
                  Double.NaN,
                  Double.NaN,
                  Double.NaN,
                  Set.of("all")),
              hours,
              machine.getValue().fives());
      sumOfPeaks += one.throughput().peak();
      for (int i = 0; i < total.length; i++) {
        double value = hours.readBytes()[i] + hours.writeBytes()[i];
        total[i] += Double.isNaN(value) ? 0 : value;
      }
    }
    LoadProfile all = Objects.requireNonNull(profiler.group("all"));

    assertThat(all.machines()).isEqualTo(24);
    assertThat(all.iops().buckets()).isZero();
    assertThat(all.blockSize()).isNaN();
    assertThat(all.readShare()).isNaN();
    assertThat(all.mixture().clusters()).isEmpty();
    assertThat(all.remarks()).anyMatch(it -> it.startsWith("Operations a second are not known"));
    // A gap of 29 hours that all of them have.
    assertThat(all.coverage().hours()).isEqualTo(720);
    assertThat(all.coverage().withData()).isBetween(680, 720 - 27);
    double peak = Arrays.stream(total).max().orElseThrow();
    assertThat(all.throughput().peak() / peak).isCloseTo(1, within(1e-9));
    assertThat(all.throughput().peak()).isLessThan(sumOfPeaks);
    assertThat(all.peaks()).hasSize(10);
    assertThat(all.peaks().getFirst().at()).isEqualTo(all.throughput().peakAt());
    assertThat(all.readShareOfBytes()).isBetween(0.7, 0.8);
    LoadProfile.FivePeak five = Objects.requireNonNull(all.fivePeak());
    assertThat(five.value()).isGreaterThan(all.throughput().peak());
    assertThat(five.hours()).isGreaterThan(500);
    assertThat(five.factor()).isGreaterThan(1);
  }
}
