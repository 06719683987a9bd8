package io.peerlens.dashboard.vrops;

import io.peerlens.dashboard.vrops.DashboardPlan.Variable;
import io.peerlens.dashboard.vrops.Kinds.Pinned;
import io.peerlens.dashboard.vrops.WidgetFigures.Figure;
import java.util.List;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Reader of widgets that show figures of objects: scoreboards, charts, lists of properties. */
final class FigureWidgets {

  private static final int CHART_OBJECTS = 10;

  private final Columns columns;
  private final WidgetObjects widgetObjects;
  private final WidgetFigures widgetFigures;

  FigureWidgets(Columns columns, WidgetObjects widgetObjects, WidgetFigures widgetFigures) {
    this.columns = columns;
    this.widgetObjects = widgetObjects;
    this.widgetFigures = widgetFigures;
  }

  PanelPart scoreboard(Place at) {
    PanelPart part = at.panel("scoreboard");
    List<Figure> figures = widgetFigures.of(at, part);
    if (figures.isEmpty() && part.status != ImportStatus.MISSING) {
      part.is(ImportStatus.CHOOSE, "it has no figures; choose some");
    }
    widgetFigures.owners(at, part, figures, WidgetFigures.kindsOf(figures));
    widgetFigures.columnsOf(part, figures, "current");
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
    part.window(Transforms.range(Members.text(at.config(), "periodLength")));
    Double cells = Members.number(at.config(), "maxCellCount");
    if (cells != null && cells >= 1 && cells < 1000) {
      part.node.put("limit", cells.intValue());
    }
    return part;
  }

  PanelPart chart(Place at) {
    PanelPart part = at.panel("chart");
    List<Figure> figures = widgetFigures.of(at, part);
    List<String> kinds = figures.isEmpty() ? at.widget().kinds : WidgetFigures.kindsOf(figures);
    widgetFigures.owners(at, part, figures, kinds);
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
      widgetFigures.columnsOf(part, figures, null);
      boolean dropped = false;
      for (ColumnPart column : part.columns) {
        if (column.node != null && column.node.has("property")) {
          column.replaced("a property has no course; shown as it is now");
          dropped = true;
        }
      }
      if (dropped) {
        part.writeColumns();
      }
    }
    if (!part.node.has("subject") && !part.node.has("limit")) {
      part.node.put("limit", CHART_OBJECTS);
    }
    part.window(at.range("permDateRange"));
    if (at.state("dynamicThresholds").endsWith("1")) {
      part.node.put("usual", true);
    }
    return part;
  }

  PanelPart sparklines(Place at) {
    PanelPart part = at.panel("sparklines");
    List<Figure> figures = widgetFigures.of(at, part);
    if (figures.isEmpty() && part.status != ImportStatus.MISSING) {
      part.is(ImportStatus.CHOOSE, "it has no figures; choose some");
    }
    widgetFigures.owners(at, part, figures, WidgetFigures.kindsOf(figures));
    widgetFigures.columnsOf(part, figures, "current");
    for (ColumnPart column : part.columns) {
      if (column.node != null && column.node.has("metric")) {
        column.node.put("sparkline", true);
      }
    }
    part.window(at.range("permDateRange"));
    return part;
  }

  PanelPart properties(Place at) {
    PanelPart part = at.panel("properties");
    List<Figure> figures = widgetFigures.of(at, part);
    List<String> kinds = figures.isEmpty() ? at.widget().kinds : WidgetFigures.kindsOf(figures);
    boolean allAreProperties = true;
    for (Figure figure : figures) {
      allAreProperties &=
          !columns.isSurelyMetric(
              columns.withVCenters(figure.kinds(), null), MetricKey.of(figure.key()));
    }
    boolean isDriven = at.widget().subject != null && !at.widget().isSelfProvider();
    List<Pinned> pinned = widgetObjects.pinned(at).stream().filter(it -> !it.isRoot()).toList();
    if (allAreProperties && (isDriven || pinned.size() == 1)) {
      widgetObjects.choose(at, part, kinds, true);
      widgetFigures.columnsOf(part, figures, null, true);
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
    widgetFigures.owners(at, part, figures, kinds);
    widgetFigures.columnsOf(part, figures, "current", true);
    part.replaced(
        isDriven || pinned.size() == 1
            ? "figures and properties become cells"
            : "a row for each object");
    return part;
  }

  PanelPart forensics(Place at) {
    PanelPart part = at.panel("distribution");
    List<Figure> figures = widgetFigures.of(at, part);
    widgetObjects.choose(
        at, part, figures.isEmpty() ? at.widget().kinds : WidgetFigures.kindsOf(figures), false);
    if (figures.isEmpty()) {
      return part.is(ImportStatus.CHOOSE, "it has no metric; choose one");
    }
    widgetFigures.columnsOf(part, figures, "current");
    part.node.put("as", "histogram");
    if (part.columns.getFirst().node != null) {
      ObjectNode buckets = part.node.putObject("buckets");
      buckets.put("of", part.columns.getFirst().name());
      buckets.put("by", "equal");
    }
    return part.replaced("how the objects spread, in place of how one spreads over time");
  }

  PanelPart workload(Place at) {
    PanelPart part = widgetObjects.subjectPanel(at, "chart");
    Names names = new Names();
    for (String key : new String[] {"cpu|usage_average", "mem|usage_average"}) {
      String title = key.startsWith("cpu") ? "CPU usage" : "Memory usage";
      ColumnPart column = columns.of(names.of(title), title, part.kinds, key, false, false);
      if (column.node != null) {
        column.node.put("unit", "%");
      }
      part.columns.add(column);
    }
    part.writeColumns();
    part.node.put("usual", true);
    part.window("7d");
    if (!part.node.has("subject")) {
      part.node.put("limit", CHART_OBJECTS);
    }
    return part.replaced("use of CPU and memory beside what is usual, in place of the badge");
  }
}
