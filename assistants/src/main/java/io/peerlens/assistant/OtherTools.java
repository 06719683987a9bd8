package io.peerlens.assistant;

import static io.peerlens.assistant.Answer.row;
import static io.peerlens.assistant.Inventory.body;

import io.peerlens.api.SuperMetricsApi;
import io.peerlens.api.TopTalkersApi;
import io.peerlens.api.model.FormulaCheck;
import io.peerlens.api.model.FormulaCheckRequest;
import io.peerlens.api.model.FormulaInput;
import io.peerlens.api.model.FormulaIssue;
import io.peerlens.api.model.ObjectKind;
import io.peerlens.api.model.ObjectKindRef;
import io.peerlens.api.model.TalkerComparison;
import io.peerlens.api.model.TalkerDimension;
import io.peerlens.api.model.TalkerDirection;
import io.peerlens.api.model.TalkerMeasure;
import io.peerlens.api.model.TopTalker;
import io.peerlens.api.model.TopTalkers;
import io.peerlens.api.model.TrafficType;
import io.peerlens.load.ReadOperations;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/** Tools about traffic and formulas. */
final class OtherTools {

  private final ReadOperations operations;
  private final Inventory inventory;
  private final PageLinks links;
  private final InstantSource clock;

  OtherTools(ReadOperations operations, Inventory inventory, PageLinks links, InstantSource clock) {
    this.operations = operations;
    this.inventory = inventory;
    this.links = links;
    this.clock = clock;
  }

  List<Tool> tools() {
    return List.of(
        new Tool(
            "top_talkers",
            "Top talkers",
            "Ranks who uses the network, from flows: machines, hosts, networks, ports, pairs and others, with the share of each and how it was before.",
            List.of(
                Parameter.oneOf(
                        "by",
                        "What is ranked.",
                        Arrays.stream(TalkerDimension.values())
                            .map(TalkerDimension::getValue)
                            .toList())
                    .needed(),
                Parameter.oneOf(
                    "measure",
                    "By what; default bytes.",
                    Arrays.stream(TalkerMeasure.values()).map(TalkerMeasure::getValue).toList()),
                Parameter.oneOf("direction", "Default both.", List.of("sent", "received", "both")),
                Parameter.oneOf(
                    "trafficType",
                    "Only traffic of this type.",
                    Arrays.stream(TrafficType.values()).map(TrafficType::getValue).toList()),
                Parameter.texts("ports", "Only these services, such as 443/tcp or 53.", 20),
                Parameter.text("object", "Only traffic of this object: its id or name."),
                TimeSpan.FROM,
                TimeSpan.TO,
                Parameter.number("limit", "How many; default 10.", 1, Answer.ROWS)),
            this::talkers),
        new Tool(
            "validate_super_metric",
            "Check a formula",
            "Checks the formula of a super metric and names each mistake with its place and a remedy; nothing is stored.",
            List.of(
                Parameter.text("formula", "The formula, in the language of vRealize Operations.")
                    .needed(),
                Parameter.text("kind", "Kind of the objects it is computed for, such as vm.")),
            this::formula));
  }

  private Answer talkers(Arguments arguments) {
    TimeSpan span = TimeSpan.of(arguments, Duration.ofHours(1), clock.instant());
    String type = arguments.text("trafficType");
    List<String> ports = arguments.texts("ports");
    UUID object = inventory.idOf("object", arguments.text("object"));
    TopTalkers result =
        body(
            operations
                .of(TopTalkersApi.class)
                .topTalkers(
                    TalkerDimension.fromValue(arguments.text("by", "vm")),
                    TalkerMeasure.fromValue(arguments.text("measure", "bytes")),
                    TalkerDirection.fromValue(arguments.text("direction", "both")),
                    span.from().toString(),
                    span.to().toString(),
                    type == null ? null : TrafficType.fromValue(type),
                    ports.isEmpty() ? null : ports,
                    object == null ? null : List.of(object.toString()),
                    null, // scope of the peer
                    null, // networks
                    null, // tiers
                    List.of(TalkerComparison.BEFORE),
                    false, // what is usual
                    false, // sparkline
                    arguments.number("limit", 10)));
    long all = result.getItems().size() + (long) result.getOthers().getTalkers();
    return new Answer()
        .summary(
            "%s %s in all, of %d talkers."
                .formatted(Figures.text(result.getTotal()), result.getUnit(), all))
        .span(Instant.ofEpochMilli(result.getFrom()), Instant.ofEpochMilli(result.getTo()))
        .put("by", result.getBy().getValue())
        .put("measure", result.getMeasure().getValue())
        .put("direction", result.getDirection().getValue())
        .put("unit", result.getUnit())
        .put("total", Figures.of(result.getTotal()))
        .put("unassigned", Figures.of(result.getUnassigned()))
        .rows("talkers", result.getItems().stream().map(OtherTools::talker).toList(), all)
        .put("hint", result.getHint())
        .link(
            links.to(
                "/top-talkers",
                "by",
                result.getBy().getValue(),
                "from",
                span.from(),
                "to",
                span.to()));
  }

  private static Map<String, Object> talker(TopTalker one) {
    return row(
        "rank", one.getRank(),
        "name", one.getTalker().getName(),
        "object", Inventory.row(one.getTalker().getObject()),
        "value", Figures.of(one.getValue()),
        "share", Figures.of(one.getShare()),
        "meanBitsPerSecond", Figures.of(one.getMeanRate()),
        "peakMinuteBitsPerSecond", Figures.of(one.getPeakMinuteRate()),
        "before", one.getBefore() == null ? null : Figures.of(one.getBefore().getValue()),
        "changeFromBefore",
            one.getBefore() == null ? null : Figures.of(one.getBefore().getChange()));
  }

  private Answer formula(Arguments arguments) {
    String kindWords = arguments.text("kind");
    ObjectKind kind = kindWords == null ? null : inventory.kind("kind", kindWords);
    FormulaCheckRequest request = new FormulaCheckRequest(arguments.text("formula", ""));
    if (kind != null) {
      request.kinds(List.of(new ObjectKindRef(kind.getAdapterKind(), kind.getObjectKind())));
    }
    FormulaCheck check = body(operations.of(SuperMetricsApi.class).validateFormula(request));
    return new Answer()
        .summary("The formula is: " + check.getValidity().getValue() + ".")
        .put("at", clock.instant())
        .put("validity", check.getValidity().getValue())
        .rows("issues", check.getIssues().stream().map(OtherTools::issue).toList())
        .rows("inputs", check.getInputs().stream().map(OtherTools::input).toList())
        .put("formatted", check.getFormatted())
        .link(links.to("/super-metrics"));
  }

  private static Map<String, Object> issue(FormulaIssue one) {
    return row(
        "severity", one.getSeverity().getValue(),
        "code", one.getCode(),
        "line", one.getLine(),
        "column", one.getColumn(),
        "message", one.getMessage(),
        "hint", one.getHint());
  }

  private static Map<String, Object> input(FormulaInput one) {
    return row(
        "kind", one.getAdapterKind() + "/" + one.getObjectKind(),
        "key", one.getKey(),
        "known", one.getKnown());
  }
}
