package io.peerlens.profile;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * How storage is accessed, which a history of means does not tell. It is unknown unless somebody
 * imports it: output of vscsiStats, or the parameters of a run of a benchmark.
 *
 * @param randomShare operations at random places among all, 0 to 1; NaN = not known
 * @param randomReadShare of reads; NaN = not known
 * @param randomWriteShare of writes; NaN = not known
 * @param workingSet bytes that are worked on; NaN = not known
 * @param readSizes how large reads are; null = not known
 * @param writeSizes how large writes are; null = not known
 * @param source where it is from; empty = nothing is known
 */
public record AccessPattern(
    double randomShare,
    double randomReadShare,
    double randomWriteShare,
    double workingSet,
    @Nullable SizeHistogram readSizes,
    @Nullable SizeHistogram writeSizes,
    String source) {

  /** Nothing is known. */
  public static final AccessPattern UNKNOWN =
      new AccessPattern(Double.NaN, Double.NaN, Double.NaN, Double.NaN, null, null, "");

  public AccessPattern {
    share("random accesses", randomShare);
    share("random reads", randomReadShare);
    share("random writes", randomWriteShare);
    if (workingSet <= 0 || Double.isInfinite(workingSet)) {
      throw new IllegalArgumentException(
          "The working set is %s bytes: give a positive number, or NaN".formatted(workingSet));
    }
  }

  private static void share(String what, double share) {
    if (share < 0 || share > 1) {
      throw new IllegalArgumentException(
          "The share of %s is %s: it is 0 to 1, or NaN where it is not known"
              .formatted(what, share));
    }
  }

  /**
   * That of a run of a benchmark which somebody says is like the load. Sizes of blocks are not
   * taken: those of the load are measured.
   *
   * @param parameters of the run, by the names that runs have: {@code random_share} in per cent,
   *     {@code working_set} in bytes. What is missing, or not a single number, is not known
   * @param run what it is called
   */
  public static AccessPattern ofRun(Map<String, String> parameters, String run) {
    double random = number(parameters.get("random_share")) / 100;
    double set = number(parameters.get("working_set"));
    boolean isRandom = random >= 0 && random <= 1;
    boolean isSet = set > 0 && set < Double.POSITIVE_INFINITY;
    if (!isRandom && !isSet) {
      return UNKNOWN;
    }
    double share = isRandom ? random : Double.NaN;
    return new AccessPattern(
        share, share, share, isSet ? set : Double.NaN, null, null, "parameters of run " + run);
  }

  private static double number(@Nullable String text) {
    if (text == null || !text.strip().matches("[0-9]{1,19}(\\.[0-9]{1,9})?")) {
      return Double.NaN;
    }
    return Double.parseDouble(text.strip());
  }
}
