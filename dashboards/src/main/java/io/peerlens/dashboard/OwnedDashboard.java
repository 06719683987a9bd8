package io.peerlens.dashboard;

import io.peerlens.dashboard.file.Dashboard;
import io.peerlens.supermetrics.formula.ObjectKind;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** A stored dashboard. */
public record OwnedDashboard(UUID id, Dashboard dashboard, boolean shared, String owner)
    implements Owned {

  @Override
  public String name() {
    return dashboard.name();
  }

  @Override
  public @Nullable String folder() {
    return dashboard.folder();
  }

  @Override
  public String description() {
    return dashboard.description();
  }

  @Override
  public List<ObjectKind> kinds() {
    return dashboard.kinds();
  }
}
