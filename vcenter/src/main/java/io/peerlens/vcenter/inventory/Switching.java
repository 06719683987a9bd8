package io.peerlens.vcenter.inventory;

import io.peerlens.vcenter.vim.XmlValue;
import java.util.ArrayList;
import java.util.List;

/** Distributed switches and their port groups. */
final class Switching {

  private Switching() {}

  static void portgroupPolicies(XmlValue setting, Facts facts) {
    XmlValue vlan = setting.at("vlan");
    if (vlan != null) {
      if (vlan.type().contains("Trunk")) {
        List<String> ranges = new ArrayList<>();
        for (XmlValue range : vlan.all("vlanId")) {
          ranges.add(range.text("start") + "-" + range.text("end"));
        }
        facts.property("config|policies|security|vlan_trunk_id", String.join(", ", ranges));
      } else {
        facts.property("config|policies|vlan_id", vlan.text("vlanId"));
        facts.property("config|policies|security|vlan_id", vlan.text("vlanId"));
      }
    }
    security(setting, "allowPromiscuous", "allow_promiscuous", facts);
    security(setting, "macChanges", "mac_changes", facts);
    security(setting, "forgedTransmits", "forged_transmits", facts);
    XmlValue order = setting.at("uplinkTeamingPolicy.uplinkPortOrder");
    if (order != null) {
      facts.property(
          "summary|active_uplink_ports",
          String.join(", ", Readers.texts(order, "activeUplinkPort")));
    }
    facts.property("config|policies|teaming", setting.text("uplinkTeamingPolicy.policy.value"));
  }

  /** Since 6.7 in the policy of MAC management, before in that of security. */
  private static void security(XmlValue setting, String name, String key, Facts facts) {
    String text = setting.text("macManagementPolicy." + name);
    if (text.isEmpty()) {
      text = setting.text("securityPolicy." + name + ".value");
    }
    facts.property("config|policies|security|" + key, text);
  }

  static void portgroupOverrides(XmlValue policy, Facts facts) {
    String prefix = "config|policies|override|";
    facts.property(prefix + "vlan_override_allowed", policy.text("vlanOverrideAllowed"));
    facts.property(
        prefix + "uplink_teaming_override_allowed", policy.text("uplinkTeamingOverrideAllowed"));
    facts.property(prefix + "ipfix_override_allowed", policy.text("ipfixOverrideAllowed"));
    facts.property(prefix + "block_override_allowed", policy.text("blockOverrideAllowed"));
    facts.property(prefix + "shaping_override_allowed", policy.text("shapingOverrideAllowed"));
    facts.property(
        prefix + "vendor_config_override_allowed", policy.text("vendorConfigOverrideAllowed"));
    facts.property(prefix + "live_port_moving_allowed", policy.text("livePortMovingAllowed"));
    facts.property(
        prefix + "port_config_reset_at_disconnect", policy.text("portConfigResetAtDisconnect"));
    facts.property(
        prefix + "network_resourcepool_moving_override_allowed",
        policy.text("networkResourcePoolOverrideAllowed"));
    String either = policy.text("macManagementOverrideAllowed");
    facts.property(
        prefix + "security_policy_override_allowed",
        either.equals("true") ? either : policy.text("securityPolicyOverrideAllowed"));
  }

  static void features(XmlValue features, Facts facts) {
    facts.property(
        "capability|nicTeamingPolicy",
        String.join(", ", Readers.texts(features, "nicTeamingPolicy")));
  }

  static void configuration(XmlValue config, Facts facts) {
    facts.property("config|maxMtu", config.text("maxMtu"));
    facts.property(
        "config|networkResourceManagementEnabled", config.text("networkResourceManagementEnabled"));
    facts.metric("summary|max_num_ports", config.number("numPorts"), "ports");
    for (XmlValue check : config.all("healthCheckConfig")) {
      String key =
          check.type().contains("VlanMtu")
              ? "health_check_config_vlan_mtu"
              : "health_check_config_teaming";
      facts.property("config|health_check_config|" + key, check.text("enable"));
    }
    facts.property("config|discoveryProtocol", config.text("linkDiscoveryProtocolConfig.protocol"));
    facts.property("config|ipfix", config.text("ipfixConfig.collectorIpAddress"));
  }
}
