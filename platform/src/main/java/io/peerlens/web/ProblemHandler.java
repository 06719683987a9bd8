package io.peerlens.web;

import io.peerlens.api.model.Problem;
import jakarta.servlet.http.HttpServletRequest;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.catalina.connector.ClientAbortException;
import org.apache.tomcat.util.http.InvalidParameterException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.core.MethodParameter;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.dao.DataAccessResourceFailureException;
import org.springframework.dao.DataIntegrityViolationException;
import org.springframework.dao.QueryTimeoutException;
import org.springframework.dao.TransientDataAccessException;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpMethod;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.http.converter.HttpMessageNotReadableException;
import org.springframework.security.access.AccessDeniedException;
import org.springframework.security.core.AuthenticationException;
import org.springframework.transaction.CannotCreateTransactionException;
import org.springframework.validation.Errors;
import org.springframework.validation.FieldError;
import org.springframework.validation.ObjectError;
import org.springframework.validation.method.ParameterErrors;
import org.springframework.web.HttpMediaTypeNotAcceptableException;
import org.springframework.web.HttpMediaTypeNotSupportedException;
import org.springframework.web.HttpRequestMethodNotSupportedException;
import org.springframework.web.bind.MethodArgumentNotValidException;
import org.springframework.web.bind.MissingRequestHeaderException;
import org.springframework.web.bind.MissingServletRequestParameterException;
import org.springframework.web.bind.ServletRequestBindingException;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestControllerAdvice;
import org.springframework.web.context.request.async.AsyncRequestNotUsableException;
import org.springframework.web.method.annotation.HandlerMethodValidationException;
import org.springframework.web.method.annotation.MethodArgumentTypeMismatchException;
import org.springframework.web.servlet.NoHandlerFoundException;
import org.springframework.web.servlet.resource.NoResourceFoundException;
import tools.jackson.core.JacksonException;
import tools.jackson.core.TokenStreamLocation;
import tools.jackson.core.exc.StreamReadException;
import tools.jackson.databind.DatabindException;

/**
 * Exception handler that makes problem JSON of every exception that leaves a controller. What
 * callers can mend is said in words of ours, so no message of a library or the database gets out;
 * what they cannot is logged.
 */
@RestControllerAdvice
@Order(Ordered.HIGHEST_PRECEDENCE)
final class ProblemHandler {

  /**
   * How PostgreSQL writes a NUL that a text or JSON must not have, in whatever language it speaks.
   */
  private static final Set<String> NOT_STORABLE = Set.of("0x00", "\\u0000");

  private static final Logger LOG = LoggerFactory.getLogger(ProblemHandler.class);

  @ExceptionHandler
  ResponseEntity<Problem> api(ApiException e, HttpServletRequest request) {
    return answer(e, request, HttpHeaders.EMPTY);
  }

  /** Ours to throw on: Spring Security's filter turns them into 401 and 403. */
  @ExceptionHandler({AccessDeniedException.class, AuthenticationException.class})
  void security(RuntimeException e) {
    throw e;
  }

  // Parameters ------------------------------------------------------------------------------------

  @ExceptionHandler
  ResponseEntity<Problem> wrongType(
      MethodArgumentTypeMismatchException e, HttpServletRequest request) {
    Class<?> type = componentType(e.getParameter());
    String given = Texts.shorten(String.valueOf(e.getValue()));
    return answer(
        ApiException.invalidParameter(
            e.getName(), "\"" + given + "\" is not " + JsonProblems.expected(type)),
        request,
        HttpHeaders.EMPTY);
  }

  @ExceptionHandler
  ResponseEntity<Problem> missing(ServletRequestBindingException e, HttpServletRequest request) {
    ApiException problem =
        switch (e) {
          case MissingServletRequestParameterException missing ->
              ApiException.invalidParameter(missing.getParameterName(), "is missing");
          case MissingRequestHeaderException missing ->
              ApiException.invalidParameter(missing.getHeaderName(), "is missing");
          default ->
              ApiException.of(ErrorCode.INVALID_PARAMETER, "A parameter is missing or wrong.");
        };
    return answer(problem, request, HttpHeaders.EMPTY);
  }

  /** Of the query: Tomcat reads it when somebody first asks for a parameter. */
  @ExceptionHandler
  ResponseEntity<Problem> undecodable(InvalidParameterException e, HttpServletRequest request) {
    return answer(
        ApiException.of(
                ErrorCode.INVALID_PARAMETER,
                "The query cannot be read: a parameter is no UTF-8, or there are too many.")
            .hint("Send text as UTF-8 with percent-encoding."),
        request,
        HttpHeaders.EMPTY);
  }

  /** Constraints on parameters, and on the body when parameters have constraints too. */
  @ExceptionHandler
  ResponseEntity<Problem> invalid(HandlerMethodValidationException e, HttpServletRequest request) {
    if (e.isForReturnValue()) {
      return unexpected(e, request);
    }
    List<Wrong> wrong = new ArrayList<>();
    boolean[] body = {false};
    e.getParameterValidationResults()
        .forEach(
            result -> {
              String name = name(result.getMethodParameter());
              if (result instanceof ParameterErrors errors) {
                body[0] = true;
                wrong.addAll(fields(errors));
              } else {
                String where =
                    result.getContainerIndex() == null
                        ? name
                        : name + "[" + result.getContainerIndex() + "]";
                result
                    .getResolvableErrors()
                    .forEach(
                        error ->
                            wrong.add(
                                new Wrong(
                                    where,
                                    Objects.requireNonNullElse(
                                        error.getDefaultMessage(), "is not valid"))));
              }
            });
    return answer(
        problem(body[0] ? ErrorCode.INVALID_BODY : ErrorCode.INVALID_PARAMETER, wrong),
        request,
        HttpHeaders.EMPTY);
  }

  // Body ------------------------------------------------------------------------------------------

  @ExceptionHandler
  ResponseEntity<Problem> invalid(MethodArgumentNotValidException e, HttpServletRequest request) {
    return answer(
        problem(ErrorCode.INVALID_BODY, fields(e.getBindingResult())), request, HttpHeaders.EMPTY);
  }

  @ExceptionHandler
  ResponseEntity<Problem> unreadable(
      HttpMessageNotReadableException e, HttpServletRequest request) {
    for (Throwable cause = e.getCause(); cause != null; cause = cause.getCause()) {
      if (cause instanceof BodyTooLargeException tooLarge) {
        return answer(tooLarge.problem(), request, HttpHeaders.EMPTY);
      }
      if (cause instanceof ApiException problem) {
        return answer(problem, request, HttpHeaders.EMPTY);
      }
    }
    ApiException problem =
        e.getCause() instanceof JacksonException json
            ? unreadable(json)
            : ApiException.of(ErrorCode.INVALID_BODY, "The body is missing or is no JSON.")
                .hint("Send a JSON object with Content-Type: application/json.");
    return answer(problem, request, HttpHeaders.EMPTY);
  }

  @ExceptionHandler
  ResponseEntity<Problem> tooLarge(BodyTooLargeException e, HttpServletRequest request) {
    return answer(e.problem(), request, HttpHeaders.EMPTY);
  }

  private static ApiException unreadable(JacksonException e) {
    String place = place(e.getLocation());
    if (!(e instanceof DatabindException databind)) {
      String what = e instanceof StreamReadException ? "is no valid JSON" : "cannot be read";
      return ApiException.of(ErrorCode.INVALID_BODY, "The body " + what + place + ".")
          .hint("Look at that place for a missing quote, comma or bracket.");
    }
    return bodyField(JsonProblems.path(databind), JsonProblems.reason(databind), place);
  }

  private static ApiException bodyField(String path, String reason, String place) {
    return path.isEmpty()
        ? ApiException.of(ErrorCode.INVALID_BODY, "The body " + reason + place + ".")
        : ApiException.of(ErrorCode.INVALID_BODY, "Field " + path + ": " + reason + place + ".")
            .field(path, reason);
  }

  private static String place(@Nullable TokenStreamLocation location) {
    return location == null || location.getLineNr() < 1
        ? ""
        : " (line " + location.getLineNr() + ", column " + location.getColumnNr() + ")";
  }

  // HTTP ------------------------------------------------------------------------------------------

  @ExceptionHandler
  ResponseEntity<Problem> method(
      HttpRequestMethodNotSupportedException e, HttpServletRequest request) {
    HttpHeaders headers = new HttpHeaders();
    String allowed = "";
    if (e.getSupportedHttpMethods() != null) {
      headers.setAllow(e.getSupportedHttpMethods());
      allowed =
          e.getSupportedHttpMethods().stream()
              .map(HttpMethod::name)
              .sorted()
              .collect(Collectors.joining(", "));
    }
    ApiException problem =
        ApiException.of(
            ErrorCode.METHOD_NOT_ALLOWED, "This path does not answer " + e.getMethod() + ".");
    return answer(
        allowed.isEmpty() ? problem : problem.hint("It answers " + allowed + "."),
        request,
        headers);
  }

  @ExceptionHandler
  ResponseEntity<Problem> accept(
      HttpMediaTypeNotAcceptableException e, HttpServletRequest request) {
    return answer(
        ApiException.of(ErrorCode.NOT_ACCEPTABLE, "There is no answer in an accepted format.")
            .hint("Accept application/json."),
        request,
        HttpHeaders.EMPTY);
  }

  @ExceptionHandler
  ResponseEntity<Problem> mediaType(
      HttpMediaTypeNotSupportedException e, HttpServletRequest request) {
    HttpHeaders headers = new HttpHeaders();
    headers.setAccept(List.of(MediaType.APPLICATION_JSON));
    String given = e.getContentType() == null ? "missing" : e.getContentType().toString();
    return answer(
        ApiException.of(
                ErrorCode.UNSUPPORTED_MEDIA_TYPE,
                "The Content-Type is " + Texts.shorten(given) + ".")
            .hint("Send JSON with Content-Type: application/json."),
        request,
        headers);
  }

  @ExceptionHandler({NoResourceFoundException.class, NoHandlerFoundException.class})
  ResponseEntity<Problem> nothingThere(Exception e, HttpServletRequest request) {
    return answer(
        ApiException.of(ErrorCode.NOT_FOUND, "There is nothing at this path."),
        request,
        HttpHeaders.EMPTY);
  }

  // The server ------------------------------------------------------------------------------------

  @ExceptionHandler({
    DataAccessResourceFailureException.class,
    TransientDataAccessException.class,
    QueryTimeoutException.class,
    CannotCreateTransactionException.class
  })
  ResponseEntity<Problem> unavailable(Exception e, HttpServletRequest request) {
    LOG.warn(
        "{} {} could not be answered: {}", request.getMethod(), request.getRequestURI(), root(e));
    return answer(
        ApiException.of(ErrorCode.UNAVAILABLE, "The database does not answer, or not in time.")
            .hint("Try again in some seconds, or ask for less at once."),
        request,
        HttpHeaders.EMPTY);
  }

  /** A text that the database cannot hold, wherever in a request it was. */
  @ExceptionHandler
  ResponseEntity<Problem> notStorable(
      DataIntegrityViolationException e, HttpServletRequest request) {
    String reason = String.valueOf(e.getMostSpecificCause().getMessage());
    return NOT_STORABLE.stream().anyMatch(reason::contains)
        ? answer(
            ApiException.of(
                    ErrorCode.INVALID_BODY,
                    "A text has a character that cannot be stored, such as NUL (\\u0000).")
                .hint("Take it away."),
            request,
            HttpHeaders.EMPTY)
        : unexpected(e, request);
  }

  /** The caller has gone; there is nobody to answer. */
  @ExceptionHandler({AsyncRequestNotUsableException.class, ClientAbortException.class})
  void gone() {}

  @ExceptionHandler
  ResponseEntity<Problem> unexpected(Exception e, HttpServletRequest request) {
    LOG.error("{} {} failed", request.getMethod(), request.getRequestURI(), e);
    return answer(
        ApiException.of(ErrorCode.INTERNAL, "The server failed to answer this request.")
            .hint("The log of the server says why; please report it."),
        request,
        HttpHeaders.EMPTY);
  }

  // -----------------------------------------------------------------------------------------------

  private static ResponseEntity<Problem> answer(
      ApiException e, HttpServletRequest request, HttpHeaders headers) {
    request.setAttribute(Problems.CODE, e.code());
    String retryAfter = Problems.retryAfter(e);
    if (retryAfter != null) {
      headers = HttpHeaders.copyOf(headers);
      headers.set(HttpHeaders.RETRY_AFTER, retryAfter);
    }
    return ResponseEntity.status(e.code().status())
        .headers(headers)
        .contentType(MediaType.APPLICATION_PROBLEM_JSON)
        .body(Problems.of(e, request.getRequestURI()));
  }

  private record Wrong(String field, String reason) {}

  private static List<Wrong> fields(Errors errors) {
    List<Wrong> wrong = new ArrayList<>();
    for (ObjectError error : errors.getAllErrors()) {
      String field = error instanceof FieldError fieldError ? fieldError.getField() : "";
      wrong.add(
          new Wrong(field, Objects.requireNonNullElse(error.getDefaultMessage(), "is not valid")));
    }
    return wrong;
  }

  private static ApiException problem(ErrorCode code, List<Wrong> wrong) {
    String what = code == ErrorCode.INVALID_BODY ? "Field " : "Parameter ";
    ApiException problem =
        ApiException.of(
            code,
            wrong.stream()
                .map(w -> what + w.field() + ": " + w.reason() + ".")
                .sorted()
                .collect(Collectors.joining(" ")));
    for (Wrong w : wrong.stream().sorted(Comparator.comparing(Wrong::field)).toList()) {
      problem = problem.field(w.field(), w.reason());
    }
    return problem;
  }

  /** The name callers use, which is not the name in Java for headers and for reserved words. */
  private static String name(MethodParameter parameter) {
    RequestParam query = parameter.getParameterAnnotation(RequestParam.class);
    if (query != null) {
      return query.value();
    }
    PathVariable path = parameter.getParameterAnnotation(PathVariable.class);
    if (path != null) {
      return path.value();
    }
    RequestHeader header = parameter.getParameterAnnotation(RequestHeader.class);
    return header != null
        ? header.value()
        : Objects.requireNonNullElse(parameter.getParameterName(), "parameter");
  }

  private static Class<?> componentType(MethodParameter parameter) {
    return Collection.class.isAssignableFrom(parameter.getParameterType())
        ? parameter.nested().getNestedParameterType()
        : parameter.getParameterType();
  }

  private static String root(Throwable e) {
    Throwable root = e;
    while (root.getCause() != null) {
      root = root.getCause();
    }
    return root.getClass().getSimpleName() + ": " + root.getMessage();
  }
}
