package io.peerlens.run.read;

import io.peerlens.run.Run.Figure;
import io.peerlens.run.Run.Series;
import java.io.IOException;
import java.nio.file.FileSystems;
import java.nio.file.PathMatcher;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * How to read a CSV of any tool: a JSON file beside it or in a folder above it.
 *
 * <pre>{@code
 * {
 *   "csvMapping": 1,
 *   "files": "*.csv",
 *   "tool": "my-tool",
 *   "separator": ";",
 *   "decimal": ",",
 *   "time": {"column": "Zeit", "format": "dd.MM.yyyy HH:mm:ss", "zone": "Europe/Berlin"},
 *   "runs": ["Test", "Depth"],
 *   "instance": "Host",
 *   "parameters": {"Depth": "outstanding", "Block": "block_size"},
 *   "metrics": [
 *     {"column": "IO/s", "metric": "iops", "unit": "IO/s"},
 *     {"column": "MB/s", "metric": "throughput", "unit": "B/s", "factor": 1048576},
 *     {"column": "us", "metric": "latency", "unit": "ms", "factor": 0.001, "total": "mean"}
 *   ]
 * }
 * }</pre>
 *
 * <ul>
 *   <li>{@code csvMapping}: version of this format, 1.
 *   <li>{@code files}: names of the files it is for, with {@code *} and {@code ?}; default {@code
 *       *.csv}.
 *   <li>{@code tool}: name of the runs' tool; default {@code csv}.
 *   <li>{@code separator}: one character; default a comma. {@code decimal}: {@code .} or {@code ,};
 *       with the latter, dots separate thousands.
 *   <li>{@code time}: its column and format, {@code iso} (default), {@code seconds} or {@code
 *       milliseconds} since 1970 or since the start of the run, or a pattern of Java's
 *       DateTimeFormatter; {@code zone} for texts without one, default UTC. Without {@code time}
 *       there are totals only.
 *   <li>{@code runs}: columns whose values together tell runs apart; without them a file is a run.
 *   <li>{@code instance}: column of the machine; rates of machines add up, latencies are weighted
 *       by their {@code iops}.
 *   <li>{@code parameters}: column to name of the parameter; of a run the distinct values.
 *   <li>{@code metrics}: {@code unit} is {@code IO/s}, {@code B/s}, {@code ms}, {@code %} or empty,
 *       the value is multiplied with {@code factor} to come to it. {@code total} is {@code mean}
 *       (default; of latencies by operations where there are {@code iops}), {@code max}, {@code
 *       sum} or {@code last}.
 * </ul>
 *
 * <p>The first row has the headings. Cells that are no number are no value. An unknown key of the
 * mapping is a problem, as it is a mistake.
 */
final class CsvMapping {

  private static final Set<String> KEYS =
      Set.of(
          "csvMapping",
          "files",
          "tool",
          "separator",
          "decimal",
          "time",
          "runs",
          "instance",
          "parameters",
          "metrics");
  private static final Set<String> TOTALS = Set.of("mean", "max", "sum", "last");
  private static final Set<String> UNITS = Set.of("IO/s", "B/s", "ms", "%", "");

  /** A column of values. */
  record Metric(String column, String name, String unit, double factor, String total) {}

  final String folder;
  String tool = "csv";
  char separator = ',';
  boolean decimalComma;
  @Nullable CsvTime time;
  final List<String> runs = new ArrayList<>();
  @Nullable String instance;
  final Map<String, String> parameters = new LinkedHashMap<>();
  final List<Metric> metrics = new ArrayList<>();
  private PathMatcher files = FileSystems.getDefault().getPathMatcher("glob:*.csv");

  private CsvMapping(String folder) {
    this.folder = folder;
  }

  /**
   * @throws UnreadableException the mapping has a mistake
   */
  static CsvMapping read(ResultFile file) throws IOException {
    try (JsonDocuments documents = new JsonDocuments(file.open())) {
      JsonDocuments.Document document = documents.next();
      if (document == null || !document.json().isObject()) {
        throw wrong("The mapping is no JSON object", "Begin it with { in a line of its own.");
      }
      CsvMapping mapping = new CsvMapping(file.folder());
      mapping.take(document.json());
      return mapping;
    }
  }

  private static UnreadableException wrong(String what, String remedy) {
    return new UnreadableException(0, what, remedy);
  }

  private void take(JsonNode json) {
    for (Map.Entry<String, JsonNode> one : json.properties()) {
      if (!KEYS.contains(one.getKey())) {
        throw wrong(
            "The mapping has an unknown key \"%s\"".formatted(one.getKey()),
            "Known keys are " + KEYS.stream().sorted().toList() + ".");
      }
    }
    if (FioStats.number(json, "csvMapping") != 1) {
      throw wrong("csvMapping is not 1", "1 is the only version of this format.");
    }
    String glob = FioJob.text(json, "files");
    if (!glob.isEmpty()) {
      String plain = glob.replaceAll("([\\[\\]{}\\\\])", "\\\\$1");
      files = FileSystems.getDefault().getPathMatcher("glob:" + plain);
    }
    tool = FioJob.text(json, "tool").isEmpty() ? tool : FioJob.text(json, "tool");
    String given = FioJob.text(json, "separator");
    if (given.length() > 1 || given.equals("\"") || given.equals("\n")) {
      throw wrong("separator is not one character", "Use one such as ; or \\t.");
    }
    separator = given.isEmpty() ? separator : given.charAt(0);
    String decimal = FioJob.text(json, "decimal");
    if (!decimal.isEmpty() && !decimal.equals(".") && !decimal.equals(",")) {
      throw wrong("decimal is neither . nor ,", "Use one of these.");
    }
    decimalComma = decimal.equals(",");
    JsonNode times = json.get("time");
    if (times != null) {
      time = CsvTime.of(times);
    }
    for (JsonNode one : json.path("runs")) {
      runs.add(one.asString(""));
    }
    instance = json.has("instance") ? FioJob.text(json, "instance") : null;
    for (Map.Entry<String, JsonNode> one : json.path("parameters").properties()) {
      parameters.put(one.getKey(), one.getValue().asString(""));
    }
    for (JsonNode one : json.path("metrics")) {
      metrics.add(metric(one));
    }
    if (metrics.isEmpty()) {
      throw wrong("The mapping has no metrics", "Name at least one column of values.");
    }
  }

  private static Metric metric(JsonNode json) {
    String column = FioJob.text(json, "column");
    String name = FioJob.text(json, "metric");
    String unit = FioJob.text(json, "unit");
    String total = FioJob.text(json, "total");
    double factor = json.has("factor") ? FioStats.number(json, "factor") : 1;
    if (column.isEmpty() || name.isEmpty()) {
      throw wrong("A metric lacks column or metric", "Give both.");
    }
    if (!UNITS.contains(unit)) {
      throw wrong(
          "Metric %s has the unknown unit \"%s\"".formatted(name, unit),
          "Use IO/s, B/s, ms, % or none, and a factor.");
    }
    if (Double.isNaN(factor)) {
      throw wrong("The factor of metric %s is no number".formatted(name), "Write it as 0.001.");
    }
    if (!total.isEmpty() && !TOTALS.contains(total)) {
      throw wrong(
          "Metric %s has the unknown total \"%s\"".formatted(name, total),
          "Use mean, max, sum or last.");
    }
    return new Metric(column, name, unit, factor, total.isEmpty() ? "mean" : total);
  }

  /** Whether it is for a file: one of the names it is for, in its folder or below. */
  boolean isFor(ResultFile file) {
    boolean below =
        folder.isEmpty() || file.folder().equals(folder) || file.folder().startsWith(folder + "/");
    return below && files.matches(FileSystems.getDefault().getPath(file.name()));
  }

  /** Adds the totals of a run from its series of all machines. */
  static void totals(Draft run, List<Metric> metrics) {
    for (Metric metric : metrics) {
      Series series = whole(run, metric.name());
      if (series == null) {
        continue;
      }
      Series weights =
          metric.unit().equals("ms") ? whole(run, Intervals.weight(metric.name())) : null;
      double sum = 0;
      double all = 0;
      double max = Double.NaN;
      double last = Double.NaN;
      for (int i = 0; i < series.values().length; i++) {
        double value = series.values()[i];
        if (Double.isNaN(value)) {
          continue;
        }
        double weight =
            weights == null || weights.values().length != series.values().length
                ? 1
                : weights.values()[i];
        if (weight > 0) {
          sum += value * weight;
          all += weight;
        }
        max = Double.isNaN(max) ? value : Math.max(max, value);
        last = value;
      }
      double total =
          switch (metric.total()) {
            case "max" -> max;
            case "last" -> last;
            case "sum" -> all == 0 ? Double.NaN : sum;
            default -> all == 0 ? Double.NaN : sum / all;
          };
      if (!Double.isNaN(total)) {
        run.figures.add(Figure.of(metric.name(), metric.unit(), total));
      }
    }
  }

  private static @Nullable Series whole(Draft run, String metric) {
    for (Series one : run.series) {
      if (one.metric().equals(metric) && one.instance().isEmpty()) {
        return one;
      }
    }
    return null;
  }
}
