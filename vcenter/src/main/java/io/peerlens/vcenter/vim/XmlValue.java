package io.peerlens.vcenter.vim;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import javax.xml.stream.XMLStreamConstants;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;
import org.jspecify.annotations.Nullable;

/**
 * Value in an answer of vCenter: an element with its text or its children, in place of a class for
 * each of the thousand types of vim25.
 */
public final class XmlValue {

  private static final String XSI = "http://www.w3.org/2001/XMLSchema-instance";
  private static final int MAX_DEPTH = 60;

  private final String name;
  private final String type;
  private final String reference;
  private final String text;
  private final List<XmlValue> children;

  private XmlValue(
      String name, String type, String reference, String text, List<XmlValue> children) {
    this.name = name;
    this.type = type;
    this.reference = reference;
    this.text = text;
    this.children = children;
  }

  /**
   * A value with a text that was not read, for what takes the part of a vCenter.
   *
   * @param type {@code xsi:type}, such as {@code int}; empty = it is not said
   */
  public static XmlValue ofText(String name, String type, String text) {
    return new XmlValue(name, type, "", text, List.of());
  }

  /** A reference to a managed object that was not read. */
  public static XmlValue ofReference(String name, Moref to) {
    return new XmlValue(name, "", to.type(), to.value(), List.of());
  }

  /**
   * A value with children that was not read.
   *
   * @param type {@code xsi:type}, such as {@code VirtualDisk}; empty = it is not said
   */
  public static XmlValue ofChildren(String name, String type, List<XmlValue> children) {
    return new XmlValue(name, type, "", "", List.copyOf(children));
  }

  /** Reads the element that the reader stands at the start of, up to its end. */
  static XmlValue read(XMLStreamReader xml) throws XMLStreamException {
    return read(xml, 0);
  }

  private static XmlValue read(XMLStreamReader xml, int depth) throws XMLStreamException {
    if (depth > MAX_DEPTH) {
      throw new XMLStreamException("more than " + MAX_DEPTH + " levels", xml.getLocation());
    }
    String name = xml.getLocalName();
    String type = withoutPrefix(xml.getAttributeValue(XSI, "type"));
    String reference = withoutPrefix(xml.getAttributeValue(null, "type"));
    List<XmlValue> children = List.of();
    StringBuilder text = null;
    while (true) {
      switch (xml.next()) {
        case XMLStreamConstants.START_ELEMENT -> {
          if (children.isEmpty()) {
            children = new ArrayList<>();
          }
          children.add(read(xml, depth + 1));
        }
        case XMLStreamConstants.CHARACTERS, XMLStreamConstants.CDATA -> {
          if (children.isEmpty()) {
            text = text == null ? new StringBuilder() : text;
            text.append(xml.getText());
          }
        }
        case XMLStreamConstants.END_ELEMENT -> {
          return new XmlValue(
              name,
              type,
              reference,
              text == null || !children.isEmpty() ? "" : text.toString(),
              children);
        }
        default -> {}
      }
    }
  }

  private static String withoutPrefix(@Nullable String type) {
    return type == null ? "" : type.substring(type.indexOf(':') + 1);
  }

  /** Name of the element. */
  public String name() {
    return name;
  }

  /**
   * Type that vCenter says it has ({@code xsi:type}), such as {@code VirtualDisk}; may be empty.
   */
  public String type() {
    return type;
  }

  /** The text; empty for a value that has children. */
  public String text() {
    return text;
  }

  /** What it consists of, in order; the elements of an array. */
  public List<XmlValue> children() {
    return children;
  }

  /** The children of that name. */
  public List<XmlValue> all(String child) {
    List<XmlValue> found = new ArrayList<>();
    for (XmlValue value : children) {
      if (value.name.equals(child)) {
        found.add(value);
      }
    }
    return found;
  }

  /**
   * The value at a path of names such as {@code backing.uuid}, through the first child of each
   * name.
   *
   * @return null when there is none
   */
  public @Nullable XmlValue at(String path) {
    XmlValue value = this;
    int from = 0;
    while (value != null && from <= path.length()) {
      int dot = path.indexOf('.', from);
      int to = dot < 0 ? path.length() : dot;
      value = value.child(path, from, to);
      from = to + 1;
    }
    return value;
  }

  private @Nullable XmlValue child(String path, int from, int to) {
    for (XmlValue value : children) {
      if (value.name.length() == to - from && path.startsWith(value.name, from)) {
        return value;
      }
    }
    return null;
  }

  /** The text at a path; empty when there is none. */
  public String text(String path) {
    XmlValue value = at(path);
    return value == null ? "" : value.text;
  }

  /**
   * The number at a path.
   *
   * @return NaN when there is none, or no number
   */
  public double number(String path) {
    XmlValue value = at(path);
    return value == null ? Double.NaN : value.number();
  }

  /** The number that the text is; NaN when it is none. */
  public double number() {
    try {
      return text.isEmpty() ? Double.NaN : Double.parseDouble(text);
    } catch (NumberFormatException e) {
      return Double.NaN;
    }
  }

  /** Whether the text at a path is {@code true}. */
  public boolean isTrue(String path) {
    return text(path).equals("true");
  }

  /** The moment that the text is; empty when it is none. */
  public Optional<Instant> time() {
    try {
      return text.isEmpty()
          ? Optional.empty()
          : Optional.of(OffsetDateTime.parse(text).toInstant());
    } catch (DateTimeException e) {
      return Optional.empty();
    }
  }

  /** The managed object that this refers to; empty when it refers to none. */
  public Optional<Moref> moref() {
    return reference.isEmpty() || text.isEmpty()
        ? Optional.empty()
        : Optional.of(new Moref(reference, text));
  }

  /** The managed object that the value at a path refers to. */
  public Optional<Moref> moref(String path) {
    XmlValue value = at(path);
    return value == null ? Optional.empty() : value.moref();
  }

  @Override
  public String toString() {
    return children.isEmpty() ? name + "=" + text : name + children;
  }
}
