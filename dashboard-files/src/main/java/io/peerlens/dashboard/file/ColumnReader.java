package io.peerlens.dashboard.file;

import io.peerlens.dashboard.file.Column.Colour;
import io.peerlens.dashboard.file.Column.Instance;
import io.peerlens.dashboard.file.Column.Statistic;
import io.peerlens.dashboard.file.Column.Transform;
import io.peerlens.dashboard.file.Column.Transform.Plain;
import io.peerlens.dashboard.file.Column.What;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reader of columns and conditions. */
final class ColumnReader {

  private static final Map<String, Plain> CHANGED =
      Map.of("avg", Plain.AVG, "min", Plain.MIN, "max", Plain.MAX, "last", Plain.LAST);

  private ColumnReader() {}

  static @Nullable Column column(Node node) {
    if (!node.isObject()) {
      return null;
    }
    String name = node.name("name");
    Plain usual = Plain.CURRENT;
    List<What> whats = whats(node, usual);
    Node related = node.get("related");
    if (related != null && related.isObject()) {
      Node path = related.get("path");
      if (path == null) {
        related.wrong("has no path", "Write for instance [\"children\"].");
      }
      String show = related.word("show", Map.of("count", "count", "names", "names"));
      whats.add(
          new Column.Related(
              path == null ? List.of() : SelectReader.path(path), "names".equals(show)));
      related.end();
    }
    Node expression = node.get("expression");
    if (expression != null) {
      String text = expression.asText(Expression.LONGEST);
      try {
        if (text != null) {
          whats.add(new Column.Computed(Expression.parse(text)));
        }
      } catch (IllegalArgumentException e) {
        expression.wrong(String.valueOf(e.getMessage()), "");
      }
    }
    What what = one(node, whats, "metric, property, tag, attribute, related and expression");
    Colour colour = colour(node.get("colour"));
    Column column =
        new Column(
            name,
            node.optionalText("title", Node.LINE),
            what,
            node.duration("window"),
            node.optionalText("unit", Node.LINE),
            node.integer("decimals", 0, 6),
            colour,
            node.word("total", Node.words(Statistic.class)),
            node.isSet("sparkline"),
            node.isSet("peers"),
            node.isSet("hidden"));
    node.end();
    return column;
  }

  static Select.@Nullable Condition condition(Node node) {
    if (!node.isObject()) {
      return null;
    }
    List<What> whats = whats(node, Plain.CURRENT);
    What what = one(node, whats, "metric, property, tag and attribute");
    Map<String, Select.Op> ops = new java.util.LinkedHashMap<>();
    for (Select.Op op : Select.Op.values()) {
      ops.put(op.word(), op);
    }
    Select.Op op = node.word("op", ops);
    if (op == null && !node.has("op")) {
      node.wrong("has no op", "Write one of " + String.join(", ", ops.keySet()) + ".");
    }
    Duration window = node.duration("window");
    Node given = node.get("value");
    Object value = null;
    if (given != null) {
      value =
          given.json().isNumber()
              ? (Object) given.number()
              : given.json().isBoolean() ? given.json().asString() : given.asText(Node.LINE);
    }
    boolean alone = op == Select.Op.EXISTS || op == Select.Op.NOT_EXISTS;
    if (op != null && alone == (given != null)) {
      node.wrong(
          alone ? "compares with a value that " + op.word() + " does not need" : "has no value",
          alone ? "Leave it out." : "Say what is compared with.");
    }
    node.end();
    return op == null ? null : new Select.Condition(what, window, op, value);
  }

  /** What is given of metric, property, tag and attribute. */
  private static List<What> whats(Node node, Plain usual) {
    List<What> whats = new ArrayList<>();
    Node transform = node.get("transform");
    Node metric = node.get("metric");
    if (metric != null && metric.isObject()) {
      whats.add(new Column.OfMetric(metric(metric), transform(transform, usual)));
    } else if (transform != null && metric == null) {
      transform.wrong("is there without a metric", "Only values of metrics are transformed.");
    }
    String property = node.optionalText("property", Node.KEY);
    if (property != null) {
      whats.add(new Column.Property(property));
    }
    String tag = node.optionalText("tag", Node.LINE);
    if (tag != null) {
      whats.add(new Column.Tag(tag));
    }
    Column.Attribute attribute = node.word("attribute", Node.words(Column.Attribute.class));
    if (attribute != null) {
      whats.add(attribute);
    }
    return whats;
  }

  private static What one(Node node, List<What> whats, String known) {
    if (whats.size() == 1) {
      return whats.getFirst();
    }
    node.wrong(
        whats.isEmpty() ? "says nothing to show" : "says several things to show",
        "Give exactly one of " + known + ".");
    return Column.Attribute.NAME;
  }

  private static Column.Metric metric(Node node) {
    List<String> any = node.list("any", 20, key -> key.asText(Node.KEY));
    if (any.isEmpty()) {
      node.wrong("has no key", "Write for instance {\"any\": [\"cpu|usage_average\"]}.");
    }
    Node instance = node.get("instance");
    Column.Metric metric =
        new Column.Metric(any, instance == null ? new Instance.Aggregate() : instance(instance));
    node.end();
    return metric;
  }

  private static Instance instance(Node node) {
    if (!node.json().isObject()) {
      Instance word =
          node.asWord(
              Map.<String, Instance>of(
                  "aggregate", new Instance.Aggregate(),
                  "each", new Instance.Each("*"),
                  "max", new Instance.Over(Statistic.MAX),
                  "min", new Instance.Over(Statistic.MIN),
                  "sum", new Instance.Over(Statistic.SUM),
                  "avg", new Instance.Over(Statistic.AVG)));
      return word == null ? new Instance.Aggregate() : word;
    }
    String name = node.optionalText("name", Node.KEY);
    String matching = node.optionalText("matching", Node.LINE);
    if ((name == null) == (matching == null)) {
      node.wrong("is none", "Give either name or matching.");
    }
    node.end();
    return name == null
        ? new Instance.Each(matching == null ? "*" : matching)
        : new Instance.Named(name);
  }

  private static Transform transform(@Nullable Node node, Plain usual) {
    if (node == null) {
      return usual;
    }
    if (!node.json().isObject()) {
      Plain plain = node.asWord(Node.words(Plain.class));
      return plain == null ? usual : plain;
    }
    Transform transform = usual;
    Node percentile = node.get("percentile");
    Node reaches = node.get("reaches");
    Node change = node.get("change");
    if (percentile != null) {
      transform = percentile(percentile, usual);
    } else if (node.has("forecast")) {
      Duration ahead = node.duration("forecast");
      transform = ahead == null ? usual : new Transform.Forecast(ahead);
    } else if (reaches != null) {
      transform = new Transform.Reaches(reaches.number());
    } else if (change != null) {
      Plain of = node.word("of", CHANGED);
      boolean before = change.json().isString() && change.json().asString().equals("before");
      transform =
          new Transform.Change(before ? null : change.asDuration(), of == null ? Plain.AVG : of);
    } else if (node.has("outside")) {
      node.word("outside", Map.of("usual", "usual"));
      transform = new Transform.Outside();
    } else {
      node.wrong("is none", "Give one of percentile, forecast, reaches, change, outside.");
    }
    node.end();
    return transform;
  }

  private static Transform percentile(Node node, Plain usual) {
    if (node.json().isString()) {
      String text = node.json().stringValue();
      if (text.startsWith("$") && Node.NAME.matcher(text.substring(1)).matches()) {
        return new Transform.Percentile(Double.NaN, text.substring(1));
      }
      node.wrong(
          "is \"" + text + "\", which is neither a number nor a variable",
          "Write a number such as 95, or a variable such as $p.");
      return usual;
    }
    double percent = node.number();
    if (percent <= 0 || percent >= 100) {
      node.wrong("is not between 0 and 100", "Write for instance 95, or a variable such as $p.");
      return usual;
    }
    return new Transform.Percentile(percent);
  }

  private static Colour colour(@Nullable Node node) {
    if (node == null) {
      return new Colour.None();
    }
    if (!node.json().isObject()) {
      Colour word =
          node.asWord(
              Map.<String, Colour>of(
                  "none", new Colour.None(),
                  "usual", new Colour.Usual(),
                  "alerts", new Colour.Alerts()));
      return word == null ? new Colour.None() : word;
    }
    Colour colour = new Colour.None();
    Node bounds = node.get("bounds");
    if (bounds != null) {
      Boolean above = node.flag("above");
      List<Double> numbers =
          bounds.asList(1, 3, one -> one.json().isNull() ? Double.NaN : (Double) one.number());
      boolean up = above == null || above;
      double before = Double.NaN;
      for (double bound : numbers) {
        if (!Double.isNaN(bound)) {
          if (up ? bound < before : bound > before) {
            bounds.wrong(
                "are not in the order of warning, immediate, critical",
                up ? "Let them rise, or say above: false." : "Let them fall, or say above: true.");
            break;
          }
          before = bound;
        }
      }
      colour = new Colour.Bounds(at(numbers, 0), at(numbers, 1), at(numbers, 2), up);
    } else if (node.has("values")) {
      colour =
          new Colour.Values(
              node.map(
                  "values", 100, (text, state) -> state.asWord(Node.words(Column.State.class))));
    } else {
      node.wrong("is none", "Give bounds or values, or one of none, usual, alerts.");
    }
    node.end();
    return colour;
  }

  private static double at(List<Double> numbers, int index) {
    return index < numbers.size() ? numbers.get(index) : Double.NaN;
  }
}
