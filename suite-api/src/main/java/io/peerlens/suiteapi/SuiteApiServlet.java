package io.peerlens.suiteapi;

import io.peerlens.api.model.UserRole;
import io.peerlens.load.LoadLimits;
import io.peerlens.security.Caller;
import io.peerlens.security.ClientSessions;
import io.peerlens.suiteapi.Routes.Found;
import io.peerlens.suiteapi.Routes.Right;
import io.peerlens.web.ApiException;
import io.peerlens.web.BodyTooLargeException;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.dao.DataAccessResourceFailureException;
import org.springframework.dao.TransientDataAccessException;
import org.springframework.transaction.CannotCreateTransactionException;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Servlet of {@code /suite-api}: finds out who asks and for what, and answers everything, failures
 * too, as JSON in the vendor's form.
 */
final class SuiteApiServlet extends HttpServlet {

  private static final long serialVersionUID = 1;

  static final String BASE = "/suite-api";

  private static final Logger LOG = LoggerFactory.getLogger(SuiteApiServlet.class);
  private static final String JSON_TYPE = "application/json;charset=UTF-8";
  private static final String RETRY = "Retry-After";
  private static final int BUFFER = 64 << 10;

  /** Of other roles nobody may do more than send values. */
  private static final Set<UserRole> READERS =
      Set.of(UserRole.VIEWER, UserRole.OPERATOR, UserRole.ADMIN);

  private static final Set<UserRole> OPERATORS = Set.of(UserRole.OPERATOR, UserRole.ADMIN);

  private static final JsonMapper JSON =
      JsonMapper.builder(
              JsonFactory.builder()
                  .streamReadConstraints(
                      StreamReadConstraints.builder().maxNestingDepth(50).build())
                  .build())
          .build();

  private final transient Routes routes;
  private final transient SignIn signIn;
  private final transient LoadLimits limits;

  SuiteApiServlet(Routes routes, SignIn signIn, LoadLimits limits) {
    this.routes = routes;
    this.signIn = signIn;
    this.limits = limits;
  }

  @Override
  protected void service(HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    try {
      write(response, answer(request, response));
    } catch (SuiteException e) {
      fail(request, response, e);
    } catch (ApiException e) {
      fail(request, response, SuiteException.of(e, field -> field));
    } catch (DataAccessResourceFailureException
        | TransientDataAccessException
        | CannotCreateTransactionException e) {
      LOG.warn(
          "{} {} could not be answered: {}", request.getMethod(), request.getRequestURI(), e + "");
      fail(
          request,
          response,
          SuiteException.later(503, "The database does not answer, or not in time.", 5));
    } catch (RuntimeException e) {
      LOG.error("{} {} failed", request.getMethod(), request.getRequestURI(), e);
      fail(
          request,
          response,
          SuiteException.of(500, "The server failed to answer; its log says why."));
    }
  }

  private Answer answer(HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    acceptsJson(request);
    List<String> parts = parts(request);
    Found found = routes.find(request.getMethod(), parts);
    Caller caller = null;
    if (found == null || found.route().right() != Right.OPEN) {
      caller = signIn.caller(request);
      ClientSessions.authenticate(request, caller);
      limits.count(caller.tokenId());
    }
    if (found == null) {
      Set<String> methods = routes.methods(parts);
      if (methods.isEmpty()) {
        throw SuiteException.of(404, "There is no " + request.getRequestURI() + " here.");
      }
      response.setHeader("Allow", String.join(", ", methods));
      throw SuiteException.of(
          405,
          request.getRequestURI()
              + " does not answer "
              + request.getMethod()
              + ", but "
              + String.join(", ", methods)
              + ".");
    }
    if (caller != null) {
      mayDo(found.route().right(), caller);
    }
    return found
        .route()
        .handler()
        .answer(
            new Call(
                request,
                "/" + String.join("/", parts),
                found.variables(),
                new Query(request.getQueryString()),
                body(request),
                caller));
  }

  private static void acceptsJson(HttpServletRequest request) {
    String accept = request.getHeader("Accept");
    if (accept == null || accept.isBlank()) {
      return;
    }
    String types = accept.toLowerCase(Locale.ROOT);
    if (!types.contains("json") && !types.contains("*/*") && !types.contains("application/*")) {
      throw SuiteException.of(
          406,
          "Answers are JSON here, and the request accepts none: send Accept: application/json.");
    }
  }

  private static List<String> parts(HttpServletRequest request) {
    String path = request.getRequestURI().substring(BASE.length());
    List<String> parts = new ArrayList<>();
    for (String part : path.split("/")) {
      if (!part.isEmpty()) {
        parts.add(Query.decoded(part.replace("+", "%2B")));
      }
    }
    return parts;
  }

  private static void mayDo(Right right, Caller caller) {
    UserRole role = caller.role();
    boolean allowed =
        switch (right) {
          case OPEN, KNOWN -> true;
          case READ -> READERS.contains(role);
          case OPERATE -> OPERATORS.contains(role);
          case PUSH -> OPERATORS.contains(role) || role.getValue().equals("ingest");
        };
    if (!allowed) {
      throw SuiteException.of(
          403,
          "Token "
              + caller.name()
              + " has the role "
              + role
              + ", which does not suffice for this.");
    }
  }

  private static @Nullable JsonNode body(HttpServletRequest request) throws IOException {
    String method = request.getMethod();
    if (!method.equals("POST") && !method.equals("PUT")) {
      return null;
    }
    byte[] bytes;
    try {
      bytes = request.getInputStream().readAllBytes();
    } catch (BodyTooLargeException e) {
      throw SuiteException.of(413, e.problem().detail());
    }
    if (isBlank(bytes)) {
      return null;
    }
    String type = request.getContentType();
    if (type != null && type.toLowerCase(Locale.ROOT).contains("xml")) {
      throw SuiteException.of(
          415, "The body is " + type + ": send JSON with Content-Type: application/json.");
    }
    try {
      return JSON.readTree(bytes);
    } catch (JacksonException e) {
      throw SuiteException.of(
          400,
          "The body is no valid JSON (line %d, column %d)."
              .formatted(e.getLocation().getLineNr(), e.getLocation().getColumnNr()));
    }
  }

  private static boolean isBlank(byte[] bytes) {
    for (byte one : bytes) {
      if (one > ' ' || one < 0) {
        return false;
      }
    }
    return true;
  }

  private static void write(HttpServletResponse response, Answer answer) throws IOException {
    response.setHeader("Cache-Control", "no-store");
    switch (answer) {
      case Answer.Empty(int status) -> {
        response.setStatus(status);
        response.setContentLength(0);
      }
      case Answer.Whole(int status, Object body) -> {
        byte[] bytes = JSON.writeValueAsBytes(body);
        response.setStatus(status);
        response.setContentType(JSON_TYPE);
        response.setContentLength(bytes.length);
        response.getOutputStream().write(bytes);
      }
      case Answer.Streamed(Answer.Writer writer) -> {
        response.setStatus(200);
        response.setContentType(JSON_TYPE);
        OutputStream out = new BufferedOutputStream(response.getOutputStream(), BUFFER);
        // Not in a try statement: what fails is to be seen, so no brackets are closed then.
        JsonGenerator json = JSON.createGenerator(out);
        writer.write(json);
        json.close();
      }
    }
  }

  private static void fail(
      HttpServletRequest request, HttpServletResponse response, SuiteException e)
      throws IOException {
    if (response.isCommitted()) {
      // The status has gone: the connection breaks, so that nobody takes a part for the whole.
      throw new IOException("An answer broke off: " + e.getMessage(), e);
    }
    String allow = response.getHeader("Allow");
    String connection = response.getHeader("Connection");
    response.resetBuffer();
    if (allow != null) {
      response.setHeader("Allow", allow);
    }
    if (connection != null) {
      response.setHeader("Connection", connection);
    }
    if (e.status() == 401) {
      response.setHeader("WWW-Authenticate", "vRealizeOpsToken");
    }
    Long retry = e.retryAfter();
    if (retry != null) {
      response.setHeader(RETRY, String.valueOf(retry));
    }
    byte[] body = JSON.writeValueAsBytes(e.body());
    response.setStatus(e.status());
    response.setContentType(JSON_TYPE);
    response.setContentLength(body.length);
    response.getOutputStream().write(body);
    if (e.status() != 413) {
      readRest(request);
    }
  }

  /** A connection that is closed before is reset, and the answer with it. */
  private static void readRest(HttpServletRequest request) {
    try {
      request.getInputStream().transferTo(OutputStream.nullOutputStream());
    } catch (IOException | IllegalStateException e) {
      // It has ended, or is too long.
    }
  }
}
