package io.peerlens.dashboard;

import static java.util.Objects.requireNonNullElse;

import io.peerlens.api.ViewsApi;
import io.peerlens.api.model.DashboardSort;
import io.peerlens.api.model.DashboardVisibility;
import io.peerlens.api.model.View;
import io.peerlens.api.model.ViewEdit;
import io.peerlens.api.model.ViewPage;
import io.peerlens.api.model.ViewVersion;
import io.peerlens.api.model.ViewVersionPage;
import io.peerlens.definition.DefinitionEndpoints;
import io.peerlens.definition.StoredRule;
import io.peerlens.security.Caller;
import io.peerlens.supermetrics.formula.ObjectKind;
import io.peerlens.web.Paging;
import java.util.List;
import java.util.Locale;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.RestController;

@RestController
final class ViewsController implements ViewsApi {

  private final ViewService service;
  private final DefinitionEndpoints<ViewEdit, OwnedView, View> endpoints;

  ViewsController(ViewService service) {
    this.service = service;
    this.endpoints = new DefinitionEndpoints<>(service, this::whole);
  }

  @Override
  public ResponseEntity<ViewPage> listViews(
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
        filter
            .page(service.visible(), limit, cursor)
            .map(ViewsController::brief)
            .as(ViewPage::new));
  }

  @Override
  public ResponseEntity<View> createView(ViewEdit edit) {
    return endpoints.create(edit);
  }

  @Override
  public ResponseEntity<View> getView(UUID id) {
    return endpoints.get(id);
  }

  @Override
  public ResponseEntity<View> putView(UUID id, ViewEdit edit, @Nullable String ifMatch) {
    return endpoints.put(id, edit, ifMatch);
  }

  @Override
  public ResponseEntity<Void> deleteView(UUID id, @Nullable String ifMatch) {
    return endpoints.delete(id, ifMatch);
  }

  @Override
  public ResponseEntity<ViewVersionPage> listViewHistory(
      UUID id, Integer limit, @Nullable String cursor) {
    return endpoints.history(id, limit, cursor, ViewVersion::new, ViewVersionPage::new);
  }

  @Override
  public ResponseEntity<View> restoreView(UUID id, Long version, @Nullable String ifMatch) {
    return endpoints.restore(id, version, ifMatch);
  }

  private View whole(StoredRule<ViewEdit, OwnedView> stored) {
    View answer = brief(stored);
    answer.setUsedBy(service.usedBy(stored.id()));
    answer.setDefinition(stored.edit().getDefinition());
    return answer;
  }

  private static View brief(StoredRule<ViewEdit, OwnedView> stored) {
    OwnedView it = stored.rule();
    View answer =
        new View(
            stored.id(),
            it.name(),
            it.folder(),
            it.description().isEmpty() ? null : it.description(),
            Edit.visibility(it.shared()),
            it.owner(),
            stored.pack(),
            it.view().show().name().toLowerCase(Locale.ROOT),
            it.kinds().stream().map(ObjectKind::toString).toList(),
            it.view().question().columns().size(),
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
