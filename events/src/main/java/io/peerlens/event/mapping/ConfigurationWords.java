package io.peerlens.event.mapping;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * What was reconfigured, in words. A vCenter says it with old and new values ({@code
 * configChanges}); where it does not, the new values stand in the specification that was applied
 * ({@code configSpec}, {@code spec}).
 */
final class ConfigurationWords {

  /** Entries are lines, or follow one another with semicolons. */
  private static final Pattern BETWEEN = Pattern.compile(";?\\s*\\R\\s*|;\\s+(?=config\\.)");

  private static final Pattern PAIR =
      Pattern.compile("^(\\S.*?):\\s+(.*?)\\s+->\\s+(.*)$", Pattern.DOTALL);
  private static final Pattern KEY = Pattern.compile("^([^\\s:]+(?:\\([^)]*\\))?):?\\s");

  /** Change with every reconfiguration and say nothing. */
  private static final Set<String> UNTOLD = Set.of("modified", "changeVersion", "_typeName");

  private static final int DEEPEST = 4;
  private static final int MOST = 100;

  private ConfigurationWords() {}

  /** All changes, the first of which matter most; null = nothing is said. */
  static @Nullable String of(ObjectNode data) {
    List<String> words = new ArrayList<>();
    if (data.get("configChanges") instanceof ObjectNode changes) {
      modified(changes.path("modified").asString(""), words);
      named("added ", changes.path("added").asString(""), words);
      named("removed ", changes.path("deleted").asString(""), words);
    }
    if (words.isEmpty()) {
      for (String member : List.of("configSpec", "spec")) {
        if (data.get(member) instanceof ObjectNode spec) {
          spec("", spec, 0, words);
        }
      }
    }
    return words.isEmpty() ? null : String.join(", ", words);
  }

  private static String[] entries(String text) {
    return BETWEEN.split(text.strip());
  }

  private static void modified(String text, List<String> words) {
    for (String entry : entries(text)) {
      Matcher pair = PAIR.matcher(entry.strip().replaceFirst(";$", ""));
      if (pair.matches() && words.size() < MOST) {
        String key = key(pair.group(1));
        if (!UNTOLD.contains(key)) {
          words.add(key + ": " + pair.group(2) + " -> " + pair.group(3));
        }
      }
    }
  }

  private static void named(String what, String text, List<String> words) {
    for (String entry : entries(text)) {
      Matcher key = KEY.matcher(entry.strip() + " ");
      if (key.find() && words.size() < MOST) {
        words.add(what + key(key.group(1)));
      }
    }
  }

  private static String key(String key) {
    return key.startsWith("config.") ? key.substring("config.".length()) : key;
  }

  private static void spec(String path, JsonNode node, int depth, List<String> words) {
    if (words.size() >= MOST || depth > DEEPEST) {
      return;
    }
    switch (node) {
      case ObjectNode object when object.has("operation") && object.has("device") -> {
        JsonNode device = object.path("device");
        String type = device.path("_typeName").asString("");
        String label = device.path("deviceInfo").path("label").asString("");
        words.add(
            "%s %s"
                .formatted(
                    object.path("operation").asString(""),
                    !label.isEmpty() ? label : !type.isEmpty() ? type : "device"));
      }
      case ObjectNode object when object.has("key") && object.has("value") ->
          words.add(object.path("key").asString("") + ": " + object.path("value").asString(""));
      case ObjectNode object ->
          object
              .properties()
              .forEach(
                  member -> {
                    if (!UNTOLD.contains(member.getKey())) {
                      spec(
                          path.isEmpty() ? member.getKey() : path + "." + member.getKey(),
                          member.getValue(),
                          depth + 1,
                          words);
                    }
                  });
      case ArrayNode array -> array.forEach(element -> spec(path, element, depth + 1, words));
      default -> {
        String value = node.asString("");
        if (!value.isEmpty()) {
          words.add(path + ": " + value);
        }
      }
    }
  }
}
