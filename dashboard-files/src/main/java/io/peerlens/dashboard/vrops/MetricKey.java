package io.peerlens.dashboard.vrops;

import java.util.Locale;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Key of a metric or property as vROps writes it, taken apart.
 *
 * @param plain without instances, {@code net|usage_average}
 * @param instance of the first group that has one; null = none is written
 * @param superMetric id of the super metric whose result this is; null = of something else
 */
record MetricKey(String plain, @Nullable String instance, @Nullable UUID superMetric) {

  private static final String AGGREGATE = "Aggregate of all instances";
  private static final String SUPER_METRIC = "super metric|";
  private static final Set<String> HEALTH =
      Set.of("badge|health", "system attributes|health", "health");

  /** Longest key that the format takes. */
  private static final int LONGEST = 400;

  static MetricKey of(String key) {
    String text = Names.cut(key.strip(), LONGEST);
    if (text.toLowerCase(Locale.ROOT).startsWith(SUPER_METRIC)) {
      String rest = text.substring(SUPER_METRIC.length());
      if (rest.startsWith("sm_") && rest.length() >= 39) {
        try {
          UUID id = UUID.fromString(rest.substring(3, 39));
          return new MetricKey("Super Metric|sm_" + id, null, id);
        } catch (IllegalArgumentException e) {
          // a name
        }
      }
      return new MetricKey(text, null, null);
    }
    String[] parts = text.split("\\|", -1);
    StringBuilder plain = new StringBuilder();
    String instance = null;
    for (int i = 0; i < parts.length; i++) {
      int colon = i + 1 < parts.length ? parts[i].indexOf(':') : -1;
      plain.append(i == 0 ? "" : "|").append(colon < 0 ? parts[i] : parts[i].substring(0, colon));
      if (colon >= 0 && instance == null) {
        instance = parts[i].substring(colon + 1);
      }
    }
    return new MetricKey(plain.toString(), instance, null);
  }

  /** The first group, {@code net}. */
  String group() {
    int bar = plain.indexOf('|');
    return bar < 0 ? plain : plain.substring(0, bar);
  }

  /** Whether the value of all instances together is meant. */
  boolean isAggregate() {
    return instance == null || instance.isBlank() || instance.equalsIgnoreCase(AGGREGATE);
  }

  /** The key as a column of the format reads it. */
  String stored() {
    return superMetric == null ? plain.isEmpty() ? "-" : plain : "Super metric:sm_" + superMetric;
  }

  /** The key of a property, which keeps its instance. */
  String property() {
    int bar = plain.indexOf('|');
    if (isAggregate() || bar < 0 || instance == null) {
      return plain.isEmpty() ? "-" : plain;
    }
    return Names.cut(group() + ":" + instance + plain.substring(bar), LONGEST);
  }

  boolean isHealth() {
    return HEALTH.contains(plain.toLowerCase(Locale.ROOT));
  }

  /** A badge of how much an object works, for which its use can stand. */
  boolean isWorkload() {
    String lower = plain.toLowerCase(Locale.ROOT);
    return lower.equals("badge|workload") || lower.equals("badge|stress");
  }

  /** A badge that is computed by vROps alone. */
  boolean isBadge() {
    return plain.toLowerCase(Locale.ROOT).startsWith("badge|") && !isHealth();
  }

  /** The number of open alerts, or of those of one severity. */
  boolean isAlertCount() {
    String lower = plain.toLowerCase(Locale.ROOT);
    return lower.startsWith("system attributes|")
        && (lower.contains("alert_count")
            || lower.contains("alarms")
            || lower.contains("active_alerts"));
  }

  boolean isAllAlerts() {
    return plain.toLowerCase(Locale.ROOT).contains("total");
  }

  /** The last words of the key, for a title. */
  String lastWord() {
    int bar = plain.lastIndexOf('|');
    return bar < 0 ? plain : plain.substring(bar + 1);
  }
}
