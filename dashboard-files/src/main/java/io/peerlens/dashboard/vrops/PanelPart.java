package io.peerlens.dashboard.vrops;

import io.peerlens.dashboard.vrops.ImportReport.Proposal;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** A panel on its way from a widget to the format, with what there is to say of it. */
final class PanelPart {

  final String name;
  final String title;
  final ObjectNode node = JsonNodeFactory.instance.objectNode();
  final List<ColumnPart> columns = new ArrayList<>();
  final List<String> notes = new ArrayList<>();
  private int important;
  ImportStatus status = ImportStatus.CARRIED;
  List<String> kinds = List.of();
  @Nullable Proposal proposal;

  /** Whether it has a place on the dashboard: what becomes a variable has none. */
  boolean isPlaced = true;

  PanelPart(String name, String title, String type) {
    this.name = name;
    this.title = title;
    node.put("type", type);
    node.put("title", title);
  }

  PanelPart note(String note) {
    if (!notes.contains(note)) {
      notes.add(note);
    }
    return this;
  }

  PanelPart replaced(String how) {
    return is(ImportStatus.REPLACED, how);
  }

  /** What changes the status comes first, in its order. */
  PanelPart is(ImportStatus other, String why) {
    status = status.worse(other);
    if (!notes.contains(why)) {
      notes.add(important++, why);
    }
    return this;
  }

  /** Becomes a text that says why nothing else is shown. */
  PanelPart cannot(String why) {
    node.removeAll();
    columns.clear();
    node.put("type", "text");
    node.put("title", title);
    node.put("markdown", "Not taken over: " + HtmlText.escaped(why) + ".");
    return is(ImportStatus.CANNOT, why);
  }

  void type(String type) {
    node.put("type", type);
  }

  /** Writes the columns that are taken over, as many as a panel may have. */
  void writeColumns() {
    ArrayNode made = JsonNodeFactory.instance.arrayNode();
    for (ColumnPart column : columns) {
      if (column.node != null && made.size() < ImportLimits.COLUMNS) {
        made.add(column.node);
      }
    }
    node.set("columns", made);
  }

  /** Gives it columns of what every object has. */
  void attributes(String... attributes) {
    ArrayNode made = node.putArray("columns");
    for (String attribute : attributes) {
      ObjectNode column = made.addObject();
      column.put("name", attribute);
      column.put("title", attribute.equals("alerts") ? "Open alerts" : "Health");
      column.put("attribute", attribute);
    }
  }

  /**
   * Gives it a window of its own.
   *
   * @param window empty = that of the dashboard
   */
  void window(String window) {
    if (!window.isEmpty()) {
      node.put("window", window);
    }
  }

  /** Becomes the alerts of its objects if the figure that it is about is not taken over. */
  PanelPart orAlerts(@Nullable ColumnPart figure) {
    if (figure == null || figure.node != null) {
      return this;
    }
    for (String member :
        List.of("columns", "sort", "size", "colourBy", "groupBy", "window", "slider")) {
      node.remove(member);
    }
    type("alerts");
    return replaced("open alerts of the same objects, for it has no figure");
  }
}
