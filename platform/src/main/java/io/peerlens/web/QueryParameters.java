package io.peerlens.web;

import io.peerlens.supermetrics.formula.Nearest;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.method.HandlerMethod;
import org.springframework.web.servlet.HandlerInterceptor;

/**
 * Check of query parameters before an operation gets them. Those that it does not have are refused,
 * otherwise a misspelt filter would quietly give everything; so are texts that the database cannot
 * hold.
 */
final class QueryParameters implements HandlerInterceptor {

  private final Map<HandlerMethod, List<String>> known = new ConcurrentHashMap<>();

  @Override
  public boolean preHandle(
      HttpServletRequest request, HttpServletResponse response, Object handler) {
    if (handler instanceof HandlerMethod method && request.getQueryString() != null) {
      List<String> names = known.computeIfAbsent(method, QueryParameters::names);
      Map<String, String[]> given = request.getParameterMap();
      for (String name : new TreeSet<>(given.keySet())) {
        if (!names.contains(name)) {
          throw unknown(name, names);
        }
        for (String value : Objects.requireNonNull(given.get(name))) {
          if (!Texts.isStorable(value)) {
            throw ApiException.invalidParameter(
                name, "has a NUL character (%00) or half of a surrogate pair");
          }
        }
      }
    }
    return true;
  }

  private static List<String> names(HandlerMethod method) {
    List<String> names = new ArrayList<>();
    Arrays.stream(method.getMethodParameters())
        .map(parameter -> parameter.getParameterAnnotation(RequestParam.class))
        .filter(Objects::nonNull)
        .map(RequestParam::value)
        .forEach(names::add);
    return names;
  }

  private static ApiException unknown(String given, List<String> names) {
    ApiException problem =
        ApiException.invalidParameter(Texts.shorten(given), "this operation has no such parameter");
    if (names.isEmpty()) {
      return problem.hint("It has none.");
    }
    String nearest = Nearest.of(given, names);
    return problem.hint(
        nearest == null
            ? "It has: " + String.join(", ", names) + "."
            : "Did you mean " + nearest + "?");
  }
}
