package io.peerlens.report;

import io.peerlens.api.model.DashboardEdit;
import io.peerlens.api.model.ViewEdit;
import io.peerlens.dashboard.DashboardStore;
import io.peerlens.dashboard.Owned;
import io.peerlens.dashboard.OwnedDashboard;
import io.peerlens.dashboard.OwnedView;
import io.peerlens.dashboard.ViewStore;
import io.peerlens.definition.StoredRule;
import io.peerlens.planning.LoadProfileReport;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** What reports show: dashboards, views and load profiles. */
record ReportSources(DashboardStore dashboards, ViewStore views, LoadProfileReport profiles) {

  Optional<StoredRule<DashboardEdit, OwnedDashboard>> dashboard(@Nullable UUID id) {
    return id == null ? Optional.empty() : Optional.ofNullable(dashboards.byId().get(id));
  }

  Optional<StoredRule<ViewEdit, OwnedView>> view(@Nullable UUID id) {
    return id == null ? Optional.empty() : Optional.ofNullable(views.byId().get(id));
  }

  /** The dashboard or view that a report shows; empty = it is gone, or it shows a load profile. */
  Optional<Owned> of(Report report) {
    return report.dashboard() != null
        ? dashboard(report.dashboard()).map(StoredRule::rule)
        : view(report.view()).map(StoredRule::rule);
  }

  /** Whether somebody who is no admin may read it. */
  static boolean reads(String name, Owned one) {
    return one.shared() || one.owner().equals(name);
  }
}
