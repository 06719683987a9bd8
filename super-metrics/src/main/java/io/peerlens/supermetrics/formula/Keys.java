package io.peerlens.supermetrics.formula;

import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Keys of metrics and properties: groups and a name with bars between, {@code cpu|usage_average};
 * each group may carry an instance behind a colon, {@code net:vmnic0|usage_average}.
 */
public final class Keys {

  /** Before the id of a super metric in the key of its result. */
  public static final String SUPER_METRIC = "Super Metric|sm_";

  /** How vROps names the instance that stands for all of them. */
  public static final String AGGREGATE_INSTANCE = "Aggregate of all instances";

  private Keys() {}

  /** Key under which the result of a super metric is stored. */
  public static String superMetric(UUID id) {
    return SUPER_METRIC + id;
  }

  /** The super metric whose result a key names; null = the key is of something else. */
  public static @Nullable UUID superMetric(String key) {
    if (!key.startsWith(SUPER_METRIC)) {
      return null;
    }
    try {
      return UUID.fromString(key.substring(SUPER_METRIC.length()));
    } catch (IllegalArgumentException e) {
      return null;
    }
  }

  /** The name of a super metric in a key that was written with the name in place of the id. */
  static String superMetricName(String key) {
    String group = SUPER_METRIC.substring(0, SUPER_METRIC.indexOf('|') + 1);
    return key.startsWith(group) ? key.substring(group.length()) : key;
  }

  /** A key as it is stored: the id of a super metric in lower case, anything else as it is. */
  static String stored(String key) {
    UUID id = superMetric(key);
    return id == null ? key : superMetric(id);
  }

  /** A key without its instances: {@code net|usage_average} of {@code net:vmnic0|usage_average}. */
  public static String withoutInstances(String key) {
    if (key.indexOf(':') < 0) {
      return key;
    }
    StringBuilder out = new StringBuilder();
    String[] parts = key.split("\\|", -1);
    for (int i = 0; i < parts.length; i++) {
      int colon = i + 1 < parts.length ? parts[i].indexOf(':') : -1;
      out.append(i == 0 ? "" : "|").append(colon < 0 ? parts[i] : parts[i].substring(0, colon));
    }
    return out.toString();
  }

  /**
   * Whether a key is an attribute or one of its instances. Where the attribute names an instance
   * only that one will do.
   *
   * @param attribute such as {@code diskspace|snapshot|numberOfDays}
   * @param key such as {@code diskspace:356893|snapshot:snapshot-16|numberOfDays}
   */
  public static boolean isInstanceOf(String attribute, String key) {
    if (key.equals(attribute)) {
      return true;
    }
    String[] wanted = attribute.split("\\|", -1);
    String[] parts = key.split("\\|", -1);
    if (wanted.length != parts.length
        || !wanted[parts.length - 1].equals(parts[parts.length - 1])) {
      return false;
    }
    for (int i = 0; i + 1 < parts.length; i++) {
      if (!parts[i].equals(wanted[i])
          && !(wanted[i].indexOf(':') < 0 && parts[i].startsWith(wanted[i] + ":"))) {
        return false;
      }
    }
    return true;
  }
}
