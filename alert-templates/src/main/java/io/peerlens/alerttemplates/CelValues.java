package io.peerlens.alerttemplates;

import dev.cel.common.values.NullValue;
import java.util.AbstractList;
import java.util.AbstractMap;
import java.util.AbstractSet;
import java.util.Collection;
import java.util.Iterator;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * Conversion between JSON and values of CEL. Objects and arrays are views, so that a condition
 * costs what it looks at and not what the context holds.
 */
final class CelValues {

  private CelValues() {}

  static Object of(JsonNode node) {
    return switch (node.getNodeType()) {
      case OBJECT -> new ObjectView(node);
      case ARRAY -> new ArrayView(node);
      case STRING -> node.stringValue();
      case BOOLEAN -> node.booleanValue();
      case NUMBER ->
          node.isIntegralNumber() && node.canConvertToLong()
              ? (Object) node.longValue()
              : (Object) node.asDouble(Double.NaN);
      default -> NullValue.NULL_VALUE;
    };
  }

  /**
   * A result of CEL as JSON; a timestamp, a duration and other values as their texts.
   *
   * @param rendering bounds its size
   */
  static JsonNode json(@Nullable Object value, Rendering rendering) {
    JsonNodeFactory make = JsonNodeFactory.instance;
    rendering.count(value instanceof String text ? text.length() : 8);
    return switch (value) {
      case null -> make.nullNode();
      case NullValue nothing -> make.nullNode();
      case Boolean bool -> make.booleanNode(bool);
      case Double number -> Double.isFinite(number) ? make.numberNode(number) : make.nullNode();
      case Number number -> make.numberNode(number.longValue());
      case String text -> make.stringNode(text);
      case Map<?, ?> map -> {
        ObjectNode object = make.objectNode();
        map.forEach((k, v) -> object.set(String.valueOf(k), json(v, rendering)));
        yield object;
      }
      case Collection<?> list -> {
        ArrayNode array = make.arrayNode();
        list.forEach(v -> array.add(json(v, rendering)));
        yield array;
      }
      default -> make.stringNode(value.toString());
    };
  }

  private static final class ObjectView extends AbstractMap<String, Object> {

    private final JsonNode node;

    ObjectView(JsonNode node) {
      this.node = node;
    }

    @Override
    public boolean containsKey(@Nullable Object key) {
      return key instanceof String name && node.has(name);
    }

    @Override
    public @Nullable Object get(@Nullable Object key) {
      JsonNode value = key instanceof String name ? node.get(name) : null;
      return value == null ? null : of(value);
    }

    @Override
    public int size() {
      return node.size();
    }

    @Override
    public Set<Map.Entry<String, Object>> entrySet() {
      return new AbstractSet<>() {
        @Override
        public Iterator<Map.Entry<String, Object>> iterator() {
          return node.properties().stream()
              .map(e -> Map.entry(e.getKey(), of(e.getValue())))
              .iterator();
        }

        @Override
        public int size() {
          return node.size();
        }
      };
    }
  }

  static final class ArrayView extends AbstractList<Object> {

    private final JsonNode node;

    ArrayView(JsonNode node) {
      this.node = node;
    }

    @Override
    public Object get(int index) {
      JsonNode value = node.get(index);
      if (value == null) {
        throw new IndexOutOfBoundsException(index);
      }
      return of(value);
    }

    @Override
    public int size() {
      return node.size();
    }
  }
}
