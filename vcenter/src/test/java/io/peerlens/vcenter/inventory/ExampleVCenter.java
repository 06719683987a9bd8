package io.peerlens.vcenter.inventory;

import io.peerlens.vcenter.vim.Moref;
import io.peerlens.vcenter.vim.ObjectUpdate;
import io.peerlens.vcenter.vim.PropertyChange;
import io.peerlens.vcenter.vim.XmlValue;
import io.peerlens.vcenter.vim.XmlValues;
import java.io.InputStream;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/**
 * A small vCenter that has a value for all that is read, see example.xml, and what the inventory
 * tells of it.
 */
public final class ExampleVCenter {

  /** When it is told. */
  public static final Instant NOW = Instant.parse("2026-11-26T00:00:00Z");

  /**
   * A key that is told.
   *
   * @param unit of a metric; empty for none
   * @param total whether it is told of the object as a whole
   * @param instances whether it is told of instances
   * @param from the paths of vim25 that it comes from; none when it is joined or counted
   */
  public record Told(
      boolean metric, String unit, boolean total, boolean instances, Set<String> from) {}

  final PropertyTable table = PropertyTable.shipped();
  final List<ObjectUpdate> objects;
  final Map<String, ObjectNode> records = new TreeMap<>();
  private final Units units = new Units();

  /** Reads it and tells all of it. */
  public ExampleVCenter() {
    try (InputStream in =
        Objects.requireNonNull(ExampleVCenter.class.getResourceAsStream("example.xml"))) {
      objects = XmlValues.objects(in);
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
    Inventory inventory = new Inventory(table, "vc", "VMware vCenter Server 8.0.3");
    inventory.customFields(Map.of("101", "owner"));
    objects.forEach(inventory::apply);
    Map<Moref, Map<String, String>> tags = new HashMap<>();
    objects.forEach(object -> tags.put(object.object(), Map.of("tier", "gold")));
    inventory.tags(tags, Set.of("tier"));
    inventory.storagePolicies(
        Map.of(
            new Moref("VirtualMachine", "vm-42"),
            new StoragePolicies(
                "Gold",
                "Compliant",
                Map.of("2000", new StoragePolicies.Disk("Silver", "Non compliant")))));
    inventory.flush(NOW, true, records::put);
  }

  /** The keys that are told of each kind, without instances. */
  public Map<String, Map<String, Told>> keys() {
    Map<String, Map<String, Set<String>>> sources = sources();
    Map<String, Map<String, Told>> all = new TreeMap<>();
    for (ObjectNode record : records.values()) {
      String kind = record.path("objectKind").stringValue();
      Map<String, Told> ofKind = all.computeIfAbsent(kind, k -> new TreeMap<>());
      for (String member : List.of("properties", "metrics")) {
        boolean metric = member.equals("metrics");
        for (String key : record.path(member).propertyNames()) {
          String plain = Units.withoutInstance(key);
          boolean instance = !plain.equals(key);
          Told before = ofKind.get(plain);
          ofKind.put(
              plain,
              new Told(
                  metric || (before != null && before.metric),
                  metric ? record.path("units").path(plain).asString("") : "",
                  !instance || (before != null && before.total),
                  instance || (before != null && before.instances),
                  sources.getOrDefault(kind, Map.of()).getOrDefault(plain, Set.of())));
        }
      }
    }
    return all;
  }

  /** Paths by kind and key. */
  private Map<String, Map<String, Set<String>>> sources() {
    Map<String, Map<String, Set<String>>> sources = new HashMap<>();
    for (String key : List.of("config", "virtualDisk")) {
      for (String member : List.of("storagePolicy", "storagePolicyCompliance")) {
        sources
            .computeIfAbsent("VirtualMachine", k -> new HashMap<>())
            .put(key + "|" + member, Set.of("/vcenter/storage/policies"));
      }
    }
    for (ObjectUpdate object : objects) {
      PropertyTable.TypeTable type = Objects.requireNonNull(table.of(object.object().type()));
      for (PropertyChange change : object.changes()) {
        Facts facts = facts(type, change);
        for (Component part : facts.components()) {
          List<String> ofPart = new ArrayList<>(part.properties().keySet());
          ofPart.addAll(part.metrics().keySet());
          for (String key : ofPart) {
            sources
                .computeIfAbsent(part.kind(), k -> new HashMap<>())
                .computeIfAbsent(key, k -> new TreeSet<>())
                .add(change.path());
          }
        }
        List<String> keys = new ArrayList<>(facts.properties().keySet());
        keys.addAll(facts.metrics().keySet());
        for (String key : keys) {
          sources
              .computeIfAbsent(type.kind(), k -> new HashMap<>())
              .computeIfAbsent(Units.withoutInstance(key), k -> new TreeSet<>())
              .add(change.path());
        }
      }
    }
    return sources;
  }

  private Facts facts(PropertyTable.TypeTable type, PropertyChange change) {
    Facts facts = new Facts(units);
    type.rules(change.path()).forEach(rule -> rule.read(value(change), facts));
    return facts;
  }

  private static XmlValue value(PropertyChange change) {
    return Objects.requireNonNull(change.value());
  }

  /** Paths of a type that no object of its kind has. */
  Set<String> missingPaths(String type) {
    PropertyTable.TypeTable of = Objects.requireNonNull(table.of(type));
    Set<String> missing = new TreeSet<>(of.watchedPaths());
    missing.addAll(of.polledPaths());
    for (ObjectUpdate object : objects) {
      String kind = Objects.requireNonNull(table.of(object.object().type())).kind();
      if (object.object().type().equals(type) || (!kind.isEmpty() && kind.equals(of.kind()))) {
        object.changes().forEach(change -> missing.remove(change.path()));
      }
    }
    return missing;
  }

  /** Paths whose rules tell nothing, of those that have any. */
  Set<String> silentPaths() {
    Set<String> silent = new TreeSet<>();
    Set<String> speaking = new HashSet<>();
    for (ObjectUpdate object : objects) {
      PropertyTable.TypeTable type = Objects.requireNonNull(table.of(object.object().type()));
      for (PropertyChange change : object.changes()) {
        List<PropertyTable.Rule> rules = type.rules(change.path());
        for (int i = 0; i < rules.size(); i++) {
          Facts facts = new Facts(units);
          rules.get(i).read(value(change), facts);
          String place = object.object().type() + "." + change.path() + " rule " + (i + 1);
          if (facts.properties().isEmpty() && facts.metrics().isEmpty()) {
            silent.add(place);
          } else {
            speaking.add(place);
          }
        }
      }
    }
    silent.removeAll(speaking);
    return silent;
  }

  /** The records of all objects by their ids. */
  public Map<String, ObjectNode> records() {
    return records;
  }

  /** The record of an object. */
  @Nullable ObjectNode record(String id) {
    return records.get("vc/" + id);
  }
}
