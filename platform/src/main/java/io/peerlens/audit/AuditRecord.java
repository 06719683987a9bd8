package io.peerlens.audit;

import io.peerlens.api.model.AuditOutcome;
import java.time.Instant;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Entry of the audit log before it has a number.
 *
 * @param at when it was asked
 * @param until when it was asked last; null = {@code count} is 1
 * @param count how many attempts it stands for
 * @param operation its id in the contract
 * @param details bounded; never secrets or bodies of requests
 */
record AuditRecord(
    Instant at,
    @Nullable Instant until,
    int count,
    Who who,
    String operation,
    Subject subject,
    Result result,
    Map<String, Object> details) {

  /**
   * Caller, and where the request came from.
   *
   * @param session which browser session; null = none
   */
  record Who(
      @Nullable UUID tokenId,
      @Nullable String tokenName,
      @Nullable String role,
      @Nullable String session,
      @Nullable String address,
      @Nullable String userAgent,
      @Nullable String requestId) {

    /** The same request, made with this token. */
    Who with(@Nullable UUID id, @Nullable String name, @Nullable String role) {
      return new Who(id, name, role, session, address, userAgent, requestId);
    }
  }

  /**
   * Subject of an audited request.
   *
   * @param kind the first part of the path
   * @param id id or name in the path; null = many, or none
   * @param related ids of all that it was about
   * @param before version before; null = there was none, or it has no versions
   * @param after version that was made
   */
  record Subject(
      @Nullable String kind,
      @Nullable String id,
      @Nullable String name,
      Set<String> related,
      @Nullable Long before,
      @Nullable Long after) {}

  /**
   * Outcome of a request.
   *
   * @param error code of the problem; null = it succeeded
   */
  record Result(AuditOutcome outcome, @Nullable Integer status, @Nullable String error) {

    static final Result UNKNOWN = new Result(AuditOutcome.UNKNOWN, null, null);

    /** What an answer with this status tells. */
    static Result of(int status, @Nullable String error) {
      AuditOutcome outcome =
          status < 400
              ? AuditOutcome.SUCCEEDED
              : status == 401 || status == 403 || status == 429
                  ? AuditOutcome.REFUSED
                  : AuditOutcome.FAILED;
      return new Result(outcome, status, error);
    }
  }

  /** The same failure, some times. */
  AuditRecord repeated(Instant first, Instant last, int times, Map<String, Object> moreDetails) {
    return new AuditRecord(
        first, times == 1 ? null : last, times, who, operation, subject, result, moreDetails);
  }
}
