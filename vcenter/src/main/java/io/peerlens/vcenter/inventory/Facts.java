package io.peerlens.vcenter.inventory;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Facts that one property of a managed object tells, under vROps' keys. */
final class Facts {

  /** Longest text of a property; what people write into notes may be a book. */
  private static final int MAX_TEXT = 1000;

  private final Map<String, String> properties = new LinkedHashMap<>();
  private final Map<String, Double> metrics = new LinkedHashMap<>();
  private final Map<String, String> names = new LinkedHashMap<>();
  private final List<Component> components = new ArrayList<>();
  private final Set<String> disks = new LinkedHashSet<>();
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

  /**
   * Says how an instance is called that other properties know by something else.
   *
   * @param other group and instance as others have it, such as {@code disk:0200...}
   * @param name group and instance, such as {@code disk:naa.6000...}
   */
  void name(String other, String name) {
    names.put(other, name);
  }

  /** Names of instances by what others call them. */
  Map<String, String> names() {
    return names;
  }

  /** Tells of a part that is an object of its own; one that holds others first. */
  void component(Component component) {
    components.add(component);
  }

  /** Notes a file of a disk that the machine refers to, with its datastore. */
  void file(String path) {
    DiskFiles.Part part = DiskFiles.of(path);
    if (part != null) {
      disks.add(part.disk());
    }
  }

  /** Disks that the machine refers to: {@code [datastore1] web1/web1}. */
  Set<String> disks() {
    return disks;
  }

  List<Component> components() {
    return components;
  }

  /** Says the unit of a metric of parts. */
  void unit(String key, String unit) {
    units.put(key, unit);
  }

  Map<String, String> properties() {
    return properties;
  }

  Map<String, Double> metrics() {
    return metrics;
  }
}
