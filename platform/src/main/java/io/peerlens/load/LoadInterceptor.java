package io.peerlens.load;

import io.peerlens.api.model.UserRole;
import io.peerlens.load.Bulkhead.Place;
import io.peerlens.security.Caller;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.lang.reflect.Type;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.springframework.core.MethodParameter;
import org.springframework.http.HttpInputMessage;
import org.springframework.http.converter.HttpMessageConverter;
import org.springframework.security.core.Authentication;
import org.springframework.security.core.context.SecurityContextHolder;
import org.springframework.web.bind.annotation.ControllerAdvice;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.context.request.RequestAttributes;
import org.springframework.web.context.request.RequestContextHolder;
import org.springframework.web.method.HandlerMethod;
import org.springframework.web.servlet.AsyncHandlerInterceptor;
import org.springframework.web.servlet.mvc.method.annotation.RequestBodyAdviceAdapter;

/**
 * Interceptor that counts each request of a token, and holds heavy ones until there is a place for
 * them. A request with a body asks for its place when the body is read, so one that sends it slowly
 * takes no place meanwhile; an import asks before, as its body is what costs memory.
 */
@ControllerAdvice
final class LoadInterceptor extends RequestBodyAdviceAdapter implements AsyncHandlerInterceptor {

  private static final String PLACE = LoadInterceptor.class.getName() + ".place";

  /** Signing in and pairing have brakes of their own, by address. */
  private static final Object NOBODY = "nobody";

  private final Bulkhead bulkhead;
  private final RequestRates rates;
  private final RequestRates links;

  /**
   * @param links rates of public links
   */
  LoadInterceptor(Bulkhead bulkhead, RequestRates rates, RequestRates links) {
    this.bulkhead = bulkhead;
    this.rates = rates;
    this.links = links;
  }

  @Override
  public boolean preHandle(
      HttpServletRequest request, HttpServletResponse response, Object handler) {
    if (request.getDispatcherType() != DispatcherType.REQUEST) {
      return true; // the end of a stream
    }
    Object caller = caller();
    if (!caller.equals(NOBODY)) {
      (isLink() ? links : rates).count(caller);
    }
    if (handler instanceof HandlerMethod method) {
      Heavy heavy = method.getMethodAnnotation(Heavy.class);
      if (heavy != null && (heavy.value() == HeavyWork.IMPORT || !hasBody(method))) {
        request.setAttribute(PLACE, bulkhead.enter(heavy.value(), caller));
      }
    }
    return true;
  }

  private static boolean hasBody(HandlerMethod method) {
    for (MethodParameter parameter : method.getMethodParameters()) {
      if (parameter.hasParameterAnnotation(RequestBody.class)) {
        return true;
      }
    }
    return false;
  }

  @Override
  public boolean supports(
      MethodParameter parameter, Type type, Class<? extends HttpMessageConverter<?>> converter) {
    Heavy heavy = parameter.getMethodAnnotation(Heavy.class);
    return heavy != null && heavy.value() != HeavyWork.IMPORT;
  }

  @Override
  public Object afterBodyRead(
      Object body,
      HttpInputMessage message,
      MethodParameter parameter,
      Type type,
      Class<? extends HttpMessageConverter<?>> converter) {
    Heavy heavy = Objects.requireNonNull(parameter.getMethodAnnotation(Heavy.class));
    RequestAttributes request = RequestContextHolder.currentRequestAttributes();
    request.setAttribute(
        PLACE, bulkhead.enter(heavy.value(), caller()), RequestAttributes.SCOPE_REQUEST);
    return body;
  }

  @Override
  public void afterCompletion(
      HttpServletRequest request,
      HttpServletResponse response,
      Object handler,
      @Nullable Exception e) {
    if (request.getAttribute(PLACE) instanceof Place place) {
      place.close();
    }
  }

  private static boolean isLink() {
    Authentication authentication = SecurityContextHolder.getContext().getAuthentication();
    return authentication != null
        && authentication.getPrincipal() instanceof Caller caller
        && caller.role() == UserRole.LINK;
  }

  /** The token; sessions count for the one that they were opened with. */
  private static Object caller() {
    Authentication authentication = SecurityContextHolder.getContext().getAuthentication();
    return authentication != null && authentication.getPrincipal() instanceof Caller caller
        ? caller.tokenId()
        : NOBODY;
  }
}
