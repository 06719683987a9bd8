package io.peerlens.web;

import io.peerlens.api.model.Problem;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;
import org.springframework.http.MediaType;
import tools.jackson.databind.json.JsonMapper;

/** Problem JSON (RFC 9457) of exceptions, also outside of controllers. */
public final class Problems {

  private static final Duration USUAL_RETRY = Duration.ofSeconds(5);

  /** Attribute of a request with the {@link ErrorCode} that it was answered with. */
  public static final String CODE = Problems.class.getName() + ".code";

  private final JsonMapper json;

  Problems(JsonMapper json) {
    this.json = json;
  }

  /**
   * Attribute of a request whose body is refused, with the problem: who asks is to be known first,
   * so that it is known whom it was refused. Nothing reads the body meanwhile.
   */
  public static final String REFUSED_BODY = Problems.class.getName() + ".refusedBody";

  /** The body for a problem of a request. */
  static Problem of(ApiException e, String path) {
    Problem problem =
        new Problem("about:blank", e.code().title(), e.code().status(), e.code().code())
            .detail(e.detail())
            .instance(path);
    if (!e.errors().isEmpty()) {
      problem.errors(e.errors());
    }
    return e.hint() == null ? problem : problem.hint(e.hint());
  }

  /** The value of Retry-After in whole seconds, which every 503 has; null = none. */
  static @Nullable String retryAfter(ApiException e) {
    Duration time = e.retryAfter();
    if (time == null && e.code() == ErrorCode.UNAVAILABLE) {
      time = USUAL_RETRY;
    }
    return time == null ? null : String.valueOf(Math.max(1, time.toSeconds()));
  }

  /** Answers a request with the problem; for filters, which no exception handler watches. */
  public void write(HttpServletRequest request, HttpServletResponse response, ApiException e)
      throws IOException {
    if (response.isCommitted()) {
      return;
    }
    request.setAttribute(CODE, e.code());
    byte[] body = json.writeValueAsBytes(of(e, request.getRequestURI()));
    response.setStatus(e.code().status());
    String retryAfter = retryAfter(e);
    if (retryAfter != null && !response.containsHeader(HttpHeaders.RETRY_AFTER)) {
      response.setHeader(HttpHeaders.RETRY_AFTER, retryAfter);
    }
    response.setContentType(MediaType.APPLICATION_PROBLEM_JSON_VALUE);
    response.setContentLength(body.length);
    response.getOutputStream().write(body);
  }
}
