package io.peerlens.vcenter.inventory;

import java.util.LinkedHashMap;
import java.util.Map;

/** Facts that one property of a managed object tells, under vROps' keys. */
final class Facts {

  /** Longest text of a property; what people write into notes may be a book. */
  private static final int MAX_TEXT = 1000;

  private final Map<String, String> properties = new LinkedHashMap<>();
  private final Map<String, Double> metrics = new LinkedHashMap<>();
  private final Units units;

  Facts(Units units) {
    this.units = units;
  }

  /** Tells a property; nothing when the text is empty. */
  void property(String key, String text) {
    if (!text.isBlank()) {
      properties.put(key, text.length() <= MAX_TEXT ? text : text.substring(0, MAX_TEXT) + "…");
    }
  }

  /** Tells a whole number as a property. */
  void property(String key, long number) {
    properties.put(key, Long.toString(number));
  }

  /** Tells a number, as a metric; nothing when it is NaN. */
  void metric(String key, double value, String unit) {
    if (Double.isFinite(value)) {
      metrics.put(key, value);
      units.put(key, unit);
    }
  }

  Map<String, String> properties() {
    return properties;
  }

  Map<String, Double> metrics() {
    return metrics;
  }
}
