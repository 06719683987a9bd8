package io.peerlens.supermetric;

import io.peerlens.definition.DefinitionRows;
import io.peerlens.supermetrics.SuperMetric;
import io.peerlens.supermetrics.SuperMetric.ResourceKind;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.SqlParameterValue;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.cfg.JsonNodeFeature;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Columns of super metrics: one for each member of the export format, which keeps its texts. */
final class SuperMetricRows implements DefinitionRows<StoredSuperMetric> {

  private static final Map<String, String> SQL = new LinkedHashMap<>();

  static {
    SQL.put("formula", ":formula");
    SQL.put("description", ":description");
    SQL.put("unit_id", ":unitId");
    SQL.put("modified_by", ":modifiedBy");
    SQL.put("modification_time", ":modificationTime");
    SQL.put("kinds", ":kinds::json");
    SQL.put("other", ":other::json");
    SQL.put("tags", ":tags");
    SQL.put("owner", ":owner");
    SQL.put("enabled", ":enabled");
    SQL.put("policy", ":policy::jsonb");
    SQL.put("interval_s", ":interval");
  }

  private static final TypeReference<List<Policy.Rule>> RULES = new TypeReference<>() {};

  /** Keeps numbers as they are written. */
  private static final JsonMapper JSON =
      JsonMapper.builder()
          .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
          .disable(JsonNodeFeature.STRIP_TRAILING_BIGDECIMAL_ZEROES)
          .build();

  @Override
  public String table() {
    return "super_metric";
  }

  @Override
  public Map<String, String> sql() {
    return SQL;
  }

  @Override
  public Map<String, Object> values(StoredSuperMetric edit) {
    SuperMetric definition = edit.definition();
    Map<String, Object> values = new HashMap<>();
    values.put("formula", definition.formula());
    values.put("description", text(definition.description()));
    values.put("unitId", text(definition.unitId()));
    values.put("modifiedBy", text(definition.modifiedBy()));
    values.put(
        "modificationTime", new SqlParameterValue(Types.BIGINT, definition.modificationTime()));
    values.put("kinds", text(kinds(definition.resourceKinds())));
    values.put("other", JSON.writeValueAsString(node(definition.other())));
    values.put("tags", edit.tags().toArray(String[]::new));
    values.put("owner", text(edit.owner()));
    values.put("enabled", edit.policy().enabled());
    values.put("policy", JSON.writeValueAsString(edit.policy().rules()));
    values.put("interval", edit.intervalSeconds());
    return values;
  }

  private static SqlParameterValue text(@Nullable String text) {
    return new SqlParameterValue(Types.VARCHAR, text);
  }

  @Override
  public StoredSuperMetric read(ResultSet row) throws SQLException {
    return new StoredSuperMetric(
        new SuperMetric(
            row.getObject("id", UUID.class),
            kinds(row.getString("kinds")),
            row.getObject("modification_time", Long.class),
            row.getString("name"),
            row.getString("formula"),
            row.getString("description"),
            row.getString("unit_id"),
            row.getString("modified_by"),
            members((ObjectNode) JSON.readTree(row.getString("other")), List.of())),
        Arrays.asList((String[]) row.getArray("tags").getArray()),
        row.getString("owner"),
        new Policy(row.getBoolean("enabled"), JSON.readValue(row.getString("policy"), RULES)),
        row.getInt("interval_s"));
  }

  private static final String ADAPTER = "adapterKindKey";
  private static final String OBJECT = "resourceKindKey";

  private static @Nullable String kinds(@Nullable List<ResourceKind> kinds) {
    if (kinds == null) {
      return null;
    }
    ArrayNode array = JSON.createArrayNode();
    for (ResourceKind kind : kinds) {
      ObjectNode node = array.addObject();
      node.put(OBJECT, kind.objectKind());
      node.put(ADAPTER, kind.adapterKind());
      node.setAll(kind.other());
    }
    return JSON.writeValueAsString(array);
  }

  private static List<ResourceKind> readKinds(JsonNode array) {
    List<ResourceKind> kinds = new ArrayList<>();
    for (JsonNode node : array) {
      kinds.add(
          new ResourceKind(
              node.path(ADAPTER).stringValue(""),
              node.path(OBJECT).stringValue(""),
              members((ObjectNode) node, List.of(ADAPTER, OBJECT))));
    }
    return kinds;
  }

  private static @Nullable List<ResourceKind> kinds(@Nullable String json) {
    return json == null ? null : readKinds(JSON.readTree(json));
  }

  private static ObjectNode node(Map<String, JsonNode> members) {
    ObjectNode node = JSON.createObjectNode();
    node.setAll(members);
    return node;
  }

  private static Map<String, JsonNode> members(ObjectNode node, List<String> without) {
    Map<String, JsonNode> members = new LinkedHashMap<>();
    node.forEachEntry(
        (name, value) -> {
          if (!without.contains(name)) {
            members.put(name, value);
          }
        });
    return members;
  }
}
