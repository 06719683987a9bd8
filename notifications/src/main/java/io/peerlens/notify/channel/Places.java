package io.peerlens.notify.channel;

import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;

/** Allow or deny list of networks and host names from the configuration. */
final class Places {

  private final List<Network> networks = new ArrayList<>();
  private final List<String> names = new ArrayList<>();
  private final List<String> suffixes = new ArrayList<>();

  Places(String key, List<String> entries) {
    for (String entry : entries) {
      try {
        add(entry.strip());
      } catch (IllegalArgumentException e) {
        throw new IllegalArgumentException(
            key
                + " holds \""
                + entry
                + "\", which is no network such as 10.0.0.0/8, no address, and no host name such as"
                + " hooks.example.com or *.example.com",
            e);
      }
    }
  }

  private void add(String entry) {
    if (entry.contains("/")) {
      networks.add(Network.parse(entry));
    } else if (entry.startsWith("*.")) {
      suffixes.add("." + name(entry.substring(2)));
    } else {
      HostName host = HostName.parse(entry);
      if (host.literal() != null) {
        networks.add(Network.parse(entry));
      } else {
        names.add(host.name());
      }
    }
  }

  private static String name(String text) {
    HostName host = HostName.parse(text);
    if (host.literal() != null) {
      throw new IllegalArgumentException(text);
    }
    return host.name();
  }

  boolean names(HostName host) {
    return host.literal() == null
        && (names.contains(host.name()) || suffixes.stream().anyMatch(host.name()::endsWith));
  }

  boolean contains(InetAddress address) {
    return networks.stream().anyMatch(network -> network.contains(address));
  }

  /** Whether this very address is listed, not just a network around it. */
  boolean containsAlone(InetAddress address) {
    return networks.stream().anyMatch(network -> network.isOne() && network.contains(address));
  }
}
