package io.peerlens.audit;

import io.peerlens.security.ContractRoles.Operation;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.Set;
import org.springframework.http.HttpHeaders;
import org.springframework.web.filter.OncePerRequestFilter;

/**
 * Filter that records answers to requests that change something, and to those with credentials that
 * are not accepted. It lies around the security filters, so it sees what they refuse.
 */
final class AuditFilter extends OncePerRequestFilter {

  /** Header that names a request, in logs of others and in the audit log. */
  static final String HEADER = "X-Request-Id";

  /** Attribute with the id of a request. */
  static final String REQUEST_ID = AuditFilter.class.getName() + ".id";

  private static final Set<String> SAFE = Set.of("GET", "HEAD", "OPTIONS");

  private final AuditTrail trail;
  private final AuditedOperations operations;

  AuditFilter(AuditTrail trail, AuditedOperations operations) {
    this.trail = trail;
    this.operations = operations;
  }

  @Override
  protected void doFilterInternal(
      HttpServletRequest request, HttpServletResponse response, FilterChain chain)
      throws IOException, ServletException {
    String id = AuditTrail.requestId(request);
    request.setAttribute(REQUEST_ID, id);
    response.setHeader(HEADER, id);
    boolean returned = false;
    try {
      chain.doFilter(request, response);
      returned = true;
    } finally {
      int status = returned || response.getStatus() >= 400 ? response.getStatus() : 500;
      if (status >= 400 && !AuditTrail.isOver(request)) {
        refused(request, status);
      }
    }
  }

  private void refused(HttpServletRequest request, int status) {
    boolean limited = status == 401 || status == 403 || status == 429;
    if (request.getRequestURI().startsWith("/relay/")) {
      if (limited) {
        trail.failed(request, null, status);
      }
    } else if (SAFE.contains(request.getMethod())) {
      if (status == 401 && request.getHeader(HttpHeaders.AUTHORIZATION) != null) {
        trail.failed(request, null, status);
      }
    } else {
      Operation operation = operations.of(request);
      if (operation != null ? operation.audited() : limited) {
        trail.failed(request, operation, status);
      }
    }
  }
}
