package io.peerlens.web;

import java.io.IOException;
import org.apache.catalina.connector.Request;
import org.apache.catalina.connector.Response;
import org.apache.catalina.valves.ErrorReportValve;
import org.jspecify.annotations.Nullable;
import org.springframework.http.MediaType;

/**
 * Problem JSON for what the HTTP server refuses before any filter sees it. Made by Tomcat, by name.
 */
public final class ServerErrorReport extends ErrorReportValve {

  @Override
  protected void report(Request request, Response response, @Nullable Throwable thrown) {
    if (response.getStatus() < 400 || response.getContentWritten() > 0 || response.isCommitted()) {
      return;
    }
    ApiException problem = ErrorPages.problem(response.getStatus());
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
