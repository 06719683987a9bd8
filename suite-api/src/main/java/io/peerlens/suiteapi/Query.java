package io.peerlens.suiteapi;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Parameters in the query of a request; a name may come more than once. */
final class Query {

  private final Map<String, List<String>> values = new HashMap<>();

  /**
   * @param text as it was sent; null = there is none
   */
  Query(@Nullable String text) {
    if (text == null) {
      return;
    }
    for (String pair : text.split("&")) {
      if (!pair.isEmpty()) {
        int equals = pair.indexOf('=');
        String name = decoded(equals < 0 ? pair : pair.substring(0, equals));
        String value = equals < 0 ? "" : decoded(pair.substring(equals + 1));
        // Some clients write resourceId[]=
        String plain = name.endsWith("[]") ? name.substring(0, name.length() - 2) : name;
        values.computeIfAbsent(plain, n -> new ArrayList<>()).add(value);
      }
    }
  }

  static String decoded(String text) {
    try {
      return URLDecoder.decode(text, StandardCharsets.UTF_8);
    } catch (IllegalArgumentException e) {
      throw SuiteException.of(400, "The address has a % that is not followed by two digits.");
    }
  }

  List<String> all(String name) {
    return values.getOrDefault(name, List.of());
  }
}
