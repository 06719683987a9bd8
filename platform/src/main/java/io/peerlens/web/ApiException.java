package io.peerlens.web;

import io.peerlens.api.model.FieldError;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A request that cannot be answered as asked. Controllers and what they call throw it; it becomes
 * problem JSON. All texts reach the caller, so they say what, where and how to mend it, and nothing
 * of the inside.
 */
public final class ApiException extends RuntimeException {

  private final ErrorCode code;
  private final String detail;
  private final List<FieldError> errors;
  private final @Nullable String hint;
  private final @Nullable Duration retryAfter;

  private ApiException(
      ErrorCode code,
      String detail,
      List<FieldError> errors,
      @Nullable String hint,
      @Nullable Duration retryAfter) {
    super(code.code() + ": " + detail, null, false, false);
    this.code = code;
    this.detail = detail;
    this.errors = List.copyOf(errors);
    this.hint = hint;
    this.retryAfter = retryAfter;
  }

  /** A problem with a sentence on what went wrong here. */
  public static ApiException of(ErrorCode code, String detail) {
    return new ApiException(code, detail, List.of(), null, null);
  }

  /** A query, path or header parameter that is wrong. */
  public static ApiException invalidParameter(String name, String reason) {
    return of(ErrorCode.INVALID_PARAMETER, "Parameter " + name + ": " + reason + ".")
        .field(name, reason);
  }

  /** A field of the body that is wrong; {@code path} as in {@code metrics[2]}. */
  public static ApiException invalidField(String path, String reason) {
    return of(ErrorCode.INVALID_BODY, "Field " + path + ": " + reason + ".").field(path, reason);
  }

  /** A thing that does not exist, for instance {@code notFound("object", id)}. */
  public static ApiException notFound(String what, Object id) {
    return of(ErrorCode.NOT_FOUND, "There is no " + what + " " + id + ".");
  }

  /** The same problem that also blames a field. */
  public ApiException field(String field, String reason) {
    List<FieldError> more = new ArrayList<>(errors);
    more.add(new FieldError(field, reason));
    return new ApiException(code, detail, more, hint, retryAfter);
  }

  /** The same problem with a sentence on how to mend it. */
  public ApiException hint(String hint) {
    return new ApiException(code, detail, errors, hint, retryAfter);
  }

  /** The same problem with the time after which it is worth trying again. */
  public ApiException retryAfter(Duration time) {
    return new ApiException(code, detail, errors, hint, time);
  }

  /** The kind of problem. */
  public ErrorCode code() {
    return code;
  }

  /** What went wrong here. */
  public String detail() {
    return detail;
  }

  /** What is wrong with which field; may be empty. */
  public List<FieldError> errors() {
    return errors;
  }

  /** When to try again; null = that is not known. */
  public @Nullable Duration retryAfter() {
    return retryAfter;
  }

  /** How to mend it, when that is known. */
  public @Nullable String hint() {
    return hint;
  }
}
