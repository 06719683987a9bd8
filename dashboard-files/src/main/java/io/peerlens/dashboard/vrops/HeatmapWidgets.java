package io.peerlens.dashboard.vrops;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Reader of heat maps, of which each configuration becomes a panel. */
final class HeatmapWidgets {

  private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

  private final Columns columns;
  private final WidgetObjects widgetObjects;

  HeatmapWidgets(Columns columns, WidgetObjects widgetObjects) {
    this.columns = columns;
    this.widgetObjects = widgetObjects;
  }

  List<PanelPart> heatmap(Place at) {
    List<JsonNode> configs = Members.objects(at.config(), "configs");
    if (configs.isEmpty()) {
      PanelPart part = at.panel("heatmap");
      part.is(ImportStatus.CHOOSE, "it has no configuration; choose a metric");
      widgetObjects.choose(at, part, at.widget().kinds, false);
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
    widgetObjects.choose(at, part, kinds, false);
    ObjectNode select =
        part.node.path("select") instanceof ObjectNode made ? made : JSON.objectNode();
    widgetObjects.filters(config, at, part, part.kinds, select);
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
    part.writeColumns();
    String group = kindOf(at, config.path("groupBy"));
    String then = kindOf(at, config.path("thenBy"));
    if (!group.isEmpty() && !kinds.contains(group) && !Columns.isRoot(group, "")) {
      part.node.putObject("groupBy").put("ancestor", group);
      if (!then.isEmpty() && !kinds.contains(then)) {
        part.replaced("grouped once, not again by " + WidgetObjects.kindWord(then));
      }
    } else if (!then.isEmpty() && !kinds.contains(then) && !Columns.isRoot(then, "")) {
      part.node.putObject("groupBy").put("ancestor", then);
    }
    part.orAlerts(colour);
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

  PanelPart weather(Place at) {
    PanelPart part = at.panel("heatmap");
    widgetObjects.choose(at, part, at.widget().kinds, false);
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
    part.writeColumns();
    part.node.put("slider", true);
    return part.replaced("a heat map with a slider in place of the film");
  }
}
