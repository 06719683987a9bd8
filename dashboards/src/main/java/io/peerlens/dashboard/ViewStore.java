package io.peerlens.dashboard;

import io.peerlens.api.model.ViewEdit;
import io.peerlens.dashboard.file.BundleReader;
import io.peerlens.dashboard.file.Panel.ViewRef;
import io.peerlens.definition.DefinitionStore;
import io.peerlens.definition.StoredForms;
import io.peerlens.definition.StoredRule;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Stored views. Thread-safe. */
public final class ViewStore extends DefinitionStore<ViewEdit, OwnedView> {

  private final OriginalStore originals;

  ViewStore(
      JdbcClient jdbc, DashboardNumberStore number, OriginalStore originals, int historyKept) {
    super(jdbc, number, new OrderedRows<>(StoredForms.DASHBOARD_VIEW), historyKept);
    this.originals = originals;
  }

  @Override
  protected OwnedView read(UUID id, long version, ViewEdit edit) {
    Edit read = Edit.OF_VIEW.read().apply(edit);
    return new OwnedView(
        id,
        Mistakes.valid(BundleReader.view(Json.tree(read.definition()), "definition")),
        read.shared(),
        Owners.of(read));
  }

  /** Whether it is private cannot be read either. */
  @Override
  protected String told(ResultSet row) throws SQLException {
    return row.getString("id");
  }

  @Override
  protected String name(OwnedView view) {
    return view.name();
  }

  /** Nothing evaluates them. */
  @Override
  protected boolean isEnabled(OwnedView view) {
    return false;
  }

  @Override
  protected void replaced(JdbcClient jdbc, List<Replaced<OwnedView>> views) {
    originals.forget(views);
  }

  /**
   * The view that a panel of somebody's dashboard shows: by its id, or by its name among his own
   * private ones first and the shared ones then. Empty = there is none that he may read.
   *
   * @param owner of the dashboard
   */
  public Optional<OwnedView> find(ViewRef reference, String owner) {
    return find(byId().values(), reference, owner).map(StoredRule::rule);
  }

  /**
   * What a panel's view says; null = it has none, or there is none that the owner may read.
   *
   * @param owner of the dashboard
   */
  @Nullable Map<String, Object> definition(@Nullable ViewRef reference, String owner) {
    return reference == null
        ? null
        : find(byId().values(), reference, owner)
            .map(found -> found.edit().getDefinition())
            .orElse(null);
  }

  static <E> Optional<StoredRule<E, OwnedView>> find(
      Iterable<StoredRule<E, OwnedView>> all, ViewRef reference, String owner) {
    StoredRule<E, OwnedView> found = null;
    for (StoredRule<E, OwnedView> one : all) {
      boolean named =
          reference.id() == null
              ? one.name().equals(reference.name())
              : one.id().equals(reference.id());
      if (named && (one.rule().shared() ? found == null : one.rule().owner().equals(owner))) {
        found = one;
      }
    }
    return Optional.ofNullable(found);
  }
}
