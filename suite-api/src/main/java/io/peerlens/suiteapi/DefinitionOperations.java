package io.peerlens.suiteapi;

import io.peerlens.api.AlertDefinitionsApi;
import io.peerlens.api.ThresholdsApi;
import io.peerlens.api.model.AlertCondition;
import io.peerlens.api.model.AlertConditionType;
import io.peerlens.api.model.AlertDefinition;
import io.peerlens.api.model.AlertDefinitionSort;
import io.peerlens.api.model.Bound;
import io.peerlens.api.model.BoundType;
import io.peerlens.api.model.ConditionOperator;
import io.peerlens.api.model.ConditionType;
import io.peerlens.api.model.Threshold;
import io.peerlens.api.model.ThresholdAlert;
import io.peerlens.api.model.ThresholdCondition;
import io.peerlens.api.model.ThresholdLevel;
import io.peerlens.api.model.ThresholdSort;
import io.peerlens.audit.AuditedWork;
import io.peerlens.suiteapi.AlertReadQueries.Other;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Definitions of alerts and symptoms, and recommendations. A threshold is a symptom definition, and
 * an alert definition as well when it gives alerts by itself.
 */
final class DefinitionOperations {

  private static final int MOST = 10_000;

  /** Clients of this API know no versions. */
  private static final String ANY_VERSION = "*";

  private final AlertDefinitionsApi alerts;
  private final ThresholdsApi thresholds;
  private final AlertReadQueries queries;
  private final AuditedWork audit;

  DefinitionOperations(
      AlertDefinitionsApi alerts,
      ThresholdsApi thresholds,
      AlertReadQueries queries,
      AuditedWork audit) {
    this.alerts = alerts;
    this.thresholds = thresholds;
    this.queries = queries;
    this.audit = audit;
  }

  void addTo(Routes routes) {
    routes
        .get("/api/alertdefinitions", this::alertDefinitions)
        .get(
            "/api/alertdefinitions/{id}",
            call -> Answer.ok(one(alertDefinitions(), call, "alert definition")))
        .delete("/api/alertdefinitions/{id}", this::deleteAlertDefinition)
        .post("/api/alertdefinitions", DefinitionOperations::notHere)
        .put("/api/alertdefinitions", DefinitionOperations::notHere)
        .put("/api/alertdefinitions/{id}/enable", DefinitionOperations::notHere)
        .put("/api/alertdefinitions/{id}/disable", DefinitionOperations::notHere)
        .get("/api/symptomdefinitions", this::symptomDefinitions)
        .get(
            "/api/symptomdefinitions/{id}",
            call -> Answer.ok(one(symptomDefinitions(), call, "symptom definition")))
        .delete("/api/symptomdefinitions/{id}", this::deleteSymptomDefinition)
        .post("/api/symptomdefinitions", DefinitionOperations::notHere)
        .put("/api/symptomdefinitions", DefinitionOperations::notHere)
        .get("/api/recommendations", this::recommendations)
        .get("/api/recommendations/{id}", this::recommendation);
  }

  private static Answer notHere(Call call) {
    throw SuiteException.of(
        501, "Definitions are created and changed on the pages and by /api/v1, not by this API.");
  }

  /** A definition: what lists filter by, and its form. */
  private record Definition(
      String id, String name, String adapterKind, String resourceKind, Object form) {}

  private static Object one(List<Definition> all, Call call, String what) {
    String id = call.variable("id");
    return all.stream()
        .filter(one -> one.id().equalsIgnoreCase(id))
        .findFirst()
        .orElseThrow(() -> SuiteException.notFound(what, id))
        .form();
  }

  private static Answer page(Call call, List<Definition> all, String member) {
    Given query = call.query();
    List<String> ids = query.lower("id");
    List<String> adapterKinds = query.lower("adapterKind");
    List<String> resourceKinds = query.lower("resourceKind");
    String name = query.text("name");
    List<Definition> found =
        all.stream()
            .filter(one -> ids.isEmpty() || ids.contains(lower(one.id())))
            .filter(
                one -> adapterKinds.isEmpty() || adapterKinds.contains(lower(one.adapterKind())))
            .filter(
                one -> resourceKinds.isEmpty() || resourceKinds.contains(lower(one.resourceKind())))
            .filter(one -> name == null || lower(one.name()).contains(lower(name)))
            .toList();
    Call.Page page = call.page();
    return Answer.ok(
        Json.object(
            "pageInfo",
            Call.pageInfo(page, found.size()),
            "links",
            call.links(page, found.size()),
            member,
            page.of(found).stream().map(Definition::form).toList()));
  }

  private static String lower(String text) {
    return text.toLowerCase(Locale.ROOT);
  }

  private Answer alertDefinitions(Call call) {
    return page(call, alertDefinitions(), "alertDefinitions");
  }

  private Answer symptomDefinitions(Call call) {
    return page(call, symptomDefinitions(), "symptomDefinitions");
  }

  private List<Threshold> thresholds() {
    return Objects.requireNonNull(
            thresholds
                .listThresholds(
                    null, null, null, null, null, null, null, ThresholdSort.NAME, MOST, null)
                .getBody())
        .getItems();
  }

  private List<AlertDefinition> definitions() {
    return Objects.requireNonNull(
            alerts
                .listAlertDefinitions(
                    null,
                    null,
                    null,
                    null,
                    null,
                    null,
                    null,
                    null,
                    AlertDefinitionSort.NAME,
                    MOST,
                    null)
                .getBody())
        .getItems();
  }

  // ---------------------------------------------------------------------------------------- alerts

  private List<Definition> alertDefinitions() {
    List<Definition> all = new ArrayList<>();
    for (AlertDefinition one : definitions()) {
      all.add(
          definition(
              one.getId().toString(),
              one.getName(),
              one.getDescription(),
              one.getObjectKind().getAdapterKind(),
              one.getObjectKind().getObjectKind(),
              one.getWaitCycles(),
              one.getCancelCycles(),
              one.getType(),
              one.getSubType(),
              one.getSeverity().getValue(),
              symptoms(one.getCondition()),
              one.getImpact().getValue(),
              one.getRecommendations()));
    }
    for (Threshold one : thresholds()) {
      ThresholdAlert alert = one.getAlert();
      if (alert != null) {
        all.add(
            definition(
                one.getId().toString(),
                one.getName(),
                one.getDescription(),
                one.getObjectKind().getAdapterKind(),
                one.getObjectKind().getObjectKind(),
                1,
                1,
                alert.getType(),
                alert.getSubType(),
                "auto",
                set("SELF", "ANY", List.of(one.getId().toString())),
                alert.getImpact().getValue(),
                alert.getRecommendations() == null ? List.of() : alert.getRecommendations()));
      }
    }
    for (Other one : queries.others()) {
      all.add(
          definition(
              one.id().toString(),
              one.name(),
              null,
              one.adapterKind(),
              one.objectKind(),
              1,
              1,
              null,
              null,
              AlertOperations.level(one.severity()),
              set("SELF", "ANY", List.of()),
              one.impact(),
              List.of()));
    }
    return all;
  }

  private static Definition definition(
      String id,
      String name,
      @Nullable String description,
      String adapterKind,
      String resourceKind,
      int waitCycles,
      int cancelCycles,
      @Nullable String type,
      @Nullable String subType,
      String severity,
      Object symptoms,
      String impact,
      List<String> recommendations) {
    Map<String, Integer> priorities = new LinkedHashMap<>();
    for (String text : recommendations) {
      priorities.put(recommendationId(text), priorities.size() + 1);
    }
    return new Definition(
        id,
        name,
        adapterKind,
        resourceKind,
        Json.object(
            "id",
            id,
            "name",
            name,
            "description",
            description == null ? "" : description,
            "adapterKindKey",
            adapterKind,
            "resourceKindKey",
            resourceKind,
            "waitCycles",
            waitCycles,
            "cancelCycles",
            cancelCycles,
            "type",
            number(type, 15),
            "subType",
            number(subType, 19),
            "states",
            List.of(
                Json.object(
                    "severity",
                    severity.toUpperCase(Locale.ROOT),
                    "base-symptom-set",
                    symptoms,
                    "impact",
                    Json.object("impactType", "BADGE", "detail", impact),
                    "recommendationPriorityMap",
                    priorities))));
  }

  private static int number(@Nullable String text, int otherwise) {
    return text != null && text.matches("\\d{1,6}") ? Integer.parseInt(text) : otherwise;
  }

  private static Object set(String relation, String aggregation, List<String> ids) {
    return Json.object(
        "type",
        "SYMPTOM_SET",
        "relation",
        relation,
        "aggregation",
        aggregation,
        "symptomSetOperator",
        "OR",
        "symptomDefinitionIds",
        ids);
  }

  private static Object symptoms(AlertCondition condition) {
    if (condition.getType() == AlertConditionType.THRESHOLD) {
      return set(
          condition.getOn() == null
              ? "SELF"
              : condition.getOn().getValue().toUpperCase(Locale.ROOT),
          condition.getPopulation() == null
              ? "ANY"
              : condition.getPopulation().getType().getValue().toUpperCase(Locale.ROOT),
          List.of(String.valueOf(condition.getThreshold())));
    }
    List<AlertCondition> inner =
        condition.getConditions() == null ? List.of() : condition.getConditions();
    if (condition.getType() == AlertConditionType.NOT
        && inner.size() == 1
        && inner.getFirst().getType() == AlertConditionType.THRESHOLD) {
      return set("SELF", "ANY", List.of("!" + inner.getFirst().getThreshold()));
    }
    return Json.object(
        "type",
        "SYMPTOM_SET_COMPOSITE",
        "operator",
        condition.getType() == AlertConditionType.ANY ? "OR" : "AND",
        "symptom-sets",
        inner.stream().map(DefinitionOperations::symptoms).toList());
  }

  private Answer deleteAlertDefinition(Call call) {
    UUID id = call.id("alert definition");
    audit.run(
        call.request(),
        "deleteAlertDefinition",
        "alert-definitions",
        id.toString(),
        () -> alerts.deleteAlertDefinition(id, ANY_VERSION));
    return Answer.empty(204);
  }

  // -------------------------------------------------------------------------------------- symptoms

  private List<Definition> symptomDefinitions() {
    return thresholds().stream().map(DefinitionOperations::symptom).toList();
  }

  private static Definition symptom(Threshold one) {
    String adapterKind = one.getObjectKind().getAdapterKind();
    String resourceKind = one.getObjectKind().getObjectKind();
    ThresholdCondition condition = one.getCondition();
    ThresholdLevel level = condition.getLevels().getLast();
    return new Definition(
        one.getId().toString(),
        one.getName(),
        adapterKind,
        resourceKind,
        Json.object(
            "id",
            one.getId().toString(),
            "name",
            one.getName(),
            "adapterKindKey",
            adapterKind,
            "resourceKindKey",
            resourceKind,
            "waitCycles",
            Objects.requireNonNullElse(one.getTrigger().getViolations(), 1),
            "cancelCycles",
            Objects.requireNonNullElse(one.getTrigger().getClearAfter(), 1),
            "state",
            Json.object(
                "severity",
                level.getSeverity().getValue().toUpperCase(Locale.ROOT),
                "condition",
                condition(condition, level))));
  }

  private static Object condition(ThresholdCondition condition, ThresholdLevel level) {
    ConditionOperator operator = condition.getOperator();
    Bound bound = level.getBound() == null ? level.getUpper() : level.getBound();
    Double value = bound == null ? null : bound.getValue();
    String target = bound == null ? null : bound.getKey();
    boolean instanced = Boolean.TRUE.equals(condition.getInstances());
    if (condition.getType() == ConditionType.PROPERTY) {
      boolean number = value != null;
      return Json.object(
          "type",
          number ? "CONDITION_PROPERTY_NUMERIC" : "CONDITION_PROPERTY_STRING",
          "key",
          condition.getKey(),
          "operator",
          word(operator),
          number ? "value" : "stringValue",
          number ? String.valueOf(value) : Objects.requireNonNullElse(level.getText(), ""),
          "thresholdType",
          "STATIC");
    }
    if (bound != null && bound.getType() == BoundType.LEARNED) {
      return Json.object(
          "type",
          "CONDITION_DT",
          "key",
          condition.getKey(),
          "operator",
          operator == ConditionOperator.LT || operator == ConditionOperator.LE
              ? "DT_BELOW"
              : operator == ConditionOperator.OUTSIDE ? "DT_ABNORMAL" : "DT_ABOVE",
          "instanced",
          instanced);
    }
    return Json.object(
        "type",
        "CONDITION_HT",
        "key",
        condition.getKey(),
        "operator",
        word(operator),
        "value",
        value == null ? "0" : String.valueOf(value),
        "valueType",
        "NUMERIC",
        "instanced",
        instanced,
        "thresholdType",
        target != null ? "STATKEY" : "STATIC",
        "targetKey",
        target);
  }

  private static String word(@Nullable ConditionOperator operator) {
    if (operator == null) {
      return "EQ";
    }
    return switch (operator) {
      case GE -> "GT_EQ";
      case LE -> "LT_EQ";
      case NE -> "NOT_EQ";
      case INSIDE, OUTSIDE -> operator == ConditionOperator.OUTSIDE ? "GT" : "LT";
      case MATCHES -> "REGEX";
      case NOT_MATCHES -> "NOT_REGEX";
      default -> operator.getValue().toUpperCase(Locale.ROOT).replace('-', '_');
    };
  }

  private Answer deleteSymptomDefinition(Call call) {
    UUID id = call.id("symptom definition");
    audit.run(
        call.request(),
        "deleteThreshold",
        "thresholds",
        id.toString(),
        () -> thresholds.deleteThreshold(id, ANY_VERSION));
    return Answer.empty(204);
  }

  // ------------------------------------------------------------------------------- recommendations

  private static String recommendationId(String text) {
    return "Recommendation-" + UUID.nameUUIDFromBytes(text.getBytes(StandardCharsets.UTF_8));
  }

  private Map<String, String> texts() {
    Map<String, String> texts = new LinkedHashMap<>();
    definitions()
        .forEach(one -> one.getRecommendations().forEach(t -> texts.put(recommendationId(t), t)));
    for (Threshold one : thresholds()) {
      ThresholdAlert alert = one.getAlert();
      if (alert != null && alert.getRecommendations() != null) {
        alert.getRecommendations().forEach(t -> texts.put(recommendationId(t), t));
      }
    }
    return texts;
  }

  private Answer recommendations(Call call) {
    List<Map.Entry<String, String>> all = List.copyOf(texts().entrySet());
    Call.Page page = call.page();
    return Answer.ok(
        Json.object(
            "pageInfo",
            Call.pageInfo(page, all.size()),
            "links",
            call.links(page, all.size()),
            "recommendations",
            page.of(all).stream()
                .map(one -> Json.object("id", one.getKey(), "description", one.getValue()))
                .toList()));
  }

  private Answer recommendation(Call call) {
    String id = call.variable("id");
    String text = texts().get(id);
    if (text == null) {
      throw SuiteException.notFound("recommendation", id);
    }
    return Answer.ok(Json.object("id", id, "description", text));
  }
}
