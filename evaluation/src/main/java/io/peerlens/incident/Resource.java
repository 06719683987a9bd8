package io.peerlens.incident;

import io.peerlens.threshold.Condition;
import java.util.List;
import java.util.Locale;

/** Resource of an object that an alert is about, told by the key of its metric. */
enum Resource {
  /** Processors: use, demand. */
  CPU,
  /** Waiting for processors: ready, co-stop, contention. */
  CPU_WAIT,
  /** Memory: use, and what the hypervisor takes back: ballooning, swapping, compression. */
  MEMORY,
  /** Storage: latency, queues, throughput. */
  STORAGE,
  /** Room on storage, which no slowness follows from. */
  CAPACITY,
  /** Network: traffic, losses, errors. */
  NETWORK,
  /** Nothing is heard of the object. */
  SILENCE,
  /** Anything else; it explains only alerts of the same metric on the same object. */
  OTHER;

  private static final List<String> WAITS = List.of("ready", "readiness", "costop", "contention");
  private static final List<String> STORES =
      List.of("disk", "virtualdisk", "datastore", "storageadapter", "storagepath", "diskio");
  private static final List<String> VSAN =
      List.of("clusterdom", "hostdom", "diskgroup", "vsan", "cachedisk", "capacitydisk");
  private static final List<String> ROOM =
      List.of("used", "free", "capacity", "provisioned", "diskspace", "timeremaining");

  /**
   * Classifies a metric.
   *
   * @param key such as {@code cpu:0|usage_average}
   * @param operator of the condition, {@code no-data} for missing data
   */
  static Resource of(String key, String operator) {
    if (operator.equals(Condition.NO_DATA)) {
      return SILENCE;
    }
    String lower = key.toLowerCase(Locale.ROOT);
    int bar = lower.lastIndexOf('|');
    String whole = bar < 0 ? "" : lower.substring(0, bar);
    int colon = whole.indexOf(':');
    String group = colon < 0 ? whole : whole.substring(0, colon);
    String metric = bar < 0 ? lower : lower.substring(bar + 1);
    if (lower.contains("diskspace") || (STORES.contains(group) && any(metric, ROOM))) {
      return CAPACITY;
    }
    if (VSAN.stream().anyMatch(group::startsWith)) {
      return metric.contains("free") ? CAPACITY : STORAGE;
    }
    if (STORES.contains(group)) {
      return STORAGE;
    }
    return switch (group) {
      case "cpu", "rescpu" -> any(metric, WAITS) ? CPU_WAIT : CPU;
      case "mem" -> MEMORY;
      case "net", "flow", "pnic" -> NETWORK;
      default -> OTHER;
    };
  }

  private static boolean any(String metric, List<String> words) {
    return words.stream().anyMatch(metric::contains);
  }

  /**
   * Whether trouble with this above an object leads to trouble with another on it. A host without
   * memory takes it from its machines, by ballooning and swapping; a machine that swaps waits for
   * processors and disks.
   */
  boolean leadsTo(Resource below) {
    return switch (this) {
      case CPU -> below == CPU_WAIT;
      case CPU_WAIT -> below == CPU_WAIT;
      case MEMORY -> below == MEMORY || below == CPU_WAIT || below == STORAGE;
      case STORAGE -> below == STORAGE;
      case NETWORK -> below == NETWORK || below == SILENCE;
      case SILENCE -> below == SILENCE;
      case CAPACITY, OTHER -> false;
    };
  }
}
