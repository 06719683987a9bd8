package io.peerlens.dashboard;

import io.peerlens.api.model.RuleRef;
import io.peerlens.api.model.ViewEdit;
import io.peerlens.dashboard.file.BundleReader;
import io.peerlens.dashboard.file.Panel.ViewRef;
import io.peerlens.definition.DefinitionKind;
import io.peerlens.definition.RuleUser;
import io.peerlens.definition.StoredRule;
import io.peerlens.security.Caller;
import io.peerlens.web.ApiException;
import io.peerlens.web.ErrorCode;
import java.time.InstantSource;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Views as people change them. */
final class ViewService extends OwnedService<ViewEdit, OwnedView> {

  /** What is said of a dashboard that the caller may not know of. */
  private static final String HIDDEN = "a private dashboard of somebody else";

  private final ViewStore store;
  private final DashboardStore dashboards;

  ViewService(
      ViewStore store,
      DashboardStore dashboards,
      DashboardNumberStore number,
      InstantSource clock,
      DashboardProperties properties) {
    super(
        store,
        number,
        clock,
        new DefinitionKind("view", "/api/v1/views", properties.max(), "peerlens.dashboards.max"),
        properties.maxPrivate(),
        () -> List.of(users(store, dashboards)),
        Edit.OF_VIEW);
    this.store = store;
    this.dashboards = dashboards;
  }

  private static RuleUser users(ViewStore views, DashboardStore dashboards) {
    return view ->
        showing(views, dashboards, view).stream()
            .map(one -> Owners.sees(Caller.current(), one) ? "\"" + one.name() + "\"" : HIDDEN)
            .sorted()
            .toList();
  }

  /** Dashboards that show a view, by its id or its name. */
  private static List<OwnedDashboard> showing(
      ViewStore views, DashboardStore dashboards, UUID view) {
    return dashboards.byId().values().stream()
        .map(StoredRule::rule)
        .filter(
            one ->
                DashboardStore.views(one).stream()
                    .anyMatch(
                        shown ->
                            views
                                .find(shown, one.owner())
                                .filter(found -> found.id().equals(view))
                                .isPresent()))
        .toList();
  }

  @Override
  OwnedView read(UUID id, Edit edit) {
    return new OwnedView(
        id,
        Mistakes.valid(BundleReader.view(Json.tree(edit.definition()), "definition")),
        edit.shared(),
        Owners.of(edit));
  }

  @Override
  List<String> differences(JsonNode before, JsonNode after) {
    return Differences.ofViews(before, after);
  }

  @Override
  void validate(Map<String, Object> definition) {
    Mistakes.valid(BundleReader.view(Json.tree(definition), "definition"));
  }

  @Override
  void fits(@Nullable OwnedView before, OwnedView now) {
    if (before == null || !before.shared() || now.shared()) {
      return;
    }
    List<String> readers =
        showing(store, dashboards, now.id()).stream()
            .filter(one -> one.shared() || !one.owner().equals(now.owner()))
            .map(one -> Owners.sees(Caller.current(), one) ? "\"" + one.name() + "\"" : HIDDEN)
            .distinct()
            .sorted()
            .toList();
    if (!readers.isEmpty()) {
      throw ApiException.of(
              ErrorCode.CONFLICT,
              "The view is shown by %s, and would not be seen there any more."
                  .formatted(String.join(", ", readers.stream().limit(5).toList())))
          .hint("Change these first.");
    }
  }

  /** The view that a panel of the caller's names, if he may know of it. */
  Optional<OwnedView> shown(ViewRef reference) {
    Caller caller = Caller.current();
    if (Caller.isNarrow(caller.role())) {
      return store.find(reference, PACK_OWNER).filter(OwnedView::shared);
    }
    return reference.id() == null
        ? store.find(reference, caller.name())
        : store.find(reference.id()).filter(one -> Owners.sees(caller, one));
  }

  /** The dashboards that show a view and that the caller may know of, by name. */
  List<RuleRef> usedBy(UUID view) {
    Caller caller = Caller.current();
    return showing(store, dashboards, view).stream()
        .filter(one -> Owners.sees(caller, one))
        .sorted(Comparator.comparing(OwnedDashboard::name, String.CASE_INSENSITIVE_ORDER))
        .map(one -> new RuleRef(one.id(), one.name()))
        .toList();
  }
}
