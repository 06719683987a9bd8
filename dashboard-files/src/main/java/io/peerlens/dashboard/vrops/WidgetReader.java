package io.peerlens.dashboard.vrops;

import io.peerlens.dashboard.vrops.DashboardPlan.Variable;
import io.peerlens.dashboard.vrops.DashboardPlan.Widget;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import tools.jackson.databind.node.ObjectNode;

/** Reader of widgets: each becomes a panel, some several, and a few a variable. */
final class WidgetReader {

  private static final Set<String> WITH_COLUMNS =
      Set.of(
          "table",
          "distribution",
          "chart",
          "scoreboard",
          "top",
          "heatmap",
          "timeline",
          "sparklines");

  private final WidgetObjects widgetObjects;
  private final FigureWidgets figures;
  private final ListWidgets lists;
  private final HeatmapWidgets heatmaps;
  private final ViewWidgets views;
  private final AlertWidgets alerts;

  WidgetReader(
      Columns columns,
      Documents documents,
      Map<String, ViewPart> views,
      Installation installation,
      Settlements settlements,
      Reporter reporter) {
    widgetObjects = new WidgetObjects(columns, documents, installation, settlements, reporter);
    alerts = new AlertWidgets(widgetObjects);
    figures =
        new FigureWidgets(
            columns, widgetObjects, new WidgetFigures(columns, documents, widgetObjects));
    lists = new ListWidgets(columns, widgetObjects, alerts);
    heatmaps = new HeatmapWidgets(columns, widgetObjects);
    this.views = new ViewWidgets(views, widgetObjects, installation, settlements);
  }

  /**
   * Reads a widget.
   *
   * @param time range of the dashboard
   */
  List<PanelPart> read(Widget widget, DashboardPlan plan, String time) {
    Place at = new Place(widget, plan, time);
    List<PanelPart> parts = widget.is("Heatmap") ? heatmaps.heatmap(at) : List.of(one(at));
    parts.forEach(part -> withColumn(at, part));
    return parts;
  }

  /** Gives a panel that needs a column and has none one that always fits. */
  private static void withColumn(Place at, PanelPart part) {
    String type = part.node.path("type").asString("");
    if (!WITH_COLUMNS.contains(type)
        || part.node.has("view")
        || !part.node.path("columns").isEmpty()) {
      return;
    }
    Variable metric = null;
    if (type.equals("chart") || type.equals("sparklines")) {
      metric = at.plan().ownMetric();
    }
    if (metric != null) {
      ObjectNode column = part.node.putArray("columns").addObject();
      column.put("name", "chosen");
      column.putObject("metric").putArray("any").add("$" + metric.name);
      part.note("asks for a metric by $" + metric.name);
      return;
    }
    if (type.equals("table")) {
      part.attributes("health", "alerts");
    } else {
      part.attributes("health");
    }
    part.note(type.equals("table") ? "with health and open alerts" : "shows health until then");
  }

  private PanelPart one(Place at) {
    return switch (at.widget().type.toLowerCase(Locale.ROOT)) {
      case "view" -> views.view(at);
      case "scoreboard" -> figures.scoreboard(at);
      case "metricchart" -> figures.chart(at);
      case "rollingviewchart" ->
          figures.chart(at).replaced("one after the other there; all at once here");
      case "paretoanalysis" -> lists.top(at);
      case "resourcelist" -> lists.list(at);
      case "healthchart" -> lists.health(at);
      case "textdisplay" -> text(at);
      case "propertylist" -> figures.properties(at);
      case "alertlist" -> alerts.open(at);
      case "problemalertslist" -> alerts.problemAlerts(at);
      case "skittles" -> alerts.open(at).replaced("open alerts in place of dots");
      case "resourcerelationship" -> relations(at, "drawn as a tree");
      case "resourcerelationshipadvanced" -> relations(at, "");
      case "topologygraph" -> relations(at, "a tree in place of the graph; same objects, no map");
      case "sparklinechart" -> figures.sparklines(at);
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
          figures.workload(at);
      case "intsummaryanomalies", "anomalies", "anomalybreakdown" ->
          widgetObjects
              .subjectPanel(at, "outliers")
              .replaced("who differs from its peers, in place of anomalies");
      case "intsummaryhealth" -> cells(at, "health").replaced("health is made of the open alerts");
      case "intsummaryalertvolume", "alertvolume" ->
          alerts.open(at).replaced("the open alerts in place of their number for each day");
      case "intsummaryrisk",
          "intsummaryefficiency",
          "intsummaryfaults",
          "faults",
          "risk",
          "efficiency",
          "intsummarycompliance" ->
          alerts.open(at).replaced("no such badge here; open alerts of the same objects");
      case "recommendedactions" ->
          alerts.open(at).replaced("open alerts; what to change is on the page Right-sizing");
      case "mashupchart" -> mashup(at);
      case "environmentoverview", "environmentstatus", "environment" ->
          cells(at, "health", "alerts").replaced("health and open alerts of the objects");
      case "weathermap" -> heatmaps.weather(at);
      case "forensics" -> figures.forensics(at);
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

  private PanelPart relations(Place at, String differs) {
    PanelPart part = at.panel("relations");
    widgetObjects.choose(at, part, at.widget().kinds, true);
    if (!differs.isEmpty()) {
      part.replaced(differs);
    }
    String depth = Members.text(at.config(), "depth");
    int comma = depth.indexOf(',');
    Double up = Members.number(comma < 0 ? depth : depth.substring(0, comma));
    Double down = Members.number(comma < 0 ? depth : depth.substring(comma + 1));
    part.node.put("up", up == null ? 1 : (int) Math.max(0, Math.min(10, up)));
    part.node.put("down", down == null ? 1 : (int) Math.max(0, Math.min(10, down)));
    WidgetObjects.traversal(at, part);
    return part.note("parents and children as a tree");
  }

  private PanelPart capacity(Place at) {
    return widgetObjects
        .subjectPanel(at, "capacity")
        .replaced("time remaining as it is computed here, with its interval");
  }

  private PanelPart cells(Place at, String... attributes) {
    PanelPart part = widgetObjects.subjectPanel(at, "scoreboard");
    part.attributes(attributes);
    return part;
  }

  private PanelPart mashup(Place at) {
    PanelPart part = widgetObjects.subjectPanel(at, "timeline");
    part.attributes("health");
    return part.replaced("health over time; alerts and changes are on the object's page");
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
