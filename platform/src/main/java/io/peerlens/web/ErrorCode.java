package io.peerlens.web;

/** The kinds of problem that the API answers with; {@code Problem.code} in the contract. */
public enum ErrorCode {
  /** The request is no proper HTTP, or its line or headers are too long. */
  BAD_REQUEST("bad-request", 400, "Bad request"),
  /** A query, path or header parameter is missing or wrong. */
  INVALID_PARAMETER("invalid-parameter", 400, "Invalid parameter"),
  /** The body is no JSON, or one of its fields is missing or wrong. */
  INVALID_BODY("invalid-body", 400, "Invalid body"),
  /** The cursor is damaged or belongs to other filters. */
  INVALID_CURSOR("invalid-cursor", 400, "Invalid cursor"),
  /** The answer would hold more values than the server gives at once. */
  TOO_MANY_POINTS("too-many-points", 400, "Too many points"),
  /** The answer would need more reading than the server does for one request. */
  TOO_EXPENSIVE("too-expensive", 400, "Too much to read"),
  /** No token or session, or one that is unknown, revoked or expired. */
  UNAUTHENTICATED("unauthenticated", 401, "Not signed in"),
  /** The caller's role does not suffice. */
  FORBIDDEN("forbidden", 403, "Not allowed"),
  /** A request with the session cookie lacks its CSRF token. */
  CSRF("csrf", 403, "CSRF token missing or wrong"),
  /** There is no such thing. */
  NOT_FOUND("not-found", 404, "Not found"),
  /** The path exists, but not with this method. */
  METHOD_NOT_ALLOWED("method-not-allowed", 405, "Method not allowed"),
  /** The answer does not exist in a form that the caller accepts. */
  NOT_ACCEPTABLE("not-acceptable", 406, "Not acceptable"),
  /** The state of the thing does not allow this. */
  CONFLICT("conflict", 409, "Conflict"),
  /** The thing was changed since the caller read it. */
  PRECONDITION_FAILED("precondition-failed", 412, "Changed since"),
  /** The body is longer than the server takes. */
  BODY_TOO_LARGE("body-too-large", 413, "Body too large"),
  /** The body is in a format that is not understood. */
  UNSUPPORTED_MEDIA_TYPE("unsupported-media-type", 415, "Unsupported media type"),
  /** The change needs the header If-Match. */
  PRECONDITION_REQUIRED("precondition-required", 428, "If-Match required"),
  /** Too many attempts from one address. */
  RATE_LIMITED("rate-limited", 429, "Too many attempts"),
  /** A fault of the server; its log has the reason. */
  INTERNAL("internal", 500, "Internal error"),
  /** The database or another part that is needed does not answer now. */
  UNAVAILABLE("unavailable", 503, "Not available now");

  private final String code;
  private final int status;
  private final String title;

  ErrorCode(String code, int status, String title) {
    this.code = code;
    this.status = status;
    this.title = title;
  }

  /** The name that programs compare; never changes. */
  public String code() {
    return code;
  }

  /** The HTTP status that goes with it. */
  public int status() {
    return status;
  }

  /** The kind of problem in a few words for people. */
  public String title() {
    return title;
  }
}
