package io.peerlens.planning.sizing;

import io.peerlens.api.model.RecommendationIdleness;
import io.peerlens.api.model.RecommendationOther;
import io.peerlens.api.model.RecommendationProof;
import io.peerlens.api.model.RecommendationSeries;
import io.peerlens.api.model.RecommendationSize;
import io.peerlens.sizing.OrphanedDisks;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What an evaluation recommends for a machine or a disk of no machine. Sizes are in vCPUs or GB;
 * null = not known, or it does not apply.
 *
 * @param subject what it is about: {@code cpu}, {@code memory}, {@code machine}, {@code snapshot}
 *     or {@code disk}
 * @param instance which of several of the object: the path of a disk; else empty
 * @param label name for people of what has none in the inventory
 * @param regret hours a week over the new size
 * @param vcpus that come back; below 0 = that are added, as with memory
 */
record Found(
    String subject,
    String instance,
    String kind,
    @Nullable String label,
    @Nullable Double now,
    @Nullable Double size,
    @Nullable Double regret,
    @Nullable Double vcpus,
    @Nullable Double memoryGb,
    @Nullable Double diskGb,
    Evidence evidence) {

  static final String CPU = "cpu";
  static final String MEMORY = "memory";
  static final String MACHINE = "machine";
  static final String SNAPSHOT = "snapshot";
  static final String DISK = "disk";

  static final String TOO_SMALL = "too-small";
  static final String TOO_LARGE = "too-large";
  static final String NOT_KNOWN = "not-known";

  /** As many GB of memory are worth as much as one vCPU, as in general machines everywhere. */
  private static final double GB_PER_VCPU = 4;

  /** Gives back less than this, whatever it is. */
  private static final double MOST = 1e8;

  /** What is stored beside what is searched and added up. */
  record Evidence(
      @Nullable String unit,
      @Nullable Double p50,
      @Nullable Double p95,
      @Nullable Double p99,
      @Nullable Double regretNow,
      @Nullable Double ageDays,
      List<RecommendationProof> proof,
      String reason,
      @Nullable RecommendationSeries series,
      @Nullable RecommendationSize sizing,
      @Nullable RecommendationOther other,
      @Nullable RecommendationIdleness idleness,
      @Nullable Double growthGbPerDay) {

    /** Of what has no percentiles. */
    static Evidence of(String reason, @Nullable Double ageDays) {
      return new Evidence(
          "GB", null, null, null, null, ageDays, List.of(), reason, null, null, null, null, null);
    }
  }

  /** A disk of no machine. */
  static Found orphan(OrphanedDisks.Disk disk) {
    Double gb = known(disk.gb());
    return new Found(
        DISK,
        disk.path(),
        "orphaned-disk",
        disk.path() + ".vmdk",
        gb,
        null,
        null,
        null,
        null,
        gb,
        Evidence.of(disk.reason(), disk.days()));
  }

  /**
   * Place in the usual order: too small with proof, too small, what gives back most, what gives
   * back disk space alone, not known.
   */
  double place() {
    double weight = Math.abs(or0(vcpus)) * GB_PER_VCPU + Math.abs(or0(memoryGb));
    int rank =
        switch (kind) {
          case TOO_SMALL -> evidence.proof().isEmpty() ? 1 : 0;
          case NOT_KNOWN -> 4;
          default -> weight > 0 ? 2 : 3;
        };
    return rank * 10 * MOST - Math.min(MOST, weight > 0 ? weight : or0(diskGb));
  }

  private static double or0(@Nullable Double value) {
    return value == null ? 0 : value;
  }

  /** Null for NaN. */
  static @Nullable Double known(double value) {
    return Double.isFinite(value) ? value : null;
  }
}
