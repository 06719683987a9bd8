package io.peerlens.suiteapi;

import io.peerlens.api.AlertsApi;
import io.peerlens.api.model.AlertAction;
import io.peerlens.api.model.AlertActionRequest;
import io.peerlens.api.model.AlertActionResult;
import io.peerlens.audit.AuditedWork;
import io.peerlens.suiteapi.AlertReadQueries.Alert;
import io.peerlens.suiteapi.AlertReadQueries.Filter;
import io.peerlens.suiteapi.AlertReadQueries.Member;
import io.peerlens.suiteapi.AlertReadQueries.Note;
import io.peerlens.suiteapi.AlertReadQueries.Symptom;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Alerts with their symptoms, and what people do with them. */
final class AlertOperations {

  private static final List<String> LEVELS =
      List.of("INFORMATION", "WARNING", "IMMEDIATE", "CRITICAL");
  private static final int LONGEST_NOTE = 4000;
  private static final long LONGEST_SUSPENSION = 366L * 24 * 60;

  private final AlertReadQueries queries;
  private final ResourceOperations resources;
  private final ResourceQueries known;
  private final AlertsApi alerts;
  private final AuditedWork audit;
  private final InstantSource clock;

  AlertOperations(
      AlertReadQueries queries,
      ResourceOperations resources,
      ResourceQueries known,
      AlertsApi alerts,
      AuditedWork audit,
      InstantSource clock) {
    this.queries = queries;
    this.resources = resources;
    this.known = known;
    this.alerts = alerts;
    this.audit = audit;
    this.clock = clock;
  }

  void addTo(Routes routes) {
    routes
        .get("/api/alerts", this::list)
        .ask("/api/alerts/query", this::query)
        .get("/api/alerts/{id}", this::one)
        .get("/api/alerts/contributingsymptoms", this::contributing)
        .get("/api/alerts/types", call -> Answer.ok(AlertDefinitionForm.types()))
        .get("/api/alerts/{id}/notes", this::notes)
        .post("/api/alerts/{id}/notes", this::addNote)
        .post("/api/alerts", this::act)
        .get("/api/symptoms", call -> symptoms(call, call.query().uuids("resourceId")))
        .ask(
            "/api/symptoms/query",
            call -> {
              Given body = call.json();
              Given in = body.in("resource-query", "resourceQuery");
              List<UUID> ids = in.uuids("resourceId");
              return symptoms(call, ids.isEmpty() ? body.uuids("resourceId") : ids);
            });
  }

  /** The vendor's word for a severity from 1 on. */
  static String level(int severity) {
    return LEVELS.get(Math.clamp(severity - 1L, 0, LEVELS.size() - 1));
  }

  private Answer list(Call call) {
    Given query = call.query();
    return page(
        call,
        new Filter(false)
            .ids("a.id", query.uuids("id"))
            .ids("o.uuid", query.uuids("resourceId"))
            .openOnly(query.flag("activeOnly", query.uuids("id").isEmpty())));
  }

  private Answer query(Call call) {
    Given body = call.body() == null ? Given.of(null, "") : call.json();
    Filter filter =
        new Filter(body.word("compositeOperator", "AND", List.of("AND", "OR")).equals("OR"))
            .openOnly(body.flag("activeOnly", false))
            .ids("a.id", body.uuids("alertId", "alertIds"))
            .texts("a.status", body.texts("alertStatus"))
            .texts("a.impact", body.texts("alertImpact"))
            .texts("a.definition_id::text", body.texts("alertDefinitionId"))
            .holds("a.definition_name", body.text("alertName"));
    List<Integer> severities = new ArrayList<>();
    for (String level : body.texts("alertCriticality")) {
      severities.add(LEVELS.indexOf(level.toUpperCase(Locale.ROOT)) + 1);
    }
    filter.numbers("a.severity", severities);
    List<String> states = new ArrayList<>();
    for (String state : body.texts("alertControlState")) {
      switch (state.toUpperCase(Locale.ROOT)) {
        case "OPEN" -> states.addAll(List.of("open", "acknowledged"));
        case "ASSIGNED" -> states.add("assigned");
        default -> states.add(state);
      }
    }
    filter.texts(
        "case when a.control_state in ('open', 'acknowledged') and a.owner is not null"
            + " then 'assigned' else a.control_state end",
        states);
    range(filter, body.in("startTimeRange"), "a.opened_at");
    range(filter, body.in("updateTimeRange"), "a.updated_at");
    range(filter, body.in("cancelTimeRange"), "a.canceled_at");
    ResourceFilter of = ResourceFilter.of(body.in("resource-query", "resourceQuery"));
    if (!of.isEmpty()) {
      List<Integer> ids = new ArrayList<>(resources.ids(of));
      if (body.flag("includeChildrenResources", false)) {
        ids.addAll(resources.below(ids));
      }
      if (ids.isEmpty()) {
        filter.none();
      } else {
        filter.numbers("a.object_id", ids);
      }
    }
    return page(call, filter);
  }

  private static void range(Filter filter, Given range, String column) {
    filter.between(column, range.whole("startTime"), range.whole("endTime"));
  }

  private Answer page(Call call, Filter filter) {
    Call.Page page = call.page();
    long total = queries.count(filter);
    List<Alert> found =
        page.offset() >= total ? List.of() : queries.find(filter, page.offset(), page.size());
    return Answer.ok(
        Json.object(
            "pageInfo",
            Call.pageInfo(page, total),
            "links",
            call.links(page, total),
            "alerts",
            found.stream().map(AlertOperations::form).toList()));
  }

  private Answer one(Call call) {
    return Answer.ok(form(alert(call)));
  }

  private Alert alert(Call call) {
    UUID id = call.id("alert");
    List<Alert> found = queries.find(new Filter(false).ids("a.id", List.of(id)), 0, 1);
    if (found.isEmpty()) {
      throw SuiteException.notFound("alert", id);
    }
    return found.getFirst();
  }

  private static Object form(Alert alert) {
    boolean assigned =
        alert.owner() != null && List.of("open", "acknowledged").contains(alert.control());
    return Json.object(
        "alertId",
        alert.id(),
        "resourceId",
        alert.resource(),
        "alertLevel",
        level(alert.severity()),
        "type",
        String.valueOf(AlertDefinitionForm.type(alert.type())),
        "subType",
        String.valueOf(AlertDefinitionForm.subType(alert.subType())),
        "status",
        alert.status().toUpperCase(Locale.ROOT),
        "startTimeUTC",
        alert.opened().toEpochMilli(),
        "cancelTimeUTC",
        alert.canceled() == null ? 0 : alert.canceled().toEpochMilli(),
        "updateTimeUTC",
        alert.updated().toEpochMilli(),
        "suspendUntilTimeUTC",
        alert.suspended() == null ? 0 : alert.suspended().toEpochMilli(),
        "controlState",
        assigned
            ? "ASSIGNED"
            : alert.control().equals("acknowledged")
                ? "OPEN"
                : alert.control().toUpperCase(Locale.ROOT),
        "statKey",
        alert.members().isEmpty() ? null : alert.members().getFirst().key(),
        "ownerName",
        alert.owner(),
        "alertDefinitionId",
        alert.definition().toString(),
        "alertDefinitionName",
        alert.name(),
        "alertImpact",
        alert.impact().toUpperCase(Locale.ROOT),
        "links",
        List.of());
  }

  private Answer contributing(Call call) {
    List<UUID> ids = call.query().uuids("id");
    if (ids.isEmpty()) {
      throw SuiteException.invalid("id", "is missing");
    }
    List<Object> all = new ArrayList<>();
    for (Alert alert : queries.find(new Filter(false).ids("a.id", ids), 0, ids.size())) {
      List<Object> of = new ArrayList<>();
      for (Symptom symptom : queries.symptoms(List.of(alert.resource()))) {
        for (Member member : alert.members()) {
          // Of symptoms on other objects the vendor tells nothing here, either.
          if (member.object() == alert.object()
              && member.threshold().equals(symptom.threshold().toString())
              && member.instance().equals(symptom.instance())) {
            of.add(
                Json.object(
                    "symptomId",
                    symptom.id(),
                    "symptomDefinitionsIds",
                    List.of(symptom.threshold().toString()),
                    "symptomSetId",
                    alert.definition().toString(),
                    "alertConditions",
                    List.of()));
          }
        }
      }
      all.add(
          Json.object(
              "alertId",
              alert.id(),
              "contributingSymptoms",
              Json.object("contributingSymptoms", of)));
    }
    return Answer.ok(Json.object("contributingSymptoms", all));
  }

  private Answer symptoms(Call call, List<UUID> ids) {
    if (!ids.isEmpty() && known.idsOf(ids).isEmpty()) {
      throw SuiteException.of(404, "None of the resources exists.");
    }
    List<Symptom> found = queries.symptoms(ids);
    Call.Page page = call.page();
    return Answer.ok(
        Json.object(
            "pageInfo",
            Call.pageInfo(page, found.size()),
            "links",
            call.links(page, found.size()),
            "symptom",
            page.of(found).stream().map(AlertOperations::form).toList()));
  }

  private static Object form(Symptom symptom) {
    return Json.object(
        "id",
        symptom.id(),
        "resourceId",
        symptom.resource(),
        "startTimeUTC",
        symptom.since().toEpochMilli(),
        "updateTimeUTC",
        symptom.updated().toEpochMilli(),
        "cancelTimeUTC",
        0,
        "kpi",
        false,
        "symptomCriticality",
        level(symptom.severity()),
        "symptomDefinitionId",
        symptom.threshold().toString(),
        "statKey",
        symptom.key(),
        "message",
        symptom.name());
  }

  // ----------------------------------------------------------------------------------------
  // actions

  private Answer act(Call call) {
    Given query = call.query();
    String action =
        query.word(
            "action",
            "",
            List.of("SUSPEND", "CANCEL", "TAKEOWNERSHIP", "RELEASEOWNERSHIP", "ASSIGNOWNERSHIP"));
    Given body = call.json();
    List<UUID> ids = body.uuids("uuids");
    if (ids.isEmpty()) {
      throw SuiteException.invalid("uuids", "is missing");
    }
    AlertActionRequest request = new AlertActionRequest(ids, wanted(action));
    if (action.equals("SUSPEND")) {
      long minutes = query.whole("minutes", 60, 1, LONGEST_SUSPENSION);
      request.setUntil(clock.instant().plusSeconds(minutes * 60).toString());
    }
    if (action.equals("ASSIGNOWNERSHIP")) {
      String owner = owner(query, body);
      if (owner == null) {
        throw SuiteException.invalid("userId", "is missing: the name of the new owner");
      }
      request.setOwner(owner);
    }
    if (queries.count(new Filter(false).ids("a.id", ids)) == 0) {
      throw SuiteException.of(404, "None of the alerts exists.");
    }
    act(call, request);
    return Answer.ok(
        Json.object(
            "alerts",
            queries.find(new Filter(false).ids("a.id", ids), 0, ids.size()).stream()
                .map(AlertOperations::form)
                .toList()));
  }

  private Answer notes(Call call) {
    UUID alert = alert(call).id();
    List<Note> all = queries.notes(alert);
    Call.Page page = call.page();
    return Answer.ok(
        Json.object(
            "pageInfo",
            Call.pageInfo(page, all.size()),
            "links",
            call.links(page, all.size()),
            "alertNotes",
            page.of(all).stream().map(note -> form(alert, note)).toList()));
  }

  private Answer addNote(Call call) {
    UUID alert = alert(call).id();
    String text = call.json().need("content").strip();
    if (text.isEmpty() || text.length() > LONGEST_NOTE) {
      throw SuiteException.invalid(
          "content", "must have 1 to %,d characters".formatted(LONGEST_NOTE));
    }
    AlertActionRequest request = new AlertActionRequest(List.of(alert), AlertAction.NOTE);
    request.setNote(text);
    act(call, request);
    // Others may write at the same time.
    Note written =
        queries.notes(alert).reversed().stream()
            .filter(note -> note.text().equals(text))
            .findFirst()
            .orElseThrow();
    return Answer.created(form(alert, written));
  }

  private static Object form(UUID alert, Note note) {
    return Json.object(
        "id",
        String.valueOf(note.id()),
        "alertId",
        alert,
        "note",
        note.text(),
        "type",
        "USER",
        "userName",
        note.by(),
        "creationTimeUTC",
        note.at().toEpochMilli());
  }

  private void act(Call call, AlertActionRequest request) {
    AlertActionResult result =
        audit.run(
            call.request(),
            "actOnAlerts",
            "alerts",
            null,
            () -> Objects.requireNonNull(alerts.actOnAlerts(request).getBody()));
    if (result.getItems().stream().noneMatch(one -> one.getDone())) {
      throw SuiteException.of(400, String.valueOf(result.getItems().getFirst().getReason()));
    }
  }

  private static @Nullable String owner(Given query, Given body) {
    String name = query.text("userId", "ownerName", "owner");
    return name == null ? body.text("userId", "ownerName", "owner") : name;
  }

  private static AlertAction wanted(String action) {
    return switch (action) {
      case "TAKEOWNERSHIP" -> AlertAction.TAKE;
      case "RELEASEOWNERSHIP" -> AlertAction.RELEASE;
      case "ASSIGNOWNERSHIP" -> AlertAction.ASSIGN;
      case "SUSPEND" -> AlertAction.SUSPEND;
      case "CANCEL" -> AlertAction.CANCEL;
      default -> throw SuiteException.invalid("action", "is missing");
    };
  }
}
