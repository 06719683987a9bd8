package io.peerlens.dashboard.vrops;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * Kinds and objects behind the ids of an export: {@code resourceKind:id:3_::_} stands in its list
 * of entries, {@code 002006VMWAREHostSystem} says the length of the adapter kind before it.
 */
final class Kinds {

  private static final Pattern WRITTEN = Pattern.compile("(?:004null)?\\d{3}(\\d{3})(.+)");

  /**
   * An object that a widget is tied to.
   *
   * @param kind empty = not known
   */
  record Pinned(String kind, String name, Map<String, String> identifiers) {

    /** Whether it stands for everything. */
    boolean isRoot() {
      return Columns.isRoot(kind, name);
    }

    /** Whether it is a group of objects that somebody made. */
    boolean isGroup() {
      return kind.toLowerCase(Locale.ROOT).startsWith("container/") && !isRoot();
    }

    ObjectNode node() {
      ObjectNode node = JsonNodeFactory.instance.objectNode();
      node.put("name", Names.line(name, "object"));
      node.put("kind", kind);
      if (!identifiers.isEmpty()) {
        ObjectNode ids = node.putObject("identifiers");
        identifiers.forEach(ids::put);
      }
      return node;
    }
  }

  private final Map<String, String> kinds = new HashMap<>();
  private final Map<String, Pinned> objects = new HashMap<>();

  Kinds(JsonNode... entries) {
    for (JsonNode each : entries) {
      for (JsonNode kind : Members.objects(each, "resourceKind")) {
        kinds.put(
            Members.text(kind, "internalId"),
            Columns.kind(
                Members.text(kind, "adapterKindKey"), Members.text(kind, "resourceKindKey")));
      }
      for (JsonNode object : Members.objects(each, "resource")) {
        Map<String, String> identifiers = new LinkedHashMap<>();
        for (JsonNode identifier : Members.objects(object, "identifiers")) {
          String key = Members.text(identifier, "key");
          if (!key.isEmpty() && identifiers.size() < 20) {
            identifiers.put(Names.cut(key, 200), Names.cut(Members.text(identifier, "value"), 400));
          }
        }
        objects.put(
            Members.text(object, "internalId"),
            new Pinned(
                Columns.kind(
                    Members.text(object, "adapterKindKey"),
                    Members.text(object, "resourceKindKey")),
                Members.text(object, "name"),
                identifiers));
      }
    }
  }

  /** Whether every id stands for the same. */
  boolean isSame(Kinds other) {
    return kinds.equals(other.kinds) && objects.equals(other.objects);
  }

  /** The kind that an id stands for; empty = it is not known. */
  String of(String id) {
    String kind = kinds.get(id);
    return kind != null ? kind : ofId(id);
  }

  /** The kind of an id that says it itself; empty = it does not. */
  static String ofId(String id) {
    Matcher matcher = WRITTEN.matcher(id);
    if (!matcher.matches()) {
      return "";
    }
    int length = Integer.parseInt(matcher.group(1));
    String rest = matcher.group(2);
    return length == 0 || length >= rest.length()
        ? ""
        : Columns.kind(rest.substring(0, length), rest.substring(length));
  }

  /** The object that a widget names in one of many ways; null = it names none. */
  @Nullable Pinned pinned(JsonNode resource) {
    if (resource.isString()) {
      return objects.get(resource.stringValue());
    }
    if (!resource.isObject()) {
      return null;
    }
    for (String member : new String[] {"resourceId", "id"}) {
      Pinned found = objects.get(Members.text(resource, member));
      if (found != null) {
        String kind = found.kind().isEmpty() ? kindOf(resource) : found.kind();
        String name = found.name().isEmpty() ? nameOf(resource) : found.name();
        return name.isEmpty() ? null : new Pinned(kind, name, found.identifiers());
      }
    }
    String name = nameOf(resource);
    return name.isEmpty() ? null : new Pinned(kindOf(resource), name, Map.of());
  }

  private static String nameOf(JsonNode resource) {
    for (String member : new String[] {"resourceName", "name", "text"}) {
      String name = Members.text(resource, member);
      if (!name.isEmpty()) {
        return name;
      }
    }
    return "";
  }

  private String kindOf(JsonNode resource) {
    return of(Members.text(resource, "resourceKindId"));
  }
}
