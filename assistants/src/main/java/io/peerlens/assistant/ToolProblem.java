package io.peerlens.assistant;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A call of a tool that cannot be answered as asked. The sentence says what is wrong and where, the
 * hint how to mend it; names from the inventory are only in the data beside them.
 */
final class ToolProblem extends RuntimeException {

  private final String sentence;
  private final @Nullable String hint;
  private final Map<String, Object> data;

  private ToolProblem(String sentence, @Nullable String hint, Map<String, Object> data) {
    super(sentence, null, false, false);
    this.sentence = sentence;
    this.hint = hint;
    this.data = data;
  }

  static ToolProblem of(String sentence, String hint) {
    return new ToolProblem(sentence, hint, Map.of());
  }

  /** About an argument. */
  static ToolProblem argument(String name, String reason, String hint) {
    return of("Argument " + name + ": " + reason + ".", hint);
  }

  /** The same problem with what could be meant. */
  ToolProblem with(String name, List<?> rows) {
    Map<String, Object> more = new LinkedHashMap<>(data);
    more.put(name, rows);
    return new ToolProblem(sentence, hint, more);
  }

  String sentence() {
    return sentence;
  }

  @Nullable String hint() {
    return hint;
  }

  Map<String, Object> data() {
    return data;
  }
}
