package io.peerlens.supermetric;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Symbols of the unit ids of the export format. */
final class Units {

  private static final Map<String, String> TEXTS =
      Map.ofEntries(
          Map.entry("percent", "%"),
          Map.entry("kb", "KB"),
          Map.entry("mb", "MB"),
          Map.entry("gb", "GB"),
          Map.entry("tb", "TB"),
          Map.entry("kbps", "KBps"),
          Map.entry("mbps", "MBps"),
          Map.entry("gbps", "GBps"),
          Map.entry("mhz", "MHz"),
          Map.entry("ghz", "GHz"),
          Map.entry("msec", "ms"),
          Map.entry("sec", "s"),
          Map.entry("w", "W"),
          Map.entry("wh", "Wh"),
          Map.entry("kwh", "kWh"),
          Map.entry("vcpus", "vCPUs"));

  private Units() {}

  /**
   * The unit in short, or the id itself where none is known; null = no unit.
   *
   * @param unitId empty = no unit
   */
  static @Nullable String text(String unitId) {
    return unitId.isBlank() ? null : TEXTS.getOrDefault(unitId, unitId);
  }
}
