package io.peerlens.alerttemplates;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Capture of values from a receiver's answer, such as the number of the incident that it opened.
 * Later events of the alert see them as {@code alert.externalIds.NAME}.
 *
 * <p>A place is a JSON pointer ({@code /result/sys_id}) or a simple JSON path ({@code
 * $.result.sys_id}, {@code $.items[0].id}, {@code $["odd name"]}).
 */
public final class Capture {

  private static final Pattern STEP =
      Pattern.compile("\\.([A-Za-z_][A-Za-z0-9_-]*)|\\[([0-9]{1,6})]|\\[\"([^\"]+)\"]");
  private static final int LONGEST = 1000;

  private Capture() {}

  /**
   * What the answer holds.
   *
   * @param capture names and places, see {@link Message.Http#capture}
   * @param body the answer's body; anything but JSON holds nothing
   * @return the values found, as texts; a place that leads to nothing, to an object, an array or a
   *     text of more than 1,000 characters is left out
   */
  public static Map<String, String> read(Map<String, String> capture, String body) {
    if (capture.isEmpty() || body.isBlank()) {
      return Map.of();
    }
    JsonNode root;
    try {
      root = JsonMapper.shared().readTree(body);
    } catch (JacksonException e) {
      return Map.of();
    }
    Map<String, String> found = new LinkedHashMap<>();
    capture.forEach(
        (name, place) -> {
          List<String> steps = steps(place);
          JsonNode value = root;
          for (String step : steps == null ? List.of("") : steps) {
            value =
                value.isArray() && step.matches("[0-9]{1,6}")
                    ? value.path(Integer.parseInt(step))
                    : value.path(step);
          }
          if (value.isValueNode() && !value.isNull()) {
            String text = SecretMarks.clean(value.asString());
            if (!text.isEmpty() && text.length() <= LONGEST) {
              found.put(name, text);
            }
          }
        });
    return found;
  }

  /** Names from the outside in; null = no place. */
  static @Nullable List<String> steps(String place) {
    if (place.startsWith("/")) {
      List<String> steps = new ArrayList<>();
      for (String step : place.substring(1).split("/", -1)) {
        steps.add(step.replace("~1", "/").replace("~0", "~"));
      }
      return steps;
    }
    if (!place.startsWith("$")) {
      return null;
    }
    List<String> steps = new ArrayList<>();
    Matcher step = STEP.matcher(place);
    int at = 1;
    for (; step.find(at) && step.start() == at; at = step.end()) {
      String name = step.group(1) != null ? step.group(1) : step.group(2);
      steps.add(name != null ? name : step.group(3));
    }
    return at == place.length() && !steps.isEmpty() ? steps : null;
  }
}
