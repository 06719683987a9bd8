package io.peerlens.alerttemplates;

import java.text.Normalizer;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * Import of the payload templates of vRealize, Aria and VCF Operations, as its API and its export
 * give them: {@code WEBHOOK_TEMPLATE} with endpoint, headers, method and payload, and {@code
 * EMAIL_TEMPLATE} with subject and body, each for new, updated and canceled alerts.
 *
 * <p>The names in <code>${...}</code> stay as they are. A payload that is JSON becomes a tree and
 * one that is not stays a text whose values are escaped for its content type, so that what is sent
 * is valid whatever the values hold; there a quote in a name breaks the message.
 */
public final class VropsImport {

  private static final JsonNodeFactory MAKE = JsonNodeFactory.instance;
  private static final Pattern PLACEHOLDER = Pattern.compile("\\$\\{([^{}]*)}");
  private static final Pattern MARKUP =
      Pattern.compile("(?i)<(html|body|p|br|div|table|b|strong|h[1-6]|a|span|ul|li|font)\\b[^>]*>");
  private static final Map<String, String> EVENTS = new LinkedHashMap<>();

  static {
    EVENTS.put("NEW", "newAlertTemplate");
    EVENTS.put("UPDATE", "updatedAlertTemplate");
    EVENTS.put("CANCEL", "canceledAlertTemplate");
  }

  private final JsonNode source;
  private final List<String> notes = new ArrayList<>();
  private final Set<String> properties = new LinkedHashSet<>();
  private final Set<String> unknown = new LinkedHashSet<>();

  private VropsImport(JsonNode source) {
    this.source = source;
  }

  /**
   * A template that was made.
   *
   * @param document it can be read as it is
   * @param notes what a person should know about it: what was left out or changed
   */
  public record Imported(JsonNode document, List<String> notes) {

    public Imported {
      notes = List.copyOf(notes);
    }

    /** The template itself. */
    public AlertTemplate template() {
      return AlertTemplate.read(document);
    }
  }

  /**
   * Reads one payload template, a list of them, or an object that holds such a list.
   *
   * @throws TemplateException if there is none, or one of a kind that cannot be imported
   */
  public static List<Imported> read(JsonNode json) {
    List<Imported> imported = new ArrayList<>();
    if (json.isArray()) {
      json.forEach(one -> imported.addAll(read(one)));
      return imported;
    }
    if (json.isObject() && !json.has("formattingTemplate")) {
      for (Map.Entry<String, JsonNode> member : json.properties()) {
        if (member.getValue().isArray()
            && member.getValue().valueStream().anyMatch(t -> t.has("formattingTemplate"))) {
          imported.addAll(read(member.getValue()));
        }
      }
    } else if (json.isObject()) {
      imported.add(new VropsImport(json).template());
    }
    if (imported.isEmpty()) {
      throw new TemplateException(
          "",
          "holds no payload template: an object with name and formattingTemplate is looked for");
    }
    return imported;
  }

  private Imported template() {
    for (JsonNode property : source.path("templateProperties")) {
      properties.add(property.path("key").asString(property.path("name").asString("")));
    }
    JsonNode formatting = source.path("formattingTemplate");
    if (!formatting.path("newAlertTemplate").isObject()) {
      throw new TemplateException(
          "/formattingTemplate/newAlertTemplate",
          formatting.path("actionTemplate").isObject()
              ? "is missing: templates of actions (moves of workloads) have no alert to send"
              : "is missing: it defines the message of a new alert");
    }
    ObjectNode document = MAKE.objectNode();
    String name = source.path("name").asString("imported");
    document.put("apiVersion", "alert-templates/v1");
    document.put("id", id(name));
    document.put("version", "1.0.0");
    String description = source.path("description").asString("");
    document.put(
        "description",
        Filters.cut(
            description.isBlank() ? "Payload template " + name + "." : description.strip(), 500));
    boolean mail = formatting.path("newAlertTemplate").has("subject");
    if (mail) {
      document.set("render", mail(formatting));
    } else {
      webhook(document, formatting);
    }
    vars(document);
    if (!source.path("contentConfigs").isEmpty()) {
      notes.add(
          "The metrics of the object and its relatives that the payload template lists are not"
              + " carried over; name them where they are wanted, such as"
              + " ${object.metrics[\"cpu|usage_average\"]}.");
    }
    if (formatting.path("actionTemplate").isObject()) {
      notes.add("The part for actions (moves of workloads) is left out.");
    }
    if (!unknown.isEmpty()) {
      notes.add(
          "Not known there nor here, kept as plain text: "
              + String.join(", ", unknown.stream().map(n -> "${" + n + "}").toList())
              + ".");
    }
    return new Imported(AlertTemplate.read(document).toJson(), notes);
  }

  private static String id(String name) {
    String plain =
        Normalizer.normalize(name, Normalizer.Form.NFKD)
            .replaceAll("\\p{M}+", "")
            .toLowerCase(Locale.ROOT)
            .replaceAll("[^a-z0-9]+", "-")
            .replaceAll("^-|-$", "");
    String id = plain.isEmpty() ? "imported" : plain;
    return (id.length() > 64 ? id.substring(0, 64) : id).replaceAll("-$", "");
  }

  // Mails.

  private ObjectNode mail(JsonNode formatting) {
    ObjectNode render = MAKE.objectNode().put("format", "mail").put("mustache", false);
    boolean html =
        EVENTS.values().stream()
            .anyMatch(e -> MARKUP.matcher(formatting.path(e).path("body").asString("")).find());
    render.set("subject", each(formatting, t -> MAKE.stringNode(text(t, "subject"))));
    render.set(html ? "html" : "text", each(formatting, t -> MAKE.stringNode(text(t, "body"))));
    if (html) {
      notes.add("The plain text of the mail is made of its HTML.");
    }
    return render;
  }

  // Requests.

  private void webhook(ObjectNode document, JsonNode formatting) {
    Map<String, JsonNode> trees = new LinkedHashMap<>();
    boolean json = true;
    String contentType = "";
    for (Map.Entry<String, String> event : EVENTS.entrySet()) {
      JsonNode part = formatting.path(event.getValue());
      if (part.isObject()) {
        JsonNode tree = tree(part.path("payload").asString(""));
        json &= tree != null;
        trees.put(event.getKey(), tree == null ? Rendering.NULL : tree);
        contentType = contentType.isEmpty() ? contentType(part) : contentType;
      }
    }
    ObjectNode render = MAKE.objectNode();
    if (json) {
      render.put("format", "json");
      if (!contentType.isEmpty() && !contentType.equals("application/json")) {
        render.put("contentType", contentType);
      }
      render.set("body", each(formatting, t -> escapedTree(tree(t.path("payload").asString("")))));
    } else {
      String escape = escape(contentType, formatting);
      render.put("format", "text");
      if (!contentType.isEmpty()) {
        render.put("contentType", contentType);
      }
      render.put("escape", escape).put("mustache", false);
      render.set("body", each(formatting, t -> MAKE.stringNode(text(t, "payload"))));
      notes.add(
          "The payload is no JSON, so it stays a text; values are escaped for "
              + (escape.equals("none") ? "nothing" : escape.toUpperCase(Locale.ROOT))
              + ".");
    }
    document.set("render", render);
    ObjectNode deliver = MAKE.objectNode();
    deliver.set("method", each(formatting, t -> MAKE.stringNode(method(t))));
    deliver.set("path", each(formatting, t -> MAKE.stringNode(path(t))));
    ObjectNode headers = headers(formatting);
    if (!headers.isEmpty()) {
      deliver.set("headers", headers);
    }
    document.set("deliver", deliver);
  }

  private static String method(JsonNode part) {
    String method = part.path("method").asString("POST").toUpperCase(Locale.ROOT);
    return method.isBlank() ? "POST" : method;
  }

  private String path(JsonNode part) {
    String endpoint = text(part, "endpoint").strip().replace(" ", "%20");
    return endpoint.isEmpty() || endpoint.startsWith("/") || endpoint.startsWith("?")
        ? endpoint
        : "/" + endpoint;
  }

  private static String contentType(JsonNode part) {
    for (JsonNode header : part.path("headers")) {
      if (key(header).equalsIgnoreCase("content-type")) {
        return header.path("value").asString("").strip();
      }
    }
    return "";
  }

  private static String key(JsonNode header) {
    return header.path("key").asString(header.path("name").asString("")).strip();
  }

  /** Headers that an event does not have come to nothing and are left out for it. */
  private ObjectNode headers(JsonNode formatting) {
    Set<String> names = new LinkedHashSet<>();
    for (String event : EVENTS.values()) {
      formatting.path(event).path("headers").forEach(h -> names.add(key(h)));
    }
    ObjectNode headers = MAKE.objectNode();
    for (String name : names) {
      String lower = name.toLowerCase(Locale.ROOT);
      if (lower.equals("content-type")) {
        continue;
      }
      if (lower.equals("authorization")
          || lower.equals("proxy-authorization")
          || lower.equals("cookie")) {
        notes.add("The header " + name + " is left out: log-in belongs to the target.");
        continue;
      }
      if (lower.startsWith("content-") || lower.equals("host")) {
        notes.add("The header " + name + " is left out: it is set while sending.");
        continue;
      }
      headers.set(
          name,
          each(
              formatting,
              part -> {
                for (JsonNode header : part.path("headers")) {
                  if (key(header).equals(name)) {
                    return MAKE.stringNode(text(header, "value"));
                  }
                }
                return MAKE.stringNode("");
              }));
    }
    return headers;
  }

  private static String escape(String contentType, JsonNode formatting) {
    String type = contentType.toLowerCase(Locale.ROOT);
    String payload = formatting.path("newAlertTemplate").path("payload").asString("").strip();
    if (type.contains("xml") || (type.isEmpty() && payload.startsWith("<"))) {
      return "xml";
    }
    if (type.contains("json") || payload.startsWith("{") || payload.startsWith("[")) {
      return "json";
    }
    if (type.contains("html")) {
      return "html";
    }
    return type.contains("form-urlencoded") ? "url" : "none";
  }

  // Payloads.

  /** A part for each event, or one where they are the same. */
  private static JsonNode each(JsonNode formatting, Function<JsonNode, JsonNode> part) {
    JsonNode fresh = part.apply(formatting.path("newAlertTemplate"));
    ObjectNode choice = MAKE.objectNode().put("$switch", "event");
    boolean same = true;
    for (Map.Entry<String, String> event : EVENTS.entrySet()) {
      JsonNode of = formatting.path(event.getValue());
      JsonNode made = of.isObject() ? part.apply(of) : fresh;
      same &= made.equals(fresh);
      choice.set(event.getKey(), made);
    }
    return same ? fresh : choice;
  }

  /**
   * The JSON that a payload is once its placeholders are put into quotes; null = it is none. A
   * placeholder within quotes is marked so that its value stays a text.
   */
  private static @Nullable JsonNode tree(String payload) {
    StringBuilder json = new StringBuilder();
    boolean quoted = false;
    for (int at = 0; at < payload.length(); at++) {
      char c = payload.charAt(at);
      if (!quoted && c == '$' && payload.startsWith("${", at)) {
        int end = payload.indexOf('}', at);
        if (end < 0) {
          return null;
        }
        json.append('"').append(BARE).append(payload, at, end + 1).append('"');
        at = end;
        continue;
      }
      if (quoted && c == '\\' && at + 1 < payload.length()) {
        json.append(c).append(payload.charAt(++at));
        continue;
      }
      if (c == '"') {
        quoted = !quoted;
      }
      // There people write line breaks into texts, which JSON does not allow.
      if (quoted && c < ' ') {
        json.append(String.format(Locale.ROOT, "\\u%04x", (int) c));
      } else {
        json.append(c);
      }
    }
    try {
      JsonNode tree = JsonMapper.shared().readTree(json.toString());
      return tree.isContainer() && !placeholdersInNames(tree) ? tree : null;
    } catch (JacksonException e) {
      return null;
    }
  }

  /** Marks a placeholder that stood without quotes: its value keeps its type. */
  private static final char BARE = '\uE003';

  private static boolean placeholdersInNames(JsonNode tree) {
    for (Map.Entry<String, JsonNode> member : tree.properties()) {
      if (member.getKey().contains("${")) {
        return true;
      }
    }
    return tree.valueStream().anyMatch(VropsImport::placeholdersInNames);
  }

  private JsonNode escapedTree(@Nullable JsonNode node) {
    if (node == null) {
      return Rendering.NULL;
    }
    if (node.isString()) {
      String text = node.stringValue();
      return text.indexOf(BARE) == 0
          ? MAKE.stringNode(ours(text.substring(1), false))
          : MAKE.stringNode(ours(text, PLACEHOLDER.matcher(text).matches()));
    }
    if (node.isArray()) {
      ArrayNode array = MAKE.arrayNode();
      node.forEach(element -> array.add(escapedTree(element)));
      return array;
    }
    if (node.isObject()) {
      ObjectNode object = MAKE.objectNode();
      for (Map.Entry<String, JsonNode> member : node.properties()) {
        String name = member.getKey();
        object.set(name.startsWith("$") ? "$" + name : name, escapedTree(member.getValue()));
      }
      return object;
    }
    return node;
  }

  private String text(JsonNode part, String name) {
    return ours(part.path(name).asString(""), false);
  }

  /** Known names stay, input properties become vars, and all else is plain text. */
  private String ours(String text, boolean asText) {
    StringBuilder ours = new StringBuilder();
    Matcher placeholder = PLACEHOLDER.matcher(text);
    int from = 0;
    while (placeholder.find()) {
      ours.append(plain(text.substring(from, placeholder.start())));
      String name = placeholder.group(1).strip();
      String end = asText ? " | string}" : "}";
      if (Aliases.variables().contains(name) || Aliases.fields().contains(name)) {
        ours.append("${").append(name).append(end);
      } else if (properties.contains(name)) {
        ours.append("${").append(var(name)).append(end);
      } else {
        unknown.add(name);
        ours.append("$${").append(placeholder.group(1)).append('}');
      }
      from = placeholder.end();
    }
    return ours.append(plain(text.substring(from))).toString();
  }

  private static String plain(String text) {
    return text.replace("${", "$${");
  }

  private static String var(String name) {
    return "vars." + (Path.NAME.matcher(name).matches() ? name : varName(name));
  }

  private static String varName(String name) {
    String fit = name.replaceAll("[^A-Za-z0-9_]", "_");
    return Path.NAME.matcher(fit).matches() ? fit : "_" + fit;
  }

  private void vars(ObjectNode document) {
    ObjectNode vars = MAKE.objectNode();
    for (JsonNode property : source.path("templateProperties")) {
      String key = property.path("key").asString(property.path("name").asString(""));
      boolean number = property.path("type").asString("").equalsIgnoreCase("INTEGER");
      ObjectNode made = vars.putObject(varName(key)).put("type", number ? "number" : "text");
      String description =
          property.path("description").asString(property.path("name").asString(""));
      if (!description.isBlank()) {
        made.put("description", description);
      }
    }
    if (!vars.isEmpty()) {
      document.set("vars", vars);
      notes.add(
          "Rules give the values of "
              + String.join(", ", vars.propertyNames())
              + " in their vars, as they did with the input properties there.");
    }
  }
}
