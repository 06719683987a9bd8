package io.peerlens.dashboard.vrops;

import java.util.List;
import java.util.Locale;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Reader of widgets that list many objects by one metric, or with a few columns. */
final class ListWidgets {

  private final Columns columns;
  private final WidgetObjects widgetObjects;
  private final AlertWidgets alertWidgets;

  ListWidgets(Columns columns, WidgetObjects widgetObjects, AlertWidgets alertWidgets) {
    this.columns = columns;
    this.widgetObjects = widgetObjects;
    this.alertWidgets = alertWidgets;
  }

  PanelPart top(Place at) {
    JsonNode config = at.config();
    PanelPart part = at.panel("top");
    widgetObjects.choose(at, part, at.widget().kinds, false);
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
    part.writeColumns();
    part.node.put("limit", Members.whole(config, "barsCount", 10, 1, 1000));
    part.window(Transforms.range(Members.text(config.path("periodLength"), "dateRange")));
    part.note((lowest ? "lowest" : "highest") + " first");
    return part.orAlerts(column);
  }

  PanelPart health(Place at) {
    JsonNode config = at.config();
    String type = Members.text(config, "metricType").toLowerCase(Locale.ROOT);
    String key = Members.text(config, "metricKey");
    PanelPart part = at.panel("timeline");
    widgetObjects.choose(at, part, at.widget().kinds, false);
    Names names = new Names();
    if (type.equals("risk") || type.equals("efficiency")) {
      PanelPart other = alertWidgets.open(at);
      return other.replaced("no badge of " + type + " here; open alerts of the same objects");
    }
    if (!type.equals("custom") || key.isEmpty()) {
      ColumnPart column =
          columns.of(names.of("health"), "Health", part.kinds, "badge|health", null, false);
      part.columns.add(column);
      part.writeColumns();
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
    part.writeColumns();
    part.window(at.range("permDateRange"));
    Double rows = Members.number(config, "paginationNumber");
    if (rows != null && rows >= 1) {
      part.node.put("limit", (int) Math.min(10_000, rows * 10));
    }
    return part.orAlerts(column);
  }

  PanelPart list(Place at) {
    PanelPart part = at.panel("table");
    widgetObjects.choose(at, part, at.widget().kinds, false);
    if (part.kinds.isEmpty()) {
      part.note("it names no kind of objects");
    }
    additional(at.config(), at, part, new Names());
    part.writeColumns();
    if (part.columns.isEmpty()) {
      part.note("the objects alone");
    }
    at.driven(part);
    return part;
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
}
