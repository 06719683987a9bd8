package io.peerlens.supermetrics.file;

import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * JSON reader that makes trees, one member of a document at a time. Unlike a plain tree reader it
 * notices names that are there twice, and keeps numbers as they are written.
 */
final class Json {

  /** Powers of ten beyond this are no data, and databases refuse them. */
  private static final int MAX_SCALE = 1_000;

  private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

  private final JsonMapper mapper;

  Json(FileLimits limits) {
    StreamReadConstraints constraints =
        StreamReadConstraints.builder()
            .maxNestingDepth(limits.nesting())
            .maxTokenCount(limits.tokens())
            .maxStringLength(Math.max(limits.fileBytes(), limits.documentBytes()))
            .build();
    this.mapper =
        JsonMapper.builder(JsonFactory.builder().streamReadConstraints(constraints).build())
            .build();
  }

  /** A parser over a document in UTF-8, UTF-16 or UTF-32, with or without byte order mark. */
  JsonParser open(byte[] document) {
    return mapper.createParser(document);
  }

  /**
   * The value at which the parser stands; afterwards it stands at the value's last token. The depth
   * of the recursion is bounded by the parser.
   *
   * @param repeated collects names that are there twice in one object; the last one wins
   */
  static JsonNode value(JsonParser parser, List<String> repeated) {
    JsonToken token = parser.currentToken();
    return switch (token) {
      case START_OBJECT -> {
        ObjectNode object = NODES.objectNode();
        while (parser.nextToken() == JsonToken.PROPERTY_NAME) {
          String name = parser.currentName();
          parser.nextToken();
          if (object.has(name)) {
            repeated.add(name);
          }
          object.set(name, value(parser, repeated));
        }
        yield object;
      }
      case START_ARRAY -> {
        ArrayNode array = NODES.arrayNode();
        while (parser.nextToken() != JsonToken.END_ARRAY) {
          array.add(value(parser, repeated));
        }
        yield array;
      }
      case VALUE_STRING -> NODES.stringNode(parser.getString());
      case VALUE_NUMBER_INT ->
          switch (parser.getNumberType()) {
            case INT -> NODES.numberNode(parser.getIntValue());
            case LONG -> NODES.numberNode(parser.getLongValue());
            default -> NODES.numberNode(parser.getBigIntegerValue());
          };
      case VALUE_NUMBER_FLOAT -> NODES.numberNode(parser.getDecimalValue());
      case VALUE_TRUE -> NODES.booleanNode(true);
      case VALUE_FALSE -> NODES.booleanNode(false);
      case VALUE_NULL -> NODES.nullNode();
      default -> throw new IllegalStateException("no value begins with " + token);
    };
  }

  /**
   * What of a value no database can keep, or {@code null}: the character U+0000, half of a
   * surrogate pair, a number of absurd size.
   */
  static @Nullable String unstorable(JsonNode value) {
    if (value.isString()) {
      return unstorable(value.stringValue());
    }
    if (value.isBigDecimal() && Math.abs((long) value.decimalValue().scale()) > MAX_SCALE) {
      return "a number with more than " + MAX_SCALE + " zeros or decimal places";
    }
    for (String name : value.propertyNames()) {
      String inName = unstorable(name);
      if (inName != null) {
        return inName;
      }
    }
    for (JsonNode child : value) {
      String inChild = unstorable(child);
      if (inChild != null) {
        return inChild;
      }
    }
    return null;
  }

  private static @Nullable String unstorable(String text) {
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == 0) {
        return "the character U+0000";
      }
      if (Character.isHighSurrogate(c)
          && i + 1 < text.length()
          && Character.isLowSurrogate(text.charAt(i + 1))) {
        i++;
      } else if (Character.isSurrogate(c)) {
        return "half a character (U+%04X)".formatted((int) c);
      }
    }
    return null;
  }

  /** What the parser found wrong, in one line. */
  static String message(JacksonException e) {
    String message = e.getOriginalMessage();
    int end = message.indexOf('\n');
    return end < 0 ? message : message.substring(0, end);
  }
}
