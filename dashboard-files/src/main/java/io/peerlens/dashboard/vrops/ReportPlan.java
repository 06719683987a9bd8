package io.peerlens.dashboard.vrops;

import io.peerlens.dashboard.vrops.DashboardPlan.Widget;
import io.peerlens.dashboard.vrops.Documents.FoundDashboard;
import io.peerlens.dashboard.vrops.Documents.FoundXml;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * A report of an export: a title, and views and dashboards in the order of its pages. An export has
 * no schedule in it, so what it is here is a dashboard that shows the same, from which a report is
 * sent. Cover and contents are left out, since every report has a head of its own.
 */
final class ReportPlan {

  private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

  /** A page of it. */
  private record Page(boolean isView, String key) {}

  private final FoundXml found;
  private final Xml definition;
  private final String originalId;
  private final List<Page> pages = new ArrayList<>();
  final UUID id;
  final String title;

  ReportPlan(FoundXml found) {
    this.found = found;
    definition = found.definition();
    Xml title = definition.child("Title");
    this.title = Names.line(title == null ? "" : title.plainText(), "Report");
    originalId = definition.attribute("id").strip();
    id = Names.id("report", originalId.isEmpty() ? "title:" + this.title : originalId);
    for (Xml section : definition.descendants("Section")) {
      Xml type = section.child("ContentType");
      Xml key = section.child("ContentKey");
      String content = key == null ? "" : key.plainText();
      if (type == null || content.isEmpty() || pages.size() >= ImportLimits.PANELS) {
        continue;
      }
      if (type.plainText().equalsIgnoreCase("View")) {
        pages.add(new Page(true, content));
      } else if (type.plainText().equalsIgnoreCase("Dashboard")) {
        pages.add(new Page(false, content));
      }
    }
  }

  /** Whether there is neither a view nor a dashboard in it. */
  boolean isEmpty() {
    return pages.isEmpty();
  }

  /** The original id of the dashboard that it shows, and nothing else; empty = it shows more. */
  String onlyDashboard() {
    return pages.size() == 1 && !pages.getFirst().isView() ? pages.getFirst().key() : "";
  }

  ObjectNode kept(Originals originals) {
    ObjectNode node = JSON.objectNode();
    node.put("id", id.toString());
    node.put("name", title);
    originals.keep(node, definition);
    return node;
  }

  /**
   * The plan of the dashboard that shows what the report does: a view is a panel as wide as the
   * page, and a dashboard of the file is a section with all its widgets.
   */
  DashboardPlan plan(
      Map<String, ViewPart> views, Map<String, DashboardPlan> plans, Columns columns) {
    ObjectNode dashboard = JSON.objectNode();
    dashboard.put("id", "report:" + id);
    dashboard.put("name", title.replace('/', '-'));
    dashboard.put("namePath", "Reports");
    Xml description = definition.child("Description");
    dashboard.put("description", description == null ? "" : description.plainText());
    dashboard.put("gridsterMaxColumns", 12);
    ArrayNode widgets = dashboard.putArray("widgets");
    ArrayNode interactions = dashboard.putArray("widgetInteractions");
    boolean hasSections = pages.stream().anyMatch(page -> !page.isView());
    List<String> notes = new ArrayList<>();
    Kinds kinds = new Kinds();
    int dashboards = 0;
    int row = 1;
    for (int i = 0; i < pages.size(); i++) {
      Page page = pages.get(i);
      if (page.isView()) {
        ViewPart view = views.get(page.key());
        ObjectNode widget = view(i, page.key(), view);
        int height = view == null || view.showsObjects ? 8 : 3;
        place(widget, 1, row, 12, height);
        row += height;
        if (hasSections) {
          section(widgets, i, Members.text(widget, "title"), List.of(widget));
        }
        widgets.add(widget);
        continue;
      }
      DashboardPlan shown = plans.get(page.key());
      if (shown == null) {
        notes.add("without a dashboard that is not in the file");
        continue;
      }
      if (dashboards++ == 0) {
        kinds = shown.found.kinds();
      } else if (!kinds.isSame(shown.found.kinds())) {
        notes.add("without \"" + shown.name + "\", which was exported by itself");
        continue;
      }
      List<ObjectNode> copies = copies(i, shown, interactions);
      section(widgets, i, shown.name, copies);
      widgets.addAll(copies);
    }
    if (definition.all("SubjectType").stream()
        .anyMatch(subject -> !subject.attribute("filter").isBlank())) {
      notes.add("without the filter of the report");
    }
    return new DashboardPlan(
        new FoundDashboard(found.path(), dashboard, kinds),
        views,
        columns,
        new DashboardPlan.OfReport(definition, notes));
  }

  private static ObjectNode view(int page, String key, @Nullable ViewPart view) {
    ObjectNode widget = JSON.objectNode();
    widget.put("id", "page " + page);
    widget.put("type", "View");
    widget.put("title", view == null ? "View" : view.title);
    widget.putObject("config").put("viewDefinitionId", key).put("selfProvider", true);
    return widget;
  }

  /** The widgets of a dashboard under ids of their own, with who drives whom among them. */
  private static List<ObjectNode> copies(int page, DashboardPlan shown, ArrayNode interactions) {
    Map<String, ObjectNode> copies = new LinkedHashMap<>();
    for (Widget widget : shown.widgets) {
      if (!widget.is("Section") && widget.node instanceof ObjectNode node) {
        ObjectNode copy = JSON.objectNode();
        copy.setAll(node);
        copies.putIfAbsent(widget.id, copy.put("id", page + " " + widget.id));
      }
    }
    for (JsonNode each : Members.objects(shown.found.dashboard(), "widgetInteractions")) {
      ObjectNode copy = JSON.objectNode();
      copy.setAll((ObjectNode) each);
      for (String member : new String[] {"widgetIdProvider", "widgetIdReceiver"}) {
        copy.put(member, page + " " + Members.text(each, member));
      }
      interactions.add(copy);
    }
    return List.copyOf(copies.values());
  }

  private static void section(ArrayNode widgets, int page, String title, List<ObjectNode> inside) {
    ObjectNode section = widgets.addObject();
    section.put("id", "section " + page);
    section.put("type", "Section");
    section.put("title", title);
    ArrayNode ids = section.putObject("config").putArray("widgets");
    inside.forEach(widget -> ids.add(Members.text(widget, "id")));
  }

  private static void place(ObjectNode widget, int x, int y, int w, int h) {
    widget.putObject("gridsterCoords").put("x", x).put("y", y).put("w", w).put("h", h);
  }
}
