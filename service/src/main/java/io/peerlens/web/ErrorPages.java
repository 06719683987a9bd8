package io.peerlens.web;

import jakarta.servlet.RequestDispatcher;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import org.apache.catalina.connector.Request;
import org.apache.catalina.connector.Response;
import org.apache.catalina.valves.ErrorReportValve;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.webmvc.error.ErrorController;
import org.springframework.http.MediaType;
import org.springframework.stereotype.Controller;
import org.springframework.web.bind.annotation.RequestMapping;

/**
 * Problem JSON for what fails outside of controllers: in filters, and in the HTTP parser itself.
 */
final class ErrorPages {

  private ErrorPages() {}

  private static ApiException problem(int status) {
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

  /** What filters report with {@code sendError}. */
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

  /** What the server refuses before any filter sees it. */
  static final class FromServer extends ErrorReportValve {

    @Override
    protected void report(Request request, Response response, @Nullable Throwable thrown) {
      if (response.getStatus() < 400
          || response.getContentWritten() > 0
          || response.isCommitted()) {
        return;
      }
      ApiException problem = problem(response.getStatus());
      String hint = problem.hint() == null ? "" : ",\"hint\":\"" + problem.hint() + "\"";
      String body =
          "{\"type\":\"about:blank\",\"title\":\"%s\",\"status\":%d,\"code\":\"%s\",\"detail\":\"%s\"%s}"
              .formatted(
                  problem.code().title(),
                  problem.code().status(),
                  problem.code().code(),
                  problem.detail(),
                  hint);
      try {
        response.setStatus(problem.code().status());
        response.setContentType(MediaType.APPLICATION_PROBLEM_JSON_VALUE);
        response.setCharacterEncoding("utf-8");
        response.getReporter().write(body);
        response.finishResponse();
      } catch (IOException e) {
        // The caller has gone.
      }
    }
  }
}
