package io.peerlens.planning;

import io.peerlens.profile.Distribution;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * Machines that a load profile was made of, and which of them each group has. Columns have a place
 * for each machine.
 *
 * @param machines internal ids
 * @param mean of operations a second of each; NaN = not known
 * @param p50 median of the same
 * @param p95 95th percentile of the same
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record LoadProfileMembers(
    int[] machines, double[] mean, double[] p50, double[] p95, List<Group> groups) {

  /**
   * A group.
   *
   * @param objects internal ids of what it is of: the clusters, hosts or the machine of this name,
   *     or what all machines are below; empty = it is of no object
   * @param places of its machines
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  record Group(String name, int[] objects, int[] places) {}

  Optional<Group> group(String name) {
    return groups.stream().filter(it -> it.name().equals(name)).findFirst();
  }

  /** Internal ids of the machines of a group. */
  int[] ids(Group group) {
    return IntStream.of(group.places()).map(it -> machines[it]).toArray();
  }

  /** Whether a machine is in a group. */
  boolean holds(Group group, int machine) {
    return IntStream.of(group.places()).anyMatch(it -> machines[it] == machine);
  }

  /** A column of the machines of a group. */
  double[] column(Group group, Distribution.At at) {
    double[] column =
        switch (at) {
          case MEAN -> mean;
          case P50 -> p50;
          case P95 -> p95;
          case P99, PEAK -> throw new IllegalArgumentException(at + " of machines is not kept");
        };
    return IntStream.of(group.places()).mapToDouble(it -> column[it]).toArray();
  }

  /** Collects machines in the order of their places. */
  static final class Builder {
    private final int[] machines;
    private final double[] mean;
    private final double[] p50;
    private final double[] p95;
    private int count;

    Builder(int most) {
      machines = new int[most];
      mean = new double[most];
      p50 = new double[most];
      p95 = new double[most];
    }

    void add(int machine, Distribution iops) {
      machines[count] = machine;
      mean[count] = iops.mean();
      p50[count] = iops.p50();
      p95[count++] = iops.p95();
    }

    LoadProfileMembers build(List<Group> groups) {
      return new LoadProfileMembers(
          Arrays.copyOf(machines, count),
          Arrays.copyOf(mean, count),
          Arrays.copyOf(p50, count),
          Arrays.copyOf(p95, count),
          groups);
    }
  }
}
