package io.peerlens.suiteapi;

import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** JSON objects whose members keep their order. */
final class Json {

  private Json() {}

  /** An object of pairs of a name and a value; a member without value is left out. */
  static Map<String, Object> object(@Nullable Object... pairs) {
    Map<String, Object> object = LinkedHashMap.newLinkedHashMap(pairs.length / 2);
    for (int i = 0; i < pairs.length; i += 2) {
      Object value = pairs[i + 1];
      if (value != null) {
        object.put(String.valueOf(pairs[i]), value);
      }
    }
    return object;
  }
}
