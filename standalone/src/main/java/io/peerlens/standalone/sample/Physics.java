package io.peerlens.standalone.sample;

import io.peerlens.standalone.sample.Inventory.Datastore;
import io.peerlens.standalone.sample.Inventory.Host;
import io.peerlens.standalone.sample.Inventory.Vm;
import java.util.List;

/**
 * The load of everything at one moment. Machines want; their host gives what it has. What a host
 * reports is the sum of its machines and its own overhead, what a cluster reports the sum of its
 * hosts, so the figures agree with each other as they do in a real datacentre.
 */
final class Physics {

  static final double HOST_MHZ = (double) Inventory.CORES * Inventory.CORE_MHZ;
  static final double HOST_MEMORY_KB = (double) Inventory.HOST_MEMORY_MB * 1024;
  private static final double HOST_OVERHEAD_MHZ = 700;
  private static final double HOST_OVERHEAD_KB = 4.0 * 1024 * 1024;

  /** What a datastore can move before waiting dominates, in KB/s. */
  private static final double DATASTORE_KBS = 350_000;

  /** Mean size of an operation; search data is read and written in larger ones. */
  static final double KB_PER_READ = 24;

  static final double KB_PER_WRITE = 12;
  private static final double KB_PER_LARGE_READ = 64;
  private static final double KB_PER_LARGE_WRITE = 24;

  /** A limit counts an operation of more than this as several. */
  private static final double NORMAL_KB = 32;

  /** What a machine reads that copies all of its data. */
  private static final double COPY_KBS = 265_000;

  /** What is left of the work of a machine that waits for another one. */
  private static final double WAITING = 0.45;

  /** Ready time that a machine which takes all its processors costs those on its host, in %. */
  private static final double CROWDED_OUT = 7;

  /** What an operation waits for when far more are wanted than a limit allows. */
  private static final double LIMIT_MS = 70;

  /** What an operation waits for in a short queue, and the operations a second that fill it. */
  private static final double QUEUE_MS = 22;

  private static final double QUEUE_FULL = 600;

  /** Operations a second of a machine from which on it feels the whole wait. */
  private static final double QUEUE_NOTICED = 40;

  private final Inventory inventory;
  private final Script script;
  private final long seed;

  Physics(Inventory inventory, Script script, long seed) {
    this.inventory = inventory;
    this.script = script;
    this.seed = seed;
  }

  /** Values of all objects at one moment; arrays are by the index of the object. */
  static final class Moment {
    final long time;
    final Host[] host;
    final boolean[] silent;
    final double[] demandMhz;
    final double[] usageMhz;
    final double[] readyPercent;
    final double[] activeKb;
    final double[] consumedKb;
    final double[] balloonKb;
    final double[] swappedKb;
    final double[] swapRateKbs;
    final double[] receivedKbs;
    final double[] sentKbs;
    final double[] readKbs;
    final double[] writeKbs;
    final double[] latencyMs;

    /** Operations a second that a machine's disk may do, in 32 KB; 0 = any number. */
    final int[] iopsLimit;

    /** Operations a second that it asks for, in 32 KB. */
    final double[] askedIops;

    /** Percent of its processors that go into what needs neither disk nor network. */
    final double[] spinPercent;

    /** What it copies besides its work. */
    final double[] copyKbs;

    final double[] hostDemandMhz;
    final double[] hostUsageMhz;
    final double[] hostConsumedKb;
    final double[] hostActiveKb;
    final double[] hostGrantedKb;
    final double[] hostBalloonKb;
    final double[] hostSwappedKb;
    final double[] hostSwapRateKbs;
    final double[] hostReceivedKbs;
    final double[] hostSentKbs;
    final double[] hostReadKbs;
    final double[] hostWriteKbs;
    final int[] hostVms;

    /** Whether the devices of a host have short queues, and how long operations wait in them. */
    final boolean[] shortQueue;

    /** Whether another machine on the host takes the processors. */
    final boolean[] crowdedOut;

    final double[] hostQueueMs;

    final double[] datastoreReadKbs;
    final double[] datastoreWriteKbs;
    final double[] datastoreLatencyMs;

    /** Read and write of each host on each datastore, in KB/s: host index times datastores. */
    final double[] hostDatastoreReadKbs;

    final double[] hostDatastoreWriteKbs;

    /** Operations a second of each host on each datastore. */
    final double[] hostDatastoreReads;

    final double[] hostDatastoreWrites;

    private Moment(long time, Host[] host, int hosts, int datastores) {
      this.time = time;
      this.host = host;
      int n = host.length;
      silent = new boolean[n];
      demandMhz = new double[n];
      usageMhz = new double[n];
      readyPercent = new double[n];
      activeKb = new double[n];
      consumedKb = new double[n];
      balloonKb = new double[n];
      swappedKb = new double[n];
      swapRateKbs = new double[n];
      receivedKbs = new double[n];
      sentKbs = new double[n];
      readKbs = new double[n];
      writeKbs = new double[n];
      latencyMs = new double[n];
      iopsLimit = new int[n];
      askedIops = new double[n];
      spinPercent = new double[n];
      copyKbs = new double[n];
      hostDemandMhz = new double[hosts];
      hostUsageMhz = new double[hosts];
      hostConsumedKb = new double[hosts];
      hostActiveKb = new double[hosts];
      hostGrantedKb = new double[hosts];
      hostBalloonKb = new double[hosts];
      hostSwappedKb = new double[hosts];
      hostSwapRateKbs = new double[hosts];
      hostReceivedKbs = new double[hosts];
      hostSentKbs = new double[hosts];
      hostReadKbs = new double[hosts];
      hostWriteKbs = new double[hosts];
      hostVms = new int[hosts];
      shortQueue = new boolean[hosts];
      crowdedOut = new boolean[n];
      hostQueueMs = new double[hosts];
      datastoreReadKbs = new double[datastores];
      datastoreWriteKbs = new double[datastores];
      datastoreLatencyMs = new double[datastores];
      hostDatastoreReadKbs = new double[hosts * datastores];
      hostDatastoreWriteKbs = new double[hosts * datastores];
      hostDatastoreReads = new double[hosts * datastores];
      hostDatastoreWrites = new double[hosts * datastores];
    }
  }

  /**
   * Computes a moment.
   *
   * @param time in seconds since 1970
   */
  Moment at(long time) {
    Moment m =
        new Moment(
            time, script.placement(time), inventory.hosts.size(), inventory.datastores.size());
    wishes(m);
    cpu(m);
    memory(m);
    work(m);
    return m;
  }

  /** The share of its memory that a machine has touched: a little different each day. */
  static double consumedShare(Vm vm, long time) {
    double share =
        0.5 + 0.42 * vm.tier().memoryActive() + 0.08 * (Noise.uniform(vm.seed(), 21) - 0.5);
    return Math.clamp(share + 0.03 * Noise.slow(vm.seed() + 500, time), 0.2, 1);
  }

  private void wishes(Moment m) {
    double[] share = new double[Tier.ALL.size()];
    for (int i = 0; i < share.length; i++) {
      // What all peers of a tier feel alike.
      share[i] =
          Tier.ALL.get(i).rhythm().at(m.time)
              * Math.max(0.2, 1 + 0.09 * Noise.at(Noise.hash(seed, 40_000 + i), m.time));
    }
    List<Script.Event> events = script.at(m.time);
    for (Script.Event event : events) {
      if (event.kind() == Script.Kind.SHORT_QUEUE) {
        m.shortQueue[event.host().index()] = true;
      }
      if (event.kind() == Script.Kind.NOISY_NEIGHBOUR) {
        for (Vm vm : inventory.vms) {
          m.crowdedOut[vm.index()] =
              m.host[vm.index()].equals(event.host()) && !event.vms().contains(vm);
        }
      }
    }
    for (Vm vm : inventory.vms) {
      Tier tier = vm.tier();
      double load = share[Tier.ALL.indexOf(tier)];
      double own =
          vm.scale()
              * Math.max(0.1, 1 + (0.07 + tier.spread() * 0.6) * Noise.at(vm.seed(), m.time));
      double work = tier.peakCpu() * load * own;
      if (tier.app().equals("ci") || tier.app().equals("desktop")) {
        work *= session(vm, load, m.time);
      }
      double percent = tier.idleCpu() * (1 + 0.1 * Noise.at(vm.seed() + 100, m.time)) + work;
      if (Vsan.hasPolicyLimit(inventory, vm)) {
        m.iopsLimit[vm.index()] = Settings.POLICY_LIMIT;
      }
      if (events.stream().anyMatch(event -> event.waiting().contains(vm))) {
        percent *= WAITING;
      }
      for (Script.Event event : events) {
        if (!event.vms().contains(vm)) {
          continue;
        }
        switch (event.kind()) {
          case OVERLOADED_PEER -> percent *= 3;
          case NOISY_NEIGHBOUR ->
              percent = Math.max(percent, 96 + 2 * Noise.at(vm.seed() + 200, m.time));
          case SILENT -> m.silent[vm.index()] = true;
          case LIMITED_DISK -> m.iopsLimit[vm.index()] = Settings.IOPS_LIMIT;
          case POLICY_LIMIT -> m.iopsLimit[vm.index()] = Settings.LOW_POLICY_LIMIT;
          case DATASTORE_HOG ->
              m.copyKbs[vm.index()] = COPY_KBS * (1 + 0.04 * Noise.at(vm.seed() + 250, m.time));
          case GUEST_ONLY -> {
            double all = 97.5 + 0.5 * Noise.at(vm.seed() + 260, m.time);
            m.spinPercent[vm.index()] = Math.max(0, all - percent);
            percent = all;
          }
          // These act through the placement, the host and the disks of vSAN.
          case HOST_OUT_OF_MEMORY, SHORT_QUEUE, FULL_BUFFER, DROPPED_PACKETS, SLOW_DISK -> {}
        }
      }
      if (Settings.isLimited(vm) && !isUnlimited(vm, events)) {
        percent = Math.min(percent, 100.0 * Settings.cpuLimit(vm) / vm.capacityMhz());
      }
      if (!m.silent[vm.index()]) {
        m.demandMhz[vm.index()] = Math.clamp(percent, 0.3, 98.5) / 100 * vm.capacityMhz();
      }
    }
  }

  private static boolean isUnlimited(Vm vm, List<Script.Event> events) {
    return events.stream()
        .anyMatch(event -> event.kind() == Script.Kind.NOISY_NEIGHBOUR && event.vms().contains(vm));
  }

  /** Builds and people come and go: busy or idle for a quarter of an hour at a time. */
  private static double session(Vm vm, double load, long time) {
    long slot = Math.floorDiv(time + (vm.seed() & 511), 900L);
    boolean busy = Noise.uniform(vm.seed() + 300, slot) < 0.15 + 0.7 * load;
    return busy ? Noise.between(vm.seed() + 301, slot, 0.7, 1.5) : 0.1;
  }

  private void cpu(Moment m) {
    for (Vm vm : inventory.vms) {
      int h = m.host[vm.index()].index();
      m.hostDemandMhz[h] += m.demandMhz[vm.index()] * 1.015;
      m.hostVms[h] += m.silent[vm.index()] ? 0 : 1;
    }
    double[] factor = new double[m.hostDemandMhz.length];
    for (int h = 0; h < factor.length; h++) {
      m.hostDemandMhz[h] += HOST_OVERHEAD_MHZ;
      factor[h] = Math.min(1, 0.975 * HOST_MHZ / m.hostDemandMhz[h]);
      m.hostUsageMhz[h] = HOST_OVERHEAD_MHZ * factor[h];
    }
    for (Vm vm : inventory.vms) {
      int v = vm.index();
      if (m.silent[v]) {
        continue;
      }
      int h = m.host[v].index();
      double utilization = m.hostDemandMhz[h] / HOST_MHZ;
      double crowd = Math.max(0, utilization - 0.6);
      double jitter = Math.max(0.3, 1 + 0.25 * Noise.at(vm.seed() + 400, m.time));
      m.usageMhz[v] = m.demandMhz[v] * factor[h];
      m.readyPercent[v] =
          Math.min(
              95,
              (0.08
                      + 0.03 * vm.tier().cpus() * utilization
                      + 12 * crowd * crowd
                      + (m.crowdedOut[v] ? CROWDED_OUT : 0)
                      + 90 * (1 - factor[h]))
                  * jitter);
      m.hostUsageMhz[h] += m.usageMhz[v] * 1.015;
    }
  }

  private void memory(Moment m) {
    for (Vm vm : inventory.vms) {
      int v = vm.index();
      if (m.silent[v]) {
        continue;
      }
      int h = m.host[v].index();
      double busy = m.demandMhz[v] / vm.capacityMhz();
      double consumed = consumedShare(vm, m.time) * vm.memoryKb();
      m.consumedKb[v] = consumed;
      m.activeKb[v] =
          Math.min(
              consumed,
              vm.memoryKb()
                  * Math.max(
                      0.02,
                      vm.tier().memoryActive()
                          * (0.35 + 0.9 * busy)
                          * (1 + 0.06 * Noise.at(vm.seed() + 600, m.time))));
      m.hostConsumedKb[h] += consumed;
      m.hostGrantedKb[h] += vm.memoryKb() * 0.98;
      m.hostActiveKb[h] += m.activeKb[v];
    }
    double[] excess = new double[m.hostConsumedKb.length];
    for (int h = 0; h < excess.length; h++) {
      m.hostConsumedKb[h] += HOST_OVERHEAD_KB + 0.012 * m.hostGrantedKb[h];
      excess[h] = Math.max(0, m.hostConsumedKb[h] - 0.96 * HOST_MEMORY_KB);
    }
    for (Vm vm : inventory.vms) {
      int v = vm.index();
      int h = m.host[v].index();
      if (m.silent[v] || excess[h] == 0) {
        continue;
      }
      // The host takes back from everyone: two thirds by the balloon, the rest to the swap file.
      double taken =
          Math.min(m.consumedKb[v] * 0.6, excess[h] * m.consumedKb[v] / m.hostConsumedKb[h] * 1.05);
      m.balloonKb[v] = taken * 0.65;
      m.swappedKb[v] = taken * 0.35;
      m.swapRateKbs[v] =
          m.swappedKb[v] / 900 * Math.max(0.1, 1 + 0.5 * Noise.at(vm.seed() + 700, m.time));
      m.consumedKb[v] -= taken;
      m.hostConsumedKb[h] -= taken;
      m.hostBalloonKb[h] += m.balloonKb[v];
      m.hostSwappedKb[h] += m.swappedKb[v];
      m.hostSwapRateKbs[h] += m.swapRateKbs[v];
    }
  }

  /** Network and storage follow the work that was done. */
  private void work(Moment m) {
    int datastores = inventory.datastores.size();
    for (Vm vm : inventory.vms) {
      int v = vm.index();
      if (m.silent[v]) {
        continue;
      }
      Tier tier = vm.tier();
      int h = m.host[v].index();
      int d = vm.datastore().index();
      double percentOfOne =
          Math.max(0, m.usageMhz[v] / Inventory.CORE_MHZ * 100 - m.spinPercent[v] * tier.cpus());
      m.receivedKbs[v] =
          percentOfOne
              * tier.netPerCpu()
              * Math.max(0.2, 1 + 0.1 * Noise.at(vm.seed() + 800, m.time));
      m.sentKbs[v] =
          m.receivedKbs[v]
              * tier.answerRatio()
              * Math.max(0.2, 1 + 0.08 * Noise.at(vm.seed() + 850, m.time));
      m.readKbs[v] =
          percentOfOne
                  * tier.readPerCpu()
                  * Math.max(0.05, 1 + 0.35 * Noise.at(vm.seed() + 900, m.time))
              + m.copyKbs[v];
      m.writeKbs[v] =
          percentOfOne
              * tier.writePerCpu()
              * Math.max(0.05, 1 + 0.25 * Noise.at(vm.seed() + 950, m.time));
      m.latencyMs[v] = limited(m, vm);
      m.hostReceivedKbs[h] += m.receivedKbs[v];
      m.hostSentKbs[h] += m.sentKbs[v];
      // What is swapped the host moves: the machine's disk does not count it.
      m.hostReadKbs[h] += m.readKbs[v] + m.swapRateKbs[v];
      m.hostWriteKbs[h] += m.writeKbs[v] + m.swapRateKbs[v];
      m.hostDatastoreReadKbs[h * datastores + d] += m.readKbs[v];
      m.hostDatastoreWriteKbs[h * datastores + d] += m.writeKbs[v];
      m.hostDatastoreReads[h * datastores + d] += reads(vm, m.readKbs[v]);
      m.hostDatastoreWrites[h * datastores + d] += writes(vm, m.writeKbs[v]);
      m.datastoreReadKbs[d] += m.readKbs[v];
      m.datastoreWriteKbs[d] += m.writeKbs[v];
    }
    for (Datastore datastore : inventory.datastores) {
      int d = datastore.index();
      double busy =
          Math.min(0.95, (m.datastoreReadKbs[d] + m.datastoreWriteKbs[d]) / DATASTORE_KBS);
      m.datastoreLatencyMs[d] =
          (0.7 + 4 * busy / (1 - busy))
              * Math.max(0.5, 1 + 0.12 * Noise.at(datastore.seed(), m.time));
    }
    for (Host host : inventory.hosts) {
      int h = host.index();
      if (m.shortQueue[h]) {
        double operations = operations(m.hostReadKbs[h], m.hostWriteKbs[h]);
        m.hostQueueMs[h] =
            QUEUE_MS
                * (0.6 + 0.4 * Math.min(1, operations / QUEUE_FULL))
                * Math.max(0.8, 1 + 0.06 * Noise.at(host.seed() + 60, m.time));
      }
    }
    for (Vm vm : inventory.vms) {
      int v = vm.index();
      if (!m.silent[v]) {
        // Whoever asks for much at once waits for the queue, a few operations find it empty.
        double share = Math.min(1, operations(m.readKbs[v], m.writeKbs[v]) / QUEUE_NOTICED);
        m.latencyMs[v] +=
            m.datastoreLatencyMs[vm.datastore().index()]
                    * Math.max(0.4, 1 + 0.15 * Noise.at(vm.seed() + 1000, m.time))
                + m.swapRateKbs[v] / 200
                + m.hostQueueMs[m.host[v].index()] * share;
      }
    }
  }

  /** Operations a second, of the usual size. */
  private static double operations(double readKbs, double writeKbs) {
    return readKbs / KB_PER_READ + writeKbs / KB_PER_WRITE;
  }

  /** Reads a second of a machine. */
  static double reads(Vm vm, double readKbs) {
    return readKbs / (hasLargeOperations(vm) ? KB_PER_LARGE_READ : KB_PER_READ);
  }

  /** Writes a second of a machine. */
  static double writes(Vm vm, double writeKbs) {
    return writeKbs / (hasLargeOperations(vm) ? KB_PER_LARGE_WRITE : KB_PER_WRITE);
  }

  private static boolean hasLargeOperations(Vm vm) {
    return vm.tier().app().equals("search") && vm.tier().tier().equals("data");
  }

  /** Operations a second as a limit counts them: each begun 32 KB is one. */
  static double counted(Vm vm, double readKbs, double writeKbs) {
    boolean large = hasLargeOperations(vm);
    return reads(vm, readKbs) * Math.ceil((large ? KB_PER_LARGE_READ : KB_PER_READ) / NORMAL_KB)
        + writes(vm, writeKbs) * Math.ceil((large ? KB_PER_LARGE_WRITE : KB_PER_WRITE) / NORMAL_KB);
  }

  /**
   * Holds a machine to the limit of its disk; gives how long its operations wait for that, in ms.
   */
  private static double limited(Moment m, Vm vm) {
    int v = vm.index();
    m.askedIops[v] = counted(vm, m.readKbs[v], m.writeKbs[v]);
    if (m.iopsLimit[v] == 0 || m.askedIops[v] <= m.iopsLimit[v]) {
      return 0;
    }
    double allowed = m.iopsLimit[v] / m.askedIops[v];
    m.readKbs[v] *= allowed;
    m.writeKbs[v] *= allowed;
    return LIMIT_MS * (1 - allowed);
  }
}
