package io.peerlens.notify.channel;

import java.util.List;

/**
 * Egress rules of the administrator, for one kind of traffic.
 *
 * @param prefix of their settings, for messages: {@code peerlens.notify.egress}
 * @param who must keep to them, for messages: {@code notifications}
 * @param isPrivateOpen whether private addresses are as free to go to as global ones
 * @param allow networks, addresses and host names that are allowed although they are special
 * @param deny networks, addresses and host names that are refused, whatever is allowed
 * @param ports ports that are allowed; empty = all
 */
public record EgressRules(
    String prefix,
    String who,
    boolean isPrivateOpen,
    List<String> allow,
    List<String> deny,
    List<String> ports) {

  /**
   * Rules that can be read.
   *
   * @throws IllegalArgumentException if an entry is none; the message names the setting
   */
  public EgressRules {
    allow = List.copyOf(allow);
    deny = List.copyOf(deny);
    ports = List.copyOf(ports);
    new Places(prefix + ".allow", allow);
    new Places(prefix + ".deny", deny);
    new PortRanges(prefix + ".ports", ports);
  }

  /** Name of one of the settings. */
  String key(String name) {
    return prefix + "." + name;
  }
}
