package io.peerlens.supermetrics.file;

import io.peerlens.supermetrics.file.ImportFile.Enablement;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.xml.XMLConstants;
import javax.xml.stream.XMLInputFactory;
import javax.xml.stream.XMLStreamConstants;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;
import org.jspecify.annotations.Nullable;

/**
 * Reader of exported policies: the super metrics that they switch on or off. Document types and
 * external entities are refused, so the XML can neither reach a file or an address nor grow.
 */
final class PolicyReader {

  /** Elements that tell a policy from other XML; the first ones stand at its start. */
  private static final Set<String> ELEMENTS =
      Set.of("PolicyContent", "Policies", "Policy", "SuperMetrics", "SuperMetric");

  /** An element, or what a document type says the first one will be. */
  private static final Pattern FIRST_ELEMENT = Pattern.compile("<(?:!DOCTYPE\\s+)?([A-Za-z]\\w*)");

  private static final int START = 4096;

  private final XMLInputFactory factory = XMLInputFactory.newDefaultFactory();

  PolicyReader() {
    factory.setProperty(XMLInputFactory.SUPPORT_DTD, false);
    factory.setProperty(XMLInputFactory.IS_SUPPORTING_EXTERNAL_ENTITIES, false);
    factory.setProperty(XMLInputFactory.IS_REPLACING_ENTITY_REFERENCES, false);
    factory.setProperty(XMLConstants.ACCESS_EXTERNAL_DTD, "");
    factory.setXMLResolver(
        (publicId, systemId, baseUri, namespace) -> {
          throw new XMLStreamException("external entities are not read");
        });
  }

  /**
   * The enablements of a document; empty if it is another kind of XML, or none at all: a document
   * that cannot be read is a problem only where an element of a policy was read before, or stands
   * at its start.
   *
   * @param problems gets entries that cannot be understood
   */
  List<Enablement> read(String name, byte[] document, FileLimits limits, Problems problems) {
    List<Enablement> found = new ArrayList<>();
    String policy = null;
    String adapterKind = "";
    String objectKind = "";
    int depth = 0;
    boolean isPolicy = false;
    try {
      XMLStreamReader xml = factory.createXMLStreamReader(new ByteArrayInputStream(document));
      while (xml.hasNext()) {
        int event = xml.next();
        if (event == XMLStreamConstants.DTD) {
          throw new XMLStreamException("a document type is not read");
        }
        if (event == XMLStreamConstants.END_ELEMENT) {
          depth--;
        }
        if (event != XMLStreamConstants.START_ELEMENT) {
          continue;
        }
        if (++depth > limits.nesting()) {
          throw new XMLStreamException("elements lie deeper than " + limits.nesting());
        }
        isPolicy |= ELEMENTS.contains(xml.getLocalName());
        switch (xml.getLocalName()) {
          case "Policy" -> policy = policyName(xml);
          case "SuperMetrics" -> {
            adapterKind = attribute(xml, "adapterKind");
            objectKind = attribute(xml, "resourceKind");
          }
          case "SuperMetric" -> {
            UUID id = uuid(attribute(xml, "id"));
            if (id == null || adapterKind.isBlank() || objectKind.isBlank()) {
              problems.add(
                  new Place(name, null, xml.getLocation().getLineNumber(), 0),
                  "SuperMetric must have a uuid as id and lie in SuperMetrics with adapterKind"
                      + " and resourceKind; the policy's other entries were read");
            } else if (found.size() < limits.superMetrics()) {
              found.add(
                  new Enablement(
                      policy,
                      adapterKind,
                      objectKind,
                      id,
                      Boolean.parseBoolean(attribute(xml, "enabled"))));
            } else {
              throw new XMLStreamException("more than " + limits.superMetrics() + " entries");
            }
          }
          default -> {}
        }
      }
    } catch (XMLStreamException e) {
      if (!isPolicy && !startsAsPolicy(document)) {
        return List.of();
      }
      int line = e.getLocation() == null ? 0 : e.getLocation().getLineNumber();
      problems.add(
          new Place(name, null, Math.max(0, line), 0),
          "the XML was not read: "
              + DocumentReader.shortened(String.valueOf(e.getMessage()))
              + ". Export the policy again");
      return List.of();
    }
    return found;
  }

  private static boolean startsAsPolicy(byte[] document) {
    Matcher first =
        FIRST_ELEMENT.matcher(
            new String(document, 0, Math.min(document.length, START), StandardCharsets.ISO_8859_1));
    return first.find() && ELEMENTS.contains(first.group(1));
  }

  private static @Nullable String policyName(XMLStreamReader xml) {
    for (String attribute : List.of("name", "key", "id")) {
      String value = attribute(xml, attribute);
      if (!value.isBlank()) {
        return value;
      }
    }
    return null;
  }

  private static String attribute(XMLStreamReader xml, String name) {
    String value = xml.getAttributeValue(null, name);
    return value == null ? "" : value.strip();
  }

  private static @Nullable UUID uuid(String text) {
    return DocumentReader.isUuid(text) ? UUID.fromString(text) : null;
  }
}
