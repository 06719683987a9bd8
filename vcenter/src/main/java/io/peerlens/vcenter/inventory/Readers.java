package io.peerlens.vcenter.inventory;

import io.peerlens.vcenter.inventory.PropertyTable.Rule;
import io.peerlens.vcenter.vim.XmlValue;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeSet;

/**
 * Readers of lists and of values that are joined, by the names that {@code properties.yaml} gives
 * them. Instances are named as vCenter's performance counters name them, so that configuration and
 * performance of a disk or card stand side by side.
 */
final class Readers {

  private static final double GIB = 1024.0 * 1024 * 1024;

  /** Advanced settings that are told as a property of their own name in vROps. */
  private static final Map<String, String> SETTINGS =
      Map.ofEntries(
          Map.entry("UserVars.DcuiTimeOut", "config|security|dcui_timeout"),
          Map.entry("DCUI.Access", "config|security|dcui_access"),
          Map.entry("UserVars.ESXiShellTimeOut", "config|security|shell_timeout"),
          Map.entry(
              "UserVars.ESXiShellInteractiveTimeOut", "config|security|shell_interactive_timeout"),
          Map.entry("Security.AccountUnlockTime", "config|security|security_account_unlock_time"),
          Map.entry(
              "Security.AccountLockFailures", "config|security|security_account_lock_failures"),
          Map.entry("Security.PasswordHistory", "config|security|security_password_history"),
          Map.entry(
              "Security.PasswordQualityControl",
              "config|security|security_password_quality_control"),
          Map.entry("Security.PasswordMaxDays", "config|security|password_max_days"),
          Map.entry("Syslog.global.logDir", "config|security|syslog_dir"),
          Map.entry("Syslog.global.logHost", "config|security|syslog_host"),
          Map.entry("Syslog.global.logLevel", "config|security|syslog_global_logLevel"),
          Map.entry("Config.HostAgent.plugins.solo.enableMob", "config|security|enable_mob"),
          Map.entry("Config.HostAgent.log.level", "config|security|host_agent_log_level"),
          Map.entry(
              "Config.HostAgent.plugins.hostsvc.esxAdminsGroup",
              "config|security|esx_admins_group"),
          Map.entry("UserVars.ESXiVPsDisabledProtocols", "config|security|tlsDisabledProtocols"),
          Map.entry("UserVars.SuppressShellWarning", "config|security|suppressShellWarning"),
          Map.entry(
              "UserVars.SuppressHyperthreadWarning", "config|security|suppressHyperthreadWarning"),
          Map.entry(
              "UserVars.HostClientSessionTimeout", "config|security|host_client_session_timeout"),
          Map.entry(
              "ScratchConfig.CurrentScratchLocation", "config|security|current_scratch_location"),
          Map.entry("Net.BlockGuestBPDU", "config|security|net_block_guest_bpdu"),
          Map.entry("Net.DVFilterBindIpAddress", "config|security|dvfilter_bind_address"),
          Map.entry("Mem.ShareForceSalting", "config|security|tps_share_force_salting"),
          Map.entry("Mem.MemEagerZero", "config|security|mem_eager_zero"),
          Map.entry("VMkernel.Boot.execInstalledOnly", "config|security|execInstalledOnly"),
          Map.entry("Annotations.WelcomeMessage", "config|security|welcome_message"),
          Map.entry("Config.Etc.issue", "config|security|issue"));

  /**
   * Advanced settings that decide about performance: told as {@code config|advanced|NAME}. Hosts of
   * one cluster that differ in one of them are worth a look.
   */
  private static final List<String> ADVANCED =
      List.of(
          "DataMover.",
          "Disk.",
          "NFS.Max",
          "NFS.Heartbeat",
          "Net.TcpipHeap",
          "Net.NetSplitRx",
          "Numa.",
          "Mem.AllocGuestLargePage",
          "Mem.ShareScan",
          "Power.",
          "Cpu.",
          "VMFS3.",
          "VSAN.",
          "Misc.HyperV",
          "LSOM.");

  private static final Map<String, Rule> BY_NAME = new HashMap<>();

  static {
    BY_NAME.put("customValues", (value, facts) -> {}); // names are joined by the inventory
    BY_NAME.put("notes", (value, facts) -> facts.property("sys|notes", value.text()));
    BY_NAME.put("encryption", Readers::encryption);
    BY_NAME.put("devices", Devices::read);
    BY_NAME.put("snapshots", Snapshots::read);
    BY_NAME.put("toolsVersion", Readers::toolsVersion);
    BY_NAME.put("guestDisks", Readers::guestDisks);
    BY_NAME.put("guestNets", Readers::guestNets);
    BY_NAME.put("vmStorage", Readers::vmStorage);
    BY_NAME.put("machineFiles", Snapshots::files);
    BY_NAME.put("hardwareTags", Readers::hardwareTags);
    BY_NAME.put("cpuCapacity", Readers::cpuCapacity);
    BY_NAME.put("numaNodes", Readers::numaNodes);
    BY_NAME.put("services", Readers::services);
    BY_NAME.put("ntpServers", Readers::ntpServers);
    BY_NAME.put("physicalNics", Readers::physicalNics);
    BY_NAME.put("kernelNics", Readers::kernelNics);
    BY_NAME.put("managementAddress", Readers::managementAddress);
    BY_NAME.put("dns", Readers::dns);
    BY_NAME.put("advancedSettings", Readers::advancedSettings);
    BY_NAME.put("hostBusAdapters", HostStorage::adapters);
    BY_NAME.put("multipathing", HostStorage::multipathing);
    BY_NAME.put("luns", HostStorage::luns);
    BY_NAME.put("vsanHost", VirtualSan::host);
    BY_NAME.put("clusterConfiguration", ClusterConfiguration::read);
    BY_NAME.put("clusterSummary", ClusterConfiguration::summary);
    BY_NAME.put("folderType", Readers::folderType);
    BY_NAME.put("podSummary", Readers::podSummary);
    BY_NAME.put("datastoreSummary", Readers::datastoreSummary);
    BY_NAME.put("datastoreInfo", Readers::datastoreInfo);
    BY_NAME.put("portgroupPolicies", Switching::portgroupPolicies);
    BY_NAME.put("portgroupOverrides", Switching::portgroupOverrides);
    BY_NAME.put("switchFeatures", Switching::features);
    BY_NAME.put("switchConfiguration", Switching::configuration);
  }

  private Readers() {}

  static Rule named(String name) {
    Rule rule = BY_NAME.get(name);
    if (rule == null) {
      throw new IllegalArgumentException("There is no reader '" + name + "'");
    }
    return rule;
  }

  private static void encryption(XmlValue keyId, Facts facts) {
    boolean set = !keyId.text("keyId").isEmpty();
    facts.property("config|encryptionState", set ? "Encrypted" : "Not Encrypted");
    facts.property("config|cryptoKeyIDSet", Boolean.toString(set));
  }

  /** 12421 is 12.4.5: five bits each for the two lower parts. */
  private static void toolsVersion(XmlValue value, Facts facts) {
    double number = value.number();
    if (number > 0) {
      int n = (int) number;
      facts.property("summary|guest|toolsVersion", n / 1024 + "." + n / 32 % 32 + "." + n % 32);
    }
  }

  private static void guestDisks(XmlValue disks, Facts facts) {
    double capacity = 0;
    double free = 0;
    for (XmlValue disk : disks.children()) {
      double size = disk.number("capacity");
      double left = disk.number("freeSpace");
      String path = disk.text("diskPath").replace('|', '_');
      if (path.isEmpty() || !(size > 0) || Double.isNaN(left)) {
        continue;
      }
      String group = "guestfilesystem:" + path;
      facts.metric(group + "|capacity", size / GIB, "GB");
      facts.metric(group + "|usage", (size - left) / GIB, "GB");
      facts.metric(group + "|freespace", left / GIB, "GB");
      facts.metric(group + "|percentage", (size - left) / size * 100, "%");
      capacity += size;
      free += left;
    }
    if (capacity > 0) {
      facts.metric("guestfilesystem|capacity_total", capacity / GIB, "GB");
      facts.metric("guestfilesystem|usage_total", (capacity - free) / GIB, "GB");
      facts.metric("guestfilesystem|freespace_total", free / GIB, "GB");
      facts.metric("guestfilesystem|percentage_total", (capacity - free) / capacity * 100, "%");
    }
  }

  private static void guestNets(XmlValue nets, Facts facts) {
    for (XmlValue net : nets.children()) {
      String key = net.text("deviceConfigId");
      if (key.isEmpty() || key.startsWith("-")) {
        continue; // an adapter that the guest made for itself
      }
      List<String> v4 = new ArrayList<>();
      List<String> v6 = new ArrayList<>();
      for (XmlValue address : net.all("ipAddress")) {
        (address.text().indexOf(':') < 0 ? v4 : v6).add(address.text());
      }
      facts.property("net:" + key + "|ip_address", String.join(",", v4));
      facts.property("net:" + key + "|ipv6_address", String.join(",", v6));
    }
  }

  private static void vmStorage(XmlValue storage, Facts facts) {
    double committed = storage.number("committed");
    facts.metric("diskspace|used", committed / GIB, "GB");
    facts.metric(
        "diskspace|provisionedSpace", (committed + storage.number("uncommitted")) / GIB, "GB");
    facts.metric("diskspace|notshared", storage.number("unshared") / GIB, "GB");
  }

  private static void hardwareTags(XmlValue system, Facts facts) {
    for (XmlValue info : system.all("otherIdentifyingInfo")) {
      String key =
          switch (info.text("identifierType.key")) {
            case "SerialNumberTag" -> "hardware|serialNumberTag";
            case "ServiceTag" -> "hardware|serviceTag";
            case "EnclosureSerialNumberTag" -> "hardware|enclosureSerialNumberTag";
            default -> "";
          };
      if (!key.isEmpty()) {
        facts.property(key, info.text("identifierValue").strip());
      }
    }
  }

  private static void cpuCapacity(XmlValue cpu, Facts facts) {
    facts.metric(
        "cpu|capacity_provisioned", cpu.number("numCpuCores") * cpu.number("hz") / 1e6, "MHz");
  }

  private static void numaNodes(XmlValue numa, Facts facts) {
    double nodes = numa.number("numNodes");
    if (Double.isNaN(nodes)) {
      return;
    }
    facts.property("hardware|numa|nodes", (long) nodes);
    for (XmlValue node : numa.all("numaNode")) {
      String group = "numa:" + node.text("typeId");
      facts.property(group + "|cpus", node.all("cpuID").size());
      double size = node.number("memoryRangeLength");
      if (!Double.isNaN(size)) {
        facts.property(group + "|memoryKB", (long) (size / 1024));
      }
    }
  }

  private static void services(XmlValue info, Facts facts) {
    for (XmlValue service : info.all("service")) {
      String label = service.text("label"); // vROps calls them NTP Daemon rather than ntpd
      String group = "config|security|service:" + (label.isEmpty() ? service.text("key") : label);
      facts.property(group + "|isRunning", service.text("running"));
      facts.property(group + "|policy", service.text("policy"));
    }
  }

  private static void ntpServers(XmlValue config, Facts facts) {
    String servers = String.join(", ", texts(config, "server"));
    facts.property("config|ntp|server", servers);
    facts.property("config|security|ntpServer", servers);
  }

  private static void physicalNics(XmlValue nics, Facts facts) {
    int withLink = 0;
    double speeds = 0;
    for (XmlValue nic : nics.children()) {
      String group = "net:" + nic.text("device");
      double speed = nic.number("linkSpeed.speedMb");
      facts.property(group + "|nicDriver", nic.text("driver"));
      facts.property(group + "|mac_address", nic.text("mac"));
      facts.property(group + "|configuredSpeed", nic.text("spec.linkSpeed.speedMb"));
      facts.property(group + "|duplex", nic.text("linkSpeed.duplex"));
      facts.property(group + "|link", speed > 0 ? "up" : "down");
      if (speed > 0) {
        facts.property(group + "|speed", (long) speed);
        withLink++;
        speeds += speed;
      }
    }
    facts.property("config|network|nnic", nics.children().size());
    if (withLink > 0) {
      facts.property("config|network|linkspeed", Math.round(speeds / withLink));
    }
  }

  private static void kernelNics(XmlValue nics, Facts facts) {
    TreeSet<String> addresses = new TreeSet<>();
    for (XmlValue nic : nics.children()) {
      String group = "net:" + nic.text("device");
      facts.property(group + "|ip_address", nic.text("spec.ip.ipAddress"));
      facts.property(group + "|mac_address", nic.text("spec.mac"));
      facts.property(group + "|mtu", nic.text("spec.mtu"));
      facts.property(group + "|portGroup", nic.text("portgroup"));
      if (!nic.text("spec.ip.ipAddress").isEmpty()) {
        addresses.add(nic.text("spec.ip.ipAddress"));
      }
    }
    facts.property("net|ip_address", String.join(", ", addresses));
  }

  /** The address of the adapter that is chosen for management. */
  private static void managementAddress(XmlValue configs, Facts facts) {
    for (XmlValue config : configs.children()) {
      if (!config.text("nicType").equals("management")) {
        continue;
      }
      List<String> chosen = texts(config, "selectedVnic");
      for (XmlValue nic : config.all("candidateVnic")) {
        if (chosen.contains(nic.text("key"))) {
          facts.property("net|mgmt_address", nic.text("spec.ip.ipAddress"));
          return;
        }
      }
    }
  }

  private static void dns(XmlValue dns, Facts facts) {
    facts.property("config|network|dnsserver", String.join(", ", texts(dns, "address")));
    facts.property("config|network|domainname", dns.text("domainName"));
  }

  private static void advancedSettings(XmlValue options, Facts facts) {
    for (XmlValue option : options.children()) {
      String name = option.text("key");
      String value = option.text("value");
      String key = SETTINGS.get(name);
      if (key != null) {
        facts.property(key, value);
      } else if (ADVANCED.stream().anyMatch(name::startsWith)) {
        facts.property("config|advanced|" + name, value);
      }
    }
  }

  private static void folderType(XmlValue types, Facts facts) {
    TreeSet<String> names = new TreeSet<>();
    types.children().forEach(type -> names.add(type.text()));
    names.remove("Folder");
    facts.property("summary|folderType", String.join(", ", names));
  }

  private static void podSummary(XmlValue summary, Facts facts) {
    space(summary.number("capacity"), summary.number("freeSpace"), Double.NaN, facts);
  }

  private static void datastoreSummary(XmlValue summary, Facts facts) {
    double capacity = summary.number("capacity");
    double uncommitted = summary.number("uncommitted");
    if (capacity > 0) {
      facts.property("summary|diskCapacity", number(capacity / GIB));
    }
    space(
        capacity, summary.number("freeSpace"), Double.isNaN(uncommitted) ? 0 : uncommitted, facts);
    facts.property("summary|multipleHostAccess", summary.text("multipleHostAccess"));
  }

  private static void space(double capacity, double free, double uncommitted, Facts facts) {
    if (!(capacity > 0) || Double.isNaN(free)) {
      return; // one that no host can reach has 0
    }
    double used = capacity - free;
    for (String key : List.of("capacity|total_capacity", "diskspace|capacity")) {
      facts.metric(key, capacity / GIB, "GB");
    }
    for (String key : List.of("capacity|available_space", "diskspace|freespace")) {
      facts.metric(key, free / GIB, "GB");
    }
    for (String key : List.of("capacity|used_space", "diskspace|disktotal")) {
      facts.metric(key, used / GIB, "GB");
    }
    facts.metric("capacity|usedSpacePct", used / capacity * 100, "%");
    facts.metric("capacity|uncommitted", uncommitted / GIB, "GB");
    for (String key : List.of("capacity|provisioned", "diskspace|provisioned")) {
      facts.metric(key, (used + uncommitted) / GIB, "GB");
    }
  }

  private static void datastoreInfo(XmlValue info, Facts facts) {
    facts.property("summary|vmfs_version", info.text("vmfs.version"));
    facts.property("summary|vmfs_uuid", info.text("vmfs.uuid"));
    facts.property("summary|isLocal", info.text("vmfs.local"));
    List<String> extents = new ArrayList<>();
    XmlValue vmfs = info.at("vmfs");
    if (vmfs != null) {
      for (XmlValue extent : vmfs.all("extent")) {
        extents.add(extent.text("diskName") + ":" + extent.text("partition"));
      }
    }
    facts.property("datastore|hostScsiDiskPartition", String.join(", ", extents));
    String remote = info.text("nas.remoteHost");
    if (!remote.isEmpty()) {
      facts.property("summary|nas", remote + ":" + info.text("nas.remotePath"));
    }
  }

  /** The texts of all children of a name. */
  static List<String> texts(XmlValue of, String child) {
    return of.all(child).stream().map(XmlValue::text).filter(text -> !text.isEmpty()).toList();
  }

  /** A number as people write it, with two decimals at most. */
  static String number(double value) {
    String text = String.format(Locale.ROOT, "%.2f", value);
    return text.endsWith(".00") ? text.substring(0, text.length() - 3) : text;
  }
}
