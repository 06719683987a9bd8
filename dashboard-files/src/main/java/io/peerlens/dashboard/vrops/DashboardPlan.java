package io.peerlens.dashboard.vrops;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * A dashboard of an export with its widgets, and the variables that its interactions become. Who
 * drives a widget is a set of widgets, the last of which wins; so there is one variable for each
 * such set, which all of them set.
 */
final class DashboardPlan {

  /** Kinds to choose an object from, where nothing says which one is meant. */
  private static final List<String> USUAL_KINDS =
      List.of(
          "VMWARE/VirtualMachine",
          "VMWARE/HostSystem",
          "VMWARE/ClusterComputeResource",
          "VMWARE/Datastore",
          "VMWARE/Datacenter",
          "VMWARE/VMwareAdapter Instance");

  /** A variable of the dashboard. */
  static final class Variable {
    final String name;
    final String type;
    final Set<String> providers;
    final Set<String> kinds = new LinkedHashSet<>();
    String title = "";
    boolean first;
    String firstBy = "";
    boolean descending;
    int readers;

    Variable(String name, String type, Set<String> providers) {
      this.name = name;
      this.type = type;
      this.providers = providers;
    }

    ObjectNode node() {
      ObjectNode node = JsonNodeFactory.instance.objectNode();
      node.put("name", name);
      if (!title.isEmpty()) {
        node.put("title", Names.line(title, name));
      }
      node.put("type", type);
      if (type.equals("object")) {
        Columns.kinds(node, kinds.isEmpty() ? USUAL_KINDS : List.copyOf(kinds));
      }
      if (first) {
        ObjectNode by = node.putObject("default").putObject("first");
        if (!firstBy.isEmpty()) {
          by.put("by", firstBy);
          by.put("order", descending ? "desc" : "asc");
        }
      }
      return node;
    }
  }

  /** A widget. */
  static final class Widget {
    final String id;
    final String type;
    final JsonNode node;
    final JsonNode config;
    final String title;
    final String name;
    final Set<String> providers = new LinkedHashSet<>();
    final Set<String> metricProviders = new LinkedHashSet<>();
    final List<Variable> sets = new ArrayList<>();
    List<String> kinds = List.of();
    @Nullable Variable subject;
    @Nullable Variable metric;

    Widget(String id, JsonNode node, String title, String name) {
      this.id = id;
      this.node = node;
      this.type = Members.text(node, "type");
      this.config = node.path("config");
      this.title = title;
      this.name = name;
    }

    boolean is(String other) {
      return type.equalsIgnoreCase(other);
    }

    /** Whether it looks for its objects itself, and takes none of other widgets. */
    boolean isSelfProvider() {
      return Members.flag(config, "selfProvider");
    }
  }

  /**
   * What it shows where it stands for a report.
   *
   * @param definition the report
   * @param notes what of it is left out
   */
  record OfReport(Xml definition, List<String> notes) {}

  final Documents.FoundDashboard found;

  /** Null = it was a dashboard before. */
  final @Nullable OfReport report;

  private final Columns columns;
  private final Map<String, ViewPart> views;
  final String originalId;
  final UUID id;
  final String name;
  final String folder;
  final Names variableNames = new Names();
  final List<Widget> widgets = new ArrayList<>();
  final List<Variable> variables = new ArrayList<>();
  final Map<String, Widget> byId = new LinkedHashMap<>();

  /** Widgets beyond the most that a dashboard may have. */
  final List<String> tooMany = new ArrayList<>();

  /**
   * Plans a dashboard.
   *
   * @param views the views of the file by their original ids, for the kinds that they show
   * @param report null = it was a dashboard before
   */
  DashboardPlan(
      Documents.FoundDashboard found,
      Map<String, ViewPart> views,
      Columns columns,
      @Nullable OfReport report) {
    this.found = found;
    this.report = report;
    this.columns = columns;
    this.views = views;
    JsonNode node = found.dashboard();
    originalId = Members.text(node, "id");
    String path = Members.text(node, "name");
    int slash = path.lastIndexOf('/');
    String last = slash < 0 ? path : path.substring(slash + 1);
    name = Names.line(last, path.isEmpty() ? "Dashboard" : path);
    String parents = slash > 0 ? path.substring(0, slash) : Members.text(node, "namePath");
    folder = parents.isBlank() ? "" : Names.line(parents, "");
    id = Names.id("dashboard", originalId.isEmpty() ? "name:" + path : originalId);
    Names panelNames = new Names();
    for (JsonNode each : Members.objects(node, "widgets")) {
      String widgetId = Members.text(each, "id");
      String type = Members.text(each, "type");
      String title = Members.text(each, "title");
      if (title.isEmpty()) {
        title = Members.text(each.path("config"), "title");
      }
      String line = Names.line(title, type.isEmpty() ? "Widget" : type);
      if (widgets.size() >= ImportLimits.PANELS) {
        tooMany.add(line);
        continue;
      }
      Widget widget =
          new Widget(
              widgetId.isEmpty() ? "#" + widgets.size() : widgetId,
              each,
              line,
              panelNames.of(title, type, "panel"));
      widgets.add(widget);
      byId.putIfAbsent(widget.id, widget);
    }
    for (Widget widget : widgets) {
      widget.kinds = shown(widget, views);
    }
    interactions();
    panels = panelNames;
  }

  /** Names of panels, for those that a widget has beyond its first. */
  final Names panels;

  // --- what a widget shows ---

  private List<String> shown(Widget widget, Map<String, ViewPart> views) {
    Set<String> kinds = new LinkedHashSet<>();
    JsonNode config = widget.config;
    if (widget.is("View")) {
      ViewPart view = views.get(Members.text(config, "viewDefinitionId"));
      return view == null ? List.of() : view.kinds;
    }
    Kinds known = found.kinds();
    for (JsonNode kind : Members.list(config.path("tagFilter").path("value"), "kind")) {
      add(kinds, known.of(Members.text(kind)));
    }
    for (JsonNode kind : Members.list(config, "resourceKind")) {
      add(kinds, known.of(kind.isObject() ? Members.text(kind, "id") : Members.text(kind)));
    }
    for (JsonNode kind : Members.list(config.path("metricOption"), "resourceKindId")) {
      add(kinds, known.of(Members.text(kind)));
    }
    add(kinds, known.of(Members.text(config, "resourceKindId")));
    for (JsonNode heat : Members.objects(config, "configs")) {
      add(kinds, known.of(Members.text(heat, "resourceKind")));
    }
    for (String list : new String[] {"resourceKindMetrics", "resourceMetrics"}) {
      for (JsonNode metric : Members.objects(config.path("metric"), list)) {
        add(kinds, known.of(Members.text(metric, "resourceKindId")));
      }
    }
    if (kinds.isEmpty()) {
      for (JsonNode filter : Members.objects(config.path("customFilter"), "filter")) {
        add(kinds, Kinds.ofId(Members.text(filter, "resourceKind")));
      }
      for (JsonNode column : Members.objects(config, "additionalColumns")) {
        add(kinds, known.of(Members.text(column, "resourceKindId")));
      }
    }
    if (kinds.isEmpty() && widget.type.toLowerCase(Locale.ROOT).startsWith("resourcelist")) {
      for (JsonNode resource : Members.list(config, "resource")) {
        Kinds.Pinned pinned = known.pinned(resource);
        if (pinned != null) {
          add(kinds, pinned.kind());
        }
      }
    }
    return List.copyOf(kinds);
  }

  private static void add(Set<String> kinds, String kind) {
    if (!kind.isEmpty() && kinds.size() < 20) {
      kinds.add(kind);
    }
  }

  // --- who drives whom ---

  private void interactions() {
    for (JsonNode each : Members.objects(found.dashboard(), "widgetInteractions")) {
      Widget provider = byId.get(Members.text(each, "widgetIdProvider"));
      Widget receiver = byId.get(Members.text(each, "widgetIdReceiver"));
      if (provider == null || receiver == null || provider == receiver) {
        continue;
      }
      if (Members.text(each, "type").equalsIgnoreCase("metricId")) {
        receiver.metricProviders.add(provider.id);
      } else {
        receiver.providers.add(provider.id);
      }
    }
    Map<Set<String>, Variable> bySet = new LinkedHashMap<>();
    Map<Set<String>, Variable> byMetricSet = new LinkedHashMap<>();
    for (Widget widget : widgets) {
      if (!widget.providers.isEmpty() && !widget.isSelfProvider()) {
        widget.subject = variable(bySet, widget.providers, "object");
      }
      if (!widget.metricProviders.isEmpty()) {
        widget.metric = variable(byMetricSet, widget.metricProviders, "metric");
      }
    }
    // Widgets that lead to another dashboard hand their object over.
    for (Map.Entry<String, JsonNode> navigation :
        found.dashboard().path("dashboardNavigations").properties()) {
      Widget widget = byId.get(navigation.getKey());
      if (widget != null && widget.sets.stream().noneMatch(it -> it.type.equals("object"))) {
        variable(bySet, Set.of(widget.id), "object");
      }
    }
  }

  private @Nullable Variable variable(
      Map<Set<String>, Variable> known, Set<String> providers, String type) {
    Variable before = known.get(providers);
    if (before != null) {
      before.readers++;
      return before;
    }
    if (variables.size() >= ImportLimits.VARIABLES) {
      return null;
    }
    Set<String> kinds = new LinkedHashSet<>();
    String title = "";
    for (String id : providers) {
      Widget provider = byId.get(id);
      if (provider != null) {
        provider.kinds.forEach(kind -> add(kinds, kind));
        title = title.isEmpty() ? provider.title : title;
      }
    }
    if (kinds.isEmpty()) {
      asked(providers).forEach(kind -> add(kinds, kind));
    }
    String name =
        type.equals("metric")
            ? variableNames.of("metric")
            : variableNames.of(
                nameOf(new LinkedHashSet<>(columns.withVCenters(List.copyOf(kinds), null)), title),
                title,
                "object");
    Variable variable = new Variable(name, type, Set.copyOf(providers));
    variable.kinds.addAll(columns.withVCenters(List.copyOf(kinds), null));
    variable.title = title;
    variable.readers = 1;
    for (String id : providers) {
      Widget provider = byId.get(id);
      if (provider != null) {
        if (provider.sets.size() < 10) {
          provider.sets.add(variable);
        }
        if (Members.flag(provider.config, "selectFirstRow") && type.equals("object")) {
          variable.first = true;
          first(variable, views.get(Members.text(provider.config, "viewDefinitionId")));
        }
      }
    }
    known.put(providers, variable);
    variables.add(variable);
    return variable;
  }

  /** Takes the first row of a view as the first object, in the order of the view. */
  private static void first(Variable variable, @Nullable ViewPart view) {
    if (view == null || !variable.firstBy.isEmpty()) {
      return;
    }
    JsonNode sort = view.node.path("sort").path(0);
    for (JsonNode column : view.node.path("columns")) {
      JsonNode metric = column.path("metric");
      if (column.path("name").equals(sort.path("column")) && !metric.has("instance")) {
        variable.firstBy = metric.path("any").path(0).asString("");
        variable.descending = sort.path("order").asString("").equals("desc");
      }
    }
  }

  /**
   * Kinds that the widgets show which a set of others drives, where they show the object itself.
   */
  private Set<String> asked(Set<String> providers) {
    Set<String> kinds = new LinkedHashSet<>();
    for (Widget widget : widgets) {
      boolean isItself =
          Members.list(widget.config, "relationshipMode").stream()
                  .allMatch(it -> Members.text(it).equals("0"))
              && (widget.is("Scoreboard")
                  || widget.is("MetricChart")
                  || widget.is("PropertyList")
                  || widget.is("SparklineChart")
                  || widget.is("HealthChart"));
      if (isItself && widget.providers.equals(providers)) {
        kinds.addAll(widget.kinds);
      }
    }
    return kinds;
  }

  private static String nameOf(Set<String> kinds, String title) {
    return kinds.stream()
        .filter(kind -> !Columns.isRoot(kind, ""))
        .findFirst()
        .or(() -> kinds.stream().findFirst())
        .map(Names::ofKind)
        .orElse(title);
  }

  /**
   * A variable for an object that nobody gives: one for each id.
   *
   * @param id what it stands for
   * @return null = the dashboard has all the variables that it may have
   */
  @Nullable Variable own(String id, List<String> kinds, String title) {
    return own(id, "object", kinds, title);
  }

  /** A variable for a metric that nobody has chosen. */
  @Nullable Variable ownMetric() {
    return own("metric", "metric", List.of(), "");
  }

  private @Nullable Variable own(String id, String type, List<String> kinds, String title) {
    for (Variable variable : variables) {
      if (variable.providers.contains("=" + id)) {
        variable.readers++;
        return variable;
      }
    }
    if (variables.size() >= ImportLimits.VARIABLES) {
      return null;
    }
    Set<String> all = new LinkedHashSet<>(columns.withVCenters(kinds, null));
    Variable variable =
        new Variable(
            variableNames.of(type.equals("metric") ? type : nameOf(all, title), title, "object"),
            type,
            Set.of("=" + id));
    variable.kinds.addAll(all);
    variable.title = title;
    variable.readers = 1;
    variables.add(variable);
    return variable;
  }
}
