package io.peerlens.dashboard.vrops;

import io.peerlens.dashboard.vrops.ImportReport.Settle;
import io.peerlens.dashboard.vrops.Installation.Here;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Reader of widgets that show a view: one of the file, or one that is stored here. */
final class ViewWidgets {

  private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

  private final Map<String, ViewPart> views;
  private final WidgetObjects widgetObjects;
  private final Installation installation;
  private final Settlements settlements;

  ViewWidgets(
      Map<String, ViewPart> views,
      WidgetObjects widgetObjects,
      Installation installation,
      Settlements settlements) {
    this.views = views;
    this.widgetObjects = widgetObjects;
    this.installation = installation;
    this.settlements = settlements;
  }

  PanelPart view(Place at) {
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
    widgetObjects.who(at, part, view.kinds, select, false);
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
    WidgetObjects.traversal(at, part);
    part.window(viewWindow(at));
    part.columns.addAll(view.columns);
    at.driven(part);
    return part;
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
      widgetObjects.who(at, part, List.of(), select, false);
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
    widgetObjects.who(at, part, List.of(), select, false);
    select.remove("paths");
    if (!select.isEmpty()) {
      part.node.set("select", select);
    }
    part.window(viewWindow(at));
    return part;
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
}
