package io.peerlens.vcenter.inventory;

import io.peerlens.vcenter.vim.XmlValue;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;

/** Storage hardware of a host: bus adapters, paths to LUNs and what chooses among them. */
final class HostStorage {

  private HostStorage() {}

  static void adapters(XmlValue adapters, Facts facts) {
    for (XmlValue adapter : adapters.children()) {
      String group = "storageAdapter:" + adapter.text("device");
      facts.property(group + "|hbaDriver", adapter.text("driver"));
      facts.property(group + "|model", adapter.text("model").strip());
      facts.property(group + "|status", adapter.text("status"));
      facts.property(group + "|type", type(adapter.type()));
      facts.property(group + "|storageProtocol", adapter.text("storageProtocol"));
      String wwn = adapter.text("portWorldWideName");
      if (!wwn.isEmpty()) {
        facts.property(group + "|port_WWN", worldWideName(wwn));
      }
      facts.property(group + "|iScsiName", adapter.text("iScsiName"));
    }
  }

  /** {@code FibreChannel} of {@code HostFibreChannelHba}. */
  private static String type(String name) {
    return name.startsWith("Host") && name.endsWith("Hba")
        ? name.substring("Host".length(), name.length() - "Hba".length())
        : name;
  }

  /** vim25 has a whole number where people write {@code 21:00:00:24:ff:...}. */
  private static String worldWideName(String number) {
    try {
      String hex = String.format(Locale.ROOT, "%016x", Long.parseLong(number));
      return hex.replaceAll("(..)(?!$)", "$1:");
    } catch (NumberFormatException e) {
      return number;
    }
  }

  static void multipathing(XmlValue multipath, Facts facts) {
    int paths = 0;
    int active = 0;
    TreeSet<String> policies = new TreeSet<>();
    Map<String, Integer> pathsByLun = new TreeMap<>();
    for (XmlValue lun : multipath.all("lun")) {
      String policy = lun.text("policy.policy");
      if (!policy.isEmpty()) {
        policies.add(policy);
      }
      int ofLun = 0;
      for (XmlValue path : lun.all("path")) {
        paths++;
        ofLun++;
        String state = path.text("state").isEmpty() ? path.text("pathState") : path.text("state");
        active += state.equals("active") ? 1 : 0;
      }
      pathsByLun.put(lun.text("id"), ofLun);
      String group = "disk:" + lun.text("id");
      facts.property(group + "|multipathPolicy", policy);
      facts.property(group + "|preferredPath", lun.text("policy.prefer"));
      facts.property(group + "|storageArrayType", lun.text("storageArrayTypePolicy.policy"));
      facts.property(group + "|paths", ofLun);
    }
    if (!pathsByLun.isEmpty()) {
      facts.property("config|storageDevice|multipathInfo|numberofActivePath", active);
      facts.property("config|storageDevice|plugStoreTopology|numberofPath", paths);
      facts.property(
          "config|storageDevice|multipathInfo|multipathPolicy", String.join(", ", policies));
    }
  }

  static void luns(XmlValue luns, Facts facts) {
    Map<String, Long> depths = new HashMap<>();
    for (XmlValue lun : luns.children()) {
      String name = lun.text("canonicalName");
      if (name.isEmpty()) {
        continue;
      }
      String group = "disk:" + name;
      facts.name("disk:" + lun.text("uuid"), group); // as multipathing calls it
      facts.property(group + "|displayName", lun.text("displayName"));
      facts.property(group + "|vendor", lun.text("vendor").strip());
      facts.property(group + "|model", lun.text("model").strip());
      facts.property(group + "|queueDepth", lun.text("queueDepth"));
      facts.property(group + "|ssd", lun.text("ssd"));
      facts.property(group + "|localDisk", lun.text("localDisk"));
      double depth = lun.number("queueDepth");
      if (!Double.isNaN(depth)) {
        depths.merge(lun.text("lunType"), (long) depth, Math::min);
      }
    }
    Long least = depths.get("disk");
    if (least != null) {
      facts.property("config|storageDevice|leastQueueDepth", least);
    }
  }
}
