package io.peerlens.intake;

import jakarta.servlet.http.HttpServletRequest;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** Query of a request. A body that says it is a form is none of it. */
final class QueryString {

  private QueryString() {}

  /** The first value of a parameter; empty when there is none. */
  static String first(HttpServletRequest request, String name) throws Refusal {
    return first(request.getQueryString(), name);
  }

  static String first(@Nullable String query, String name) throws Refusal {
    if (query == null) {
      return "";
    }
    try {
      for (String part : query.split("&")) {
        int equals = part.indexOf('=');
        String key = equals < 0 ? part : part.substring(0, equals);
        if (URLDecoder.decode(key, StandardCharsets.UTF_8).equals(name)) {
          return equals < 0
              ? ""
              : URLDecoder.decode(part.substring(equals + 1), StandardCharsets.UTF_8);
        }
      }
      return "";
    } catch (IllegalArgumentException e) {
      throw Refusal.bad("The query is not percent-encoded: " + e.getMessage());
    }
  }
}
