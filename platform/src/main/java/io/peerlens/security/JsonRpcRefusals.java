package io.peerlens.security;

import io.peerlens.web.ErrorCode;
import io.peerlens.web.Problems;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;
import org.springframework.http.HttpHeaders;
import org.springframework.http.MediaType;
import tools.jackson.databind.json.JsonMapper;

/**
 * Refusals as errors of JSON-RPC, for assistants, which show the message of such an error. Codes
 * are of the range that JSON-RPC leaves to servers.
 */
final class JsonRpcRefusals {

  private static final int UNAUTHENTICATED = -32001;
  private static final int FORBIDDEN = -32003;

  private JsonRpcRefusals() {}

  static void unauthenticated(
      HttpServletRequest request, HttpServletResponse response, Exception unused)
      throws IOException {
    boolean tried = request.getHeader(HttpHeaders.AUTHORIZATION) != null;
    // RFC 6750, section 3: without credentials the challenge says no error.
    response.setHeader(
        HttpHeaders.WWW_AUTHENTICATE, tried ? "Bearer error=\"invalid_token\"" : "Bearer");
    write(
        request,
        response,
        ErrorCode.UNAUTHENTICATED,
        UNAUTHENTICATED,
        (tried ? "The token is unknown, revoked or expired." : "This needs an API token.")
            + " Send one as Authorization: Bearer TOKEN; people make it on the page Settings.");
  }

  static void forbidden(HttpServletRequest request, HttpServletResponse response, Exception unused)
      throws IOException {
    Caller caller = Caller.current();
    write(
        request,
        response,
        ErrorCode.FORBIDDEN,
        FORBIDDEN,
        "Token %s has the role %s, which may not read. Use one with the role viewer."
            .formatted(caller.name(), caller.role()));
  }

  private static void write(
      HttpServletRequest request,
      HttpServletResponse response,
      ErrorCode problem,
      int code,
      String message)
      throws IOException {
    request.setAttribute(Problems.CODE, problem);
    Map<String, Object> answer = new LinkedHashMap<>();
    answer.put("jsonrpc", "2.0");
    answer.put("id", null); // the message has not been read
    answer.put("error", Map.of("code", code, "message", message));
    byte[] body = JsonMapper.shared().writeValueAsBytes(answer);
    response.setStatus(problem.status());
    response.setContentType(MediaType.APPLICATION_JSON_VALUE);
    response.setContentLength(body.length);
    response.getOutputStream().write(body);
  }
}
