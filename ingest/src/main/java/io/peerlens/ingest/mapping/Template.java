package io.peerlens.ingest.mapping;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Text with {@code {name}} places. */
final class Template {

  private final List<String> literals = new ArrayList<>();
  private final List<String> names = new ArrayList<>();

  private Template() {}

  /**
   * @throws IllegalArgumentException when a brace is not closed or a name is empty
   */
  static Template parse(String text) {
    Template template = new Template();
    int at = 0;
    while (true) {
      int open = text.indexOf('{', at);
      if (open < 0) {
        template.literals.add(text.substring(at));
        return template;
      }
      int close = text.indexOf('}', open);
      if (close < 0) {
        throw new IllegalArgumentException(
            "'%s': the brace at character %d is not closed".formatted(text, open + 1));
      }
      if (close == open + 1) {
        throw new IllegalArgumentException(
            "'%s': the braces at character %d name no tag".formatted(text, open + 1));
      }
      template.literals.add(text.substring(at, open));
      template.names.add(text.substring(open + 1, close));
      at = close + 1;
    }
  }

  Set<String> names() {
    return new TreeSet<>(names);
  }

  /** The text with all names filled in, or null when one has no value. */
  @Nullable String fill(Function<String, @Nullable String> values) {
    StringBuilder text = new StringBuilder(literals.getFirst());
    for (int i = 0; i < names.size(); i++) {
      String value = values.apply(names.get(i));
      if (value == null || value.isEmpty()) {
        return null;
      }
      text.append(value).append(literals.get(i + 1));
    }
    return text.toString();
  }
}
