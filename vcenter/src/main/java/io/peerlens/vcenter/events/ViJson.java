package io.peerlens.vcenter.events;

import io.peerlens.vcenter.vim.Moref;
import io.peerlens.vcenter.vim.XmlValue;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * Values of vCenter in the form that its JSON API has: names of members as they are, {@code
 * _typeName} where the type is not the declared one, references as type and value.
 *
 * <p>SOAP does not say whether a text is a number, or a single element a list; so numbers are texts
 * here, and a list of one element that vCenter does not name as a list is the element.
 */
final class ViJson {

  private static final JsonNodeFactory NODES = JsonMapper.shared().getNodeFactory();

  private ViJson() {}

  /** A value with its members. */
  static JsonNode of(XmlValue value) {
    Optional<Moref> moref = value.moref();
    if (moref.isPresent()) {
      return reference(moref.get());
    }
    if (value.type().startsWith("ArrayOf")) {
      ArrayNode array = NODES.arrayNode();
      value.children().forEach(child -> array.add(of(child)));
      return array;
    }
    return value.children().isEmpty() && !isEmptyObject(value) ? text(value) : object(value);
  }

  /** A type of vim25 without members, such as TaskReasonSystem; those of XML are small. */
  private static boolean isEmptyObject(XmlValue value) {
    return value.text().isBlank()
        && !value.type().isEmpty()
        && Character.isUpperCase(value.type().charAt(0));
  }

  private static JsonNode text(XmlValue value) {
    return switch (value.type()) {
      case "boolean" -> NODES.booleanNode(value.text().equals("true"));
      case "byte", "short", "int", "long" ->
          value.text().matches("-?[0-9]{1,18}")
              ? NODES.numberNode(Long.parseLong(value.text()))
              : NODES.stringNode(value.text());
      default -> NODES.stringNode(value.text());
    };
  }

  /** A value with members, as an object. */
  static ObjectNode object(XmlValue value) {
    ObjectNode object = NODES.objectNode();
    if (!value.type().isEmpty()) {
      object.put("_typeName", value.type());
    }
    Map<String, ArrayNode> lists = new LinkedHashMap<>();
    for (XmlValue child : value.children()) {
      JsonNode member = of(child);
      JsonNode before = object.get(child.name());
      if (before == null) {
        object.set(child.name(), member);
      } else {
        lists
            .computeIfAbsent(
                child.name(),
                name -> {
                  ArrayNode list = NODES.arrayNode().add(before);
                  object.set(name, list);
                  return list;
                })
            .add(member);
      }
    }
    return object;
  }

  /** A reference to a managed object. */
  static ObjectNode reference(Moref moref) {
    return NODES
        .objectNode()
        .put("_typeName", "ManagedObjectReference")
        .put("type", moref.type())
        .put("value", moref.value());
  }
}
