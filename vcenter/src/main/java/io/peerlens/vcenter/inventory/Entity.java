package io.peerlens.vcenter.inventory;

import io.peerlens.vcenter.inventory.PropertyTable.TypeTable;
import io.peerlens.vcenter.vim.Moref;
import io.peerlens.vcenter.vim.PropertyChange;
import io.peerlens.vcenter.vim.XmlValue;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A managed object as the collector knows it: what its properties told, and what was sent. */
final class Entity {

  final Moref moref;
  final TypeTable table;
  private String name = "";
  private String configurationFile = "";
  private final Map<String, Facts> facts = new HashMap<>();
  private final Map<String, List<Moref>> references = new HashMap<>();
  private Map<String, String> customValues = Map.of();

  /** What was sent last; null = nothing yet. */
  @Nullable ObjectRecord sent;

  /** What was sent last of its parts that are objects, by their ids. */
  Map<String, ObjectRecord> sentParts = Map.of();

  Entity(Moref moref, TypeTable table) {
    this.moref = moref;
    this.table = table;
  }

  /** vROps' kind; empty when it is no object of ours. */
  String kind() {
    return table.kind();
  }

  String name() {
    return name;
  }

  /** File of a machine's configuration, with its datastore; empty = not told. */
  String configurationFile() {
    return configurationFile;
  }

  /** Whether a machine told which disks it has; one that vCenter cannot reach does not. */
  boolean saysDisks() {
    return facts.containsKey("config.hardware.device") || facts.containsKey("layoutEx");
  }

  /** Values of custom attributes by the number of the attribute. */
  Map<String, String> customValues() {
    return customValues;
  }

  /** Takes over what a property is now; null = it is not set. */
  void set(String path, @Nullable XmlValue value, Units units) {
    if (path.equals("name")) {
      name = value == null ? "" : decoded(value.text());
    } else if (path.equals("summary.config.vmPathName")) {
      configurationFile = value == null ? "" : value.text();
    } else if (path.equals("customValue")) {
      Map<String, String> values = new LinkedHashMap<>();
      if (value != null) {
        value.children().forEach(field -> values.put(field.text("key"), field.text("value")));
      }
      customValues = values;
    }
    if (value == null) {
      facts.remove(path);
      references.remove(path);
      return;
    }
    Facts told = new Facts(units);
    table.rules(path).forEach(rule -> rule.read(value, told));
    facts.put(path, told);
    List<Moref> morefs = morefs(value);
    if (morefs.isEmpty()) {
      references.remove(path);
    } else {
      references.put(path, morefs);
    }
  }

  /** Forgets the properties of some paths that are not told any more. */
  void unset(Set<String> paths, List<PropertyChange> told) {
    for (String path : paths) {
      if (facts.containsKey(path) && told.stream().noneMatch(c -> c.path().equals(path))) {
        facts.remove(path);
        references.remove(path);
      }
    }
  }

  /** A reference, an array of them, or of mounts that refer to a host by their key. */
  private static List<Moref> morefs(XmlValue value) {
    Optional<Moref> one = value.moref();
    if (one.isPresent()) {
      return List.of(one.get());
    }
    List<Moref> all = new ArrayList<>();
    for (XmlValue child : value.children()) {
      child.moref().or(() -> child.moref("key")).ifPresent(all::add);
    }
    return all;
  }

  /** vCenter writes three characters of names as in addresses. */
  private static String decoded(String name) {
    return name.indexOf('%') < 0
        ? name
        : name.replace("%2f", "/")
            .replace("%2F", "/")
            .replace("%5c", "\\")
            .replace("%5C", "\\")
            .replace("%25", "%");
  }

  /** The object that a property refers to. */
  Optional<Moref> reference(String path) {
    List<Moref> found = references.get(path);
    return found == null ? Optional.empty() : Optional.of(found.getFirst());
  }

  /** The objects that a property refers to. */
  List<Moref> references(String path) {
    return references.getOrDefault(path, List.of());
  }

  /** Says where it is now, when only the folder told. */
  void moveTo(Moref parent) {
    references.put("parent", List.of(parent));
  }

  /** All that its properties tell. */
  List<Facts> facts() {
    return List.copyOf(facts.values());
  }

  /** Its parts that are objects; one that holds others first. */
  List<Component> components() {
    List<Component> all = new ArrayList<>();
    facts.values().forEach(told -> all.addAll(told.components()));
    return all;
  }

  /** The text of a property; empty when it is not told. */
  String property(String key) {
    for (Facts told : facts.values()) {
      String text = told.properties().get(key);
      if (text != null) {
        return text;
      }
    }
    return "";
  }

  /** The value of a metric; NaN when it is not told. */
  double metric(String key) {
    for (Facts told : facts.values()) {
      Double value = told.metrics().get(key);
      if (value != null) {
        return value;
      }
    }
    return Double.NaN;
  }
}
