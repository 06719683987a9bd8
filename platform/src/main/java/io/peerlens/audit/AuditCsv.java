package io.peerlens.audit;

import io.peerlens.api.model.AuditEntry;
import io.peerlens.api.model.AuditPage;
import io.peerlens.web.CsvConverter;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

/** A page of the audit log as CSV. */
final class AuditCsv extends CsvConverter<AuditPage> {

  private final JsonMapper json;

  AuditCsv(JsonMapper json) {
    super(AuditPage.class);
    this.json = json;
  }

  @Override
  protected List<String> columns() {
    return List.of(
        "id",
        "at",
        "until",
        "count",
        "tokenId",
        "tokenName",
        "role",
        "session",
        "address",
        "userAgent",
        "requestId",
        "operation",
        "kind",
        "object",
        "objectName",
        "related",
        "outcome",
        "status",
        "error",
        "versionBefore",
        "versionAfter",
        "details");
  }

  @Override
  protected List<List<@Nullable Object>> lines(AuditPage answer) {
    List<List<@Nullable Object>> lines = new ArrayList<>();
    for (AuditEntry e : answer.getItems()) {
      lines.add(
          line(
              e.getId(),
              e.getAt(),
              e.getUntil(),
              e.getCount(),
              e.getTokenId(),
              e.getTokenName(),
              e.getRole(),
              e.getSession(),
              e.getAddress(),
              e.getUserAgent(),
              e.getRequestId(),
              e.getOperation(),
              e.getKind(),
              e.getObject(),
              e.getObjectName(),
              String.join(" ", e.getRelated()),
              e.getOutcome().getValue(),
              e.getStatus(),
              e.getError(),
              e.getVersionBefore(),
              e.getVersionAfter(),
              json.writeValueAsString(e.getDetails())));
    }
    return lines;
  }
}
