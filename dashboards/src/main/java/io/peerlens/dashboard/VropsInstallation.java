package io.peerlens.dashboard;

import io.peerlens.api.model.DashboardEdit;
import io.peerlens.api.model.ViewEdit;
import io.peerlens.dashboard.KeyQueries.Had;
import io.peerlens.dashboard.vrops.Installation;
import io.peerlens.definition.StoredRule;
import io.peerlens.supermetrics.formula.Keys;
import io.peerlens.supermetrics.formula.ObjectKind;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/**
 * What is here, for one import of an export of vRealize Operations: what the caller may know of. A
 * kind is asked for once, with all its keys.
 */
final class VropsInstallation implements Installation {

  private static final int NAMES = 500;

  private final KeyQueries queries;
  private final Map<UUID, String> superMetrics;
  private final List<StoredRule<ViewEdit, OwnedView>> views;
  private final List<StoredRule<DashboardEdit, OwnedDashboard>> dashboards;
  private final Map<String, Had> had = new HashMap<>();

  VropsInstallation(
      KeyQueries queries,
      Map<UUID, String> superMetrics,
      List<StoredRule<ViewEdit, OwnedView>> views,
      List<StoredRule<DashboardEdit, OwnedDashboard>> dashboards) {
    this.queries = queries;
    this.superMetrics = superMetrics;
    this.views = views;
    this.dashboards = dashboards;
  }

  private static ObjectKind kind(String text) {
    int slash = text.indexOf('/');
    return slash < 0
        ? new ObjectKind(text, "")
        : new ObjectKind(text.substring(0, slash), text.substring(slash + 1));
  }

  private Had had(String kind) {
    return had.computeIfAbsent(kind, one -> queries.of(kind(one)));
  }

  @Override
  public int objects(String kind) {
    return had(kind).objects();
  }

  @Override
  public int reporting(String kind, String key, boolean property) {
    Had all = had(kind);
    return (property ? all.properties() : all.metrics())
        .getOrDefault(Keys.withoutInstances(key), 0);
  }

  @Override
  public Optional<Here> superMetric(String idOrName) {
    UUID id = SuperMetricKeys.id(idOrName);
    return superMetrics.entrySet().stream()
        .filter(one -> id == null ? one.getValue().equals(idOrName) : one.getKey().equals(id))
        .findFirst()
        .map(one -> new Here(one.getKey().toString(), one.getValue()));
  }

  @Override
  public List<String> superMetrics() {
    return List.copyOf(superMetrics.values());
  }

  @Override
  public Optional<Here> object(String kind, String name) {
    return queries.named(kind(kind), name).map(id -> new Here(id.toString(), name));
  }

  @Override
  public List<String> names(String kind) {
    return queries.names(kind(kind), NAMES);
  }

  @Override
  public Optional<Here> view(String idOrName) {
    return here(views, idOrName);
  }

  @Override
  public List<String> views() {
    return views.stream().map(StoredRule::name).toList();
  }

  @Override
  public Optional<Here> dashboard(String idOrName) {
    return here(dashboards, idOrName);
  }

  private static <E, R> Optional<Here> here(List<StoredRule<E, R>> all, String idOrName) {
    return all.stream()
        .filter(one -> one.id().toString().equals(idOrName))
        .findFirst()
        .or(() -> all.stream().filter(one -> one.name().equals(idOrName)).findFirst())
        .map(one -> new Here(one.id().toString(), one.name()));
  }

  @Override
  public List<String> groups() {
    return queries.groups();
  }
}
