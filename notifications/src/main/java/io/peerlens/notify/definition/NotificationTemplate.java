package io.peerlens.notify.definition;

import io.peerlens.alerttemplates.AlertTemplate;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.UUID;

/**
 * Template that rules can name.
 *
 * @param builtIn whether it comes with the product
 * @param yaml as its author wrote it, or made of what was sent as JSON
 * @param examples what must come out of it
 */
public record NotificationTemplate(
    AlertTemplate template, boolean builtIn, String yaml, List<TemplateExample> examples) {

  public NotificationTemplate {
    examples = List.copyOf(examples);
  }

  /** What rules call it, for instance {@code pagerduty-events-v2}. */
  public String id() {
    return template.id();
  }

  /** Templates go by their ids; the database and rules files want another. */
  static UUID key(String id) {
    return UUID.nameUUIDFromBytes(("notification-template/" + id).getBytes(StandardCharsets.UTF_8));
  }
}
