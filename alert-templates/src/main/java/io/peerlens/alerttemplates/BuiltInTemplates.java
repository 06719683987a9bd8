package io.peerlens.alerttemplates;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Built-in templates, from the folder templates of this module. */
public final class BuiltInTemplates {

  private static final String FOLDER = "/alert-templates/templates/";

  static final List<String> IDS =
      List.of(
          "generic-json",
          "email",
          "slack",
          "teams-workflows",
          "pagerduty-events-v2",
          "servicenow-event",
          "servicenow-incident",
          "jira-service-management",
          "opsgenie",
          "splunk-hec",
          "alertmanager-v2",
          "cloudevents",
          "vrops-rest-json",
          "vrops-rest-xml",
          "snmp-peerlens",
          "snmp-vrops",
          "snmp-vcops",
          "talker-report-json",
          "talker-report-email");

  static final List<String> CONTEXTS =
      List.of("new", "update", "cancel", "group", "hostile", "sparse");

  /** What templates of reports are tried on. */
  static final List<String> REPORTS = List.of("new", "report", "report-hostile");

  /** Read once, when first asked for. */
  private static final class Loaded {
    static final Map<String, JsonNode> CONTEXTS = loadContexts();
    static final Map<String, BuiltIn> TEMPLATES = load(CONTEXTS);
  }

  /**
   * A template with what comes with it.
   *
   * @param yaml its file, with comments
   * @param readme what its receiver needs, as Markdown
   */
  public record BuiltIn(
      AlertTemplate template, String yaml, String readme, List<Example> examples) {}

  private BuiltInTemplates() {}

  /** All of them, the most general first. */
  public static List<BuiltIn> all() {
    return List.copyOf(Loaded.TEMPLATES.values());
  }

  /** The one of an id; null = there is none. */
  public static @Nullable BuiltIn of(String id) {
    return Loaded.TEMPLATES.get(id);
  }

  /** Alerts and reports to try templates on, by names such as new, update, cancel and report. */
  public static Map<String, JsonNode> contexts() {
    Map<String, JsonNode> copies = new LinkedHashMap<>();
    Loaded.CONTEXTS.forEach((name, context) -> copies.put(name, context.deepCopy()));
    return copies;
  }

  /** JSON Schema 2020-12 of a template's document. */
  public static String templateSchema() {
    return text("template.schema.json");
  }

  /** JSON Schema 2020-12 of what a template sees. */
  public static String contextSchema() {
    return text("context.schema.json");
  }

  private static Map<String, JsonNode> loadContexts() {
    Map<String, JsonNode> contexts = new LinkedHashMap<>();
    Stream.concat(CONTEXTS.stream(), REPORTS.stream())
        .distinct()
        .forEach(
            name ->
                contexts.put(
                    name, JsonMapper.shared().readTree(text("contexts/" + name + ".json"))));
    return contexts;
  }

  private static Map<String, BuiltIn> load(Map<String, JsonNode> contexts) {
    Map<String, BuiltIn> all = new LinkedHashMap<>();
    for (String id : IDS) {
      String yaml = text(id + "/template.yaml");
      List<Example> examples = new ArrayList<>();
      for (String name : examplesOf(id)) {
        examples.add(
            new Example(
                name,
                Objects.requireNonNull(contexts.get(name)),
                JsonMapper.shared().readTree(text(id + "/examples/" + name + ".json"))));
      }
      all.put(
          id,
          new BuiltIn(
              AlertTemplate.parse(yaml), yaml, text(id + "/README.md"), List.copyOf(examples)));
    }
    return all;
  }

  /** Names of the contexts that a template comes with examples for. */
  static List<String> examplesOf(String id) {
    return id.startsWith("talker-report-") ? REPORTS : CONTEXTS;
  }

  private static String text(String name) {
    try (InputStream in = BuiltInTemplates.class.getResourceAsStream(FOLDER + name)) {
      if (in == null) {
        throw new IllegalStateException("the module alert-templates lacks " + name);
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
