package io.peerlens.audit;

import io.peerlens.api.AuditApi;
import io.peerlens.api.model.AuditOutcome;
import io.peerlens.api.model.AuditPage;
import io.peerlens.audit.AuditQueries.Filter;
import io.peerlens.web.ApiException;
import io.peerlens.web.Moments;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.RestController;

/** Endpoints of the audit log. */
@RestController
final class AuditController implements AuditApi {

  private final AuditQueries queries;

  AuditController(AuditQueries queries) {
    this.queries = queries;
  }

  @Override
  public ResponseEntity<AuditPage> listAudit(
      @Nullable String from,
      @Nullable String to,
      @Nullable UUID token,
      @Nullable String name,
      @Nullable List<String> operation,
      @Nullable String kind,
      @Nullable String object,
      @Nullable List<AuditOutcome> outcome,
      @Nullable String address,
      @Nullable String q,
      Integer limit,
      @Nullable String cursor) {
    Instant begin = from == null ? null : Moments.parameter("from", from);
    Instant end = to == null ? null : Moments.parameter("to", to);
    if (begin != null && end != null && !begin.isBefore(end)) {
      throw ApiException.invalidParameter("from", "must be before to");
    }
    Filter filter =
        new Filter(
            begin,
            end,
            token,
            name,
            Objects.requireNonNullElse(operation, List.of()),
            kind,
            object,
            Objects.requireNonNullElse(outcome, List.of()),
            address,
            q);
    return ResponseEntity.ok(queries.page(filter, limit, cursor));
  }
}
