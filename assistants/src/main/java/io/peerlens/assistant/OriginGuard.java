package io.peerlens.assistant;

import io.modelcontextprotocol.server.transport.ServerTransportSecurityException;
import io.modelcontextprotocol.server.transport.ServerTransportSecurityValidator;
import java.net.URI;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Check of {@code Host} and {@code Origin}: a page of elsewhere that a browser has open may not
 * speak to this server, also not by a name of its own that points here (DNS rebinding). Programs
 * that are no browsers send no origin.
 */
final class OriginGuard implements ServerTransportSecurityValidator {

  private static final Pattern ADDRESS =
      Pattern.compile("[0-9]{1,3}(\\.[0-9]{1,3}){3}|\\[[0-9a-f:.]+\\]");

  private final Set<String> hosts;
  private final Supplier<@Nullable String> pages;

  /**
   * @param hosts names of this server; empty = any while no browser asks
   * @param pages address of the pages; null = not known
   */
  OriginGuard(List<String> hosts, Supplier<@Nullable String> pages) {
    Set<String> names = new TreeSet<>();
    hosts.forEach(host -> names.add(host.strip().toLowerCase(Locale.ROOT)));
    this.hosts = names;
    this.pages = pages;
  }

  @Override
  public void validateHeaders(Map<String, List<String>> headers)
      throws ServerTransportSecurityException {
    String host = header(headers, "Host");
    String origin = header(headers, "Origin");
    if (!hosts.isEmpty() && (host == null || !isOurs(name(host)))) {
      throw new ServerTransportSecurityException(403, "The host is not one of this server");
    }
    if (origin != null && (host == null || !isAllowed(origin, host))) {
      throw new ServerTransportSecurityException(403, "The origin may not ask here");
    }
  }

  private static @Nullable String header(Map<String, List<String>> headers, String name) {
    for (Map.Entry<String, List<String>> one : headers.entrySet()) {
      if (one.getKey().equalsIgnoreCase(name)) {
        // Several of them are none that a browser sends.
        return one.getValue().size() == 1 ? one.getValue().getFirst() : "";
      }
    }
    return null;
  }

  private boolean isAllowed(String origin, String host) {
    String authority = authority(origin);
    if (authority == null) {
      return false;
    }
    return authority.equals(host.toLowerCase(Locale.ROOT)) && isOurs(name(authority))
        || authority.equals(pagesAuthority());
  }

  private boolean isOurs(String name) {
    String pagesAt = pagesAuthority();
    return name.equals("localhost")
        || ADDRESS.matcher(name).matches()
        || hosts.contains(name)
        || pagesAt != null && name(pagesAt).equals(name);
  }

  private @Nullable String pagesAuthority() {
    String address = pages.get();
    return address == null ? null : authority(address);
  }

  private static @Nullable String authority(String address) {
    try {
      URI uri = URI.create(address.toLowerCase(Locale.ROOT));
      String scheme = uri.getScheme();
      return "http".equals(scheme) || "https".equals(scheme) ? uri.getRawAuthority() : null;
    } catch (IllegalArgumentException e) {
      return null;
    }
  }

  private static String name(String authority) {
    return authority.toLowerCase(Locale.ROOT).replaceFirst(":[0-9]*$", "");
  }
}
