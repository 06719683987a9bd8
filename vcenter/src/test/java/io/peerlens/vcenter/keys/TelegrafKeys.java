package io.peerlens.vcenter.keys;

import io.peerlens.ingest.mapping.FieldUse;
import io.peerlens.ingest.mapping.MappedSeries;
import io.peerlens.ingest.mapping.Mappings;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import tools.jackson.databind.JsonNode;

/**
 * Keys that Telegraf's inputs.vsphere gives with docs/telegraf/vsphere.conf: the counters of its
 * groups and what telegraf-vsphere.yaml makes of its tags. It knows no figures and no
 * configuration.
 */
final class TelegrafKeys {

  /** Groups of docs/telegraf/vsphere.conf; of the other types all. */
  private static final Map<String, Set<String>> GROUPS =
      Map.of(
          "VirtualMachine",
          Set.of("cpu", "mem", "net", "disk", "virtualDisk", "datastore"),
          "HostSystem",
          Set.of("cpu", "mem", "net", "disk", "storageAdapter"));

  private static final Map<String, String> MEASUREMENTS =
      Map.of(
          "VirtualMachine", "vsphere_vm_",
          "HostSystem", "vsphere_host_",
          "ClusterComputeResource", "vsphere_cluster_",
          "ResourcePool", "vsphere_resourcepool_",
          "Datastore", "vsphere_datastore_",
          "Datacenter", "vsphere_datacenter_");

  private static final Map<String, String> TAGS = tags();

  private final Mappings mappings = Mappings.shipped();
  private final Map<String, Set<String>> byKind = new HashMap<>();

  /** Units of metrics by kind and key. */
  final Map<String, Map<String, String>> units = new HashMap<>();

  TelegrafKeys() {
    CollectorKeys.counters()
        .properties()
        .forEach(
            type -> {
              String measurement = MEASUREMENTS.get(type.getKey());
              if (measurement != null) {
                for (String part : List.of("total", "each")) {
                  for (JsonNode name : type.getValue().path(part)) {
                    CollectorKeys.expanded(name.asString())
                        .forEach(counter -> counter(type.getKey(), measurement, counter));
                  }
                }
              }
            });
  }

  private static Map<String, String> tags() {
    Map<String, String> tags = new HashMap<>();
    for (String tag :
        List.of(
            "vcenter",
            "moid",
            "vmname",
            "dcname",
            "esxhostname",
            "clustername",
            "rpname",
            "dsname",
            "source",
            "guesthostname",
            "ipv4",
            "ipv6",
            "guest",
            "uuid",
            "interface",
            "lun")) {
      tags.put(tag, tag);
    }
    return tags;
  }

  private void counter(String type, String measurement, String counter) {
    String[] words = CollectorKeys.words(counter);
    Set<String> groups = GROUPS.get(type);
    if (groups != null && !groups.contains(words[0]) && !counter.equals("sys.uptime.latest")) {
      return;
    }
    MappedSeries mapped = mappings.map(measurement + words[0], TAGS);
    String kind = mapped.key().object().objectKind();
    Set<String> keys = byKind.computeIfAbsent(kind, k -> new HashSet<>());
    mapped.attributes().properties().keySet().forEach(key -> keys.add(PublishedUses.plain(key)));
    String field = words[1].replace('.', '_') + "_" + words[2];
    FieldUse use = Objects.requireNonNull(mapped.fields()).number(field);
    if (use instanceof FieldUse.Value value) {
      String key = mapped.key().group() + "|" + value.metric();
      keys.add(key);
      String unit = value.unit();
      units.computeIfAbsent(kind, k -> new HashMap<>()).put(key, unit == null ? "" : unit);
    }
    for (String sent : List.of("memorySizeMB", "memoryReservation")) {
      if (mapped.fields().number(sent) instanceof FieldUse.Property property) {
        keys.add(property.property());
      }
    }
  }

  boolean has(String kind, String key) {
    return byKind.getOrDefault(kind, Set.of()).contains(key);
  }
}
