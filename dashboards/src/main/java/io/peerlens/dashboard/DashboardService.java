package io.peerlens.dashboard;

import io.peerlens.api.model.DashboardEdit;
import io.peerlens.api.model.FieldError;
import io.peerlens.dashboard.file.BundleReader;
import io.peerlens.dashboard.file.Panel;
import io.peerlens.dashboard.file.Panel.ViewRef;
import io.peerlens.definition.DefinitionKind;
import io.peerlens.web.ApiException;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Dashboards as people change them. */
final class DashboardService extends OwnedService<DashboardEdit, OwnedDashboard> {

  private final ViewStore views;

  DashboardService(
      DashboardStore store,
      ViewStore views,
      DashboardNumberStore number,
      InstantSource clock,
      DashboardProperties properties) {
    super(
        store,
        number,
        clock,
        new DefinitionKind(
            "dashboard", "/api/v1/dashboards", properties.max(), "peerlens.dashboards.max"),
        properties.maxPrivate(),
        List::of,
        Edit.OF_DASHBOARD);
    this.views = views;
  }

  @Override
  OwnedDashboard read(UUID id, Edit edit) {
    return new OwnedDashboard(
        id,
        Mistakes.valid(BundleReader.dashboard(Json.tree(edit.definition()), "definition")),
        edit.shared(),
        Owners.of(edit));
  }

  @Override
  List<String> differences(JsonNode before, JsonNode after) {
    return Differences.ofDashboards(before, after);
  }

  @Override
  void validate(Map<String, Object> definition) {
    Mistakes.valid(BundleReader.dashboard(Json.tree(definition), "definition"));
  }

  /** What everybody reads shows what everybody reads. */
  @Override
  void fits(@Nullable OwnedDashboard before, OwnedDashboard now) {
    if (!now.shared()) {
      return;
    }
    now.dashboard()
        .panels()
        .forEach(
            (name, panel) -> {
              Optional<OwnedView> shown = view(panel, now.owner());
              if (shown.isPresent() && !shown.get().shared()) {
                throw ApiException.invalidField(
                        "definition.panels." + name + ".view",
                        "is the private view \"" + shown.get().name() + "\"")
                    .hint("Share the view first, or keep the dashboard private.");
              }
            });
  }

  private Optional<OwnedView> view(Panel panel, String owner) {
    ViewRef reference = panel.view();
    return reference == null ? Optional.empty() : views.find(reference, owner);
  }

  /** What does not fit the rest of this installation. */
  List<FieldError> issues(OwnedDashboard dashboard) {
    List<FieldError> issues = new ArrayList<>();
    dashboard
        .dashboard()
        .panels()
        .forEach(
            (name, panel) -> {
              if (panel.view() != null && view(panel, dashboard.owner()).isEmpty()) {
                issues.add(
                    new FieldError(
                        "definition.panels." + name + ".view",
                        "is not there. Import it, or let the panel show another one."));
              }
            });
    return issues;
  }
}
