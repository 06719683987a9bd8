package io.peerlens.dashboard.vrops;

import io.peerlens.dashboard.vrops.DashboardPlan.Variable;
import io.peerlens.dashboard.vrops.DashboardPlan.Widget;
import tools.jackson.databind.JsonNode;

/**
 * A widget being read, with the dashboard around it.
 *
 * @param time range of the dashboard
 */
record Place(Widget widget, DashboardPlan plan, String time) {

  JsonNode config() {
    return widget.config;
  }

  PanelPart panel(String type) {
    return new PanelPart(widget.name, widget.title, type);
  }

  /** The range that a widget has of its own; empty = that of the dashboard. */
  String range(String key) {
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

  /** What the widget keeps of its own under a key; empty = nothing. */
  String state(String key) {
    for (JsonNode state : Members.objects(widget.node, "states")) {
      if (Members.text(state, "key").contains(key)) {
        return DashboardReader.decoded(Members.text(state, "value"));
      }
    }
    return "";
  }

  /** Says which variables a row of its panel sets. */
  void driven(PanelPart part) {
    for (Variable variable : widget.sets) {
      part.note(
          "a row sets $"
              + variable.name
              + ", read by "
              + variable.readers
              + (variable.readers == 1 ? " panel" : " panels"));
    }
  }
}
