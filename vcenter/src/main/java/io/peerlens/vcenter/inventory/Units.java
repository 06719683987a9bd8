package io.peerlens.vcenter.inventory;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Units of the metrics that were told, by key without the instance. */
final class Units {

  private final Map<String, String> byKey = new ConcurrentHashMap<>();

  void put(String key, String unit) {
    if (!unit.isEmpty()) {
      byKey.putIfAbsent(withoutInstance(key), unit);
    }
  }

  /** The unit of a metric; empty when it has none. */
  String of(String key) {
    return byKey.getOrDefault(withoutInstance(key), "");
  }

  /**
   * {@code net|speed} of {@code net:vmnic0|speed}; an instance may hold any character but a bar.
   */
  static String withoutInstance(String key) {
    int bar = key.lastIndexOf('|');
    int colon = key.indexOf(':');
    return colon < 0 || colon > bar ? key : key.substring(0, colon) + key.substring(bar);
  }
}
