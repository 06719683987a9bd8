package io.peerlens.web;

import static io.peerlens.web.Contract.map;

import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Enumeration;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.web.filter.OncePerRequestFilter;

/**
 * Former names of query parameters, {@code x-former-name} in the contract, which are accepted for
 * one more version. A request with both names is left as it is, and refused for the former one.
 */
final class FormerParameters extends OncePerRequestFilter {

  private static final String BASE = "/api/v1";

  /**
   * An operation with parameters that were called otherwise.
   *
   * @param names names of today by former ones
   */
  private record Operation(String method, Pattern path, Map<String, String> names) {}

  private final List<Operation> operations = operations();

  private static List<Operation> operations() {
    Map<String, Object> contract = Contract.tree();
    List<Operation> operations = new ArrayList<>();
    map(contract.get("paths"))
        .forEach(
            (path, item) ->
                map(item)
                    .forEach(
                        (method, operation) -> {
                          // Beside operations there are the parameters of the path itself.
                          Map<String, String> names =
                              operation instanceof Map ? names(contract, map(operation)) : Map.of();
                          if (!names.isEmpty()) {
                            operations.add(
                                new Operation(
                                    method.toUpperCase(Locale.ROOT),
                                    Pattern.compile(BASE + path.replaceAll("\\{[^}]+}", "[^/]+")),
                                    names));
                          }
                        }));
    return List.copyOf(operations);
  }

  private static Map<String, String> names(
      Map<String, Object> contract, Map<String, Object> operation) {
    Map<String, String> names = new HashMap<>();
    if (operation.get("parameters") instanceof List<?> parameters) {
      for (Object one : parameters) {
        Map<String, Object> parameter = map(one);
        if (parameter.get("$ref") instanceof String reference) {
          String name = reference.substring(reference.lastIndexOf('/') + 1);
          parameter = map(map(map(contract.get("components")).get("parameters")).get(name));
        }
        if (parameter.get("x-former-name") instanceof String former) {
          names.put(former, String.valueOf(parameter.get("name")));
        }
      }
    }
    return Map.copyOf(names);
  }

  @Override
  protected void doFilterInternal(
      HttpServletRequest request, HttpServletResponse response, FilterChain chain)
      throws ServletException, IOException {
    Map<String, String[]> renamed = request.getQueryString() == null ? null : renamed(request);
    if (renamed == null) {
      chain.doFilter(request, response);
    } else {
      FormerNames.deprecated(response);
      chain.doFilter(new Renamed(request, renamed), response);
    }
  }

  private @Nullable Map<String, String[]> renamed(HttpServletRequest request) {
    for (Operation operation : operations) {
      if (operation.method().equals(request.getMethod())
          && operation.path().matcher(request.getRequestURI()).matches()) {
        Map<String, String[]> given = new LinkedHashMap<>(request.getParameterMap());
        boolean isChanged = false;
        for (Map.Entry<String, String> name : operation.names().entrySet()) {
          if (given.containsKey(name.getKey()) && !given.containsKey(name.getValue())) {
            given.put(name.getValue(), given.remove(name.getKey()));
            isChanged = true;
          }
        }
        return isChanged ? given : null;
      }
    }
    return null;
  }

  private static final class Renamed extends HttpServletRequestWrapper {

    private final Map<String, String[]> parameters;

    Renamed(HttpServletRequest request, Map<String, String[]> parameters) {
      super(request);
      this.parameters = Collections.unmodifiableMap(parameters);
    }

    @Override
    public @Nullable String getParameter(String name) {
      String[] values = parameters.get(name);
      return values == null ? null : values[0];
    }

    @Override
    public Map<String, String[]> getParameterMap() {
      return parameters;
    }

    @Override
    public Enumeration<String> getParameterNames() {
      return Collections.enumeration(parameters.keySet());
    }

    @Override
    public String @Nullable [] getParameterValues(String name) {
      return parameters.get(name);
    }
  }
}
