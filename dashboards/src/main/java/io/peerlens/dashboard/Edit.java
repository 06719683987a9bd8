package io.peerlens.dashboard;

import io.peerlens.api.model.DashboardEdit;
import io.peerlens.api.model.DashboardOrigin;
import io.peerlens.api.model.DashboardVisibility;
import io.peerlens.api.model.ViewEdit;
import java.util.Map;
import java.util.UUID;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * What an author says of a dashboard or a view. The contract has a model for each, which differ in
 * nothing but their names.
 *
 * @param owner null = whoever stores it, or whose it was
 */
record Edit(
    @Nullable UUID id,
    boolean shared,
    @Nullable String owner,
    @Nullable DashboardOrigin origin,
    Map<String, Object> definition) {

  /** Both ways between this and a model of the contract. */
  record Model<E>(Function<E, Edit> read, Function<Edit, E> write) {}

  static final Model<DashboardEdit> OF_DASHBOARD =
      new Model<>(
          edit ->
              new Edit(
                  edit.getId(),
                  edit.getVisibility() == DashboardVisibility.SHARED,
                  edit.getOwner(),
                  edit.getOrigin(),
                  edit.getDefinition()),
          edit -> {
            DashboardEdit written = new DashboardEdit(edit.definition());
            written.setId(edit.id());
            written.setVisibility(visibility(edit.shared()));
            written.setOwner(edit.owner());
            written.setOrigin(edit.origin());
            return written;
          });

  static final Model<ViewEdit> OF_VIEW =
      new Model<>(
          edit ->
              new Edit(
                  edit.getId(),
                  edit.getVisibility() == DashboardVisibility.SHARED,
                  edit.getOwner(),
                  edit.getOrigin(),
                  edit.getDefinition()),
          edit -> {
            ViewEdit written = new ViewEdit(edit.definition());
            written.setId(edit.id());
            written.setVisibility(visibility(edit.shared()));
            written.setOwner(edit.owner());
            written.setOrigin(edit.origin());
            return written;
          });

  static DashboardVisibility visibility(boolean shared) {
    return shared ? DashboardVisibility.SHARED : DashboardVisibility.PRIVATE;
  }
}
