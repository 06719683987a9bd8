package io.peerlens.standalone.sample;

import io.peerlens.standalone.sample.Inventory.Datastore;
import io.peerlens.standalone.sample.Inventory.Vm;

/**
 * Space on datastores, and what each machine has of it. Everything grows slowly; what a datastore
 * holds is what its machines wrote, and a little of its own.
 */
final class Space {

  private static final double DAY = 86_400;
  private static final double FULLEST = 0.98;

  /** Disks are thin: they may grow to half as much again as they held at the first start. */
  private static final double PROMISED = 1.5;

  private static final double OF_MACHINES = 0.96;
  private static final double KB_PER_STEP = 10.0 * 1024 * 1024; // disks are made in steps of 10 GB

  private final long firstStart;
  private final double[] weights;

  Space(Inventory inventory, long firstStart) {
    this.firstStart = firstStart;
    weights = new double[inventory.datastores.size()];
    for (Vm vm : inventory.vms) {
      weights[vm.datastore().index()] += weight(vm);
    }
  }

  /** In use, in KB. */
  double usedKb(Datastore datastore, long time) {
    double days = (time - firstStart) / DAY;
    double used =
        Noise.between(datastore.seed(), 41, 0.45, 0.72)
            + Noise.between(datastore.seed(), 42, 0.0004, 0.0022) * days;
    return datastore.capacityKb() * Math.clamp(used, 0, FULLEST);
  }

  /** What all disks may grow to, in KB. */
  double provisionedKb(Datastore datastore, long time) {
    return Math.min(usedKb(datastore, time) * PROMISED, datastore.capacityKb() * 1.8);
  }

  /** Size of a machine's disk, in KB. */
  long diskKb(Vm vm) {
    double kilobytes = share(vm) * usedKb(vm.datastore(), firstStart) * PROMISED;
    return (long) (Math.ceil(kilobytes / KB_PER_STEP) * KB_PER_STEP);
  }

  /** What a machine's disk takes, in KB. */
  long writtenKb(Vm vm, long time) {
    return (long) Math.min(share(vm) * usedKb(vm.datastore(), time), diskKb(vm) * FULLEST);
  }

  private double share(Vm vm) {
    return OF_MACHINES * weight(vm) / weights[vm.datastore().index()];
  }

  private static double weight(Vm vm) {
    return switch (vm.tier().tier()) {
      case "db" -> 10;
      case "data" -> 8;
      case "server" -> 16;
      case "worker" -> 4;
      case "vdi" -> 2;
      default -> 1.5;
    };
  }
}
