package io.peerlens.vcenter.inventory;

import io.peerlens.vcenter.vim.XmlValue;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * vSAN of a host: its place in the cluster, and its disk groups and disks, which are objects under
 * the kinds of vROps' adapter for vSAN. vSAN ESA has no disk groups.
 */
final class VirtualSan {

  /** vROps' adapter kind of vSAN's objects. */
  static final String ADAPTER = "VirtualAndPhysicalSANAdapter";

  static final String DISK_GROUP = "VirtualSANDiskGroup";
  static final String CACHE_DISK = "CacheDisk";
  static final String CAPACITY_DISK = "CapacityDisk";

  /** All kinds, those above first. */
  static final List<String> KINDS = List.of(DISK_GROUP, CACHE_DISK, CAPACITY_DISK);

  private static final double GIB = 1024.0 * 1024 * 1024;

  private VirtualSan() {}

  static void host(XmlValue config, Facts facts) {
    facts.property("vsan|clusterUuid", config.text("clusterInfo.uuid"));
    facts.property("vsan|nodeUuid", config.text("clusterInfo.nodeUuid"));
    facts.property("vsan|faultDomain", config.text("faultDomainInfo.name"));
    facts.property("vsan|autoClaimStorage", config.text("storageInfo.autoClaimStorage"));
    facts.property("vsan|esaEnabled", config.text("vsanEsaEnabled"));
    XmlValue storage = config.at("storageInfo");
    if (storage == null) {
      return;
    }
    Map<String, XmlValue> mappings = new LinkedHashMap<>();
    Map<String, String> mounted = new LinkedHashMap<>();
    for (XmlValue mapping : storage.all("diskMapping")) {
      mappings.put(uuid(mapping.at("ssd")), mapping);
    }
    for (XmlValue info : storage.all("diskMapInfo")) {
      XmlValue mapping = info.at("mapping");
      if (mapping != null) {
        mappings.putIfAbsent(uuid(mapping.at("ssd")), mapping);
        mounted.put(uuid(mapping.at("ssd")), info.text("mounted"));
      }
    }
    mappings.remove("");
    double capacity = 0;
    for (Map.Entry<String, XmlValue> mapping : mappings.entrySet()) {
      capacity +=
          diskGroup(
              mapping.getKey(),
              mapping.getValue(),
              mounted.getOrDefault(mapping.getKey(), ""),
              facts);
    }
    if (config.isTrue("enabled")) {
      facts.metric("vsan|disk_groups", mappings.size(), "");
      facts.metric("vsan|capacity", capacity, "GB");
    }
  }

  /** Returns the capacity in GB. */
  private static double diskGroup(String uuid, XmlValue mapping, String mounted, Facts facts) {
    String id = "vsan-disk-group-" + uuid;
    XmlValue cache = mapping.at("ssd");
    List<XmlValue> disks = mapping.all("nonSsd");
    boolean flash = disks.stream().allMatch(disk -> disk.isTrue("ssd"));
    double capacity = 0;
    List<Component> parts = new ArrayList<>();
    if (cache != null) {
      parts.add(disk(CACHE_DISK, cache, id));
    }
    for (XmlValue disk : disks) {
      parts.add(disk(CAPACITY_DISK, disk, id));
      capacity += gigabytes(disk);
    }
    Map<String, String> properties = new LinkedHashMap<>();
    properties.put("configuration|uuid", uuid);
    put(properties, "configuration|cacheDisk", cache == null ? "" : cache.text("canonicalName"));
    properties.put("configuration|type", flash ? "All-flash" : "Hybrid");
    put(properties, "configuration|isMounted", mounted);
    put(
        properties,
        "configuration|formatVersion",
        cache == null ? "" : cache.text("vsanDiskInfo.formatVersion"));
    Map<String, Double> metrics = new LinkedHashMap<>();
    metric(metrics, facts, "summary|total_number_capacity_disks", disks.size(), "");
    metric(metrics, facts, "capacity|total_capacity", capacity, "GB");
    if (cache != null) {
      metric(metrics, facts, "capacity|cache", gigabytes(cache), "GB");
    }
    facts.component(
        new Component(
            DISK_GROUP,
            id,
            "disk group " + (cache == null ? uuid : cache.text("canonicalName")),
            null,
            properties,
            metrics));
    parts.forEach(facts::component);
    return capacity;
  }

  private static Component disk(String kind, XmlValue disk, String group) {
    Map<String, String> properties = new LinkedHashMap<>();
    put(properties, "configuration|uuid", uuid(disk));
    put(properties, "configuration|canonicalName", disk.text("canonicalName"));
    put(properties, "configuration|displayName", disk.text("displayName"));
    put(properties, "configuration|vendor", disk.text("vendor").strip());
    put(properties, "configuration|model", disk.text("model").strip());
    put(properties, "configuration|revision", disk.text("revision").strip());
    put(properties, "configuration|ssd", disk.text("ssd"));
    put(properties, "configuration|queueDepth", disk.text("queueDepth"));
    put(properties, "configuration|formatVersion", disk.text("vsanDiskInfo.formatVersion"));
    Map<String, Double> metrics = new LinkedHashMap<>();
    if (gigabytes(disk) > 0) {
      metrics.put("capacity|total_capacity", gigabytes(disk));
    }
    return new Component(
        kind, "vsan-disk-" + uuid(disk), disk.text("canonicalName"), group, properties, metrics);
  }

  private static void metric(
      Map<String, Double> metrics, Facts facts, String key, double value, String unit) {
    metrics.put(key, value);
    facts.unit(key, unit);
  }

  private static void put(Map<String, String> properties, String key, String text) {
    if (!text.isBlank()) {
      properties.put(key, text);
    }
  }

  /** vSAN's own, by which its performance service calls it; else that of the device. */
  private static String uuid(@Nullable XmlValue disk) {
    if (disk == null) {
      return "";
    }
    String uuid = disk.text("vsanDiskInfo.vsanUuid");
    return uuid.isEmpty() ? disk.text("uuid") : uuid;
  }

  private static double gigabytes(XmlValue disk) {
    double bytes = disk.number("capacity.block") * disk.number("capacity.blockSize");
    return Double.isNaN(bytes) ? 0 : bytes / GIB;
  }
}
