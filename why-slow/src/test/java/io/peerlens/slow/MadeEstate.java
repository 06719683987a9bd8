package io.peerlens.slow;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import java.util.function.IntToDoubleFunction;

/**
 * A cluster that is made up: machines with a daily rhythm, noise that lasts, bursts and nightly
 * jobs, on hosts, on disk groups of vSAN or on datastores of an array. Machine 0 is the one that is
 * asked about. A moment is a day and a step of five minutes; day 0 has the fault.
 */
final class MadeEstate {

  static final int STEPS = 72;
  private static final int STEPS_A_DAY = 288;

  final boolean vsan;
  final int hosts;
  final int machines;

  /** Disk groups, or datastores. */
  final int groups;

  final MadeFault fault;

  /** 0 = mild, 1 = medium, 2 = strong. */
  final int severity;

  /** First step of the fault. */
  final int onset;

  /** The machine that is to blame, for the fault of a neighbour. */
  final int neighbour;

  /** The disk group, datastore or host where the fault is. */
  final int place;

  /** Limit of the disk of machine 0, counted operations a second; 0 = none. */
  double limit;

  private final long seed;
  private final int begin;
  private final double[] baseIops;
  private final double[] rhythm;
  private final int[] store;
  private final double[] baseMhz;
  private final double capacity;
  private final double spare;
  private final double idle;
  private final double hostMhz;
  private final double[] groupBase;
  private final double block;
  private final boolean open;

  /** Loads and latencies of groups, and demands of hosts, by moment: all ask for them. */
  private final Map<Integer, double[]> loads = new HashMap<>();

  private final Map<Integer, double[]> devices = new HashMap<>();
  private final Map<Integer, double[]> demands = new HashMap<>();

  MadeEstate(long seed, MadeFault fault, int severity) {
    this.seed = seed;
    this.fault = fault;
    this.severity = severity;
    Random random = new Random((seed * 31 + fault.ordinal() * 7L + severity) * 0x9E3779B97F4A7C15L);
    vsan =
        fault == MadeFault.FULL_BUFFER
            || fault == MadeFault.DROPPED_PACKETS
            || random.nextBoolean();
    hosts = new int[] {4, 6, 12}[random.nextInt(3)];
    machines = hosts * (5 + random.nextInt(10));
    groups = vsan ? hosts : 2 + random.nextInt(5);
    onset = 40 + random.nextInt(29);
    begin = random.nextInt(STEPS_A_DAY);
    baseIops = new double[machines];
    baseMhz = new double[machines];
    rhythm = new double[machines];
    store = new int[machines];
    double sum = 0;
    for (int i = 0; i < machines; i++) {
      baseIops[i] = 60 * Math.exp(random.nextGaussian());
      baseMhz[i] = 1_200 * Math.exp(0.7 * random.nextGaussian());
      rhythm[i] = random.nextInt(3) == 0 ? 0 : 0.2 + 0.5 * random.nextDouble();
      store[i] = random.nextInt(groups);
      sum += baseMhz[i];
    }
    baseIops[0] = 80 + 200 * random.nextDouble();
    block = new double[] {8, 16, 32, 64}[random.nextInt(4)];
    double iops = 0;
    for (double one : baseIops) {
      iops += one;
    }
    spare = 2.5 + random.nextDouble();
    capacity = iops / (vsan ? 1 : groups) * spare;
    idle = 1.9 + random.nextDouble();
    hostMhz = sum / hosts * idle;
    groupBase = new double[groups];
    for (int g = 0; g < groups; g++) {
      groupBase[g] = (vsan ? 0.5 : 2.5) * (0.8 + 0.4 * random.nextDouble());
    }
    place = fault == MadeFault.SLOW_DISK && !vsan ? store[0] : random.nextInt(groups);
    open = random.nextBoolean();
    neighbour = neighbour(random);
    if (fault == MadeFault.OWN_LIMIT) {
      double usual = baseIops[0] * DiskLimit.weight(block);
      limit = Math.max(20, Math.rint(usual * 1.6 / 10) * 10);
    } else if (random.nextInt(4) == 0) {
      limit = Math.rint(baseIops[0] * DiskLimit.weight(block) * 60); // never reached
    }
  }

  private int neighbour(Random random) {
    for (int tries = 0; tries < 10_000; tries++) {
      int one = 1 + random.nextInt(machines - 1);
      if (fault == MadeFault.NOISY_CPU ? host(one) == host(0) : vsan || store[one] == store[0]) {
        return one;
      }
    }
    store[1] = store[0];
    return 1;
  }

  int host(int machine) {
    return machine % hosts;
  }

  int store(int machine) {
    return store[machine];
  }

  boolean isOn(int day, int step) {
    return day == 0 && step >= onset;
  }

  private double by(double mild, double medium, double strong) {
    return severity == 0 ? mild : severity == 1 ? medium : strong;
  }

  // ---- noise ------------------------------------------------------------------------------------

  private double uniform(long a, long b) {
    long x = seed * 0x9E3779B97F4A7C15L + a * 0xC2B2AE3D27D4EB4FL + b * 0x165667B19E3779F9L;
    x = (x ^ (x >>> 30)) * 0xBF58476D1CE4E5B9L;
    x = (x ^ (x >>> 27)) * 0x94D049BB133111EBL;
    return ((x ^ (x >>> 31)) >>> 11) * 0x1.0p-53;
  }

  private double normal(long a, long b) {
    double sum = 0;
    for (int i = 0; i < 4; i++) {
      sum += uniform(a * 4 + i, b);
    }
    return (sum - 2) * 1.732;
  }

  /** Noise that lasts for some steps: the mean of a slow and a fast part. */
  private double noise(long what, int day, int step) {
    long at = (long) day * STEPS_A_DAY + step + 1_000_000L;
    double part = (at % 6) / 6.0;
    double slow = normal(what, at / 6) * (1 - part) + normal(what, at / 6 + 1) * part;
    return 0.7 * slow + 0.5 * normal(what + 7_777, at);
  }

  // ---- load -------------------------------------------------------------------------------------

  private double day(int machine, int step) {
    double hour = 24.0 * (begin + step) / STEPS_A_DAY;
    return 1 + rhythm[machine] * Math.sin(2 * Math.PI * (hour - 8) / 24);
  }

  /** Operations a second that a machine asks for. */
  double asked(int machine, int day, int step) {
    double asked =
        baseIops[machine] * day(machine, step) * Math.exp(0.15 * noise(100 + machine, day, step));
    if (uniform(machine * 3L + 50_000, (long) day * STEPS_A_DAY + step) < 0.01) {
      asked *= 2; // a burst
    }
    if (isOn(day, step)) {
      if (machine == 0 && fault == MadeFault.OWN_LIMIT) {
        asked *= by(2.0, 2.6, 4);
      } else if (machine == 0 && fault == MadeFault.OWN_IO) {
        asked *= by(3, 6, 12);
      } else if (machine == neighbour && fault == MadeFault.NOISY_STORAGE) {
        // Until the disks are so busy.
        asked += capacity * (by(0.75, 0.84, 0.91) - 1 / spare);
      }
    }
    return asked;
  }

  double block(int day, int step) {
    double larger = fault == MadeFault.LARGER_BLOCKS && isOn(day, step) ? 8 : 1;
    return block * larger * Math.exp(0.05 * noise(30, day, step));
  }

  /** What the limit counts of what is asked for. */
  double counted(int day, int step) {
    double asked = asked(0, day, step) * DiskLimit.weight(block(day, step));
    return limit > 0 && !(open && vsan) ? Math.min(asked, limit) : asked;
  }

  double iops(int machine, int day, int step) {
    double asked = asked(machine, day, step);
    return machine == 0 && limit > 0
        ? Math.min(asked, limit / DiskLimit.weight(block(day, step)))
        : asked;
  }

  /** Counted operations a second that were delayed; of vSAN alone. */
  double delayed(int day, int step) {
    double asked = asked(0, day, step) * DiskLimit.weight(block(day, step));
    return !vsan ? Double.NaN : limit > 0 && asked > limit ? Math.min(asked - limit, limit) : 0;
  }

  private static double[] once(
      Map<Integer, double[]> known, int day, int step, int count, IntToDoubleFunction of) {
    return known.computeIfAbsent(
        day * STEPS + step,
        any -> {
          double[] values = new double[count];
          Arrays.setAll(values, of);
          return values;
        });
  }

  double load(int group, int day, int step) {
    double[] sums = loads.get(day * STEPS + step);
    if (sums == null) {
      sums = new double[groups];
      for (int i = 0; i < machines; i++) {
        sums[vsan ? 0 : store[i]] += iops(i, day, step);
      }
      loads.put(day * STEPS + step, sums);
    }
    return vsan ? sums[0] / groups * (0.9 + 0.2 * uniform(group, 77)) : sums[group];
  }

  double mhz(int machine, int day, int step) {
    double mhz =
        baseMhz[machine] * day(machine, step) * Math.exp(0.12 * noise(900 + machine, day, step));
    if (fault == MadeFault.NOISY_CPU && machine == neighbour && isOn(day, step)) {
      mhz += hostMhz * (by(0.97, 1.05, 1.25) - 1 / idle);
    }
    return mhz;
  }

  /** Share of its MHz that a host is asked for. */
  double hostDemand(int host, int day, int step) {
    return once(demands, day, step, hosts, one -> demand(one, day, step))[host];
  }

  private double demand(int host, int day, int step) {
    double sum = 0;
    for (int i = host; i < machines; i += hosts) {
      sum += mhz(i, day, step);
    }
    return sum / hostMhz;
  }

  double ready(int day, int step) {
    double over = Math.max(0, hostDemand(host(0), day, step) - 0.8);
    return Math.max(0.05, (0.4 + 60 * over) * Math.exp(0.25 * noise(31, day, step)));
  }

  double cpu(int day, int step) {
    double cpu = 100 * Math.min(0.7, mhz(0, day, step) / baseMhz[0] * 0.35);
    return fault == MadeFault.BUSY_CPU && isOn(day, step)
        ? by(95, 97, 99.5) + 0.3 * noise(32, day, step)
        : cpu;
  }

  // ---- storage ----------------------------------------------------------------------------------

  private double use(int group, int day, int step) {
    return Math.min(0.93, load(group, day, step) / (vsan ? capacity / groups : capacity));
  }

  /** Latency of a disk group or datastore, in ms. */
  double device(int group, int day, int step) {
    return once(devices, day, step, groups, one -> deviceOf(one, day, step))[group];
  }

  private double deviceOf(int group, int day, int step) {
    double latency =
        groupBase[group]
            * (1 + use(group, day, step) / (1 - use(group, day, step)))
            * Math.exp(0.12 * noise(5_000 + group, day, step));
    if (fault == MadeFault.SLOW_DISK && group == place && isOn(day, step)) {
      latency += (vsan ? 3 : 1.5) * by(4, 10, 40) * (1 + 0.1 * noise(5_500, day, step));
    }
    if (fault == MadeFault.FULL_BUFFER && group == place && isOn(day, step)) {
      latency += by(1, 3, 9);
    }
    return latency;
  }

  double buffer(int group, int day, int step) {
    double fill = 22 + 20 * use(group, day, step) + 4 * noise(6_000 + group, day, step);
    if (fault == MadeFault.FULL_BUFFER && group == place && isOn(day, step)) {
      double full = Math.min(1, (step - onset + 1) / 3.0);
      fill += full * (by(72, 85, 96) - fill);
    }
    return Math.clamp(fill, 0, 100);
  }

  double logCongestion(int group, int day, int step) {
    return fault == MadeFault.FULL_BUFFER && group == place && isOn(day, step)
        ? by(30, 80, 160) * (1 + 0.1 * noise(6_500, day, step))
        : Math.max(0, 2 * noise(6_600 + group, day, step));
  }

  double congestion(int day, int step) {
    double all = 0;
    for (int g = 0; g < groups; g++) {
      all += logCongestion(g, day, step);
    }
    return all / groups * 3;
  }

  double loss(int host, int day, int step) {
    double loss = Math.max(0, 0.004 * noise(7_000 + host, day, step));
    return fault == MadeFault.DROPPED_PACKETS && host == host(0) && isOn(day, step)
        ? loss + by(0.2, 1, 4) * (1 + 0.2 * noise(7_500, day, step))
        : loss;
  }

  double kernel(int host, int day, int step) {
    return 0.05 * Math.exp(0.3 * noise(7_700 + host, day, step));
  }

  /** What operations of a host's machines take, in ms; of vSAN with the network. */
  double hostLatency(int host, int day, int step) {
    double latency = 0;
    if (vsan) {
      for (int g = 0; g < groups; g++) {
        latency += device(g, day, step) / groups;
      }
      latency += 0.3;
      if (fault == MadeFault.DROPPED_PACKETS && host == host(0) && isOn(day, step)) {
        latency += by(2, 6, 20);
      }
      if (fault == MadeFault.FULL_BUFFER && isOn(day, step)) {
        latency += by(1.5, 5, 15);
      }
    } else {
      latency = device(store[0], day, step) + kernel(host, day, step);
    }
    return latency * Math.exp(0.05 * noise(8_000 + host, day, step));
  }

  /** What operations of a machine take, in ms. */
  double latency(int machine, int day, int step) {
    double latency =
        vsan
            ? hostLatency(host(machine), day, step)
            : device(store[machine], day, step) + kernel(host(machine), day, step);
    if (vsan && fault == MadeFault.SLOW_DISK && machine == 0 && isOn(day, step)) {
      // Of its components more lie there than of others.
      latency += 0.3 * (device(place, day, step) - groupBase[place]);
    }
    if (machine == 0) {
      double size = block(day, step);
      latency *= size > 1.5 * block ? 1 + (size - block) / 160 : 1;
      if (isOn(day, step)) {
        if (fault == MadeFault.OWN_LIMIT) {
          double counted = asked(0, day, step) * DiskLimit.weight(size);
          latency += counted > limit ? 2 + 15 * (counted / limit - 1) : 0;
        } else if (fault == MadeFault.OWN_IO) {
          latency += by(3, 8, 25);
        }
      }
    }
    return latency * Math.exp(0.08 * noise(9_000 + machine, day, step));
  }
}
