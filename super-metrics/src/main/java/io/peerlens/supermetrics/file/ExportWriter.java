package io.peerlens.supermetrics.file;

import io.peerlens.supermetrics.SuperMetric;
import io.peerlens.supermetrics.SuperMetric.ResourceKind;
import io.peerlens.supermetrics.file.ImportFile.ContentMarker;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.LocalDateTime;
import java.util.Collection;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * Writer of super metrics in the export format, in its newest layout: UTF-8 without byte order
 * mark, three blanks for each level, members in the order of the product and those that the format
 * does not know behind them. A definition that was read from a file comes out with the same members
 * and values. The same definitions always give the same bytes.
 */
public final class ExportWriter {

  /** Marker of exports that are made for no installation in particular. */
  public static final ContentMarker NO_INSTALLATION =
      new ContentMarker("1000000000000000000", new UUID(0, 0).toString());

  private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

  /** A ZIP's oldest time; a present one would make equal exports differ. */
  private static final LocalDateTime ENTRY_TIME = LocalDateTime.of(1980, 1, 1, 0, 0);

  private ExportWriter() {}

  /**
   * The file that Super Metrics &gt; Export would write, called {@code supermetric.json} there.
   *
   * @param superMetrics in the order of the file
   * @throws IllegalArgumentException if an id is there twice
   */
  public static byte[] json(Collection<SuperMetric> superMetrics) {
    return new Layout().write(document(superMetrics));
  }

  /**
   * The ZIP that an export of content management would be.
   *
   * @param superMetrics in the order of the file
   * @param marker of the installation that is to import it: vRealize Operations refuses another's.
   *     {@link #NO_INSTALLATION} does for all readers that look at the content only
   * @throws IllegalArgumentException if an id is there twice
   */
  public static byte[] zip(Collection<SuperMetric> superMetrics, ContentMarker marker) {
    ObjectNode configuration = NODES.objectNode();
    configuration.put("superMetrics", superMetrics.size());
    configuration.put("type", "CUSTOM");
    Layout layout = new Layout();
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ZipOutputStream zip = new ZipOutputStream(bytes, StandardCharsets.UTF_8)) {
      entry(zip, marker.number() + "L.v1", marker.owner().getBytes(StandardCharsets.UTF_8));
      entry(zip, "configuration.json", layout.write(configuration));
      entry(zip, "supermetrics.json", layout.write(document(superMetrics)));
    } catch (IOException e) {
      throw new UncheckedIOException("memory cannot fail", e);
    }
    return bytes.toByteArray();
  }

  private static void entry(ZipOutputStream zip, String name, byte[] content) throws IOException {
    ZipEntry entry = new ZipEntry(name);
    entry.setTimeLocal(ENTRY_TIME);
    zip.putNextEntry(entry);
    zip.write(content);
    zip.closeEntry();
  }

  private static ObjectNode document(Collection<SuperMetric> superMetrics) {
    Set<UUID> ids = new HashSet<>();
    ObjectNode document = NODES.objectNode();
    for (SuperMetric superMetric : superMetrics) {
      if (!ids.add(superMetric.id())) {
        throw new IllegalArgumentException("twice in one export: " + superMetric.id());
      }
      document.set(superMetric.id().toString(), member(superMetric));
    }
    return document;
  }

  private static ObjectNode member(SuperMetric it) {
    ObjectNode member = NODES.objectNode();
    if (it.resourceKinds() != null) {
      ArrayNode kinds = member.putArray("resourceKinds");
      for (ResourceKind kind : it.resourceKinds()) {
        ObjectNode entry = kinds.addObject();
        entry.put("resourceKindKey", kind.objectKind());
        entry.put("adapterKindKey", kind.adapterKind());
        kind.other().forEach(entry::set);
      }
    }
    if (it.modificationTime() != null) {
      member.put("modificationTime", it.modificationTime());
    }
    member.put("name", it.name());
    member.put("formula", it.formula());
    if (it.description() != null) {
      member.put("description", it.description());
    }
    if (it.unitId() != null) {
      member.put("unitId", it.unitId());
    }
    if (it.modifiedBy() != null) {
      member.put("modifiedBy", it.modifiedBy());
    }
    it.other().forEach(member::set);
    return member;
  }

  /**
   * Layout of JSON as the product writes it: an object or array with a single member stays on the
   * line of its bracket, so a file of one super metric begins <code>{"uuid": {</code> and ends
   * <code>}}</code>.
   */
  private static final class Layout {

    private static final int INDENT = 3;

    private final StringBuilder out = new StringBuilder();

    byte[] write(JsonNode document) {
      out.setLength(0);
      value(document, 0);
      return out.toString().getBytes(StandardCharsets.UTF_8);
    }

    private void value(JsonNode value, int indent) {
      if (value.isObject()) {
        out.append('{');
        boolean inline = value.size() <= 1;
        int inner = inline ? indent : indent + INDENT;
        String separator = "";
        for (Map.Entry<String, JsonNode> member : value.properties()) {
          out.append(separator);
          separator = ",";
          line(inline, inner);
          text(member.getKey());
          out.append(": ");
          value(member.getValue(), inner);
        }
        line(inline, indent);
        out.append('}');
      } else if (value.isArray()) {
        out.append('[');
        boolean inline = value.size() <= 1;
        int inner = inline ? indent : indent + INDENT;
        String separator = "";
        for (JsonNode element : value) {
          out.append(separator);
          separator = ",";
          line(inline, inner);
          value(element, inner);
        }
        line(inline, indent);
        out.append(']');
      } else if (value.isString()) {
        text(value.stringValue());
      } else {
        out.append(value); // numbers, true, false, null
      }
    }

    private void line(boolean inline, int indent) {
      if (!inline) {
        out.append('\n').repeat(' ', indent);
      }
    }

    /**
     * A text in quotes. Other than JSON demands, the product also escapes the characters that no
     * editor shows: controls, and U+2000 to U+20FF with the zero-width blanks in them.
     */
    private void text(String text) {
      out.append('"');
      for (int i = 0; i < text.length(); i++) {
        char c = text.charAt(i);
        switch (c) {
          case '"' -> out.append("\\\"");
          case '\\' -> out.append("\\\\");
          case '\b' -> out.append("\\b");
          case '\t' -> out.append("\\t");
          case '\n' -> out.append("\\n");
          case '\f' -> out.append("\\f");
          case '\r' -> out.append("\\r");
          default -> {
            if (c < ' ' || (c >= '\u0080' && c <= '\u00a0') || (c >= '\u2000' && c < '\u2100')) {
              out.append("\\u%04x".formatted((int) c));
            } else {
              out.append(c);
            }
          }
        }
      }
      out.append('"');
    }
  }
}
