package io.peerlens.notify.definition;

import io.peerlens.alerttemplates.AlertTemplate;
import io.peerlens.alerttemplates.BuiltInTemplates;
import io.peerlens.alerttemplates.BuiltInTemplates.BuiltIn;
import io.peerlens.web.ApiException;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import tools.jackson.databind.node.ObjectNode;

/**
 * All templates that rules can name: those that come with the product, and those of this
 * installation, which may take their places. Thread-safe.
 */
public final class NotificationTemplates {

  private static final String LISTED =
      "GET /api/v1/notification-templates lists those that there are.";

  private final NotificationTemplateStore store;
  private final Map<String, NotificationTemplate> builtIn = new TreeMap<>();

  NotificationTemplates(NotificationTemplateStore store) {
    this.store = store;
    for (BuiltIn one : BuiltInTemplates.all()) {
      builtIn.put(
          one.template().id(),
          new NotificationTemplate(
              one.template(),
              true,
              one.yaml(),
              one.examples().stream()
                  .map(
                      example ->
                          new TemplateExample(
                              example.name(), example.context(), example.expected()))
                  .toList()));
    }
  }

  /**
   * The template that is in force under an id. Cheap while nothing changes.
   *
   * @param id for instance {@code pagerduty-events-v2}
   */
  public Optional<NotificationTemplate> find(String id) {
    return store.find(NotificationTemplate.key(id)).or(() -> Optional.ofNullable(builtIn.get(id)));
  }

  /** The template that is in force under an id, or 404. */
  public NotificationTemplate existing(String id) {
    return find(id)
        .orElseThrow(() -> ApiException.notFound("notification template", id).hint(LISTED));
  }

  /**
   * The template that a field names.
   *
   * @throws ApiException if there is none
   */
  public AlertTemplate named(String field, String id) {
    return find(id)
        .map(NotificationTemplate::template)
        .orElseThrow(
            () ->
                ApiException.invalidField(field, "there is no template \"" + id + "\"")
                    .hint(LISTED));
  }

  /** All that are in force, by id. */
  public List<NotificationTemplate> all() {
    TreeMap<String, NotificationTemplate> all = new TreeMap<>(builtIn);
    store.byId().values().forEach(stored -> all.put(stored.name(), stored.rule()));
    return List.copyOf(all.values());
  }

  /**
   * Reads a template that is not stored.
   *
   * @param path of the document in the body
   * @param document an object, or a text in YAML
   * @throws io.peerlens.web.ApiException with all mistakes and their places
   */
  public static AlertTemplate draft(String path, Object document) {
    return NotificationTemplateReader.template(path, document);
  }

  /** Whether the product brings one of this id. */
  boolean isBuiltIn(String id) {
    return builtIn.containsKey(id);
  }

  /**
   * A sample alert as templates see it.
   *
   * @param event NEW, UPDATE or CANCEL
   */
  public static ObjectNode sample(String event) {
    return (ObjectNode)
        Objects.requireNonNull(BuiltInTemplates.contexts().get(event.toLowerCase(Locale.ROOT)));
  }
}
