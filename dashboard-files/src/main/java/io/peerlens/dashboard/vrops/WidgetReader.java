package io.peerlens.dashboard.vrops;

import io.peerlens.dashboard.vrops.DashboardPlan.Variable;
import io.peerlens.dashboard.vrops.DashboardPlan.Widget;
import io.peerlens.dashboard.vrops.ImportReport.Proposal;
import io.peerlens.dashboard.vrops.ImportReport.Settle;
import io.peerlens.dashboard.vrops.Installation.Here;
import io.peerlens.dashboard.vrops.Kinds.Pinned;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Reader of widgets: each becomes a panel, some several, and a few a variable. */
final class WidgetReader {

  private static final JsonNodeFactory JSON = JsonNodeFactory.instance;
  private static final int CHART_OBJECTS = 10;

  private final Columns columns;
  private final Conditions conditions;
  private final Documents documents;
  private final Map<String, ViewPart> views;
  private final Installation installation;
  private final Settlements settlements;
  private final Reporter reporter;

  WidgetReader(
      Columns columns,
      Documents documents,
      Map<String, ViewPart> views,
      Installation installation,
      Settlements settlements,
      Reporter reporter) {
    this.columns = columns;
    this.conditions = new Conditions(columns);
    this.documents = documents;
    this.views = views;
    this.installation = installation;
    this.settlements = settlements;
    this.reporter = reporter;
  }

  /** A widget being read, with the dashboard around it. */
  private record Place(Widget widget, DashboardPlan plan, String time) {

    JsonNode config() {
      return widget.config;
    }

    PanelPart panel(String type) {
      return new PanelPart(widget.name, widget.title, type);
    }
  }

  /**
   * Reads a widget.
   *
   * @param time range of the dashboard
   */
  List<PanelPart> read(Widget widget, DashboardPlan plan, String time) {
    Place at = new Place(widget, plan, time);
    if (widget.is("Heatmap")) {
      return heatmap(at);
    }
    return List.of(one(at));
  }

  private PanelPart one(Place at) {
    return switch (at.widget().type.toLowerCase(Locale.ROOT)) {
      case "view" -> view(at);
      case "scoreboard" -> scoreboard(at);
      case "metricchart" -> chart(at);
      case "rollingviewchart" -> chart(at).replaced("one after the other there; all at once here");
      case "paretoanalysis" -> top(at);
      case "resourcelist" -> list(at);
      case "healthchart" -> health(at);
      case "textdisplay" -> text(at);
      case "propertylist" -> properties(at);
      case "alertlist" -> alerts(at);
      case "problemalertslist" -> problemAlerts(at);
      case "skittles" -> alerts(at).replaced("open alerts in place of dots");
      case "resourcerelationship" -> relations(at, "drawn as a tree");
      case "resourcerelationshipadvanced" -> relations(at, "");
      case "topologygraph" -> relations(at, "a tree in place of the graph; same objects, no map");
      case "sparklinechart" -> sparklines(at);
      case "metricpicker" -> metricPicker(at);
      case "tagpicker" -> tagPicker(at);
      case "loganalysis" -> at.panel("text").cannot("logs are not read here");
      case "containerdetails", "containeroverview" ->
          cells(at, "health", "alerts").replaced("health and open alerts in place of its details");
      case "intsummarytimeremaining",
          "intsummarycapacity",
          "intsummarycapacityremaining",
          "intsummarydensity",
          "intsummaryreclaimablecapacity",
          "timeremaining",
          "capacityremaining",
          "capacity",
          "density",
          "reclaimablecapacity" ->
          capacity(at);
      case "intsummarystress", "stress", "intsummaryworkload", "workload", "workloadpattern" ->
          workload(at);
      case "intsummaryanomalies", "anomalies", "anomalybreakdown" ->
          subjectPanel(at, "outliers")
              .replaced("who differs from its peers, in place of anomalies");
      case "intsummaryhealth" -> cells(at, "health").replaced("health is made of the open alerts");
      case "intsummaryalertvolume", "alertvolume" ->
          alerts(at).replaced("the open alerts in place of their number for each day");
      case "intsummaryrisk",
          "intsummaryefficiency",
          "intsummaryfaults",
          "faults",
          "risk",
          "efficiency",
          "intsummarycompliance" ->
          alerts(at).replaced("no such badge here; open alerts of the same objects");
      case "recommendedactions" ->
          alerts(at).replaced("open alerts; what to change is on the page Right-sizing");
      case "mashupchart" -> mashup(at);
      case "environmentoverview", "environmentstatus", "environment" ->
          cells(at, "health", "alerts").replaced("health and open alerts of the objects");
      case "weathermap" -> weather(at);
      case "forensics" -> forensics(at);
      case "datacollectionresults" ->
          at.panel("text").cannot("collections are started on the page Sources");
      case "geo" -> at.panel("text").cannot("maps are not drawn here");
      default ->
          at.panel("text")
              .cannot(
                  "widgets of the type "
                      + (at.widget().type.isEmpty()
                          ? "without name"
                          : Names.cut(at.widget().type, 60))
                      + " are not known here");
    };
  }

  // --- which objects ---

  private record Relationship(List<Integer> modes, int depth) {}

  private static Relationship relationship(JsonNode config) {
    List<Integer> modes = new ArrayList<>();
    for (JsonNode mode : Members.list(config, "relationshipMode")) {
      Double number = Members.number(Members.text(mode));
      if (number != null && Math.abs(number) <= 1 && !modes.contains(number.intValue())) {
        modes.add(number.intValue());
      }
    }
    return new Relationship(modes, Members.whole(config, "depth", 0, 0, 20));
  }

  private static ArrayNode paths(Relationship relationship) {
    ArrayNode paths = JSON.arrayNode();
    for (int mode : relationship.modes()) {
      ArrayNode path = paths.addArray();
      if (mode == 0) {
        path.add("self");
      } else {
        ObjectNode step = path.addObject();
        step.put("to", mode < 0 ? "descendants" : "ancestors");
        if (relationship.depth() > 0) {
          step.put("depth", relationship.depth());
        }
      }
    }
    return paths;
  }

  /** Sets of which objects a panel shows: by kind, who drives it, what it is tied to, filters. */
  private void objects(Place at, PanelPart part, List<String> kinds, boolean needsSubject) {
    List<String> shown = columns.withVCenters(kinds, null);
    if (!shown.equals(kinds)) {
      part.replaced("each vCenter in place of the World over all of them");
    }
    part.kinds = shown;
    Columns.kinds(part.node, shown);
    ObjectNode select = JSON.objectNode();
    who(at, part, shown, select, needsSubject);
    filters(at.config(), at, part, shown, select);
    if (!select.isEmpty()) {
      part.node.set("select", select);
    }
  }

  /** Sets of where the objects of a panel come from. */
  private void who(
      Place at, PanelPart part, List<String> kinds, ObjectNode select, boolean needsSubject) {
    Widget widget = at.widget();
    if (widget.subject != null && !widget.isSelfProvider()) {
      subject(part, widget.subject);
      if (!needsSubject) {
        ArrayNode paths = paths(relationship(widget.config));
        if (!paths.isEmpty()) {
          select.set("paths", paths);
        }
      }
      if (widget.providers.size() > 1) {
        part.note("the last of " + widget.providers.size() + " panels to be clicked drives it");
      }
      return;
    }
    List<Pinned> pinned = pinned(at);
    List<Pinned> single = pinned.stream().filter(it -> !it.isRoot()).toList();
    if (single.size() == 1 && single.size() == pinned.size()) {
      tie(at, part, single.getFirst(), kinds, select, needsSubject);
      return;
    }
    if (single.size() > 1 && single.size() == pinned.size()) {
      names(part, single, select);
      return;
    }
    if (needsSubject) {
      Variable variable = at.plan().own("kind:" + kinds, kinds, "");
      if (variable == null) {
        part.is(ImportStatus.CHOOSE, "choose the object that it shows");
        return;
      }
      subject(part, variable);
      if (pinned.isEmpty() && !widget.isSelfProvider()) {
        part.replaced("nothing drives it; it asks for an object");
      } else {
        variable.first = true;
        part.replaced("one object of the kind at a time, to choose above");
      }
      return;
    }
    if (pinned.isEmpty() && widget.config.has("selfProvider") && !widget.isSelfProvider()) {
      part.note(
          widget.providers.isEmpty() ? "nothing drives it; it shows all" : "shows all objects");
    }
  }

  private void subject(PanelPart part, Variable variable) {
    part.node.put("subject", "$" + variable.name);
    part.note("shows what $" + variable.name + " says");
  }

  private List<Pinned> pinned(Place at) {
    List<Pinned> pinned = new ArrayList<>();
    for (String member : new String[] {"resource", "resources"}) {
      for (JsonNode resource : Members.list(at.config(), member)) {
        Pinned found = at.plan().found.kinds().pinned(resource);
        if (found != null && pinned.size() < 20 && !pinned.contains(found)) {
          pinned.add(found);
        }
      }
    }
    String id = Members.text(at.config(), "resourceId");
    if (pinned.isEmpty() && !id.isEmpty()) {
      Pinned found = at.plan().found.kinds().pinned(at.config());
      if (found != null && !found.name().equals(at.widget().title)) {
        pinned.add(found);
      }
    }
    return pinned;
  }

  /** Ties a panel to one object or to the members of a group. */
  private void tie(
      Place at,
      PanelPart part,
      Pinned pinned,
      List<String> kinds,
      ObjectNode select,
      boolean needsSubject) {
    if (pinned.isGroup() && !kinds.contains(pinned.kind()) && !needsSubject) {
      group(part, pinned, select);
      return;
    }
    String id = "object:" + pinned.kind() + "/" + pinned.name();
    String chosen = settlements.chosen(id);
    if (chosen != null && !chosen.equals(Settlements.ASK) && !pinned.kind().isEmpty()) {
      part.node.set("subject", new Pinned(pinned.kind(), chosen, Map.of()).node());
      part.replaced(Names.line(chosen, "") + " in place of " + Names.line(pinned.name(), ""));
    } else if (chosen == null
        && !pinned.kind().isEmpty()
        && installation.object(pinned.kind(), pinned.name()).isPresent()) {
      part.node.set("subject", pinned.node());
      part.note("tied to " + Names.line(pinned.name(), ""));
    } else {
      Variable variable =
          at.plan()
              .own(id, pinned.kind().isEmpty() ? List.of() : List.of(pinned.kind()), pinned.name());
      String becomes = variable == null ? "shows all" : "becomes $" + variable.name;
      if (variable != null) {
        part.node.put("subject", "$" + variable.name);
      }
      if (chosen != null) {
        part.replaced(Names.line(pinned.name(), "object") + " " + becomes);
      } else {
        part.is(
            ImportStatus.CHOOSE, Names.line(pinned.name(), "object") + " is not here; " + becomes);
        Settle settle =
            settlements.add(
                id,
                ImportStatus.CHOOSE,
                Names.line(pinned.name(), "object"),
                "panels are tied to this " + kindWord(pinned.kind()) + ", which is not here",
                pinned.kind().isEmpty() ? List.of() : installation.names(pinned.kind()),
                true);
        part.proposal = settle.proposal();
      }
    }
    ArrayNode paths = paths(relationship(at.config()));
    if (!paths.isEmpty() && !needsSubject) {
      select.set("paths", paths);
    }
  }

  private static String kindWord(String kind) {
    return kind.isEmpty() ? "object" : kind.substring(kind.indexOf('/') + 1);
  }

  private void group(PanelPart part, Pinned pinned, ObjectNode select) {
    String name = Names.line(pinned.name(), "group");
    String id = "group:" + name;
    String chosen = settlements.chosen(id);
    if (chosen != null && !chosen.equals(Settlements.ASK)) {
      select.putObject("from").put("group", Names.line(chosen, name));
      part.replaced("group \"" + Names.line(chosen, name) + "\" in place of \"" + name + "\"");
      return;
    }
    select.putObject("from").put("group", name);
    if (installation.groups().contains(name)) {
      part.note("members of the group \"" + name + "\"");
      return;
    }
    reporter.neededGroups.add(name);
    String rule = rule(documents.groups.get(pinned.name()));
    boolean inFile = documents.groups.containsKey(pinned.name());
    String text =
        inFile
            ? "group \""
                + name
                + "\" is described in the file; make one here"
                + (rule.isEmpty() ? "" : " with the rule " + rule)
            : "group \"" + name + "\" is in neither the file nor here";
    part.is(ImportStatus.MISSING, text);
    Settle settle =
        settlements.add(
            id, ImportStatus.MISSING, "Group \"" + name + "\"", text, installation.groups(), false);
    part.proposal =
        settle.proposal() == null && !rule.isEmpty() ? new Proposal("", rule) : settle.proposal();
  }

  /** The rule of a group in words, if it is one on tags; empty = another one. */
  private static String rule(@Nullable JsonNode group) {
    if (group == null) {
      return "";
    }
    List<String> words = new ArrayList<>();
    for (JsonNode rules : Members.objects(group.path("membershipDefinition"), "ruleGroups")) {
      for (JsonNode rule : Members.objects(rules, "rules")) {
        String tag = Members.text(rule, "tagCategory");
        if (!tag.isEmpty() && words.size() < 3) {
          words.add("tag " + tag + " = " + Members.text(rule, "ruleValue"));
        }
      }
    }
    return words.isEmpty() ? "" : Names.line(String.join(", ", words), "");
  }

  private void names(PanelPart part, List<Pinned> pinned, ObjectNode select) {
    ArrayNode where = select.putArray("where");
    int missing = 0;
    for (Pinned each : pinned) {
      ObjectNode condition = JSON.objectNode();
      condition.put("attribute", "name");
      condition.put("op", "=");
      condition.put("value", Names.line(each.name(), "object"));
      where.addArray().add(condition);
      missing +=
          !each.kind().isEmpty() && installation.object(each.kind(), each.name()).isPresent()
              ? 0
              : 1;
    }
    String text = "the " + pinned.size() + " objects of its list, by their names";
    if (missing > 0) {
      part.is(ImportStatus.CHOOSE, text + "; " + missing + " of them are not here");
    } else {
      part.note(text);
    }
  }

  private void filters(
      JsonNode config, Place at, PanelPart part, List<String> kinds, ObjectNode select) {
    List<String> left = new ArrayList<>();
    ArrayNode where = conditions.ofWidget(config.path("customFilter"), kinds, left);
    if (!where.isEmpty() && !select.has("where")) {
      select.set("where", where);
    }
    JsonNode custom = config.path("customFilter");
    if (!Members.list(custom, "includedResources").isEmpty()
        || !Members.list(custom, "excludedResources").isEmpty()) {
      left.add("single objects that were put in or left out by hand");
    }
    JsonNode tags = config.path("tagFilter").path("value");
    if (tags.isObject()) {
      tagFilter(tags, at, part, select, left);
    }
    if (!left.isEmpty()) {
      part.replaced("without " + String.join(", ", new LinkedHashSet<>(left)));
    }
  }

  private void tagFilter(
      JsonNode tags, Place at, PanelPart part, ObjectNode select, List<String> left) {
    for (Map.Entry<String, JsonNode> member : tags.properties()) {
      JsonNode value = member.getValue();
      if (!value.isArray() || value.isEmpty()) {
        continue;
      }
      switch (member.getKey()) {
        case "kind", "adapterKind" -> {
          // is in the kinds
        }
        case "tag" -> {
          for (JsonNode each : value) {
            JsonNode id = each.isArray() && !each.isEmpty() ? each.get(0) : each;
            Pinned pinned = at.plan().found.kinds().pinned(id);
            if (pinned == null || pinned.isRoot()) {
              continue;
            }
            if (pinned.isGroup() && !select.has("from")) {
              group(part, pinned, select);
            } else if (!pinned.kind().isEmpty() && !pinned.isGroup()) {
              ObjectNode scope =
                  select.path("scope") instanceof ObjectNode made
                      ? made
                      : select.putObject("scope");
              ArrayNode above =
                  scope.path("ancestors") instanceof ArrayNode made
                      ? made
                      : scope.putArray("ancestors");
              if (above.size() < 50) {
                above.add(pinned.node());
              }
              if (installation.object(pinned.kind(), pinned.name()).isEmpty()) {
                part.is(
                    ImportStatus.CHOOSE,
                    "only those below "
                        + Names.line(pinned.name(), "object")
                        + ", which is not here");
              }
            } else {
              left.add("a tag");
            }
          }
        }
        default -> left.add("the filter by " + Names.cut(member.getKey(), 40));
      }
    }
  }

  // --- figures of widgets ---

  private record Figure(
      List<String> kinds,
      String key,
      String label,
      String unit,
      String yellow,
      String orange,
      String red,
      int colour,
      boolean isText,
      @Nullable Pinned on) {}

  private List<Figure> figures(Place at, PanelPart part) {
    JsonNode metric = at.config().path("metric");
    List<Figure> figures = new ArrayList<>();
    for (String list : new String[] {"resourceKindMetrics", "resourceMetrics"}) {
      for (JsonNode each : Members.objects(metric, list)) {
        String key = Members.text(each, "metricKey");
        if (key.isEmpty() || figures.size() >= 200) {
          continue;
        }
        String kind = at.plan().found.kinds().of(Members.text(each, "resourceKindId"));
        Pinned on = list.equals("resourceMetrics") ? at.plan().found.kinds().pinned(each) : null;
        if (on != null && !on.kind().isEmpty()) {
          kind = on.kind();
        }
        String label = Members.text(each, "label");
        if (label.isEmpty()) {
          label = Members.text(each, "boxLabel");
        }
        String metricName = Members.text(each, "metricName");
        figures.add(
            new Figure(
                kind.isEmpty() ? List.of() : List.of(kind),
                key,
                label.isEmpty() ? metricName.substring(metricName.lastIndexOf('|') + 1) : label,
                Units.of(Members.text(each, "metricUnitId"), Members.text(each, "unit")),
                Members.text(each, "yellowBound"),
                Members.text(each, "orangeBound"),
                Members.text(each, "redBound"),
                Members.whole(each, "colorMethod", 2, 0, 9),
                Members.flag(each, "isStringMetric"),
                on));
      }
    }
    String file = Members.text(at.config(), "resInteractionMode");
    if (!file.isEmpty() && !file.equals("null")) {
      listed(file, part, figures);
    }
    return figures;
  }

  /** Figures of a metric configuration, a file beside the dashboards that says what to show. */
  private void listed(String file, PanelPart part, List<Figure> figures) {
    Xml list = documents.metricList(file);
    if (list == null) {
      if (figures.isEmpty()) {
        part.is(
            ImportStatus.MISSING,
            "its figures stand in the metric configuration "
                + Names.line(file, "")
                + ", which is not in the file");
      } else {
        part.replaced(
            "without the metric configuration "
                + Names.line(file, "")
                + ", which is not in the file");
      }
      return;
    }
    for (Xml adapter : list.all("AdapterKind")) {
      for (Xml object : adapter.all("ResourceKind")) {
        String kind =
            Columns.kind(adapter.attribute("adapterKindKey"), object.attribute("resourceKindKey"));
        for (Xml metric : object.all("Metric")) {
          if (!metric.attribute("attrkey").isBlank() && figures.size() < 200 && !kind.isEmpty()) {
            figures.add(
                new Figure(
                    List.of(kind),
                    metric.attribute("attrkey"),
                    metric.attribute("label"),
                    Units.of(metric.attribute("unit"), metric.attribute("unit")),
                    metric.attribute("yellow"),
                    metric.attribute("orange"),
                    metric.attribute("red"),
                    0,
                    false,
                    null));
          }
        }
      }
    }
    part.note("figures of the metric configuration " + Names.line(file, ""));
  }

  private static List<String> kindsOf(List<Figure> figures) {
    Set<String> kinds = new LinkedHashSet<>();
    figures.forEach(it -> kinds.addAll(it.kinds()));
    return kinds.stream().limit(20).toList();
  }

  /** Columns of figures; the same key under the same name stands once, for all its kinds. */
  private void columnsOf(PanelPart part, List<Figure> figures, @Nullable String transform) {
    columnsOf(part, figures, transform, false);
  }

  private void columnsOf(
      PanelPart part, List<Figure> figures, @Nullable String transform, boolean rather) {
    Names names = new Names();
    Map<String, List<Figure>> same = new LinkedHashMap<>();
    for (Figure figure : figures) {
      same.computeIfAbsent(figure.key() + '\n' + figure.label(), k -> new ArrayList<>())
          .add(figure);
    }
    for (List<Figure> each : same.values()) {
      Figure first = each.getFirst();
      String word = columns.word(first.key());
      String title = Names.line(first.label(), word);
      ColumnPart column =
          columns.of(
              names.of(title, word, "figure"),
              title,
              kindsOf(each),
              first.key(),
              first.isText()
                      || rather && !columns.isSurelyMetric(kindsOf(each), MetricKey.of(first.key()))
                  ? Boolean.TRUE
                  : null,
              first.isText());
      column.superMetricName = first.label();
      if (part.columns.size() >= ImportLimits.COLUMNS) {
        column.cannot("a panel has at most " + ImportLimits.COLUMNS + " columns");
      }
      ObjectNode node = column.node;
      if (node != null) {
        if (transform != null && node.has("metric")) {
          node.put("transform", transform);
        }
        Columns.unit(node, first.unit());
        colour(node, first);
      }
      part.columns.add(column);
    }
    write(part);
  }

  private static void colour(ObjectNode node, Figure figure) {
    switch (figure.colour()) {
      case 0 -> {
        ObjectNode rule =
            Colours.ofBounds(figure.yellow(), figure.orange(), figure.red(), figure.isText(), null);
        if (rule != null) {
          node.set("colour", rule);
        }
      }
      case 1 -> node.put("colour", "alerts");
      default -> node.put("colour", "none");
    }
  }

  private static void write(PanelPart part) {
    ArrayNode made = JSON.arrayNode();
    for (ColumnPart column : part.columns) {
      if (column.node != null && made.size() < ImportLimits.COLUMNS) {
        made.add(column.node);
      }
    }
    part.node.set("columns", made);
  }

  /** Ties a panel to the objects that its figures are of, where each figure has its own. */
  private void owners(Place at, PanelPart part, List<Figure> figures, List<String> kinds) {
    Set<Pinned> owners = new LinkedHashSet<>();
    figures.forEach(
        it -> {
          Pinned on = it.on();
          if (on != null) {
            owners.add(on);
          }
        });
    List<Pinned> single = owners.stream().filter(it -> !it.isRoot()).toList();
    if (single.isEmpty()) {
      objects(at, part, kinds, false);
      return;
    }
    List<String> shown = columns.withVCenters(kinds, null);
    part.kinds = shown;
    Columns.kinds(part.node, shown);
    ObjectNode select = JSON.objectNode();
    if (single.size() == 1 && owners.size() == 1) {
      tie(at, part, single.getFirst(), kinds, select, false);
    } else {
      names(part, List.copyOf(owners).subList(0, Math.min(20, owners.size())), select);
      part.replaced("each of its objects shows all figures that it has");
    }
    if (!select.isEmpty()) {
      part.node.set("select", select);
    }
  }

  // --- widgets of figures ---

  private PanelPart scoreboard(Place at) {
    PanelPart part = at.panel("scoreboard");
    List<Figure> figures = figures(at, part);
    if (figures.isEmpty() && part.status != ImportStatus.MISSING) {
      part.is(ImportStatus.CHOOSE, "it has no figures; choose some");
    }
    owners(at, part, figures, kindsOf(figures));
    columnsOf(part, figures, "current");
    boolean sparkline = Members.flag(at.config(), "showSparkline");
    Double decimals = Members.number(at.config(), "roundDecimals");
    for (ColumnPart column : part.columns) {
      ObjectNode node = column.node;
      if (node != null && node.has("metric")) {
        if (sparkline) {
          node.put("sparkline", true);
        }
        if (decimals != null) {
          node.put("decimals", (int) Math.max(0, Math.min(6, decimals)));
        }
      }
    }
    window(part, Transforms.range(Members.text(at.config(), "periodLength")));
    Double cells = Members.number(at.config(), "maxCellCount");
    if (cells != null && cells >= 1 && cells < 1000) {
      part.node.put("limit", cells.intValue());
    }
    return part;
  }

  private static void window(PanelPart part, String window) {
    if (!window.isEmpty()) {
      part.node.put("window", window);
    }
  }

  private PanelPart chart(Place at) {
    PanelPart part = at.panel("chart");
    List<Figure> figures = figures(at, part);
    List<String> kinds = figures.isEmpty() ? at.widget().kinds : kindsOf(figures);
    owners(at, part, figures, kinds);
    Variable metric = at.widget().metric;
    if (figures.isEmpty() && part.status != ImportStatus.MISSING) {
      if (metric == null) {
        part.is(ImportStatus.CHOOSE, "it has no metrics; choose some");
        part.node.putArray("columns");
      } else {
        ObjectNode column = part.node.putArray("columns").addObject();
        column.put("name", "chosen");
        column.putObject("metric").putArray("any").add("$" + metric.name);
        part.note("the metric that $" + metric.name + " says");
      }
    } else {
      columnsOf(part, figures, null);
      boolean dropped = false;
      for (ColumnPart column : part.columns) {
        if (column.node != null && column.node.has("property")) {
          column.replaced("a property has no course; shown as it is now");
          dropped = true;
        }
      }
      if (dropped) {
        write(part);
      }
    }
    if (!part.node.has("subject") && !part.node.has("limit")) {
      part.node.put("limit", CHART_OBJECTS);
    }
    window(part, stateRange(at.widget(), "permDateRange"));
    if (state(at.widget(), "dynamicThresholds").endsWith("1")) {
      part.node.put("usual", true);
    }
    return part;
  }

  /** The range that a widget has of its own; empty = that of the dashboard. */
  private static String stateRange(Widget widget, String key) {
    for (JsonNode state : Members.objects(widget.node, "states")) {
      if (Members.text(state, "key").startsWith(key)) {
        String range = DashboardReader.rangeOf(Members.text(state, "value"));
        if (!range.isEmpty()) {
          return range;
        }
      }
    }
    return "";
  }

  private static String state(Widget widget, String key) {
    for (JsonNode state : Members.objects(widget.node, "states")) {
      if (Members.text(state, "key").contains(key)) {
        return DashboardReader.decoded(Members.text(state, "value"));
      }
    }
    return "";
  }

  private PanelPart sparklines(Place at) {
    PanelPart part = at.panel("sparklines");
    List<Figure> figures = figures(at, part);
    if (figures.isEmpty() && part.status != ImportStatus.MISSING) {
      part.is(ImportStatus.CHOOSE, "it has no figures; choose some");
    }
    owners(at, part, figures, kindsOf(figures));
    columnsOf(part, figures, "current");
    for (ColumnPart column : part.columns) {
      if (column.node != null && column.node.has("metric")) {
        column.node.put("sparkline", true);
      }
    }
    window(part, stateRange(at.widget(), "permDateRange"));
    return part;
  }

  private PanelPart health(Place at) {
    JsonNode config = at.config();
    String type = Members.text(config, "metricType").toLowerCase(Locale.ROOT);
    String key = Members.text(config, "metricKey");
    PanelPart part = at.panel("timeline");
    objects(at, part, at.widget().kinds, false);
    Names names = new Names();
    if (type.equals("risk") || type.equals("efficiency")) {
      PanelPart other = alerts(at);
      return other.replaced("no badge of " + type + " here; open alerts of the same objects");
    }
    if (!type.equals("custom") || key.isEmpty()) {
      ColumnPart column =
          columns.of(names.of("health"), "Health", part.kinds, "badge|health", null, false);
      part.columns.add(column);
      write(part);
      return part;
    }
    String label = Members.text(config, "metricLabel");
    String metricName = Members.text(config, "metricName");
    String title =
        Names.line(
            label.isEmpty() ? metricName.substring(metricName.lastIndexOf('|') + 1) : label,
            columns.word(key));
    ColumnPart column =
        columns.of(names.of(title, "value"), title, at.widget().kinds, key, null, false);
    column.superMetricName = metricName.substring(metricName.lastIndexOf('|') + 1);
    part.columns.add(column);
    ObjectNode node = column.node;
    if (node != null) {
      Columns.unit(
          node,
          Units.of(
              Members.text(config.path("metricUnit"), "metricUnitId"),
              Members.text(config.path("metricUnit"), "metricUnitName")));
      ObjectNode colour =
          Colours.ofBounds(
              Members.text(config, "yellowBound"),
              Members.text(config, "orangeBound"),
              Members.text(config, "redBound"),
              false,
              null);
      if (colour != null) {
        node.set("colour", colour);
        part.note("a lane for each object, coloured by its bounds");
      } else {
        part.type("sparklines");
        if (node.has("metric")) {
          node.put("transform", "current");
          node.put("sparkline", true);
        }
        part.note("a small chart for each object");
      }
      if (Members.text(config, "sortBy").equals("metricValue")) {
        ObjectNode sort = part.node.putArray("sort").addObject();
        sort.put("column", column.name());
        sort.put(
            "order",
            Members.text(config.path("sortByDir"), "orderByDir").equals("desc") ? "desc" : "asc");
      }
    }
    write(part);
    window(part, stateRange(at.widget(), "permDateRange"));
    Double rows = Members.number(config, "paginationNumber");
    if (rows != null && rows >= 1) {
      part.node.put("limit", (int) Math.min(10_000, rows * 10));
    }
    return orAlerts(part, column);
  }

  private PanelPart top(Place at) {
    JsonNode config = at.config();
    PanelPart part = at.panel("top");
    objects(at, part, at.widget().kinds, false);
    JsonNode metric = config.path("metric");
    JsonNode option = config.path("metricOption");
    String key = Members.text(metric, "metricKey");
    if (key.isEmpty()) {
      key = Members.text(option.path("metricInfo"), "value");
    }
    String how = Members.text(config, "topOption");
    if (how.isEmpty()) {
      how = Members.text(option.path("value"), "metricOption");
    }
    String tag = Members.text(config.path("tagOption").path("value"), "tagOption");
    if (key.isEmpty() && !tag.isEmpty()) {
      key = "badge|health";
      how = tag;
    }
    if (key.isEmpty()) {
      part.is(ImportStatus.CHOOSE, "it has no metric; choose one");
      part.node.putArray("columns");
      return part;
    }
    String label = Members.text(config, "metricName");
    String keyName = Members.text(metric, "name");
    String title =
        Names.line(
            label.isEmpty() ? keyName.substring(keyName.lastIndexOf('|') + 1) : label,
            columns.word(key));
    Names names = new Names();
    ColumnPart column =
        columns.of(names.of(title, "value"), title, at.widget().kinds, key, null, false);
    column.superMetricName = title;
    part.columns.add(column);
    String lower = how.toLowerCase(Locale.ROOT);
    boolean lowest = lower.contains("lowest") || lower.contains("least");
    ObjectNode node = column.node;
    if (node != null) {
      if (node.has("metric")) {
        Double percentile = Members.number(config, "percentileValue");
        if (lower.contains("percentile")
            && percentile != null
            && percentile > 0
            && percentile < 100) {
          node.putObject("transform").set("percentile", Colours.number(percentile));
          column.shows = "percentile " + Colours.number(percentile).asString("");
        } else {
          node.put("transform", "avg");
          column.shows = "mean";
        }
      }
      Columns.unit(
          node,
          Units.of(
              Members.text(config.path("metricUnit"), "metricUnitId"),
              Members.text(config.path("metricUnit"), "metricUnitName")));
      Double decimals = Members.number(config, "roundDecimals");
      if (decimals != null) {
        node.put("decimals", (int) Math.max(0, Math.min(6, decimals)));
      }
      ObjectNode colour =
          Colours.ofBounds(
              Members.text(config, "yellowBound"),
              Members.text(config, "orangeBound"),
              Members.text(config, "redBound"),
              false,
              lowest);
      if (colour != null) {
        node.set("colour", colour);
      }
      ObjectNode sort = part.node.putArray("sort").addObject();
      sort.put("column", column.name());
      sort.put("order", lowest ? "asc" : "desc");
    }
    additional(config, at, part, names);
    write(part);
    part.node.put("limit", Members.whole(config, "barsCount", 10, 1, 1000));
    window(part, Transforms.range(Members.text(config.path("periodLength"), "dateRange")));
    part.note((lowest ? "lowest" : "highest") + " first");
    return orAlerts(part, column);
  }

  /** A panel whose figure is not taken over shows the alerts of its objects. */
  private static PanelPart orAlerts(PanelPart part, @Nullable ColumnPart figure) {
    if (figure == null || figure.node != null) {
      return part;
    }
    for (String member :
        List.of("columns", "sort", "size", "colourBy", "groupBy", "window", "slider")) {
      part.node.remove(member);
    }
    part.type("alerts");
    return part.replaced("open alerts of the same objects, for it has no figure");
  }

  private void additional(JsonNode config, Place at, PanelPart part, Names names) {
    for (JsonNode each : Members.objects(config, "additionalColumns")) {
      String key = Members.text(each, "metricKey");
      if (key.isEmpty()) {
        continue;
      }
      String kind = at.plan().found.kinds().of(Members.text(each, "resourceKindId"));
      String metricName = Members.text(each, "metricName");
      String title =
          Names.line(
              Members.text(each, "boxLabel"),
              metricName.substring(metricName.lastIndexOf('|') + 1));
      if (title.equals("-")) {
        title = Names.line(columns.word(key), "column");
      }
      boolean isText = Members.flag(each, "isStringMetric");
      ColumnPart column =
          columns.of(
              names.of(title, columns.word(key), "column"),
              title,
              kind.isEmpty() ? at.widget().kinds : List.of(kind),
              key,
              isText ? Boolean.TRUE : null,
              isText);
      column.superMetricName = title;
      ObjectNode node = column.node;
      if (part.columns.size() >= ImportLimits.COLUMNS) {
        column.cannot("a panel has at most " + ImportLimits.COLUMNS + " columns");
      } else if (node != null) {
        if (node.has("metric")) {
          node.put("transform", "current");
        }
        Columns.unit(
            node, Units.of(Members.text(each, "metricUnitId"), Members.text(each, "unit")));
      }
      part.columns.add(column);
    }
  }

  private PanelPart list(Place at) {
    PanelPart part = at.panel("table");
    objects(at, part, at.widget().kinds, false);
    if (part.kinds.isEmpty()) {
      part.note("it names no kind of objects");
    }
    additional(at.config(), at, part, new Names());
    write(part);
    if (part.columns.isEmpty()) {
      part.note("the objects alone");
    }
    driven(at, part);
    return part;
  }

  private static void driven(Place at, PanelPart part) {
    for (Variable variable : at.widget().sets) {
      part.note(
          "a row sets $"
              + variable.name
              + ", read by "
              + variable.readers
              + (variable.readers == 1 ? " panel" : " panels"));
    }
  }

  private PanelPart properties(Place at) {
    PanelPart part = at.panel("properties");
    List<Figure> figures = figures(at, part);
    List<String> kinds = figures.isEmpty() ? at.widget().kinds : kindsOf(figures);
    boolean allAreProperties = true;
    for (Figure figure : figures) {
      allAreProperties &=
          !columns.isSurelyMetric(
              columns.withVCenters(figure.kinds(), null), MetricKey.of(figure.key()));
    }
    boolean isDriven = at.widget().subject != null && !at.widget().isSelfProvider();
    List<Pinned> pinned = pinned(at).stream().filter(it -> !it.isRoot()).toList();
    if (allAreProperties && (isDriven || pinned.size() == 1)) {
      objects(at, part, kinds, true);
      columnsOf(part, figures, null, true);
      part.node.remove("columns");
      if (!part.columns.isEmpty()) {
        ArrayNode list = part.node.putArray("properties");
        for (ColumnPart column : part.columns) {
          if (column.node != null && column.node.has("property")) {
            list.add(column.node.path("property"));
          }
        }
      }
      return part;
    }
    part.type(isDriven || pinned.size() == 1 ? "scoreboard" : "table");
    owners(at, part, figures, kinds);
    columnsOf(part, figures, "current", true);
    part.replaced(
        isDriven || pinned.size() == 1
            ? "figures and properties become cells"
            : "a row for each object");
    return part;
  }

  // --- heat maps ---

  private List<PanelPart> heatmap(Place at) {
    List<JsonNode> configs = Members.objects(at.config(), "configs");
    if (configs.isEmpty()) {
      PanelPart part = at.panel("heatmap");
      part.is(ImportStatus.CHOOSE, "it has no configuration; choose a metric");
      objects(at, part, at.widget().kinds, false);
      return List.of(part);
    }
    List<PanelPart> parts = new ArrayList<>();
    for (JsonNode config : configs) {
      if (parts.size() >= 20) {
        parts.getFirst().replaced("without " + (configs.size() - 20) + " more configurations");
        break;
      }
      String name = Members.text(config, "name");
      String title =
          configs.size() == 1
              ? at.widget().title
              : Names.line(
                  at.widget().title + ": " + (name.isEmpty() ? parts.size() + 1 : name), "");
      PanelPart part =
          new PanelPart(
              parts.isEmpty() ? at.widget().name : at.plan().panels.of(name, at.widget().title),
              title,
              "heatmap");
      heat(at, part, config);
      if (!parts.isEmpty()) {
        part.note("a configuration of the same widget, in a section at the end");
      }
      parts.add(part);
    }
    if (parts.size() > 1) {
      parts.getFirst().note("its other configurations are in a section at the end");
    }
    return parts;
  }

  private void heat(Place at, PanelPart part, JsonNode config) {
    String own = at.plan().found.kinds().of(Members.text(config, "resourceKind"));
    List<String> kinds = own.isEmpty() ? at.widget().kinds : List.of(own);
    objects(at, part, kinds, false);
    ObjectNode select =
        part.node.path("select") instanceof ObjectNode made ? made : JSON.objectNode();
    filters(config, at, part, part.kinds, select);
    if (!select.isEmpty()) {
      part.node.set("select", select);
    }
    Names names = new Names();
    ColumnPart colour = heatColumn(config.path("colorBy"), kinds, names);
    if (colour == null) {
      part.is(ImportStatus.CHOOSE, "it has no metric for the colour; choose one");
    } else {
      part.columns.add(colour);
      ObjectNode node = colour.node;
      if (node != null) {
        ObjectNode rule =
            thresholds(config.path("color"), part, Members.flag(config, "solidColoring"));
        if (rule != null && !node.has("attribute")) {
          node.set("colour", rule);
        }
        part.node.put("colourBy", colour.name());
      }
    }
    ColumnPart size = heatColumn(config.path("sizeBy"), kinds, names);
    if (size != null) {
      if (colour != null
          && colour.node != null
          && size.key.equals(colour.key)
          && !size.key.isEmpty()) {
        part.node.put("size", colour.name());
      } else {
        part.columns.add(size);
        if (size.node != null) {
          part.node.put("size", size.name());
        }
      }
    }
    write(part);
    String group = kindOf(at, config.path("groupBy"));
    String then = kindOf(at, config.path("thenBy"));
    if (!group.isEmpty() && !kinds.contains(group) && !Columns.isRoot(group, "")) {
      part.node.putObject("groupBy").put("ancestor", group);
      if (!then.isEmpty() && !kinds.contains(then)) {
        part.replaced("grouped once, not again by " + kindWord(then));
      }
    } else if (!then.isEmpty() && !kinds.contains(then) && !Columns.isRoot(then, "")) {
      part.node.putObject("groupBy").put("ancestor", then);
    }
    orAlerts(part, colour);
  }

  private @Nullable ColumnPart heatColumn(JsonNode by, List<String> kinds, Names names) {
    String key = Members.text(by, "metricKey");
    if (key.isEmpty()) {
      return null;
    }
    String name = Members.text(by, "value");
    String title = Names.line(name.substring(name.lastIndexOf('|') + 1), columns.word(key));
    ColumnPart column = columns.of(names.of(title, "value"), title, kinds, key, null, false);
    column.superMetricName = title;
    if (column.node != null && column.node.has("metric")) {
      column.node.put("transform", "current");
    }
    return column;
  }

  private static String kindOf(Place at, JsonNode by) {
    String kind = at.plan().found.kinds().of(Members.text(by, "typeId"));
    if (kind.isEmpty()) {
      kind = Kinds.ofId(Members.text(by, "id"));
    }
    return kind.isEmpty()
        ? Columns.kind(Members.text(by, "adapterKind"), Members.text(by, "resourceKind"))
        : kind;
  }

  /**
   * Bounds out of the colours of a heat map, which are given in per cent of a range if it has one.
   */
  private static @Nullable ObjectNode thresholds(JsonNode color, PanelPart part, boolean solid) {
    JsonNode thresholds = color.path("thresholds");
    List<Double> values = new ArrayList<>();
    for (JsonNode value : Members.list(thresholds, "values")) {
      Double number = Members.number(Members.text(value));
      if (number != null) {
        values.add(number);
      }
    }
    List<String> colours = Members.list(thresholds, "colors").stream().map(Members::text).toList();
    Double least = Members.number(color, "minValue");
    Double most = Members.number(color, "maxValue");
    boolean inPercent = values.stream().allMatch(it -> it >= 0 && it <= 100);
    if (least != null && most != null && most > least && inPercent) {
      double from = least;
      double width = most - least;
      values.replaceAll(it -> from + width * it / 100);
    }
    if (colours.size() == values.size() + 1) {
      values.addFirst(Double.NEGATIVE_INFINITY);
    }
    ObjectNode rule = Colours.ofRanges(values, colours);
    if (rule != null && !solid) {
      part.note("colours in steps");
    }
    return rule;
  }

  // --- views ---

  private PanelPart view(Place at) {
    String id = Members.text(at.config(), "viewDefinitionId");
    ViewPart view = views.get(id);
    if (view == null) {
      return storedView(at, id);
    }
    view.panels++;
    if (!view.showsObjects) {
      PanelPart part = at.panel("text");
      if (view.status == ImportStatus.CANNOT) {
        return part.cannot(String.join("; ", view.notes));
      }
      part.node.put("markdown", view.markdown);
      view.notes.forEach(part::replaced);
      return part.note("view \"" + view.title + "\", a text");
    }
    PanelPart part = at.panel(view.panelType);
    part.node.put("view", view.id.toString());
    if (!view.as.isEmpty()) {
      part.node.put("as", view.as);
    }
    if (!view.forecast.isEmpty()) {
      part.node.put("forecast", view.forecast);
    }
    part.note(
        "view \""
            + view.title
            + "\", "
            + view.columns.size()
            + (view.columns.size() == 1 ? " column" : " columns"));
    part.status = part.status.worse(view.status);
    view.notes.forEach(part::note);
    part.kinds = view.kinds;
    ObjectNode select = JSON.objectNode();
    who(at, part, view.kinds, select, false);
    select.remove("paths");
    if (!select.isEmpty() && view.node.path("select") instanceof ObjectNode own) {
      // What the panel says holds in place of what the view says, so it says both.
      ObjectNode both = own.deepCopy();
      both.setAll(select);
      select = both;
    }
    if (!select.isEmpty()) {
      part.node.set("select", select);
    }
    traversal(at, part);
    window(part, viewWindow(at));
    part.columns.addAll(view.columns);
    driven(at, part);
    return part;
  }

  private static void traversal(Place at, PanelPart part) {
    String traversal = Members.text(at.config(), "traversalSpecId");
    if (traversal.isEmpty()) {
      traversal = Members.text(at.config().path("resource"), "traversalSpecId");
    }
    int dash = traversal.indexOf('-');
    String name = dash > 0 ? traversal.substring(0, dash) : traversal;
    if (!name.isBlank() && part.node.has("subject")) {
      part.replaced("along all relations, not only those of " + Names.cut(name, 60));
    }
  }

  /** The window of a widget in place of the one of its view; empty = that of the view. */
  private static String viewWindow(Place at) {
    for (JsonNode state : Members.objects(at.widget().node, "states")) {
      String key = Members.text(state, "key");
      String value = DashboardReader.decoded(Members.text(state, "value"));
      if (key.startsWith("perm_isDashboardTime") && value.endsWith("1")) {
        return at.time();
      }
      if (key.startsWith("permSelectedDate") && value.startsWith("s:{")) {
        try {
          JsonNode interval = Documents.MAPPER.readTree(value.substring(2));
          String window = ViewReader.interval(name -> Members.text(interval, name));
          if (!window.isEmpty()) {
            return window;
          }
        } catch (tools.jackson.core.JacksonException e) {
          // the window of the view
        }
      }
    }
    return "";
  }

  private PanelPart storedView(Place at, String id) {
    PanelPart part = at.panel("table");
    String chosen = settlements.chosen("view:" + id);
    Optional<Here> here =
        id.isEmpty() ? Optional.empty() : installation.view(chosen == null ? id : chosen);
    if (here.isEmpty() && chosen == null) {
      here = installation.view(at.widget().title);
    }
    ObjectNode select = JSON.objectNode();
    if (id.isEmpty()) {
      who(at, part, List.of(), select, false);
      return part.is(ImportStatus.CHOOSE, "it names no view; choose one");
    }
    if (here.isPresent()) {
      part.node.putObject("view").put("name", Names.line(here.get().name(), "View"));
      part.note("view \"" + Names.line(here.get().name(), "View") + "\", which is here");
    } else {
      part.node.put("view", Names.id("view", id).toString());
      part.is(
          ImportStatus.MISSING,
          "its view is in neither the file nor here; export Views, too, and import it with them");
      Settle settle =
          settlements.add(
              "view:" + id,
              ImportStatus.MISSING,
              "View of \"" + at.widget().title + "\"",
              "view that is in neither the file nor here",
              installation.views(),
              false);
      part.proposal = settle.proposal();
    }
    who(at, part, List.of(), select, false);
    select.remove("paths");
    if (!select.isEmpty()) {
      part.node.set("select", select);
    }
    window(part, viewWindow(at));
    return part;
  }

  // --- texts ---

  private PanelPart text(Place at) {
    PanelPart part = at.panel("text");
    String html = Members.text(at.config(), "editorData");
    String address = Members.text(at.config(), "locationUrl");
    String file = Members.text(at.config(), "locationFile");
    if (html.isBlank() && !address.isEmpty()) {
      if (HtmlText.isLink(address)) {
        part.node.put("markdown", HtmlText.link(HtmlText.escaped(address), address));
        return part.is(ImportStatus.CANNOT, "shows an external address; kept as a link");
      }
      return part.cannot("shows a page of vROps itself");
    }
    if (html.isBlank() && !file.isEmpty()) {
      return part.cannot("shows a file that lies on vROps");
    }
    HtmlText text = HtmlText.of(html);
    part.node.put("markdown", text.markdown());
    if (!text.left().isEmpty()) {
      part.replaced(text.leftInWords());
    }
    return part.note(html.isBlank() ? "an empty text" : "text as Markdown");
  }

  // --- alerts, relations and the rest ---

  private PanelPart alerts(Place at) {
    PanelPart part = at.panel("alerts");
    objects(at, part, at.widget().kinds, false);
    Double least = null;
    for (JsonNode level : Members.list(at.config(), "criticalityLevel")) {
      Double number = Members.number(Members.text(level));
      if (number != null && (least == null || number < least)) {
        least = number;
      }
    }
    if (least != null) {
      part.node.put(
          "severity",
          least >= 4 ? "critical" : least >= 3 ? "immediate" : least >= 2 ? "warning" : "info");
    }
    if (!Members.list(at.config(), "type").isEmpty()
        || !Members.list(at.config(), "alertImpact").isEmpty()) {
      part.replaced("alerts of all types");
    }
    if (!Members.list(at.config(), "alertDefinitions").isEmpty()) {
      part.replaced("alerts of all definitions");
    }
    return part.note("open alerts");
  }

  private PanelPart problemAlerts(Place at) {
    PanelPart part = alerts(at);
    part.node.put("limit", Members.whole(at.config(), "topIssuesDisplayLimit", 10, 1, 1000));
    if (!Members.text(at.config(), "impactedBadge").isEmpty()) {
      part.replaced("alerts of all badges");
    }
    return part;
  }

  private PanelPart relations(Place at, String differs) {
    PanelPart part = at.panel("relations");
    objects(at, part, at.widget().kinds, true);
    if (!differs.isEmpty()) {
      part.replaced(differs);
    }
    String depth = Members.text(at.config(), "depth");
    int comma = depth.indexOf(',');
    Double up = Members.number(comma < 0 ? depth : depth.substring(0, comma));
    Double down = Members.number(comma < 0 ? depth : depth.substring(comma + 1));
    part.node.put("up", up == null ? 1 : (int) Math.max(0, Math.min(10, up)));
    part.node.put("down", down == null ? 1 : (int) Math.max(0, Math.min(10, down)));
    traversal(at, part);
    return part.note("parents and children as a tree");
  }

  /** A panel that is about one object. */
  private PanelPart subjectPanel(Place at, String type) {
    PanelPart part = at.panel(type);
    Variable subject = at.widget().subject;
    List<String> kinds =
        !at.widget().kinds.isEmpty() || subject == null
            ? at.widget().kinds
            : List.copyOf(subject.kinds);
    objects(at, part, kinds, false);
    return part;
  }

  private PanelPart capacity(Place at) {
    return subjectPanel(at, "capacity")
        .replaced("time remaining as it is computed here, with its interval");
  }

  private PanelPart cells(Place at, String... attributes) {
    PanelPart part = subjectPanel(at, "scoreboard");
    ArrayNode made = part.node.putArray("columns");
    for (String attribute : attributes) {
      ObjectNode column = made.addObject();
      column.put("name", attribute);
      column.put("title", attribute.equals("alerts") ? "Open alerts" : "Health");
      column.put("attribute", attribute);
    }
    return part;
  }

  private PanelPart workload(Place at) {
    PanelPart part = subjectPanel(at, "chart");
    Names names = new Names();
    for (String key : new String[] {"cpu|usage_average", "mem|usage_average"}) {
      String title = key.startsWith("cpu") ? "CPU usage" : "Memory usage";
      ColumnPart column = columns.of(names.of(title), title, part.kinds, key, false, false);
      if (column.node != null) {
        column.node.put("unit", "%");
      }
      part.columns.add(column);
    }
    write(part);
    part.node.put("usual", true);
    window(part, "7d");
    if (!part.node.has("subject")) {
      part.node.put("limit", CHART_OBJECTS);
    }
    return part.replaced("use of CPU and memory beside what is usual, in place of the badge");
  }

  private PanelPart mashup(Place at) {
    PanelPart part = subjectPanel(at, "timeline");
    ObjectNode column = part.node.putArray("columns").addObject();
    column.put("name", "health");
    column.put("title", "Health");
    column.put("attribute", "health");
    return part.replaced("health over time; alerts and changes are on the object's page");
  }

  private PanelPart weather(Place at) {
    PanelPart part = at.panel("heatmap");
    objects(at, part, at.widget().kinds, false);
    String key = Members.text(at.config(), "metricKey");
    if (key.isEmpty()) {
      key = Members.text(at.config().path("metric"), "metricKey");
    }
    if (key.isEmpty()) {
      return part.is(ImportStatus.CHOOSE, "it has no metric; choose one");
    }
    String title = Names.line(columns.word(key), "value");
    ColumnPart column = columns.of("value", title, at.widget().kinds, key, null, false);
    part.columns.add(column);
    write(part);
    part.node.put("slider", true);
    return part.replaced("a heat map with a slider in place of the film");
  }

  private PanelPart forensics(Place at) {
    PanelPart part = at.panel("distribution");
    List<Figure> figures = figures(at, part);
    objects(at, part, figures.isEmpty() ? at.widget().kinds : kindsOf(figures), false);
    if (figures.isEmpty()) {
      return part.is(ImportStatus.CHOOSE, "it has no metric; choose one");
    }
    columnsOf(part, figures, "current");
    part.node.put("as", "histogram");
    if (part.columns.getFirst().node != null) {
      ObjectNode buckets = part.node.putObject("buckets");
      buckets.put("of", part.columns.getFirst().name());
      buckets.put("by", "equal");
    }
    return part.replaced("how the objects spread, in place of how one spreads over time");
  }

  private PanelPart metricPicker(Place at) {
    PanelPart part = at.panel("text");
    Optional<Variable> sets =
        at.widget().sets.stream().filter(it -> it.type.equals("metric")).findFirst();
    if (sets.isEmpty()) {
      part.node.put("markdown", "Metrics of an object are on its page.");
      return part.replaced("nothing reads it; metrics of an object are on its page");
    }
    part.isPlaced = false;
    return part.replaced("becomes the variable $" + sets.get().name + " above the dashboard");
  }

  private PanelPart tagPicker(Place at) {
    PanelPart part = at.panel("text");
    Optional<Variable> sets =
        at.widget().sets.stream().filter(it -> it.type.equals("object")).findFirst();
    if (sets.isEmpty()) {
      part.node.put("markdown", "Objects are searched at the top of the page.");
      return part.replaced("nothing reads it; objects are searched at the top of the page");
    }
    part.isPlaced = false;
    return part.replaced("becomes the variable $" + sets.get().name + " above the dashboard");
  }
}
