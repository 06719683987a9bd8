package io.peerlens.web;

import jakarta.servlet.RequestDispatcher;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import org.springframework.boot.webmvc.error.ErrorController;
import org.springframework.stereotype.Controller;
import org.springframework.web.bind.annotation.RequestMapping;

/**
 * Problem JSON for what fails outside of controllers: in filters, and in the HTTP parser itself.
 */
final class ErrorPages {

  private ErrorPages() {}

  static ApiException problem(int status) {
    return switch (status) {
      case 401 -> ApiException.of(ErrorCode.UNAUTHENTICATED, "A token or session is needed.");
      case 403 -> ApiException.of(ErrorCode.FORBIDDEN, "This is not allowed.");
      case 404 -> ApiException.of(ErrorCode.NOT_FOUND, "There is nothing at this path.");
      case 405 ->
          ApiException.of(ErrorCode.METHOD_NOT_ALLOWED, "This path does not answer this method.");
      case 413 -> ApiException.of(ErrorCode.BODY_TOO_LARGE, "The body is too long.");
      case 503 -> ApiException.of(ErrorCode.UNAVAILABLE, "The server does not answer now.");
      default ->
          status < 500
              ? ApiException.of(
                      ErrorCode.BAD_REQUEST,
                      "The request line or a header is malformed or too long.")
                  .hint("Use percent-encoding in the path and query, and shorter headers.")
              : ApiException.of(ErrorCode.INTERNAL, "The server failed to answer this request.");
    };
  }

  /** Errors that filters report with {@code sendError}. */
  @Controller
  static final class FromFilters implements ErrorController {

    private final Problems problems;

    FromFilters(Problems problems) {
      this.problems = problems;
    }

    @RequestMapping("${server.error.path:/error}")
    void error(HttpServletRequest request, HttpServletResponse response) throws IOException {
      Object status = request.getAttribute(RequestDispatcher.ERROR_STATUS_CODE);
      problems.write(request, response, problem(status instanceof Integer i ? i : 404));
    }
  }
}
