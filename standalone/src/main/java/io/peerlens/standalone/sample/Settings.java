package io.peerlens.standalone.sample;

import io.peerlens.standalone.sample.Inventory.Host;
import io.peerlens.standalone.sample.Inventory.Vm;
import java.util.Arrays;

/**
 * Settings of machines and hosts that somebody changes now and then, at one moment, and those in
 * which one differs from its peers all the time.
 */
final class Settings {

  static final int UNLIMITED = -1;

  /** Operations a second that a limited disk may do. */
  static final int IOPS_LIMIT = 100;

  /** Operations a second of 32 KB that the storage policies of search data in vSAN allow. */
  static final int POLICY_LIMIT = 600;

  static final int LOW_POLICY_LIMIT = 40;

  static final int WEIGHT = 100;
  static final int HIGH_WEIGHT = 300;
  static final int QUEUE_DEPTH = 64;
  static final int SHORT_QUEUE_DEPTH = 8;

  /** Batch workers may take this share of their processors, so that their neighbours get on. */
  private static final double CPU_LIMIT = 0.8;

  /** The host that was set up by hand: the fourth of the second cluster. */
  private static final int BY_HAND = 3;

  private final boolean[] off;
  private final int[] weight;
  private final int[] cpuLimit;
  private final int[] iopsLimit;
  private final int[] policyLimit;
  private final int[] queueDepth;
  private final Host[] host;

  /** What is configured at a moment, in seconds since 1970. */
  Settings(Inventory inventory, Script script, long time) {
    int machines = inventory.vms.size();
    off = new boolean[machines];
    weight = new int[machines];
    cpuLimit = new int[machines];
    iopsLimit = new int[machines];
    policyLimit = new int[machines];
    queueDepth = new int[inventory.hosts.size()];
    host = script.placement(time);
    Arrays.fill(queueDepth, QUEUE_DEPTH);
    for (Vm vm : inventory.vms) {
      weight[vm.index()] = isBalanced(vm) ? WEIGHT : 0;
      cpuLimit[vm.index()] = isLimited(vm) ? cpuLimit(vm) : UNLIMITED;
      iopsLimit[vm.index()] = UNLIMITED;
      policyLimit[vm.index()] = Vsan.hasPolicyLimit(inventory, vm) ? POLICY_LIMIT : UNLIMITED;
    }
    for (Script.Event event : script.causesAt(time)) {
      for (Vm vm : event.vms()) {
        switch (event.kind()) {
          case OVERLOADED_PEER -> weight[vm.index()] = HIGH_WEIGHT;
          case NOISY_NEIGHBOUR -> cpuLimit[vm.index()] = UNLIMITED;
          case LIMITED_DISK -> iopsLimit[vm.index()] = IOPS_LIMIT;
          case SILENT -> off[vm.index()] = true;
          case POLICY_LIMIT -> policyLimit[vm.index()] = LOW_POLICY_LIMIT;
          case HOST_OUT_OF_MEMORY,
              SHORT_QUEUE,
              FULL_BUFFER,
              DROPPED_PACKETS,
              SLOW_DISK,
              DATASTORE_HOG,
              GUEST_ONLY -> {}
        }
      }
      if (event.kind() == Script.Kind.SHORT_QUEUE) {
        queueDepth[event.host().index()] = SHORT_QUEUE_DEPTH;
      }
    }
  }

  /**
   * Settings of a machine.
   *
   * @param weight its weight in the load balancer; 0 = it is behind none
   * @param cpuLimit in MHz, or {@link #UNLIMITED}
   * @param iopsLimit of its disk, or {@link #UNLIMITED}
   * @param policyLimit of the storage policy of its disk, or {@link #UNLIMITED}
   */
  record OfMachine(
      Host host, boolean on, int weight, int cpuLimit, int iopsLimit, int policyLimit) {}

  OfMachine of(Vm vm) {
    int v = vm.index();
    return new OfMachine(host[v], !off[v], weight[v], cpuLimit[v], iopsLimit[v], policyLimit[v]);
  }

  /** How many operations the devices of a host take at once. */
  int queueDepth(Host of) {
    return queueDepth[of.index()];
  }

  /** What the load balancer notes in a machine's annotation. */
  static String weight(int weight) {
    return weight == 0 ? "" : "Load balancer weight " + weight;
  }

  private static boolean isBalanced(Vm vm) {
    return vm.tier().app().equals("shop") && vm.tier().tier().equals("web");
  }

  /** Whether a machine's CPU is limited as a rule. */
  static boolean isLimited(Vm vm) {
    return vm.tier().app().equals("batch");
  }

  /** The limit of a machine that is limited, in MHz. */
  static int cpuLimit(Vm vm) {
    return (int) (vm.capacityMhz() * CPU_LIMIT);
  }

  /**
   * Virtual processors of a socket. The fifth batch worker has them all in one, so its guest does
   * not see that they lie on two NUMA nodes.
   */
  static int coresPerSocket(Vm vm) {
    int cpus = vm.tier().cpus();
    return cpus <= Inventory.CORES_PER_SOCKET || vm.name().equals("batch-worker-05")
        ? cpus
        : cpus / 2;
  }

  static String multipathPolicy(Host host) {
    return isByHand(host) ? "VMW_PSP_FIXED" : "VMW_PSP_RR";
  }

  static String timeServer(Host host) {
    return isByHand(host) ? "time.old.example" : "time.corp.example";
  }

  private static boolean isByHand(Host host) {
    return host.cluster().index() == 1 && host.cluster().hosts().indexOf(host) == BY_HAND;
  }
}
