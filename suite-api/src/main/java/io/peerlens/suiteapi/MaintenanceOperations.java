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
import java.util.UUID;

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
        .put("/api/resources/{id}/maintained", this::begin)
        .delete("/api/resources/{id}/maintained", this::end)
        .get("/api/resources/groups", this::groups)
        .get("/api/resources/groups/{id}", call -> Answer.ok(form(group(call))))
        .get("/api/resources/groups/{id}/members", this::members);
  }

  private static String name(Resource resource) {
    return "suite-api: " + resource.uuid();
  }

  private Answer begin(Call call) {
    Resource resource = resources.resource(call);
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
    remove(call, resource);
    Scope scope = new Scope();
    scope.setObjects(List.of(resource.uuid()));
    MaintenanceWindowEdit wanted = new MaintenanceWindowEdit(name(resource), scope);
    wanted.setReason("Asked for by suite-api for " + resource.name());
    wanted.setOneOff(new TimeSpan(now, until));
    audit.run(
        call.request(),
        "createMaintenanceWindow",
        "maintenance-windows",
        null,
        () -> Objects.requireNonNull(windows.createMaintenanceWindow(wanted).getBody()));
    return Answer.empty(200);
  }

  private Answer end(Call call) {
    remove(call, resources.resource(call));
    return Answer.empty(200);
  }

  private void remove(Call call, Resource resource) {
    for (MaintenanceWindow window :
        Objects.requireNonNull(windows.listMaintenanceWindows(null).getBody()).getItems()) {
      if (window.getName().equals(name(resource))) {
        audit.run(
            call.request(),
            "deleteMaintenanceWindow",
            "maintenance-windows",
            window.getId().toString(),
            () -> windows.deleteMaintenanceWindow(window.getId(), ANY_VERSION));
      }
    }
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
