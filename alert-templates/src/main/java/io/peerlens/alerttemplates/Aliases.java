package io.peerlens.alerttemplates;

import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.StringJoiner;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;

/**
 * Names that vRealize Operations uses: the variables of its payload templates and the fields of its
 * REST notifications. A member of the context of the same name wins.
 */
final class Aliases {

  private static final JsonNodeFactory MAKE = JsonNodeFactory.instance;

  /** The 24 variables of payload templates. */
  private static final Map<String, Function<JsonNode, JsonNode>> VARIABLES = new LinkedHashMap<>();

  /** The fields of the REST dialect, each also in the spelling that clients have been seen with. */
  private static final Map<String, Function<JsonNode, JsonNode>> FIELDS = new LinkedHashMap<>();

  static {
    VARIABLES.put("CREATE_TIME", time("startTime"));
    VARIABLES.put("UPDATE_TIME", time("updateTime"));
    VARIABLES.put("CANCEL_TIME", time("cancelTime"));
    VARIABLES.put("ALERT_ID", alert("id"));
    VARIABLES.put("ALERT_STATUS", alert("status"));
    VARIABLES.put("ALERT_DEFINITION", alert("name"));
    VARIABLES.put("ALERT_DEFINITION_DESCRIPTION", alert("definitionDescription"));
    VARIABLES.put("ALERT_RECOMMENDATIONS", c -> lines(c.path("alert").path("recommendations")));
    VARIABLES.put("RESOURCE_NAME", object("name"));
    VARIABLES.put("RESOURCE_KIND", object("kind"));
    VARIABLES.put("RESOURCE_ID", object("id"));
    VARIABLES.put("ADAPTER_KIND", object("adapterKind"));
    VARIABLES.put("RESOURCE_KIND_TYPE", object("kindName"));
    VARIABLES.put("ALERT_IMPACT", alert("impact"));
    VARIABLES.put("CONTROL_STATE", alert("controlState"));
    VARIABLES.put("ALERT_CRITICALITY", alert("criticality"));
    VARIABLES.put("ALERT_TYPE", alert("type"));
    VARIABLES.put("ALERT_SUBTYPE", alert("subType"));
    VARIABLES.put("OBJECT_HEALTH_STATE", alert("health"));
    VARIABLES.put("OBJECT_RISK_STATE", alert("risk"));
    VARIABLES.put("OBJECT_EFFICIENCY_STATE", alert("efficiency"));
    VARIABLES.put("SYMPTOMS", c -> lines(c.path("alert").path("symptoms")));
    VARIABLES.put("ADAPTER_INSTANCE", object("adapterInstance"));
    VARIABLES.put("LINK_TO_ALERT", alert("url"));

    FIELDS.put("alertId", alert("id"));
    FIELDS.put("alertName", alert("name"));
    FIELDS.put("status", alert("status"));
    FIELDS.put("criticality", c -> spelled("ALERT_CRITICALITY_LEVEL_", level(c), ""));
    FIELDS.put("type", c -> spelled("ALERT_TYPE_", c.path("alert").path("type"), "_PROBLEM"));
    FIELDS.put(
        "subType", c -> spelled("ALERT_SUBTYPE_", c.path("alert").path("subType"), "_PROBLEM"));
    FIELDS.put("startDate", millis("startTime"));
    FIELDS.put("updateDate", millis("updateTime"));
    FIELDS.put("cancelDate", millis("cancelTime"));
    FIELDS.put("resourceId", object("id"));
    FIELDS.put("resourceName", object("name"));
    FIELDS.put("resourceKind", object("kind"));
    FIELDS.put("adapterKind", object("adapterKind"));
    FIELDS.put("Health", alert("health"));
    FIELDS.put("Risk", alert("risk"));
    FIELDS.put("Efficiency", alert("efficiency"));
    FIELDS.put("attributeKeyID", alert("attributeKeyId"));
    FIELDS.put("attributeKeyId", alert("attributeKeyId"));
    FIELDS.put("info", alert("info"));
  }

  private Aliases() {}

  /** Names of the variables of payload templates. */
  static Set<String> variables() {
    return VARIABLES.keySet();
  }

  /** Names of the fields of the REST dialect. */
  static Set<String> fields() {
    return FIELDS.keySet();
  }

  /** What a name stands for; null = it is no alias. */
  static @Nullable JsonNode resolve(String name, JsonNode context) {
    Function<JsonNode, JsonNode> alias = VARIABLES.get(name);
    alias = alias == null ? FIELDS.get(name) : alias;
    return alias == null ? null : alias.apply(context);
  }

  private static Function<JsonNode, JsonNode> alert(String name) {
    return context -> context.path("alert").path(name);
  }

  private static Function<JsonNode, JsonNode> object(String name) {
    return context -> context.path("object").path(name);
  }

  private static Function<JsonNode, JsonNode> time(String name) {
    return context -> {
      JsonNode value = context.path("alert").path(name);
      return value.isIntegralNumber()
          ? MAKE.stringNode(Instant.ofEpochMilli(value.longValue()).toString())
          : value;
    };
  }

  /** Receivers of the REST dialect read a number in any case: 0 = not yet. */
  private static Function<JsonNode, JsonNode> millis(String name) {
    return context -> {
      JsonNode value = context.path("alert").path(name);
      return value.isIntegralNumber() ? value : MAKE.numberNode(0);
    };
  }

  /** Of the two spellings of the lowest level, the one that known receivers look for. */
  private static JsonNode level(JsonNode context) {
    JsonNode criticality = context.path("alert").path("criticality");
    return criticality.stringValue("").equals("INFORMATION")
        ? MAKE.stringNode("INFO")
        : criticality;
  }

  private static JsonNode spelled(String before, JsonNode word, String behind) {
    String text = word.stringValue("");
    return text.isEmpty() || text.startsWith(before)
        ? word
        : MAKE.stringNode(before + text + behind);
  }

  /** Texts, or the messages of symptoms, one in a line. */
  private static JsonNode lines(JsonNode list) {
    StringJoiner lines = new StringJoiner("\n");
    for (JsonNode element : list) {
      lines.add(Placeholder.text(element.isObject() ? element.path("message") : element));
    }
    return MAKE.stringNode(lines.toString());
  }
}
