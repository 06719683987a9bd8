package io.peerlens.dashboard.vrops;

import java.io.StringReader;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.xml.stream.XMLInputFactory;
import javax.xml.stream.XMLStreamConstants;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;
import org.jspecify.annotations.Nullable;

/**
 * An element of an XML document, read without anything that a document can ask of its reader: a
 * document type is refused, and no entity is resolved.
 *
 * @param name name without a prefix
 */
record Xml(String name, Map<String, String> attributes, List<Xml> children, StringBuilder text) {

  private static final Pattern ENCODING = Pattern.compile("encoding\\s*=\\s*[\"']([\\w.:-]+)[\"']");
  private static final int DEPTH = 64;
  private static final int ELEMENTS = 1_000_000;

  /** A document that is not read; the message says why and what to do. */
  static final class UnreadableException extends Exception {
    private static final long serialVersionUID = 1;

    UnreadableException(String message) {
      super(message);
    }

    String text() {
      return Objects.requireNonNullElse(getMessage(), "it cannot be read");
    }
  }

  /**
   * Reads a document.
   *
   * @throws UnreadableException if it is no XML, has a document type or is nested too deeply
   */
  static Xml read(byte[] document) throws UnreadableException {
    if (hasDocumentType(document)) {
      throw new UnreadableException(
          "it has a document type (<!DOCTYPE>), which no export has and which can read files or"
              + " never end. Remove it");
    }
    try {
      return read(factory().createXMLStreamReader(new StringReader(decoded(document))));
    } catch (XMLStreamException | RuntimeException e) {
      int line =
          e instanceof XMLStreamException at && at.getLocation() != null
              ? at.getLocation().getLineNumber()
              : 0;
      throw new UnreadableException(
          "it is no XML that can be read"
              + (line > 0 ? "; see line " + line : "")
              + ". Export it again");
    }
  }

  /**
   * The text of a document, from its first element or declaration on. Some say that they are UTF-8
   * and are not; then each byte is a Latin letter.
   */
  private static String decoded(byte[] document) {
    Charset charset = StandardCharsets.UTF_8;
    int first = document.length > 1 ? (document[0] & 0xff) << 8 | document[1] & 0xff : 0;
    if (first == 0xfffe || first == '<' << 8) {
      charset = StandardCharsets.UTF_16LE;
    } else if (first == 0xfeff || first == '<') {
      charset = StandardCharsets.UTF_16BE;
    } else {
      String start =
          new String(document, 0, Math.min(200, document.length), StandardCharsets.ISO_8859_1);
      Matcher encoding = ENCODING.matcher(start);
      try {
        if (encoding.find()) {
          charset = Charset.forName(encoding.group(1));
        }
      } catch (IllegalArgumentException e) {
        // one that is not known here
      }
    }
    String text;
    try {
      text = charset.newDecoder().decode(ByteBuffer.wrap(document)).toString();
    } catch (CharacterCodingException e) {
      text = new String(document, StandardCharsets.ISO_8859_1);
    }
    int start = text.indexOf('<');
    return start <= 0 ? text : text.substring(start);
  }

  private static XMLInputFactory factory() {
    XMLInputFactory factory = XMLInputFactory.newDefaultFactory();
    factory.setProperty(XMLInputFactory.SUPPORT_DTD, false);
    factory.setProperty(XMLInputFactory.IS_SUPPORTING_EXTERNAL_ENTITIES, false);
    factory.setProperty(XMLInputFactory.IS_REPLACING_ENTITY_REFERENCES, true);
    factory.setProperty(XMLInputFactory.IS_COALESCING, true);
    factory.setXMLResolver(
        (publicId, systemId, base, space) -> {
          throw new XMLStreamException("nothing outside of the document is read");
        });
    return factory;
  }

  private static boolean hasDocumentType(byte[] document) {
    // Letters of wide encodings have a zero beside them.
    StringBuilder start = new StringBuilder();
    for (int i = 0; i < document.length; i++) {
      byte b = document[i];
      if (b == 0) {
        continue;
      }
      if (b == '<' && i + 1 < document.length) {
        start.setLength(0);
      }
      if (start.length() < 10) {
        start.append((char) (b & 0xff));
        if (start.length() == 9 && start.toString().equalsIgnoreCase("<!DOCTYPE")) {
          return true;
        }
      }
    }
    return false;
  }

  private static Xml read(XMLStreamReader in) throws XMLStreamException, UnreadableException {
    Deque<Xml> open = new ArrayDeque<>();
    Xml root = null;
    int elements = 0;
    while (in.hasNext()) {
      switch (in.next()) {
        case XMLStreamConstants.START_ELEMENT -> {
          if (open.size() >= DEPTH || ++elements > ELEMENTS) {
            throw new UnreadableException(
                "its elements are nested deeper than " + DEPTH + " levels, or are too many");
          }
          Map<String, String> attributes = new LinkedHashMap<>();
          for (int i = 0; i < in.getAttributeCount(); i++) {
            attributes.put(in.getAttributeLocalName(i), in.getAttributeValue(i));
          }
          Xml element =
              new Xml(in.getLocalName(), attributes, new ArrayList<>(), new StringBuilder());
          Xml parent = open.peek();
          if (parent == null) {
            root = root == null ? element : root;
          } else {
            parent.children.add(element);
          }
          open.push(element);
        }
        case XMLStreamConstants.END_ELEMENT -> open.poll();
        case XMLStreamConstants.CHARACTERS, XMLStreamConstants.CDATA -> {
          Xml parent = open.peek();
          if (parent != null) {
            parent.text.append(in.getText());
          }
        }
        case XMLStreamConstants.DTD, XMLStreamConstants.ENTITY_REFERENCE ->
            throw new UnreadableException("it has a document type or entities. Remove them");
        default -> {
          // comments and the like
        }
      }
    }
    if (root == null) {
      throw new UnreadableException("it has no element");
    }
    return root;
  }

  /** An attribute; empty = it is not there. */
  String attribute(String name) {
    return attributes.getOrDefault(name, "");
  }

  /** The text within this element, without that of elements in it. */
  String plainText() {
    return text.toString().strip();
  }

  /** The first child of this name. */
  @Nullable Xml child(String name) {
    for (Xml child : children) {
      if (child.name.equals(name)) {
        return child;
      }
    }
    return null;
  }

  /** The children of this name. */
  List<Xml> all(String name) {
    return children.stream().filter(it -> it.name.equals(name)).toList();
  }

  /** The elements of this name, here or below, in the order of the document. */
  List<Xml> descendants(String name) {
    List<Xml> found = new ArrayList<>();
    collect(name, found);
    return found;
  }

  private void collect(String name, List<Xml> found) {
    if (this.name.equals(name)) {
      found.add(this);
    } else {
      children.forEach(child -> child.collect(name, found));
    }
  }

  /** This element as XML text. */
  String written() {
    StringBuilder out = new StringBuilder();
    write(out);
    return out.toString();
  }

  private void write(StringBuilder out) {
    out.append('<').append(name);
    attributes.forEach(
        (key, value) -> {
          out.append(' ').append(key).append("=\"");
          escape(value, out);
          out.append('"');
        });
    String inside = plainText();
    if (children.isEmpty() && inside.isEmpty()) {
      out.append("/>");
      return;
    }
    out.append('>');
    escape(inside, out);
    children.forEach(child -> child.write(out));
    out.append("</").append(name).append('>');
  }

  private static void escape(String text, StringBuilder out) {
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      switch (c) {
        case '<' -> out.append("&lt;");
        case '>' -> out.append("&gt;");
        case '&' -> out.append("&amp;");
        case '"' -> out.append("&quot;");
        case '\n', '\t', '\r' -> out.append("&#").append((int) c).append(';');
        default -> out.append(c);
      }
    }
  }

  // --- properties of a view's controls ---

  /** The value of a {@code <Property name=… value=…>} below; empty = none. */
  String property(String name) {
    for (Xml child : children) {
      if (child.name.equals("Property") && child.attribute("name").equals(name)) {
        return child.attribute("value").strip();
      }
    }
    return "";
  }

  /** The items of a list that is the value of a property. */
  List<Xml> items(String property) {
    for (Xml child : children) {
      if (child.name.equals("Property") && child.attribute("name").equals(property)) {
        Xml list = child.child("List");
        return list == null ? List.of() : list.all("Item");
      }
    }
    return List.of();
  }

  /** The values that are items of a list. */
  List<Xml> values(String property) {
    return items(property).stream().flatMap(item -> item.all("Value").stream()).toList();
  }
}
