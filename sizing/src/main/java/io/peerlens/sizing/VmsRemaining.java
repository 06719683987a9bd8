package io.peerlens.sizing;

import io.peerlens.sizing.Amounts.Supply;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;

/**
 * Number of machines that still fit into a cluster.
 *
 * <p>A mean machine misleads: where a few are large, the next ones may be. Machines are therefore
 * drawn from the present ones (seeded bootstrap) until a supply ends, many times over.
 *
 * @param value so many fit with 95 % certainty; {@link #MOST} = that many or more
 * @param typical so many fit in half of the draws
 * @param most so many fit in 5 % of the draws: with value the 90 % interval
 * @param alone for each supply that is judged: so many fit with 95 % certainty if it were the only
 *     one
 * @param endsFirst the supply that ended first in most draws
 * @param endsFirstShare in this share of them
 * @param reason in one sentence
 */
public record VmsRemaining(
    int value,
    int typical,
    int most,
    Map<Supply, Integer> alone,
    Supply endsFirst,
    double endsFirstShare,
    String reason) {

  /** More are not counted. */
  public static final int MOST = 5000;

  /** Machines that a distribution needs. */
  public static final int FEWEST_VMS = 5;

  private static final double KNOWN = 0.8;
  private static final int DRAWS = 1000;

  /** A result keeps its own map. */
  public VmsRemaining {
    alone = Map.copyOf(alone);
  }

  /**
   * Counts the machines that fit.
   *
   * @param used load when the cluster is busy, see {@link BusyTime}
   * @param vms what each present machine adds to it; a supply is judged if the cluster and 80 % of
   *     the machines know it
   */
  public static Answer<VmsRemaining> of(
      Cluster cluster, Amounts used, List<Amounts> vms, long seed) {
    return of(cluster, used, vms, seed, true);
  }

  /**
   * The same machines are drawn whether or not each supply is judged alone, so that a forecast
   * begins with what fits today.
   *
   * @param each whether it is said how many fit if a supply were the only one; without, {@code
   *     alone} is empty
   */
  static Answer<VmsRemaining> of(
      Cluster cluster, Amounts used, List<Amounts> vms, long seed, boolean each) {
    List<Supply> judged = new ArrayList<>();
    for (Supply supply : Supply.values()) {
      long known = vms.stream().filter(vm -> !Double.isNaN(vm.of(supply))).count();
      if (!Double.isNaN(cluster.usable(supply) - used.of(supply))
          && known > 0
          && known >= KNOWN * vms.size()) {
        judged.add(supply);
      }
    }
    double[][] present =
        vms.stream()
            .map(vm -> judged.stream().mapToDouble(vm::of).toArray())
            .filter(vm -> !Double.isNaN(Arrays.stream(vm).sum()))
            .toArray(double[][]::new);
    if (judged.isEmpty() || present.length < FEWEST_VMS) {
      return new Answer.NotKnown<>(
          judged.isEmpty()
              ? "Of no supply are capacity, load and the machines' demand all known."
              : "There are "
                  + present.length
                  + " machines with values of the "
                  + FEWEST_VMS
                  + " that a distribution needs.");
    }
    double[] free =
        judged.stream().mapToDouble(supply -> cluster.usable(supply) - used.of(supply)).toArray();
    int[][] alone = new int[free.length][DRAWS];
    int[] counts = new int[DRAWS];
    int[] ended = new int[free.length];
    SplittableRandom random = new SplittableRandom(seed);
    for (int draw = 0; draw < DRAWS; draw++) {
      int[] fit = fit(free, present, random.split(), each);
      int first = 0;
      for (int s = 0; s < fit.length; s++) {
        alone[s][draw] = fit[s];
        first = fit[s] < fit[first] ? s : first;
      }
      counts[draw] = fit[first];
      ended[first]++;
    }
    Arrays.sort(counts);
    int first = 0;
    Map<Supply, Integer> values = new EnumMap<>(Supply.class);
    for (int s = 0; s < ended.length; s++) {
      first = ended[s] > ended[first] ? s : first;
      if (each) {
        Arrays.sort(alone[s]);
        values.put(judged.get(s), certain(alone[s]));
      }
    }
    int value = certain(counts);
    int most = counts[(int) (0.95 * (DRAWS - 1))];
    double share = ended[first] / (double) DRAWS;
    return new Answer.Known<>(
        new VmsRemaining(
            value,
            counts[DRAWS / 2],
            most,
            values,
            judged.get(first),
            share,
            reason(value, most, judged.get(first), share, judged)));
  }

  /** The count that at least 95 % of the draws reach. */
  private static int certain(int[] sorted) {
    return sorted[(int) (0.05 * sorted.length)];
  }

  /**
   * How many of one row of drawn machines each supply holds; at most {@link #MOST}.
   *
   * @param all whether to go on after the first supply has ended; without, the others are at most
   */
  private static int[] fit(
      double[] free, double[][] present, SplittableRandom random, boolean all) {
    double[] left = free.clone();
    int[] fit = new int[free.length];
    boolean[] over = new boolean[free.length];
    int open = free.length;
    for (int count = 0; count < MOST && (all ? open > 0 : open == free.length); count++) {
      double[] vm = present[random.nextInt(present.length)];
      for (int s = 0; s < left.length; s++) {
        left[s] -= vm[s];
        if (!over[s] && left[s] < 0) {
          over[s] = true;
          open--;
          fit[s] = count;
        }
      }
    }
    for (int s = 0; s < fit.length; s++) {
      fit[s] = over[s] ? fit[s] : MOST;
    }
    return fit;
  }

  private static String reason(
      int value, int most, Supply first, double share, List<Supply> judged) {
    String others =
        judged.size() == Supply.values().length
            ? ""
            : "; not known, and not judged: "
                + String.join(
                    ", ",
                    Arrays.stream(Supply.values())
                        .filter(supply -> !judged.contains(supply))
                        .map(supply -> supply.words)
                        .toList());
    if (most == 0) {
      return "No further machine like the present ones fits: %s has nothing left%s."
          .formatted(first.words, others);
    }
    return (value >= MOST ? MOST + " or more machines" : Say.count(value, "machine"))
        + " like the present ones fit with 95 % certainty (up to "
        + most
        + "), then "
        + first.words
        + " ends first in "
        + Say.percent(share)
        + " of the draws"
        + others
        + ".";
  }
}
