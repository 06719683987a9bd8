package io.peerlens.assistant;

import static io.peerlens.assistant.Answer.row;
import static io.peerlens.assistant.Inventory.body;

import io.peerlens.api.AlertsApi;
import io.peerlens.api.LearningApi;
import io.peerlens.api.OutlierEventsApi;
import io.peerlens.api.model.Alert;
import io.peerlens.api.model.AlertPage;
import io.peerlens.api.model.MetricAnomaly;
import io.peerlens.api.model.ObjectAnomalies;
import io.peerlens.api.model.OutlierEvent;
import io.peerlens.api.model.OutlierEventMetric;
import io.peerlens.api.model.OutlierEventPage;
import io.peerlens.api.model.OutlierEventProperty;
import io.peerlens.api.model.UnusualStretch;
import io.peerlens.load.ReadOperations;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/** What is found about objects: alerts, outlier events, unusual metrics. */
final class Findings {

  private final ReadOperations operations;
  private final PageLinks links;

  Findings(ReadOperations operations, PageLinks links) {
    this.operations = operations;
    this.links = links;
  }

  /**
   * Rows of what was found.
   *
   * @param total how many there are in all
   */
  record Found(List<Map<String, Object>> rows, long total) {}

  AlertsApi alerts() {
    return operations.of(AlertsApi.class);
  }

  OutlierEventsApi outliers() {
    return operations.of(OutlierEventsApi.class);
  }

  /** Open alerts of some objects, the severest first. */
  Found openAlerts(List<UUID> objects, int limit) {
    AlertPage page = new AlertSearch().objects(objects).find(alerts(), limit);
    return new Found(page.getItems().stream().map(this::alert).toList(), page.getTotal());
  }

  /** Open outlier events of some objects, the severest first. */
  Found openOutliers(List<UUID> objects, int limit) {
    OutlierEventPage page = OutlierSearch.open().objects(objects).find(outliers(), limit);
    return new Found(page.getItems().stream().map(this::outlier).toList(), page.getTotal());
  }

  /** Metrics of an object that are outside of their learned bounds now. */
  ObjectAnomalies anomalies(UUID object) {
    return body(operations.of(LearningApi.class).getObjectAnomalies(object));
  }

  /** When an object was unusual as a whole in a stretch of time, and by which metrics. */
  List<UnusualStretch> unusual(UUID object, TimeSpan span) {
    return body(operations
            .of(LearningApi.class)
            .getAnomalyScore(object, span.from().toString(), span.to().toString()))
        .getStretches();
  }

  static Map<String, Object> unusual(UnusualStretch one) {
    return row(
        "from", one.getFrom(),
        "to", one.getTo(),
        "anomalyScore", Figures.of(one.getScore()),
        "carriedBy",
            one.getCarriers().stream()
                .map(metric -> row("metric", metric.getKey(), "began", metric.getBegan()))
                .toList());
  }

  Map<String, Object> alert(Alert one) {
    return row(
        "id", one.getId(),
        "number", one.getNumber(),
        "definition", one.getDefinition().getName(),
        "object", Inventory.row(one.getObject()),
        "severity", one.getSeverity().getValue(),
        "impact", one.getImpact().getValue(),
        "state", one.getState().getValue(),
        "control", one.getControlState().getValue(),
        "since", one.getSince(),
        "endedAt", one.getCanceledAt(),
        "metric", one.getKey(),
        "instance", one.getInstance(),
        "value", one.getText() != null ? one.getText() : Figures.of(one.getValue()),
        "operator", one.getOperator(),
        "bound", Figures.of(one.getBound()),
        "upper", Figures.of(one.getUpper()),
        "unit", one.getUnit(),
        "incident", one.getIncident(),
        "link", new Answer.Own(links.alert(one.getId())));
  }

  Map<String, Object> outlier(OutlierEvent one) {
    return row(
        "id", one.getId(),
        "number", one.getNumber(),
        "group", one.getGroup().getName(),
        "object", Inventory.row(one.getObject()),
        "severity", one.getSeverity().getValue(),
        "state", one.getState().getValue(),
        "side", one.getSide() == null ? null : one.getSide().getValue(),
        "evidence", one.getEvidence().getValue(),
        "since", one.getSince(),
        "closedAt", one.getClosedAt(),
        "score", Figures.of(one.getScore()),
        "peakScore", Figures.of(one.getPeakScore()),
        "metrics", one.getMetrics().stream().limit(3).map(Findings::metric).toList(),
        "properties", one.getProperties().stream().limit(3).map(Findings::property).toList(),
        "link", new Answer.Own(links.outlier(one.getId())));
  }

  static Map<String, Object> metric(OutlierEventMetric one) {
    return row(
        "key", one.getKey(),
        "unit", one.getUnit(),
        "value", Figures.of(one.getValue()),
        "peersMiddle", Figures.of(one.getCentre()),
        "peersLower", Figures.of(one.getLower()),
        "peersUpper", Figures.of(one.getUpper()),
        "factor", Figures.of(one.getFactor()));
  }

  static Map<String, Object> property(OutlierEventProperty one) {
    return row(
        "key", one.getKey(),
        "value", one.getValue(),
        "ofPeers", one.getCommon(),
        "agree", one.getAgree(),
        "judged", one.getJudged());
  }

  static Map<String, Object> anomaly(MetricAnomaly one) {
    return row(
        "metric", one.getKey(),
        "value", Figures.of(one.getValue()),
        "usualLower", Figures.of(one.getLower()),
        "usualUpper", Figures.of(one.getUpper()),
        "beyond", Figures.of(one.getBeyond()));
  }
}
