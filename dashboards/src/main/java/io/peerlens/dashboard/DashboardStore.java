package io.peerlens.dashboard;

import io.peerlens.api.model.DashboardEdit;
import io.peerlens.dashboard.file.BundleReader;
import io.peerlens.dashboard.file.Panel.ViewRef;
import io.peerlens.definition.DefinitionStore;
import io.peerlens.definition.StoredForms;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.InstantSource;
import java.util.List;
import java.util.UUID;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Stored dashboards. Thread-safe. */
public final class DashboardStore extends DefinitionStore<DashboardEdit, OwnedDashboard> {

  private final OriginalStore originals;
  private final InstantSource clock;

  DashboardStore(
      JdbcClient jdbc,
      DashboardNumberStore number,
      OriginalStore originals,
      InstantSource clock,
      int historyKept) {
    super(jdbc, number, new OrderedRows<>(StoredForms.DASHBOARD), historyKept);
    this.originals = originals;
    this.clock = clock;
  }

  @Override
  protected OwnedDashboard read(UUID id, long version, DashboardEdit edit) {
    Edit read = Edit.OF_DASHBOARD.read().apply(edit);
    return new OwnedDashboard(
        id,
        Mistakes.valid(BundleReader.dashboard(Json.tree(read.definition()), "definition")),
        read.shared(),
        Owners.of(read));
  }

  /** Whether it is private cannot be read either. */
  @Override
  protected String told(ResultSet row) throws SQLException {
    return row.getString("id");
  }

  @Override
  protected String name(OwnedDashboard dashboard) {
    return dashboard.name();
  }

  /** Nothing evaluates them. */
  @Override
  protected boolean isEnabled(OwnedDashboard dashboard) {
    return false;
  }

  @Override
  protected void replaced(JdbcClient jdbc, List<Replaced<OwnedDashboard>> dashboards) {
    originals.forget(dashboards);
    // For good: what is shared or restored later is not public again by that.
    List<UUID> hidden =
        dashboards.stream()
            .filter(one -> one.now() == null || !one.now().shared())
            .map(Replaced::id)
            .toList();
    if (!hidden.isEmpty()) {
      LinkStore.end(jdbc, hidden, clock.instant());
    }
  }

  /** The views that a dashboard shows, each once. */
  static List<ViewRef> views(OwnedDashboard dashboard) {
    return dashboard.dashboard().panels().values().stream()
        .flatMap(panel -> java.util.stream.Stream.ofNullable(panel.view()))
        .distinct()
        .toList();
  }
}
