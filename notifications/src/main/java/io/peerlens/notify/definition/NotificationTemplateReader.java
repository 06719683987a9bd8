package io.peerlens.notify.definition;

import io.peerlens.alerttemplates.AlertTemplate;
import io.peerlens.alerttemplates.TemplateException;
import io.peerlens.api.model.NotificationExample;
import io.peerlens.api.model.NotificationTemplateEdit;
import io.peerlens.scope.ScopeReader;
import io.peerlens.web.ApiException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** Templates of the API as records. */
final class NotificationTemplateReader {

  private static final JsonMapper JSON = JsonMapper.builder().build();

  private NotificationTemplateReader() {}

  /**
   * Reads a template.
   *
   * @param path of the template in the body, with a point at its end, or empty
   */
  static NotificationTemplate read(String path, NotificationTemplateEdit wanted) {
    String text = text(path + "document", wanted.getDocument());
    AlertTemplate template = template(path + "document", text);
    return new NotificationTemplate(
        template,
        false,
        text.stripLeading().startsWith("{") ? template.toYaml() : text,
        examples(path + "examples", wanted.getExamples()));
  }

  /**
   * Reads a document.
   *
   * @param path of the document in the body
   * @param document an object, or a text in YAML
   */
  static AlertTemplate template(String path, @Nullable Object document) {
    String text = text(path, document);
    try {
      return AlertTemplate.parse(text);
    } catch (TemplateException e) {
      List<TemplateException.Mistake> mistakes = e.mistakes();
      ApiException problem = problem(path, mistakes.getFirst());
      for (TemplateException.Mistake other : mistakes.subList(1, mistakes.size())) {
        problem = problem.field(path + place(other), other.message());
      }
      throw problem.hint(
          "The schema of templates is alert-templates/templates/template.schema.json.");
    }
  }

  private static ApiException problem(String path, TemplateException.Mistake mistake) {
    return ApiException.invalidField(path + place(mistake), mistake.message());
  }

  /** {@code /modify/3/set} as {@code .modify[3].set}. */
  private static String place(TemplateException.Mistake mistake) {
    return mistake.place().replaceAll("/(\\d+)(?=/|$)", "[$1]").replace('/', '.');
  }

  /**
   * The document as text: the database would change the order of members, which is the order in
   * which they are rendered.
   */
  static String text(String path, @Nullable Object document) {
    String text =
        switch (document) {
          case String given -> given;
          case Map<?, ?> given -> JSON.writeValueAsString(given);
          case JsonNode given -> given.toString();
          case null, default ->
              throw ApiException.invalidField(path, "is neither an object nor a text")
                  .hint("Give the template as JSON, or as a text that holds YAML.");
        };
    return ScopeReader.storable(path, text);
  }

  private static List<TemplateExample> examples(
      String path, @Nullable List<NotificationExample> wanted) {
    List<TemplateExample> examples = new ArrayList<>();
    for (NotificationExample one :
        Objects.requireNonNullElse(wanted, List.<NotificationExample>of())) {
      String at = path + "[" + examples.size() + "]";
      String event = one.getEvent() == null ? "NEW" : one.getEvent().getValue();
      ObjectNode context = NotificationTemplates.sample(event);
      if (one.getContext() != null) {
        merge(context, object(at + ".context", one.getContext()));
      }
      context.put("event", event);
      examples.add(
          new TemplateExample(one.getName(), context, object(at + ".expect", one.getExpect())));
    }
    return examples;
  }

  static ObjectNode object(String path, Object given) {
    if (JSON.<JsonNode>valueToTree(given) instanceof ObjectNode object) {
      storable(path, object);
      return object;
    }
    throw ApiException.invalidField(path, "is no object");
  }

  private static void storable(String path, JsonNode node) {
    ScopeReader.storable(path, node.toString().replace("\\u0000", "\0"));
  }

  private static void merge(ObjectNode into, ObjectNode given) {
    given
        .properties()
        .forEach(
            member -> {
              if (member.getValue() instanceof ObjectNode more
                  && into.get(member.getKey()) instanceof ObjectNode there) {
                merge(there, more);
              } else {
                into.set(member.getKey(), member.getValue());
              }
            });
  }
}
