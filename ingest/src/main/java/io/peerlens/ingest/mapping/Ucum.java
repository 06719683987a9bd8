package io.peerlens.ingest.mapping;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Units of OpenTelemetry, which are those of UCUM, as people read them. */
final class Ucum {

  private static final Map<String, String> NAMES =
      Map.ofEntries(
          Map.entry("By", "B"),
          Map.entry("KBy", "KB"),
          Map.entry("kBy", "KB"),
          Map.entry("MBy", "MB"),
          Map.entry("GBy", "GB"),
          Map.entry("KiBy", "KiB"),
          Map.entry("MiBy", "MiB"),
          Map.entry("GiBy", "GiB"),
          Map.entry("TiBy", "TiB"),
          Map.entry("bit", "bit"),
          Map.entry("Cel", "°C"),
          Map.entry("us", "us"));

  private Ucum() {}

  /** Translates a unit; null when there is none, or it is longer than a unit can be. */
  static @Nullable String unit(String written, int most) {
    String bare = written.replace("{", "").replace("}", "").strip();
    if (bare.isEmpty() || bare.length() > most || bare.indexOf('\0') >= 0) {
      return null;
    }
    int slash = bare.indexOf('/');
    String first = slash < 0 ? bare : bare.substring(0, slash);
    return NAMES.getOrDefault(first, first) + (slash < 0 ? "" : bare.substring(slash));
  }
}
