package io.peerlens.event.mapping;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Text with places. {@code {host.name}} is a value; {@code {a -> b}} is {@code A to B}, and has a
 * value only if both have one and they differ; {@code {a|text}} is the text where a has no value.
 */
final class EventText {

  private final List<String> literals = new ArrayList<>();
  private final List<Place> places = new ArrayList<>();

  private record Place(String path, @Nullable String other, @Nullable String otherwise) {

    @Nullable String fill(Function<String, @Nullable String> values) {
      String value = values.apply(path);
      if (other == null) {
        return value == null ? otherwise : value;
      }
      String second = values.apply(other);
      return value == null || second == null || value.equals(second)
          ? null
          : value + " to " + second;
    }
  }

  private EventText() {}

  /**
   * @throws IllegalArgumentException when a brace is not closed or names nothing
   */
  static EventText parse(String text) {
    EventText parsed = new EventText();
    int at = 0;
    while (true) {
      int open = text.indexOf('{', at);
      if (open < 0) {
        parsed.literals.add(text.substring(at));
        return parsed;
      }
      int close = text.indexOf('}', open);
      if (close < 0) {
        throw new IllegalArgumentException(
            "'%s': the brace at character %d is not closed".formatted(text, open + 1));
      }
      parsed.literals.add(text.substring(at, open));
      parsed.places.add(place(text, open, text.substring(open + 1, close)));
      at = close + 1;
    }
  }

  private static Place place(String text, int open, String inside) {
    int bar = inside.indexOf('|');
    int arrow = bar < 0 ? inside.indexOf("->") : -1;
    Place place =
        bar >= 0
            ? new Place(inside.substring(0, bar).strip(), null, inside.substring(bar + 1))
            : arrow >= 0
                ? new Place(
                    inside.substring(0, arrow).strip(), inside.substring(arrow + 2).strip(), null)
                : new Place(inside.strip(), null, null);
    if (place.path().isEmpty() || place.other() != null && place.other().isEmpty()) {
      throw new IllegalArgumentException(
          "'%s': the braces at character %d name nothing".formatted(text, open + 1));
    }
    return place;
  }

  /** The text with all places filled in; null when one has no value. */
  @Nullable String fill(Function<String, @Nullable String> values) {
    StringBuilder text = new StringBuilder(literals.getFirst());
    for (int i = 0; i < places.size(); i++) {
      String value = places.get(i).fill(values);
      if (value == null || value.isEmpty()) {
        return null;
      }
      text.append(value).append(literals.get(i + 1));
    }
    return text.toString();
  }
}
