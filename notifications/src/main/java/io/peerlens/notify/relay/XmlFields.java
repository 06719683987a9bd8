package io.peerlens.notify.relay;

import io.peerlens.web.ApiException;
import io.peerlens.web.ErrorCode;
import java.io.ByteArrayInputStream;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import javax.xml.stream.XMLInputFactory;
import javax.xml.stream.XMLStreamConstants;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;

/**
 * Fields of an alert in XML: an element {@code alert} whose children are fields. There is no DTD
 * and no entity but the five that XML itself has, so nothing is fetched and nothing grows.
 */
final class XmlFields {

  private static final int MOST_ELEMENTS = 1_000;

  private XmlFields() {}

  /**
   * Texts of the children of the root by their names; those of one name, and of elements within,
   * follow one another.
   */
  static Map<String, String> read(byte[] body) {
    XMLInputFactory factory = XMLInputFactory.newDefaultFactory();
    factory.setProperty(XMLInputFactory.SUPPORT_DTD, false);
    factory.setProperty(XMLInputFactory.IS_SUPPORTING_EXTERNAL_ENTITIES, false);
    factory.setProperty(XMLInputFactory.IS_COALESCING, true);
    try {
      XMLStreamReader reader = factory.createXMLStreamReader(new ByteArrayInputStream(body));
      try {
        return fields(reader);
      } finally {
        reader.close();
      }
    } catch (XMLStreamException e) {
      throw ApiException.of(
              ErrorCode.INVALID_BODY,
              e.getLocation() == null || e.getLocation().getLineNumber() < 0
                  ? "The body is no well-formed XML."
                  : "The body is no well-formed XML: line %d, column %d."
                      .formatted(
                          e.getLocation().getLineNumber(), e.getLocation().getColumnNumber()))
          .hint("Send <alert><alertId>...</alertId>...</alert>, without DTD and entities.");
    }
  }

  private static Map<String, String> fields(XMLStreamReader reader) throws XMLStreamException {
    Map<String, String> fields = new HashMap<>();
    Deque<String> path = new ArrayDeque<>();
    StringBuilder text = new StringBuilder();
    int elements = 0;
    while (reader.hasNext()) {
      switch (reader.next()) {
        case XMLStreamConstants.DTD ->
            throw refused("a DTD", "Leave out <!DOCTYPE ...>; nothing in it is read.");
        case XMLStreamConstants.ENTITY_REFERENCE ->
            throw refused("an entity", "Write characters as they are, or as &#...; .");
        case XMLStreamConstants.START_ELEMENT -> {
          if (path.isEmpty() && !reader.getLocalName().equalsIgnoreCase("alert")) {
            throw ApiException.of(
                    ErrorCode.INVALID_BODY,
                    "The root of the XML is %s, not alert.".formatted(shown(reader.getLocalName())))
                .hint("Send <alert><alertId>...</alertId>...</alert>.");
          }
          if (path.size() >= RelayBody.DEEPEST || ++elements > MOST_ELEMENTS) {
            throw refused(
                "more than %,d elements, or elements more than %d deep"
                    .formatted(MOST_ELEMENTS, RelayBody.DEEPEST),
                "An alert is an element with one child for each field.");
          }
          path.addLast(reader.getLocalName());
          if (path.size() > 2 && !text.isEmpty() && text.charAt(text.length() - 1) != '\n') {
            text.append('\n');
          }
        }
        case XMLStreamConstants.CHARACTERS, XMLStreamConstants.CDATA -> {
          if (path.size() > 1) {
            text.append(reader.getText());
          }
        }
        case XMLStreamConstants.END_ELEMENT -> {
          String name = path.removeLast();
          if (path.size() == 1) {
            fields.merge(name, text.toString().strip(), (a, b) -> a + "\n" + b);
            text.setLength(0);
          }
        }
        default -> {}
      }
    }
    return fields;
  }

  private static String shown(String name) {
    return name.length() > 50 ? name.substring(0, 50) + "..." : name;
  }

  private static ApiException refused(String what, String hint) {
    return ApiException.of(ErrorCode.INVALID_BODY, "The XML holds " + what + ".").hint(hint);
  }
}
