package io.peerlens.notify.channel;

import java.net.IDN;
import java.net.InetAddress;
import java.util.Locale;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Host name or address as it is looked up: a name in lower case, or an address.
 *
 * <p>There are many ways to write 127.0.0.1: 2130706433, 0177.0.0.1, 0x7f.1, 127.1, and libraries
 * disagree on what they mean. All but the four plain numbers are refused, so nothing that looks at
 * the text can be fooled.
 *
 * @param name without the final dot
 * @param literal the address, when the name is one
 */
record HostName(String name, @Nullable InetAddress literal) {

  private static final Pattern BYTE = Pattern.compile("0|[1-9]\\d?|1\\d\\d|2[0-4]\\d|25[0-5]");
  private static final Pattern NUMBER = Pattern.compile("\\d+|0[xX][0-9a-fA-F]*");
  private static final Pattern LABEL = Pattern.compile("[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?");

  /**
   * Reads a host.
   *
   * @throws IllegalArgumentException if it is neither a name nor an address; the message says why
   */
  static HostName parse(String host) {
    if (host.contains(":") || host.startsWith("[")) {
      return ipv6(host);
    }
    String name;
    try {
      name = IDN.toASCII(host).toLowerCase(Locale.ROOT);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException("\"" + host + "\" is no host name", e);
    }
    if (name.endsWith(".")) {
      name = name.substring(0, name.length() - 1);
    }
    String[] labels = name.split("\\.", -1);
    if (NUMBER.matcher(labels[labels.length - 1]).matches()) {
      return ipv4(host, name, labels);
    }
    if (name.length() > 253) {
      throw new IllegalArgumentException("\"" + host + "\" is too long for a host name");
    }
    for (String label : labels) {
      if (!LABEL.matcher(label).matches()) {
        throw new IllegalArgumentException("\"" + host + "\" is no host name");
      }
    }
    return new HostName(name, null);
  }

  private static HostName ipv4(String host, String name, String[] labels) {
    boolean plain = labels.length == 4;
    for (String label : labels) {
      plain &= BYTE.matcher(label).matches();
    }
    if (!plain) {
      throw new IllegalArgumentException(
          "\"" + host + "\" is a number, but no address in the form 192.0.2.1");
    }
    return new HostName(name, InetAddress.ofLiteral(name));
  }

  private static HostName ipv6(String host) {
    String text =
        host.startsWith("[") && host.endsWith("]") ? host.substring(1, host.length() - 1) : host;
    if (text.contains("%")) {
      throw new IllegalArgumentException(
          "\"" + host + "\" names a network interface, which is not allowed");
    }
    try {
      InetAddress address = InetAddress.ofLiteral(text);
      return new HostName(address.getHostAddress(), address);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException("\"" + host + "\" is no IPv6 address", e);
    }
  }
}
