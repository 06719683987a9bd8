package io.peerlens.notify.definition;

import io.peerlens.alerttemplates.AlertTemplate;
import io.peerlens.alerttemplates.Example;
import io.peerlens.alerttemplates.Lookups;
import io.peerlens.alerttemplates.TemplateException;
import io.peerlens.definition.Definitions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * Test of a template: an alert, and what the template must make of it.
 *
 * @param name what it shows
 * @param context whole
 * @param expected members of what {@link Example#outcome} gives; others may be as they like
 */
public record TemplateExample(String name, JsonNode context, JsonNode expected) {

  private static final int LONGEST_SHOWN = 200;

  /** NEW, UPDATE or CANCEL. */
  public String event() {
    return context.path("event").asString("NEW");
  }

  /** Where what comes out is not as expected; empty = it is. */
  public List<String> differences(AlertTemplate template, Lookups lookups) {
    JsonNode found;
    try {
      found = Example.outcome(template, context, lookups);
    } catch (TemplateException e) {
      return e.mistakes().stream().map(TemplateException.Mistake::toString).toList();
    }
    List<String> differences = new ArrayList<>();
    for (Map.Entry<String, JsonNode> member : expected.properties()) {
      compare(member.getKey(), member.getValue(), found.path(member.getKey()), differences);
    }
    return differences;
  }

  private static void compare(
      String path, JsonNode wanted, JsonNode found, List<String> differences) {
    Definitions.changes(wanted, found)
        .forEach(
            change ->
                differences.add(
                    "%s: expected %s, found %s"
                        .formatted(
                            path(path, change.getField()),
                            shown(change.getBefore()),
                            shown(change.getAfter()))));
  }

  private static String path(String path, String below) {
    return below.isEmpty() || below.startsWith("[") ? path + below : path + "." + below;
  }

  private static String shown(@Nullable String value) {
    if (value == null) {
      return "nothing";
    }
    return "\""
        + (value.length() <= LONGEST_SHOWN ? value : value.substring(0, LONGEST_SHOWN) + "...")
        + "\"";
  }
}
