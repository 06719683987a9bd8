package io.peerlens.profile;

import io.peerlens.profile.LoadProfile.Share;
import io.peerlens.profile.LoadProfile.Shares;

/** Sizes of machines, added up, as far as they are known. */
final class Sizes {

  private static final int VCPUS = 0;
  private static final int MEMORY = 1;
  private static final int DISK = 2;

  private final double[] sums = new double[3];
  private final int[] known = new int[3];
  private int machines;

  void clear() {
    machines = 0;
    for (int i = 0; i < sums.length; i++) {
      sums[i] = 0;
      known[i] = 0;
    }
  }

  void add(Machine machine) {
    machines++;
    add(VCPUS, machine.vcpus());
    add(MEMORY, machine.memoryGb());
    add(DISK, machine.diskGb());
  }

  private void add(int what, double value) {
    if (!Double.isNaN(value)) {
      sums[what] += value;
      known[what]++;
    }
  }

  int machines() {
    return machines;
  }

  Shares shares(Distribution iops) {
    return new Shares(
        share(iops, machines, machines),
        share(iops, sums[VCPUS], known[VCPUS]),
        share(iops, sums[MEMORY], known[MEMORY]),
        share(iops, sums[DISK], known[DISK]));
  }

  private Share share(Distribution iops, double sum, int knownOf) {
    double all = knownOf == 0 ? Double.NaN : sum * machines / knownOf;
    return new Share(iops.mean() / all, iops.p95() / all, iops.peak() / all, knownOf);
  }
}
