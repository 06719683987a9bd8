package io.peerlens.dashboard.vrops;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Reader of definitions of views ({@code ViewDef}) into views of the format. */
final class ViewReader {

  private static final JsonNodeFactory JSON = JsonNodeFactory.instance;
  private static final String[] DAYS = {
    "monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"
  };
  private static final int FORECAST_DAYS = 30;

  private final Columns columns;
  private final Conditions conditions;
  private final Installation installation;
  private final Map<String, String> translations;
  private final Originals originals;

  ViewReader(
      Columns columns,
      Installation installation,
      Map<String, String> translations,
      Originals originals) {
    this.columns = columns;
    this.conditions = new Conditions(columns);
    this.installation = installation;
    this.translations = translations;
    this.originals = originals;
  }

  /** What the id of a definition is called in a dashboard. */
  static String originalId(Xml definition) {
    return definition.attribute("id").strip();
  }

  ViewPart read(Xml definition) {
    String originalId = originalId(definition);
    Xml titleElement = definition.child("Title");
    String written = titleElement == null ? "" : titleElement.plainText();
    String title =
        Names.line(
            translated(originalId, titleElement, written),
            originalId.isEmpty() ? "View" : originalId);
    UUID id = Names.id("view", originalId.isEmpty() ? "title:" + title : originalId);
    ObjectNode node = JSON.objectNode();
    node.put("id", id.toString());
    node.put("name", title);
    Xml descriptionElement = definition.child("Description");
    String description =
        translated(
            originalId,
            descriptionElement,
            descriptionElement == null ? "" : descriptionElement.plainText());
    if (!description.isEmpty()) {
      node.put("description", Names.cut(description, 20_000));
    }
    ViewPart view = new ViewPart(id, title, node);
    Xml presentation = definition.child("Presentation");
    String type =
        presentation == null ? "" : presentation.attribute("type").toLowerCase(Locale.ROOT);
    if (type.equals("text") && !hasColumns(definition)) {
      text(presentation, view);
    } else if (type.equals("image")) {
      view.showsObjects = false;
      view.markdown = HtmlText.escaped(title);
      view.cannot("a picture; pictures are not taken over");
      node.putArray("columns");
    } else {
      shown(definition, view, type, originalId);
    }
    originals.keep(node, definition);
    return view;
  }

  private static boolean hasColumns(Xml definition) {
    return !attributes(definition).isEmpty();
  }

  private static List<Xml> attributes(Xml definition) {
    return controls(definition, "attributes-selector").stream()
        .flatMap(it -> it.values("attributeInfos").stream())
        .toList();
  }

  private static List<Xml> controls(Xml definition, String type) {
    Xml all = definition.child("Controls");
    return all == null
        ? List.of()
        : all.all("Control").stream().filter(it -> it.attribute("type").equals(type)).toList();
  }

  private void text(@Nullable Xml presentation, ViewPart view) {
    view.showsObjects = false;
    view.panelType = "text";
    Xml properties = presentation == null ? null : presentation.child("Properties");
    HtmlText text = HtmlText.of(properties == null ? "" : properties.property("text"));
    view.markdown = text.markdown().isEmpty() ? HtmlText.escaped(view.title) : text.markdown();
    if (!text.left().isEmpty()) {
      view.replaced(text.leftInWords());
    }
    view.node.putArray("columns");
    view.node.put("x-markdown", view.markdown);
  }

  // --- what is shown of which objects ---

  private void shown(Xml definition, ViewPart view, String presentation, String originalId) {
    ObjectNode node = view.node;
    subjects(definition, view);
    String show =
        switch (presentation) {
          case "bar-chart", "column-chart" -> "bars";
          case "donut-chart", "pie-chart" -> "donut";
          case "line-chart", "trend", "area-chart" -> "chart";
          case "text" -> "scoreboard";
          default -> "table";
        };
    if (presentation.equals("summary")) {
      view.replaced("the rows stand above their totals");
    } else if (presentation.equals("text")) {
      view.replaced("a sentence with figures becomes cells");
    } else if (!presentation.isEmpty()
        && show.equals("table")
        && !presentation.equals("list")
        && !presentation.equals("table")) {
      view.replaced("drawn as " + Names.cut(presentation, 40) + " there; a table here");
    }
    String window = window(definition, view);
    if (!window.isEmpty()) {
      node.put("window", window);
    }
    List<ColumnPart> columnParts = columns(definition, view, originalId, show.equals("chart"));
    businessHours(definition, view);
    ArrayNode made = node.putArray("columns");
    for (ColumnPart part : columnParts) {
      view.columns.add(part);
      if (part.node != null) {
        for (JsonNode hidden : part.hidden) {
          made.add(hidden);
        }
        made.add(part.node);
      }
    }
    if (made.size() > ImportLimits.COLUMNS) {
      view.replaced("only the first " + ImportLimits.COLUMNS + " columns");
      while (made.size() > ImportLimits.COLUMNS) {
        made.remove(made.size() - 1);
      }
      Set<String> left = new LinkedHashSet<>();
      made.forEach(it -> left.add(it.path("name").asString("")));
      for (ColumnPart part : view.columns) {
        if (part.node != null && !left.contains(part.name())) {
          part.cannot("a view has at most " + ImportLimits.COLUMNS + " columns");
        }
      }
    }
    if (show.equals("bars") || show.equals("donut")) {
      if (made.isEmpty()) {
        show = "table";
      } else {
        show = buckets(definition, view, show, made.get(0).path("name").asString(""));
      }
    }
    node.put("show", show);
    switch (show) {
      case "bars", "donut", "histogram" -> {
        view.panelType = "distribution";
        view.as = show;
      }
      default -> view.panelType = show;
    }
    sort(definition, view);
    totals(definition, view);
    if (view.columns.isEmpty()) {
      view.notes.add("it has no columns; the objects alone are shown");
    } else if (made.isEmpty()) {
      view.replaced("none of its columns is taken over; the objects alone are shown");
    }
  }

  private void subjects(Xml definition, ViewPart view) {
    Set<String> kinds = new LinkedHashSet<>();
    Set<String> types = new LinkedHashSet<>();
    Map<String, String> filters = new LinkedHashMap<>();
    for (Xml subject : definition.all("SubjectType")) {
      String kind =
          Columns.kind(subject.attribute("adapterKind"), subject.attribute("resourceKind"));
      if (kind.isEmpty()) {
        continue;
      }
      kinds.add(kind);
      types.add(subject.attribute("type").toLowerCase(Locale.ROOT));
      if (!subject.attribute("filter").isBlank()) {
        filters.putIfAbsent(kind, subject.attribute("filter"));
      }
    }
    if (kinds.isEmpty()) {
      for (Xml attribute : attributes(definition)) {
        String kind =
            Columns.kind(attribute.property("adapterKind"), attribute.property("resourceKind"));
        if (!kind.isEmpty()) {
          kinds.add(kind);
        }
      }
    }
    List<String> all = List.copyOf(kinds);
    view.kinds = columns.withVCenters(all, null);
    if (!view.kinds.equals(all)) {
      view.replaced("each vCenter in place of the World over all of them");
    }
    Columns.kinds(view.node, view.kinds);
    ObjectNode select = JSON.objectNode();
    if (types.equals(Set.of("self"))) {
      select.putArray("paths").addArray().add("self");
    }
    List<String> left = new ArrayList<>();
    ArrayNode where = JSON.arrayNode();
    for (Map.Entry<String, String> filter : filters.entrySet()) {
      ArrayNode alternatives = conditions.ofView(filter.getValue(), List.of(filter.getKey()), left);
      for (JsonNode alternative : alternatives) {
        if (where.size() < 20) {
          where.add(alternative);
        }
      }
    }
    if (!where.isEmpty()) {
      select.set("where", where);
    }
    if (!left.isEmpty()) {
      view.replaced("without " + String.join(", ", new LinkedHashSet<>(left)));
    }
    if (!select.isEmpty()) {
      view.node.set("select", select);
    }
    Xml group = definition.child("SubjectsGroupBy");
    if (group != null) {
      String kind = Columns.kind(group.attribute("adapterKind"), group.attribute("resourceKind"));
      if (!kind.isEmpty()) {
        view.node.putObject("groupBy").put("ancestor", kind);
      }
    }
  }

  private static String window(Xml definition, ViewPart view) {
    for (Xml control : controls(definition, "time-interval-selector")) {
      String window = interval(control::property);
      if (!window.isEmpty()) {
        if (control.property("advancedTimeMode").equalsIgnoreCase("true")
            && !control.property("startPeriod").equalsIgnoreCase("PREVIOUS")) {
          view.replaced(
              "the last " + Transforms.inWords(window) + ", not from the begin of a period");
        }
        return window;
      }
      if (!control.property("fromTime").isEmpty()) {
        view.replaced("a fixed range becomes the last 7 days");
        return "7d";
      }
      String sub = control.property("startSubUnit");
      String period = Transforms.window(1.0, sub.isEmpty() ? control.property("unit") : sub);
      if (!period.isEmpty()) {
        view.replaced(
            "the last " + Transforms.inWords(period) + ", not from the begin of a period");
        return period;
      }
    }
    return "";
  }

  /** The window that a time interval control says; empty = none. */
  static String interval(java.util.function.Function<String, String> property) {
    return Transforms.window(Members.number(property.apply("count")), property.apply("unit"));
  }

  // --- columns ---

  private List<ColumnPart> columns(
      Xml definition, ViewPart view, String originalId, boolean isChart) {
    Names names = new Names();
    List<Xml> attributes = attributes(definition);
    Set<String> instanced = new LinkedHashSet<>();
    for (Xml attribute : attributes) {
      if (attribute.property("isInstancedGroup").equalsIgnoreCase("true")) {
        String group = attribute.property("instanceGroupName");
        instanced.add(group.startsWith("GROUP_") ? group.substring("GROUP_".length()) : group);
      }
    }
    List<ColumnPart> parts = new ArrayList<>();
    for (Xml attribute : attributes) {
      parts.add(column(attribute, view, originalId, isChart, instanced, names));
    }
    for (Xml metadata : controls(definition, "metadata")) {
      for (Xml attribute : metadata.values("distributionAdditionalColumns")) {
        ColumnPart part = column(attribute, view, originalId, false, instanced, names);
        part.notes.add("seen when a bar or slice is opened");
        parts.add(part);
      }
    }
    return parts;
  }

  private ColumnPart column(
      Xml attribute,
      ViewPart view,
      String originalId,
      boolean isChart,
      Set<String> instanced,
      Names names) {
    String key = attribute.property("attributeKey");
    String title = attribute.property("displayName");
    for (Xml property : attribute.all("Property")) {
      if (property.attribute("name").equals("displayName")) {
        title = translated(originalId, property, title);
      }
    }
    String localized = attribute.property("localizedAttributeName");
    String fallback =
        localized.isEmpty()
            ? columns.word(key)
            : localized.substring(localized.lastIndexOf('|') + 1);
    title = Names.line(title, fallback);
    if (key.equalsIgnoreCase("Instance Name")) {
      ColumnPart part = new ColumnPart(title);
      part.shows = "each instance has its row and its name";
      return part;
    }
    if (key.equalsIgnoreCase("Interval Breakdown")
        || attribute.property("isTimeSegment").equalsIgnoreCase("true")) {
      return new ColumnPart(title)
          .cannot("a row for each " + period(attribute) + " is not made; a chart shows the course");
    }
    List<String> kinds = view.kinds;
    String kind =
        Columns.kind(attribute.property("adapterKind"), attribute.property("resourceKind"));
    if (!kind.isEmpty() && !kinds.contains(kind)) {
      List<String> own = columns.withVCenters(List.of(kind), null);
      kinds = kinds.isEmpty() ? own : kinds.containsAll(own) ? own : kinds;
    } else if (!kind.isEmpty()) {
      kinds = List.of(kind);
    }
    boolean isText = attribute.property("isStringAttribute").equalsIgnoreCase("true");
    String said = attribute.property("isProperty");
    ColumnPart part =
        columns.of(
            names.of(title, columns.word(key), "column"),
            title,
            kinds,
            key,
            said.isEmpty() ? null : said.equalsIgnoreCase("true"),
            isText);
    String related = attribute.property("relatedResourceKind");
    if (!related.isEmpty()) {
      return part.cannot(
          "shows a value of a related "
              + Names.cut(related, 60)
              + "; a column shows its own object's");
    }
    ObjectNode node = part.node;
    if (node == null) {
      return part;
    }
    instances(part, node, key, instanced);
    transform(part, node, attribute, view, isChart, names);
    Columns.unit(node, Units.of(attribute.property("preferredUnitId"), ""));
    String ascending = attribute.property("ascendingRange");
    ObjectNode colour =
        Colours.ofBounds(
            attribute.property("yellowBound"),
            attribute.property("orangeBound"),
            attribute.property("redBound"),
            isText,
            ascending.isEmpty() ? null : ascending.equalsIgnoreCase("true"));
    if (colour != null) {
      node.set("colour", colour);
    }
    return part;
  }

  private static String period(Xml attribute) {
    String by = attribute.property("breakdownBy").toLowerCase(Locale.ROOT);
    return by.endsWith("s") ? by.substring(0, by.length() - 1) : by.isEmpty() ? "period" : by;
  }

  /** Rows for each instance, where the view asks for those of the group. */
  private static void instances(
      ColumnPart part, ObjectNode node, String written, Set<String> instanced) {
    MetricKey key = MetricKey.of(written);
    if (!instanced.contains(key.group()) || key.superMetric() != null) {
      return;
    }
    if (node.path("metric") instanceof ObjectNode metric) {
      if (written.contains("Aggregate of all instances")) {
        return;
      }
      metric.put("instance", "each");
      part.shows = "a row for each instance";
    } else if (part.property && !key.isAggregate()) {
      part.replaced("of one instance alone; properties have no row for each instance");
    }
  }

  private void transform(
      ColumnPart part,
      ObjectNode node,
      Xml attribute,
      ViewPart view,
      boolean isChart,
      Names names) {
    List<String> asked =
        attribute.items("transformations").stream()
            .map(it -> it.attribute("value").strip().toUpperCase(Locale.ROOT))
            .filter(it -> !it.isEmpty())
            .toList();
    Set<String> wanted = new LinkedHashSet<>(asked);
    double days =
        java.util.Objects.requireNonNullElse(
            Members.number(attribute.property("forecastDays")), (double) FORECAST_DAYS);
    String ahead = Transforms.window(Math.max(1, Math.min(3650, days)), "DAYS");
    if (isChart) {
      if (wanted.contains("FORECAST")) {
        view.forecast = ahead;
        part.replaced(
            "forecast of " + Transforms.inWords(ahead) + " by a robust line, with its range");
      }
      if (wanted.contains("TREND") && !wanted.contains("FORECAST")) {
        view.forecast = view.forecast.isEmpty() ? "7d" : view.forecast;
        part.replaced("the trend is drawn as a forecast");
      }
      wanted.removeAll(Set.of("FORECAST", "TREND", "NONE"));
      if (node.has("property")) {
        part.replaced("a property has no course; shown as it is now");
      }
    }
    boolean isValue = node.has("metric");
    String first = wanted.isEmpty() ? "" : wanted.iterator().next();
    if (wanted.size() > 1) {
      part.replaced("only the first of " + wanted.size() + " figures");
    }
    if (!isValue) {
      if (first.equals("TIMESTAMP") && part.property) {
        part.notes.add("a time");
      }
      return;
    }
    String rollUp = attribute.property("rollUpType").toUpperCase(Locale.ROOT);
    Double count = Members.number(attribute.property("rollUpCount"));
    switch (first) {
      case "", "NONE" -> {
        if (!isChart && first.equals("NONE")) {
          node.put("transform", "current");
        }
      }
      case "PERCENTILE" -> {
        Double percentile = Members.number(attribute.property("percentile"));
        double of = percentile == null || percentile <= 0 || percentile >= 100 ? 95 : percentile;
        node.putObject("transform").set("percentile", Colours.number(of));
        part.shows = "percentile " + Colours.number(of).asString("");
      }
      case "FORECAST", "FORECAST_LIST" -> {
        node.putObject("transform").put("forecast", ahead);
        part.replaced("forecast of " + Transforms.inWords(ahead) + " by a robust line");
      }
      case "TRANSFORM_EXPRESSION" -> expression(part, node, attribute, names);
      case "STDDEV", "STANDARD_DEVIATION", "VARIANCE" -> {
        node.put("transform", "avg");
        part.replaced("the mean in place of the deviation, which is not computed");
      }
      case "TIME_POINT" -> {
        node.put("transform", "first");
        part.replaced("the oldest value of the window in place of a moment");
      }
      default -> {
        String simple = Transforms.simple(first);
        if (simple.isEmpty()) {
          node.put("transform", "current");
          part.replaced("the newest value in place of " + Names.cut(first, 40));
        } else {
          node.put("transform", simple);
          String words = Transforms.words(simple);
          part.shows = part.shows.isEmpty() ? words : part.shows;
        }
      }
    }
    if (!rollUp.isEmpty()
        && !rollUp.equals("NONE")
        && count != null
        && count >= 1
        && !Set.of("", "NONE", "CURRENT").contains(first)) {
      String unit = attribute.property("rollUpUnit");
      String of = Transforms.window(count, unit.isEmpty() ? "HOURS" : unit);
      part.replaced(
          "over the values as stored, not over means of "
              + (of.isEmpty() ? "a longer time" : Transforms.inWords(of)));
    }
  }

  private static void expression(ColumnPart part, ObjectNode node, Xml attribute, Names names) {
    String text = attribute.property("transformExpression");
    Transforms.Expression expression =
        Transforms.expression(text, names, node.path("name").asString("value"));
    if (expression == null) {
      node.put("transform", "current");
      part.replaced("the newest value; the expression has something that is not known here");
      return;
    }
    JsonNode metric = node.path("metric").deepCopy();
    for (Map.Entry<String, String> statistic : expression.statistics().entrySet()) {
      ObjectNode hidden = JSON.objectNode();
      hidden.put("name", statistic.getKey());
      hidden.set("metric", metric.deepCopy());
      hidden.put("transform", statistic.getValue());
      hidden.put("hidden", true);
      part.hidden.add(hidden);
    }
    node.remove("metric");
    node.put("expression", expression.text());
    part.shows = Names.cut(text, 60);
  }

  // --- the rest of a view ---

  private static String buckets(Xml definition, ViewPart view, String show, String column) {
    ObjectNode buckets = JSON.objectNode();
    buckets.put("of", column);
    String shown = show;
    for (Xml control : controls(definition, "buckets-control")) {
      boolean dynamic = control.property("isDynamic").equalsIgnoreCase("true");
      String function = control.property("dynamicCalcFunction").toUpperCase(Locale.ROOT);
      Double count = Members.number(control.property("bucketCount"));
      TreeSet<Double> bounds = new TreeSet<>();
      List<Double> from = new ArrayList<>();
      List<String> colours = new ArrayList<>();
      for (Xml bucket : control.values("bucketInfos")) {
        Double start = Members.number(bucket.property("startValue"));
        Double end = Members.number(bucket.property("endValue"));
        if (start != null) {
          bounds.add(start);
        }
        if (end != null) {
          bounds.add(end);
        }
        if (start != null && (from.isEmpty() || from.getLast() <= start)) {
          from.add(from.isEmpty() ? Double.NEGATIVE_INFINITY : start);
          colours.add(bucket.property("bucketColor"));
        }
      }
      if (!dynamic && !bounds.isEmpty()) {
        buckets.put("by", "bounds");
        ArrayNode list = buckets.putArray("bounds");
        bounds.stream().limit(100).forEach(it -> list.add(Colours.number(it)));
        shown = show.equals("bars") ? "histogram" : show;
        colour(view, column, Colours.ofRanges(from, colours));
      } else if (function.equals("DISCRETE")) {
        buckets.put("by", "values");
      } else {
        buckets.put("by", "equal");
        if (count != null && count > 1) {
          buckets.put("count", (int) Math.min(100, count));
        }
        shown = show.equals("bars") ? "histogram" : show;
        if (function.equals("LOGMAGNITUDE")) {
          view.replaced("buckets of equal width, not of powers of ten");
        }
      }
      if (control.property("isSum").equalsIgnoreCase("true")) {
        view.replaced("counts objects in place of adding up their values");
      }
      break;
    }
    if (!buckets.has("by")) {
      buckets.put("by", "values");
    }
    view.node.set("buckets", buckets);
    return shown;
  }

  private static void colour(ViewPart view, String column, @Nullable ObjectNode rule) {
    for (ColumnPart part : view.columns) {
      if (rule != null
          && part.node != null
          && part.name().equals(column)
          && !part.node.has("colour")) {
        part.node.set("colour", rule);
      }
    }
  }

  private static void sort(Xml definition, ViewPart view) {
    List<Xml> attributes = attributes(definition);
    for (int i = 0; i < attributes.size() && i < view.columns.size(); i++) {
      String criteria = attributes.get(i).property("sortCriteria");
      ColumnPart part = view.columns.get(i);
      if (!criteria.isEmpty() && part.node != null) {
        ObjectNode sort = view.node.putArray("sort").addObject();
        sort.put("column", part.name());
        sort.put("order", criteria.equalsIgnoreCase("true") ? "asc" : "desc");
        break;
      }
    }
    for (Xml metadata : controls(definition, "metadata")) {
      Double top = Members.number(metadata.property("listTopResultSize"));
      if (top != null && top >= 1) {
        view.node.put("limit", (int) Math.min(10_000, top));
      }
    }
  }

  private static void totals(Xml definition, ViewPart view) {
    Map<Integer, Integer> rows = new HashMap<>();
    for (Xml control : controls(definition, "attributes-selector")) {
      for (Xml summary : control.values("summaryInfos")) {
        String function =
            switch (summary.property("aggregation").toUpperCase(Locale.ROOT)) {
              case "SUM" -> "sum";
              case "AVG", "AVERAGE", "MEAN" -> "avg";
              case "MIN" -> "min";
              case "MAX" -> "max";
              default -> "";
            };
        for (Xml item : summary.items("attributeIndexes")) {
          Double index = Members.number(item.attribute("value"));
          if (index == null || index < 0 || index >= view.columns.size()) {
            continue;
          }
          ColumnPart part = view.columns.get(index.intValue());
          if (part.node == null) {
            continue;
          }
          if (function.isEmpty()) {
            part.replaced("its summary is not made");
          } else if (rows.merge(index.intValue(), 1, Integer::sum) == 1) {
            part.node.put("total", function);
          } else {
            part.replaced("one summary, of " + part.node.path("total").asString(""));
          }
        }
      }
    }
  }

  private void businessHours(Xml definition, ViewPart view) {
    boolean asked =
        attributes(definition).stream()
            .anyMatch(it -> it.property("useBusinessHours").equalsIgnoreCase("true"));
    for (Xml control : controls(definition, "time-interval-selector")) {
      ArrayNode days = JSON.arrayNode();
      Set<String> hours = new LinkedHashSet<>();
      for (String day : DAYS) {
        for (Xml range : control.values(day + "Hours")) {
          String from = clock(range.property("startHour"), range.property("startMinute"));
          String to = clock(range.property("endHour"), range.property("endMinute"));
          if (from.isEmpty() || to.isEmpty()) {
            continue;
          }
          if (hours.isEmpty() || hours.contains(from + to)) {
            days.add(day);
          }
          hours.add(from + to);
          break;
        }
      }
      if (days.isEmpty()) {
        continue;
      }
      String first = hours.iterator().next();
      if (!asked) {
        return;
      }
      if (first.startsWith("24")) {
        return;
      }
      ObjectNode made = view.node.putObject("businessHours");
      made.set("days", days);
      made.put("from", first.substring(0, 5));
      made.put("to", first.substring(5));
      made.put("zone", installation.zone().getId());
      view.replaced(
          "business hours of all its columns, in "
              + installation.zone().getId()
              + ", for the file does not name the zone"
              + (hours.size() > 1 ? "; days with other hours are left out" : ""));
      return;
    }
  }

  private static String clock(String hour, String minute) {
    Double hours = Members.number(hour);
    Double minutes = minute.isEmpty() ? Double.valueOf(0) : Members.number(minute);
    if (hours == null
        || minutes == null
        || hours < 0
        || hours > 24
        || minutes < 0
        || minutes > 59) {
      return "";
    }
    return hours.intValue() == 24
        ? "24:00"
        : String.format(Locale.ROOT, "%02d:%02d", hours.intValue(), minutes.intValue());
  }

  private String translated(String id, @Nullable Xml element, String written) {
    String key = element == null ? "" : element.attribute("localizationKey");
    if (key.isEmpty()) {
      return written;
    }
    String translation = translations.get("view." + id + "." + key);
    if (translation == null && key.equals("description")) {
      translation = translations.get("view." + id + ".desc");
    }
    if (translation == null || translation.isEmpty()) {
      return written.isEmpty() ? key : written;
    }
    return translation;
  }
}
