package io.peerlens.dashboard;

import io.peerlens.api.model.DashboardEdit;
import io.peerlens.api.model.ViewEdit;
import io.peerlens.dashboard.file.BundleReader;
import io.peerlens.dashboard.file.Column;
import io.peerlens.dashboard.file.Panel;
import io.peerlens.dashboard.file.Panel.ViewRef;
import io.peerlens.dashboard.file.Question;
import io.peerlens.dashboard.file.Select;
import io.peerlens.dashboard.file.Variable;
import io.peerlens.definition.StoredRule;
import io.peerlens.supermetric.SuperMetricFiles;
import io.peerlens.supermetrics.formula.ObjectKind;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Writer of files of dashboards, with the views and super metrics that they read. */
final class DashboardExporter {

  private final DashboardService dashboards;
  private final ViewService views;
  private final ViewStore viewStore;
  private final SuperMetricFiles superMetrics;
  private final KeySources sources;

  DashboardExporter(
      DashboardService dashboards,
      ViewService views,
      ViewStore viewStore,
      SuperMetricFiles superMetrics,
      KeySources sources) {
    this.dashboards = dashboards;
    this.views = views;
    this.viewStore = viewStore;
    this.superMetrics = superMetrics;
    this.sources = sources;
  }

  /**
   * A file of some dashboards and views; without any id, of all that the caller may know of but
   * those of packs.
   *
   * @throws io.peerlens.web.ApiException if there is none of an id
   */
  byte[] write(List<UUID> ids, List<UUID> viewIds) {
    boolean all = ids.isEmpty() && viewIds.isEmpty();
    List<StoredRule<DashboardEdit, OwnedDashboard>> chosen =
        (all
                ? dashboards.visible().stream().filter(one -> one.pack() == null)
                : ids.stream().distinct().map(dashboards::get))
            .sorted(Comparator.comparing(StoredRule::name))
            .toList();
    Map<UUID, StoredRule<ViewEdit, OwnedView>> chosenViews = new LinkedHashMap<>();
    (all
            ? views.visible().stream().filter(one -> one.pack() == null)
            : viewIds.stream().map(views::get))
        .forEach(one -> chosenViews.put(one.id(), one));
    for (StoredRule<DashboardEdit, OwnedDashboard> dashboard : chosen) {
      for (ViewRef shown : DashboardStore.views(dashboard.rule())) {
        ViewStore.find(viewStore.byId().values(), shown, dashboard.rule().owner())
            .ifPresent(one -> chosenViews.putIfAbsent(one.id(), one));
      }
    }
    return Json.MAPPER
        .writerWithDefaultPrettyPrinter()
        .writeValueAsBytes(file(chosen, List.copyOf(chosenViews.values())));
  }

  private ObjectNode file(
      List<StoredRule<DashboardEdit, OwnedDashboard>> chosen,
      List<StoredRule<ViewEdit, OwnedView>> chosenViews) {
    ObjectNode file = Json.MAPPER.createObjectNode();
    file.put("format", BundleReader.FORMAT);
    file.put("version", BundleReader.VERSION);
    file.put("generator", "Peerlens");
    Needed needed = new Needed();
    chosen.forEach(one -> needed.of(one.rule()));
    chosenViews.forEach(one -> needed.of(one.rule().view().question(), List.of()));
    needs(file, needed);
    ArrayNode ofViews = file.putArray("views");
    chosenViews.stream()
        .sorted(Comparator.comparing(StoredRule::name))
        .forEach(
            one ->
                ofViews
                    .addObject()
                    .put("id", one.id().toString())
                    .setAll(Json.tree(one.edit().getDefinition())));
    ArrayNode ofDashboards = file.putArray("dashboards");
    chosen.forEach(
        one ->
            ofDashboards
                .addObject()
                .put("id", one.id().toString())
                .setAll(Json.tree(one.edit().getDefinition())));
    return file;
  }

  private void needs(ObjectNode file, Needed needed) {
    ObjectNode needs = Json.MAPPER.createObjectNode();
    SuperMetricKeys known = new SuperMetricKeys(superMetrics.names(), null);
    Set<UUID> ids = new LinkedHashSet<>();
    ArrayNode missing = Json.MAPPER.createArrayNode();
    for (String key : needed.superMetrics) {
      SuperMetricKeys.Found found = known.find(key);
      if (found.id() == null) {
        missing.addObject().put("name", found.name());
      } else {
        ids.add(found.id());
      }
    }
    if (!missing.isEmpty()) {
      needs.set("superMetrics", missing);
    }
    if (!needed.groups.isEmpty()) {
      ArrayNode groups = needs.putArray("groups");
      needed.groups.forEach(name -> groups.addObject().put("name", name));
    }
    if (!needed.collectors.isEmpty()) {
      ArrayNode collectors = needs.putArray("collectors");
      needed.collectors.forEach(collectors::add);
    }
    if (!needs.isEmpty()) {
      file.set("needs", needs);
    }
    if (!ids.isEmpty()) {
      file.set("superMetrics", Json.MAPPER.readTree(superMetrics.writeWithInputs(ids)));
    }
  }

  /** What dashboards and views name that is not part of them. */
  private final class Needed {
    final Set<String> superMetrics = new LinkedHashSet<>();
    final Set<String> groups = new TreeSet<>();
    final Set<String> collectors = new TreeSet<>();

    void of(OwnedDashboard dashboard) {
      for (Variable variable : dashboard.dashboard().variables()) {
        scope(variable.scope());
      }
      for (Panel panel : dashboard.dashboard().panels().values()) {
        of(panel.question(), kinds(dashboard, panel));
      }
    }

    private List<ObjectKind> kinds(OwnedDashboard dashboard, Panel panel) {
      return panel.subject() instanceof Select.Subject.Variable variable
          ? dashboard.dashboard().variables().stream()
              .filter(one -> one.name().equals(variable.name()))
              .flatMap(one -> one.kinds().stream())
              .toList()
          : List.of();
    }

    /**
     * @param otherwise kinds where the question names none
     */
    void of(Question question, List<ObjectKind> otherwise) {
      List<ObjectKind> kinds = question.kinds().isEmpty() ? otherwise : question.kinds();
      question.columns().forEach(column -> what(column.what(), kinds));
      Select select = question.select();
      if (select != null) {
        scope(select.scope());
        select.where().forEach(all -> all.forEach(one -> what(one.what(), kinds)));
        if (select.from() instanceof Select.From.Group group) {
          group(group.name());
        }
      }
    }

    private void what(Column.What what, List<ObjectKind> kinds) {
      switch (what) {
        case Column.OfMetric metric -> {
          metric.metric().any().stream().filter(SuperMetricKeys::isOne).forEach(superMetrics::add);
          source(kinds, metric.metric().any(), false);
        }
        case Column.Property property -> source(kinds, List.of(property.key()), true);
        default -> {}
      }
    }

    private void source(List<ObjectKind> kinds, List<String> keys, boolean property) {
      sources.of(kinds, keys, property).stream().limit(1).forEach(collectors::add);
    }

    private void scope(Select.Scope scope) {
      scope.groups().forEach(this::group);
      scope.exclude().forEach(this::scope);
    }

    private void group(String name) {
      if (!name.startsWith("$")) {
        groups.add(name);
      }
    }
  }
}
