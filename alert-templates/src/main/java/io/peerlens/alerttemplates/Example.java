package io.peerlens.alerttemplates;

import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * Test of a template: what goes in, and what must come out.
 *
 * @param name such as new or cancel
 * @param context what the template sees
 * @param expected the message as {@link #readable} shows it, or {@code {"dropped": true}}
 */
public record Example(String name, JsonNode context, JsonNode expected) {

  /**
   * Result of an example.
   *
   * @param actual what came out; null = rendering failed
   * @param error why it failed
   */
  public record Result(
      String name,
      boolean passed,
      JsonNode expected,
      @Nullable JsonNode actual,
      @Nullable String error) {}

  /** Runs a template on it. */
  public Result run(AlertTemplate template, Lookups lookups) {
    JsonNode actual;
    try {
      actual = outcome(template, context, lookups);
    } catch (TemplateException e) {
      return new Result(name, false, expected, null, e.getMessage());
    }
    // As texts, so that the order of members counts, too.
    return new Result(name, actual.toString().equals(expected.toString()), expected, actual, null);
  }

  /**
   * What a template makes of a context, in a form for people.
   *
   * @throws TemplateException if a step stops it or rendering fails
   */
  public static JsonNode outcome(AlertTemplate template, JsonNode context, Lookups lookups) {
    Modified modified = template.modify(context, lookups);
    if (modified.failure() != null) {
      throw new TemplateException("/modify", modified.failure());
    }
    return modified.dropped()
        ? JsonNodeFactory.instance.objectNode().put("dropped", true)
        : readable(template.render(modified.context()));
  }

  /**
   * A message for people: a body of JSON as a tree, other texts line by line, secrets by their
   * names.
   */
  public static JsonNode readable(Message message) {
    ObjectNode json = message.toJson();
    JsonNodeFactory make = JsonNodeFactory.instance;
    if (message instanceof Message.Http http) {
      String body = SecretMarks.show(http.body());
      JsonNode tree = null;
      if (http.escape() == SecretMarks.Escape.JSON) {
        try {
          tree = JsonMapper.shared().readTree(body);
        } catch (JacksonException e) {
          tree = null; // shown line by line
        }
      }
      json.set("body", tree == null ? lines(body) : tree);
      json.put("path", SecretMarks.show(http.path()));
      for (JsonNode header : json.path("headers")) {
        ((ObjectNode) header).put("value", SecretMarks.show(header.path("value").stringValue()));
      }
      if (http.success().equals(Message.ANY_SUCCESS)) {
        json.remove("success");
      }
      if (http.capture().isEmpty()) {
        json.remove("capture");
      }
    } else if (message instanceof Message.Mail mail) {
      json.set("text", lines(mail.text()));
      json.set("html", mail.html() == null ? make.nullNode() : lines(mail.html()));
    } else if (message instanceof Message.Trap trap) {
      ArrayNode binds = json.putArray("varBinds");
      for (Message.VarBind bind : trap.varBinds()) {
        binds.add(bind.oid() + " " + bind.type().word() + " " + bind.value());
      }
    }
    return json;
  }

  private static ArrayNode lines(String text) {
    ArrayNode lines = JsonNodeFactory.instance.arrayNode();
    List.of(text.split("\n", -1)).forEach(lines::add);
    return lines;
  }
}
