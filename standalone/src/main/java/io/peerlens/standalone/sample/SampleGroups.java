package io.peerlens.standalone.sample;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.json.JsonMapper;

/**
 * Groups of peers for the sample datacentre: one for each tier whose machines do the same work, and
 * one for the hosts of each cluster, so that the one that is unlike the others is found.
 */
public final class SampleGroups {

  /** Machines of tiers that differ more than this do not do the same work. */
  private static final double ALIKE = 0.1;

  private static final int FEWEST = 3;

  /** In what machines are compared. */
  static final List<String> METRICS = List.of("cpu|usage_average", "net|usage_average");

  /** In what hosts are compared. */
  private static final String OF_HOSTS = "disk|maxTotalLatency_latest";

  /** How hosts of a cluster must be configured alike. */
  private static final List<String> CONFIGURED_ALIKE =
      List.of(
          "config|storageDevice|*",
          "config|security|*",
          "config|network|d*",
          "config|advanced|*",
          "hardware|bios*",
          "hardware|powerManagementPolicy",
          "summary|version");

  private SampleGroups() {}

  /** The tiers that are compared. */
  static List<Tier> tiers() {
    return Tier.ALL.stream()
        .filter(tier -> tier.count() >= FEWEST && tier.spread() <= ALIKE)
        .toList();
  }

  /** A rules file with all groups. */
  public static byte[] rulesFile() {
    List<Inventory.Cluster> clusters = new Inventory(1).clusters;
    List<Map<String, Object>> groups = new ArrayList<>();
    for (Tier tier : tiers()) {
      Map<String, Object> group = new LinkedHashMap<>();
      group.put("name", tier.app() + "/" + tier.tier());
      group.put(
          "description",
          "The %d machines of the tier %s of %s, which share its work."
              .formatted(tier.count(), tier.tier(), tier.app()));
      group.put("objectKind", Map.of("adapterKind", "VMWARE", "objectKind", "VirtualMachine"));
      group.put("scope", Map.of("tags", List.of("app=" + tier.app(), "tier=" + tier.tier())));
      group.put("metrics", METRICS.stream().map(key -> Map.of("key", key)).toList());
      group.put(
          "alert",
          Map.of(
              "severity",
              tier.tier().equals("web") ? "immediate" : "warning",
              "impact",
              "health",
              "recommendations",
              List.of(
                  "Look at what sets it apart: a change shortly before is the likely cause.",
                  "Compare its share of the work with that of the others, for instance its weight in"
                      + " the load balancer.")));
      groups.add(group);
    }
    for (Inventory.Cluster cluster : clusters) {
      groups.add(hosts(cluster));
    }
    Map<String, Object> file = new LinkedHashMap<>();
    file.put("format", "peerlens-rules");
    file.put("version", 1);
    file.put("summary", "Groups of peers of the sample datacentre.");
    file.put("outlierGroups", groups);
    return JsonMapper.builder().build().writeValueAsBytes(file);
  }

  private static Map<String, Object> hosts(Inventory.Cluster cluster) {
    Map<String, Object> group = new LinkedHashMap<>();
    group.put("name", "Hosts of " + cluster.name());
    group.put(
        "description",
        "The %d hosts of the cluster, which reach the same storage and are configured alike."
            .formatted(cluster.hosts().size()));
    group.put("objectKind", Map.of("adapterKind", "VMWARE", "objectKind", "HostSystem"));
    group.put("scope", Map.of("properties", List.of("summary|parentCluster=" + cluster.name())));
    group.put("metrics", List.of(Map.of("key", OF_HOSTS)));
    group.put(
        "properties",
        CONFIGURED_ALIKE.stream().map(pattern -> Map.of("pattern", pattern)).toList());
    group.put("configuration", Map.of("lasts", "10m")); // nobody waits an hour for a first look
    group.put("alert", Map.of("severity", "warning", "impact", "risk"));
    return group;
  }
}
