package io.peerlens.slow.api;

import static io.peerlens.slow.api.Kinds.CLUSTER;

import io.peerlens.slow.DiskLimit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Limits of operations a second of disks: those of ESXi, which the collector of vCenter tells as
 * properties, and those of vSAN's policies, which its performance service tells of each virtual
 * disk.
 */
final class DiskLimits {

  private static final Pattern PROPERTY =
      Pattern.compile("virtualDisk:([^|]+)\\|(iopsLimit|uuid|backingObjectId|label|storagePolicy)");
  private static final String VSAN = "virtualdisk|iops_limit";

  private final SeriesBatch batch;
  private final Set<String> known;
  private final @Nullable Integer cluster;

  DiskLimits(SeriesBatch batch, @Nullable Integer cluster) {
    this.batch = batch;
    this.cluster = cluster;
    this.known =
        cluster == null
            ? Set.of()
            : batch.instances(CLUSTER, VSAN, Set.of(cluster)).getOrDefault(cluster, Set.of());
  }

  /** Properties of each disk. */
  private static Map<String, Map<String, String>> disks(Map<String, String> properties) {
    Map<String, Map<String, String>> disks = new HashMap<>();
    properties.forEach(
        (key, value) -> {
          Matcher matcher = PROPERTY.matcher(key);
          if (matcher.matches()) {
            disks
                .computeIfAbsent(matcher.group(1), id -> new HashMap<>())
                .put(matcher.group(2), value);
          }
        });
    return disks;
  }

  /**
   * Instances of a machine's disks in vSAN's performance, with the disk that each is; an empty one
   * = the machine's.
   */
  Map<String, String> ofVsan(Map<String, String> properties) {
    Map<String, String> found = new HashMap<>();
    disks(properties)
        .forEach(
            (disk, of) -> {
              for (String key : List.of("backingObjectId", "uuid")) {
                String instance = "uuid=" + of.getOrDefault(key, "");
                if (known.contains(instance)) {
                  found.putIfAbsent(instance, disk);
                }
              }
            });
    for (String key : List.of("config|uuid", "config|instanceUuid")) {
      String instance = "uuid=" + properties.getOrDefault(key, "");
      if (known.contains(instance)) {
        found.putIfAbsent(instance, "");
      }
    }
    return found;
  }

  /**
   * Reads the history of a disk, with all that the batch was asked for before.
   *
   * @param disk the disk as it is known now
   * @return null = nothing of it is known in this time
   */
  static @Nullable DiskLimit read(SeriesBatch batch, Place place, DiskLimit disk) {
    MachineKeys keys = new MachineKeys(batch);
    keys.want(List.of(place.machine()));
    Map<String, String> properties = place.properties().getOrDefault(place.machine(), Map.of());
    DiskLimits limits = new DiskLimits(batch, place.cluster());
    limits.want(properties);
    batch.read();
    return limits.of(place.machine(), properties, keys).stream()
        .filter(one -> one.disk().equals(disk.disk()))
        .findFirst()
        .orElse(null);
  }

  /** Wishes what vSAN tells of a machine's disks. */
  void want(Map<String, String> properties) {
    if (cluster != null) {
      for (String instance : ofVsan(properties).keySet()) {
        for (String metric : List.of("iops_limit", "niops", "niops_delayed")) {
          batch.want(CLUSTER, vsan(instance, metric), List.of(cluster));
        }
      }
    }
  }

  private static String vsan(String instance, String metric) {
    return "virtualdisk:" + instance + "|" + metric;
  }

  private double @Nullable [] ofVsan(String instance, String metric) {
    return cluster == null ? null : batch.get(CLUSTER, vsan(instance, metric), cluster);
  }

  /** Whether it would be known if a machine had a limit. */
  boolean isKnown(Map<String, String> properties) {
    return disks(properties).values().stream().anyMatch(of -> of.containsKey("iopsLimit"))
        || !ofVsan(properties).isEmpty();
  }

  /** Whether a machine has a limit on any disk; what vSAN tells of it must have been read. */
  boolean isLimited(Map<String, String> properties) {
    return disks(properties).values().stream().anyMatch(of -> limit(of) > 0)
        || ofVsan(properties).keySet().stream()
            .anyMatch(instance -> last(ofVsan(instance, "iops_limit")) > 0);
  }

  private static double limit(Map<String, String> disk) {
    try {
      return Double.parseDouble(disk.getOrDefault("iopsLimit", "0"));
    } catch (NumberFormatException e) {
      return 0;
    }
  }

  private static double last(double @Nullable [] values) {
    return values == null ? Double.NaN : values[values.length - 1];
  }

  /** Disks of a machine with a limit, over the steps that were read. */
  List<DiskLimit> of(int machine, Map<String, String> properties, MachineKeys keys) {
    List<DiskLimit> limits = new ArrayList<>();
    Set<String> withProperty = new LinkedHashSet<>();
    Map<String, Map<String, String>> disks = disks(properties);
    Map<String, String> byDisk = new HashMap<>();
    ofVsan(properties).forEach((instance, disk) -> byDisk.put(disk, instance));
    disks.forEach(
        (disk, of) -> {
          if (limit(of) > 0) {
            withProperty.add(disk);
            limits.add(limit(machine, disk, disks, limit(of), byDisk.get(disk), keys));
          }
        });
    byDisk.forEach(
        (disk, instance) -> {
          double limit = last(ofVsan(instance, "iops_limit"));
          if (limit > 0 && !withProperty.contains(disk)) {
            limits.add(limit(machine, disk, disks, limit, instance, keys));
          }
        });
    return limits;
  }

  private DiskLimit limit(
      int machine,
      String disk,
      Map<String, Map<String, String>> disks,
      double limit,
      @Nullable String vsan,
      MachineKeys keys) {
    // A machine with a single disk may have its figures as a whole only.
    boolean apart = !disk.isEmpty() && keys.disks(machine).contains(disk);
    String instance = apart ? disk : "";
    Map<String, String> of =
        disk.isEmpty() && disks.size() == 1
            ? disks.values().iterator().next()
            : disks.getOrDefault(disk, Map.of());
    double[] none = SeriesBatch.none(batch.steps());
    double[] iops = or(keys.iops(machine, instance), none);
    double[] block = or(keys.block(machine, instance), none);
    double[] counted = vsan == null ? null : ofVsan(vsan, "niops");
    double[] read =
        apart
            ? keys.ofDisk(MachineKeys.READ_LATENCY, machine, disk)
            : keys.latency(MachineKeys.READ_LATENCY, machine);
    double[] write =
        apart
            ? keys.ofDisk(MachineKeys.WRITE_LATENCY, machine, disk)
            : keys.latency(MachineKeys.WRITE_LATENCY, machine);
    return new DiskLimit(
        of.getOrDefault("label", disk.isEmpty() ? "its disk" : disk),
        instance,
        of.get("storagePolicy"),
        limit,
        counted == null ? counted(iops, block) : counted,
        iops,
        block,
        higher(or(read, none), or(write, none)),
        or(vsan == null ? null : ofVsan(vsan, "niops_delayed"), none));
  }

  private static double[] or(double @Nullable [] values, double[] otherwise) {
    return values == null ? otherwise : values;
  }

  private static double[] counted(double[] iops, double[] block) {
    double[] counted = new double[iops.length];
    for (int i = 0; i < counted.length; i++) {
      counted[i] = iops[i] * (Double.isNaN(block[i]) ? 1 : DiskLimit.weight(block[i]));
    }
    return counted;
  }

  private static double[] higher(double[] a, double[] b) {
    double[] higher = new double[a.length];
    for (int i = 0; i < higher.length; i++) {
      higher[i] = Double.isNaN(a[i]) ? b[i] : Double.isNaN(b[i]) ? a[i] : Math.max(a[i], b[i]);
    }
    return higher;
  }
}
