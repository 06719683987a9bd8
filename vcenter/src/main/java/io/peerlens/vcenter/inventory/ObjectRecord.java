package io.peerlens.vcenter.inventory;

import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * All that is told of an object at one moment, in the terms of {@code docs/sample.schema.json}.
 *
 * @param locator what Telegraf's lines call it; null = its id alone
 */
record ObjectRecord(
    String kind,
    String id,
    String name,
    @Nullable String locator,
    Map<String, String> properties,
    Map<String, String> tags,
    Set<Relative> parents,
    Set<Relative> children,
    Map<String, Double> metrics) {

  private static final JsonMapper JSON = JsonMapper.shared();

  /** An object above or below, by its id. */
  record Relative(String kind, String id) {}

  /**
   * The record to send after {@code before} was sent: what is new or other, and what is gone.
   *
   * @param before null = nothing was sent, everything is
   * @param allMetrics whether metrics are sent that have not changed
   * @return null when there is nothing to send
   */
  @Nullable ObjectNode since(
      @Nullable ObjectRecord before, boolean allMetrics, Instant now, Units units) {
    ObjectNode record = JSON.createObjectNode();
    record.put("adapterKind", adapterKind(kind));
    record.put("objectKind", kind);
    record.put("id", id);
    record.put("time", now.toString());
    boolean news = before == null;
    if (before == null || !before.name.equals(name)) {
      record.put("name", name);
      news = true;
    }
    if (locator != null && (before == null || !locator.equals(before.locator))) {
      record.put("locator", locator);
      news = true;
    }
    news |= texts(record, "properties", before == null ? Map.of() : before.properties, properties);
    news |= texts(record, "tags", before == null ? Map.of() : before.tags, tags);
    news |= relatives(record, "parents", before == null ? Set.of() : before.parents, parents);
    news |= relatives(record, "children", before == null ? Set.of() : before.children, children);
    ObjectNode values = JSON.createObjectNode();
    ObjectNode named = JSON.createObjectNode();
    metrics.forEach(
        (key, value) -> {
          if (allMetrics || before == null || !value.equals(before.metrics.get(key))) {
            values.put(key, value);
            String unit = units.of(key);
            if (!unit.isEmpty()) {
              named.put(Units.withoutInstance(key), unit);
            }
          }
        });
    if (!values.isEmpty()) {
      record.set("metrics", values);
      if (!named.isEmpty()) {
        record.set("units", named);
      }
      news = true;
    }
    return news ? record : null;
  }

  /**
   * Takes away what was told before and is not so any more.
   *
   * @param record of all that is so
   * @param before {@code property:NAME}, {@code tag:NAME}, {@code parent:KIND}, {@code child:KIND}
   */
  void takeAway(ObjectNode record, Collection<String> before) {
    Set<String> above = byKind(parents).keySet();
    Set<String> below = byKind(children).keySet();
    for (String key : before) {
      String name = key.substring(key.indexOf(':') + 1);
      switch (key.substring(0, key.indexOf(':'))) {
        case "property" -> {
          if (!properties.containsKey(name)) {
            record.withObject("/properties").putNull(name);
          }
        }
        case "tag" -> {
          if (!tags.containsKey(name)) {
            record.withObject("/tags").putNull(name);
          }
        }
        case "parent" -> {
          if (!above.contains(name)) {
            relative(record.withArray("/parents"), name).putNull("id");
          }
        }
        case "child" -> {
          if (!below.contains(name)) {
            relative(record.withArray("/children"), name).putNull("id");
          }
        }
        default -> {}
      }
    }
  }

  private static boolean texts(
      ObjectNode record, String member, Map<String, String> before, Map<String, String> now) {
    ObjectNode changed = JSON.createObjectNode();
    now.forEach(
        (key, text) -> {
          if (!text.equals(before.get(key))) {
            changed.put(key, text);
          }
        });
    before.keySet().stream().filter(key -> !now.containsKey(key)).forEach(changed::putNull);
    if (!changed.isEmpty()) {
      record.set(member, changed);
    }
    return !changed.isEmpty();
  }

  /** All relatives of a kind are told together; a kind without any is taken away. */
  private boolean relatives(
      ObjectNode record, String member, Set<Relative> before, Set<Relative> now) {
    Map<String, Set<String>> was = byKind(before);
    Map<String, Set<String>> is = byKind(now);
    ArrayNode changed = JSON.createArrayNode();
    is.forEach(
        (kind, ids) -> {
          if (!ids.equals(was.get(kind))) {
            ids.forEach(id -> relative(changed, kind).put("id", id));
          }
        });
    was.keySet().stream()
        .filter(kind -> !is.containsKey(kind))
        .forEach(kind -> relative(changed, kind).putNull("id"));
    if (!changed.isEmpty()) {
      record.set(member, changed);
    }
    return !changed.isEmpty();
  }

  private ObjectNode relative(ArrayNode relatives, String other) {
    ObjectNode relative = relatives.addObject();
    if (!adapterKind(other).equals(adapterKind(kind))) {
      relative.put("adapterKind", adapterKind(other));
    }
    return relative.put("objectKind", other);
  }

  /** vROps' adapter kind of an object kind. */
  static String adapterKind(String kind) {
    return VirtualSan.KINDS.contains(kind) ? VirtualSan.ADAPTER : "VMWARE";
  }

  private static Map<String, Set<String>> byKind(Set<Relative> relatives) {
    return relatives.stream()
        .collect(
            Collectors.groupingBy(
                Relative::kind,
                HashMap::new,
                Collectors.mapping(Relative::id, Collectors.toCollection(TreeSet::new))));
  }

  /** The record that an object does not exist any more. */
  static ObjectNode gone(String kind, String id, Instant now) {
    ObjectNode record = JSON.createObjectNode();
    record.put("adapterKind", adapterKind(kind));
    record.put("objectKind", kind);
    record.put("id", id);
    record.put("time", now.toString());
    record.put("gone", true);
    return record;
  }

  /** Kinds in the order in which they should be made known: those above first. */
  static final List<String> ORDER =
      List.of(
          "VMwareAdapter Instance",
          "Datacenter",
          "Folder",
          "ClusterComputeResource",
          "HostSystem",
          "ResourcePool",
          "StoragePod",
          "Datastore",
          "VmwareDistributedVirtualSwitch",
          "DistributedVirtualPortgroup",
          "Network",
          "OpaqueNetwork",
          "VirtualMachine");
}
