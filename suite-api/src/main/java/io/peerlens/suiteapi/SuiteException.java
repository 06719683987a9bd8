package io.peerlens.suiteapi;

import io.peerlens.web.ApiException;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Failure of a request, in the vendor's form: a status, a code and what is wrong. */
final class SuiteException extends RuntimeException {

  private static final long serialVersionUID = 1;

  /** The vendor's code of a token or password that is not accepted. */
  static final int BAD_TOKEN = 1512;

  /** The vendor's code of requests that cannot be understood. */
  private static final int BAD_REQUEST = 1501;

  private static final int INVALID = 400;
  private static final int NOT_FOUND = 404;

  private final int status;
  private final int code;
  private final transient List<Failure> failures;
  private final @Nullable Long retryAfter;

  /**
   * One thing that is wrong.
   *
   * @param message what
   * @param path where
   */
  record Failure(String message, String path) {}

  private SuiteException(
      int status, int code, String message, List<Failure> failures, @Nullable Long retryAfter) {
    super(message, null, false, false);
    this.status = status;
    this.code = code;
    this.failures = List.copyOf(failures);
    this.retryAfter = retryAfter;
  }

  static SuiteException of(int status, String message) {
    return new SuiteException(status, status, message, List.of(), null);
  }

  /**
   * The caller asks too much.
   *
   * @param seconds when to try again
   */
  static SuiteException later(int status, String message, long seconds) {
    return new SuiteException(status, status, message, List.of(), seconds);
  }

  static SuiteException notFound(String what, Object id) {
    return of(NOT_FOUND, "There is no " + what + " " + id + ".");
  }

  /** The token or password is not accepted. */
  static SuiteException unauthenticated(String message) {
    return new SuiteException(401, BAD_TOKEN, message, List.of(), null);
  }

  /** A part of the request is wrong. */
  static SuiteException invalid(String path, String message) {
    return new SuiteException(
        INVALID,
        BAD_REQUEST,
        "Invalid request: " + path + " " + message + ".",
        List.of(new Failure(path + " " + message, path)),
        null);
  }

  /** Parts of the request are wrong. */
  static SuiteException invalid(List<Failure> failures) {
    return new SuiteException(
        INVALID,
        BAD_REQUEST,
        "Invalid request: "
            + failures.stream().map(Failure::message).collect(Collectors.joining("; "))
            + ".",
        failures,
        null);
  }

  /**
   * A failure of a feature that both APIs have.
   *
   * @param names gives the path of a field here for that of {@code /api/v1}
   */
  static SuiteException of(ApiException e, UnaryOperator<String> names) {
    int status = e.code().status();
    if (status == INVALID && !e.errors().isEmpty()) {
      String hint = e.hint() == null ? "" : ". " + e.hint().replaceFirst("[.]$", "");
      return invalid(
          e.errors().stream()
              .map(
                  one -> {
                    String path = names.apply(one.getField());
                    return new Failure(path + " " + one.getReason() + hint, path);
                  })
              .toList());
    }
    String message = e.hint() == null ? e.detail() : e.detail() + " " + e.hint();
    return e.retryAfter() == null
        ? of(status, message)
        : later(status, message, Math.max(1, e.retryAfter().toSeconds()));
  }

  int status() {
    return status;
  }

  @Nullable Long retryAfter() {
    return retryAfter;
  }

  /** The body of the answer. */
  Object body() {
    return Json.object(
        "message",
        getMessage(),
        "httpStatusCode",
        status,
        "apiErrorCode",
        code,
        "validationFailures",
        failures.stream()
            .map(f -> Json.object("failureMessage", f.message(), "violationPath", f.path()))
            .toList(),
        "moreInformation",
        List.of());
  }
}
