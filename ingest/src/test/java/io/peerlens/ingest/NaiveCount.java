package io.peerlens.ingest;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * What a capture of Telegraf's lines holds, counted by splitting text and nothing of ours: for
 * lines without escapes, whose only quoted spaces are in {@code uptime_format}.
 */
final class NaiveCount {

  private static final Map<String, String> KINDS =
      Map.of(
          "vm", "VirtualMachine",
          "host", "HostSystem",
          "cluster", "ClusterComputeResource",
          "resourcepool", "ResourcePool",
          "datastore", "Datastore",
          "datacenter", "Datacenter");
  private static final Map<String, String> VSPHERE_INSTANCE =
      Map.of(
          "cpu", "cpu",
          "net", "interface",
          "disk", "disk",
          "virtualDisk", "disk",
          "datastore", "lun",
          "storageAdapter", "adapter");
  private static final Map<String, String> HOST_INSTANCE =
      Map.of("cpu", "cpu", "net", "interface", "disk", "path", "diskio", "name");
  private static final Set<String> HOST_PLUGINS =
      Set.of(
          "cpu",
          "mem",
          "swap",
          "net",
          "disk",
          "diskio",
          "system",
          "processes",
          "kernel",
          "netstat");
  private static final Map<String, String> COUNTERS =
      Map.of(
          "cpu", "time_.*",
          "swap", "in|out",
          "net", "bytes_.*|packets_.*|err_.*|drop_.*",
          "diskio", "reads|writes|read_bytes|write_bytes|.*_time|merged_.*",
          "kernel", "context_switches|interrupts|processes_forked");

  final Map<String, Set<String>> objects = new TreeMap<>();
  final Set<String> sets = new HashSet<>();
  final Set<String> metrics = new HashSet<>();
  final Map<String, Double> points = new HashMap<>();
  final Set<String> rows = new HashSet<>();
  int linesWithoutNumber;
  private final Map<String, Long> lastCount = new HashMap<>();
  private final Map<String, Double> lastValue = new HashMap<>();

  static NaiveCount of(List<String> lines) {
    NaiveCount count = new NaiveCount();
    lines.forEach(count::add);
    return count;
  }

  Map<String, Integer> objectsPerKind() {
    return objects.entrySet().stream()
        .collect(Collectors.toMap(Map.Entry::getKey, e -> e.getValue().size()));
  }

  private void add(String line) {
    int firstSpace = line.indexOf(' ');
    int lastSpace = line.lastIndexOf(' ');
    String[] key = line.substring(0, firstSpace).split(",");
    Map<String, String> tags = new TreeMap<>();
    for (int i = 1; i < key.length; i++) {
      tags.put(key[i].split("=")[0], key[i].split("=")[1]);
    }
    String measurement = key[0];
    String kind = "Host";
    String object = tags.get("host");
    String group = measurement;
    String instance;
    if (measurement.startsWith("vsphere_")) {
      String[] parts = measurement.split("_");
      kind = Objects.requireNonNull(KINDS.get(parts[1]));
      group = parts[2];
      object = tags.get("vcenter") + "/" + tags.get("moid");
      instance = tags.getOrDefault(VSPHERE_INSTANCE.getOrDefault(group, "instance"), "");
    } else if (HOST_PLUGINS.contains(measurement)) {
      instance = tags.getOrDefault(HOST_INSTANCE.getOrDefault(group, "-"), "");
    } else {
      tags.remove("host");
      instance = tags.entrySet().stream().map(Object::toString).collect(Collectors.joining(","));
    }
    if (instance.equals("instance-total") || instance.equals("cpu-total")) {
      instance = "";
    }
    long micros = Long.parseLong(line.substring(lastSpace + 1)) / 1000;
    boolean any = false;
    String metricKind = (kind.equals("Host") ? "Telegraf/" : "VMWARE/") + kind + "/" + group + "/";
    for (String field : line.substring(firstSpace + 1, lastSpace).split(",")) {
      String name = field.split("=")[0];
      String text = field.split("=")[1];
      if (text.startsWith("\"")) {
        continue;
      }
      any = true;
      double value =
          Double.parseDouble(text.endsWith("i") ? text.substring(0, text.length() - 1) : text);
      String series = kind + "/" + object + "/" + group + ":" + instance + "|" + name;
      metrics.add(metricKind + name);
      points.put(series + "@" + micros, value);
      if (HOST_PLUGINS.contains(measurement) && name.matches(COUNTERS.getOrDefault(group, "-"))) {
        metrics.add(metricKind + name + "_rate");
        Long before = lastCount.get(series);
        if (before == null || micros > before) {
          if (before != null && micros - before <= 3_600_000_000L) {
            double last = Objects.requireNonNull(lastValue.get(series));
            points.put(
                series + "_rate@" + micros,
                (value >= last ? value - last : value) * 1e6 / (micros - before));
          }
          lastCount.put(series, micros);
          lastValue.put(series, value);
        }
      }
    }
    if (any) {
      objects.computeIfAbsent(kind, k -> new HashSet<>()).add(object);
      String set = kind + "/" + object + "/" + group + ":" + instance;
      sets.add(set);
      rows.add(set + "@" + micros);
    } else {
      linesWithoutNumber++;
    }
  }
}
