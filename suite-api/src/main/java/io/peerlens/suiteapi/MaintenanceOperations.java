package io.peerlens.suiteapi;

import io.peerlens.api.GroupsApi;
import io.peerlens.api.MaintenanceApi;
import io.peerlens.api.model.Group;
import io.peerlens.api.model.MaintenanceWindow;
import io.peerlens.api.model.MaintenanceWindowEdit;
import io.peerlens.api.model.Scope;
import io.peerlens.api.model.TimeSpan;
import io.peerlens.audit.AuditedWork;
import io.peerlens.suiteapi.ResourceFilter.Related;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;

/** Maintenance of single resources, as windows of ours with one resource each; and groups. */
final class MaintenanceOperations {

  private static final int MOST = 10_000;

  /** Clients of this API know no versions. */
  private static final String ANY_VERSION = "*";

  /** For who says no end: somebody ends it. */
  private static final Duration OPEN_END = Duration.ofDays(3650);

  private final ResourceOperations resources;
  private final ResourceQueries queries;
  private final ResourceForm form;
  private final MaintenanceApi windows;
  private final GroupsApi groups;
  private final AuditedWork audit;
  private final InstantSource clock;

  MaintenanceOperations(
      ResourceOperations resources,
      ResourceQueries queries,
      ResourceForm form,
      MaintenanceApi windows,
      GroupsApi groups,
      AuditedWork audit,
      InstantSource clock) {
    this.resources = resources;
    this.queries = queries;
    this.form = form;
    this.windows = windows;
    this.groups = groups;
    this.audit = audit;
    this.clock = clock;
  }

  void addTo(Routes routes) {
    routes
        .put(
            "/api/resources/{id}/maintained",
            call -> begin(call, List.of(resources.resource(call))))
        .delete(
            "/api/resources/{id}/maintained", call -> end(call, List.of(resources.resource(call))))
        .put("/api/resources/maintained", call -> begin(call, named(call)))
        .delete("/api/resources/maintained", call -> end(call, named(call)))
        .get("/api/resources/groups", this::groups)
        .get("/api/resources/groups/{id}", call -> Answer.ok(form(group(call))))
        .get("/api/resources/groups/{id}/members", this::members);
  }

  private static String name(Resource resource) {
    return "suite-api: " + resource.uuid();
  }

  /** The resources that a request for several names. */
  private List<Resource> named(Call call) {
    List<UUID> ids = call.query().uuids("id");
    if (ids.isEmpty()) {
      throw SuiteException.invalid("id", "is missing");
    }
    List<Resource> found = queries.byUuids(ids);
    if (found.isEmpty()) {
      throw SuiteException.of(404, "None of the resources exists.");
    }
    return found;
  }

  private Answer begin(Call call, List<Resource> wanted) {
    Given query = call.query();
    Instant now = clock.instant();
    Long end = query.whole("end");
    Long minutes = query.whole("duration");
    if (minutes != null && (minutes < 1 || minutes > OPEN_END.toMinutes())) {
      throw SuiteException.invalid("duration", "is no number of minutes of up to ten years");
    }
    Instant until =
        minutes != null
            ? now.plus(Duration.ofMinutes(minutes))
            : end != null ? Instant.ofEpochMilli(end) : now.plus(OPEN_END);
    if (!until.isAfter(now)) {
      throw SuiteException.invalid("end", "is in the past");
    }
    end(call, wanted);
    for (Resource resource : wanted) {
      Scope scope = new Scope();
      scope.setObjects(List.of(resource.uuid()));
      MaintenanceWindowEdit window = new MaintenanceWindowEdit(name(resource), scope);
      window.setReason("Asked for by suite-api for " + resource.name());
      window.setOneOff(new TimeSpan(now, until));
      audit.run(
          call.request(),
          "createMaintenanceWindow",
          "maintenance-windows",
          null,
          () -> Objects.requireNonNull(windows.createMaintenanceWindow(window).getBody()));
    }
    return Answer.empty(200);
  }

  private Answer end(Call call, List<Resource> wanted) {
    Set<String> names =
        wanted.stream().map(MaintenanceOperations::name).collect(Collectors.toSet());
    for (MaintenanceWindow window :
        Objects.requireNonNull(windows.listMaintenanceWindows(null).getBody()).getItems()) {
      if (names.contains(window.getName())) {
        audit.run(
            call.request(),
            "deleteMaintenanceWindow",
            "maintenance-windows",
            window.getId().toString(),
            () -> windows.deleteMaintenanceWindow(window.getId(), ANY_VERSION));
      }
    }
    return Answer.empty(200);
  }

  // ---------------------------------------------------------------------------------------- groups

  private Answer groups(Call call) {
    List<Group> all =
        Objects.requireNonNull(groups.listGroups(null, MOST, null).getBody()).getItems();
    Call.Page page = call.page();
    return Answer.ok(
        Json.object(
            "pageInfo",
            Call.pageInfo(page, all.size()),
            "links",
            call.links(page, all.size()),
            "groups",
            page.of(all).stream().map(MaintenanceOperations::form).toList()));
  }

  private Group group(Call call) {
    return Objects.requireNonNull(groups.getGroup(call.id("group")).getBody());
  }

  private static Object form(Group group) {
    return Json.object(
        "id",
        group.getId(),
        "resourceKey",
        ResourceForm.key(group.getName(), "Container", "Environment", Map.of()),
        "autoResolveMembership",
        true,
        "membershipDefinition",
        Json.object(
            "includedResources", List.of(), "excludedResources", List.of(), "rules", List.of()));
  }

  private Answer members(Call call) {
    UUID id = group(call).getId();
    List<UUID> ids = new ArrayList<>();
    String cursor = null;
    do {
      var page = Objects.requireNonNull(groups.listMembers(id, 1000, cursor).getBody());
      page.getItems().forEach(one -> ids.add(one.getId()));
      cursor = page.getNextCursor();
    } while (cursor != null);
    Call.Page page = call.page();
    List<Resource> found = queries.byUuids(page.of(ids));
    return Answer.ok(
        Json.object(
            "pageInfo",
            Call.pageInfo(page, ids.size()),
            "links",
            call.links(page, ids.size()),
            "resourceList",
            form.all(found, Related.NONE, page.links())));
  }
}
