package io.peerlens.suiteapi;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Operations by method and path; fixed parts of a path come before variables. */
final class Routes {

  /** Who may ask for an operation. */
  enum Right {
    /** Anybody, without a token. */
    OPEN,
    /** Anybody with a token, whatever it may do. */
    KNOWN,
    /** Who may read. */
    READ,
    /** Who may act on alerts, and change definitions. */
    OPERATE,
    /** Who may send values. */
    PUSH
  }

  /** What an operation does. */
  @FunctionalInterface
  interface Handler {
    Answer answer(Call call);
  }

  /** An operation of a path. */
  record Route(String method, List<String> parts, Right right, Handler handler) {}

  /** A route for a request, with the variables of its path. */
  record Found(Route route, Map<String, String> variables) {}

  private final List<Route> routes = new ArrayList<>();

  Routes get(String path, Handler handler) {
    return add("GET", path, Right.READ, handler);
  }

  /** A query that needs a body. */
  Routes ask(String path, Handler handler) {
    return add("POST", path, Right.READ, handler);
  }

  Routes post(String path, Handler handler) {
    return add("POST", path, Right.OPERATE, handler);
  }

  Routes push(String path, Handler handler) {
    return add("POST", path, Right.PUSH, handler);
  }

  Routes put(String path, Handler handler) {
    return add("PUT", path, Right.OPERATE, handler);
  }

  Routes delete(String path, Handler handler) {
    return add("DELETE", path, Right.OPERATE, handler);
  }

  Routes known(String path, Handler handler) {
    return add("POST", path, Right.KNOWN, handler);
  }

  Routes open(String path, Handler handler) {
    return add("POST", path, Right.OPEN, handler);
  }

  private Routes add(String method, String path, Right right, Handler handler) {
    routes.add(new Route(method, parts(path), right, handler));
    return this;
  }

  private static List<String> parts(String path) {
    return Arrays.stream(path.split("/")).filter(part -> !part.isEmpty()).toList();
  }

  /** All of them. */
  List<Route> all() {
    return List.copyOf(routes);
  }

  /**
   * The operation for a method and the decoded parts of a path; null = there is none.
   *
   * @param method HEAD is as GET
   */
  @Nullable Found find(String method, List<String> parts) {
    String asked = method.equals("HEAD") ? "GET" : method;
    Found best = null;
    int bestFixed = -1;
    for (Route route : routes) {
      if (route.method().equals(asked)) {
        Map<String, String> variables = match(route.parts(), parts);
        int fixed = route.parts().size() - (variables == null ? 0 : variables.size());
        if (variables != null && fixed > bestFixed) {
          best = new Found(route, variables);
          bestFixed = fixed;
        }
      }
    }
    return best;
  }

  /** The methods that a path answers. */
  Set<String> methods(List<String> parts) {
    Set<String> methods = new TreeSet<>();
    for (Route route : routes) {
      if (match(route.parts(), parts) != null) {
        methods.add(route.method());
      }
    }
    return methods;
  }

  private static @Nullable Map<String, String> match(List<String> pattern, List<String> parts) {
    if (pattern.size() != parts.size()) {
      return null;
    }
    Map<String, String> variables = new HashMap<>();
    for (int i = 0; i < parts.size(); i++) {
      String expected = pattern.get(i);
      if (expected.startsWith("{")) {
        variables.put(expected.substring(1, expected.length() - 1), parts.get(i));
      } else if (!expected.equals(parts.get(i))) {
        return null;
      }
    }
    return variables;
  }
}
