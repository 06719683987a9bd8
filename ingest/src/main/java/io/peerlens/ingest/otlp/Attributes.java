package io.peerlens.ingest.otlp;

import io.peerlens.ingest.protobuf.Malformed;
import io.peerlens.ingest.protobuf.ProtoReader;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Attributes of resources and points as texts by name. */
public final class Attributes {

  /** Values of values deeper than this are a mistake. */
  private static final int MAX_DEPTH = 20;

  private static final int KEY = 1 << 3 | ProtoReader.LENGTH;
  private static final int VALUE = 2 << 3 | ProtoReader.LENGTH;
  private static final int ENTITY = 3 << 3 | ProtoReader.LENGTH;

  private Attributes() {}

  /** Not UTF-8, or a NUL character. */
  private static final class NoText extends RuntimeException {
    private static final long serialVersionUID = 1L;

    NoText() {
      super(null, null, false, false);
    }
  }

  /**
   * Attributes of a resource, and of the first entity that it says to be: {@code entity.type} and
   * {@code entity.id}, the values of its id attributes.
   *
   * @return null when one is not UTF-8 text or holds a NUL character
   */
  public static @Nullable Map<String, String> ofResource(byte[] b, int from, int to) {
    Map<String, String> all = read(b, 1, from, to);
    if (all == null) {
      return null;
    }
    ProtoReader fields = new ProtoReader();
    fields.on(b, from, to);
    while (fields.next()) {
      if (fields.tag() == ENTITY) {
        return entity(all, b, fields.from(), fields.to()) ? all : null;
      }
    }
    return all;
  }

  private static boolean entity(Map<String, String> all, byte[] b, int from, int to) {
    ProtoReader fields = new ProtoReader();
    fields.on(b, from, to);
    String type = "";
    List<String> ids = new ArrayList<>();
    while (fields.next()) {
      String text =
          (fields.tag() & 7) == ProtoReader.LENGTH ? text(b, fields.from(), fields.to()) : "";
      if (text == null) {
        return false;
      }
      if (fields.tag() >>> 3 == 2) {
        type = text;
      } else if (fields.tag() >>> 3 == 3) {
        String value = all.get(text);
        if (value != null && !value.isEmpty()) {
          ids.add(value);
        }
      }
    }
    if (!type.isEmpty() && !ids.isEmpty()) {
      all.put("entity.type", type);
      all.put("entity.id", String.join("/", ids));
    }
    return true;
  }

  /**
   * Attributes among the fields of a message.
   *
   * @param field number of the attributes' field; 0 = every field is one
   * @return null when one is not UTF-8 text or holds a NUL character
   * @throws Malformed when they are no attributes
   */
  public static @Nullable Map<String, String> read(byte[] b, int field, int from, int to) {
    Map<String, String> texts = new LinkedHashMap<>();
    ProtoReader fields = new ProtoReader();
    fields.on(b, from, to);
    try {
      while (fields.next()) {
        if ((field == 0 || fields.tag() >>> 3 == field)
            && (fields.tag() & 7) == ProtoReader.LENGTH) {
          pair(texts, b, fields.from(), fields.to(), 0);
        }
      }
    } catch (NoText e) {
      return null;
    }
    return texts;
  }

  private static void pair(Map<String, String> texts, byte[] b, int from, int to, int depth) {
    ProtoReader fields = new ProtoReader();
    fields.on(b, from, to);
    String key = "";
    String value = "";
    while (fields.next()) {
      if (fields.tag() == KEY) {
        key = checked(b, fields.from(), fields.to());
      } else if (fields.tag() == VALUE) {
        value = value(b, fields.from(), fields.to(), depth + 1);
      }
    }
    if (!key.isEmpty()) {
      texts.put(key, value);
    }
  }

  private static String value(byte[] b, int from, int to, int depth) {
    if (depth > MAX_DEPTH) {
      throw new Malformed("values of attributes are nested deeper than " + MAX_DEPTH, from);
    }
    ProtoReader fields = new ProtoReader();
    fields.on(b, from, to);
    String value = "";
    while (fields.next()) {
      switch (fields.tag()) {
        case 1 << 3 | ProtoReader.LENGTH -> value = checked(b, fields.from(), fields.to());
        case 2 << 3 -> value = Boolean.toString(fields.bits() != 0);
        case 3 << 3 -> value = Long.toString(fields.bits());
        case 4 << 3 | ProtoReader.FIXED64 -> value = number(Double.longBitsToDouble(fields.bits()));
        case 5 << 3 | ProtoReader.LENGTH -> {
          ProtoReader elements = new ProtoReader();
          elements.on(b, fields.from(), fields.to());
          List<String> list = new ArrayList<>();
          while (elements.next()) {
            if (elements.tag() == (1 << 3 | ProtoReader.LENGTH)) {
              list.add(value(b, elements.from(), elements.to(), depth + 1));
            }
          }
          value = list.toString();
        }
        case 6 << 3 | ProtoReader.LENGTH -> {
          ProtoReader pairs = new ProtoReader();
          pairs.on(b, fields.from(), fields.to());
          Map<String, String> map = new LinkedHashMap<>();
          while (pairs.next()) {
            if (pairs.tag() == (1 << 3 | ProtoReader.LENGTH)) {
              pair(map, b, pairs.from(), pairs.to(), depth + 1);
            }
          }
          value = map.toString();
        }
        case 7 << 3 | ProtoReader.LENGTH ->
            value =
                Base64.getEncoder()
                    .encodeToString(Arrays.copyOfRange(b, fields.from(), fields.to()));
        default -> {}
      }
    }
    return value;
  }

  private static String number(double value) {
    return value == Math.rint(value) && Math.abs(value) < 1e15
        ? Long.toString((long) value)
        : Double.toString(value);
  }

  private static String checked(byte[] b, int from, int to) {
    String text = text(b, from, to);
    if (text == null) {
      throw new NoText();
    }
    return text;
  }

  /** Text of bytes; null when they are not UTF-8 or hold a NUL character. */
  public static @Nullable String text(byte[] b, int from, int to) {
    for (int i = from; i < to; i++) {
      if (b[i] == 0) {
        return null;
      }
    }
    try {
      return StandardCharsets.UTF_8
          .newDecoder()
          .decode(ByteBuffer.wrap(b, from, to - from))
          .toString();
    } catch (CharacterCodingException e) {
      return null;
    }
  }
}
