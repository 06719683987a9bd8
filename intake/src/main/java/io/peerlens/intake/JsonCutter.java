package io.peerlens.intake;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.TokenStreamLocation;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Cutter of JSON: of our own samples, of CloudEvents in batches, and of OTLP metrics. It reads one
 * element at a time, so that a large body does not become a large tree.
 */
final class JsonCutter {

  private static final JsonMapper JSON = JsonMapper.builder().build();
  private static final byte[] COMMA = {','};

  /** Which member repeats at each level of OTLP metrics below the resource. */
  private static final List<List<String>> REPEATED =
      List.of(
          List.of("scopeMetrics"),
          List.of("metrics"),
          List.of("gauge", "sum", "histogram", "exponentialHistogram", "summary"),
          List.of("dataPoints"));

  private JsonCutter() {}

  /**
   * Arrays of at most {@code limit} bytes of the objects of arrays, or that stand alone, one after
   * the other.
   *
   * @throws Refusal when it is no JSON, something else than objects, or an element is longer
   */
  static List<Piece> elements(byte[] key, byte[] body, int limit) throws Refusal {
    List<Piece> pieces = new ArrayList<>();
    try (JsonParser parser = JSON.createParser(body)) {
      ByteArrayOutputStream array = new ByteArrayOutputStream();
      int number = 0;
      boolean inArray = false;
      boolean any = false;
      for (JsonToken token = parser.nextToken(); token != null; token = parser.nextToken()) {
        any = true;
        if (token == JsonToken.END_ARRAY) {
          inArray = false;
          continue;
        }
        if (token == JsonToken.START_ARRAY && !inArray) {
          inArray = true;
          continue;
        }
        number++;
        if (token != JsonToken.START_OBJECT) {
          throw Refusal.bad(
              "Element %d is no object; send an object, an array of objects, or an object per line."
                  .formatted(number));
        }
        byte[] element = JSON.writeValueAsBytes(parser.<JsonNode>readValueAsTree());
        if (element.length + 2 > limit) {
          throw Refusal.tooLarge(
              "Element %d has %,d bytes; an element may have %,d."
                  .formatted(number, element.length, limit));
        }
        if (array.size() > 0 && array.size() + element.length + 2 > limit) {
          close(pieces, key, array);
        }
        array.writeBytes(array.size() == 0 ? new byte[] {'['} : COMMA);
        array.writeBytes(element);
      }
      if (!any) {
        throw Refusal.bad("The body is empty; send an object or an array of objects.");
      }
      if (array.size() > 0) {
        close(pieces, key, array);
      }
      return pieces;
    } catch (JacksonException e) {
      throw malformed(e);
    }
  }

  private static void close(List<Piece> pieces, byte[] key, ByteArrayOutputStream array) {
    array.write(']');
    pieces.add(new Piece(key, array.toByteArray()));
    array.reset();
  }

  /**
   * Pieces of OTLP metrics of at most {@code limit} bytes, each of one resource, whose key they
   * have.
   *
   * @throws Refusal when it is no JSON object, or one point is longer
   */
  static List<Piece> otlp(byte[] body, int limit) throws Refusal {
    Otlp otlp = new Otlp(limit);
    try (JsonParser parser = JSON.createParser(body)) {
      if (parser.nextToken() != JsonToken.START_OBJECT) {
        throw Refusal.bad(
            "The body is no JSON object; OTLP metrics are {\"resourceMetrics\":[...]}.");
      }
      while (parser.nextToken() == JsonToken.PROPERTY_NAME) {
        String name = parser.currentName();
        JsonToken value = parser.nextToken();
        if (!name.equals("resourceMetrics") || value != JsonToken.START_ARRAY) {
          if (name.equals("resourceSpans") || name.equals("resourceLogs")) {
            throw Refusal.bad("The body has %s; only metrics are taken.".formatted(name));
          }
          parser.skipChildren();
          continue;
        }
        while (parser.nextToken() != JsonToken.END_ARRAY) {
          if (!(parser.<JsonNode>readValueAsTree() instanceof ObjectNode resource)) {
            throw Refusal.bad("An element of resourceMetrics is no object.");
          }
          otlp.add(resource);
        }
      }
      otlp.end();
      return otlp.pieces;
    } catch (JacksonException e) {
      throw malformed(e);
    }
  }

  private static Refusal malformed(JacksonException e) {
    TokenStreamLocation at = e.getLocation();
    return Refusal.bad(
        at == null
            ? "The body is not valid JSON: " + e.getOriginalMessage()
            : "The body is not valid JSON: %s, line %d, column %d"
                .formatted(Body.shown(e.getOriginalMessage()), at.getLineNr(), at.getColumnNr()));
  }

  private static final class Otlp {
    private static final byte[] OPEN = "{\"resourceMetrics\":[".getBytes(StandardCharsets.UTF_8);
    private static final byte[] CLOSE = "]}".getBytes(StandardCharsets.UTF_8);

    private final int limit;
    private final List<Piece> pieces = new ArrayList<>();
    private final Map<ByteBuffer, ByteArrayOutputStream> open = new LinkedHashMap<>();

    private Otlp(int limit) {
      this.limit = limit;
    }

    private void add(ObjectNode resourceMetrics) throws Refusal {
      JsonNode resource = resourceMetrics.get("resource");
      ByteBuffer key =
          ByteBuffer.wrap(resource == null ? new byte[0] : JSON.writeValueAsBytes(resource));
      byte[] bytes = JSON.writeValueAsBytes(resourceMetrics);
      int room = limit - OPEN.length - CLOSE.length;
      if (bytes.length <= room) {
        add(key, bytes);
        return;
      }
      for (ObjectNode part : split(resourceMetrics, 0, room)) {
        add(key, JSON.writeValueAsBytes(part));
      }
    }

    private void add(ByteBuffer key, byte[] bytes) {
      ByteArrayOutputStream out = open.computeIfAbsent(key, k -> new ByteArrayOutputStream());
      if (out.size() > 0 && out.size() + 1 + bytes.length + CLOSE.length > limit) {
        flush(key, out);
      }
      out.writeBytes(out.size() == 0 ? OPEN : COMMA);
      out.writeBytes(bytes);
    }

    private void end() {
      open.forEach(this::flush);
    }

    private void flush(ByteBuffer key, ByteArrayOutputStream out) {
      if (out.size() > 0) {
        out.writeBytes(CLOSE);
        pieces.add(new Piece(Keys.of(key), out.toByteArray()));
        out.reset();
      }
    }

    /** Objects of at most {@code most} bytes that together say what a longer one says. */
    private static List<ObjectNode> split(ObjectNode node, int level, int most) throws Refusal {
      if (level == REPEATED.size()) {
        throw Refusal.tooLarge(
            "A data point is longer than a record may be, %,d bytes.".formatted(most));
      }
      String name = REPEATED.get(level).stream().filter(node::has).findFirst().orElse(null);
      JsonNode inner = name == null ? null : node.get(name);
      ObjectNode head = JSON.createObjectNode();
      node.properties()
          .forEach(
              member -> {
                if (!member.getKey().equals(name)) {
                  head.set(member.getKey(), member.getValue());
                }
              });
      int left = most - JSON.writeValueAsBytes(head).length - 40;
      if (left <= 0 || name == null || inner == null) {
        throw Refusal.tooLarge(
            "A name or attributes are longer than a record may be, %,d bytes.".formatted(most));
      }
      List<ObjectNode> parts = new ArrayList<>();
      if (inner instanceof ObjectNode data) {
        for (ObjectNode part : split(data, level + 1, left)) {
          parts.add(head.deepCopy().set(name, part));
        }
        return parts;
      }
      ArrayNode some = null;
      int size = 0;
      for (JsonNode element : inner) {
        for (JsonNode part : parts(element, level, left)) {
          int length = JSON.writeValueAsBytes(part).length + 1;
          if (some == null || size + length > left) {
            ObjectNode message = head.deepCopy();
            some = message.putArray(name);
            parts.add(message);
            size = 0;
          }
          some.add(part);
          size += length;
        }
      }
      return parts;
    }

    private static List<? extends JsonNode> parts(@Nullable JsonNode element, int level, int left)
        throws Refusal {
      if (element == null) {
        return List.of();
      }
      if (JSON.writeValueAsBytes(element).length < left) {
        return List.of(element);
      }
      if (element instanceof ObjectNode object) {
        return split(object, level + 1, left);
      }
      throw Refusal.tooLarge("A value is longer than a record may be, %,d bytes.".formatted(left));
    }
  }
}
