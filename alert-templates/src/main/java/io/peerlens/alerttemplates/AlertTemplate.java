package io.peerlens.alerttemplates;

import tools.jackson.core.JacksonException;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.core.TokenStreamLocation;
import tools.jackson.databind.JsonNode;
import tools.jackson.dataformat.yaml.YAMLMapper;

/**
 * A template in force: what one kind of notification looks like. Immutable and safe to share
 * between threads. templates/README.md describes the language, template.schema.json the file.
 */
public final class AlertTemplate {

  private static final YAMLMapper YAML =
      YAMLMapper.builder().enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION).build();

  private final String id;
  private final String version;
  private final TemplateNode body;

  private AlertTemplate(String id, String version, TemplateNode body) {
    this.id = id;
    this.version = version;
    this.body = body;
  }

  /**
   * Reads a template. What can be wrong with it is found here: rendering fails only where values do
   * not fit.
   *
   * @param yaml text of a template.yaml
   * @throws TemplateException naming the place of the first mistake
   */
  public static AlertTemplate parse(String yaml) {
    JsonNode root;
    try {
      root = YAML.readTree(yaml);
    } catch (JacksonException e) {
      TokenStreamLocation at = e.getLocation();
      String where =
          at == null ? "" : " in line " + at.getLineNr() + ", column " + at.getColumnNr();
      throw new TemplateException("not YAML" + where + ": " + e.getOriginalMessage(), e);
    }
    expect(root, "apiVersion", "alert-templates/v1");
    expect(root.path("render"), "format", "json");
    JsonNode body = root.path("render").path("body");
    if (body.isMissingNode()) {
      throw new TemplateException("/render/body is missing: it is what the receiver gets");
    }
    return new AlertTemplate(
        text(root, "id"), text(root, "version"), TemplateParser.parse("/render/body", body));
  }

  /** Names the template, also in rules and in the record of what was delivered. */
  public String id() {
    return id;
  }

  /** Semantic version of the template's text. */
  public String version() {
    return version;
  }

  /**
   * What the receiver gets.
   *
   * @param context the alert, its object and the rest, see templates/README.md; not changed
   * @return a tree of its own
   * @throws TemplateException if a value does not fit its filter, the result grows too large, or a
   *     switch leaves nothing to send
   */
  public JsonNode render(JsonNode context) {
    JsonNode result = body.render(new Rendering(context));
    if (result == null) {
      throw new TemplateException(
          "/render/body: nothing to send, as no member of $switch fits and there is no $default");
    }
    return result;
  }

  private static void expect(JsonNode parent, String field, String wanted) {
    String found = text(parent, field);
    if (!found.equals(wanted)) {
      throw new TemplateException(field + " is '" + found + "'; only '" + wanted + "' is known");
    }
  }

  private static String text(JsonNode parent, String field) {
    String value = parent.path(field).stringValue("");
    if (value.isBlank()) {
      throw new TemplateException(field + " is missing: it must be a text");
    }
    return value;
  }
}
