package io.peerlens.alerttemplates;

import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;

/**
 * Tree as XML 1.0: members are elements, {@code @name} is an attribute, {@code #text} the text of
 * an element that has attributes, an array is one element for each of its values, and null is an
 * empty element. Always well-formed: there is no DTD, and names that come from values are made fit.
 */
final class XmlTree {

  private static final String NAME_TEXT = "[A-Za-z_][A-Za-z0-9_.-]*(:[A-Za-z_][A-Za-z0-9_.-]*)?";

  /** What a member of a template for XML may be called. */
  static final Pattern NAME = Pattern.compile("@?" + NAME_TEXT + "|#text");

  private static final Pattern PLAIN = Pattern.compile(NAME_TEXT);

  private final StringBuilder out =
      new StringBuilder("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");

  private XmlTree() {}

  /**
   * Writes a document.
   *
   * @param place where its tree stands in the template
   */
  static String write(String place, JsonNode tree) {
    if (!tree.isObject()
        || tree.size() != 1
        || tree.properties().iterator().next().getKey().startsWith("@")
        || tree.properties().iterator().next().getKey().equals("#text")
        || tree.properties().iterator().next().getValue().isArray()) {
      throw new TemplateException(
          place, "XML has one outermost element: the body must be an object with one member");
    }
    XmlTree xml = new XmlTree();
    Map.Entry<String, JsonNode> root = tree.properties().iterator().next();
    xml.element(root.getKey(), root.getValue(), Set.of("xml"));
    return xml.out.toString();
  }

  private void element(String name, JsonNode value, Set<String> outer) {
    if (value.isArray()) {
      for (JsonNode element : value) {
        // An array in an array has no name of its own.
        element(name, element, outer);
      }
      return;
    }
    Set<String> prefixes = prefixes(value, outer);
    String tag = name(name, prefixes);
    out.append('<').append(tag);
    Set<String> attributes = new HashSet<>();
    StringBuilder text = new StringBuilder();
    boolean children = false;
    if (value.isObject()) {
      for (Map.Entry<String, JsonNode> member : value.properties()) {
        String key = member.getKey();
        if (key.startsWith("@")) {
          String attribute = name(key.substring(1), prefixes);
          if (!member.getValue().isNull() && attributes.add(attribute)) {
            out.append(' ').append(attribute).append("=\"");
            out.append(attribute(Placeholder.text(member.getValue()))).append('"');
          }
        } else if (key.equals("#text")) {
          text.append(Placeholder.text(member.getValue()));
        } else {
          children = true;
        }
      }
    } else {
      text.append(Placeholder.text(value));
    }
    if (text.isEmpty() && !children) {
      out.append("/>");
      return;
    }
    out.append('>').append(XmlText.escape(text.toString()));
    if (children) {
      for (Map.Entry<String, JsonNode> member : value.properties()) {
        if (!member.getKey().startsWith("@") && !member.getKey().equals("#text")) {
          element(member.getKey(), member.getValue(), prefixes);
        }
      }
    }
    out.append("</").append(tag).append('>');
  }

  /** A parser would turn line breaks of an attribute into blanks. */
  private static String attribute(String text) {
    return XmlText.escape(text).replace("\n", "&#10;").replace("\t", "&#9;");
  }

  private static Set<String> prefixes(JsonNode value, Set<String> outer) {
    Set<String> prefixes = new HashSet<>(outer);
    for (String name : value.propertyNames()) {
      if (name.startsWith("@xmlns:")
          && NAME.matcher(name).matches()
          && !value.path(name).asString("").isEmpty()) {
        prefixes.add(name.substring(7));
      }
    }
    return prefixes;
  }

  /** A name that came with a value may be anything. */
  private static String name(String name, Set<String> prefixes) {
    int colon = name.indexOf(':');
    if (PLAIN.matcher(name).matches()
        && (colon < 0
            || prefixes.contains(name.substring(0, colon))
            || name.startsWith("xmlns:"))) {
      return name;
    }
    String fit = name.replaceAll("[^A-Za-z0-9_.-]", "_");
    return fit.isEmpty() || !fit.substring(0, 1).matches("[A-Za-z_]") ? "_" + fit : fit;
  }
}
