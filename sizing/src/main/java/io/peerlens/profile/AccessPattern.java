package io.peerlens.profile;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
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
 * @param randomSource where randomness is from; empty = it is not known
 * @param workingSetSource where the working set is from; empty = it is not known
 * @param sizesSource where sizes are from; empty = they are not known
 */
public record AccessPattern(
    double randomShare,
    double randomReadShare,
    double randomWriteShare,
    double workingSet,
    @Nullable SizeHistogram readSizes,
    @Nullable SizeHistogram writeSizes,
    String randomSource,
    String workingSetSource,
    String sizesSource) {

  /** Nothing is known. */
  public static final AccessPattern UNKNOWN =
      new AccessPattern(Double.NaN, Double.NaN, Double.NaN, Double.NaN, null, null, "", "", "");

  public AccessPattern {
    // Profiles that were stored before each had a source of its own have none.
    randomSource = Objects.requireNonNullElse(randomSource, "");
    workingSetSource = Objects.requireNonNullElse(workingSetSource, "");
    sizesSource = Objects.requireNonNullElse(sizesSource, "");
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
    String source = "parameters of run " + run;
    return new AccessPattern(
        share,
        share,
        share,
        isSet ? set : Double.NaN,
        null,
        null,
        isRandom ? source : "",
        isSet ? source : "",
        "");
  }

  /** Whether anything of randomness is known. */
  public boolean knowsRandomness() {
    return !(Double.isNaN(randomShare)
        && Double.isNaN(randomReadShare)
        && Double.isNaN(randomWriteShare));
  }

  /** Whether sizes of reads or of writes are known. */
  public boolean knowsSizes() {
    return readSizes != null || writeSizes != null;
  }

  /** The same, and what it does not know from another one: randomness, working set, sizes. */
  public AccessPattern orElse(AccessPattern other) {
    AccessPattern random = knowsRandomness() ? this : other;
    AccessPattern set = Double.isNaN(workingSet) ? other : this;
    AccessPattern sizes = knowsSizes() ? this : other;
    return new AccessPattern(
        random.randomShare,
        random.randomReadShare,
        random.randomWriteShare,
        set.workingSet,
        sizes.readSizes,
        sizes.writeSizes,
        random.randomSource,
        set.workingSetSource,
        sizes.sizesSource);
  }

  /**
   * Those of several machines as one: sizes added up, shares weighted by the operations whose sizes
   * are known, or all alike where one of them does not know its sizes. The working set of all is
   * not known.
   *
   * @param of at least one
   */
  public static AccessPattern together(List<AccessPattern> of) {
    if (of.size() == 1) {
      return of.getFirst();
    }
    return new AccessPattern(
        mean(of, AccessPattern::randomShare, it -> count(it.readSizes) + count(it.writeSizes)),
        mean(of, AccessPattern::randomReadShare, it -> count(it.readSizes)),
        mean(of, AccessPattern::randomWriteShare, it -> count(it.writeSizes)),
        Double.NaN,
        sum(of, AccessPattern::readSizes),
        sum(of, AccessPattern::writeSizes),
        sources(of, AccessPattern::randomSource),
        "",
        sources(of, AccessPattern::sizesSource));
  }

  private static double count(@Nullable SizeHistogram sizes) {
    return sizes == null ? 0 : sizes.count();
  }

  private static double mean(
      List<AccessPattern> of,
      ToDoubleFunction<AccessPattern> share,
      ToDoubleFunction<AccessPattern> weight) {
    boolean alike = of.stream().anyMatch(it -> !it.knowsSizes());
    double sum = 0;
    double weights = 0;
    for (AccessPattern one : of) {
      double value = share.applyAsDouble(one);
      double times = alike ? 1 : weight.applyAsDouble(one);
      if (!Double.isNaN(value) && times > 0) {
        sum += value * times;
        weights += times;
      }
    }
    return weights > 0 ? Math.clamp(sum / weights, 0, 1) : Double.NaN;
  }

  private static @Nullable SizeHistogram sum(
      List<AccessPattern> of, Function<AccessPattern, @Nullable SizeHistogram> sizes) {
    TreeMap<Long, Double> counts = new TreeMap<>();
    for (AccessPattern one : of) {
      SizeHistogram add = sizes.apply(one);
      for (int i = 0; add != null && i < add.sizes().length; i++) {
        counts.merge(add.sizes()[i], add.counts()[i], Double::sum);
      }
    }
    return counts.isEmpty() ? null : SizeHistogram.of(counts);
  }

  private static String sources(List<AccessPattern> of, Function<AccessPattern, String> source) {
    TreeSet<String> sources = new TreeSet<>();
    of.stream().map(source).filter(it -> !it.isEmpty()).forEach(sources::add);
    return String.join("; ", sources);
  }

  /** Where any of it is from; empty = nothing is known. */
  public String source() {
    TreeSet<String> sources = new TreeSet<>(List.of(randomSource, workingSetSource, sizesSource));
    // What says more of the same source stands for it.
    return sources.stream()
        .filter(
            one -> sources.stream().noneMatch(other -> !other.equals(one) && other.startsWith(one)))
        .collect(Collectors.joining("; "));
  }

  private static double number(@Nullable String text) {
    if (text == null || !text.strip().matches("[0-9]{1,19}(\\.[0-9]{1,9})?")) {
      return Double.NaN;
    }
    return Double.parseDouble(text.strip());
  }
}
