package io.peerlens.assistant;

import static io.peerlens.assistant.Answer.row;
import static io.peerlens.assistant.Inventory.body;

import io.peerlens.api.model.Alert;
import io.peerlens.api.model.AlertExplanation;
import io.peerlens.api.model.AlertHistoryItem;
import io.peerlens.api.model.AlertHistoryPage;
import io.peerlens.api.model.AlertMember;
import io.peerlens.api.model.AlertOpenness;
import io.peerlens.api.model.AlertPage;
import io.peerlens.api.model.OutlierEvent;
import io.peerlens.api.model.OutlierEventDetails;
import io.peerlens.api.model.OutlierEventPage;
import io.peerlens.api.model.OutlierEventStatus;
import io.peerlens.api.model.OutlierExplanation;
import io.peerlens.api.model.OutlierNearbyChange;
import io.peerlens.api.model.OutlierOtherMetric;
import io.peerlens.api.model.OutlierTrait;
import io.peerlens.api.model.RelatedSymptom;
import io.peerlens.api.model.RelatedToAlert;
import io.peerlens.api.model.Severity;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Tools about alerts and outlier events. */
final class AlertTools {

  private static final List<String> SEVERITIES =
      Arrays.stream(Severity.values()).map(Severity::getValue).toList();
  private static final int FEW = 10;

  private final Inventory inventory;
  private final Findings findings;
  private final PageLinks links;
  private final InstantSource clock;

  AlertTools(Inventory inventory, Findings findings, PageLinks links, InstantSource clock) {
    this.inventory = inventory;
    this.findings = findings;
    this.links = links;
    this.clock = clock;
  }

  List<Tool> tools() {
    return List.of(
        new Tool(
            "list_alerts",
            "List alerts",
            "Lists alerts, the severest first, with the value that led to each and its bound.",
            List.of(
                Parameter.oneOf("state", "Default open.", List.of("open", "canceled", "any")),
                Parameter.oneOf("severity", "This severity and those above it.", SEVERITIES),
                Parameter.text("object", Inventory.OBJECT),
                Parameter.text("below", "This object and all that is below it: its id or name."),
                Parameter.text("text", "Words of the definition's or object's name."),
                Parameter.text(
                    "from", "Only alerts that were open after this: " + TimeSpan.FORMS + "."),
                Parameter.text("to", "Only alerts that were open before this."),
                Parameter.number("limit", "How many; default 20.", 1, Answer.ROWS)),
            this::alerts),
        new Tool(
            "explain_alert",
            "Explain an alert",
            "Explains an alert: what was measured against which bound, for how long, what else was wrong near it, changes before it, earlier alerts, what is recommended.",
            List.of(Parameter.text("id", "Id of the alert, from list_alerts.").needed()),
            this::explainAlert),
        new Tool(
            "list_outliers",
            "List outlier events",
            "Lists outlier events: members of a group of peers that differ from the others, with what differs.",
            List.of(
                Parameter.oneOf("state", "Default open.", List.of("open", "closed", "any")),
                Parameter.oneOf("severity", "This severity and those above it.", SEVERITIES),
                Parameter.text("object", Inventory.OBJECT),
                Parameter.text("below", "This object and all that is below it: its id or name."),
                Parameter.text("text", "Words of the group's or object's name."),
                Parameter.text(
                    "from", "Only events that were open after this: " + TimeSpan.FORMS + "."),
                Parameter.text("to", "Only events that were open before this."),
                Parameter.number("limit", "How many; default 20.", 1, Answer.ROWS)),
            this::outliers),
        new Tool(
            "explain_outlier",
            "Explain an outlier event",
            "Explains an outlier event: which metric or property differs from the peers and how much, since when, what sets the member apart, changes near its begin.",
            List.of(Parameter.text("id", "Id of the event, from list_outliers.").needed()),
            this::explainOutlier));
  }

  private static @Nullable List<Severity> severities(Arguments arguments) {
    String least = arguments.text("severity");
    return least == null
        ? null
        : Arrays.stream(Severity.values())
            .filter(one -> one.compareTo(Severity.fromValue(least)) >= 0)
            .toList();
  }

  private @Nullable String moment(Arguments arguments, String name) {
    String text = arguments.text(name);
    return text == null ? null : TimeSpan.moment(name, text, clock.instant()).toString();
  }

  private Answer alerts(Arguments arguments) {
    UUID object = inventory.idOf("object", arguments.text("object"));
    UUID below = inventory.idOf("below", arguments.text("below"));
    String state = arguments.text("state", "open");
    String from = moment(arguments, "from");
    String to = moment(arguments, "to");
    AlertPage page =
        new AlertSearch()
            .state(AlertOpenness.fromValue(state))
            .severities(severities(arguments))
            .objects(object == null ? null : List.of(object))
            .below(below)
            .words(arguments.text("text"))
            .between(from, to)
            .find(findings.alerts(), arguments.number("limit", 20));
    return new Answer()
        .summary(page.getTotal() + " alerts (" + state + ").")
        .put("at", clock.instant())
        .put("from", from)
        .put("to", to)
        .rows("alerts", page.getItems().stream().map(findings::alert).toList(), page.getTotal())
        .link(links.to("/alerts"));
  }

  private static UUID id(Arguments arguments, String from) {
    UUID id = Inventory.id(arguments.text("id", ""));
    if (id == null) {
      throw ToolProblem.argument(
          "id",
          "\"" + PlainText.of(arguments.text("id", ""), 60) + "\" is no id",
          "Take the id from " + from + "; the number that people see is not it.");
    }
    return id;
  }

  private Answer explainAlert(Arguments arguments) {
    UUID id = id(arguments, "list_alerts");
    Alert alert = body(findings.alerts().getAlert(id));
    RelatedToAlert related = body(findings.alerts().getRelatedToAlert(id));
    AlertHistoryPage history = body(findings.alerts().listAlertHistory(id, FEW, null));
    AlertExplanation explanation = alert.getExplanation();
    return new Answer()
        .summary(
            "The value was %s %s against the bound %s; %d of %d evaluations violated it."
                .formatted(
                    alert.getText() == null ? Figures.text(alert.getValue()) : "a text",
                    alert.getOperator(),
                    Figures.text(alert.getBound()),
                    explanation.getViolations(),
                    explanation.getOf()))
        .span(
            alert.getSince(),
            alert.getCanceledAt() == null ? clock.instant() : alert.getCanceledAt())
        .put("alert", findings.alert(alert))
        .put(
            "explanation",
            row(
                "text", explanation.getText(),
                "subject", Inventory.row(explanation.getSubject()),
                "metric", explanation.getKey(),
                "unit", explanation.getUnit(),
                "value", Figures.of(explanation.getValue()),
                "bound", Figures.of(explanation.getBound()),
                "factor", Figures.of(explanation.getFactor()),
                "since", explanation.getSince()))
        .rows(
            "conditions",
            alert.getMembers().stream().map(AlertTools::member).toList(),
            alert.getMemberCount())
        .rows(
            "nearbySymptoms",
            related.getSymptoms().stream().limit(FEW).map(AlertTools::symptom).toList(),
            related.getSymptoms().size())
        .rows(
            "changesBefore",
            related.getChanges().stream().limit(FEW).map(InventoryTools::change).toList(),
            related.getChanges().size())
        .rows(
            "earlierAlerts",
            related.getEarlier().stream().limit(5).map(findings::alert).toList(),
            related.getEarlier().size())
        .rows(
            "history",
            history.getItems().stream().map(AlertTools::step).toList(),
            history.getTotal())
        .rows(
            "recommendations",
            alert.getRecommendations().stream().map(text -> row("text", text)).toList())
        .link(links.alert(id));
  }

  private static Map<String, Object> member(AlertMember one) {
    return row(
        "threshold", one.getThreshold().getName(),
        "object", Inventory.row(one.getObject()),
        "metric", one.getKey(),
        "instance", one.getInstance(),
        "severity", one.getSeverity().getValue(),
        "value", one.getText() != null ? one.getText() : Figures.of(one.getValue()),
        "operator", one.getOperator(),
        "bound", Figures.of(one.getBound()),
        "upper", Figures.of(one.getUpper()),
        "unit", one.getUnit(),
        "since", one.getSince());
  }

  private static Map<String, Object> symptom(RelatedSymptom one) {
    Map<String, Object> row = row("where", one.getRelation().getValue());
    row.putAll(member(one.getSymptom()));
    return row;
  }

  private static Map<String, Object> step(AlertHistoryItem one) {
    return row(
        "time", one.getTime(),
        "event", one.getEvent().getValue(),
        "by", one.getBy(),
        "severity", one.getSeverity().getValue(),
        "value", one.getText() != null ? one.getText() : Figures.of(one.getValue()),
        "bound", Figures.of(one.getBound()),
        "note", one.getNote());
  }

  private Answer outliers(Arguments arguments) {
    UUID object = inventory.idOf("object", arguments.text("object"));
    UUID below = inventory.idOf("below", arguments.text("below"));
    String state = arguments.text("state", "open");
    List<OutlierEventStatus> states =
        switch (state) {
          case "open" -> List.of(OutlierEventStatus.OPEN, OutlierEventStatus.UNKNOWN);
          case "closed" -> List.of(OutlierEventStatus.CLOSED);
          default -> null;
        };
    String from = moment(arguments, "from");
    String to = moment(arguments, "to");
    OutlierEventPage page =
        new OutlierSearch()
            .states(states)
            .severities(severities(arguments))
            .objects(object == null ? null : List.of(object))
            .below(below)
            .words(arguments.text("text"))
            .between(from, to)
            .find(findings.outliers(), arguments.number("limit", 20));
    return new Answer()
        .summary(page.getTotal() + " outlier events (" + state + ").")
        .put("at", clock.instant())
        .put("from", from)
        .put("to", to)
        .rows("outliers", page.getItems().stream().map(findings::outlier).toList(), page.getTotal())
        .link(links.to("/outliers", "tab", "events"));
  }

  private Answer explainOutlier(Arguments arguments) {
    UUID id = id(arguments, "list_outliers");
    OutlierEventDetails details = body(findings.outliers().getOutlierEvent(id));
    OutlierEvent event = details.getEvent();
    OutlierExplanation explanation = event.getExplanation();
    return new Answer()
        .summary(
            "Value %s, middle of the peers %s (%s to %s); score %s against the limit %s; %d of %d buckets; %d of %d members were judged."
                .formatted(
                    Figures.text(explanation.getValue()),
                    Figures.text(explanation.getCentre()),
                    Figures.text(explanation.getLower()),
                    Figures.text(explanation.getUpper()),
                    Figures.text(explanation.getScore()),
                    Figures.text(explanation.getLimit()),
                    event.getViolations(),
                    event.getOf(),
                    event.getJudged(),
                    event.getMembers()))
        .span(event.getSince(), event.getClosedAt() == null ? clock.instant() : event.getClosedAt())
        .put("event", findings.outlier(event))
        .put(
            "explanation",
            row(
                "text", explanation.getText(),
                "metric", explanation.getKey(),
                "unit", explanation.getUnit(),
                "value", Figures.of(explanation.getValue()),
                "peersMiddle", Figures.of(explanation.getCentre()),
                "peersLow", Figures.of(explanation.getPeersLow()),
                "peersHigh", Figures.of(explanation.getPeersHigh()),
                "factor", Figures.of(explanation.getFactor()),
                "aWeekAgo", Figures.of(explanation.getWeekAgo()),
                "groupMoved", explanation.getGroupMoved()))
        .rows("metrics", event.getMetrics().stream().map(Findings::metric).toList())
        .rows("properties", event.getProperties().stream().map(Findings::property).toList())
        .rows(
            "setsApart",
            details.getApart().stream().limit(FEW).map(AlertTools::trait).toList(),
            details.getApart().size())
        .rows(
            "otherMetrics",
            details.getOtherMetrics().stream().limit(FEW).map(AlertTools::other).toList(),
            details.getOtherMetrics().size())
        .rows(
            "changesNearIt",
            details.getChanges().stream().limit(FEW).map(AlertTools::nearby).toList(),
            details.getChanges().size())
        .link(links.outlier(id));
  }

  private static Map<String, Object> trait(OutlierTrait one) {
    return row(
        "kind", one.getKind().getValue(),
        "key", one.getKey(),
        "value", one.getValue(),
        "ofPeers", one.getCommon(),
        "peersWithThat", one.getCommonCount(),
        "peersWithSame", one.getSameCount(),
        "peers", one.getOf(),
        "changedAt", one.getChangedAt(),
        "before", one.getBefore());
  }

  private static Map<String, Object> other(OutlierOtherMetric one) {
    return row(
        "key", one.getKey(),
        "unit", one.getUnit(),
        "value", Figures.of(one.getValue()),
        "peersMiddle", Figures.of(one.getCentre()),
        "factor", Figures.of(one.getFactor()),
        "score", Figures.of(one.getScore()));
  }

  private static Map<String, Object> nearby(OutlierNearbyChange one) {
    return row(
        "time", one.getTime(),
        "kind", one.getKind().getValue(),
        "object", Inventory.row(one.getObject()),
        "key", one.getKey(),
        "before", one.getBefore(),
        "after", one.getAfter(),
        "by", one.getAuthor(),
        "secondsBefore", one.getSecondsBefore());
  }
}
