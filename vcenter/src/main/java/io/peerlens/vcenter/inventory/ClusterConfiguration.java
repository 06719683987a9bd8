package io.peerlens.vcenter.inventory;

import io.peerlens.vcenter.vim.XmlValue;
import java.util.List;
import java.util.TreeSet;

/** Configuration of a cluster: HA, DRS, DPM, vSAN and rules. */
final class ClusterConfiguration {

  private ClusterConfiguration() {}

  static void read(XmlValue config, Facts facts) {
    availability(config, facts);
    balancing(config, facts);
    facts.property("configuration|dpmConfiginfo|enabled", config.text("dpmConfigInfo.enabled"));
    facts.property(
        "configuration|dpmConfiginfo|defaultDpmBehavior",
        config.text("dpmConfigInfo.defaultDpmBehavior"));
    String vsan = config.text("vsanConfigInfo.enabled");
    if (!vsan.isEmpty()) {
      facts.property("configuration|vSANEnabled", vsan.equals("true") ? "Enabled" : "Disabled");
      facts.property("configuration|vsanEnabled", vsan);
    }
    facts.property("configuration|evcMode", config.text("currentEVCModeKey"));
    TreeSet<String> rules = new TreeSet<>();
    for (XmlValue rule : config.all("rule")) {
      rules.add(rule.text("name") + " (" + rule.type() + ")");
    }
    for (String key :
        List.of("configuration|drsconfig|affinityRules", "configuration|drsConfig|affinityRules")) {
      facts.property(key, String.join(", ", rules));
    }
  }

  private static void availability(XmlValue config, Facts facts) {
    XmlValue das = config.at("dasConfig");
    if (das == null) {
      return;
    }
    String prefix = "configuration|dasConfig|";
    facts.property(prefix + "enabled", das.text("enabled"));
    facts.property(prefix + "admissionControlEnabled", das.text("admissionControlEnabled"));
    facts.property(prefix + "hostMonitoring", das.text("hostMonitoring"));
    facts.property(prefix + "vmMonitoring", das.text("vmMonitoring"));
    facts.metric(prefix + "failoverLevel", das.number("failoverLevel"), "hosts");
    XmlValue policy = das.at("admissionControlPolicy");
    if (policy == null) {
      return;
    }
    facts.property(prefix + "admissionControlPolicy", policy.type());
    facts.property(prefix + "activeAdmissionControlPolicy", policyWords(policy.type()));
    String cpu = policy.text("cpuFailoverResourcesPercent");
    String memory = policy.text("memoryFailoverResourcesPercent");
    facts.property(prefix + "cpuFailoverPercent", cpu);
    facts.property(prefix + "memFailoverPercent", memory);
    facts.metric(
        prefix + "admissionControlPolicy|cpuFailoverResourcesPercent",
        policy.number("cpuFailoverResourcesPercent"),
        "%");
    facts.metric(
        prefix + "admissionControlPolicy|memoryFailoverResourcesPercent",
        policy.number("memoryFailoverResourcesPercent"),
        "%");
    facts.property(prefix + "hostFailoverLevel", policy.text("failoverLevel"));
    facts.property(prefix + "slotFixedCpu", policy.text("slotPolicy.cpu"));
    facts.property(prefix + "slotFixedMem", policy.text("slotPolicy.memory"));
  }

  /** As vSphere's pages call the policies. */
  private static String policyWords(String type) {
    return switch (type) {
      case "ClusterFailoverResourcesAdmissionControlPolicy" -> "Cluster resource percentage";
      case "ClusterFailoverLevelAdmissionControlPolicy" -> "Slot policy";
      case "ClusterFailoverHostAdmissionControlPolicy" -> "Dedicated failover hosts";
      default -> type;
    };
  }

  /** Published dashboards write drsconfig, those of VCF 9 drsConfig. */
  private static void balancing(XmlValue config, Facts facts) {
    XmlValue drs = config.at("drsConfig");
    if (drs == null) {
      return;
    }
    for (String prefix : List.of("configuration|drsconfig|", "configuration|drsConfig|")) {
      facts.property(prefix + "enabled", drs.text("enabled"));
      facts.property(prefix + "defaultVmBehavior", drs.text("defaultVmBehavior"));
    }
    facts.property("configuration|drsconfig|vmotionRate", drs.text("vmotionRate"));
    facts.property("configuration|drsConfig|vMotionRate", drs.text("vmotionRate"));
    boolean automatic =
        drs.isTrue("enabled") && drs.text("defaultVmBehavior").equals("fullyAutomated");
    facts.metric("configuration|drsConfig|enabledAndFullyAutomated", automatic ? 1 : 0, "");
    TreeSet<String> options = new TreeSet<>();
    for (XmlValue option : drs.all("option")) {
      options.add(option.text("key") + "=" + option.text("value"));
      if (option.text("key").equals("PercentIdleMBInMemDemand")) {
        facts.property("configuration|drsconfig|pctIdleMBInMemDemand", option.text("value"));
      }
    }
    facts.property("summary|drsTunable", String.join(", ", options));
  }

  static void summary(XmlValue summary, Facts facts) {
    facts.metric("clusterServices|effectivecpu_average", summary.number("effectiveCpu"), "MHz");
    facts.metric("clusterServices|effectivemem_average", summary.number("effectiveMemory"), "MB");
    facts.metric("cpu|capacity_provisioned", summary.number("totalCpu"), "MHz");
    facts.metric("mem|host_provisioned", summary.number("totalMemory") / 1024, "KB");
    facts.metric("cpu|corecount_provisioned", summary.number("numCpuCores"), "cores");
    facts.metric("clusterServices|total_imbalance", summary.number("currentBalance") / 1000, "");
    double target = summary.number("targetBalance");
    if (!Double.isNaN(target)) {
      facts.property("configuration|drsconfig|targetBalance", Readers.number(target / 1000));
    }
  }
}
