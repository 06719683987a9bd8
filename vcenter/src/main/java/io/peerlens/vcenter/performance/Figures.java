package io.peerlens.vcenter.performance;

import io.peerlens.vcenter.performance.Figure.OfParts;
import io.peerlens.vcenter.performance.Figure.Own;
import io.peerlens.vcenter.performance.Figure.Rule;
import io.peerlens.vcenter.performance.Figure.Together;
import io.peerlens.vcenter.performance.Figure.Window;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/** Figures that are computed, by type of vim25, each after those that it needs. */
public final class Figures {

  private static final String VM = "VirtualMachine";
  private static final String HOST = "HostSystem";
  private static final String CLUSTER = "ClusterComputeResource";
  private static final String DATASTORE = "Datastore";
  private static final String DATACENTER = "Datacenter";

  /** Type of the vCenter itself, which vim25 does not have. */
  public static final String VCENTER = "vCenter";

  private static final double REAL_TIME_MS = 20_000;
  private static final double REAL_TIME_SECONDS = 20;

  private static final List<Figure> ALL = new ArrayList<>();

  private static final String UNREGISTER = "Unregister";
  private static final String SWAPWAIT = "cpu|swapwait_summation";
  private static final String SWAPOUT = "mem|swapout_average";
  private static final String READS = "virtualDisk|numberReadAveraged_average";
  private static final String WRITES = "virtualDisk|numberWriteAveraged_average";
  private static final String DISK_WRITE = "virtualDisk|write_average";
  private static final String READ_LATENCY = "virtualDisk|totalReadLatency_average";
  private static final String WRITE_LATENCY = "virtualDisk|totalWriteLatency_average";
  private static final String RX_PACKETS = "net|packetsRx_summation";
  private static final String TX_PACKETS = "net|packetsTx_summation";
  private static final String RX_ERRORS = "net|errorsRx_summation";
  private static final String TX_ERRORS = "net|errorsTx_summation";
  private static final String RESERVED_CPU = "cpu|reservedCapacity_average";
  private static final String RESERVED_MEMORY = "mem|reservedCapacity_average";

  private static final ToDoubleFunction<PerfEntity> MHZ = entity -> entity.cpus() * entity.mhz();
  private static final ToDoubleFunction<PerfEntity> MEMORY = PerfEntity::memoryKb;

  static {
    machines();
    hosts();
    machinesTogether(HOST);
    machinesTogether(CLUSTER);
    clusters();
    datastores();
    operations();
  }

  private Figures() {}

  /** All figures, also those that are but steps to others. */
  static List<Figure> all() {
    return ALL;
  }

  /** The figures that are told of an object of a type of vim25. */
  public static List<Figure> told(String type) {
    return ALL.stream().filter(figure -> figure.type().equals(type) && figure.isTold()).toList();
  }

  private static void machines() {
    for (String name : List.of("ready", "costop", "swapwait", "wait")) {
      add(VM, "cpu|" + name + "Pct", "%", ofVcpus("cpu|" + name + "_summation"));
    }
    add(VM, "~cpu|iowait", "ms", minus("cpu|wait_summation", "cpu|idle_summation", SWAPWAIT));
    add(VM, "cpu|iowaitPct", "%", ofVcpus("~cpu|iowait", "wait - idle - swapwait"));
    add(VM, "cpu|demandmhz", "MHz", same("cpu|demand_average"));
    add(VM, "cpu|vm_capacity_provisioned", "MHz", fact("vCPUs × MHz of the host's core", MHZ));
    add(VM, "cpu|demandPct", "%", per("cpu|demand_average", "vCPUs × MHz of the core", MHZ));
    add(VM, "cpu|capacity_contentionPct", "%", same("cpu|latency_average"));
    add(VM, "mem|balloonPct", "%", per("mem|vmmemctl_average", "configured memory", MEMORY));
    add(VM, "mem|consumedPct", "%", per("mem|consumed_average", "configured memory", MEMORY));
    add(VM, "mem|host_contentionPct", "%", same("mem|latency_average"));
    network(VM);
    for (String name : List.of("numberReadAveraged", "numberWriteAveraged", "read", "write")) {
      add(VM, "virtualDisk|" + name + "_average", "", sumOf("virtualDisk|" + name + "_average"));
    }
    add(VM, "virtualDisk|commandsAveraged_average", "/s", eachPlus(READS, WRITES));
    add(VM, "virtualDisk|usage", "KB/s", eachPlus("virtualDisk|read_average", DISK_WRITE));
    add(VM, "virtualDisk|totalLatency", "ms", eachLatency("virtualDisk"));
    add(VM, "virtualDisk|totalReadLatency_average", "ms", weighted(READ_LATENCY, READS));
    add(VM, "virtualDisk|totalWriteLatency_average", "ms", weighted(WRITE_LATENCY, WRITES));
    add(
        VM,
        "virtualDisk|vDiskOIO",
        "",
        eachPlus("virtualDisk|readOIO_latest", "virtualDisk|writeOIO_latest"));
    add(VM, "virtualDisk|peak_vDisk_iops", "/s", highestOf("virtualDisk|commandsAveraged_average"));
    add(VM, "virtualDisk|peak_vDisk_readLatency", "ms", highestOf(READ_LATENCY));
    add(VM, "virtualDisk|peak_vDisk_writeLatency", "ms", highestOf(WRITE_LATENCY));
    datastoresTogether(VM);
    for (String name : List.of("totalReadLatency", "totalWriteLatency")) {
      add(VM, "storage|" + name + "_average", "ms", same("datastore|" + name + "_average"));
    }
    add(VM, "cpu|20_sec_peak_readyPct", "%", peak("cpu|readyPct"));
    add(VM, "cpu|20_sec_peak_costopPct", "%", peak("cpu|costopPct"));
    add(VM, "cpu|20_sec_peak_iowaitPct", "%", peak("cpu|iowaitPct"));
    add(VM, "cpu|20_sec_peak_overlap", "ms", peak("cpu|overlap_summation"));
    add(VM, "cpu|20_sec_peak_overlap_summation", "ms", peak("cpu|overlap_summation"));
    add(VM, "mem|20_sec_peak_host_contentionPct", "%", peak("mem|host_contentionPct"));
    add(VM, "net|20_sec_peak_packetsPerSec", "packets/s", peak("net|packetsPerSec"));
    add(VM, "net|20_sec_peak_usage_average", "KB/s", peak("net|usage_average"));
    add(VM, "virtualDisk|20_sec_peak_totalLatency_average", "ms", peak("virtualDisk|totalLatency"));
    for (String name : List.of("droppedRx", "droppedTx", "broadcastRx", "broadcastTx")) {
      add(VM, "net|" + name + "_summation_sum", "packets", sum("net|" + name + "_summation"));
    }
    for (String name : List.of("multicastRx", "multicastTx")) {
      add(VM, "net|" + name + "_summation_sum", "packets", sum("net|" + name + "_summation"));
    }
    add(VM, "power|energy_summation_sum", "J", sum("power|energy_summation"));
  }

  private static void hosts() {
    add(HOST, "~mhz", "MHz", fact("cores × MHz of a core", MHZ));
    add(HOST, "~memory", "KB", fact("memory", MEMORY));
    add(HOST, "cpu|demandmhz", "MHz", same("cpu|demand_average"));
    add(HOST, "cpu|demandPct", "%", per("cpu|demand_average", "cores × MHz of a core", MHZ));
    add(HOST, "cpu|capacity_usagepct_average", "%", same("cpu|usage_average"));
    add(HOST, "cpu|capacity_contentionPct", "%", same("cpu|latency_average"));
    add(HOST, "cpu|peak_cpu_core_usage", "%", highestOf("cpu|coreUtilization_average"));
    add(HOST, "mem|host_contentionPct", "%", same("mem|latency_average"));
    network(HOST);
    add(HOST, "net|error_packets", "packets", plus(RX_ERRORS, TX_ERRORS));
    for (String name : List.of("droppedRx", "droppedTx", "errorsRx", "errorsTx")) {
      add(HOST, "net|" + name + "_summation_sum", "packets", sum("net|" + name + "_summation"));
    }
    add(HOST, "net|dropped_sum", "packets", sum("net|dropped"));
    add(HOST, "power|energy_summation_sum", "J", sum("power|energy_summation"));
    for (String name : List.of("commandsAveraged", "numberReadAveraged", "numberWriteAveraged")) {
      add(HOST, "disk|" + name + "_average", "/s", sumOf("disk|" + name + "_average"));
    }
    for (String name : List.of("totalLatency", "deviceLatency", "kernelLatency", "queueLatency")) {
      add(
          HOST,
          "disk|" + name + "_average",
          "ms",
          weighted("disk|" + name + "_average", "disk|commandsAveraged_average"));
    }
    add(
        HOST,
        "disk|totalReadLatency_average",
        "ms",
        weighted("disk|totalReadLatency_average", "disk|numberReadAveraged_average"));
    add(
        HOST,
        "disk|totalWriteLatency_average",
        "ms",
        weighted("disk|totalWriteLatency_average", "disk|numberWriteAveraged_average"));
    datastoresTogether(HOST);
    add(
        HOST,
        "datastore|demand_oio",
        "",
        eachPlus("datastore|datastoreReadOIO_latest", "datastore|datastoreWriteOIO_latest"));
    add(
        HOST,
        "datastore|peak_datastore_readLatency",
        "ms",
        highestOf("datastore|totalReadLatency_average"));
    add(
        HOST,
        "datastore|peak_datastore_writeLatency",
        "ms",
        highestOf("datastore|totalWriteLatency_average"));
    add(
        HOST,
        "storageAdapter|peak_adapter_readLatency",
        "ms",
        highestOf("storageAdapter|totalReadLatency_average"));
    add(
        HOST,
        "storageAdapter|peak_adapter_writeLatency",
        "ms",
        highestOf("storageAdapter|totalWriteLatency_average"));
    for (String name : List.of("commandsAveraged", "numberReadAveraged", "numberWriteAveraged")) {
      add(HOST, "storage|" + name + "_average", "/s", sumOf("storageAdapter|" + name + "_average"));
    }
    for (String name : List.of("read", "write")) {
      add(
          HOST,
          "storage|" + name + "_average",
          "KB/s",
          sumOf("storageAdapter|" + name + "_average"));
    }
    add(
        HOST,
        "storage|usage_average",
        "KB/s",
        plus("storage|read_average", "storage|write_average"));
    add(
        HOST,
        "storage|totalReadLatency_average",
        "ms",
        weighted(
            "storageAdapter|totalReadLatency_average",
            "storageAdapter|numberReadAveraged_average"));
    add(
        HOST,
        "storage|totalWriteLatency_average",
        "ms",
        weighted(
            "storageAdapter|totalWriteLatency_average",
            "storageAdapter|numberWriteAveraged_average"));
  }

  private static void network(String type) {
    add(type, "net|packetsRxPerSec", "packets/s", perSecond("net|packetsRx_summation"));
    add(type, "net|packetsTxPerSec", "packets/s", perSecond("net|packetsTx_summation"));
    add(type, "net|packetsPerSec", "packets/s", plus("net|packetsRxPerSec", "net|packetsTxPerSec"));
    add(type, "net|dropped", "packets", plus("net|droppedRx_summation", "net|droppedTx_summation"));
    add(type, "~net|packets", "packets", plus(RX_PACKETS, TX_PACKETS, "net|dropped"));
    add(type, "net|droppedPct", "%", share("net|dropped", "~net|packets", "all packets"));
  }

  private static void datastoresTogether(String type) {
    for (String name : List.of("numberReadAveraged", "numberWriteAveraged", "read", "write")) {
      add(type, "datastore|" + name + "_average", "", sumOf("datastore|" + name + "_average"));
    }
    add(
        type,
        "datastore|totalReadLatency_average",
        "ms",
        weighted("datastore|totalReadLatency_average", "datastore|numberReadAveraged_average"));
    add(
        type,
        "datastore|totalWriteLatency_average",
        "ms",
        weighted("datastore|totalWriteLatency_average", "datastore|numberWriteAveraged_average"));
    add(type, "datastore|totalLatency_average", "ms", eachLatency("datastore"));
  }

  /**
   * What vROps calls the KPIs of a host or cluster; the bounds are those of docs/vcenter-keys.md.
   */
  private static void machinesTogether(String type) {
    add(type, "cpu|max_cpu_ready", "%", highest(VM, "cpu|readyPct"));
    add(type, "cpu|max_cpu_costop", "%", highest(VM, "cpu|costopPct"));
    add(type, "cpu|max_cpu_overlap", "ms", highest(VM, "cpu|overlap_summation"));
    add(type, "mem|max_vm_mem_contention", "%", highest(VM, "mem|host_contentionPct"));
    add(type, "storage|max_vm_disk_latency", "ms", highest(VM, "virtualDisk|totalLatency"));
    add(type, "cpu|percentage_of_vms_facing_cpu_ready", "%", above(VM, "cpu|readyPct", 2.5));
    add(type, "cpu|percentage_of_vms_facing_cpu_costop", "%", above(VM, "cpu|costopPct", 1));
    add(
        type,
        "mem|percentage_of_vms_facing_memory_contention",
        "%",
        above(VM, "mem|host_contentionPct", 1));
    add(type, "cpu|vm_capacity_provisioned", "MHz", total(VM, "cpu|vm_capacity_provisioned"));
  }

  private static void clusters() {
    add(CLUSTER, "datastore|max_vm_disk_latency", "ms", highest(VM, "virtualDisk|totalLatency"));
    for (String key :
        List.of(
            "net|usage_average",
            "net|received_average",
            "net|transmitted_average",
            "disk|usage_average",
            "disk|read_average",
            "disk|write_average",
            "datastore|read_average",
            "datastore|write_average",
            "mem|swapinRate_average",
            "mem|swapoutRate_average")) {
      add(CLUSTER, key, "KB/s", total(HOST, key));
    }
    for (String key :
        List.of(
            "disk|commandsAveraged_average",
            "disk|numberReadAveraged_average",
            "disk|numberWriteAveraged_average",
            "datastore|numberReadAveraged_average",
            "datastore|numberWriteAveraged_average")) {
      add(CLUSTER, key, "/s", total(HOST, key));
    }
    for (String key : List.of("mem|compressed_average", "mem|swapin_average", SWAPOUT)) {
      add(CLUSTER, key, "KB", total(HOST, key));
    }
    for (String key : List.of("net|packetsPerSec", "net|packetsRxPerSec", "net|packetsTxPerSec")) {
      add(CLUSTER, key, "packets/s", total(HOST, key));
    }
    add(CLUSTER, "net|dropped", "packets", total(HOST, "net|dropped"));
    add(CLUSTER, "net|error_packets", "packets", total(HOST, "net|error_packets"));
    add(CLUSTER, "net|droppedPct", "%", mean(HOST, "net|droppedPct", "~net|packets"));
    add(CLUSTER, "datastore|demand_oio", "", total(HOST, "datastore|demand_oio"));
    add(CLUSTER, "cpu|demandmhz", "MHz", total(HOST, "cpu|demandmhz"));
    add(CLUSTER, "cpu|reservedCapacity_average", "MHz", total(HOST, RESERVED_CPU));
    add(CLUSTER, "mem|reservedCapacity_average", "MB", total(HOST, RESERVED_MEMORY));
    add(CLUSTER, "power|power_average", "W", total(HOST, "power|power_average"));
    for (String key :
        List.of("cpu|demandPct", "cpu|capacity_usagepct_average", "cpu|capacity_contentionPct")) {
      add(CLUSTER, key, "%", mean(HOST, key, "~mhz"));
    }
    add(CLUSTER, "mem|host_contentionPct", "%", mean(HOST, "mem|host_contentionPct", "~memory"));
    add(
        CLUSTER,
        "disk|totalLatency_average",
        "ms",
        mean(HOST, "disk|totalLatency_average", "disk|commandsAveraged_average"));
    add(
        CLUSTER,
        "disk|totalReadLatency_average",
        "ms",
        mean(HOST, "disk|totalReadLatency_average", "disk|numberReadAveraged_average"));
    add(
        CLUSTER,
        "disk|totalWriteLatency_average",
        "ms",
        mean(HOST, "disk|totalWriteLatency_average", "disk|numberWriteAveraged_average"));
  }

  private static void datastores() {
    add(
        DATASTORE,
        "datastore|totalLatency_average",
        "ms",
        same("datastore|throughput_contention_average"));
    add(DATASTORE, "datastore|usage_average", "KB/s", same("datastore|throughput_usage_average"));
  }

  /** Counts of what was done, under the three groups that vROps sorts them into. */
  private static void operations() {
    Map<String, List<String>> groups =
        Map.of(
            "inventoryChange",
            List.of("Clone", "Create", "Deploy", "Destroy", "Reconfigure", "Register", UNREGISTER),
            "locationChange",
            List.of("ChangeDS", "ChangeHost", "ChangeHostDS", "SVMotion", "VMotion", "XVMotion"),
            "stateChange",
            List.of(
                "Poweroff",
                "Poweron",
                "RebootGuest",
                "Reset",
                "ShutdownGuest",
                "StandbyGuest",
                "Suspend"));
    new TreeMap<>(groups)
        .forEach(
            (group, names) -> {
              for (String name : names) {
                String counter = "vmop|num" + name + "_latest";
                String key = "vmop|" + group + "|num" + name + "_latest";
                add(CLUSTER, key, "operations", same(counter));
                add(DATACENTER, key, "operations", same(counter));
                add(VCENTER, key, "operations", total(DATACENTER, counter));
              }
            });
  }

  private static void add(String type, String key, String unit, Rule rule) {
    ALL.add(new Figure(type, key, unit, rule));
  }

  private static Rule same(String key) {
    return new Own(key, (samples, entity) -> one(samples.total(key)));
  }

  private static Rule perSecond(String key) {
    return new Own(
        key + " ÷ 20 s", (samples, entity) -> scaled(samples, key, 1 / REAL_TIME_SECONDS));
  }

  private static Rule ofVcpus(String key) {
    return ofVcpus(key, key);
  }

  private static Rule ofVcpus(String key, String words) {
    return new Own(
        words + " ÷ (20 s × vCPUs)",
        (samples, entity) -> scaled(samples, key, 100 / (REAL_TIME_MS * entity.cpus())));
  }

  private static Rule per(String key, String words, ToDoubleFunction<PerfEntity> whole) {
    return new Own(
        key + " ÷ " + words,
        (samples, entity) -> scaled(samples, key, 100 / whole.applyAsDouble(entity)));
  }

  private static Rule fact(String words, ToDoubleFunction<PerfEntity> fact) {
    return new Own(
        words,
        (samples, entity) -> {
          double value = fact.applyAsDouble(entity);
          double[] values = samples.none();
          Arrays.fill(values, value);
          return Double.isNaN(value) ? Map.of() : Map.of("", values);
        });
  }

  private static Rule plus(String... keys) {
    return new Own(
        String.join(" + ", keys),
        (samples, entity) -> {
          double[] sum = new double[samples.moments()];
          for (String key : keys) {
            double[] values = samples.total(key);
            if (values == null) {
              return Map.of();
            }
            for (int i = 0; i < sum.length; i++) {
              sum[i] += values[i];
            }
          }
          return Map.of("", sum);
        });
  }

  private static Rule minus(String from, String... less) {
    return new Own(
        from + " - " + String.join(" - ", less),
        (samples, entity) -> {
          double[] first = samples.total(from);
          if (first == null) {
            return Map.of();
          }
          double[] left = first.clone();
          for (String key : less) {
            double[] values = samples.total(key);
            if (values == null) {
              return Map.of();
            }
            for (int i = 0; i < left.length; i++) {
              left[i] -= values[i];
            }
          }
          for (int i = 0; i < left.length; i++) {
            left[i] = Math.max(0, left[i]); // NaN stays
          }
          return Map.of("", left);
        });
  }

  private static Rule share(String part, String whole, String words) {
    return new Own(
        part + " ÷ " + words,
        (samples, entity) -> {
          double[] parts = samples.total(part);
          double[] wholes = samples.total(whole);
          if (parts == null || wholes == null) {
            return Map.of();
          }
          double[] shares = new double[parts.length];
          for (int i = 0; i < shares.length; i++) {
            shares[i] = wholes[i] == 0 ? 0 : parts[i] / wholes[i] * 100;
          }
          return Map.of("", shares);
        });
  }

  private static Rule sumOf(String key) {
    return new Own(
        "sum of " + key + " of all instances",
        (samples, entity) -> together(samples, key, Double::sum));
  }

  private static Rule highestOf(String key) {
    return new Own(
        "highest " + key + " of all instances",
        (samples, entity) -> together(samples, key, Math::max));
  }

  private static Rule weighted(String key, String weight) {
    return new Own(
        "mean of " + key + " of all instances, weighted by " + weight,
        (samples, entity) -> {
          Map<String, double[]> each = samples.each(key);
          Mean mean = new Mean(samples.moments());
          each.forEach((instance, values) -> mean.add(values, samples.each(weight).get(instance)));
          return each.isEmpty() ? Map.of() : Map.of("", mean.values());
        });
  }

  /** The sum of two counters of each instance, and of all of these. */
  private static Rule eachPlus(String one, String other) {
    return new Own(
        one + " + " + other,
        (samples, entity) -> {
          Map<String, double[]> sums = new HashMap<>();
          double[] all = new double[samples.moments()];
          samples
              .each(one)
              .forEach(
                  (instance, values) -> {
                    double[] others = samples.each(other).get(instance);
                    if (others != null) {
                      double[] sum = new double[values.length];
                      for (int i = 0; i < sum.length; i++) {
                        sum[i] = values[i] + others[i];
                        all[i] += Double.isNaN(sum[i]) ? 0 : sum[i];
                      }
                      sums.put(instance, sum);
                    }
                  });
          if (!sums.isEmpty()) {
            sums.put("", all);
          }
          return sums;
        });
  }

  /** The latency of reads and writes together of each instance, and of all of these. */
  private static Rule eachLatency(String group) {
    String readLatency = group + "|totalReadLatency_average";
    String writeLatency = group + "|totalWriteLatency_average";
    String reads = group + "|numberReadAveraged_average";
    String writes = group + "|numberWriteAveraged_average";
    return new Own(
        "mean of " + readLatency + " and " + writeLatency + ", weighted by reads and writes",
        (samples, entity) -> {
          Map<String, double[]> latencies = new HashMap<>();
          Mean all = new Mean(samples.moments());
          samples
              .each(readLatency)
              .forEach(
                  (instance, values) -> {
                    double[] others = samples.each(writeLatency).get(instance);
                    if (others != null) {
                      Mean mean = new Mean(samples.moments());
                      for (Mean one : List.of(mean, all)) {
                        one.add(values, samples.each(reads).get(instance));
                        one.add(others, samples.each(writes).get(instance));
                      }
                      latencies.put(instance, mean.values());
                    }
                  });
          if (!latencies.isEmpty()) {
            latencies.put("", all.values());
          }
          return latencies;
        });
  }

  private static Rule peak(String key) {
    return new Window(key, true);
  }

  private static Rule sum(String key) {
    return new Window(key, false);
  }

  private static Rule total(String part, String key) {
    return new OfParts(part, Together.SUM, key, List.of(), Double.NaN);
  }

  private static Rule highest(String part, String key) {
    return new OfParts(part, Together.HIGHEST, key, List.of(), Double.NaN);
  }

  private static Rule above(String part, String key, double bound) {
    return new OfParts(part, Together.SHARE, key, List.of(), bound);
  }

  private static Rule mean(String part, String key, String weight) {
    return new OfParts(part, Together.MEAN, key, List.of(weight), Double.NaN);
  }

  private static Map<String, double[]> one(double @Nullable [] values) {
    return values == null ? Map.of() : Map.of("", values);
  }

  private static Map<String, double[]> scaled(Samples samples, String key, double factor) {
    double[] values = samples.total(key);
    if (values == null || !Double.isFinite(factor)) {
      return Map.of();
    }
    double[] scaled = new double[values.length];
    for (int i = 0; i < scaled.length; i++) {
      scaled[i] = values[i] * factor;
    }
    return Map.of("", scaled);
  }

  private interface Two {
    double of(double a, double b);
  }

  private static Map<String, double[]> together(Samples samples, String key, Two two) {
    Map<String, double[]> each = samples.each(key);
    if (each.isEmpty()) {
      return Map.of();
    }
    double[] all = samples.none();
    for (double[] values : each.values()) {
      for (int i = 0; i < all.length; i++) {
        if (!Double.isNaN(values[i])) {
          all[i] = Double.isNaN(all[i]) ? values[i] : two.of(all[i], values[i]);
        }
      }
    }
    return Map.of("", all);
  }

  /** Mean that is 0 where all weights are: no commands, no latency. */
  private static final class Mean {
    private final double[] sums;
    private final double[] weights;
    private final boolean[] any;

    Mean(int moments) {
      sums = new double[moments];
      weights = new double[moments];
      any = new boolean[moments];
    }

    void add(double[] values, double @Nullable [] by) {
      for (int i = 0; i < sums.length; i++) {
        double weight = by == null ? 1 : by[i];
        if (!Double.isNaN(values[i]) && !Double.isNaN(weight)) {
          sums[i] += values[i] * weight;
          weights[i] += weight;
          any[i] = true;
        }
      }
    }

    double[] values() {
      double[] means = new double[sums.length];
      for (int i = 0; i < means.length; i++) {
        means[i] = !any[i] ? Double.NaN : weights[i] == 0 ? 0 : sums[i] / weights[i];
      }
      return means;
    }
  }

  /** A bound as people write it. */
  static String written(double bound) {
    return bound == Math.rint(bound)
        ? String.format(Locale.ROOT, "%.0f", bound)
        : Double.toString(bound);
  }
}
