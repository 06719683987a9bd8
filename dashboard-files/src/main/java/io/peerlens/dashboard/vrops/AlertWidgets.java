package io.peerlens.dashboard.vrops;

import tools.jackson.databind.JsonNode;

/** Reader of widgets that list open alerts. */
final class AlertWidgets {

  private final WidgetObjects widgetObjects;

  AlertWidgets(WidgetObjects widgetObjects) {
    this.widgetObjects = widgetObjects;
  }

  PanelPart open(Place at) {
    PanelPart part = at.panel("alerts");
    widgetObjects.choose(at, part, at.widget().kinds, false);
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

  PanelPart problemAlerts(Place at) {
    PanelPart part = open(at);
    part.node.put("limit", Members.whole(at.config(), "topIssuesDisplayLimit", 10, 1, 1000));
    if (!Members.text(at.config(), "impactedBadge").isEmpty()) {
      part.replaced("alerts of all badges");
    }
    return part;
  }
}
