package io.peerlens.flow.network;

import io.peerlens.flow.network.NetworksFile.Format;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Writes networks as people do, for tests of what reads them. */
final class NetworksText {

  private static final List<String> KEYS =
      List.of("name", "cidrs", "internal", "vlan", "site", "description");

  private NetworksText() {}

  /** The text of networks; {@link NetworksFile#parse} reads it back to the same networks. */
  static String text(List<Network> networks, Format format) {
    return switch (format) {
      case YAML -> yaml(networks);
      case CSV -> csv(networks);
    };
  }

  private static String yaml(List<Network> networks) {
    if (networks.isEmpty()) {
      return "networks: []\n";
    }
    StringBuilder out = new StringBuilder("networks:\n");
    for (Network network : networks) {
      out.append("  - name: ").append(yaml(network.name())).append("\n    cidrs:\n");
      for (Cidr cidr : network.cidrs()) {
        out.append("      - \"").append(cidr).append("\"\n");
      }
      line(out, "internal", network.internal());
      line(out, "vlan", network.vlan());
      line(out, "site", network.site() == null ? null : yaml(network.site()));
      line(out, "description", network.description() == null ? null : yaml(network.description()));
    }
    return out.toString();
  }

  private static void line(StringBuilder out, String key, @Nullable Object value) {
    if (value != null) {
      out.append("    ").append(key).append(": ").append(value).append('\n');
    }
  }

  /** In quotes, so that no name is taken for a number, a key or a comment. */
  private static String yaml(String text) {
    return '"' + text.replace("\\", "\\\\").replace("\"", "\\\"") + '"';
  }

  private static String csv(List<Network> networks) {
    StringBuilder out = new StringBuilder(String.join(",", KEYS)).append("\r\n");
    for (Network network : networks) {
      out.append(csv(network.name()))
          .append(',')
          .append(network.cidrs().stream().map(Cidr::toString).collect(Collectors.joining(" ")))
          .append(',')
          .append(network.internal() == null ? "" : network.internal())
          .append(',')
          .append(network.vlan() == null ? "" : network.vlan())
          .append(',')
          .append(csv(network.site()))
          .append(',')
          .append(csv(network.description()))
          .append("\r\n");
    }
    return out.toString();
  }

  private static String csv(@Nullable String text) {
    if (text == null) {
      return "";
    }
    boolean plain = text.chars().noneMatch(c -> c == ',' || c == ';' || c == '"');
    return plain ? text : '"' + text.replace("\"", "\"\"") + '"';
  }
}
