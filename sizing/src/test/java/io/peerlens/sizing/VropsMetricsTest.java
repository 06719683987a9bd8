package io.peerlens.sizing;

import static io.peerlens.sizing.Traces.GRID;
import static io.peerlens.sizing.Traces.all;
import static io.peerlens.sizing.Traces.known;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;

class VropsMetricsTest {

  private static final Path CORPUS = Path.of("../../shared/corpus/dashboards");
  private static final VmSize SIZE = VmSize.of(8, 2500, 32);
  private static final Idle IDLE = new Idle(true, false, 1, 0, 28, List.of(), "");

  private static Recommendation cpu(double vcpus) {
    return known(
        RightSizing.cpu(GRID, SIZE, all(vcpus * 2500), Map.of(), Numa.NOT_KNOWN, SizingRule.USUAL));
  }

  private static Recommendation memory(double gb) {
    return known(
        RightSizing.memory(GRID, SIZE, all(gb), Map.of(), Numa.NOT_KNOWN, SizingRule.USUAL));
  }

  @Test
  void recommendationsHaveTheUnitsOfTheirKeys() {
    assertThat(VropsMetrics.vm(SIZE, cpu(3), memory(31), null, null, null))
        .containsOnly(
            entry(VropsKey.OVERSIZED, 1.0),
            entry(VropsKey.OVERSIZED_VCPUS, 4.0),
            entry(VropsKey.OVERSIZED_MEMORY, 0.0),
            entry(VropsKey.UNDERSIZED, 1.0),
            entry(VropsKey.UNDERSIZED_VCPUS, 0.0),
            entry(VropsKey.UNDERSIZED_MEMORY, 8.0 * 1024 * 1024),
            entry(VropsKey.CPU_RECOMMENDED, 10_000.0),
            entry(VropsKey.MEMORY_RECOMMENDED, 40.0 * 1024 * 1024));
  }

  @Test
  void whatIsNotKnownHasNoValue() {
    assertThat(VropsMetrics.vm(SIZE, null, null, null, null, null)).isEmpty();
    assertThat(VropsMetrics.vm(SIZE, cpu(3), null, null, null, List.of()))
        .containsEntry(VropsKey.SNAPSHOT_SPACE, 0.0)
        .doesNotContainKeys(VropsKey.MEMORY_RECOMMENDED, VropsKey.IDLE, VropsKey.POWERED_OFF);
  }

  @Test
  void anIdleMachinesRecommendedSizeIsZero() {
    assertThat(VropsMetrics.vm(SIZE, cpu(0.1), null, IDLE, null, null))
        .containsEntry(VropsKey.CPU_RECOMMENDED, 0.0)
        .containsEntry(VropsKey.IDLE, 1.0);
  }

  @Test
  void aClustersRemainingShareIsThatOfItsScarcestSupply() {
    Amounts host = new Amounts(100_000, 256, 0, 0);
    Cluster cluster =
        new Cluster(List.of(host, host), new Amounts(0, 0, 1000, Double.NaN), 1, Amounts.NONE);
    Map<VropsKey, Double> it =
        VropsMetrics.cluster(
            cluster,
            new Amounts(25_000, 192, 100, 5),
            null,
            new Reclaimable(4, 16, 70, 60, 9, Double.NaN));
    assertThat(it)
        .containsEntry(VropsKey.CAPACITY_REMAINING, 25.0)
        .containsEntry(VropsKey.CPU_REMAINING, 75_000.0)
        .containsEntry(VropsKey.MEMORY_REMAINING, 64.0 * 1024 * 1024)
        .containsEntry(VropsKey.RECLAIMABLE_IDLE_MEMORY, 16.0 * 1024 * 1024)
        .containsEntry(VropsKey.RECLAIMABLE_IDLE_VCPUS, 4.0)
        .doesNotContainKeys(VropsKey.VMS_REMAINING, VropsKey.RECLAIMABLE_ORPHANED_DISK);
  }

  /** {@code cpu|recommendedSize} is in no published dashboard, but in public test fixtures. */
  @Test
  void publishedDashboardsAskForTheseKeys() throws IOException {
    Assumptions.assumeTrue(Files.isDirectory(CORPUS), "there are no published dashboards here");
    Set<VropsKey> asked = new HashSet<>();
    try (Stream<Path> files = Files.walk(CORPUS)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        look(Files.readAllBytes(file), 3, asked);
      }
    }
    assertThat(asked)
        .containsAll(
            Arrays.stream(VropsKey.values())
                .filter(key -> key != VropsKey.CPU_RECOMMENDED)
                .toList());
  }

  private static void look(byte[] bytes, int deep, Set<VropsKey> asked) throws IOException {
    if (bytes.length > 2 && bytes[0] == 'P' && bytes[1] == 'K' && deep > 0) {
      try (ZipInputStream zip = new ZipInputStream(new ByteArrayInputStream(bytes))) {
        for (ZipEntry entry = zip.getNextEntry(); entry != null; entry = zip.getNextEntry()) {
          look(zip.readNBytes(50_000_000), deep - 1, asked);
        }
      }
      return;
    }
    String text = new String(bytes, StandardCharsets.UTF_8);
    for (VropsKey key : VropsKey.values()) {
      int at = text.indexOf(key.key() + "\"");
      if (at >= 0 || text.contains(key.key() + "&quot;") || text.contains(key.key() + ",")) {
        asked.add(key);
      }
    }
  }
}
