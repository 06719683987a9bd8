package io.peerlens.sizing;

import io.peerlens.sizing.Amounts.Supply;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Capacity of a cluster.
 *
 * @param hosts what each brings; disk and IOPS only where they are its own, as with vSAN, else 0
 * @param shared what they share, as disk space and IOPS of an array; 0 = nothing, NaN = not known
 * @param hostFailures hosts that may fail without harm: so many of the largest are not counted
 * @param reserve shares of each supply that stay free: 0.1 CPU = {@code cpuMhz} 0.1
 */
public record Cluster(List<Amounts> hosts, Amounts shared, int hostFailures, Amounts reserve) {

  /** Hosts at most (vSphere 8 allows 96 in a cluster; scenarios may add some). */
  public static final int MOST_HOSTS = 1000;

  /**
   * A cluster.
   *
   * @throws IllegalArgumentException there are too many hosts, or a reserve is not within 0 to 1
   */
  public Cluster {
    hosts = List.copyOf(hosts);
    if (hosts.size() > MOST_HOSTS || hostFailures < 0) {
      throw new IllegalArgumentException(
          hosts.size() + " hosts of which " + hostFailures + " may fail are no cluster.");
    }
    for (Supply supply : Supply.values()) {
      if (!(reserve.of(supply) >= 0 && reserve.of(supply) < 1)) {
        throw new IllegalArgumentException(
            "The reserve of "
                + supply.words
                + " is "
                + reserve.of(supply)
                + ". Use a share: 0.1 for 10 %.");
      }
    }
  }

  /** What may be used of a supply: without the largest hosts and the reserve; NaN = not known. */
  public double usable(Supply supply) {
    double[] each = hosts.stream().mapToDouble(host -> host.of(supply)).sorted().toArray();
    double sum = 0;
    // NaN sorts last; the sum has to know every host.
    for (int h = 0; h < each.length; h++) {
      sum += h < each.length - hostFailures || Double.isNaN(each[h]) ? each[h] : 0;
    }
    return (sum + shared.of(supply)) * (1 - reserve.of(supply));
  }

  /**
   * Shares that remain, in the order of {@link Supply}; 0 = used up, NaN = not known.
   *
   * @param used load when the cluster is busy
   */
  public double[] remaining(Amounts used) {
    return Arrays.stream(Supply.values())
        .mapToDouble(
            supply -> {
              double usable = usable(supply);
              double free = usable - used.of(supply);
              return Double.isNaN(free) ? Double.NaN : usable <= 0 ? 0 : Math.max(0, free / usable);
            })
        .toArray();
  }

  /** With more hosts of one kind. */
  Cluster plus(Amounts host, int count) {
    List<Amounts> more = new ArrayList<>(hosts);
    for (int i = 0; i < count && more.size() <= MOST_HOSTS; i++) {
      more.add(host);
    }
    return new Cluster(more, shared, hostFailures, reserve);
  }

  /** Without so many of its largest hosts by CPU; these may be what may fail. */
  Cluster minusLargest(int count, boolean failed) {
    List<Amounts> left = new ArrayList<>(hosts);
    left.sort(java.util.Comparator.comparingDouble(Amounts::cpuMhz));
    int gone = Math.min(count, left.size());
    return new Cluster(
        left.subList(0, left.size() - gone),
        shared,
        failed ? Math.max(0, hostFailures - gone) : hostFailures,
        reserve);
  }
}
