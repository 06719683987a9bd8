package io.peerlens.suiteapi;

import io.peerlens.api.AlertDefinitionsApi;
import io.peerlens.api.ThresholdsApi;
import io.peerlens.api.model.AlertDefinition;
import io.peerlens.api.model.AlertDefinitionCreation;
import io.peerlens.api.model.AlertDefinitionEdit;
import io.peerlens.api.model.AlertDefinitionSort;
import io.peerlens.api.model.ObjectKindRef;
import io.peerlens.api.model.Threshold;
import io.peerlens.api.model.ThresholdAlert;
import io.peerlens.api.model.ThresholdEdit;
import io.peerlens.api.model.ThresholdSort;
import io.peerlens.audit.AuditedWork;
import io.peerlens.suiteapi.AlertReadQueries.Other;
import io.peerlens.suiteapi.ResourceKindQueries.Kind;
import io.peerlens.web.Versions;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Collectors;

/**
 * Definitions of alerts and symptoms, and recommendations. A threshold is a symptom definition, and
 * an alert definition as well when it gives alerts by itself.
 */
final class DefinitionOperations {

  private static final int MOST = 10_000;

  /** Clients of this API know no versions. */
  private static final String ANY_VERSION = "*";

  private static final String ALERT_DEFINITION = "alert definition";
  private static final String SYMPTOM_DEFINITION = "symptom definition";

  private final AlertDefinitionsApi alerts;
  private final ThresholdsApi thresholds;
  private final AlertReadQueries queries;
  private final ResourceKindQueries kinds;
  private final DefinitionChecks checks;
  private final AuditedWork audit;

  DefinitionOperations(
      AlertDefinitionsApi alerts,
      ThresholdsApi thresholds,
      AlertReadQueries queries,
      ResourceKindQueries kinds,
      DefinitionChecks checks,
      AuditedWork audit) {
    this.alerts = alerts;
    this.thresholds = thresholds;
    this.queries = queries;
    this.kinds = kinds;
    this.checks = checks;
    this.audit = audit;
  }

  void addTo(Routes routes) {
    routes
        .get("/api/alertdefinitions", this::alertDefinitions)
        .get(
            "/api/alertdefinitions/{id}",
            call -> Answer.ok(one(alertDefinitions(), call, ALERT_DEFINITION)))
        .post("/api/alertdefinitions", this::createAlertDefinition)
        .put("/api/alertdefinitions", this::changeAlertDefinition)
        .put("/api/alertdefinitions/{id}/enable", call -> enable(call, true))
        .put("/api/alertdefinitions/{id}/disable", call -> enable(call, false))
        .delete("/api/alertdefinitions/{id}", this::deleteAlertDefinition)
        .get("/api/symptomdefinitions", this::symptomDefinitions)
        .get(
            "/api/symptomdefinitions/{id}",
            call -> Answer.ok(one(symptomDefinitions(), call, SYMPTOM_DEFINITION)))
        .post("/api/symptomdefinitions", this::createSymptomDefinition)
        .put("/api/symptomdefinitions", this::changeSymptomDefinition)
        .delete("/api/symptomdefinitions/{id}", this::deleteSymptomDefinition)
        .get("/api/recommendations", this::recommendations)
        .get("/api/recommendations/{id}", this::recommendation);
  }

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

  /** The kind that a definition is about, as it is known here, whatever its case. */
  private Kind kind(Given body) {
    String adapterKind = body.need("adapterKindKey").strip();
    String resourceKind = body.need("resourceKindKey").strip();
    return kinds.kind(adapterKind, resourceKind).orElse(new Kind(adapterKind, resourceKind));
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

  private Answer alertDefinitions(Call call) {
    return page(call, alertDefinitions(), "alertDefinitions");
  }

  private List<Definition> alertDefinitions() {
    List<Definition> all = new ArrayList<>();
    definitions().forEach(one -> all.add(AlertDefinitionForm.of(one)));
    for (Threshold one : thresholds()) {
      ThresholdAlert alert = one.getAlert();
      if (alert != null) {
        all.add(
            AlertDefinitionForm.of(
                one.getId().toString(),
                one.getName(),
                one.getDescription(),
                one.getObjectKind(),
                1,
                1,
                alert.getType(),
                alert.getSubType(),
                "auto",
                AlertDefinitionForm.setOf(List.of(one.getId().toString())),
                alert.getImpact().getValue(),
                alert.getRecommendations() == null ? List.of() : alert.getRecommendations()));
      }
    }
    for (Other one : queries.others()) {
      all.add(
          AlertDefinitionForm.of(
              one.id().toString(),
              one.name(),
              null,
              new ObjectKindRef(one.adapterKind(), one.objectKind()),
              1,
              1,
              null,
              null,
              AlertOperations.level(one.severity()),
              AlertDefinitionForm.setOf(List.of()),
              one.impact(),
              List.of()));
    }
    return all;
  }

  private AlertDefinitionForm alertForm() {
    return new AlertDefinitionForm(
        thresholds().stream().map(Threshold::getId).collect(Collectors.toSet()), texts());
  }

  private Answer createAlertDefinition(Call call) {
    Given body = call.json();
    AlertDefinitionEdit edit = alertForm().read(body, kind(body), null);
    AlertDefinitionCreation wanted =
        new AlertDefinitionCreation(
            edit.getName(), edit.getObjectKind(), edit.getImpact(), edit.getCondition());
    List<String> id = body.texts("id");
    if (!id.isEmpty()) {
      wanted.setId(Given.uuid("id", id.getFirst()));
    }
    wanted.setDescription(edit.getDescription());
    wanted.setSeverity(edit.getSeverity());
    wanted.setWaitCycles(edit.getWaitCycles());
    wanted.setCancelCycles(edit.getCancelCycles());
    wanted.setRecommendations(edit.getRecommendations());
    wanted.setType(edit.getType());
    wanted.setSubType(edit.getSubType());
    return Answer.created(
        AlertDefinitionForm.of(
                checks.store(
                    wanted,
                    AlertDefinitionForm::path,
                    () ->
                        audit.run(
                            call.request(),
                            "createAlertDefinition",
                            "alert-definitions",
                            null,
                            () ->
                                Objects.requireNonNull(
                                    alerts.createAlertDefinition(wanted).getBody()))))
            .form());
  }

  private Answer changeAlertDefinition(Call call) {
    Given body = call.json();
    UUID id = Given.uuid("id", body.need("id"));
    AlertDefinition before =
        alertDefinition(id)
            .orElseThrow(
                () ->
                    SuiteException.invalid(
                        "id",
                        id
                            + " is the rule of a threshold, of outliers or of a report, whose"
                            + " alerts cannot be changed here. Change it on the pages or by"
                            + " /api/v1"));
    AlertDefinitionEdit wanted = alertForm().read(body, kind(body), before);
    return Answer.ok(AlertDefinitionForm.of(put(call, before, wanted)).form());
  }

  private AlertDefinition put(Call call, AlertDefinition before, AlertDefinitionEdit wanted) {
    return checks.store(
        wanted,
        AlertDefinitionForm::path,
        () ->
            audit.run(
                call.request(),
                "putAlertDefinition",
                "alert-definitions",
                before.getId().toString(),
                () ->
                    Objects.requireNonNull(
                        alerts
                            .putAlertDefinition(
                                before.getId(), wanted, Versions.tag(before.getVersion()))
                            .getBody())));
  }

  /** One that is none of a threshold or of another rule; those exist, too, and so this is empty. */
  private Optional<AlertDefinition> alertDefinition(UUID id) {
    Optional<AlertDefinition> found =
        definitions().stream().filter(one -> one.getId().equals(id)).findFirst();
    if (found.isEmpty()
        && alertDefinitions().stream().noneMatch(one -> one.id().equals(id.toString()))) {
      throw SuiteException.notFound(ALERT_DEFINITION, id);
    }
    return found;
  }

  private Optional<Threshold> threshold(UUID id) {
    return thresholds().stream().filter(one -> one.getId().equals(id)).findFirst();
  }

  private Answer enable(Call call, boolean enabled) {
    UUID id = call.id(ALERT_DEFINITION);
    Optional<AlertDefinition> definition = alertDefinition(id);
    if (definition.isPresent()) {
      AlertDefinitionEdit wanted = AlertDefinitionForm.copy(definition.get());
      wanted.setEnabled(enabled);
      put(call, definition.get(), wanted);
      return Answer.empty(200);
    }
    Threshold threshold = ofThreshold(id);
    ThresholdEdit wanted = SymptomForm.copy(threshold);
    wanted.setEnabled(enabled);
    put(call, threshold, wanted);
    return Answer.empty(200);
  }

  private Threshold ofThreshold(UUID id) {
    return threshold(id)
        .orElseThrow(
            () ->
                SuiteException.of(
                    400,
                    "The alert definition "
                        + id
                        + " is a rule of outliers or a report of top talkers. Change it on the"
                        + " pages or by /api/v1."));
  }

  private Answer deleteAlertDefinition(Call call) {
    UUID id = call.id(ALERT_DEFINITION);
    if (alertDefinition(id).isPresent()) {
      audit.run(
          call.request(),
          "deleteAlertDefinition",
          "alert-definitions",
          id.toString(),
          () -> alerts.deleteAlertDefinition(id, ANY_VERSION));
    } else {
      // The symptom goes on; it only raises no alerts by itself any more.
      Threshold threshold = ofThreshold(id);
      ThresholdEdit wanted = SymptomForm.copy(threshold);
      wanted.setAlert(null);
      put(call, threshold, wanted);
    }
    return Answer.empty(204);
  }

  // -------------------------------------------------------------------------------------- symptoms

  private Answer symptomDefinitions(Call call) {
    return page(call, symptomDefinitions(), "symptomDefinitions");
  }

  private List<Definition> symptomDefinitions() {
    return thresholds().stream().map(SymptomForm::of).toList();
  }

  private Answer createSymptomDefinition(Call call) {
    Given body = call.json();
    ThresholdEdit wanted = SymptomForm.read(body, kind(body));
    return Answer.created(
        SymptomForm.of(
                checks.store(
                    wanted,
                    SymptomForm::path,
                    () ->
                        audit.run(
                            call.request(),
                            "createThreshold",
                            "thresholds",
                            null,
                            () ->
                                Objects.requireNonNull(
                                    thresholds.createThreshold(wanted).getBody()))))
            .form());
  }

  private Answer changeSymptomDefinition(Call call) {
    Given body = call.json();
    UUID id = Given.uuid("id", body.need("id"));
    Threshold before =
        threshold(id).orElseThrow(() -> SuiteException.notFound(SYMPTOM_DEFINITION, id));
    return Answer.ok(
        SymptomForm.of(put(call, before, SymptomForm.changed(before, body, kind(body)))).form());
  }

  private Threshold put(Call call, Threshold before, ThresholdEdit wanted) {
    return checks.store(
        wanted,
        SymptomForm::path,
        () ->
            audit.run(
                call.request(),
                "putThreshold",
                "thresholds",
                before.getId().toString(),
                () ->
                    Objects.requireNonNull(
                        thresholds
                            .putThreshold(before.getId(), wanted, Versions.tag(before.getVersion()))
                            .getBody())));
  }

  private Answer deleteSymptomDefinition(Call call) {
    UUID id = call.id(SYMPTOM_DEFINITION);
    audit.run(
        call.request(),
        "deleteThreshold",
        "thresholds",
        id.toString(),
        () -> thresholds.deleteThreshold(id, ANY_VERSION));
    return Answer.empty(204);
  }

  // ------------------------------------------------------------------------------- recommendations

  private Map<String, String> texts() {
    Map<String, String> texts = new LinkedHashMap<>();
    definitions()
        .forEach(
            one ->
                one.getRecommendations()
                    .forEach(t -> texts.put(AlertDefinitionForm.recommendationId(t), t)));
    for (Threshold one : thresholds()) {
      ThresholdAlert alert = one.getAlert();
      if (alert != null && alert.getRecommendations() != null) {
        alert
            .getRecommendations()
            .forEach(t -> texts.put(AlertDefinitionForm.recommendationId(t), t));
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
