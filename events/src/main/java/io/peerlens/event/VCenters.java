package io.peerlens.event;

import java.net.URI;
import java.net.URISyntaxException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Names of vCenters: which vCenter the source of an event is. Sources are host names, authorities
 * ({@code vc1.example:443}) or addresses ({@code https://vc1.example/sdk}); ids of objects have the
 * name that their collector uses.
 */
final class VCenters {

  private final Map<String, String> others = new HashMap<>();
  private final String fallback;

  /**
   * @param pairs {@code SOURCE=VCENTER}
   * @param fallback vCenter of events without a source; empty = the only one
   */
  VCenters(List<String> pairs, String fallback) {
    this.fallback = fallback.strip();
    for (String pair : pairs) {
      int equals = pair.lastIndexOf('=');
      String source = equals < 0 ? "" : pair.substring(0, equals).strip();
      String vcenter = equals < 0 ? "" : pair.substring(equals + 1).strip();
      if (source.isEmpty() || vcenter.isEmpty()) {
        throw new IllegalArgumentException(
            "peerlens.events.vcenters: \"%s\" is not SOURCE=VCENTER, such as vc.internal=vc1.example"
                .formatted(pair));
      }
      others.put(source.toLowerCase(Locale.ROOT), vcenter);
    }
  }

  /**
   * A vCenter.
   *
   * @param name by which its events are told from those of others, and which people see
   * @param candidates names that ids of its objects may begin with, the likeliest first
   */
  record Named(String name, List<String> candidates) {}

  /**
   * The vCenter that a source names.
   *
   * @param source of an event; empty = it has none
   * @param only the only vCenter whose objects are known; null = there are none or several
   */
  Named named(String source, @Nullable String only) {
    String given = source.strip();
    if (given.isEmpty()) {
      String vcenter = fallback.isEmpty() ? (only == null ? "" : only) : fallback;
      return vcenter.isEmpty()
          ? new Named("vcenter", List.of())
          : new Named(vcenter.toLowerCase(Locale.ROOT), List.of(vcenter));
    }
    Set<String> candidates = new LinkedHashSet<>();
    String authority = authority(given);
    String host = authority.replaceFirst(":[0-9]{1,5}$", "");
    for (String name : List.of(given, authority, host)) {
      String other = others.get(name.toLowerCase(Locale.ROOT));
      if (other != null) {
        return new Named(other.toLowerCase(Locale.ROOT), List.of(other));
      }
    }
    candidates.add(given);
    candidates.add(authority);
    candidates.add(authority.toLowerCase(Locale.ROOT));
    candidates.add(host);
    candidates.add(host.toLowerCase(Locale.ROOT));
    return new Named(
        authority.toLowerCase(Locale.ROOT).replaceFirst(":443$", ""), new ArrayList<>(candidates));
  }

  /** Host and port, without scheme, user and path. */
  private static String authority(String source) {
    if (source.contains("://")) {
      try {
        String authority = new URI(source).getRawAuthority();
        if (authority != null) {
          return authority.substring(authority.lastIndexOf('@') + 1);
        }
      } catch (URISyntaxException e) {
        return source;
      }
    }
    int slash = source.indexOf('/');
    return slash > 0 ? source.substring(0, slash) : source;
  }
}
