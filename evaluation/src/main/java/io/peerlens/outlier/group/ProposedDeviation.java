package io.peerlens.outlier.group;

import io.peerlens.outliers.Settings;
import io.peerlens.outliers.Transform;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Least deviation that is proposed for a metric by its unit.
 *
 * @param least differences below this matter to nobody, in the unit of the metric
 * @param log whether its values span orders of magnitude, so that ratios say more than differences
 */
public record ProposedDeviation(double least, boolean log) {

  /** A difference of this many units, for what nothing better is known of. */
  private static final ProposedDeviation UNKNOWN = new ProposedDeviation(1, false);

  private static final double K = 1024;
  private static final double RATE = 128 * K; // bytes a second, about 1 Mbit/s
  private static final double SIZE = 256 * K * K; // bytes

  /** As collectors name them, in lower case. */
  private static final Map<String, ProposedDeviation> BY_UNIT =
      Map.ofEntries(
          Map.entry("%", new ProposedDeviation(5, false)),
          Map.entry("percent", new ProposedDeviation(5, false)),
          Map.entry("mhz", new ProposedDeviation(200, true)),
          Map.entry("ghz", new ProposedDeviation(0.2, true)),
          Map.entry("b/s", new ProposedDeviation(RATE, true)),
          Map.entry("bps", new ProposedDeviation(RATE, true)),
          Map.entry("bytes/s", new ProposedDeviation(RATE, true)),
          Map.entry("kbps", new ProposedDeviation(RATE / K, true)),
          Map.entry("kb/s", new ProposedDeviation(RATE / K, true)),
          Map.entry("kib/s", new ProposedDeviation(RATE / K, true)),
          Map.entry("mbps", new ProposedDeviation(RATE / K / K, true)),
          Map.entry("mb/s", new ProposedDeviation(RATE / K / K, true)),
          Map.entry("mib/s", new ProposedDeviation(RATE / K / K, true)),
          Map.entry("bit/s", new ProposedDeviation(1e6, true)),
          Map.entry("b", new ProposedDeviation(SIZE, true)),
          Map.entry("byte", new ProposedDeviation(SIZE, true)),
          Map.entry("bytes", new ProposedDeviation(SIZE, true)),
          Map.entry("kb", new ProposedDeviation(SIZE / K, true)),
          Map.entry("kib", new ProposedDeviation(SIZE / K, true)),
          Map.entry("mb", new ProposedDeviation(SIZE / K / K, true)),
          Map.entry("mib", new ProposedDeviation(SIZE / K / K, true)),
          Map.entry("gb", new ProposedDeviation(1, true)),
          Map.entry("gib", new ProposedDeviation(1, true)),
          Map.entry("ms", new ProposedDeviation(5, true)),
          Map.entry("millisecond", new ProposedDeviation(5, true)),
          Map.entry("us", new ProposedDeviation(5000, true)),
          Map.entry("s", new ProposedDeviation(60, true)),
          Map.entry("second", new ProposedDeviation(60, true)),
          Map.entry("number", new ProposedDeviation(10, true)),
          Map.entry("num", new ProposedDeviation(10, true)),
          Map.entry("count", new ProposedDeviation(10, true)),
          Map.entry("packets/s", new ProposedDeviation(100, true)),
          Map.entry("drops/s", new ProposedDeviation(1, true)),
          Map.entry("celsius", new ProposedDeviation(3, false)),
          Map.entry("watt", new ProposedDeviation(20, false)));

  /** For a unit as a collector names it; null = none is known. */
  public static ProposedDeviation of(@Nullable String unit) {
    return unit == null ? UNKNOWN : BY_UNIT.getOrDefault(unit.toLowerCase(Locale.ROOT), UNKNOWN);
  }

  /**
   * The metric for the method.
   *
   * @param minDeviation what people asked for; null = what is proposed
   */
  Settings.Metric metric(Transform transform, @Nullable Double minDeviation) {
    return new Settings.Metric(transform, minDeviation == null ? least : minDeviation, least);
  }
}
