package io.peerlens.standalone.sample;

import io.peerlens.standalone.sample.Inventory.Cluster;
import io.peerlens.standalone.sample.Inventory.Datacenter;
import io.peerlens.standalone.sample.Inventory.Datastore;
import io.peerlens.standalone.sample.Inventory.Host;
import io.peerlens.standalone.sample.Inventory.Pool;
import io.peerlens.standalone.sample.Inventory.Vm;
import io.peerlens.standalone.sample.Physics.Moment;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Writer of a moment as Telegraf's vSphere input would write it: the same measurements, tags, field
 * names, types and units. Not thread-safe.
 */
final class Telegraf {

  private static final double INTERVAL_MS = 20_000;
  private static final double KB_PER_PACKET = 0.9;
  static final int PHYSICAL_CARDS = 2;
  private static final int SINGLE_CPUS = 8; // before them: what every machine reports

  /** Receiver of the lines of one object. */
  @FunctionalInterface
  interface Sink {
    /**
     * Called for each object.
     *
     * @param key the object's moid, the key of its records
     * @param buffer to be read before returning
     */
    void accept(String key, LineBuffer buffer);
  }

  private final Inventory inventory;
  private final Script script;
  private final long firstStart;
  private final Space space;
  private final Vsan vsan;
  private final LineBuffer out = new LineBuffer();
  private final Map<String, byte[]> series = new HashMap<>();
  private final @Nullable Host[] lastHost;
  private final byte[][][] vmSeries;

  Telegraf(Inventory inventory, Script script, long firstStart) {
    this.inventory = inventory;
    this.script = script;
    this.firstStart = firstStart;
    space = new Space(inventory, firstStart);
    vsan = new Vsan(inventory, script, space);
    lastHost = new Host[inventory.vms.size()];
    vmSeries = new byte[inventory.vms.size()][][];
  }

  /**
   * Writes everything that is due.
   *
   * @param extras whether what changes slowly or is only detail is due as well
   * @param groups whether clusters, pools, datastores and datacentres are due
   * @param parts whether the parts of machines and hosts (disks, network cards, datastores) are due
   */
  void write(Moment m, boolean extras, boolean groups, boolean parts, Sink sink) {
    for (Vm vm : inventory.vms) {
      if (!m.silent[vm.index()]) {
        out.clear();
        vm(m, vm, extras, parts);
        sink.accept(vm.moid(), out);
      }
    }
    for (Host host : inventory.hosts) {
      out.clear();
      host(m, host, extras, parts);
      sink.accept(host.moid(), out);
    }
    if (groups) {
      groups(m, sink);
    }
  }

  /** Writes all of one machine. */
  void machine(Moment m, Vm vm, Sink sink) {
    out.clear();
    vm(m, vm, true, true);
    sink.accept(vm.moid(), out);
  }

  private void vm(Moment m, Vm vm, boolean extras, boolean parts) {
    int v = vm.index();
    byte[][] s = seriesOf(vm, m.host[v]);
    Tier tier = vm.tier();
    String memory = Integer.toString(tier.memoryMb());
    double percent = m.usageMhz[v] / vm.capacityMhz() * 100;
    double ready = m.readyPercent[v];
    out.begin(s[0])
        .real("usage_average", percent)
        .whole("usagemhz_average", m.usageMhz[v])
        .whole("demand_average", m.demandMhz[v])
        .real("readiness_average", ready)
        .whole("ready_summation", ready / 100 * INTERVAL_MS * tier.cpus())
        .whole("used_summation", percent / 100 * INTERVAL_MS * tier.cpus())
        .text("memorySizeMB", memory)
        .end(m.time);
    out.begin(s[1])
        .real("usage_average", m.activeKb[v] / vm.memoryKb() * 100)
        .whole("active_average", m.activeKb[v])
        .whole("consumed_average", m.consumedKb[v])
        .whole("granted_average", vm.memoryKb() * 0.98)
        .whole("vmmemctl_average", m.balloonKb[v])
        .whole("swapped_average", m.swappedKb[v])
        .whole("swapinRate_average", m.swapRateKbs[v])
        .text("memorySizeMB", memory)
        .end(m.time);
    out.begin(s[2])
        .whole("usage_average", m.receivedKbs[v] + m.sentKbs[v])
        .whole("received_average", m.receivedKbs[v])
        .whole("transmitted_average", m.sentKbs[v])
        .whole("packetsRx_summation", m.receivedKbs[v] / KB_PER_PACKET * 20)
        .whole("packetsTx_summation", m.sentKbs[v] / KB_PER_PACKET * 20)
        .text("memorySizeMB", memory)
        .end(m.time);
    double readMs = m.latencyMs[v] + vsan.readWaitMs(vm, m.host[v], m.time);
    double writeMs = m.latencyMs[v] * 0.7 + vsan.writeWaitMs(vm, m.host[v], m.time);
    double worstMs = Math.max(readMs, writeMs) * 1.6;
    out.begin(s[3])
        .whole("read_average", m.readKbs[v])
        .whole("write_average", m.writeKbs[v])
        .whole("totalReadLatency_average", readMs)
        .whole("totalWriteLatency_average", writeMs)
        .whole("maxTotalLatency_latest", worstMs)
        .text("memorySizeMB", memory)
        .end(m.time);
    if (parts) {
      double reads = Physics.reads(vm, m.readKbs[v]);
      double writes = Physics.writes(vm, m.writeKbs[v]);
      out.begin(s[5])
          .whole("read_average", m.readKbs[v])
          .whole("write_average", m.writeKbs[v])
          .whole("numberReadAveraged_average", reads)
          .whole("numberWriteAveraged_average", writes)
          .whole("totalReadLatency_average", readMs)
          .whole("totalWriteLatency_average", writeMs)
          .whole("readOIO_latest", reads * readMs / 1_000)
          .whole("writeOIO_latest", writes * writeMs / 1_000)
          .text("memorySizeMB", memory)
          .end(m.time);
    }
    if (!extras) {
      return;
    }
    out.begin(s[4])
        .whole("usage_average", m.readKbs[v] + m.writeKbs[v])
        .whole("read_average", m.readKbs[v])
        .whole("write_average", m.writeKbs[v])
        .whole("maxTotalLatency_latest", worstMs)
        .text("memorySizeMB", memory)
        .end(m.time);
    out.begin(s[7])
        .whole("usage_average", m.receivedKbs[v] + m.sentKbs[v])
        .whole("received_average", m.receivedKbs[v])
        .whole("transmitted_average", m.sentKbs[v])
        .text("memorySizeMB", memory)
        .end(m.time);
    out.begin(s[6])
        .whole("uptime_latest", uptime(vm, m.time))
        .text("memorySizeMB", memory)
        .end(m.time);
    if (vm.detailed()) {
      double sum = 0;
      double[] weight = new double[tier.cpus()];
      for (int i = 0; i < weight.length; i++) {
        weight[i] = Math.max(0.3, 1 + 0.2 * Noise.at(vm.seed() + 2_000 + i, m.time));
        sum += weight[i];
      }
      for (int i = 0; i < weight.length; i++) {
        double mhz = m.usageMhz[v] * weight[i] / sum;
        out.begin(s[SINGLE_CPUS + i])
            .whole("usagemhz_average", mhz)
            .real("readiness_average", ready)
            .whole("ready_summation", ready / 100 * INTERVAL_MS)
            .whole("used_summation", mhz / Inventory.CORE_MHZ * INTERVAL_MS)
            .text("memorySizeMB", memory)
            .end(m.time);
      }
    }
  }

  /** Machines are restarted now and then, and after they were silent. */
  long uptime(Vm vm, long time) {
    long period = 40 * 86_400L + (vm.seed() & 0xfffff);
    long uptime = Math.floorMod(time - firstStart + vm.bootAge(), period);
    long restart = script.lastRestart(vm, time);
    return restart == Long.MIN_VALUE ? uptime : Math.min(uptime, time - restart);
  }

  private void host(Moment m, Host host, boolean extras, boolean parts) {
    int h = host.index();
    double percent = m.hostUsageMhz[h] / Physics.HOST_MHZ * 100;
    out.begin(host(host, "cpu", Map.of("cpu", "instance-total")))
        .real("usage_average", percent)
        .whole("usagemhz_average", m.hostUsageMhz[h])
        .real("utilization_average", percent * 0.97)
        .real("coreUtilization_average", Math.min(100, percent * 1.18))
        .whole("demand_average", m.hostDemandMhz[h])
        .whole("ready_summation", hostReady(m, host))
        .end(m.time);
    out.begin(host(host, "mem", Map.of()))
        .real("usage_average", m.hostConsumedKb[h] / Physics.HOST_MEMORY_KB * 100)
        .whole("consumed_average", m.hostConsumedKb[h])
        .whole("active_average", m.hostActiveKb[h])
        .whole("granted_average", m.hostGrantedKb[h])
        .whole("totalCapacity_average", Inventory.HOST_MEMORY_MB)
        .whole("vmmemctl_average", m.hostBalloonKb[h])
        .whole("swapused_average", m.hostSwappedKb[h])
        .whole("swapinRate_average", m.hostSwapRateKbs[h])
        .whole("swapoutRate_average", m.hostSwapRateKbs[h] * 1.1)
        .end(m.time);
    out.begin(host(host, "disk", Map.of("disk", "instance-total")))
        .whole("usage_average", m.hostReadKbs[h] + m.hostWriteKbs[h])
        .whole("read_average", m.hostReadKbs[h])
        .whole("write_average", m.hostWriteKbs[h])
        .whole("maxTotalLatency_latest", latency(m, host) * 1.6)
        .end(m.time);
    // Machines stay on one of the two cards; which has more differs from host to host.
    double first = Noise.between(host.seed(), 31, 0.35, 0.65);
    net(m, host, "instance-total", first, 1 - first);
    if (parts) {
      net(m, host, "vmnic0", first, 0);
      net(m, host, "vmnic1", 0, 1 - first);
      for (Datastore datastore : inventory.datastores) {
        if (datastore.cluster().equals(host.cluster())) {
          int i = h * inventory.datastores.size() + datastore.index();
          out.begin(
                  host(
                      host,
                      "datastore",
                      Map.of("dsname", datastore.name(), "lun", datastore.lun())))
              .whole("read_average", m.hostDatastoreReadKbs[i])
              .whole("write_average", m.hostDatastoreWriteKbs[i])
              .whole("numberReadAveraged_average", m.hostDatastoreReads[i])
              .whole("numberWriteAveraged_average", m.hostDatastoreWrites[i])
              .whole(
                  "totalReadLatency_average",
                  m.datastoreLatencyMs[datastore.index()] + m.hostQueueMs[h])
              .whole(
                  "totalWriteLatency_average",
                  m.datastoreLatencyMs[datastore.index()] * 0.7 + m.hostQueueMs[h])
              .end(m.time);
          // The kernel's part is the wait in its queue, the device's that of the storage behind.
          double device = m.datastoreLatencyMs[datastore.index()] * 0.9;
          out.begin(host(host, "disk", Map.of("disk", datastore.lun())))
              .whole("deviceLatency_average", device)
              .whole("kernelLatency_average", m.hostQueueMs[h])
              .whole("queueLatency_average", m.hostQueueMs[h])
              .whole("totalLatency_average", device + m.hostQueueMs[h])
              .end(m.time);
        }
      }
    }
    if (extras) {
      out.begin(host(host, "sys", Map.of()))
          .whole("uptime_latest", Math.max(0, m.time - firstStart + host.bootAge()))
          .end(m.time);
      out.begin(host(host, "storageAdapter", Map.of("adapter", "instance-total")))
          .whole("maxTotalLatency_latest", latency(m, host) * 1.6)
          .end(m.time);
    }
  }

  /** What went through the two cards: a share of all through each. */
  private void net(Moment m, Host host, String card, double first, double second) {
    int h = host.index();
    double share = first + second;
    double received = m.hostReceivedKbs[h] / KB_PER_PACKET * 20;
    double dropped =
        Vsan.isOn(host.cluster())
            ? received
                * (first * vsan.lost(host, 0, m.time) + second * vsan.lost(host, 1, m.time))
                / 1_000
            : 0;
    out.begin(host(host, "net", Map.of("interface", card)))
        .whole("usage_average", (m.hostReceivedKbs[h] + m.hostSentKbs[h]) * share)
        .whole("received_average", m.hostReceivedKbs[h] * share)
        .whole("transmitted_average", m.hostSentKbs[h] * share)
        .whole("packetsRx_summation", received * share)
        .whole("packetsTx_summation", m.hostSentKbs[h] * share / KB_PER_PACKET * 20)
        .whole("droppedRx_summation", dropped)
        .whole("droppedTx_summation", 0)
        .end(m.time);
  }

  private double hostReady(Moment m, Host host) {
    double sum = 0;
    for (Vm vm : inventory.vms) {
      if (m.host[vm.index()].equals(host)) {
        sum += m.readyPercent[vm.index()] / 100 * INTERVAL_MS * vm.tier().cpus();
      }
    }
    return sum;
  }

  private double latency(Moment m, Host host) {
    double worst = 0;
    for (Datastore datastore : inventory.datastores) {
      if (datastore.cluster().equals(host.cluster())) {
        worst = Math.max(worst, m.datastoreLatencyMs[datastore.index()]);
      }
    }
    return worst + m.hostQueueMs[host.index()];
  }

  private void groups(Moment m, Sink sink) {
    for (Cluster cluster : inventory.clusters) {
      out.clear();
      cluster(m, cluster);
      if (Vsan.isOn(cluster)) {
        vsan.write(m, out);
      }
      sink.accept(cluster.moid(), out);
    }
    for (Pool pool : inventory.pools) {
      out.clear();
      pool(m, pool);
      sink.accept(pool.moid(), out);
    }
    for (Datastore datastore : inventory.datastores) {
      out.clear();
      datastore(m, datastore);
      sink.accept(datastore.moid(), out);
    }
    for (Datacenter datacenter : inventory.datacenters) {
      out.clear();
      long vms =
          inventory.vms.stream()
              .filter(vm -> vm.home().cluster().datacenter().equals(datacenter))
              .count();
      out.begin(
              series(
                  "vsphere_datacenter_vmop",
                  Map.of(
                      "dcname", datacenter.name(),
                      "moid", datacenter.moid(),
                      "source", datacenter.name())))
          .whole("numPoweron_latest", vms)
          .whole("numCreate_latest", vms)
          .whole("numVMotion_latest", Math.max(0, m.time - firstStart + 90 * 86_400L) / 5_400)
          .end(m.time);
      sink.accept(datacenter.moid(), out);
    }
  }

  private void cluster(Moment m, Cluster cluster) {
    double usage = 0;
    double consumed = 0;
    double active = 0;
    double granted = 0;
    double balloon = 0;
    double net = 0;
    double disk = 0;
    for (Host host : cluster.hosts()) {
      int h = host.index();
      usage += m.hostUsageMhz[h];
      consumed += m.hostConsumedKb[h];
      active += m.hostActiveKb[h];
      granted += m.hostGrantedKb[h];
      balloon += m.hostBalloonKb[h];
      net += m.hostReceivedKbs[h] + m.hostSentKbs[h];
      disk += m.hostReadKbs[h] + m.hostWriteKbs[h];
    }
    int hosts = cluster.hosts().size();
    out.begin(cluster(cluster, "cpu", Map.of("cpu", "instance-total")))
        .real("usage_average", usage / (hosts * Physics.HOST_MHZ) * 100)
        .whole("usagemhz_average", usage)
        .whole("capacity_provisioned_average", hosts * Physics.HOST_MHZ)
        .whole("corecount_provisioned_average", (double) hosts * Inventory.CORES)
        .end(m.time);
    out.begin(cluster(cluster, "mem", Map.of()))
        .real("usage_average", consumed / (hosts * Physics.HOST_MEMORY_KB) * 100)
        .whole("consumed_average", consumed)
        .whole("active_average", active)
        .whole("granted_average", granted)
        .whole("vmmemctl_average", balloon)
        .whole("capacity_provisioned_average", hosts * Physics.HOST_MEMORY_KB)
        .end(m.time);
    out.begin(cluster(cluster, "net", Map.of("interface", "instance-total")))
        .whole("throughput_usage_average", net)
        .end(m.time);
    out.begin(cluster(cluster, "disk", Map.of("disk", "instance-total")))
        .whole("throughput_usage_average", disk)
        .end(m.time);
  }

  private void pool(Moment m, Pool pool) {
    double usage = 0;
    double demand = 0;
    double consumed = 0;
    double active = 0;
    double granted = 0;
    for (Vm vm : inventory.vms) {
      if (vm.pool().equals(pool) && !m.silent[vm.index()]) {
        usage += m.usageMhz[vm.index()];
        demand += m.demandMhz[vm.index()];
        consumed += m.consumedKb[vm.index()];
        active += m.activeKb[vm.index()];
        granted += vm.memoryKb() * 0.98;
      }
    }
    Map<String, String> tags =
        Map.of(
            "clustername", pool.cluster().name(),
            "dcname", pool.cluster().datacenter().name(),
            "moid", pool.moid(),
            "rpname", pool.name(),
            "source", pool.name());
    Map<String, String> cpuTags = new HashMap<>(tags);
    cpuTags.put("cpu", "instance-total");
    out.begin(series("vsphere_resourcepool_cpu", cpuTags))
        .whole("usagemhz_average", usage)
        .whole("capacity_demand_average", demand)
        .end(m.time);
    out.begin(series("vsphere_resourcepool_mem", tags))
        .whole("consumed_average", consumed)
        .whole("active_average", active)
        .whole("granted_average", granted)
        .end(m.time);
  }

  private void datastore(Moment m, Datastore datastore) {
    int d = datastore.index();
    double used = space.usedKb(datastore, m.time);
    Map<String, String> tags =
        Map.of(
            "dcname", datastore.cluster().datacenter().name(),
            "moid", datastore.moid(),
            "source", datastore.name());
    Map<String, String> io = new HashMap<>(tags);
    io.put("dsname", "instance-total");
    io.put("lun", "instance-total");
    out.begin(series("vsphere_datastore_datastore", io))
        .whole("read_average", m.datastoreReadKbs[d])
        .whole("write_average", m.datastoreWriteKbs[d])
        .whole("throughput_usage_average", m.datastoreReadKbs[d] + m.datastoreWriteKbs[d])
        .whole("totalReadLatency_average", m.datastoreLatencyMs[d])
        .whole("totalWriteLatency_average", m.datastoreLatencyMs[d] * 0.7)
        .end(m.time);
    Map<String, String> size = new HashMap<>(tags);
    size.put("disk", "instance-total");
    size.put("dsname", datastore.name());
    out.begin(series("vsphere_datastore_disk", size))
        .whole("capacity_latest", datastore.capacityKb())
        .whole("used_latest", used)
        .whole("provisioned_latest", space.provisionedKb(datastore, m.time))
        .end(m.time);
  }

  private byte[] host(Host host, String group, Map<String, String> instance) {
    Map<String, String> tags = new HashMap<>(instance);
    tags.put("clustername", host.cluster().name());
    tags.put("dcname", host.cluster().datacenter().name());
    tags.put("esxhostname", host.name());
    tags.put("moid", host.moid());
    tags.put("source", host.name());
    return series("vsphere_host_" + group, tags);
  }

  private byte[] cluster(Cluster cluster, String group, Map<String, String> instance) {
    Map<String, String> tags = new HashMap<>(instance);
    tags.put("clustername", cluster.name());
    tags.put("dcname", cluster.datacenter().name());
    tags.put("moid", cluster.moid());
    tags.put("source", cluster.name());
    return series("vsphere_cluster_" + group, tags);
  }

  private byte[][] seriesOf(Vm vm, Host host) {
    byte[][] known = vmSeries[vm.index()];
    if (known != null && host.equals(lastHost[vm.index()])) {
      return known;
    }
    lastHost[vm.index()] = host;
    byte[][] made = new byte[SINGLE_CPUS + (vm.detailed() ? vm.tier().cpus() : 0)][];
    made[0] = vm(vm, host, "cpu", Map.of("cpu", "instance-total"));
    made[1] = vm(vm, host, "mem", Map.of());
    made[2] = vm(vm, host, "net", Map.of("interface", "instance-total"));
    made[3] =
        vm(
            vm,
            host,
            "datastore",
            Map.of("dsname", vm.datastore().name(), "lun", vm.datastore().lun()));
    made[4] = vm(vm, host, "disk", Map.of("disk", "instance-total"));
    made[5] = vm(vm, host, "virtualDisk", Map.of("disk", "scsi0:0"));
    made[6] = vm(vm, host, "sys", Map.of());
    made[7] = vm(vm, host, "net", Map.of("interface", "4000", "ipv4", vm.address()));
    for (int i = SINGLE_CPUS; i < made.length; i++) {
      made[i] = vm(vm, host, "cpu", Map.of("cpu", Integer.toString(i - SINGLE_CPUS)));
    }
    vmSeries[vm.index()] = made;
    return made;
  }

  private byte[] vm(Vm vm, Host host, String group, Map<String, String> instance) {
    Map<String, String> tags = new HashMap<>(instance);
    tags.put("app", vm.tier().app());
    tags.put("tier", vm.tier().tier());
    tags.put("env", vm.tier().env());
    tags.put("owner", vm.tier().owner());
    tags.put("clustername", host.cluster().name());
    tags.put("dcname", host.cluster().datacenter().name());
    tags.put("esxhostname", host.name());
    tags.put("guest", vm.tier().guest());
    tags.put("guesthostname", vm.name() + ".corp.example");
    tags.put("moid", vm.moid());
    tags.put("rpname", vm.pool().name());
    tags.put("source", vm.name());
    tags.put("uuid", vm.uuid());
    tags.put("vmname", vm.name());
    return build("vsphere_vm_" + group, tags);
  }

  private byte[] series(String measurement, Map<String, String> tags) {
    String key =
        measurement + tags.get("moid") + tags.get("interface") + tags.get("lun") + tags.get("disk");
    return series.computeIfAbsent(key, k -> build(measurement, tags));
  }

  static byte[] build(String measurement, Map<String, String> tags) {
    Map<String, String> sorted = new TreeMap<>(tags);
    sorted.put("host", Inventory.COLLECTOR);
    sorted.put("vcenter", Inventory.VCENTER);
    StringBuilder line = new StringBuilder(measurement);
    sorted.forEach(
        (name, value) -> line.append(',').append(name).append('=').append(escaped(value)));
    return line.toString().getBytes(StandardCharsets.UTF_8);
  }

  /** The value of a tag, with what line protocol would read as its end escaped. */
  private static String escaped(String value) {
    return value.replace(" ", "\\ ").replace(",", "\\,").replace("=", "\\=");
  }
}
