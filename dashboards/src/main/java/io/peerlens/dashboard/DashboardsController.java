package io.peerlens.dashboard;

import static java.util.Objects.requireNonNullElse;

import io.peerlens.api.DashboardsApi;
import io.peerlens.api.model.Dashboard;
import io.peerlens.api.model.DashboardEdit;
import io.peerlens.api.model.DashboardPage;
import io.peerlens.api.model.DashboardSort;
import io.peerlens.api.model.DashboardVersion;
import io.peerlens.api.model.DashboardVersionPage;
import io.peerlens.api.model.DashboardVisibility;
import io.peerlens.api.model.UserRole;
import io.peerlens.definition.DefinitionEndpoints;
import io.peerlens.definition.StoredRule;
import io.peerlens.security.Caller;
import io.peerlens.supermetrics.formula.ObjectKind;
import io.peerlens.web.Paging;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.RestController;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

@RestController
final class DashboardsController implements DashboardsApi {

  private final DashboardService service;
  private final LinkService links;
  private final DefinitionEndpoints<DashboardEdit, OwnedDashboard, Dashboard> endpoints;

  DashboardsController(DashboardService service, LinkService links) {
    this.service = service;
    this.links = links;
    this.endpoints = new DefinitionEndpoints<>(service, this::whole);
  }

  @Override
  public ResponseEntity<DashboardPage> listDashboards(
      @Nullable String q,
      @Nullable String name,
      @Nullable String folder,
      @Nullable List<String> kind,
      @Nullable List<String> pack,
      @Nullable Boolean mine,
      @Nullable DashboardVisibility visibility,
      @Nullable DashboardSort sort,
      Integer limit,
      @Nullable String cursor) {
    OwnedFilter filter =
        new OwnedFilter(
            Paging.words(q),
            name,
            folder,
            Paging.list(kind),
            Paging.list(pack),
            mine,
            visibility,
            requireNonNullElse(sort, DashboardSort.NAME),
            Caller.current().name());
    return ResponseEntity.ok(
        filter.page(service.visible(), limit, cursor).map(this::brief).as(DashboardPage::new));
  }

  @Override
  public ResponseEntity<Dashboard> createDashboard(DashboardEdit edit) {
    return endpoints.create(edit);
  }

  @Override
  public ResponseEntity<Dashboard> getDashboard(UUID id) {
    return endpoints.get(id);
  }

  @Override
  public ResponseEntity<Dashboard> putDashboard(
      UUID id, DashboardEdit edit, @Nullable String ifMatch) {
    return endpoints.put(id, edit, ifMatch);
  }

  @Override
  public ResponseEntity<Void> deleteDashboard(UUID id, @Nullable String ifMatch) {
    return endpoints.delete(id, ifMatch);
  }

  @Override
  public ResponseEntity<DashboardVersionPage> listDashboardHistory(
      UUID id, Integer limit, @Nullable String cursor) {
    return endpoints.history(id, limit, cursor, DashboardVersion::new, DashboardVersionPage::new);
  }

  @Override
  public ResponseEntity<Dashboard> restoreDashboard(
      UUID id, Long version, @Nullable String ifMatch) {
    return endpoints.restore(id, version, ifMatch);
  }

  private Dashboard whole(StoredRule<DashboardEdit, OwnedDashboard> stored) {
    Dashboard answer = brief(stored);
    Caller caller = Caller.current();
    if (caller.role() == UserRole.LINK) {
      return byLink(answer, caller, stored);
    }
    answer.setIssues(service.issues(stored.rule()));
    answer.setDefinition(stored.edit().getDefinition());
    return answer;
  }

  /** Whoever has a link learns nothing of the people here. */
  private Dashboard byLink(
      Dashboard answer, Caller caller, StoredRule<DashboardEdit, OwnedDashboard> stored) {
    answer.setOwner("");
    answer.setCreatedBy("");
    answer.setUpdatedBy("");
    answer.setOrigin(null);
    answer.setDefinition(shown(stored.edit().getDefinition()));
    answer.setLink(links.reading(caller, stored));
    return answer;
  }

  /** Without what no page shows, such as members that an import has kept. */
  private static Map<String, Object> shown(Map<String, Object> definition) {
    ObjectNode tree = Json.tree(definition);
    withoutUnknown(tree);
    tree.path("panels").forEach(DashboardsController::withoutUnknown);
    tree.path("variables").forEach(DashboardsController::withoutUnknown);
    return Json.map(tree);
  }

  private static void withoutUnknown(JsonNode node) {
    if (node instanceof ObjectNode members) {
      members.remove(
          members.propertyNames().stream().filter(name -> name.startsWith("x-")).toList());
    }
  }

  private Dashboard brief(StoredRule<DashboardEdit, OwnedDashboard> stored) {
    OwnedDashboard it = stored.rule();
    Dashboard answer =
        new Dashboard(
            stored.id(),
            it.name(),
            it.folder(),
            it.description().isEmpty() ? null : it.description(),
            Edit.visibility(it.shared()),
            it.owner(),
            stored.pack(),
            it.kinds().stream().map(ObjectKind::toString).toList(),
            it.dashboard().panels().size(),
            List.of(),
            stored.version(),
            stored.createdAt(),
            stored.createdBy(),
            stored.updatedAt(),
            stored.updatedBy());
    answer.setOrigin(stored.edit().getOrigin());
    return answer;
  }
}
