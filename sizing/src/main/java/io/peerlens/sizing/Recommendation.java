package io.peerlens.sizing;

import java.util.Comparator;
import java.util.List;

/**
 * Size that a machine should have of a resource. Sizes are in vCPUs or GB.
 *
 * @param now today's size
 * @param size the recommended one; today's if it fits
 * @param least lower end of the 90 % interval of the recommended size
 * @param most its upper end
 * @param p95 of demand in business hours
 * @param p99 the same
 * @param need what the size is made of, before growth and whole steps
 * @param headroom by which the recommended size is above the need, as a share of the need; NaN = no
 *     need at all
 * @param growthPerDay that is certain; 0 = none
 * @param regret hours a week in which demand was over the recommended size
 * @param regretNow the same of today's size
 * @param waste mean unused share of the recommended size
 * @param wasteNow the same of today's size
 * @param restart whether the change needs a restart; false if nothing changes
 * @param proof signs that the machine waits
 * @param reason in one sentence
 */
public record Recommendation(
    Sign.Resource resource,
    Kind kind,
    double now,
    double size,
    double least,
    double most,
    double p95,
    double p99,
    double need,
    double headroom,
    double growthPerDay,
    double regret,
    double regretNow,
    double waste,
    double wasteNow,
    boolean restart,
    List<Evidence> proof,
    String reason) {

  /**
   * Too small with proof, too small, then what gives back most; a vCPU counts as 4 GB, the ratio of
   * general machines everywhere.
   */
  public static final Comparator<Recommendation> FIRST =
      Comparator.<Recommendation>comparingInt(Recommendation::rank)
          .thenComparing(Comparator.comparingDouble(Recommendation::weight).reversed());

  /** Verdict on today's size. */
  public enum Kind {
    /** Too small. */
    UNDERSIZED,
    /** Too large. */
    OVERSIZED,
    /** As it should be, or nearly. */
    FITS
  }

  /** A recommendation keeps its own list of proof. */
  public Recommendation {
    proof = List.copyOf(proof);
  }

  /** What is given back (positive) or added (negative), in vCPUs or GB. */
  public double givesBack() {
    return now - size;
  }

  private int rank() {
    return switch (kind) {
      case UNDERSIZED -> proof.isEmpty() ? 1 : 0;
      case OVERSIZED -> 2;
      case FITS -> 3;
    };
  }

  private double weight() {
    return Math.abs(givesBack()) * (resource == Sign.Resource.CPU ? 4 : 1);
  }
}
