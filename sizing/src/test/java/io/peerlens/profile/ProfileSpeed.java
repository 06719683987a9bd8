package io.peerlens.profile;

import io.peerlens.profile.Grid.Bucket;
import io.peerlens.profile.Made.Kind;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;

/**
 * Measures how long profiles take: 1,000 machines of 32 hosts and 2 clusters, a year of hours and
 * 90 days of 5-minute means. Making the histories is not counted. Run it with the test classes of
 * the module and {@code java -cp sizing/target/classes:sizing/target/test-classes:JSPECIFY
 * io.peerlens.profile.ProfileSpeed}.
 */
public final class ProfileSpeed {

  private static final int MACHINES = 1_000;

  private ProfileSpeed() {}

  /** Prints seconds and memory. */
  public static void main(String[] arguments) {
    Grid fine = new Grid(Instant.parse("2025-10-03T00:00:00Z"), Bucket.FIVE_MINUTES, 90 * 288);
    LoadProfiler profiler = new LoadProfiler(ProfileOptions.of(Made.YEAR).withFineGrid(fine));
    Kind[] kinds = {
      new Kind(200, 8_192, 0.7, 0.6), new Kind(50, 65_536, 0.2, 0.3), new Kind(0.2, 4_096, 1, 0.1)
    };
    long wall = 0;
    long processor = 0;
    int clusters = 0;
    for (int i = 0; i < MACHINES; i++) {
      IoSeries hours = Made.mixture(Made.YEAR, i, kinds);
      IoSeries fives = Made.mixture(fine, i, kinds);
      long began = System.nanoTime();
      long used = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
      clusters +=
          profiler
              .add(Made.machine("vm-" + i, "host-" + i % 32, "cluster-" + i % 2), hours, fives)
              .mixture()
              .clusters()
              .size();
      wall += System.nanoTime() - began;
      processor += ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime() - used;
    }
    long began = System.nanoTime();
    Map<String, LoadProfile> groups = profiler.groups();
    wall += System.nanoTime() - began;
    System.gc();
    Runtime runtime = Runtime.getRuntime();
    System.out.printf(
        "%d machines and %d groups: %.1f s (machines %.1f s of processor time), %d clusters of"
            + " machines, %d MB in use%n",
        MACHINES,
        groups.size(),
        Duration.ofNanos(wall).toMillis() / 1e3,
        Duration.ofNanos(processor).toMillis() / 1e3,
        clusters,
        (runtime.totalMemory() - runtime.freeMemory()) >> 20);
    groups.values().stream()
        .limit(2)
        .forEach(it -> System.out.println(it.name() + ": " + it.mixture().clusters()));
  }
}
