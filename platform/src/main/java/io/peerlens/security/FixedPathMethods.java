package io.peerlens.security;

import io.peerlens.security.ContractRoles.Operation;
import io.peerlens.web.ApiException;
import io.peerlens.web.ErrorCode;
import io.peerlens.web.Problems;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpMethod;
import org.springframework.web.filter.OncePerRequestFilter;

/**
 * Methods of paths without variables. Such a path may also fit one with variables, {@code
 * /groups/suggestions} fits {@code /groups/{id}}, and must neither take nor name its methods.
 */
final class FixedPathMethods extends OncePerRequestFilter {

  private final Map<String, Set<String>> methods = new HashMap<>();
  private final Problems problems;

  FixedPathMethods(List<Operation> operations, Problems problems) {
    this.problems = problems;
    for (Operation operation : operations) {
      if (!operation.path().contains("{")) {
        Set<String> known =
            methods.computeIfAbsent(
                operation.path(), path -> new TreeSet<>(Set.of(HttpMethod.OPTIONS.name())));
        known.add(operation.method().name());
        if (operation.method() == HttpMethod.GET) {
          known.add(HttpMethod.HEAD.name());
        }
      }
    }
  }

  @Override
  protected void doFilterInternal(
      HttpServletRequest request, HttpServletResponse response, FilterChain chain)
      throws IOException, ServletException {
    Set<String> known = methods.get(request.getRequestURI());
    if (known == null
        || (known.contains(request.getMethod())
            && !HttpMethod.OPTIONS.matches(request.getMethod()))) {
      chain.doFilter(request, response);
      return;
    }
    String allowed = String.join(", ", known);
    response.setHeader(HttpHeaders.ALLOW, allowed);
    if (!HttpMethod.OPTIONS.matches(request.getMethod())) {
      problems.write(
          request,
          response,
          ApiException.of(
                  ErrorCode.METHOD_NOT_ALLOWED,
                  "This path does not answer " + request.getMethod() + ".")
              .hint("It answers " + allowed + "."));
    }
  }
}
