package io.peerlens.audit;

import io.peerlens.security.ContractRoles;
import io.peerlens.security.ContractRoles.Operation;
import jakarta.servlet.http.HttpServletRequest;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.http.server.PathContainer;
import org.springframework.web.util.pattern.PathPattern;
import org.springframework.web.util.pattern.PathPatternParser;

/** Operations of the contract, found by name or by request. */
final class AuditedOperations {

  private record Path(PathPattern pattern, Operation operation) {}

  private final Map<String, Operation> byId = new HashMap<>();
  private final List<Path> paths = new ArrayList<>();

  AuditedOperations() {
    for (Operation operation : ContractRoles.read()) {
      byId.put(operation.id(), operation);
      paths.add(new Path(PathPatternParser.defaultInstance.parse(operation.path()), operation));
    }
  }

  /** The operation with this {@code operationId}; null = none. */
  @Nullable Operation named(String id) {
    return byId.get(id);
  }

  /** The operation that a request asks for; null = none. */
  @Nullable Operation of(HttpServletRequest request) {
    PathContainer path = PathContainer.parsePath(request.getRequestURI());
    for (Path one : paths) { // fixed paths come first
      if (one.operation.method().name().equals(request.getMethod()) && one.pattern.matches(path)) {
        return one.operation;
      }
    }
    return null;
  }
}
