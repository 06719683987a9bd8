package io.peerlens.alert;

import io.peerlens.api.model.Alert;
import io.peerlens.api.model.AlertPage;
import io.peerlens.api.model.MaintenanceRef;
import io.peerlens.web.CsvConverter;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

/** A page of alerts as CSV, without their symptoms one by one. */
final class AlertsCsv extends CsvConverter<AlertPage> {

  private final JsonMapper json;

  AlertsCsv(JsonMapper json) {
    super(AlertPage.class);
    this.json = json;
  }

  @Override
  protected List<String> columns() {
    return List.of(
        "id",
        "number",
        "source",
        "definitionId",
        "definition",
        "objectId",
        "object",
        "adapterKind",
        "objectKind",
        "impact",
        "severity",
        "status",
        "controlState",
        "owner",
        "acknowledgedBy",
        "acknowledgedAt",
        "suspendedUntil",
        "maintenance",
        "since",
        "openedAt",
        "updatedAt",
        "canceledAt",
        "cancelReason",
        "unknown",
        "flaps",
        "flapping",
        "key",
        "instance",
        "metricName",
        "unit",
        "value",
        "text",
        "operator",
        "bound",
        "upper",
        "memberCount",
        "noteCount",
        "explanation",
        "recommendations",
        "incident");
  }

  @Override
  protected List<List<@Nullable Object>> lines(AlertPage page) {
    return page.getItems().stream().map(this::cells).toList();
  }

  private List<@Nullable Object> cells(Alert alert) {
    MaintenanceRef maintenance = alert.getMaintenance();
    return line(
        alert.getId(),
        alert.getNumber(),
        alert.getDefinition().getSource(),
        alert.getDefinition().getId(),
        alert.getDefinition().getName(),
        alert.getObject().getId(),
        alert.getObject().getName(),
        alert.getObject().getAdapterKind(),
        alert.getObject().getObjectKind(),
        alert.getImpact(),
        alert.getSeverity(),
        alert.getState(),
        alert.getControlState(),
        alert.getOwner(),
        alert.getAcknowledgedBy(),
        alert.getAcknowledgedAt(),
        alert.getSuspendedUntil(),
        maintenance == null ? null : maintenance.getName(),
        alert.getSince(),
        alert.getOpenedAt(),
        alert.getUpdatedAt(),
        alert.getCanceledAt(),
        alert.getCancelReason(),
        alert.getUnknown(),
        alert.getFlaps(),
        alert.getFlapping(),
        alert.getKey(),
        alert.getInstance(),
        alert.getMetricName(),
        alert.getUnit(),
        alert.getValue(),
        alert.getText(),
        alert.getOperator(),
        alert.getBound(),
        alert.getUpper(),
        alert.getMemberCount(),
        alert.getNoteCount(),
        alert.getExplanation().getText(),
        json.writeValueAsString(alert.getRecommendations()),
        alert.getIncident());
  }
}
