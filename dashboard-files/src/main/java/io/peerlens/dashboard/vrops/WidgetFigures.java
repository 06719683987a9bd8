package io.peerlens.dashboard.vrops;

import io.peerlens.dashboard.vrops.Kinds.Pinned;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Reader of the figures of widgets that list them, and of the columns that they become. */
final class WidgetFigures {

  private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

  private final Columns columns;
  private final Documents documents;
  private final WidgetObjects widgetObjects;

  WidgetFigures(Columns columns, Documents documents, WidgetObjects widgetObjects) {
    this.columns = columns;
    this.documents = documents;
    this.widgetObjects = widgetObjects;
  }

  /** A metric or property that a widget shows, with the bounds of its colours. */
  record Figure(
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

  /** Figures of a widget, of those it lists and of its metric configuration. */
  List<Figure> of(Place at, PanelPart part) {
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

  static List<String> kindsOf(List<Figure> figures) {
    Set<String> kinds = new LinkedHashSet<>();
    figures.forEach(it -> kinds.addAll(it.kinds()));
    return kinds.stream().limit(20).toList();
  }

  /** Columns of figures; the same key under the same name stands once, for all its kinds. */
  void columnsOf(PanelPart part, List<Figure> figures, @Nullable String transform) {
    columnsOf(part, figures, transform, false);
  }

  void columnsOf(PanelPart part, List<Figure> figures, @Nullable String transform, boolean rather) {
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
    part.writeColumns();
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

  /** Ties a panel to the objects that its figures are of, where each figure has its own. */
  void owners(Place at, PanelPart part, List<Figure> figures, List<String> kinds) {
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
      widgetObjects.choose(at, part, kinds, false);
      return;
    }
    List<String> shown = columns.withVCenters(kinds, null);
    part.kinds = shown;
    Columns.kinds(part.node, shown);
    ObjectNode select = JSON.objectNode();
    if (single.size() == 1 && owners.size() == 1) {
      widgetObjects.tie(at, part, single.getFirst(), kinds, select, false);
    } else {
      widgetObjects.names(
          part, List.copyOf(owners).subList(0, Math.min(20, owners.size())), select);
      part.replaced("each of its objects shows all figures that it has");
    }
    if (!select.isEmpty()) {
      part.node.set("select", select);
    }
  }
}
