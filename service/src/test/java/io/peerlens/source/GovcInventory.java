package io.peerlens.source;

import io.peerlens.support.Vcsim;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.MappingIterator;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/**
 * A vCenter as govc tells of it, put into the words of the API by a table of its own: path of govc,
 * our key, conversion. It shares nothing with the collector, which reads the same from vCenter.
 */
final class GovcInventory {

  private static final double GIB = 1024.0 * 1024 * 1024;
  private static final JsonMapper JSON = JsonMapper.shared();

  /** Kinds of objects by govc's types; a host of its own stands in a ComputeResource, no object. */
  private static final Map<String, String> KINDS =
      Map.ofEntries(
          Map.entry("VirtualMachine", "VirtualMachine"),
          Map.entry("HostSystem", "HostSystem"),
          Map.entry("ClusterComputeResource", "ClusterComputeResource"),
          Map.entry("ComputeResource", ""),
          Map.entry("ResourcePool", "ResourcePool"),
          Map.entry("VirtualApp", "ResourcePool"),
          Map.entry("Datacenter", "Datacenter"),
          Map.entry("Folder", "Folder"),
          Map.entry("StoragePod", "StoragePod"),
          Map.entry("Datastore", "Datastore"),
          Map.entry("Network", "Network"),
          Map.entry("OpaqueNetwork", "OpaqueNetwork"),
          Map.entry("DistributedVirtualPortgroup", "DistributedVirtualPortgroup"),
          Map.entry("DistributedVirtualSwitch", "VmwareDistributedVirtualSwitch"));

  /**
   * An object.
   *
   * @param properties by key; texts
   * @param metrics by key; what govc has as such
   * @param parents kinds and external ids, such as {@code Folder vc/group-1}
   */
  record Thing(
      String kind,
      String id,
      String name,
      Map<String, String> properties,
      Map<String, Double> metrics,
      Map<String, String> tags,
      Set<String> parents,
      Set<String> children) {}

  /** A row of the table; a conversion that gives null tells nothing. */
  private record Row(
      String path, String key, boolean metric, Function<JsonNode, @Nullable String> conversion) {}

  private static final Map<String, List<Row>> TABLE = new HashMap<>();

  private static Row property(String path, String key) {
    return new Row(path, key, false, JsonNode::asString);
  }

  private static Row property(
      String path, String key, Function<JsonNode, @Nullable String> conversion) {
    return new Row(path, key, false, conversion);
  }

  private static Row metric(String path, String key) {
    return new Row(path, key, true, JsonNode::asString);
  }

  private static Row metric(
      String path, String key, Function<JsonNode, @Nullable String> conversion) {
    return new Row(path, key, true, conversion);
  }

  /** A limit of -1 is none, in whatever unit. */
  private static Function<JsonNode, @Nullable String> times(long factor) {
    return value -> value.asLong() == -1 ? "-1" : Long.toString(value.asLong() * factor);
  }

  private static Function<JsonNode, @Nullable String> dividedBy(double divisor) {
    return value -> plain(value.asDouble() / divisor);
  }

  private static Function<JsonNode, @Nullable String> words(String... pairs) {
    Map<String, String> words = new HashMap<>();
    for (int i = 0; i < pairs.length; i += 2) {
      words.put(pairs[i], pairs[i + 1]);
    }
    return value -> words.get(value.asString());
  }

  private static String plain(double value) {
    return new java.math.BigDecimal(value)
        .round(java.math.MathContext.DECIMAL64)
        .stripTrailingZeros()
        .toPlainString();
  }

  static {
    Function<JsonNode, @Nullable String> power =
        words("poweredOn", "Powered On", "poweredOff", "Powered Off", "suspended", "Suspended");
    Function<JsonNode, @Nullable String> isOn = words("poweredOn", "1", "poweredOff", "0");
    Function<JsonNode, @Nullable String> tools =
        words(
            "guestToolsRunning", "Guest Tools Running",
            "guestToolsNotRunning", "Guest Tools Not Running");
    TABLE.put(
        "VirtualMachine",
        List.of(
            property("runtime.powerState", "summary|runtime|powerState", power),
            property("runtime.powerState", "runtime|powerState", power),
            metric("runtime.powerState", "sys|poweredOn", isOn),
            metric("runtime.powerState", "summary|running", isOn),
            property("runtime.connectionState", "summary|runtime|connectionState"),
            property("runtime.consolidationNeeded", "config|disk_consolidation_needed"),
            property("config.template", "summary|config|isTemplate"),
            property(
                "config.template",
                "summary|config|type",
                words("true", "template", "false", "default")),
            property("config.version", "config|version"),
            property("config.guestFullName", "config|guestFullName"),
            property("config.uuid", "config|uuid"),
            property("config.uuid", "summary|smbiosUUID"),
            property("config.instanceUuid", "summary|UUID"),
            property("config.instanceUuid", "config|instanceUuid"),
            property("config.createDate", "config|createDate"),
            property("config.annotation", "sys|notes"),
            property("config.changeTrackingEnabled", "config|ctkEnabled"),
            property("config.cpuHotAddEnabled", "config|extraConfig|vcpu_hotadd"),
            property("config.cpuHotRemoveEnabled", "config|extraConfig|vcpu_hotremove"),
            property("config.memoryHotAddEnabled", "config|extraConfig|mem_hotadd"),
            property("config.firmware", "config|firmware"),
            property(
                "config.bootOptions.efiSecureBootEnabled",
                "config|boot_options_efi_secure_boot_enabled"),
            property("config.latencySensitivity.level", "config|latencySensitivity"),
            property("config.hardware.numCPU", "config|hardware|numCpu"),
            property("config.hardware.numCPU", "config|hardware|num_Cpu"),
            metric("config.hardware.numCPU", "config|hardware|num_Cpu"),
            metric("config.hardware.numCPU", "cpu|corecount_provisioned"),
            property("config.hardware.numCoresPerSocket", "config|hardware|numCoresPerSocket"),
            property("config.hardware.memoryMB", "config|hardware|memoryKB", times(1024)),
            metric("config.hardware.memoryMB", "mem|guest_provisioned", times(1024)),
            property("config.cpuAllocation.limit", "config|cpuAllocation|limit"),
            property("config.cpuAllocation.reservation", "config|cpuAllocation|reservation"),
            property("config.cpuAllocation.shares.shares", "config|cpuAllocation|shares|shares"),
            metric("config.cpuAllocation.limit", "cpu|limit"),
            metric("config.cpuAllocation.reservation", "cpu|reservation"),
            metric("config.cpuAllocation.shares.shares", "summary|cpu_shares"),
            property("config.memoryAllocation.limit", "config|memoryAllocation|limit", times(1024)),
            property(
                "config.memoryAllocation.reservation",
                "config|memoryAllocation|reservation",
                times(1024)),
            property(
                "config.memoryAllocation.shares.shares", "config|memoryAllocation|shares|shares"),
            metric("config.memoryAllocation.limit", "mem|host_limit", times(1024)),
            metric("config.memoryAllocation.reservation", "mem|host_reservation", times(1024)),
            metric("config.memoryAllocation.shares.shares", "summary|mem_shares"),
            property("summary.config.numEthernetCards", "summary|config|numEthernetCards"),
            property("guest.toolsRunningStatus", "summary|guest|toolsRunningStatus", tools),
            metric(
                "guest.toolsRunningStatus",
                "guest|tools_running_status",
                words("guestToolsRunning", "1", "guestToolsNotRunning", "0")),
            property("guest.guestFullName", "summary|guest|fullName"),
            property("guest.guestFamily", "summary|guest|guestFamily"),
            property("guest.hostName", "summary|guest|hostName"),
            property("guest.ipAddress", "summary|guest|ipAddress"),
            metric("summary.storage.committed", "diskspace|used", dividedBy(GIB)),
            metric("summary.storage.unshared", "diskspace|notshared", dividedBy(GIB))));
    TABLE.put(
        "HostSystem",
        List.of(
            property(
                "runtime.powerState",
                "runtime|powerState",
                words("poweredOn", "Powered On", "poweredOff", "Powered Off")),
            metric("runtime.powerState", "sys|poweredOn", isOn),
            property("runtime.connectionState", "runtime|connectionState"),
            property(
                "runtime.inMaintenanceMode",
                "runtime|maintenanceState",
                words("true", "inMaintenance", "false", "notInMaintenance")),
            property(
                "runtime.inQuarantineMode",
                "runtime|quarantineState",
                words("true", "inQuarantine", "false", "notInQuarantine")),
            property("runtime.dasHostState.state", "runtime|dasHostState"),
            property("runtime.cryptoState", "runtime|cryptoState"),
            property("hardware.systemInfo.vendor", "hardware|vendor"),
            property("hardware.systemInfo.model", "hardware|vendorModel"),
            property("hardware.systemInfo.uuid", "summary|hostuuid"),
            property("hardware.biosInfo.biosVersion", "hardware|biosVersion"),
            property("hardware.biosInfo.releaseDate", "hardware|biosReleaseDate"),
            property("hardware.cpuInfo.numCpuCores", "hardware|cpuInfo|numCpuCores"),
            property("hardware.cpuInfo.numCpuPackages", "hardware|cpuInfo|numCpuPackages"),
            property("hardware.cpuInfo.numCpuThreads", "hardware|cpuInfo|numCpuThreads"),
            property("hardware.cpuInfo.hz", "hardware|cpuInfo|hz"),
            property("hardware.cpuInfo.numCpuPackages", "cpu|numCpuSockets"),
            property("hardware.cpuInfo.hz", "cpu|speed"),
            metric("hardware.cpuInfo.numCpuCores", "hardware|cpuInfo|num_CpuCores"),
            metric("hardware.cpuInfo.numCpuCores", "cpu|corecount_provisioned"),
            metric("hardware.cpuInfo.numCpuPackages", "cpu|numpackages"),
            metric("hardware.cpuInfo.hz", "cpu|mhz_per_core", dividedBy(1e6)),
            property("hardware.memorySize", "hardware|memorySize", dividedBy(1024)),
            property("hardware.memorySize", "runtime|memoryCap", dividedBy(1024)),
            metric("hardware.memorySize", "mem|host_provisioned", dividedBy(1024)),
            property("hardware.numaInfo.numNodes", "hardware|numa|nodes"),
            property(
                "hardware.cpuPowerManagementInfo.currentPolicy", "hardware|powerManagementPolicy"),
            property(
                "hardware.cpuPowerManagementInfo.hardwareSupport",
                "hardware|powerManagementTechnoloy"),
            property("summary.hardware.cpuModel", "cpu|cpuModel"),
            property("summary.currentEVCModeKey", "summary|evcMode"),
            metric(
                "summary.config.vmotionEnabled",
                "sys|vmotionEnabled",
                words("true", "1", "false", "0")),
            property("config.product.version", "summary|version"),
            property("config.product.build", "sys|build"),
            property("config.product.fullName", "sys|productString"),
            property("config.product.licenseProductName", "sys|licenseProductName"),
            property("config.product.apiVersion", "config|product|apiVersion"),
            property("config.product.productLineId", "config|product|productLineId"),
            property("config.hyperThread.active", "config|hyperThread|active"),
            property("config.hyperThread.available", "config|hyperThread|available"),
            property("config.network.dnsConfig.domainName", "config|network|domainname"),
            property("config.vsanHostConfig.enabled", "config|vsanEnabled"),
            property("config.vsanHostConfig.clusterInfo.uuid", "vsan|clusterUuid"),
            property("config.vsanHostConfig.clusterInfo.nodeUuid", "vsan|nodeUuid"),
            property("config.vsanHostConfig.storageInfo.autoClaimStorage", "vsan|autoClaimStorage"),
            property("config.vsanHostConfig.faultDomainInfo.name", "vsan|faultDomain"),
            property("config.lockdownMode", "config|security|lockdown|lockdown_mode"),
            property("capability.tpmVersion", "capability|tpmVersion"),
            property("capability.maxRunningVMs", "summary|max_number_vms_property"),
            metric("capability.maxRunningVMs", "summary|max_number_vms")));
    TABLE.put(
        "ClusterComputeResource",
        List.of(
            property("configurationEx.dasConfig.enabled", "configuration|dasConfig|enabled"),
            property(
                "configurationEx.dasConfig.admissionControlEnabled",
                "configuration|dasConfig|admissionControlEnabled"),
            property(
                "configurationEx.dasConfig.hostMonitoring",
                "configuration|dasConfig|hostMonitoring"),
            property(
                "configurationEx.dasConfig.vmMonitoring", "configuration|dasConfig|vmMonitoring"),
            property("configurationEx.drsConfig.enabled", "configuration|drsconfig|enabled"),
            property("configurationEx.drsConfig.enabled", "configuration|drsConfig|enabled"),
            property(
                "configurationEx.drsConfig.defaultVmBehavior",
                "configuration|drsconfig|defaultVmBehavior"),
            property(
                "configurationEx.drsConfig.defaultVmBehavior",
                "configuration|drsConfig|defaultVmBehavior"),
            property(
                "configurationEx.drsConfig.vmotionRate", "configuration|drsconfig|vmotionRate"),
            property(
                "configurationEx.drsConfig.vmotionRate", "configuration|drsConfig|vMotionRate"),
            property(
                "configurationEx.vsanConfigInfo.enabled",
                "configuration|vSANEnabled",
                words("true", "Enabled", "false", "Disabled")),
            property("configurationEx.vsanConfigInfo.enabled", "configuration|vsanEnabled"),
            metric("summary.effectiveCpu", "clusterServices|effectivecpu_average"),
            metric("summary.effectiveMemory", "clusterServices|effectivemem_average"),
            metric("summary.totalCpu", "cpu|capacity_provisioned"),
            metric("summary.totalMemory", "mem|host_provisioned", dividedBy(1024)),
            metric("summary.numCpuCores", "cpu|corecount_provisioned"),
            metric("summary.numHosts", "summary|total_number_hosts"),
            metric("summary.numEffectiveHosts", "summary|number_running_hosts")));
    List<Row> pool =
        List.of(
            property("config.cpuAllocation.limit", "config|cpuAllocation|limit"),
            property("config.cpuAllocation.reservation", "config|cpuAllocation|reservation"),
            property(
                "config.cpuAllocation.expandableReservation",
                "config|cpuAllocation|expandableReservation"),
            property("config.cpuAllocation.shares.shares", "config|cpuAllocation|shares|shares"),
            metric("config.cpuAllocation.limit", "cpu|limit"),
            metric("config.cpuAllocation.reservation", "cpu|reservation"),
            metric("config.cpuAllocation.shares.shares", "cpu|shares"),
            property("config.memoryAllocation.limit", "config|memoryAllocation|limit", times(1024)),
            property(
                "config.memoryAllocation.reservation",
                "config|memoryAllocation|reservation",
                times(1024)),
            property(
                "config.memoryAllocation.expandableReservation",
                "config|memoryAllocation|expandableReservation"),
            property(
                "config.memoryAllocation.shares.shares", "config|memoryAllocation|shares|shares"),
            metric("config.memoryAllocation.limit", "mem|limit", times(1024)),
            metric("config.memoryAllocation.reservation", "mem|reservation", times(1024)),
            metric("config.memoryAllocation.shares.shares", "mem|shares"));
    TABLE.put("ResourcePool", pool);
    TABLE.put("VirtualApp", pool);
    TABLE.put("Datacenter", List.of());
    TABLE.put("ComputeResource", List.of());
    TABLE.put("Folder", List.of());
    TABLE.put(
        "StoragePod",
        List.of(
            property(
                "podStorageDrsEntry.storageDrsConfig.podConfig.enabled",
                "config|sdrsconfig|enabled")));
    TABLE.put(
        "Datastore",
        List.of(
            property(
                "summary.accessible",
                "summary|accessible",
                words("true", "PoweredOn", "false", "PoweredOff")),
            property("summary.type", "summary|type"),
            property("summary.url", "summary|path"),
            property("summary.maintenanceMode", "summary|maintenanceMode"),
            property("summary.multipleHostAccess", "summary|multipleHostAccess"),
            property(
                "iormConfiguration.enabled",
                "config|iormConfigStatus",
                words("true", "True", "false", "False")),
            property("iormConfiguration.congestionThreshold", "config|iormCongestionThreshold"),
            property(
                "summary.capacity",
                "summary|diskCapacity",
                value -> "%.2f".formatted(value.asDouble() / GIB).replaceAll("\\.00$", "")),
            metric("summary.capacity", "capacity|total_capacity", dividedBy(GIB)),
            metric("summary.capacity", "diskspace|capacity", dividedBy(GIB)),
            metric("summary.freeSpace", "capacity|available_space", dividedBy(GIB)),
            metric("summary.freeSpace", "diskspace|freespace", dividedBy(GIB)),
            metric("summary.uncommitted", "capacity|uncommitted", dividedBy(GIB))));
    TABLE.put("Network", List.of(property("summary.accessible", "summary|accessible")));
    TABLE.put("OpaqueNetwork", List.of(property("summary.accessible", "summary|accessible")));
    String override = "config|policies|override|";
    TABLE.put(
        "DistributedVirtualPortgroup",
        List.of(
            property("config.type", "config|portBinding"),
            property("config.uplink", "config|uplink"),
            property(
                "config.autoExpand",
                "config|portAllocation",
                words("true", "Elastic", "false", "Fixed")),
            metric("config.numPorts", "summary|max_num_ports"),
            property("config.policy.vlanOverrideAllowed", override + "vlan_override_allowed"),
            property(
                "config.policy.uplinkTeamingOverrideAllowed",
                override + "uplink_teaming_override_allowed"),
            property("config.policy.ipfixOverrideAllowed", override + "ipfix_override_allowed"),
            property("config.policy.blockOverrideAllowed", override + "block_override_allowed"),
            property("config.policy.shapingOverrideAllowed", override + "shaping_override_allowed"),
            property(
                "config.policy.vendorConfigOverrideAllowed",
                override + "vendor_config_override_allowed"),
            property("config.policy.livePortMovingAllowed", override + "live_port_moving_allowed"),
            property(
                "config.policy.portConfigResetAtDisconnect",
                override + "port_config_reset_at_disconnect"),
            property(
                "config.policy.networkResourcePoolOverrideAllowed",
                override + "network_resourcepool_moving_override_allowed"),
            property(
                "config.policy.securityPolicyOverrideAllowed",
                override + "security_policy_override_allowed"),
            property(
                "config.defaultPortConfig.uplinkTeamingPolicy.policy.value",
                "config|policies|teaming"),
            property("config.defaultPortConfig.vlan.vlanId", "config|policies|vlan_id"),
            property("config.defaultPortConfig.vlan.vlanId", "config|policies|security|vlan_id")));
    TABLE.put(
        "DistributedVirtualSwitch",
        List.of(
            property("uuid", "summary|dvs_uuid"),
            property("summary.productInfo.version", "summary|version"),
            property("config.maxMtu", "config|maxMtu"),
            property(
                "config.networkResourceManagementEnabled",
                "config|networkResourceManagementEnabled"),
            property("config.linkDiscoveryProtocolConfig.protocol", "config|discoveryProtocol"),
            metric("config.numPorts", "summary|max_num_ports")));
  }

  private final Vcsim vcsim;
  private final String vcenter;

  /** Properties of objects of all types, by {@code TYPE:MOID}. */
  private final Map<String, JsonNode> objects = new LinkedHashMap<>();

  private final Map<String, String> fields = new HashMap<>();
  private final Map<String, Map<String, TreeSet<String>>> tags = new HashMap<>();

  /** Reads all that govc tells of a simulator now. */
  GovcInventory(Vcsim vcsim, boolean hasTags) {
    this.vcsim = vcsim;
    this.vcenter = "127.0.0.1:" + vcsim.port();
    List<String> found = vcsim.govc("find", "-i", "/").lines().toList();
    Set<String> types = new TreeSet<>();
    found.forEach(line -> types.add(type(line)));
    types.retainAll(KINDS.keySet());
    for (String type : types) { // govc waits for an object where there is none
      String told = vcsim.govc("object.collect", "-json", "-type", type, "/");
      try (MappingIterator<JsonNode> updates = JSON.readerFor(JsonNode.class).readValues(told)) {
        while (updates.hasNext()) {
          JsonNode update = updates.next();
          objects.put(reference(update.path("obj")), properties(update.path("changeSet")));
        }
      }
    }
    String root = found.getFirst(); // which is in no view of what is below it
    objects.put(root, properties(vcsim.govcJson("object.collect", root)));
    if (hasTags) {
      for (String line : vcsim.govc("fields.ls").lines().toList()) {
        String[] columns = line.strip().split("\\s+");
        fields.put(columns[0], columns[1]);
      }
      for (JsonNode tag : vcsim.govcJson("tags.ls")) {
        String id = tag.path("id").stringValue();
        String category = tag.path("category_id").stringValue(); // it tells the name there
        for (JsonNode object : vcsim.govcJson("tags.attached.ls", id)) {
          tags.computeIfAbsent(object.stringValue(), o -> new TreeMap<>())
              .computeIfAbsent(category, c -> new TreeSet<>())
              .add(tag.path("name").stringValue());
        }
      }
    }
  }

  private static JsonNode properties(JsonNode changes) {
    ObjectNode properties = JSON.createObjectNode();
    for (JsonNode change : changes) {
      JsonNode value = change.path("val");
      properties.set(
          change.path("name").stringValue(), value.has("_value") ? value.path("_value") : value);
    }
    return properties;
  }

  /** Number of objects that {@code govc find} names, whatever their types are. */
  static long found(Vcsim vcsim) {
    return vcsim.govc("find", "-i", "/").lines().filter(line -> line.contains(":")).count();
  }

  /** Number of objects of all types that are compared. */
  int size() {
    return objects.size();
  }

  private static String reference(JsonNode moref) {
    return moref.path("type").asString("") + ":" + moref.path("value").asString("");
  }

  private static String type(String reference) {
    return reference.substring(0, reference.indexOf(':'));
  }

  private static JsonNode at(JsonNode node, String path) {
    JsonNode at = node;
    for (String step : path.split("\\.")) {
      at = at.path(step);
    }
    return at;
  }

  private String id(String reference) {
    return vcenter + "/" + reference.substring(reference.indexOf(':') + 1);
  }

  private String name(String reference) {
    return objects
        .get(reference)
        .path("name")
        .asString("")
        .replace("%2f", "/")
        .replace("%5c", "\\")
        .replace("%25", "%");
  }

  private JsonNode of(String reference, String path) {
    JsonNode object = objects.get(reference);
    return object == null ? JSON.missingNode() : at(object, path);
  }

  /** The reference of a property; empty when it is not set. */
  private String one(String reference, String path) {
    JsonNode value = of(reference, path);
    return value.has("type") ? reference(value) : "";
  }

  private List<String> many(String reference, String path) {
    List<String> all = new ArrayList<>();
    of(reference, path).forEach(value -> all.add(reference(value)));
    return all;
  }

  /** All objects by id, the vCenter itself apart. */
  Map<String, Thing> things() {
    Map<String, Thing> things = new TreeMap<>();
    for (String reference : objects.keySet()) {
      if (!KINDS.get(type(reference)).isEmpty()) {
        things.put(id(reference), thing(reference));
      }
    }
    things.forEach(
        (id, thing) -> {
          thing.parents.forEach(
              parent -> related(things, parent).children.add(thing.kind + " " + id));
          thing.children.forEach(
              child -> related(things, child).parents.add(thing.kind + " " + id));
        });
    return things;
  }

  /** What {@code Folder vc/group-1} names; nobody asks for the relations of the vCenter itself. */
  private Thing related(Map<String, Thing> things, String kindAndId) {
    return things.getOrDefault(
        kindAndId.substring(kindAndId.indexOf(" " + vcenter) + 1),
        new Thing("", "", "", Map.of(), Map.of(), Map.of(), new TreeSet<>(), new TreeSet<>()));
  }

  private Thing thing(String reference) {
    String type = type(reference);
    JsonNode object = objects.get(reference);
    Map<String, String> properties = new TreeMap<>();
    Map<String, Double> metrics = new TreeMap<>();
    for (Row row : TABLE.get(type)) {
      JsonNode value = at(object, row.path);
      if (value.isMissingNode() || value.isNull() || value.isContainer()) {
        continue;
      }
      String text = row.conversion.apply(value);
      if (text != null && row.metric) {
        metrics.put(row.key, Double.parseDouble(text));
      } else if (text != null && !text.isBlank()) {
        properties.put(row.key, text);
      }
    }
    properties.put("summary|MOID", reference.substring(reference.indexOf(':') + 1));
    properties.put("summary|parentVcenter", vcenter);
    Set<String> parents = new TreeSet<>();
    Set<String> children = new TreeSet<>();
    Map<String, String> labels = labels(reference, properties);
    String parent = one(reference, "parent");
    String datacenter = datacenter(reference);
    if (!datacenter.isEmpty()) {
      properties.put("summary|parentDatacenter", name(datacenter));
    }
    if (type(parent + ":").equals("Folder")) {
      parents.add("Folder " + id(parent));
      properties.put("summary|folder", name(parent));
      properties.put("summary|parentFolder", name(parent));
    }
    switch (type) {
      case "VirtualMachine" -> machine(reference, properties, metrics, parents, children);
      case "HostSystem" -> host(reference, properties, metrics, parents, children);
      case "ClusterComputeResource" -> {
        properties.put("config|name", name(reference));
        parents.add("Datacenter " + id(datacenter));
        JsonNode drs = of(reference, "configurationEx.drsConfig");
        metrics.put(
            "configuration|drsConfig|enabledAndFullyAutomated",
            drs.path("enabled").asBoolean(false)
                    && drs.path("defaultVmBehavior").asString("").equals("fullyAutomated")
                ? 1.0
                : 0.0);
        number(of(reference, "configurationEx.dasConfig.failoverLevel"))
            .accept(metrics, "configuration|dasConfig|failoverLevel");
      }
      case "ResourcePool", "VirtualApp" -> {
        if (type(parent + ":").equals("ResourcePool") || type(parent + ":").equals("VirtualApp")) {
          parents.add("ResourcePool " + id(parent));
        }
        String owner = one(reference, "owner");
        String above = owner;
        String key = "summary|parentCluster";
        if (type(owner).equals("ComputeResource")) {
          above = many(owner, "host").getFirst();
          key = "summary|parentHost";
        }
        parents.add(type(above) + " " + id(above));
        properties.put(key, name(above));
      }
      case "Datastore" -> {
        parents.add("Datacenter " + id(datacenter));
        if (type(parent + ":").equals("StoragePod")) {
          parents.add("StoragePod " + id(parent));
          properties.put("summary|folder", name(parent));
        }
        JsonNode summary = object.path("summary");
        double used = summary.path("capacity").asDouble() - summary.path("freeSpace").asDouble();
        double committed = used + summary.path("uncommitted").asDouble(0);
        metrics.put("capacity|used_space", used / GIB);
        metrics.put("diskspace|disktotal", used / GIB);
        metrics.put("capacity|usedSpacePct", used / summary.path("capacity").asDouble() * 100);
        metrics.put("capacity|uncommitted", summary.path("uncommitted").asDouble(0) / GIB);
        metrics.put("capacity|provisioned", committed / GIB);
        metrics.put("diskspace|provisioned", committed / GIB);
        double hosts = object.path("host").size();
        metrics.put("summary|total_number_hosts", hosts);
        metrics.put("datastore|hostcount", hosts);
      }
      case "Folder" -> {
        if (parent.isEmpty()) {
          parents.add("VMwareAdapter Instance " + vcenter);
        } else if (type(parent).equals("Datacenter")) {
          parents.add("Datacenter " + id(parent));
        }
        TreeSet<String> types = new TreeSet<>();
        object.path("childType").forEach(child -> types.add(child.stringValue()));
        types.remove("Folder");
        properties.put("summary|folderType", String.join(", ", types));
      }
      case "Datacenter" -> parents.add("VMwareAdapter Instance " + vcenter);
      case "DistributedVirtualPortgroup" -> {
        parents.add("Datacenter " + id(datacenter));
        String over = one(reference, "config.distributedVirtualSwitch");
        parents.add("VmwareDistributedVirtualSwitch " + id(over));
        properties.put("summary|parentSwitch", name(over));
        JsonNode vlans = of(reference, "config.defaultPortConfig.vlan.vlanId");
        if (vlans.isArray()) {
          List<String> ranges = new ArrayList<>();
          vlans.forEach(
              range ->
                  ranges.add(range.path("start").asString() + "-" + range.path("end").asString()));
          properties.put("config|policies|security|vlan_trunk_id", String.join(", ", ranges));
        }
      }
      case "DistributedVirtualSwitch" -> {
        parents.add("Datacenter " + id(datacenter));
        metrics.put(
            "summary|total_number_hosts", (double) many(reference, "summary.hostMember").size());
      }
      case "StoragePod" -> {
        parents.add("Datacenter " + id(datacenter));
        metrics.put(
            "summary|total_number_datastores", (double) many(reference, "childEntity").size());
        double capacity = 0;
        double provisioned = 0;
        for (String datastore : many(reference, "childEntity")) {
          JsonNode summary = of(datastore, "summary");
          double size = summary.path("capacity").asDouble();
          capacity += size;
          provisioned +=
              size - summary.path("freeSpace").asDouble() + summary.path("uncommitted").asDouble(0);
        }
        if (capacity > 0) {
          metrics.put("capacity|provisioned", provisioned / GIB);
        }
      }
      default -> parents.add("Datacenter " + id(datacenter));
    }
    counts(reference, metrics);
    return new Thing(
        KINDS.get(type),
        id(reference),
        name(reference),
        properties,
        metrics,
        labels,
        parents,
        children);
  }

  private static java.util.function.BiConsumer<Map<String, Double>, String> number(JsonNode value) {
    return (metrics, key) -> {
      if (value.isNumber()) {
        metrics.put(key, value.asDouble());
      }
    };
  }

  private Map<String, String> labels(String reference, Map<String, String> properties) {
    Map<String, String> labels = new TreeMap<>();
    for (JsonNode value : of(reference, "customValue")) {
      String field = fields.get(value.path("key").asString());
      labels.put(field, value.path("value").stringValue());
      properties.put(
          "summary|customTag:" + field + "|customTagValue", value.path("value").stringValue());
    }
    List<String> written = new ArrayList<>();
    tags.getOrDefault(reference, Map.of())
        .forEach(
            (category, names) -> {
              labels.put(category, String.join(", ", names));
              written.add("<" + category + "-" + String.join(", ", names) + ">");
            });
    if (!written.isEmpty()) {
      properties.put("summary|tag", "[" + String.join(", ", written) + "]");
    }
    return labels;
  }

  private String datacenter(String reference) {
    String at = reference;
    while (!at.isEmpty() && !type(at).equals("Datacenter")) {
      String up = one(at, "parent");
      at = up.isEmpty() && type(at).equals("VirtualMachine") ? one(at, "runtime.host") : up;
    }
    return at;
  }

  private String cluster(String host) {
    String parent = one(host, "parent");
    return type(parent + ":").equals("ClusterComputeResource") ? parent : "";
  }

  private void machine(
      String reference,
      Map<String, String> properties,
      Map<String, Double> metrics,
      Set<String> parents,
      Set<String> children) {
    properties.put("config|name", name(reference));
    String host = one(reference, "runtime.host");
    parents.add("HostSystem " + id(host));
    properties.put("summary|parentHost", name(host));
    properties.put("summary|parentHostVersion", of(host, "config.product.version").stringValue());
    properties.put("cpu|speed", of(host, "hardware.cpuInfo.hz").asString());
    if (!cluster(host).isEmpty()) {
      properties.put("summary|parentCluster", name(cluster(host)));
    }
    if (!one(reference, "resourcePool").isEmpty()) {
      parents.add("ResourcePool " + id(one(reference, "resourcePool")));
    }
    TreeSet<String> stores = new TreeSet<>();
    TreeSet<String> pods = new TreeSet<>();
    for (String datastore : many(reference, "datastore")) {
      children.add("Datastore " + id(datastore));
      stores.add(name(datastore));
      if (type(one(datastore, "parent")).equals("StoragePod")) {
        pods.add(name(one(datastore, "parent")));
      }
    }
    joined(properties, "summary|datastore", stores);
    joined(properties, "summary|datastoreClusters", pods);
    TreeSet<String> networks = new TreeSet<>();
    for (String network : many(reference, "network")) {
      parents.add(type(network) + " " + id(network));
      networks.add(name(network));
    }
    joined(properties, "summary|network", networks);
    double cpus = of(reference, "config.hardware.numCPU").asDouble();
    double each = of(reference, "config.hardware.numCoresPerSocket").asDouble(0);
    if (each > 0) {
      properties.put("config|hardware|numSockets", Integer.toString((int) Math.ceil(cpus / each)));
    }
    JsonNode storage = of(reference, "summary.storage");
    metrics.put(
        "diskspace|provisionedSpace",
        (storage.path("committed").asDouble() + storage.path("uncommitted").asDouble()) / GIB);
    int tools = of(reference, "guest.toolsVersion").asInt(0);
    if (tools > 0) {
      properties.put(
          "summary|guest|toolsVersion",
          (tools >> 10) + "." + (tools >> 5 & 31) + "." + (tools & 31));
    }
    snapshots(reference, properties, metrics);
    devices(reference, properties, metrics);
  }

  private static void joined(Map<String, String> properties, String key, Set<String> names) {
    if (!names.isEmpty()) {
      properties.put(key, String.join(", ", names));
    }
  }

  /** None of these is older than a day. */
  private void snapshots(
      String reference, Map<String, String> properties, Map<String, Double> metrics) {
    List<JsonNode> left = new ArrayList<>();
    of(reference, "snapshot.rootSnapshotList").forEach(left::add);
    String oldest = "";
    int count = 0;
    while (count < left.size()) {
      JsonNode snapshot = left.get(count++);
      snapshot.path("childSnapshotList").forEach(left::add);
      String group = "diskspace|snapshot:" + snapshot.at("/snapshot/value").stringValue();
      String time = snapshot.path("createTime").stringValue();
      properties.put(group + "|name", snapshot.path("name").stringValue());
      properties.put(group + "|createTime", time);
      properties.put(group + "|numberOfDays", "0");
      String description = snapshot.path("description").asString("");
      if (!description.isBlank()) {
        properties.put(group + "|description", description);
      }
      oldest = oldest.isEmpty() || time.compareTo(oldest) < 0 ? time : oldest;
    }
    metrics.put("summary|snapshot_count", (double) count);
    properties.put("diskspace|snapshot|snapshotAge", count == 0 ? "-1" : "0");
    if (count > 0) {
      properties.put("diskspace|snapshot|oldest", oldest);
      metrics.put("diskspace|snapshot|age", 0.0);
    }
  }

  private void devices(
      String reference, Map<String, String> properties, Map<String, Double> metrics) {
    JsonNode devices =
        vcsim
            .govcJson("device.info", "-vm.uuid", of(reference, "config.uuid").stringValue())
            .path("devices");
    Map<String, JsonNode> byKey = new HashMap<>();
    devices.forEach(device -> byKey.put(device.path("key").asString(), device));
    int disks = 0;
    long kilobytes = 0;
    boolean thin = false;
    for (JsonNode device : devices) {
      if (device.path("type").stringValue().equals("VirtualDisk")) {
        disks++;
        kilobytes += device.path("capacityInKB").asLong();
        thin |= device.at("/backing/thinProvisioned").asBoolean(false);
        disk(device, byKey.get(device.path("controllerKey").asString()), properties);
      } else if (device.has("macAddress")) {
        String group = "net:" + device.path("key").asString() + "|";
        properties.put(group + "mac_address", device.path("macAddress").stringValue());
        properties.put(group + "vnic_label", device.at("/deviceInfo/label").stringValue());
        properties.put(
            group + "vnic_type",
            device
                .path("type")
                .stringValue()
                .substring("Virtual".length())
                .toUpperCase(Locale.ROOT));
        text(properties, group + "connected", device.at("/connectable/connected"));
        text(properties, group + "portGroup", device.at("/backing/deviceName"));
        text(properties, group + "uptCompatibilityEnabled", device.path("uptCompatibilityEnabled"));
      }
    }
    properties.put("config|numVMDKs", Integer.toString(disks));
    properties.put("config|numVMDKsOnly", Integer.toString(disks));
    properties.put("config|numRDMs", "0");
    if (disks > 0) {
      properties.put("config|hardware|diskSpace", gigabytes(kilobytes));
      metrics.put("config|hardware|disk_Space", kilobytes / 1024.0 / 1024);
      properties.put("config|hardware|thinEnabled", Boolean.toString(thin));
      metrics.put("config|hardware|thin_Enabled", thin ? 1.0 : 0.0);
    }
  }

  private static String gigabytes(long kilobytes) {
    return String.format(Locale.ROOT, "%.2f", kilobytes / 1024.0 / 1024).replaceAll("\\.00$", "");
  }

  private static void text(Map<String, String> properties, String key, JsonNode value) {
    if (!value.asString("").isBlank()) {
      properties.put(key, value.asString());
    }
  }

  private static void disk(JsonNode disk, JsonNode controller, Map<String, String> properties) {
    String type = controller.path("type").stringValue();
    String bus = type.contains("IDE") ? "ide" : type.contains("NVME") ? "nvme" : "scsi";
    String place =
        controller.path("busNumber").asString() + ":" + disk.path("unitNumber").asString();
    String group = "virtualDisk:" + bus + place + "|";
    properties.put(group + "label", disk.at("/deviceInfo/label").stringValue());
    properties.put(group + "configuredGB", gigabytes(disk.path("capacityInKB").asLong()));
    properties.put(group + "isRDM", "false");
    properties.put(
        group + "scsiControllerType",
        Map.of(
                "ParaVirtualSCSIController", "PVSCSI",
                "VirtualLsiLogicController", "LSI Logic",
                "VirtualLsiLogicSASController", "LSI SAS",
                "VirtualNVMEController", "NVMe",
                "VirtualIDEController", "IDE")
            .get(type));
    properties.put(group + "scsiController", bus.toUpperCase(Locale.ROOT) + " (" + place + ")");
    if (controller.path("sharedBus").asString("").equals("noSharing")) {
      properties.put(group + "scsiBusSharing", "None");
    }
    text(properties, group + "iopsLimit", disk.at("/storageIOAllocation/limit"));
    text(properties, group + "iopsReservation", disk.at("/storageIOAllocation/reservation"));
    text(properties, group + "iopsShares", disk.at("/storageIOAllocation/shares/shares"));
    JsonNode backing = disk.path("backing");
    text(properties, group + "fileName", backing.path("fileName"));
    String file = backing.path("fileName").asString("");
    properties.put(group + "datastore", file.substring(1, file.indexOf(']')));
    text(properties, group + "uuid", backing.path("uuid"));
    text(properties, group + "backingObjectId", backing.path("backingObjectId"));
    if (backing.path("diskMode").asString("").equals("persistent")) {
      properties.put(group + "diskMode", "Persistent");
    }
    if (backing.path("sharing").asString("").equals("sharingNone")) {
      properties.put(group + "sharing", "No sharing");
    }
    properties.put(
        group + "provisioning_type",
        backing.path("thinProvisioned").asBoolean(false)
            ? "Thin Provision"
            : backing.path("eagerlyScrub").asBoolean(false)
                ? "Thick Provision Eager Zeroed"
                : "Thick Provision Lazy Zeroed");
  }

  private void host(
      String reference,
      Map<String, String> properties,
      Map<String, Double> metrics,
      Set<String> parents,
      Set<String> children) {
    parents.add("Datacenter " + id(datacenter(reference)));
    if (!cluster(reference).isEmpty()) {
      parents.add("ClusterComputeResource " + id(cluster(reference)));
      properties.put("summary|parentCluster", name(cluster(reference)));
    }
    for (String other : objects.keySet()) {
      if (many(other, "summary.hostMember").contains(reference)) {
        parents.add("VmwareDistributedVirtualSwitch " + id(other));
      }
    }
    many(reference, "datastore").forEach(store -> children.add("Datastore " + id(store)));
    metrics.put("summary|total_number_datastores", (double) children.size());
    JsonNode host = objects.get(reference);
    JsonNode cpu = at(host, "hardware.cpuInfo");
    metrics.put(
        "cpu|capacity_provisioned",
        cpu.path("numCpuCores").asDouble() * cpu.path("hz").asDouble() / 1e6);
    text(
        properties,
        "hardware|cpuInfo|powerManagementTechnology",
        at(host, "hardware.cpuPowerManagementInfo.hardwareSupport"));
    for (JsonNode info : at(host, "hardware.systemInfo.otherIdentifyingInfo")) {
      String key =
          Map.of(
                  "SerialNumberTag", "hardware|serialNumberTag",
                  "ServiceTag", "hardware|serviceTag",
                  "EnclosureSerialNumberTag", "hardware|enclosureSerialNumberTag")
              .get(info.at("/identifierType/key").stringValue());
      if (key != null) {
        properties.put(key, info.path("identifierValue").stringValue());
      }
    }
    for (JsonNode node : at(host, "hardware.numaInfo.numaNode")) {
      String group = "numa:" + node.path("typeId").asString() + "|";
      properties.put(group + "cpus", Integer.toString(node.path("cpuID").size()));
      properties.put(
          group + "memoryKB", Long.toString(node.path("memoryRangeLength").asLong() / 1024));
    }
    for (JsonNode service : at(host, "config.service.service")) {
      String group = "config|security|service:" + service.path("label").stringValue() + "|";
      text(properties, group + "isRunning", service.path("running"));
      text(properties, group + "policy", service.path("policy"));
    }
    properties.putIfAbsent("summary|max_number_vms_property", "0"); // when asked for it alone
    metrics.putIfAbsent("summary|max_number_vms", 0.0);
    network(host, properties);
    settings(host, properties);
    storage(at(host, "config.storageDevice"), properties);
  }

  private static void network(JsonNode host, Map<String, String> properties) {
    double speeds = 0;
    int links = 0;
    JsonNode pnics = at(host, "config.network.pnic");
    for (JsonNode nic : pnics) {
      String group = "net:" + nic.path("device").stringValue() + "|";
      text(properties, group + "nicDriver", nic.path("driver"));
      text(properties, group + "mac_address", nic.path("mac"));
      text(properties, group + "configuredSpeed", nic.at("/spec/linkSpeed/speedMb"));
      text(properties, group + "duplex", nic.at("/linkSpeed/duplex"));
      text(properties, group + "speed", nic.at("/linkSpeed/speedMb"));
      boolean up = nic.at("/linkSpeed/speedMb").asInt(0) > 0;
      properties.put(group + "link", up ? "up" : "down");
      links += up ? 1 : 0;
      speeds += nic.at("/linkSpeed/speedMb").asDouble(0);
    }
    properties.put("config|network|nnic", Integer.toString(pnics.size()));
    if (links > 0) {
      properties.put("config|network|linkspeed", Long.toString(Math.round(speeds / links)));
    }
    TreeSet<String> addresses = new TreeSet<>();
    for (JsonNode nic : at(host, "config.network.vnic")) {
      String group = "net:" + nic.path("device").stringValue() + "|";
      text(properties, group + "ip_address", nic.at("/spec/ip/ipAddress"));
      text(properties, group + "mac_address", nic.at("/spec/mac"));
      text(properties, group + "mtu", nic.at("/spec/mtu"));
      text(properties, group + "portGroup", nic.path("portgroup"));
      addresses.add(nic.at("/spec/ip/ipAddress").stringValue());
    }
    joined(properties, "net|ip_address", addresses);
    List<String> servers = new ArrayList<>();
    at(host, "config.network.dnsConfig.address").forEach(a -> servers.add(a.stringValue()));
    properties.put("config|network|dnsserver", String.join(", ", servers));
    for (JsonNode use : at(host, "config.virtualNicManagerInfo.netConfig")) {
      for (JsonNode nic : use.path("candidateVnic")) {
        boolean chosen =
            use.path("selectedVnic")
                .valueStream()
                .anyMatch(key -> key.stringValue().equals(nic.path("key").stringValue()));
        if (chosen && use.path("nicType").stringValue().equals("management")) {
          text(properties, "net|mgmt_address", nic.at("/spec/ip/ipAddress"));
        }
      }
    }
    List<String> ntp = new ArrayList<>();
    at(host, "config.dateTimeInfo.ntpConfig.server").forEach(s -> ntp.add(s.stringValue()));
    joined(properties, "config|ntp|server", new TreeSet<>(ntp));
    joined(properties, "config|security|ntpServer", new TreeSet<>(ntp));
  }

  /** The settings that the simulator has, and those that the test sets. */
  private static void settings(JsonNode host, Map<String, String> properties) {
    for (JsonNode option : at(host, "config.option")) {
      String key = option.path("key").stringValue();
      if (key.equals("Config.HostAgent.log.level")) {
        text(properties, "config|security|host_agent_log_level", option.path("value"));
      } else if (key.startsWith("Disk.") || key.startsWith("Net.TcpipHeap")) {
        text(properties, "config|advanced|" + key, option.path("value"));
      }
    }
  }

  /** A LUN is called as its performance counters call it, whatever tells of it. */
  private static void storage(JsonNode storage, Map<String, String> properties) {
    for (JsonNode adapter : storage.path("hostBusAdapter")) {
      String group = "storageAdapter:" + adapter.path("device").stringValue() + "|";
      text(properties, group + "hbaDriver", adapter.path("driver"));
      text(properties, group + "model", adapter.path("model"));
      text(properties, group + "status", adapter.path("status"));
      text(properties, group + "storageProtocol", adapter.path("storageProtocol"));
      properties.put(
          group + "type", adapter.path("key").stringValue().split("[.-]")[3].replace("Hba", ""));
    }
    Map<String, String> names = new HashMap<>();
    TreeSet<Integer> depths = new TreeSet<>();
    for (JsonNode lun : storage.path("scsiLun")) {
      String group = "disk:" + lun.path("canonicalName").stringValue() + "|";
      names.put(lun.path("key").stringValue(), group);
      text(properties, group + "displayName", lun.path("displayName"));
      properties.put(group + "vendor", lun.path("vendor").stringValue().strip());
      properties.put(group + "model", lun.path("model").stringValue().strip());
      text(properties, group + "queueDepth", lun.path("queueDepth"));
      text(properties, group + "ssd", lun.path("ssd"));
      text(properties, group + "localDisk", lun.path("localDisk"));
      if (lun.path("lunType").stringValue().equals("disk")) {
        depths.add(lun.path("queueDepth").asInt());
      }
    }
    if (!depths.isEmpty()) {
      properties.put("config|storageDevice|leastQueueDepth", depths.first().toString());
    }
    int paths = 0;
    int active = 0;
    TreeSet<String> policies = new TreeSet<>();
    for (JsonNode lun : storage.path("multipathInfo").path("lun")) {
      String group = names.get(lun.path("lun").stringValue());
      text(properties, group + "multipathPolicy", lun.at("/policy/policy"));
      text(properties, group + "preferredPath", lun.at("/policy/prefer"));
      text(properties, group + "storageArrayType", lun.at("/storageArrayTypePolicy/policy"));
      properties.put(group + "paths", Integer.toString(lun.path("path").size()));
      policies.add(lun.at("/policy/policy").stringValue());
      for (JsonNode path : lun.path("path")) {
        paths++;
        active += path.path("state").asString("").equals("active") ? 1 : 0;
      }
    }
    if (!policies.isEmpty()) {
      properties.put(
          "config|storageDevice|multipathInfo|numberofActivePath", Integer.toString(active));
      properties.put(
          "config|storageDevice|plugStoreTopology|numberofPath", Integer.toString(paths));
      joined(properties, "config|storageDevice|multipathInfo|multipathPolicy", policies);
    }
  }

  /** How many machines each holds, which govc tells by their places. */
  private void counts(String reference, Map<String, Double> metrics) {
    Function<String, Set<String>> holders =
        switch (type(reference)) {
          case "HostSystem" -> vm -> Set.of(one(vm, "runtime.host"));
          case "ClusterComputeResource" -> vm -> Set.of(cluster(one(vm, "runtime.host")));
          case "Datacenter" -> vm -> Set.of(datacenter(vm));
          case "ResourcePool", "VirtualApp" -> vm -> above(one(vm, "resourcePool"));
          case "Folder" -> vm -> above(one(vm, "parent"));
          case "Network", "OpaqueNetwork", "DistributedVirtualPortgroup" ->
              vm -> Set.copyOf(many(vm, "network"));
          case "Datastore" -> vm -> Set.copyOf(many(vm, "datastore"));
          default -> null;
        };
    if (holders == null) {
      return;
    }
    double machines = 0;
    double running = 0;
    for (String other : objects.keySet()) {
      if (type(other).equals("VirtualMachine")
          && holders.apply(other).contains(reference)
          && !of(other, "config.template").asBoolean(false)) {
        machines++;
        running += of(other, "runtime.powerState").stringValue().equals("poweredOn") ? 1 : 0;
      }
    }
    boolean exists =
        machines > 0
            || !Set.of(
                    "Folder",
                    "Network",
                    "OpaqueNetwork",
                    "DistributedVirtualPortgroup",
                    "ResourcePool",
                    "VirtualApp")
                .contains(type(reference));
    if (exists) {
      metrics.put("summary|total_number_vms", machines);
      if (Set.of("HostSystem", "ClusterComputeResource", "Datacenter", "ResourcePool", "VirtualApp")
          .contains(type(reference))) {
        metrics.put("summary|number_running_vms", running);
        metrics.put("summary|number_poweredOff_vms", machines - running);
      }
    }
  }

  private Set<String> above(String reference) {
    Set<String> above = new TreeSet<>();
    String at = reference;
    while (!at.isEmpty()) {
      above.add(at);
      String up = one(at, "parent");
      at =
          !up.isEmpty() && (type(up).equals(type(at)) || type(up).equals("ResourcePool")) ? up : "";
    }
    return above;
  }
}
