package io.peerlens.assistant;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A parameter of a tool.
 *
 * @param meaning what it is, for the model
 * @param values the values it may have; empty = any
 * @param least of a number
 * @param most of a number; of a list how many
 */
record Parameter(
    String name,
    Form form,
    boolean required,
    String meaning,
    List<String> values,
    int least,
    int most) {

  /** Kind of value. */
  enum Form {
    TEXT,
    NUMBER,
    TEXTS
  }

  static Parameter text(String name, String meaning) {
    return new Parameter(name, Form.TEXT, false, meaning, List.of(), 0, 0);
  }

  static Parameter oneOf(String name, String meaning, List<String> values) {
    return new Parameter(name, Form.TEXT, false, meaning, values, 0, 0);
  }

  static Parameter number(String name, String meaning, int least, int most) {
    return new Parameter(name, Form.NUMBER, false, meaning, List.of(), least, most);
  }

  static Parameter texts(String name, String meaning, int most) {
    return new Parameter(name, Form.TEXTS, false, meaning, List.of(), 1, most);
  }

  /** The same one that must be given. */
  Parameter needed() {
    return new Parameter(name, form, true, meaning, values, least, most);
  }

  /** As JSON schema. */
  Map<String, Object> schema() {
    Map<String, Object> schema = new LinkedHashMap<>();
    switch (form) {
      case TEXT -> {
        schema.put("type", "string");
        if (!values.isEmpty()) {
          schema.put("enum", values);
        }
      }
      case NUMBER -> {
        schema.put("type", "integer");
        schema.put("minimum", least);
        schema.put("maximum", most);
      }
      case TEXTS -> {
        schema.put("type", "array");
        schema.put("items", Map.of("type", "string"));
        schema.put("minItems", least);
        schema.put("maxItems", most);
      }
    }
    schema.put("description", meaning);
    return schema;
  }
}
