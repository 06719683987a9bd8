package io.peerlens.dashboard.vrops;

import io.peerlens.dashboard.vrops.CollectorKeys.Sent;
import io.peerlens.dashboard.vrops.ImportReport.Proposal;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Maker of columns out of keys, with the choices that are the same in views and widgets. */
final class Columns {

  private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

  /** Beginnings of keys that vROps has as properties, where nothing else tells. */
  private static final List<String> PROPERTIES =
      List.of(
          "config|",
          "configuration|",
          "runtime|",
          "summary|guest|",
          "summary|parent",
          "summary|config|",
          "summary|runtime|",
          "summary|tag",
          "summary|folder",
          "summary|version",
          "summary|customTag",
          "summary|datastore",
          "hardware|vendor",
          "hardware|biosVersion",
          "hardware|cpuInfo|",
          "system properties|",
          "customproperty|",
          "custom properties|",
          "snapshot|",
          "cpu|cpuModel",
          "sys|productString");

  private static final Set<String> WORLDS = Set.of("VMWARE/vSphere World");
  private static final String VCENTER = "VMWARE/VMwareAdapter Instance";

  private final Installation installation;
  private final CollectorKeys keys;
  private final Map<String, JsonNode> superMetrics;

  /**
   * A maker of columns.
   *
   * @param superMetrics those of the file, for their names
   */
  Columns(Installation installation, CollectorKeys keys, Map<String, JsonNode> superMetrics) {
    this.installation = installation;
    this.keys = keys;
    this.superMetrics = superMetrics;
  }

  /** What a column of a key is called where the export does not say it. */
  String word(String writtenKey) {
    MetricKey key = MetricKey.of(writtenKey);
    JsonNode definition = superMetrics.get(String.valueOf(key.superMetric()));
    String name = Members.text(definition, "name");
    if (!name.isEmpty()) {
      return name;
    }
    return key.superMetric() == null ? Names.words(key.lastWord()) : "Super metric";
  }

  /** Whether a key is a metric for sure: a collector sends it, or it is named as counters are. */
  boolean isSurelyMetric(List<String> kinds, MetricKey key) {
    return key.superMetric() != null
        || key.plain().matches(".*_(average|summation|latest)")
        || !isProperty(kinds, key.plain(), Boolean.TRUE, true);
  }

  /**
   * Whether a key is of a property. What a collector sends decides; then what the export says; then
   * how vROps names its properties.
   */
  boolean isProperty(List<String> kinds, String key, @Nullable Boolean said, boolean isText) {
    boolean metric = false;
    boolean property = false;
    for (String kind : kinds) {
      Sent sent = keys.sent(kind, key);
      metric |= sent != null && sent.metric();
      property |= sent != null && sent.property();
    }
    if (metric != property) {
      return property;
    }
    if (said != null) {
      return said;
    }
    String lower = key.toLowerCase(Locale.ROOT);
    return isText
        || PROPERTIES.stream().anyMatch(it -> lower.startsWith(it.toLowerCase(Locale.ROOT)));
  }

  /**
   * A column that reads a key.
   *
   * @param name name in the format
   * @param said whether the export says that it is a property; null = it does not say
   * @param isText whether its values are texts
   */
  ColumnPart of(
      String name,
      String title,
      List<String> kinds,
      String writtenKey,
      @Nullable Boolean said,
      boolean isText) {
    ColumnPart part = new ColumnPart(title);
    MetricKey key = MetricKey.of(writtenKey);
    ObjectNode node = JSON.objectNode();
    node.put("name", name);
    node.put("title", title);
    part.node = node;
    part.kinds = withVCenters(kinds, part);
    if (key.isHealth()) {
      node.put("attribute", "health");
      return part.replaced("health here is made of the open alerts");
    }
    if (key.isAlertCount()) {
      node.put("attribute", "alerts");
      if (key.isAllAlerts()) {
        part.shows = "number of open alerts";
        return part;
      }
      return part.replaced("counts all open alerts, not those of one severity");
    }
    if (key.isWorkload()) {
      ObjectNode usage = node.putObject("metric");
      usage.putArray("any").add("cpu|usage_average");
      part.key = "cpu|usage_average";
      return part.replaced("use of CPU in place of the badge");
    }
    if (key.isBadge()) {
      part.proposal = new Proposal("attribute:alerts", "open alerts of the same objects");
      return part.cannot(
          "no badge of "
              + key.lastWord().replace('_', ' ')
              + " here; offered: open alerts of the same objects");
    }
    part.superMetric = key.superMetric();
    part.key = key.plain().isEmpty() ? "-" : key.plain();
    part.property = key.superMetric() == null && isProperty(part.kinds, part.key, said, isText);
    if (part.property) {
      node.put("property", key.property());
      if (!key.isAggregate()) {
        part.shows = "of instance " + key.instance();
      }
      return part;
    }
    ObjectNode metric = node.putObject("metric");
    metric.putArray("any").add(key.stored());
    if (!key.isAggregate() && key.instance() != null && key.superMetric() == null) {
      metric.putObject("instance").put("name", Names.cut(key.instance(), 400));
      part.shows = "instance " + key.instance();
    }
    return part;
  }

  /**
   * Kinds of which objects are shown. A World of vSphere is one object over all vCenters, which
   * nothing here makes; the vCenters stand for it.
   */
  List<String> withVCenters(List<String> kinds, @Nullable ColumnPart part) {
    if (kinds.stream().noneMatch(WORLDS::contains)
        || kinds.stream().filter(WORLDS::contains).anyMatch(it -> installation.objects(it) > 0)) {
      return kinds;
    }
    if (part != null && kinds.size() == 1) {
      part.replaced("of each vCenter; no object here stands for all of them");
    }
    return kinds.stream().map(it -> WORLDS.contains(it) ? VCENTER : it).distinct().toList();
  }

  /** Whether an object of this kind and name stands for everything there is. */
  static boolean isRoot(String kind, String name) {
    String object = kind.substring(kind.indexOf('/') + 1).toLowerCase(Locale.ROOT);
    String lower = name.toLowerCase(Locale.ROOT);
    return object.endsWith("world")
        || object.equals("universe")
        || lower.equals("universe")
        || lower.endsWith(" world")
        || lower.endsWith("-world");
  }

  static void unit(ObjectNode node, String unit) {
    if (!unit.isEmpty()) {
      node.put("unit", unit);
    }
  }

  /** Kinds as the format has them: one text, or a list. */
  static void kinds(ObjectNode node, List<String> kinds) {
    List<String> some = kinds.size() > 20 ? kinds.subList(0, 20) : kinds;
    if (some.size() == 1) {
      node.put("kind", some.getFirst());
    } else if (!some.isEmpty()) {
      ArrayNode list = node.putArray("kind");
      some.forEach(list::add);
    }
  }

  /** A kind of the format; empty = the export does not say which. */
  static String kind(String adapter, String object) {
    String left = part(adapter);
    String right = part(object);
    return left.isEmpty() || right.isEmpty() ? "" : left + "/" + right;
  }

  private static String part(String text) {
    String line = text.isBlank() ? "" : Names.line(text, "");
    return Names.cut(line.replace('/', '-'), 100).strip();
  }
}
