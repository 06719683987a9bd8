package io.peerlens.standalone.sample;

import io.peerlens.standalone.sample.Inventory.Cluster;
import io.peerlens.standalone.sample.Inventory.Datastore;
import io.peerlens.standalone.sample.Inventory.Host;
import io.peerlens.standalone.sample.Inventory.Vm;
import io.peerlens.standalone.sample.Physics.Moment;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Writer of what vSAN's performance service tells of the one cluster that has it, as Telegraf's
 * vSphere input writes it. The traffic is that of the cluster's last datastore: each host serves
 * its machines as a client, and holds in its disk group a share of what all of them read and write,
 * each write twice. Three faults of the {@link Script} lie here: the worn cache device of one host
 * empties its log too slowly, so that writes wait, most on that host, a little everywhere; a card
 * of another host loses packets; and a disk of a third takes long, so that those wait whose data
 * lies on it. Not thread-safe.
 */
final class Vsan {

  static final String MEASUREMENT = "vsphere_vsan_performance_";

  /** Seconds in which a log fills up. */
  private static final double FILLS = 1_200;

  private static final int CLUSTER = 2;
  private static final int CAPACITY_DEVICES = 2;
  private static final int COPIES = 2;

  /** Congestion of a full log; vSAN's scale ends at 255. */
  private static final double CONGESTED = 140;

  /** What a write waits for each step of congestion, in microseconds. */
  private static final double MICROS_PER_STEP = 45;

  /** Packets in a thousand that a bad cable loses. */
  private static final double LOST = 14;

  /** What reads and writes wait for packets that are sent again, in milliseconds. */
  private static final double LOST_READ_MS = 6;

  private static final double LOST_WRITE_MS = 9;

  /** What a read of the slow disk takes, and how much of that a machine feels: in milliseconds. */
  private static final double SLOW_DEVICE_MS = 28;

  private static final double SLOW_READ_MS = 11;
  private static final double SLOW_WRITE_MS = 3;

  /** The share of machines that have data on a disk. */
  private static final double ON_ONE_DISK = 0.35;

  /** The card with the bad cable. */
  private static final int BAD_CARD = 1;

  private final Inventory inventory;
  private final Script script;
  private final Space space;
  private final Cluster cluster;
  private final Datastore datastore;
  private final Host worn;
  private final List<Vm> vms;
  private final Map<String, byte[]> series = new HashMap<>();
  private Faults faults = new Faults(Long.MIN_VALUE, 0, null, null);

  /**
   * What is wrong at a moment.
   *
   * @param full how full the log of the worn device is, 0 to 1
   * @param losing the host that loses packets
   * @param slow the host with the slow disk
   */
  private record Faults(long time, double full, @Nullable Host losing, @Nullable Host slow) {}

  Vsan(Inventory inventory, Script script, Space space) {
    this.inventory = inventory;
    this.script = script;
    this.space = space;
    cluster = inventory.clusters.get(CLUSTER);
    datastore = datastore(inventory);
    worn = worn(inventory);
    vms = inventory.vms.stream().filter(vm -> vm.datastore().equals(datastore)).toList();
  }

  /** Whether a cluster of the sample has vSAN. */
  static boolean isOn(Cluster cluster) {
    return cluster.index() == CLUSTER;
  }

  /** The datastore that vSAN serves: the last of its cluster. */
  static Datastore datastore(Inventory inventory) {
    return inventory.datastores.stream()
        .filter(it -> isOn(it.cluster()))
        .reduce((first, second) -> second)
        .orElseThrow();
  }

  /** The host whose cache device is worn. */
  static Host worn(Inventory inventory) {
    Datastore datastore = datastore(inventory);
    List<Host> hosts = datastore.cluster().hosts();
    return hosts.get((int) (Noise.uniform(datastore.seed(), 61) * hosts.size()));
  }

  /** Whether a storage policy limits the disk of a machine: those of search data. */
  static boolean hasPolicyLimit(Inventory inventory, Vm vm) {
    return vm.tier().app().equals("search")
        && vm.tier().tier().equals("data")
        && vm.datastore().equals(datastore(inventory));
  }

  /** Whether a machine has data on the slow disk of a host. */
  static boolean liesOn(Vm vm, Host host) {
    return Noise.uniform(vm.seed() + 64, host.index()) < ON_ONE_DISK;
  }

  /** What vSAN calls the disk of a machine. */
  static String objectId(Vm vm) {
    return uuid("vsan/" + vm.uuid());
  }

  /** The cluster that has it. */
  Cluster cluster() {
    return cluster;
  }

  private Faults faults(long time) {
    if (faults.time != time) {
      double full = 0;
      Host losing = null;
      Host slow = null;
      for (Script.Event event : script.at(time)) {
        switch (event.kind()) {
          case FULL_BUFFER -> full = Math.min(1, (time - event.from()) / FILLS);
          case DROPPED_PACKETS -> losing = event.host();
          case SLOW_DISK -> slow = event.host();
          default -> {} // elsewhere
        }
      }
      faults = new Faults(time, full, losing, slow);
    }
    return faults;
  }

  /** What a read of a machine on a host waits for a fault of vSAN, in milliseconds. */
  double readWaitMs(Vm vm, Host host, long time) {
    if (!vm.datastore().equals(datastore)) {
      return 0;
    }
    Faults now = faults(time);
    double wait = 0;
    if (host.equals(now.losing)) {
      wait += LOST_READ_MS * noisy(vm.seed() + 770, time);
    }
    if (now.slow != null && liesOn(vm, now.slow)) {
      wait += SLOW_READ_MS * noisy(vm.seed() + 771, time);
    }
    return wait;
  }

  /** What a write of a machine on a host waits for a fault of vSAN, in milliseconds. */
  double writeWaitMs(Vm vm, Host host, long time) {
    if (!vm.datastore().equals(datastore)) {
      return 0;
    }
    Faults now = faults(time);
    double wait =
        (congestion(time, host) + congestion(time, worn) / cluster.hosts().size())
            * MICROS_PER_STEP
            / 1_000;
    if (host.equals(now.losing)) {
      wait += LOST_WRITE_MS * noisy(vm.seed() + 772, time);
    }
    if (now.slow != null && liesOn(vm, now.slow)) {
      wait += SLOW_WRITE_MS * noisy(vm.seed() + 773, time);
    }
    return wait;
  }

  /** What operations on a host wait, by how much each of its machines does: in microseconds. */
  private double meanWait(Moment m, Host host, boolean reads) {
    double wait = 0;
    double all = 0;
    for (Vm vm : vms) {
      int v = vm.index();
      if (m.host[v].equals(host)) {
        double weight = reads ? m.readKbs[v] : m.writeKbs[v];
        wait += weight * (reads ? readWaitMs(vm, host, m.time) : writeWaitMs(vm, host, m.time));
        all += weight;
      }
    }
    return all == 0 ? 0 : wait / all * 1_000;
  }

  void write(Moment m, LineBuffer out) {
    double read = 0;
    double write = 0;
    for (Host host : cluster.hosts()) {
      read += m.hostDatastoreReadKbs[place(host)];
      write += m.hostDatastoreWriteKbs[place(host)];
    }
    int hosts = cluster.hosts().size();
    double spread = congestion(m.time, worn) / hosts;
    double readWait = 0;
    double writeWait = 0;
    for (Host host : cluster.hosts()) {
      double own = m.hostDatastoreReadKbs[place(host)];
      double ownWrite = m.hostDatastoreWriteKbs[place(host)];
      double readMicros = 620 * noisy(host.seed() + 701, m.time) + meanWait(m, host, true);
      double writeMicros = 1_050 * noisy(host.seed() + 702, m.time) + meanWait(m, host, false);
      readWait += readMicros * own;
      writeWait += writeMicros * ownWrite;
      io(out, series("hostdomclient", Map.of("hostname", host.name())), own, ownWrite)
          .real("latency_avg_read", readMicros)
          .real("latency_avg_write", writeMicros)
          .real("congestion", spread)
          .end(m.time);
      double share = share(host);
      io(
              out,
              series("hostdomcompmgr", Map.of("hostname", host.name())),
              read * share,
              write * share * COPIES)
          .real(
              "latency_avg_read",
              370 * noisy(host.seed() + 701, m.time)
                  + (host.equals(faults(m.time).slow) ? slowMicros(host, m.time) / 2 : 0))
          .real(
              "latency_avg_write",
              730 * noisy(host.seed() + 702, m.time) + congestion(m.time, host) * MICROS_PER_STEP)
          .real("congestion", congestion(m.time, host))
          .end(m.time);
      devices(m, out, host, read * share, write * share * COPIES);
      cards(m, out, host, (own + read * share + COPIES * (ownWrite + write * share)) / hosts * 7);
    }
    double readMicros = read == 0 ? 0 : readWait / read;
    double writeMicros = write == 0 ? 0 : writeWait / write;
    String uuid = uuid(cluster.name());
    io(out, series("clusterdomclient", Map.of("uuid", uuid)), read, write)
        .real("latency_avg_read", readMicros)
        .real("latency_avg_write", writeMicros)
        .real("congestion", spread)
        .real("oio", (reads(read) * readMicros + writes(write) * writeMicros) / 1e6)
        .end(m.time);
    io(out, series("clusterdomcompmgr", Map.of("uuid", uuid)), read, write * COPIES)
        .real("latency_avg_read", readMicros * 0.6)
        .real("latency_avg_write", writeMicros * 0.7)
        .end(m.time);
    for (Vm vm : vms) {
      disk(m, out, vm);
    }
    double used = space.usedKb(datastore, m.time);
    out.begin(series.computeIfAbsent("summary", any -> build("vsphere_vsan_summary", Map.of())))
        .real("free_capacity_byte", (datastore.capacityKb() - used) * 1024)
        .real("total_capacity_byte", datastore.capacityKb() * 1024.0)
        .end(m.time);
  }

  /** A disk group and its devices. */
  private void devices(Moment m, LineBuffer out, Host host, double read, double write) {
    double congestion = congestion(m.time, host);
    double full = congestion / CONGESTED;
    String cache = device(host, 0);
    io(out, series("diskgroup", Map.of("hostname", host.name(), "devicename", cache)), read, write)
        .real(
            "latency_avg_read",
            480 * noisy(host.seed() + 703, m.time)
                + (host.equals(faults(m.time).slow) ? slowMicros(host, m.time) * 0.4 : 0))
        .real("latency_avg_write", 350 * noisy(host.seed() + 704, m.time) + congestion * 30)
        .real("log_congestion", congestion)
        .real("ssd_congestion", 0)
        .real("mem_congestion", 0)
        .real("wb_free_pct", Math.max(4, 82 - 8 * Noise.at(host.seed() + 705, m.time) - 72 * full))
        .end(m.time);
    io(
            out,
            series(
                "cachedisk",
                Map.of("hostname", host.name(), "devicename", cache, "ssduuid", uuid(cache))),
            read * 0.2,
            write)
        .real("latency_dev_read", 110 * noisy(host.seed() + 706, m.time))
        .real("latency_dev_write", 140 * noisy(host.seed() + 707, m.time) * (1 + 9 * full))
        .end(m.time);
    for (int i = 1; i <= CAPACITY_DEVICES; i++) {
      boolean slow = i == 1 && host.equals(faults(m.time).slow);
      io(
              out,
              series(
                  "capacitydisk",
                  Map.of(
                      "hostname",
                      host.name(),
                      "devicename",
                      device(host, i),
                      "ssduuid",
                      uuid(cache))),
              read * 0.8 / CAPACITY_DEVICES,
              write * 0.6 / CAPACITY_DEVICES)
          .real(
              "latency_dev_read",
              slow ? slowMicros(host, m.time) : 420 * noisy(host.seed() + 710 + i, m.time))
          .real("latency_dev_write", (slow ? 20 : 1) * 260 * noisy(host.seed() + 720 + i, m.time))
          .end(m.time);
    }
  }

  private void cards(Moment m, LineBuffer out, Host host, double kilobytes) {
    double bytes = kilobytes * 1024;
    out.begin(series("vsanhostnet", Map.of("hostname", host.name())))
        .real("rx_throughput", bytes)
        .real("tx_throughput", bytes)
        .real("rx_packets_loss_rate", (lost(host, 0, m.time) + lost(host, 1, m.time)) / 2)
        .real("tx_packets_loss_rate", 0)
        .real("tcp_tx_rexmit_rate", (lost(host, 0, m.time) + lost(host, 1, m.time)) * 0.7)
        .end(m.time);
    for (int nic = 0; nic < Telegraf.PHYSICAL_CARDS; nic++) {
      out.begin(series("vsanpnicnet", Map.of("hostname", host.name(), "pnic", "vmnic" + nic)))
          .real("rx_throughput", bytes / Telegraf.PHYSICAL_CARDS)
          .real("tx_throughput", bytes / Telegraf.PHYSICAL_CARDS)
          .real("rx_packets_loss_rate", lost(host, nic, m.time))
          .real("tx_packets_loss_rate", 0)
          .end(m.time);
    }
  }

  /** The disk of a machine and what the limit of its policy delays. */
  private void disk(Moment m, LineBuffer out, Vm vm) {
    int v = vm.index();
    if (m.silent[v]) {
      return;
    }
    double served = Physics.counted(vm, m.readKbs[v], m.writeKbs[v]);
    out.begin(series("virtualdisk", Map.of("uuid", objectId(vm))))
        .real("niops", served)
        .real("niops_delayed", Math.clamp(m.askedIops[v] - served, 0, served))
        .real("iops_limit", m.iopsLimit[v])
        .end(m.time);
  }

  private LineBuffer io(LineBuffer out, byte[] of, double readKbs, double writeKbs) {
    return out.begin(of)
        .real("iops_read", reads(readKbs))
        .real("iops_write", writes(writeKbs))
        .real("throughput_read", readKbs * 1024)
        .real("throughput_write", writeKbs * 1024);
  }

  private static double reads(double kbs) {
    return kbs / Physics.KB_PER_READ;
  }

  private static double writes(double kbs) {
    return kbs / Physics.KB_PER_WRITE;
  }

  private double congestion(long time, Host host) {
    return host.equals(worn)
        ? Math.clamp(
            faults(time).full * CONGESTED * (1 + 0.08 * Noise.at(host.seed() + 730, time)), 0, 255)
        : 0;
  }

  /** A card loses a packet in a million now and then, or many by a bad cable: in thousandths. */
  double lost(Host host, int nic, long time) {
    return nic == BAD_CARD && host.equals(faults(time).losing)
        ? LOST * noisy(host.seed() + 745, time)
        : Math.max(0, 0.02 * Noise.at(host.seed() + 740 + nic, time) - 0.015);
  }

  private static double slowMicros(Host host, long time) {
    return SLOW_DEVICE_MS * 1_000 * noisy(host.seed() + 746, time);
  }

  /** The share of all data that is on a host. */
  private double share(Host host) {
    double sum = 0;
    for (Host one : cluster.hosts()) {
      sum += Noise.between(one.seed(), 62, 0.8, 1.2);
    }
    return Noise.between(host.seed(), 62, 0.8, 1.2) / sum;
  }

  private static double noisy(long seed, long time) {
    return Math.max(0.4, 1 + 0.18 * Noise.at(seed, time));
  }

  private int place(Host host) {
    return host.index() * inventory.datastores.size() + datastore.index();
  }

  private static String device(Host host, int index) {
    return "naa.55cd%012x".formatted(Noise.hash(host.seed(), 800 + index) & 0xffffffffffffL);
  }

  private static String uuid(String of) {
    return UUID.nameUUIDFromBytes(of.getBytes(StandardCharsets.UTF_8)).toString();
  }

  private byte[] series(String group, Map<String, String> of) {
    return series.computeIfAbsent(group + of, any -> build(MEASUREMENT + group, of));
  }

  private byte[] build(String measurement, Map<String, String> of) {
    Map<String, String> tags = new HashMap<>(of);
    tags.put("clustername", cluster.name());
    tags.put("dcname", cluster.datacenter().name());
    tags.put("moid", cluster.moid());
    tags.put("source", cluster.name());
    return Telegraf.build(measurement, tags);
  }
}
