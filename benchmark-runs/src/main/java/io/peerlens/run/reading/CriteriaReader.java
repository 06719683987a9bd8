package io.peerlens.run.reading;

import io.peerlens.run.reading.CriteriaException.Mistake;
import io.peerlens.run.reading.Criterion.At;
import io.peerlens.run.reading.Criterion.Operator;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Reader of files of criteria.
 *
 * <pre>
 * {"name": "acceptance v3", "criteria": [
 *   {"figure": "iops", "at": {"latency": "p95", "limit": 1.5}, "operator": "&gt;=", "limit": 180000, "unit": "IO/s",
 *    "runs": {"block_size": 4096, "read_share": 100}},
 *   {"figure": "latency_p99", "operator": "&lt;=", "limit": 2, "unit": "ms", "runs": {"outstanding": [32, 64]}},
 *   {"figure": "share", "of": "iops", "operator": "&gt;=", "limit": 80, "unit": "%"},
 *   {"figure": "scatter", "of": "iops", "operator": "&lt;=", "limit": 5, "unit": "%"}]}
 * </pre>
 *
 * <p>{@code at} reads the figure on the curve of the runs, at a latency (mean, p95 or p99) in
 * milliseconds; without it each run is judged. All mistakes are found in one pass.
 */
public final class CriteriaReader {

  /** The longest file, in characters. */
  public static final int LONGEST = 1_000_000;

  /** The most criteria of a file. */
  public static final int MOST = 500;

  private static final int MOST_MISTAKES = 100;
  private static final int MOST_VALUES = 100;
  private static final int LINE = 200;
  private static final int DEPTH = 20;

  private static final Pattern FIGURE = Pattern.compile("[a-z][a-z0-9_.]{0,63}");
  private static final Pattern SIZE = Pattern.compile("([0-9]{1,9})([kKmMgGtT])i?[bB]?");

  private static final JsonMapper JSON =
      JsonMapper.builder(
              JsonFactory.builder()
                  .streamReadConstraints(
                      StreamReadConstraints.builder().maxNestingDepth(DEPTH).build())
                  .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
                  .build())
          .build();

  private final List<Mistake> mistakes = new ArrayList<>();

  private CriteriaReader() {}

  /**
   * Reads a file.
   *
   * @throws CriteriaException with all mistakes
   */
  public static Criteria read(String json) throws CriteriaException {
    CriteriaReader reader = new CriteriaReader();
    Criteria criteria = reader.file(json);
    if (!reader.mistakes.isEmpty()) {
      throw new CriteriaException(reader.mistakes);
    }
    return criteria;
  }

  private void wrong(String path, String text, String hint) {
    if (mistakes.size() < MOST_MISTAKES) {
      mistakes.add(new Mistake(path, text, hint));
    }
  }

  private Criteria file(String json) {
    Criteria none = new Criteria("", List.of());
    if (json.length() > LONGEST) {
      wrong(
          "",
          "has %,d characters, %,d are allowed".formatted(json.length(), LONGEST),
          "Split it into several.");
      return none;
    }
    JsonNode file;
    try {
      file = JSON.readTree(json);
    } catch (JacksonException e) {
      String where =
          e.getLocation() == null
              ? ""
              : " at line %d, column %d"
                  .formatted(e.getLocation().getLineNr(), e.getLocation().getColumnNr());
      wrong("", "is no JSON" + where + ": " + e.getOriginalMessage(), "");
      return none;
    }
    if (!file.isObject()) {
      wrong("", "is no object", "Write {\"criteria\": [...]}.");
      return none;
    }
    known(file, "", Set.of("name", "criteria"));
    String name = file.has("name") ? text(file, "name", "name") : "";
    JsonNode list = file.get("criteria");
    List<Criterion> criteria = new ArrayList<>();
    if (list == null || !list.isArray() || list.isEmpty()) {
      wrong(
          "criteria",
          list == null ? "is missing" : list.isArray() ? "is empty" : "is no list",
          "Write a list of criteria in square brackets.");
    } else if (list.size() > MOST) {
      wrong("criteria", "has %d entries, %d are allowed".formatted(list.size(), MOST), "");
    } else {
      for (int i = 0; i < list.size(); i++) {
        Criterion one = criterion(list.get(i), "criteria[" + i + "]");
        if (one != null) {
          criteria.add(one);
        }
      }
    }
    return new Criteria(name, criteria);
  }

  private void known(JsonNode node, String path, Set<String> names) {
    for (String name : node.propertyNames()) {
      if (!names.contains(name)) {
        wrong(
            path.isEmpty() ? name : path + "." + name,
            "is unknown",
            "Known here are " + String.join(", ", names.stream().sorted().toList()) + ".");
      }
    }
  }

  private String text(JsonNode node, String member, String path) {
    JsonNode value = node.get(member);
    if (value == null) {
      wrong(path, "is missing", "");
      return "";
    }
    if (!value.isString() || value.stringValue().isBlank()) {
      wrong(path, value.isString() ? "is empty" : "is no text", "");
      return "";
    }
    if (value.stringValue().length() > LINE) {
      wrong(
          path,
          "has %d characters, %d are allowed".formatted(value.stringValue().length(), LINE),
          "");
      return "";
    }
    return value.stringValue();
  }

  private @Nullable Double number(JsonNode node, String member, String path) {
    JsonNode value = node.get(member);
    if (value == null) {
      wrong(path, "is missing", "");
      return null;
    }
    if (!value.isNumber() || !Double.isFinite(value.doubleValue())) {
      wrong(path, "is no number", "Write it without quotes and unit, such as 1.5.");
      return null;
    }
    return value.doubleValue();
  }

  private @Nullable Criterion criterion(JsonNode node, String path) {
    if (!node.isObject()) {
      wrong(path, "is no object", "Write it in curly brackets.");
      return null;
    }
    known(node, path, Set.of("name", "figure", "of", "at", "operator", "limit", "unit", "runs"));
    int before = mistakes.size();
    String figure = figure(node, "figure", path + ".figure");
    boolean derived = figure.equals(Criterion.SHARE) || figure.equals(Criterion.SCATTER);
    String of = figure;
    if (derived) {
      of = figure(node, "of", path + ".of");
    } else if (node.has("of")) {
      wrong(path + ".of", "goes only with the figures share and scatter", "Leave it out.");
    }
    At at = node.has("at") ? at(node.get("at"), path + ".at") : null;
    if (at != null && figure.equals(Criterion.SCATTER)) {
      wrong(
          path + ".at",
          "does not go with scatter, which is of repeats of a point",
          "Leave it out.");
    }
    Operator operator = operator(node, path + ".operator");
    Double limit = number(node, "limit", path + ".limit");
    String unit = node.has("unit") ? text(node, "unit", path + ".unit") : "";
    Double factor = factor(figure, unit, node.has("unit"), path + ".unit");
    Map<String, Set<String>> runs = runs(node.get("runs"), path + ".runs");
    if (mistakes.size() > before || operator == null || limit == null || factor == null) {
      return null;
    }
    String name =
        node.has("name") ? text(node, "name", path + ".name") : CriteriaWords.name(figure, of, at);
    return new Criterion(name, figure, of, at, operator, limit, unit, factor, runs);
  }

  private String figure(JsonNode node, String member, String path) {
    String figure = text(node, member, path);
    if (!figure.isEmpty() && !FIGURE.matcher(figure).matches()) {
      wrong(
          path,
          "is \"" + figure + "\", which is no figure of a run",
          "Write for instance iops, throughput, latency, latency_p95, share or scatter.");
      return "";
    }
    return figure;
  }

  private @Nullable At at(JsonNode node, String path) {
    if (!node.isObject()) {
      wrong(path, "is no object", "Write {\"latency\": \"p95\", \"limit\": 1.5}.");
      return null;
    }
    known(node, path, Set.of("latency", "limit"));
    String latency = text(node, "latency", path + ".latency");
    Double limit = number(node, "limit", path + ".limit");
    if (limit != null && limit <= 0) {
      wrong(path + ".limit", "is " + limit + ", not above 0", "Write milliseconds.");
      return null;
    }
    for (Curve.Latency one : Curve.Latency.values()) {
      if (one.words().equals(latency)) {
        return limit == null ? null : new At(one, limit);
      }
    }
    if (!latency.isEmpty()) {
      wrong(path + ".latency", "is \"" + latency + "\"", "Write mean, p95 or p99.");
    }
    return null;
  }

  private @Nullable Operator operator(JsonNode node, String path) {
    String sign = text(node, "operator", path);
    for (Operator one : Operator.values()) {
      if (one.sign().equals(sign)) {
        return one;
      }
    }
    if (!sign.isEmpty()) {
      wrong(path, "is \"" + sign + "\"", "Write >=, <=, > or <.");
    }
    return null;
  }

  private @Nullable Double factor(String figure, String unit, boolean given, String path) {
    Map<String, Double> units = Criterion.UNITS.get(Criterion.base(figure));
    if (figure.isEmpty() || (given && unit.isEmpty())) {
      return null;
    }
    if (units == null) {
      return 1.0;
    }
    Double factor = units.get(unit);
    if (factor == null) {
      String hint = "Write " + String.join(", ", units.keySet()) + ".";
      wrong(
          path, given ? "is \"" + unit + "\", which is no unit of " + figure : "is missing", hint);
    }
    return factor;
  }

  private Map<String, Set<String>> runs(@Nullable JsonNode node, String path) {
    Map<String, Set<String>> runs = new HashMap<>();
    if (node == null) {
      return runs;
    }
    if (!node.isObject() || node.size() > MOST_VALUES) {
      wrong(
          path,
          node.isObject() ? "names too many parameters" : "is no object",
          "Write {\"block_size\": 4096}.");
      return runs;
    }
    for (Map.Entry<String, JsonNode> one : node.properties()) {
      String at = path + "." + one.getKey();
      JsonNode values = one.getValue();
      Set<String> wanted = new HashSet<>();
      if (values.isArray()) {
        if (values.isEmpty() || values.size() > MOST_VALUES) {
          wrong(
              at,
              "has %d values".formatted(values.size()),
              "Write 1 to %d.".formatted(MOST_VALUES));
          continue;
        }
        for (int i = 0; i < values.size(); i++) {
          value(values.get(i), at + "[" + i + "]", wanted);
        }
      } else {
        value(values, at, wanted);
      }
      runs.put(one.getKey(), wanted);
    }
    return runs;
  }

  private void value(JsonNode value, String path, Set<String> wanted) {
    if (!value.isString() && !value.isNumber()) {
      wrong(path, "is neither text nor number", "");
      return;
    }
    String text = value.isString() ? value.stringValue() : Double.toString(value.doubleValue());
    var size = SIZE.matcher(text);
    if (size.matches()) {
      long bytes =
          Long.parseLong(size.group(1))
              << 10 * (1 + "kmgt".indexOf(Character.toLowerCase(size.group(2).charAt(0))));
      wrong(path, "is \"" + text + "\"", "Sizes are in bytes: write " + bytes + ".");
    } else if (text.length() > LINE) {
      wrong(path, "has %d characters, %d are allowed".formatted(text.length(), LINE), "");
    } else {
      wanted.add(Settings.canonical(text));
    }
  }
}
