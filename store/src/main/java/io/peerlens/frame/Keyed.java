package io.peerlens.frame;

import io.peerlens.frame.MetricSets.Group;
import io.peerlens.ingest.key.MetricKey;
import io.peerlens.supermetrics.formula.Keys;
import io.peerlens.supermetrics.formula.ObjectKind;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Place of the values of a key: in a metric group, or in a property.
 *
 * @param group null = it is a property
 * @param position of the metric in its group, from 0
 * @param instance of which instance; null = of all
 * @param metric last part of the metric's key
 * @param property name of the property; null = it is a metric
 */
record Keyed(
    @Nullable Group group,
    int position,
    @Nullable String instance,
    String metric,
    @Nullable String property) {

  /**
   * Finds a key of a kind: a metric, else a property, letter by letter; if there is neither, the
   * same without regard to letter case.
   *
   * @param attribute whether all instances of the key are meant
   * @return for an attribute perhaps several, else at most one
   */
  static List<Keyed> find(ObjectKind kind, String key, boolean attribute, Frames.Known known) {
    List<Keyed> exact = find(kind, key, attribute, known, true);
    return exact.isEmpty() ? find(kind, key, attribute, known, false) : exact;
  }

  private static List<Keyed> find(
      ObjectKind kind, String key, boolean attribute, Frames.Known known, boolean exact) {
    MetricKey wanted = MetricKey.parse(key);
    String instance = wanted.instance().equals(Keys.AGGREGATE_INSTANCE) ? "" : wanted.instance();
    boolean all = attribute && wanted.instance().isEmpty();
    List<Keyed> found = new ArrayList<>();
    for (Group group : known.sets().groups(kind)) {
      String name = attribute ? Keys.withoutInstances(group.name() + "|") : group.name() + "|";
      if (!same(name, wanted.group() + "|", exact)) {
        continue;
      }
      for (Map.Entry<String, Integer> metric : group.positions().entrySet()) {
        if (same(metric.getKey(), wanted.metric(), exact)) {
          found.add(
              new Keyed(group, metric.getValue(), all ? null : instance, metric.getKey(), null));
        }
      }
    }
    if (found.isEmpty()) {
      property(kind, key, attribute, known, exact, found);
    }
    return !attribute && found.size() > 1 ? List.of(found.getFirst()) : found;
  }

  private static void property(
      ObjectKind kind,
      String key,
      boolean attribute,
      Frames.Known known,
      boolean exact,
      List<Keyed> found) {
    Inventory inventory = known.inventory();
    String name = exact ? key : inventory.similarProperty(kind, key);
    if (name == null) {
      return;
    }
    if (attribute) {
      for (String property : inventory.propertyKeys(kind)) {
        if (Keys.isInstanceOf(name, property)) {
          found.add(new Keyed(null, 0, null, property, property));
        }
      }
    }
    if (found.isEmpty() && inventory.property(kind, name) != null) {
      found.add(new Keyed(null, 0, null, name, name));
    }
  }

  private static boolean same(String a, String b, boolean exact) {
    return exact ? a.equals(b) : a.equalsIgnoreCase(b);
  }
}
