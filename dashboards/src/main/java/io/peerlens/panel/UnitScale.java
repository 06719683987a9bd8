package io.peerlens.panel;

import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Conversion between units of one quantity. Multiples of bytes are of 1,024, as vSphere has them;
 * those of bits and Hertz of 1,000.
 */
final class UnitScale {

  /** Behind the unit of what changes a day. */
  static final String A_DAY = "/d";

  private record Scale(String quantity, double factor) {}

  private static final Map<String, Scale> SCALES = new HashMap<>();

  static {
    multiples("bytes", 1024, "B", "KB", "MB", "GB", "TB", "PB");
    multiples("bytes", 1024, "Bytes", "KiB", "MiB", "GiB", "TiB", "PiB");
    multiples("bytes per second", 1024, "Bps", "KBps", "MBps", "GBps", "TBps");
    multiples("bytes per second", 1024, "B/s", "KB/s", "MB/s", "GB/s", "TB/s");
    multiples("bits per second", 1000, "bit/s", "kbit/s", "Mbit/s", "Gbit/s", "Tbit/s");
    multiples("bits per second", 1000, "b/s", "Kb/s", "Mb/s", "Gb/s", "Tb/s");
    multiples("frequency", 1000, "Hz", "KHz", "MHz", "GHz", "THz");
    multiples("time", 1000, "us", "ms", "s");
    SCALES.put("msec", new Scale("time", 1000));
    SCALES.put("millisecond", new Scale("time", 1000));
    SCALES.put("second", new Scale("time", 1_000_000));
    SCALES.put("sec", new Scale("time", 1_000_000));
    SCALES.put("min", new Scale("time", 60e6));
    SCALES.put("h", new Scale("time", 3600e6));
    SCALES.put("d", new Scale("time", 86_400e6));
    SCALES.put("days", new Scale("time", 86_400e6));
    SCALES.put("%", new Scale("share", 1));
    SCALES.put("percent", new Scale("share", 1));
  }

  private UnitScale() {}

  private static void multiples(String quantity, double step, String... units) {
    double factor = 1;
    for (String unit : units) {
      SCALES.put(unit, new Scale(quantity, factor));
      factor *= step;
    }
  }

  /**
   * By how much a value has to be multiplied; NaN = it cannot be converted. What changes a day is
   * converted as what it is a change of.
   */
  static double factor(@Nullable String from, @Nullable String to) {
    if (from == null || to == null) {
      return Double.NaN;
    }
    if (from.endsWith(A_DAY)) {
      return factor(
          from.substring(0, from.length() - A_DAY.length()),
          to.endsWith(A_DAY) ? to.substring(0, to.length() - A_DAY.length()) : to);
    }
    if (from.equals(to)) {
      return 1;
    }
    Scale source = scale(from);
    Scale target = scale(to);
    return source == null || target == null || !source.quantity().equals(target.quantity())
        ? Double.NaN
        : source.factor() / target.factor();
  }

  /** Letter case tells bits from bytes, so it counts first. */
  private static @Nullable Scale scale(String unit) {
    Scale exact = SCALES.get(unit);
    if (exact != null) {
      return exact;
    }
    String lower = unit.toLowerCase(Locale.ROOT);
    for (Map.Entry<String, Scale> known : SCALES.entrySet()) {
      if (known.getKey().toLowerCase(Locale.ROOT).equals(lower)
          && !known.getValue().quantity().startsWith("bits")) {
        return known.getValue();
      }
    }
    return null;
  }
}
