package io.peerlens.audit;

import io.peerlens.audit.AuditTrail.Pending;
import io.peerlens.security.ContractRoles;
import io.peerlens.security.ContractRoles.Operation;
import jakarta.servlet.http.HttpServletRequest;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpMethod;
import org.springframework.http.ResponseEntity;
import org.springframework.web.servlet.HandlerMapping;

/** Audit of work that no controller of the contract does, on the same trail as theirs. */
public final class AuditedWork {

  private final AuditTrail trail;

  AuditedWork(AuditTrail trail) {
    this.trail = trail;
  }

  /**
   * Does work that changes something, with a note before and an entry after. What fails is recorded
   * when the request has been answered.
   *
   * @param operation what it is called in the log
   * @param kind of the thing that is changed, as the contract's paths have it
   * @param id of that thing; null = many, or it is new
   */
  public <T> T run(
      HttpServletRequest request,
      String operation,
      String kind,
      @Nullable String id,
      Supplier<T> work) {
    request.setAttribute(
        HandlerMapping.URI_TEMPLATE_VARIABLES_ATTRIBUTE, id == null ? Map.of() : Map.of("id", id));
    Pending pending =
        trail.begin(
            new Operation(
                HttpMethod.valueOf(request.getMethod()),
                ContractRoles.BASE + "/" + kind,
                "operator",
                operation,
                true),
            request);
    T done = work.get();
    trail.succeeded(pending, request, new Object[0], ResponseEntity.ok(done));
    return done;
  }

  /** Notes who signed in, who is the caller of the request by now. */
  public void signedIn(HttpServletRequest request, String operation, Object session) {
    request.setAttribute(HandlerMapping.URI_TEMPLATE_VARIABLES_ATTRIBUTE, Map.of());
    Pending pending =
        trail.begin(
            new Operation(
                HttpMethod.POST, ContractRoles.BASE + "/session", "none", operation, true),
            request);
    trail.succeeded(pending, request, new Object[] {session}, ResponseEntity.ok(session));
  }
}
