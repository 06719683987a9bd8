package io.peerlens.standalone.sample;

import static io.peerlens.standalone.sample.Vim.flag;
import static io.peerlens.standalone.sample.Vim.list;
import static io.peerlens.standalone.sample.Vim.number;
import static io.peerlens.standalone.sample.Vim.object;
import static io.peerlens.standalone.sample.Vim.references;
import static io.peerlens.standalone.sample.Vim.text;
import static io.peerlens.standalone.sample.Vim.time;

import io.peerlens.standalone.sample.Inventory.Cluster;
import io.peerlens.standalone.sample.Inventory.Datacenter;
import io.peerlens.standalone.sample.Inventory.Datastore;
import io.peerlens.standalone.sample.Inventory.Host;
import io.peerlens.standalone.sample.Inventory.Pool;
import io.peerlens.standalone.sample.Inventory.Vm;
import io.peerlens.standalone.sample.Vim.FolderType;
import io.peerlens.vcenter.inventory.StoragePolicies;
import io.peerlens.vcenter.vim.Moref;
import io.peerlens.vcenter.vim.ObjectUpdate;
import io.peerlens.vcenter.vim.PropertyChange;
import io.peerlens.vcenter.vim.XmlValue;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Managed objects of the sample datacentre with their properties, as the property collector of its
 * vCenter would tell of them: the figures are those that the load is computed with.
 */
final class VCenterObjects {

  /** Names of the custom attributes by their numbers. */
  static final Map<String, String> ATTRIBUTES =
      Map.of("101", "app", "102", "tier", "103", "env", "104", "owner");

  private static final long KB = 1024;
  private static final long MB = 1024 * KB;
  private static final long DAY = 86_400;
  private static final int FIRST_VLAN = 100;
  private static final int DISK = 2000;
  private static final int CARD = 4000;
  private static final double IN_GUEST = 0.93;

  /** What a snapshot grows by in a day. */
  private static final long SNAPSHOT_DAY = 1_700 * MB;

  private final Inventory inventory;
  private final Script script;
  private final Space space;
  private final long firstStart;

  VCenterObjects(Inventory inventory, Script script, long firstStart) {
    this.inventory = inventory;
    this.script = script;
    this.firstStart = firstStart;
    space = new Space(inventory, firstStart);
  }

  /** Everything that is there at a moment. */
  List<ObjectUpdate> all(Settings settings, long time) {
    List<ObjectUpdate> all = new ArrayList<>();
    folders(all);
    for (Cluster cluster : inventory.clusters) {
      all.add(cluster(cluster));
      all.add(rootPool(cluster));
      network(cluster, all);
    }
    inventory.pools.forEach(pool -> all.add(pool(pool)));
    inventory.datastores.forEach(datastore -> all.add(datastore(datastore)));
    inventory.hosts.forEach(host -> all.add(host(host, settings)));
    inventory.vms.forEach(vm -> all.add(machine(vm, settings.of(vm))));
    all.addAll(slow(time));
    return all;
  }

  /** What changes all the time, and a vCenter does not tell by itself. */
  List<ObjectUpdate> slow(long time) {
    List<ObjectUpdate> all = new ArrayList<>();
    for (Datastore datastore : inventory.datastores) {
      long used = (long) (space.usedKb(datastore, time) * KB);
      long provisioned = (long) (space.provisionedKb(datastore, time) * KB);
      all.add(
          new Told(Vim.of(datastore))
              .at(
                  "summary",
                  object(
                      "val",
                      number("capacity", datastore.capacityKb() * KB),
                      number("freeSpace", datastore.capacityKb() * KB - used),
                      number("uncommitted", Math.max(0, provisioned - used)),
                      flag("multipleHostAccess", true)))
              .changed());
    }
    for (Vm vm : inventory.vms) {
      all.add(space(vm, time));
    }
    return all;
  }

  /** What an object tells, path by path. */
  private static final class Told {
    private final Moref object;
    private final List<PropertyChange> changes = new ArrayList<>();

    Told(Moref object) {
      this.object = object;
    }

    Told at(String path, @Nullable XmlValue value) {
      changes.add(new PropertyChange(path, value));
      return this;
    }

    Told at(String path, String text) {
      return at(path, text("val", text));
    }

    Told at(String path, Moref reference) {
      return at(path, XmlValue.ofReference("val", reference));
    }

    ObjectUpdate entered() {
      return new ObjectUpdate(ObjectUpdate.Kind.ENTER, object, changes, List.of());
    }

    ObjectUpdate changed() {
      return new ObjectUpdate(ObjectUpdate.Kind.MODIFY, object, changes, List.of());
    }
  }

  // Places ---------------------------------------------------------------------------------------

  private void folders(List<ObjectUpdate> all) {
    all.add(
        new Told(Vim.ROOT_FOLDER)
            .at("name", "Datacenters")
            .at("childType", childTypes("Datacenter"))
            .at("childEntity", references(inventory.datacenters.stream().map(Vim::of).toList()))
            .entered());
    for (Datacenter datacenter : inventory.datacenters) {
      all.add(
          new Told(Vim.of(datacenter))
              .at("name", datacenter.name())
              .at("parent", Vim.ROOT_FOLDER)
              .entered());
      for (FolderType type : FolderType.values()) {
        all.add(
            new Told(Vim.folder(datacenter, type))
                .at("name", type.folderName)
                .at("parent", Vim.of(datacenter))
                .at("childType", childTypes(type.childType))
                .entered());
      }
    }
  }

  private static XmlValue childTypes(String type) {
    return object("val", text("string", "Folder"), text("string", type));
  }

  private ObjectUpdate cluster(Cluster cluster) {
    int hosts = cluster.hosts().size();
    return new Told(Vim.of(cluster))
        .at("name", cluster.name())
        .at("parent", Vim.folder(cluster.datacenter(), FolderType.HOST))
        .at(
            "configurationEx",
            object(
                "val",
                "ClusterConfigInfoEx",
                object(
                    "dasConfig",
                    flag("enabled", true),
                    text("vmMonitoring", "vmMonitoringDisabled"),
                    text("hostMonitoring", "enabled"),
                    number("failoverLevel", 1),
                    flag("admissionControlEnabled", true),
                    object(
                        "admissionControlPolicy",
                        "ClusterFailoverResourcesAdmissionControlPolicy",
                        number("cpuFailoverResourcesPercent", 100 / hosts),
                        number("memoryFailoverResourcesPercent", 100 / hosts),
                        number("failoverLevel", 1))),
                object(
                    "drsConfig",
                    flag("enabled", true),
                    text("defaultVmBehavior", "fullyAutomated"),
                    number("vmotionRate", 3)),
                object("dpmConfigInfo", flag("enabled", false)),
                object("vsanConfigInfo", flag("enabled", Vsan.isOn(cluster)))))
        .at(
            "summary",
            object(
                "val",
                number("totalCpu", (long) (hosts * Physics.HOST_MHZ)),
                number("totalMemory", hosts * Inventory.HOST_MEMORY_MB * MB),
                number("numCpuCores", (long) hosts * Inventory.CORES),
                number("effectiveCpu", (long) (hosts * Physics.HOST_MHZ * 0.96)),
                number("effectiveMemory", (long) (hosts * Inventory.HOST_MEMORY_MB * 0.96)),
                number("currentBalance", 60),
                number("targetBalance", 200)))
        .entered();
  }

  private static ObjectUpdate rootPool(Cluster cluster) {
    return new Told(Vim.rootPool(cluster))
        .at("name", "Resources")
        .at("parent", Vim.of(cluster))
        .at("owner", Vim.of(cluster))
        .entered();
  }

  private static ObjectUpdate pool(Pool pool) {
    boolean test = pool.name().equals("test");
    return new Told(Vim.of(pool))
        .at("name", pool.name())
        .at("parent", Vim.rootPool(pool.cluster()))
        .at("owner", Vim.of(pool.cluster()))
        .at("config.cpuAllocation", allocation(Settings.UNLIMITED, test ? 2_000 : 4_000))
        .at("config.memoryAllocation", allocation(Settings.UNLIMITED, test ? 81_920 : 163_840))
        .entered();
  }

  private static XmlValue allocation(long limit, long shares) {
    return object(
        "val",
        number("reservation", 0),
        flag("expandableReservation", true),
        number("limit", limit),
        object("shares", number("shares", shares)));
  }

  // Networks -------------------------------------------------------------------------------------

  private void network(Cluster cluster, List<ObjectUpdate> all) {
    Moref folder = Vim.folder(cluster.datacenter(), FolderType.NETWORK);
    all.add(
        new Told(Vim.distributedSwitch(cluster))
            .at("name", cluster.name() + "-dvs")
            .at("parent", folder)
            .at("uuid", uuid("switch", cluster.name()))
            .at("summary.hostMember", references(cluster.hosts().stream().map(Vim::of).toList()))
            .at("summary.productInfo", object("val", text("version", "8.0.3")))
            .at(
                "config",
                object(
                    "val",
                    number("maxMtu", 9_000),
                    flag("networkResourceManagementEnabled", true),
                    number("numPorts", 512),
                    object("linkDiscoveryProtocolConfig", text("protocol", "lldp")),
                    object("ipfixConfig", text("collectorIpAddress", "10.10.0.6"))))
            .entered());
    for (Tier tier : tiers(cluster)) {
      all.add(
          new Told(Vim.portGroup(cluster, tier))
              .at("name", Vim.portGroupName(cluster, tier))
              .at("parent", folder)
              .at("config.distributedVirtualSwitch", Vim.distributedSwitch(cluster))
              .at("config.type", "earlyBinding")
              .at("config.uplink", "false")
              .at("config.autoExpand", "true")
              .at("config.numPorts", Integer.toString(tier.count() + 8))
              .at(
                  "config.defaultPortConfig",
                  object(
                      "val",
                      object(
                          "vlan",
                          "VmwareDistributedVirtualSwitchVlanIdSpec",
                          number("vlanId", FIRST_VLAN + Tier.ALL.indexOf(tier))),
                      object(
                          "macManagementPolicy",
                          flag("allowPromiscuous", false),
                          flag("macChanges", false),
                          flag("forgedTransmits", false)),
                      object(
                          "uplinkTeamingPolicy",
                          object("policy", text("value", "loadbalance_loadbased")),
                          object(
                              "uplinkPortOrder",
                              text("activeUplinkPort", "Uplink 1"),
                              text("activeUplinkPort", "Uplink 2")))))
              .entered());
    }
  }

  /** Tiers that have machines in a cluster. */
  private List<Tier> tiers(Cluster cluster) {
    return inventory.vms.stream()
        .filter(vm -> vm.home().cluster().equals(cluster))
        .map(Vm::tier)
        .distinct()
        .toList();
  }

  // Storage --------------------------------------------------------------------------------------

  private ObjectUpdate datastore(Datastore datastore) {
    boolean vsan = datastore.equals(Vsan.datastore(inventory));
    List<XmlValue> mounts = new ArrayList<>();
    for (Host host : datastore.cluster().hosts()) {
      mounts.add(
          object(
              "DatastoreHostMount",
              XmlValue.ofReference("key", Vim.of(host)),
              object("mountInfo")));
    }
    String id = uuid("vmfs", datastore.name()).substring(0, 17);
    return new Told(Vim.of(datastore))
        .at("name", datastore.name())
        .at("parent", Vim.folder(datastore.cluster().datacenter(), FolderType.DATASTORE))
        .at("host", list("val", mounts))
        .at("summary.accessible", "true")
        .at("summary.type", vsan ? "vsan" : "VMFS")
        .at("summary.url", "ds:///vmfs/volumes/" + id + "/")
        .at("summary.maintenanceMode", "normal")
        .at("iormConfiguration", object("val", flag("enabled", false)))
        .at(
            "info",
            object(
                "val",
                "VmfsDatastoreInfo",
                object(
                    "vmfs",
                    text("version", "6.82"),
                    text("uuid", id),
                    flag("local", false),
                    object("extent", text("diskName", datastore.lun()), number("partition", 1)))))
        .entered();
  }

  private List<Datastore> datastoresOf(Cluster cluster) {
    return inventory.datastores.stream().filter(it -> it.cluster().equals(cluster)).toList();
  }

  // Hosts ----------------------------------------------------------------------------------------

  private ObjectUpdate host(Host host, Settings settings) {
    String serial = hex(host.seed()).substring(0, 7).toUpperCase(Locale.ROOT);
    List<Datastore> datastores = datastoresOf(host.cluster());
    return new Told(Vim.of(host))
        .at("name", host.name())
        .at("parent", Vim.of(host.cluster()))
        .at("datastore", references(datastores.stream().map(Vim::of).toList()))
        .at("runtime.powerState", "poweredOn")
        .at("runtime.connectionState", "connected")
        .at("runtime.inMaintenanceMode", "false")
        .at("runtime.inQuarantineMode", "false")
        .at(
            "runtime.dasHostState",
            object(
                "val",
                text(
                    "state",
                    host.equals(host.cluster().hosts().getFirst())
                        ? "master"
                        : "connectedToMaster")))
        .at(
            "hardware.systemInfo",
            object(
                "val",
                text("vendor", "Dell Inc."),
                text("model", "PowerEdge R640"),
                text("uuid", uuid("host", host.name())),
                object(
                    "otherIdentifyingInfo",
                    text("identifierValue", serial),
                    object("identifierType", text("key", "ServiceTag")))))
        .at(
            "hardware.biosInfo",
            object(
                "val", text("biosVersion", "2.21.2"), text("releaseDate", "2024-02-19T00:00:00Z")))
        .at(
            "hardware.cpuInfo",
            object(
                "val",
                number("numCpuPackages", Inventory.SOCKETS),
                number("numCpuCores", Inventory.CORES),
                number("numCpuThreads", Inventory.CORES * 2L),
                number("hz", Inventory.CORE_MHZ * 1_000_000L)))
        .at("hardware.memorySize", Long.toString(Inventory.HOST_MEMORY_MB * MB))
        .at("hardware.numaInfo", numa())
        .at(
            "hardware.cpuPowerManagementInfo",
            object(
                "val",
                text("currentPolicy", "High performance"),
                text("hardwareSupport", "ACPI P-states, ACPI C-states")))
        .at("summary.hardware.cpuModel", "Intel(R) Xeon(R) Gold 6126 CPU @ 2.60GHz")
        .at("summary.config.vmotionEnabled", "true")
        .at(
            "config.product",
            object(
                "val",
                text("version", "8.0.3"),
                text("build", "24022510"),
                text("fullName", "VMware ESXi 8.0.3 build-24022510"),
                text("licenseProductName", "VMware ESX Server"),
                text("apiVersion", "8.0.3.0"),
                text("productLineId", "embeddedEsx")))
        .at("config.hyperThread", object("val", flag("active", true), flag("available", true)))
        .at(
            "config.service",
            object(
                "val",
                service("ntpd", "NTP Daemon", true, "on"),
                service("TSM-SSH", "SSH", false, "off")))
        .at(
            "config.dateTimeInfo.ntpConfig",
            object("val", text("server", Settings.timeServer(host))))
        .at("config.network.pnic", cards(host))
        .at("config.network.vnic", object("val", kernelCard(host)))
        .at(
            "config.virtualNicManagerInfo.netConfig",
            object(
                "val",
                object(
                    "VirtualNicManagerNetConfig",
                    text("nicType", "management"),
                    text("selectedVnic", "management.key-vim.host.VirtualNic-vmk0"),
                    object(
                        "candidateVnic",
                        text("key", "management.key-vim.host.VirtualNic-vmk0"),
                        object("spec", object("ip", text("ipAddress", address(host))))))))
        .at(
            "config.network.dnsConfig",
            object(
                "val",
                text("domainName", "corp.example"),
                text("address", Inventory.network(Tier.ALL.get(8)) + ".10"),
                text("address", Inventory.network(Tier.ALL.get(8)) + ".11")))
        .at("config.vsanHostConfig.enabled", Boolean.toString(Vsan.isOn(host.cluster())))
        .at("config.lockdownMode", "lockdownDisabled")
        .at("config.option", options())
        .at(
            "config.storageDevice.hostBusAdapter",
            object("val", adapter(host, 1), adapter(host, 2)))
        .at("config.storageDevice.multipathInfo", paths(host, datastores))
        .at("config.storageDevice.scsiLun", devices(datastores, settings.queueDepth(host)))
        .at("capability.maxRunningVMs", "1024")
        .entered();
  }

  /** The devices of a host after its queues were changed. */
  ObjectUpdate devices(Host host, int queueDepth) {
    return new Told(Vim.of(host))
        .at("config.storageDevice.scsiLun", devices(datastoresOf(host.cluster()), queueDepth))
        .changed();
  }

  private static XmlValue numa() {
    List<XmlValue> members = new ArrayList<>();
    members.add(number("numNodes", Inventory.SOCKETS));
    for (int node = 0; node < Inventory.SOCKETS; node++) {
      List<XmlValue> of = new ArrayList<>();
      of.add(number("typeId", node));
      int threads = Inventory.CORES_PER_SOCKET * 2;
      for (int cpu = 0; cpu < threads; cpu++) {
        of.add(number("cpuID", (long) node * threads + cpu));
      }
      of.add(number("memoryRangeLength", Inventory.HOST_MEMORY_MB * MB / Inventory.SOCKETS));
      members.add(list("numaNode", of));
    }
    return list("val", members);
  }

  private static XmlValue service(String key, String label, boolean running, String policy) {
    return object(
        "service",
        text("key", key),
        text("label", label),
        flag("running", running),
        text("policy", policy));
  }

  private static String address(Host host) {
    return "10.10.%d.%d"
        .formatted(host.cluster().index(), 10 + host.cluster().hosts().indexOf(host));
  }

  private static XmlValue cards(Host host) {
    List<XmlValue> cards = new ArrayList<>();
    for (int card = 0; card < Telegraf.PHYSICAL_CARDS; card++) {
      XmlValue speed = number("speedMb", 10_000);
      cards.add(
          object(
              "PhysicalNic",
              text("device", "vmnic" + card),
              text("driver", "i40en"),
              text("mac", mac(host.seed(), card)),
              object("linkSpeed", speed, flag("duplex", true)),
              object("spec", object("linkSpeed", speed))));
    }
    return list("val", cards);
  }

  private static XmlValue kernelCard(Host host) {
    return object(
        "HostVirtualNic",
        text("device", "vmk0"),
        text("portgroup", "Management Network"),
        object(
            "spec",
            object("ip", text("ipAddress", address(host))),
            text("mac", mac(host.seed(), 16)),
            number("mtu", 1_500)));
  }

  private static XmlValue options() {
    return object(
        "val",
        option("Syslog.global.logHost", "udp://10.10.0.5:514"),
        option("Disk.QFullSampleSize", "0"),
        option("Disk.QFullThreshold", "8"),
        option("Mem.AllocGuestLargePage", "1"),
        option("Mem.ShareForceSalting", "2"),
        option("Numa.LocalityWeightActionAffinity", "130"),
        option("UserVars.ESXiShellTimeOut", "900"));
  }

  private static XmlValue option(String key, String value) {
    return object("OptionValue", text("key", key), text("value", value));
  }

  private static XmlValue adapter(Host host, int number) {
    long wwn = 0x2100_0024_ff00_0000L | ((host.seed() & 0x3fffff) << 1) | (number - 1);
    return object(
        "HostHostBusAdapter",
        "HostFibreChannelHba",
        text("device", "vmhba" + number),
        text("driver", "qlnativefc"),
        text("model", "QLE2692"),
        text("status", "online"),
        text("storageProtocol", "scsi"),
        number("portWorldWideName", wwn));
  }

  private static XmlValue paths(Host host, List<Datastore> datastores) {
    String policy = Settings.multipathPolicy(host);
    List<XmlValue> luns = new ArrayList<>();
    for (Datastore datastore : datastores) {
      List<XmlValue> lun = new ArrayList<>();
      // What vCenter calls a LUN here: the kind of its identifier, the identifier, its vendor.
      lun.add(text("id", "0200000000" + datastore.lun().substring(4) + "565241494420"));
      lun.add(object("policy", text("policy", policy)));
      lun.add(object("storageArrayTypePolicy", text("policy", "VMW_SATP_ALUA")));
      for (int path = 0; path < 4; path++) {
        lun.add(object("path", text("state", path < 2 ? "active" : "standby")));
      }
      luns.add(list("lun", lun));
    }
    return list("val", luns);
  }

  private static XmlValue devices(List<Datastore> datastores, int queueDepth) {
    List<XmlValue> devices = new ArrayList<>();
    for (Datastore datastore : datastores) {
      devices.add(
          object(
              "ScsiLun",
              "HostScsiDisk",
              text("canonicalName", datastore.lun()),
              text("displayName", "DGC Fibre Channel Disk (" + datastore.lun() + ")"),
              text("vendor", "DGC"),
              text("model", "VRAID"),
              text("lunType", "disk"),
              number("queueDepth", queueDepth),
              flag("ssd", true),
              flag("localDisk", false)));
    }
    return list("val", devices);
  }

  // Machines -------------------------------------------------------------------------------------

  private ObjectUpdate machine(Vm vm, Settings.OfMachine settings) {
    Tier tier = vm.tier();
    Cluster cluster = vm.home().cluster();
    Told told =
        new Told(Vim.of(vm))
            .at("name", vm.name())
            .at("parent", Vim.folder(cluster.datacenter(), FolderType.VM))
            .at("customValue", attributes(tier))
            .at("resourcePool", Vim.of(vm.pool()))
            .at("datastore", references(List.of(Vim.of(vm.datastore()))))
            .at("network", references(List.of(Vim.portGroup(cluster, tier))))
            .at("runtime.connectionState", "connected")
            .at("runtime.consolidationNeeded", "false")
            .at("runtime.faultToleranceState", "notConfigured")
            .at("config.template", "false")
            .at("config.version", "vmx-21")
            .at("config.guestFullName", tier.guest())
            .at("config.uuid", vm.uuid())
            .at("config.instanceUuid", uuid("instance", vm.uuid()))
            .at("config.createDate", time("val", firstStart - createdBefore(vm)))
            .at("config.changeTrackingEnabled", "true")
            .at("config.cpuHotAddEnabled", "false")
            .at("config.memoryHotAddEnabled", "false")
            .at("config.firmware", "efi")
            .at("config.bootOptions.efiSecureBootEnabled", "true")
            .at("config.latencySensitivity", object("val", text("level", "normal")))
            .at("config.hardware.numCPU", Integer.toString(tier.cpus()))
            .at("config.hardware.numCoresPerSocket", Integer.toString(Settings.coresPerSocket(vm)))
            .at("config.hardware.memoryMB", Integer.toString(tier.memoryMb()))
            .at("config.memoryAllocation", allocation(Settings.UNLIMITED, tier.memoryMb() * 10L))
            .at("summary.config.numEthernetCards", "1")
            .at("guest.toolsVersion", "12421")
            .at("guest.toolsVersionStatus2", "guestToolsCurrent")
            .at("guest.guestFullName", tier.guest())
            .at("guest.guestFamily", isWindows(tier) ? "windowsGuest" : "linuxGuest")
            .at("guest.hostName", vm.name() + ".corp.example")
            .at("guest.ipAddress", vm.address())
            .at(
                "guest.net",
                object(
                    "val",
                    object(
                        "GuestNicInfo",
                        number("deviceConfigId", CARD),
                        text("ipAddress", vm.address()))));
    if (vm.equals(script.withOldSnapshot())) {
      told.at("snapshot", snapshot());
    }
    return settings(told, vm, settings).entered();
  }

  /** Storage policies of machines in vSAN: those of search data are named after their limit. */
  Map<Moref, StoragePolicies> policies(Settings settings) {
    Map<Moref, StoragePolicies> policies = new HashMap<>();
    for (Vm vm : inventory.vms) {
      if (vm.datastore().equals(Vsan.datastore(inventory))) {
        int limit = settings.of(vm).policyLimit();
        String policy =
            limit == Settings.UNLIMITED
                ? "gold"
                : (limit == Settings.POLICY_LIMIT ? "gold-" : "silver-") + limit;
        policies.put(
            Vim.of(vm),
            new StoragePolicies(
                "gold",
                "Compliant",
                Map.of(Integer.toString(DISK), new StoragePolicies.Disk(policy, "Compliant"))));
      }
    }
    return policies;
  }

  /** What was changed of a machine. */
  ObjectUpdate changed(Vm vm, Settings.OfMachine settings) {
    return settings(new Told(Vim.of(vm)), vm, settings).changed();
  }

  private Told settings(Told told, Vm vm, Settings.OfMachine settings) {
    String notes = Settings.weight(settings.weight());
    return told.at("runtime.host", Vim.of(settings.host()))
        .at("runtime.powerState", settings.on() ? "poweredOn" : "poweredOff")
        .at(
            "guest.toolsRunningStatus",
            settings.on() ? "guestToolsRunning" : "guestToolsNotRunning")
        .at("config.annotation", notes.isEmpty() ? null : text("val", notes))
        .at("config.cpuAllocation", allocation(settings.cpuLimit(), vm.tier().cpus() * 1_000L))
        .at("config.hardware.device", hardware(vm, settings.iopsLimit()));
  }

  private static XmlValue attributes(Tier tier) {
    return object(
        "val",
        attribute("101", tier.app()),
        attribute("102", tier.tier()),
        attribute("103", tier.env()),
        attribute("104", tier.owner()));
  }

  private static XmlValue attribute(String key, String value) {
    return object(
        "CustomFieldValue", "CustomFieldStringValue", text("key", key), text("value", value));
  }

  private XmlValue hardware(Vm vm, int iopsLimit) {
    return object(
        "val",
        object(
            "VirtualDevice",
            "ParaVirtualSCSIController",
            number("key", 1_000),
            number("busNumber", 0),
            text("sharedBus", "noSharing")),
        object(
            "VirtualDevice",
            "VirtualDisk",
            number("key", DISK),
            object("deviceInfo", text("label", "Hard disk 1")),
            number("controllerKey", 1_000),
            number("unitNumber", 0),
            object(
                "backing",
                "VirtualDiskFlatVer2BackingInfo",
                text(
                    "fileName",
                    "[%s] %s/%s.vmdk".formatted(vm.datastore().name(), vm.name(), vm.name())),
                text("diskMode", "persistent"),
                flag("thinProvisioned", true),
                text("uuid", uuid("disk", vm.uuid())),
                text(
                    "backingObjectId",
                    vm.datastore().equals(Vsan.datastore(inventory)) ? Vsan.objectId(vm) : ""),
                text("sharing", "sharingNone")),
            number("capacityInKB", space.diskKb(vm)),
            number("capacityInBytes", space.diskKb(vm) * KB),
            object(
                "storageIOAllocation",
                number("limit", iopsLimit),
                number("reservation", 0),
                object("shares", number("shares", 1_000)))),
        object(
            "VirtualDevice",
            "VirtualVmxnet3",
            number("key", CARD),
            object("deviceInfo", text("label", "Network adapter 1")),
            text("macAddress", mac(vm.seed(), 0)),
            object("connectable", flag("connected", true)),
            object(
                "backing",
                "VirtualEthernetCardDistributedVirtualPortBackingInfo",
                object(
                    "port",
                    text("portgroupKey", Vim.portGroup(vm.home().cluster(), vm.tier()).value())))));
  }

  private XmlValue snapshot() {
    return object(
        "val",
        object(
            "rootSnapshotList",
            XmlValue.ofReference("snapshot", new Moref("VirtualMachineSnapshot", "snapshot-900")),
            text("name", "before-upgrade"),
            text("description", "can go when the upgrade works"),
            time("createTime", script.snapshotTime())));
  }

  private ObjectUpdate space(Vm vm, long time) {
    long size = space.diskKb(vm) * KB;
    long written = space.writtenKb(vm, time) * KB;
    boolean old = vm.equals(script.withOldSnapshot());
    long days = Math.max(0, time - script.snapshotTime()) / DAY;
    long delta = old ? Math.min(days * SNAPSHOT_DAY, written / 2) : 0;
    List<XmlValue> layout = new ArrayList<>();
    layout.add(file(0, "diskExtent", written - delta));
    List<XmlValue> chain = new ArrayList<>(List.of(object("chain", number("fileKey", 0))));
    if (old) {
      layout.add(file(1, "diskExtent", delta));
      chain.add(object("chain", number("fileKey", 1)));
    }
    layout.add(list("disk", chain));
    return new Told(Vim.of(vm))
        .at(
            "summary.storage",
            object(
                "val",
                number("committed", written),
                number("uncommitted", size - written),
                number("unshared", written)))
        .at("layoutEx", list("val", layout))
        .at(
            "guest.disk",
            object(
                "val",
                object(
                    "GuestDiskInfo",
                    text("diskPath", isWindows(vm.tier()) ? "C:\\" : "/"),
                    number("capacity", size),
                    number("freeSpace", size - (long) (written * IN_GUEST)))))
        .changed();
  }

  private static XmlValue file(int key, String type, long size) {
    return object("file", number("key", key), text("type", type), number("size", size));
  }

  private static boolean isWindows(Tier tier) {
    return tier.guest().contains("Windows");
  }

  private static long createdBefore(Vm vm) {
    return (long) Noise.between(vm.seed(), 51, 120, 900) * DAY
        + (long) Noise.between(vm.seed(), 52, 0, DAY);
  }

  private static String uuid(String of, String name) {
    return UUID.nameUUIDFromBytes((of + "/" + name).getBytes(StandardCharsets.UTF_8)).toString();
  }

  private static String hex(long seed) {
    return "%016x".formatted(seed);
  }

  /** One of VMware's addresses. */
  private static String mac(long seed, int card) {
    return "00:50:56:%02x:%02x:%02x"
        .formatted((seed >>> 16) & 0x3f, (seed >>> 8) & 0xff, (seed + card) & 0xff);
  }
}
