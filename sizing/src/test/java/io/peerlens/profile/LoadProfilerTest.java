package io.peerlens.profile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.peerlens.profile.Grid.Bucket;
import io.peerlens.profile.LoadProfile.FivePeak;
import io.peerlens.profile.LoadProfile.Peak;
import io.peerlens.profile.Made.Kind;
import io.peerlens.profile.Mixture.Cluster;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalTime;
import java.time.ZoneId;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.Test;

class LoadProfilerTest {

  private static final double[] NONE = {};

  @Test
  void aMadeMixtureIsFoundWithItsSizesAndShares() {
    IoSeries made =
        Made.mixture(
            Made.YEAR,
            7,
            new Kind(2_000, 8_192, 0.7, 0.61),
            new Kind(300, 65_536, 0.2, 0.29),
            new Kind(900, 4_096, 1.0, 0.10));
    LoadProfile profile =
        new LoadProfiler(ProfileOptions.of(Made.YEAR)).add(Made.machine("a"), made, null);

    List<Cluster> clusters = profile.mixture().clusters();
    assertThat(clusters)
        .extracting(Cluster::name)
        .containsExactly("8K 70/30", "64K 20/80", "4K 100/0");
    assertThat(clusters.getFirst().label()).isEqualTo("8K 70/30, 61 % of hours");
    double[] shares = {0.61, 0.29, 0.10};
    double[] sizes = {8_192, 65_536, 4_096};
    double[] iops = {2_000, 300, 900};
    double operations = 0.61 * 2_000 + 0.29 * 300 + 0.10 * 900;
    for (int i = 0; i < shares.length; i++) {
      Cluster cluster = clusters.get(i);
      assertThat(cluster.shareOfHours()).isCloseTo(shares[i], within(0.015));
      assertThat(cluster.shareOfOperations())
          .isCloseTo(shares[i] * iops[i] / operations, within(0.02));
      assertThat(cluster.blockSize() / sizes[i]).isCloseTo(1, within(0.02));
      assertThat(cluster.iops().mean() / iops[i]).isCloseTo(1, within(0.04));
    }
    assertThat(clusters.stream().mapToInt(Cluster::hours).sum()).isEqualTo(8_760);
    assertThat(profile.mixture().cells().stream().mapToInt(Mixture.Cell::hours).sum())
        .isEqualTo(8_760);
    assertThat(profile.mixture().silhouette()).isGreaterThan(0.8);
    double bytes = 0.61 * 2_000 * 8_192 + 0.29 * 300 * 65_536 + 0.10 * 900 * 4_096;
    assertThat(profile.blockSize() / (bytes / operations)).isCloseTo(1, within(0.05));
  }

  @Test
  void hoursThatAreAllAlikeAreOneProfile() {
    IoSeries made = Made.mixture(Made.YEAR, 3, new Kind(500, 16_384, 0.6, 1));
    LoadProfile profile =
        new LoadProfiler(ProfileOptions.of(Made.YEAR)).add(Made.machine("a"), made, null);
    assertThat(profile.mixture().clusters()).hasSize(1);
    assertThat(profile.mixture().clusters().getFirst().label())
        .isEqualTo("16K 60/40, 100 % of hours");
    assertThat(profile.mixture().clusters().getFirst().spread()).isLessThan(0.5);
    assertThat(profile.mixture().silhouette()).isNaN();
  }

  @Test
  void percentilesAreExactOverTheHours() {
    Grid grid = new Grid(Made.YEAR.start(), Bucket.HOUR, 1_000);
    double[] reads = new double[1_000];
    double[] writes = new double[1_000];
    double[] size = new double[1_000];
    Arrays.fill(size, 4_096);
    for (int i = 0; i < reads.length; i++) {
      // 1 to 1,000, each once, in another order.
      reads[i] = (i * 7 % 1_000 + 1) * 0.75;
      writes[i] = (i * 7 % 1_000 + 1) * 0.25;
    }
    LoadProfile profile =
        new LoadProfiler(ProfileOptions.of(grid))
            .add(Made.machine("a"), Made.series(grid, reads, writes, size, 2), null);
    Distribution iops = profile.iops();
    assertThat(iops.buckets()).isEqualTo(1_000);
    assertThat(iops.mean()).isCloseTo(500.5, within(1e-9));
    assertThat(iops.p50()).isEqualTo(500);
    assertThat(iops.p95()).isEqualTo(950);
    assertThat(iops.p99()).isEqualTo(990);
    assertThat(iops.peak()).isEqualTo(1_000);
    // 857 x 7 = 5,999.
    assertThat(iops.peakAt()).isEqualTo(grid.at(857));
    assertThat(iops.bucket()).isEqualTo(Bucket.HOUR);
    assertThat(profile.readShare()).isCloseTo(0.75, within(1e-9));
    assertThat(profile.blockSize()).isCloseTo(4_096, within(1e-6));
    assertThat(profile.throughput().peak()).isEqualTo(4_096_000);
    assertThat(profile.latency().p95()).isEqualTo(2);
    assertThat(profile.shares().vcpu().peak()).isEqualTo(250);
    assertThat(profile.shares().memoryGb().p95()).isEqualTo(950 / 16.0);
    assertThat(profile.shares().diskGb().mean()).isCloseTo(5.005, within(1e-9));
  }

  @Test
  void latencyIsWeightedByOperations() {
    Grid grid = new Grid(Made.YEAR.start(), Bucket.HOUR, 3);
    LoadProfile profile =
        new LoadProfiler(ProfileOptions.of(grid))
            .add(
                Made.machine("a"),
                new IoSeries(
                    grid,
                    new double[] {900, 90, 10},
                    new double[] {0, 0, 0},
                    NONE,
                    NONE,
                    new double[] {1, 10, 100},
                    new double[] {Double.NaN, 0, 0}),
                null);
    assertThat(profile.readLatency().mean()).isCloseTo(2.8, within(1e-9));
    assertThat(profile.latency().mean()).isCloseTo(2.8, within(1e-9));
    assertThat(profile.latency().p50()).isEqualTo(1);
    assertThat(profile.latency().p95()).isEqualTo(10);
    assertThat(profile.latency().p99()).isEqualTo(10);
    assertThat(profile.latency().peak()).isEqualTo(100);
    assertThat(profile.writeLatency().mean()).isNaN();
    assertThat(profile.blockSize()).isNaN();
    assertThat(profile.mixture().clusters()).isEmpty();
    assertThat(profile.mixture().withoutSize()).isEqualTo(3);
  }

  @Test
  void thePeakOfAGroupIsThatOfSumsInTheSameHour() {
    Grid grid = new Grid(Made.YEAR.start(), Bucket.HOUR, 24);
    double[] morning = new double[24];
    double[] night = new double[24];
    Arrays.fill(morning, 10);
    Arrays.fill(night, 10);
    morning[9] = 1_000;
    night[2] = 800;
    double[] none = new double[24];
    double[] size = new double[24];
    Arrays.fill(size, 8_192);
    LoadProfiler profiler = new LoadProfiler(ProfileOptions.of(grid));
    profiler.add(
        Made.machine("a", "cluster", "host-1"), Made.series(grid, morning, none, size, 1), null);
    profiler.add(Made.machine("b", "cluster"), Made.series(grid, none, night, size, 1), null);
    LoadProfile cluster = Objects.requireNonNull(profiler.group("cluster"));
    assertThat(cluster.machines()).isEqualTo(2);
    assertThat(cluster.iops().peak()).isEqualTo(1_010);
    assertThat(cluster.iops().peakAt()).isEqualTo(grid.at(9));
    assertThat(cluster.shares().machine().peak()).isEqualTo(505);
    assertThat(profiler.groups().keySet()).containsExactly("cluster", "host-1");
    assertThat(Objects.requireNonNull(profiler.group("host-1")).iops().peak()).isEqualTo(1_000);
    assertThat(profiler.group("other")).isNull();
  }

  @Test
  void peaksTellTheMachinesThatMadeThem() {
    Grid grid = new Grid(Made.YEAR.start(), Grid.Bucket.HOUR, 48);
    LoadProfiler profiler = new LoadProfiler(ProfileOptions.of(grid));
    // One that says bytes only, then seven whose turn is another hour; the last has nothing.
    profiler.add(
        Made.machine("bytes", "g"),
        new IoSeries(
            grid,
            new double[0],
            new double[0],
            filled(48, 1e9),
            filled(48, 0),
            new double[0],
            new double[0]),
        null);
    LoadProfile ofBytes = profiler.group("g");
    assertThat(ofBytes.peaks().getFirst().machines())
        .singleElement()
        .satisfies(
            it -> {
              assertThat(it.throughput()).isEqualTo(1e9);
              assertThat(it.iops()).isNaN();
              assertThat(it.share()).isEqualTo(1);
            });
    for (int i = 0; i < 8; i++) {
      double[] reads = filled(48, i == 7 ? 0 : 10 + i);
      reads[20] = i == 3 ? 1_000 : reads[20];
      profiler.add(
          Made.machine("vm-" + i, "g"),
          Made.series(grid, reads, filled(48, 0), filled(48, 4_096), 1),
          null);
    }
    Peak peak = profiler.group("g").peaks().getFirst();
    assertThat(peak.at()).isEqualTo(grid.at(20));
    assertThat(peak.reporting()).isEqualTo(9);
    assertThat(peak.machines())
        .extracting(LoadProfile.PeakMachine::name)
        .containsExactly("vm-3", "vm-6", "vm-5", "vm-4", "vm-2");
    assertThat(peak.machines().getFirst().iops()).isEqualTo(1_000);
    assertThat(peak.machines().getFirst().share()).isCloseTo(1_000 / peak.iops(), within(1e-6));
    assertThat(peak.machines().getFirst().throughput()).isNaN();
  }

  private static double[] filled(int count, double value) {
    double[] values = new double[count];
    Arrays.fill(values, value);
    return values;
  }

  @Test
  void bytesOfMachinesWithoutIopsDoNotEnlargeBlocks() {
    Grid grid = new Grid(Made.YEAR.start(), Bucket.HOUR, 2);
    double[] hundred = {100, 100};
    double[] bytes = {819_200, 819_200};
    double[] much = {1e9, 1e9};
    LoadProfiler profiler = new LoadProfiler(ProfileOptions.of(grid));
    profiler.add(
        Made.machine("a", "g"),
        new IoSeries(grid, hundred, hundred, bytes, bytes, NONE, NONE),
        null);
    profiler.add(
        Made.machine("b", "g"), new IoSeries(grid, NONE, NONE, much, much, NONE, NONE), null);
    LoadProfile group = Objects.requireNonNull(profiler.group("g"));
    assertThat(group.blockSize()).isEqualTo(8_192);
    assertThat(group.throughput().mean()).isEqualTo(2e9 + 1_638_400);
    assertThat(group.machines()).isEqualTo(2);
    assertThat(group.shares().machine().mean()).isEqualTo(200);
    assertThat(group.shares().vcpu().mean()).isEqualTo(50);
    assertThat(group.remarks())
        .containsExactly(
            "Operations a second are known of 1 of 2 machines;"
                + " the others count in throughput only.");
    assertThat(group.mixture().clusters().getFirst().name()).isEqualTo("8K 50/50");
  }

  @Test
  void oneBurstIsOnePeak() {
    Grid grid = new Grid(Made.YEAR.start(), Bucket.HOUR, 24 * 30);
    double[] reads = new double[grid.count()];
    Arrays.fill(reads, 10);
    for (int day = 0; day < 30; day++) {
      reads[day * 24 + 1] = 500 + day;
      reads[day * 24 + 2] = 600 + day;
      reads[day * 24 + 3] = 550 + day;
    }
    double[] size = new double[grid.count()];
    Arrays.fill(size, 8_192);
    LoadProfile profile =
        new LoadProfiler(ProfileOptions.of(grid).peaksApart(Duration.ofHours(6)))
            .add(
                Made.machine("a"),
                Made.series(grid, reads, new double[grid.count()], size, 3),
                null);
    assertThat(profile.peaks()).hasSize(10);
    for (int i = 0; i < 10; i++) {
      Peak peak = profile.peaks().get(i);
      assertThat(peak.at()).isEqualTo(grid.at((29 - i) * 24 + 2));
      assertThat(peak.iops()).isEqualTo(629 - i);
      assertThat(peak.blockSize()).isEqualTo(8_192);
      assertThat(peak.readShare()).isEqualTo(1);
      assertThat(peak.latency()).isCloseTo(3, within(1e-9));
      assertThat(peak.reporting()).isEqualTo(1);
    }
  }

  @Test
  void idleHoursCountInMeansAndFallIntoNoProfile() {
    Grid grid = new Grid(Made.YEAR.start(), Bucket.HOUR, 100);
    double[] reads = new double[100];
    double[] size = new double[100];
    for (int i = 0; i < 100; i++) {
      reads[i] = i < 30 ? 0.4 : i < 90 ? 100 : Double.NaN;
      size[i] = i < 30 ? 512 : 32_768;
    }
    LoadProfile profile =
        new LoadProfiler(ProfileOptions.of(grid))
            .add(Made.machine("a"), Made.series(grid, reads, reads.clone(), size, 1), null);
    assertThat(profile.coverage().hours()).isEqualTo(100);
    assertThat(profile.coverage().withIops()).isEqualTo(90);
    assertThat(profile.coverage().idle()).isEqualTo(30);
    assertThat(profile.coverage().machineShare()).isEqualTo(0.9);
    assertThat(profile.iops().mean()).isCloseTo((30 * 0.8 + 60 * 200) / 90, within(1e-9));
    assertThat(profile.mixture().hours()).isEqualTo(60);
    assertThat(profile.mixture().clusters()).extracting(Cluster::name).containsExactly("32K 50/50");
  }

  @Test
  void onlyBusinessHoursCount() {
    double[] reads = new double[Made.YEAR.count()];
    double[] size = new double[Made.YEAR.count()];
    ZoneId zone = ZoneId.of("Europe/Berlin");
    for (int i = 0; i < reads.length; i++) {
      reads[i] = 1 + Made.YEAR.at(i).atZone(zone).getHour();
      size[i] = 4_096;
    }
    BusinessHours hours = BusinessHours.weekdays(LocalTime.of(8, 0), LocalTime.of(18, 0), zone);
    LoadProfile profile =
        new LoadProfiler(ProfileOptions.of(Made.YEAR).during(hours))
            .add(
                Made.machine("a"),
                Made.series(Made.YEAR, reads, new double[reads.length], size, 1),
                null);
    // 2025 has 261 weekdays.
    assertThat(profile.coverage().hours()).isEqualTo(2_610);
    assertThat(profile.iops().peak()).isEqualTo(18);
    assertThat(profile.iops().mean()).isCloseTo(13.5, within(1e-9));
    assertThat(profile.mixture().hours()).isEqualTo(2_610);
    assertThat(profile.peaks()).allMatch(it -> it.iops() == 18);
  }

  @Test
  void theFactorToFiveMinutesIsMeasuredWhereBothExist() {
    Grid hours = new Grid(Instant.parse("2025-06-01T00:00:00Z"), Bucket.HOUR, 48);
    Grid fine = new Grid(Instant.parse("2025-06-02T00:00:00Z"), Bucket.FIVE_MINUTES, 288);
    double[] reads = new double[48];
    Arrays.fill(reads, 100);
    reads[3] = 5_000;
    double[] fives = new double[288];
    Arrays.fill(fives, 100);
    // The hour from 10 to 11 has one burst; its mean is 300.
    fives[12 * 10 + 4] = 2_500;
    reads[24 + 10] = 300;
    // An hour that is not known as a whole does not count for the factor.
    fives[12 * 20] = Double.NaN;
    fives[12 * 20 + 1] = 9_000;
    double[] size = new double[288];
    Arrays.fill(size, 4_096);
    LoadProfile profile =
        new LoadProfiler(ProfileOptions.of(hours).withFineGrid(fine))
            .add(
                Made.machine("a"),
                Made.series(hours, reads, new double[48], Arrays.copyOf(size, 48), 1),
                Made.series(fine, fives, new double[288], size, 1));
    FivePeak peak = Objects.requireNonNull(profile.fivePeak());
    assertThat(peak.value()).isEqualTo(9_000);
    assertThat(peak.at()).isEqualTo(Instant.parse("2025-06-02T20:05:00Z"));
    assertThat(peak.hours()).isEqualTo(23);
    assertThat(peak.factor()).isCloseTo(2_500 / 300.0, within(1e-9));
    assertThat(peak.factorOfHours()).isEqualTo(1);
  }

  @Test
  void whereOnlyThroughputIsKnownTheProfileSaysSo() {
    Grid grid = new Grid(Made.YEAR.start(), Bucket.HOUR, 48);
    double[] bytes = new double[48];
    Arrays.fill(bytes, 1_000_000);
    bytes[20] = 5_000_000;
    LoadProfile profile =
        new LoadProfiler(ProfileOptions.of(grid))
            .add(
                Made.machine("a"),
                new IoSeries(grid, NONE, NONE, bytes, new double[48], NONE, NONE),
                null);
    assertThat(profile.iops().mean()).isNaN();
    assertThat(profile.iops().peakAt()).isNull();
    assertThat(profile.blockSize()).isNaN();
    assertThat(profile.readShare()).isNaN();
    assertThat(profile.readShareOfBytes()).isEqualTo(1);
    assertThat(profile.shares().vcpu().mean()).isNaN();
    assertThat(profile.peaks().getFirst().at()).isEqualTo(grid.at(20));
    assertThat(profile.coverage().withData()).isEqualTo(48);
    assertThat(profile.coverage().withIops()).isZero();
    assertThat(profile.remarks()).anyMatch(it -> it.contains("Operations a second are not known"));
    assertThat(profile.pattern()).isEqualTo(AccessPattern.UNKNOWN);
  }

  @Test
  void sizesOfMachinesThatAreNotKnownAreSaid() {
    Grid grid = new Grid(Made.YEAR.start(), Bucket.HOUR, 10);
    double[] reads = new double[10];
    Arrays.fill(reads, 100);
    double[] size = reads.clone();
    LoadProfiler profiler = new LoadProfiler(ProfileOptions.of(grid));
    IoSeries series = Made.series(grid, reads, new double[10], size, 1);
    double no = Double.NaN;
    profiler.add(new Machine("a", "a", 4, no, no, Set.of("g")), series, null);
    profiler.add(new Machine("b", "b", no, no, no, Set.of("g")), series, null);
    LoadProfile group = Objects.requireNonNull(profiler.group("g"));
    assertThat(group.shares().vcpu().mean()).isEqualTo(25);
    assertThat(group.shares().vcpu().known()).isEqualTo(1);
    assertThat(group.shares().memoryGb().mean()).isNaN();
    assertThat(group.remarks())
        .anyMatch(it -> it.startsWith("The vCPUs of 1 of 2 machines is not known"))
        .anyMatch(it -> it.startsWith("The memory of machines is not known"));
  }

  @Test
  void negativeAndInfiniteValuesAreLeftOutAndCounted() {
    Grid grid = new Grid(Made.YEAR.start(), Bucket.HOUR, 3);
    LoadProfile profile =
        new LoadProfiler(ProfileOptions.of(grid))
            .add(
                Made.machine("a"),
                new IoSeries(
                    grid,
                    new double[] {-1, 100, Double.POSITIVE_INFINITY},
                    new double[] {5, 5, 5},
                    NONE,
                    NONE,
                    NONE,
                    NONE),
                null);
    assertThat(profile.iops().buckets()).isEqualTo(1);
    assertThat(profile.iops().peak()).isEqualTo(105);
    assertThat(profile.remarks()).anyMatch(it -> it.startsWith("2 values are negative"));
  }

  @Test
  void whatDoesNotFitIsRefused() {
    Grid grid = new Grid(Made.YEAR.start(), Bucket.HOUR, 10);
    IoSeries series = new IoSeries(grid, NONE, NONE, NONE, NONE, NONE, NONE);
    LoadProfiler profiler = new LoadProfiler(ProfileOptions.of(grid).limitedTo(3_000));
    profiler.add(Made.machine("a", "g1", "g2"), series, null);
    assertThatThrownBy(() -> profiler.add(Made.machine("a"), series, null))
        .hasMessageContaining("Machine a is there already");
    assertThatThrownBy(() -> profiler.add(Made.machine("b", "g3"), series, null))
        .hasMessageContaining("3 groups of 10 hours would take more");
    assertThat(profiler.machines()).isEqualTo(1);
    profiler.add(Made.machine("b", "g1"), series, null);
    Grid other = new Grid(Made.YEAR.start(), Bucket.HOUR, 11);
    assertThatThrownBy(
            () ->
                profiler.add(
                    Made.machine("c"),
                    new IoSeries(other, NONE, NONE, NONE, NONE, NONE, NONE),
                    null))
        .hasMessageContaining("Hours of machine c are");
    assertThatThrownBy(() -> new IoSeries(grid, new double[9], NONE, NONE, NONE, NONE, NONE))
        .hasMessageContaining("read IOPS has 9 values, and the grid has 10");
    assertThatThrownBy(() -> new Grid(Made.YEAR.start().plusSeconds(1), Bucket.HOUR, 1))
        .hasMessageContaining("not the start of a bucket");
    assertThatThrownBy(() -> new Grid(Made.YEAR.start(), Bucket.HOUR, 300_000))
        .hasMessageContaining("choose a shorter period");
    assertThatThrownBy(() -> new Machine("x", "x", 0, 1, 1, Set.of()))
        .hasMessageContaining("Machine x has vCPUs 0.0");
  }
}
