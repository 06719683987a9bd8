package io.peerlens.dashboard;

import java.util.LinkedHashMap;
import java.util.Map;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** Definitions as maps, as the models of the contract have them, and as trees. */
final class Json {

  static final JsonMapper MAPPER =
      JsonMapper.builder().enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS).build();

  private static final TypeReference<LinkedHashMap<String, Object>> MAP = new TypeReference<>() {};

  private Json() {}

  static ObjectNode tree(Map<String, Object> definition) {
    return MAPPER.valueToTree(definition);
  }

  static Map<String, Object> map(JsonNode definition) {
    return MAPPER.convertValue(definition, MAP);
  }

  /** Size in bytes. */
  static int size(Map<String, Object> definition) {
    return MAPPER.writeValueAsBytes(definition).length;
  }
}
