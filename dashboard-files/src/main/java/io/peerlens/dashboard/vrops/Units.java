package io.peerlens.dashboard.vrops;

import java.util.Locale;
import java.util.Map;

/** Units of vROps by their ids, as Peerlens writes them. */
final class Units {

  private static final Map<String, String> BY_ID =
      Map.ofEntries(
          Map.entry("percent", "%"),
          Map.entry("bit", "bit"),
          Map.entry("bytes", "B"),
          Map.entry("b", "B"),
          Map.entry("kb", "KB"),
          Map.entry("mb", "MB"),
          Map.entry("gb", "GB"),
          Map.entry("tb", "TB"),
          Map.entry("pb", "PB"),
          Map.entry("hz", "Hz"),
          Map.entry("mhz", "MHz"),
          Map.entry("ghz", "GHz"),
          Map.entry("usec", "µs"),
          Map.entry("msec", "ms"),
          Map.entry("sec", "s"),
          Map.entry("min", "min"),
          Map.entry("hour", "h"),
          Map.entry("hr", "h"),
          Map.entry("day", "d"),
          Map.entry("days", "d"),
          Map.entry("bitsps", "bit/s"),
          Map.entry("kbitsps", "kbit/s"),
          Map.entry("mbitsps", "Mbit/s"),
          Map.entry("gbitsps", "Gbit/s"),
          Map.entry("bps", "B/s"),
          Map.entry("bytesps", "B/s"),
          Map.entry("kbps", "KB/s"),
          Map.entry("mbps", "MB/s"),
          Map.entry("gbps", "GB/s"),
          Map.entry("w", "W"),
          Map.entry("kw", "kW"),
          Map.entry("wh", "Wh"),
          Map.entry("kwh", "kWh"),
          Map.entry("joule", "J"),
          Map.entry("core", "cores"),
          Map.entry("cores", "cores"),
          Map.entry("7001", "cores"),
          Map.entry("7003", "operations"),
          Map.entry("7004", "vCPU"));

  private Units() {}

  /**
   * A unit.
   *
   * @param id of vROps, such as {@code gb}
   * @param text how the export writes it, used where the id is not known
   * @return empty = as it is stored
   */
  static String of(String id, String text) {
    String key = id.toLowerCase(Locale.ROOT);
    String unit = BY_ID.get(key);
    if (unit != null) {
      return unit;
    }
    if (key.isEmpty() || key.equals("auto") || key.equals("-1") || key.equals("none")) {
      return "";
    }
    if (text.equalsIgnoreCase("auto") || text.equalsIgnoreCase("Default Unit")) {
      return "";
    }
    if (!text.isBlank()) {
      return Names.line(text, "").equals("-") ? "" : Names.cut(Names.line(text, ""), 30);
    }
    return key.startsWith("currency") || key.matches("-?\\d+") ? "" : Names.cut(id, 30);
  }
}
