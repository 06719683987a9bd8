package io.peerlens.outlier.explain;

import io.peerlens.api.model.OutlierTrait;
import io.peerlens.outlier.explain.AttributeQueries.Attribute;
import io.peerlens.words.Figures;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Attributes in which a member differs from its peers. One counts if most peers have the same value
 * (or none), the member has another, and few peers share that; how well it separates is the part of
 * the peers that have the common value, times the part that do not have the member's. Numbers
 * without a common value are compared with the peers' median and their robust spread.
 *
 * <p>What the peers have all sorts of values for, such as a name, an id or an address, says who the
 * member is and not how it differs. It has no common value, and so is left out, whatever it is
 * called.
 */
final class Traits {

  static final int MOST = 50;

  /** This part of the peers has to have the common value. */
  private static final double COMMON = 0.5;

  /** At most this part of them may have what the member has. */
  private static final double SHARED = 0.25;

  /** This part of the peers has to have a number. */
  private static final double NUMBERS = 0.7;

  /** A number this many robust deviations away from the median differs. */
  private static final double FAR = 5;

  /** Spreads are taken to be at least this part of the median. */
  private static final double FLOOR = 0.05;

  private static final double MAD = 1.4826;
  private static final int LONGEST = 500;

  private Traits() {}

  /** A change of an attribute of the member. */
  record Changed(Instant at, @Nullable String before) {}

  /**
   * Attributes that were found.
   *
   * @param traits what separates best first; what changed comes before what did not
   * @param equal in how many attributes the member is like most of its peers
   */
  record Found(List<OutlierTrait> traits, int equal) {}

  /**
   * Compares.
   *
   * @param values by attribute and object
   * @param changes what changed on the member shortly before; null = nothing
   */
  static Found find(
      int member,
      int[] peers,
      Map<Attribute, Map<Integer, String>> values,
      Function<Attribute, @Nullable Changed> changes) {
    List<OutlierTrait> traits = new ArrayList<>();
    int equal = 0;
    for (Map.Entry<Attribute, Map<Integer, String>> entry : values.entrySet()) {
      Compared compared = compare(entry.getValue().get(member), peers, entry.getValue());
      if (compared == null) {
        continue;
      }
      if (compared.isEqual()) {
        equal++;
        continue;
      }
      Attribute attribute = entry.getKey();
      Changed changed = changes.apply(attribute);
      traits.add(
          new OutlierTrait(
              attribute.kind(),
              attribute.key(),
              attribute.words(),
              cut(compared.own()),
              cut(compared.common()),
              compared.commonCount(),
              compared.sameCount(),
              peers.length,
              Math.rint(compared.separation(peers.length) * 1000) / 1000,
              changed == null ? null : changed.at(),
              changed == null ? null : cut(changed.before())));
    }
    traits.sort(
        Comparator.comparing((OutlierTrait trait) -> trait.getChangedAt() == null)
            .thenComparing(trait -> -trait.getSeparation())
            .thenComparing(trait -> trait.getKind().ordinal())
            .thenComparing(OutlierTrait::getKey));
    return new Found(List.copyOf(traits.subList(0, Math.min(MOST, traits.size()))), equal);
  }

  private static @Nullable String cut(@Nullable String value) {
    return value == null || value.length() <= LONGEST
        ? value
        : value.substring(0, LONGEST - 1) + "…";
  }

  /** One attribute of the member against its peers; a null value = it has none. */
  private record Compared(
      @Nullable String own, @Nullable String common, int commonCount, int sameCount) {

    boolean isEqual() {
      return Objects.equals(own, common);
    }

    double separation(int peers) {
      return (double) commonCount / peers * (1 - (double) sameCount / peers);
    }
  }

  /** Null = it says nothing. */
  private static @Nullable Compared compare(
      @Nullable String own, int[] peers, Map<Integer, String> values) {
    Map<@Nullable String, Integer> counts = new HashMap<>();
    for (int peer : peers) {
      counts.merge(values.get(peer), 1, Integer::sum);
    }
    Map.Entry<@Nullable String, Integer> most =
        counts.entrySet().stream()
            .max(
                Map.Entry.<@Nullable String, Integer>comparingByValue()
                    .thenComparing(entry -> entry.getKey() == null ? "" : entry.getKey()))
            .orElseThrow();
    String common = most.getKey();
    int same = counts.getOrDefault(own, 0);
    if (Objects.equals(own, common)) {
      return most.getValue() >= COMMON * peers.length
          ? new Compared(own, common, most.getValue(), same)
          : null;
    }
    if (most.getValue() >= COMMON * peers.length) {
      return same <= SHARED * peers.length
          ? new Compared(own, common, most.getValue(), same)
          : null;
    }
    return own == null ? null : numbers(own, peers, values);
  }

  /** Numbers of which hardly two are the same; names and addresses are none. */
  private static @Nullable Compared numbers(String own, int[] peers, Map<Integer, String> values) {
    double mine = number(own);
    double[] others =
        Arrays.stream(peers)
            .mapToDouble(peer -> number(values.get(peer)))
            .filter(value -> !Double.isNaN(value))
            .sorted()
            .toArray();
    if (Double.isNaN(mine) || others.length < Math.max(3, NUMBERS * peers.length)) {
      return null;
    }
    double median = median(others);
    double[] distances =
        Arrays.stream(others).map(value -> Math.abs(value - median)).sorted().toArray();
    double spread = Math.max(MAD * median(distances), FLOOR * Math.abs(median));
    if (Math.abs(mine - median) < FAR * spread || spread == 0) {
      return null;
    }
    int near = 0;
    int asFar = 0;
    for (double other : others) {
      near += Math.abs(other - median) <= FAR * spread ? 1 : 0;
      asFar += mine > median ? other >= mine ? 1 : 0 : other <= mine ? 1 : 0;
    }
    return asFar <= SHARED * peers.length
        ? new Compared(own, "about " + Figures.number(median), near, asFar)
        : null;
  }

  private static double median(double[] sorted) {
    int n = sorted.length;
    return (sorted[(n - 1) / 2] + sorted[n / 2]) / 2;
  }

  private static double number(@Nullable String text) {
    if (text == null || text.isEmpty() || text.length() > 25) {
      return Double.NaN;
    }
    char last = text.charAt(text.length() - 1);
    if (last < '0' || last > '9') {
      return Double.NaN; // parseDouble would take "1d" and "NaN"
    }
    try {
      double number = Double.parseDouble(text);
      return Double.isFinite(number) ? number : Double.NaN;
    } catch (NumberFormatException e) {
      return Double.NaN;
    }
  }
}
