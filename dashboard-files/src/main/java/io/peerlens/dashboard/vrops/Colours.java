package io.peerlens.dashboard.vrops;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Colours by bounds and by texts, out of the three bounds or the list of colours of an export. */
final class Colours {

  private static final JsonNodeFactory JSON = JsonNodeFactory.instance;
  private static final String[] WORDS = {"warning", "immediate", "critical"};

  private Colours() {}

  /**
   * The colour rule of yellow, orange and red bounds.
   *
   * @param descending whether smaller is worse; null = the bounds say it, and larger is worse if
   *     only one is given
   * @return null = no bound is given
   */
  static @Nullable ObjectNode ofBounds(
      String yellow, String orange, String red, boolean isText, @Nullable Boolean descending) {
    String[] texts = {yellow, orange, red};
    @Nullable Double[] bounds = new @Nullable Double[3];
    int given = 0;
    int numbers = 0;
    for (int i = 0; i < 3; i++) {
      bounds[i] = Members.number(texts[i]);
      given += texts[i].isEmpty() ? 0 : 1;
      numbers += bounds[i] == null ? 0 : 1;
    }
    if (given == 0) {
      return null;
    }
    if (isText || numbers == 0) {
      ObjectNode values = JSON.objectNode();
      for (int i = 0; i < 3; i++) {
        if (!texts[i].isEmpty()) {
          values.put(Names.cut(texts[i], 200), WORDS[i]);
        }
      }
      ObjectNode rule = JSON.objectNode();
      rule.set("values", values);
      return rule;
    }
    Boolean above = null;
    for (int i = 0; i < 3; i++) {
      for (int j = i + 1; j < 3 && above == null; j++) {
        if (bounds[i] != null && bounds[j] != null && !bounds[i].equals(bounds[j])) {
          above = bounds[i] < bounds[j];
        }
      }
    }
    return rule(bounds, above != null ? above : !Boolean.TRUE.equals(descending));
  }

  private static ObjectNode rule(@Nullable Double[] bounds, boolean above) {
    // One that is beyond the next worse one would never be reached.
    Double worse = null;
    for (int i = 2; i >= 0; i--) {
      Double bound = bounds[i];
      if (bound != null && worse != null && (above ? bound > worse : bound < worse)) {
        bounds[i] = null;
      } else if (bound != null) {
        worse = bound;
      }
    }
    ArrayNode list = JSON.arrayNode();
    for (Double bound : bounds) {
      if (bound == null) {
        list.addNull();
      } else {
        list.add(number(bound));
      }
    }
    while (list.size() > 1 && list.get(list.size() - 1).isNull()) {
      list.remove(list.size() - 1);
    }
    ObjectNode rule = JSON.objectNode();
    rule.set("bounds", list);
    if (!above) {
      rule.put("above", false);
    }
    return rule;
  }

  /** A number as JSON, whole ones without a point. */
  static tools.jackson.databind.JsonNode number(double value) {
    return value == Math.rint(value) && Math.abs(value) < 1e15
        ? JSON.numberNode((long) value)
        : JSON.numberNode(value);
  }

  /**
   * The colour rule of ranges with colours.
   *
   * @param from where each colour begins; of the first minus infinity will do
   * @param colours as {@code FF0000} or {@code #FF0000}
   * @return null = the colours do not go from good to bad
   */
  static @Nullable ObjectNode ofRanges(List<Double> from, List<String> colours) {
    List<Integer> badness = new ArrayList<>();
    List<Double> begins = new ArrayList<>();
    for (int i = 0; i < Math.min(from.size(), colours.size()); i++) {
      Integer bad = badness(colours.get(i));
      if (bad != null) {
        badness.add(bad);
        begins.add(from.get(i));
      }
    }
    if (badness.size() < 2 || badness.getFirst().equals(badness.getLast())) {
      return null;
    }
    boolean above = badness.getFirst() < badness.getLast();
    @Nullable Double[] bounds = new @Nullable Double[3];
    for (int level = 1; level <= 3; level++) {
      for (int i = 0; i < badness.size(); i++) {
        if (above && badness.get(i) >= level) {
          if (badness.get(i) == level) {
            bounds[level - 1] = begins.get(i);
          }
          break;
        }
        if (!above && badness.get(i) < level) {
          if (i > 0 && badness.get(i - 1) == level) {
            bounds[level - 1] = begins.get(i);
          }
          break;
        }
      }
    }
    boolean any = false;
    for (Double bound : bounds) {
      if (bound != null && bound.isInfinite()) {
        return null;
      }
      any |= bound != null;
    }
    return any ? rule(bounds, above) : null;
  }

  /** How bad a colour looks: 0 green or blue, 1 yellow, 2 orange, 3 red; null = grey or none. */
  private static @Nullable Integer badness(String colour) {
    String hex = colour.startsWith("#") ? colour.substring(1) : colour;
    if (!hex.matches("[0-9A-Fa-f]{6}")) {
      return null;
    }
    int red = Integer.parseInt(hex.substring(0, 2), 16);
    int green = Integer.parseInt(hex.substring(2, 4), 16);
    int blue = Integer.parseInt(hex.substring(4, 6), 16);
    int most = Math.max(red, Math.max(green, blue));
    int least = Math.min(red, Math.min(green, blue));
    if (most - least < 40) {
      return null;
    }
    double hue;
    if (most == red) {
      hue = 60.0 * (green - blue) / (most - least);
    } else if (most == green) {
      hue = 120 + 60.0 * (blue - red) / (most - least);
    } else {
      hue = 240 + 60.0 * (red - green) / (most - least);
    }
    hue = (hue + 360) % 360;
    if (hue >= 320 || hue < 16) {
      return 3;
    }
    return hue < 38 ? 2 : hue < 70 ? 1 : 0;
  }
}
