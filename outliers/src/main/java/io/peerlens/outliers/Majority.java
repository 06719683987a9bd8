package io.peerlens.outliers;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Majority of a group in one property, such as the multipath policy of the hosts of a cluster, and
 * the members that have another value. What nearly all members share is the rule; where there is
 * nothing that nearly all share, as with names, addresses or two generations of hardware, nobody
 * differs.
 *
 * @param common the value of the majority; null = there is none
 * @param agree how many members have it
 * @param judged how many members have a value
 * @param differing places of the members that differ, ascending
 */
public record Majority(
    State state, @Nullable String common, int agree, int judged, List<Integer> differing) {

  /** What is to be said of a property. */
  public enum State {
    /** All have one value, or another one that is accepted. */
    ALIKE,
    /** Some differ from nearly all others. */
    DIFFERENT,
    /** No value is shared by nearly all. */
    NO_MAJORITY,
    /** Too few members have a value. */
    TOO_FEW
  }

  /**
   * When a value counts as that of nearly all.
   *
   * @param share which part of the members that have a value must share it, above 0.5
   * @param fewest how many members must have a value, at least 3
   */
  public record Rule(double share, int fewest) {

    /** Four fifths of at least five. */
    public static final Rule DEFAULT = new Rule(0.8, 5);

    public Rule {
      if (!(share > 0.5 && share <= 1)) {
        throw new IllegalArgumentException(
            "a majority of %s is not above 0.5 and at most 1".formatted(share));
      }
      if (fewest < 3) {
        throw new IllegalArgumentException(
            "%d members are no majority and a minority: at least 3".formatted(fewest));
      }
    }
  }

  /**
   * Compares members in a property.
   *
   * @param values by place; null = the member does not have the property, or is not compared
   * @param accepted values that members may have beside the common one
   */
  public static Majority of(
      List<? extends @Nullable String> values, Set<String> accepted, Rule rule) {
    Map<String, Integer> counts = new HashMap<>();
    int judged = 0;
    String common = null;
    int agree = 0;
    for (String value : values) {
      if (value != null) {
        judged++;
        int count = counts.merge(value, 1, Integer::sum);
        if (count > agree) {
          common = value;
          agree = count;
        }
      }
    }
    if (judged < rule.fewest) {
      return new Majority(State.TOO_FEW, null, 0, judged, List.of());
    }
    // Not agree / judged, which is not exact: 0.8 of 5 is 4.
    if (agree < rule.share * judged - 1e-9) {
      return new Majority(State.NO_MAJORITY, null, 0, judged, List.of());
    }
    List<Integer> differing = new ArrayList<>();
    for (int i = 0; i < values.size(); i++) {
      String value = values.get(i);
      if (value != null && !value.equals(common) && !accepted.contains(value)) {
        differing.add(i);
      }
    }
    return new Majority(
        differing.isEmpty() ? State.ALIKE : State.DIFFERENT,
        common,
        agree,
        judged,
        List.copyOf(differing));
  }
}
