package io.peerlens.audit;

import io.peerlens.api.model.SignInRequest;
import io.peerlens.audit.AuditTrail.Pending;
import io.peerlens.security.ContractRoles.Operation;
import jakarta.servlet.http.HttpServletRequest;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;
import org.springframework.web.context.request.NativeWebRequest;
import org.springframework.web.method.HandlerMethod;
import org.springframework.web.method.support.ModelAndViewContainer;
import org.springframework.web.servlet.mvc.method.annotation.RequestMappingHandlerAdapter;
import org.springframework.web.servlet.mvc.method.annotation.ServletInvocableHandlerMethod;

/**
 * Calls controllers as Spring does, and takes those operations to the audit log that change
 * something: before they begin, and with what they were given and gave.
 */
final class AuditedHandlers extends RequestMappingHandlerAdapter {

  /** The read that is recorded, when it takes the log away as a file. */
  private static final String EXPORT = "listAudit";

  private final AuditTrail trail;
  private final AuditedOperations operations;

  AuditedHandlers(AuditTrail trail, AuditedOperations operations) {
    this.trail = trail;
    this.operations = operations;
  }

  @Override
  protected ServletInvocableHandlerMethod createInvocableHandlerMethod(HandlerMethod handler) {
    Operation operation = operations.named(handler.getMethod().getName());
    boolean recorded =
        operation != null
            && handler.getBeanType().getPackageName().startsWith("io.peerlens.")
            && (operation.audited() || operation.id().equals(EXPORT));
    return recorded
        ? new Audited(handler, Objects.requireNonNull(operation))
        : super.createInvocableHandlerMethod(handler);
  }

  /** Made for each request. */
  private final class Audited extends ServletInvocableHandlerMethod {

    private final Operation operation;
    private @Nullable Pending pending;
    private @Nullable Object[] arguments = {};

    private Audited(HandlerMethod handler, Operation operation) {
      super(handler);
      this.operation = operation;
    }

    @Override
    public @Nullable Object invokeForRequest(
        NativeWebRequest request,
        @Nullable ModelAndViewContainer container,
        @Nullable Object... provided)
        throws Exception {
      HttpServletRequest http =
          Objects.requireNonNull(request.getNativeRequest(HttpServletRequest.class));
      String accepted = Objects.requireNonNullElse(http.getHeader(HttpHeaders.ACCEPT), "");
      if (operation.id().equals(EXPORT) && !accepted.contains("text/csv")) {
        return super.invokeForRequest(request, container, provided);
      }
      Pending begun = trail.begin(operation, http);
      pending = begun;
      Object value = super.invokeForRequest(request, container, provided);
      trail.succeeded(begun, http, arguments, value);
      return value;
    }

    @Override
    protected @Nullable Object doInvoke(@Nullable Object... args) throws Exception {
      arguments = args;
      for (Object argument : args) {
        if (argument instanceof SignInRequest signIn && pending != null) {
          pending.tried(signIn.getToken().strip());
        }
      }
      return super.doInvoke(args);
    }
  }
}
