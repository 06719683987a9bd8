package io.peerlens.run.read;

import io.peerlens.run.Run.Series;
import java.io.IOException;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * Answers of Login Enterprise's REST interface, saved as files: test runs ({@code /test-runs}) with
 * VSImax and EUX score, and measurements, timers or scores over time of a run, which have a {@code
 * timestamp} and a {@code duration} (milliseconds) or {@code score}. An answer is an object, an
 * array or a page with {@code items}. Names: openapi.json of LoginVSI/PSLoginEnterprise, version 7.
 */
final class LoginEnterpriseFile {

  private static final Set<String> OF_RUNS =
      Set.of("vsiMax", "euxScore", "loginCounts", "engineCounts", "testRunConfigurationSnapshot");
  private static final int MOST_VALUES = 1_000_000;
  private static final int MOST_METRICS = 500;

  /** Values over time, by metric. */
  record Measurements(
      String file, String testRun, TreeMap<String, TreeMap<Long, double[]>> values) {}

  final List<Draft> runs = new ArrayList<>();

  /** Of the runs, empty = not said. */
  final List<String> ids = new ArrayList<>();

  final List<Measurements> measurements = new ArrayList<>();
  private int count;

  private LoginEnterpriseFile() {}

  /** Whether a text is the beginning of such an answer. */
  static boolean is(String head) {
    String start = head.stripLeading();
    if (!start.startsWith("{") && !start.startsWith("[")) {
      return false;
    }
    boolean run =
        head.contains("\"testRunConfigurationSnapshot\"")
            || head.contains("\"vsiMax\"")
            || head.contains("\"euxScore\"")
            || head.contains("\"engineCounts\"");
    boolean values =
        head.contains("\"timestamp\"")
            && (head.contains("\"measurementId\"")
                || head.contains("\"euxTimer\"")
                || (head.contains("\"timer\"") && head.contains("\"duration\""))
                || head.contains("\"score\""));
    return run || values;
  }

  static LoginEnterpriseFile read(ResultFile file, Findings findings) throws IOException {
    LoginEnterpriseFile answer = new LoginEnterpriseFile();
    try (JsonDocuments documents = new JsonDocuments(file.open())) {
      JsonDocuments.Document document = documents.next();
      while (document != null) {
        answer.add(document.json(), file);
        document = documents.next();
      }
    } catch (UnreadableException e) {
      findings.problem(e.in(file.path()));
    }
    return answer;
  }

  private void add(JsonNode json, ResultFile file) {
    JsonNode items = json.isObject() && json.has("items") ? json.get("items") : json;
    Measurements series =
        new Measurements(file.path(), FioJob.text(json, "testRunId"), new TreeMap<>());
    Iterable<JsonNode> all = items.isArray() ? items : List.of(items);
    for (JsonNode one : all) {
      if (OF_RUNS.stream().anyMatch(one::has)) {
        run(one, file);
      } else if (one.has("timestamp")) {
        measurement(one, series);
      }
    }
    if (!series.values().isEmpty()) {
      measurements.add(series);
    }
  }

  private void run(JsonNode json, ResultFile file) {
    JsonNode snapshot = json.path("testRunConfigurationSnapshot");
    String name = FioJob.text(json, "testName");
    if (name.isEmpty()) {
      name = FioJob.text(snapshot, "name");
    }
    String id = FioJob.text(json, "id");
    String counter = FioJob.text(json, "counter");
    String label = name.isEmpty() ? id : counter.isEmpty() ? name : name + " " + counter;
    Draft run =
        new Draft(
            "login-enterprise", file.nameWithoutEnding() + (label.isEmpty() ? "" : "/" + label));
    run.version = FioJob.text(json, "productVersion");
    run.start = time(FioJob.text(json, "started"));
    Instant end = time(FioJob.text(json, "finished"));
    if (run.start != null && end != null && end.isAfter(run.start)) {
      run.length = Duration.between(run.start, end);
    }
    JsonNode max = json.path("vsiMax");
    run.figure(
        "vsimax", "", max.isNumber() ? max.doubleValue() : FioStats.number(max, "maxSessions"));
    JsonNode eux = json.path("euxScore");
    run.figure("eux_score", "", eux.isNumber() ? eux.doubleValue() : FioStats.number(eux, "score"));
    run.figure("eux_score_steady", "", FioStats.number(eux, "steadyStateScore"));
    run.figure("eux_score_baseline", "", FioStats.number(eux, "baseline"));
    run.figure("active_sessions", "", FioStats.number(json, "activeSessionCount"));
    counts(run, json, "loginCounts", "logins");
    counts(run, json, "engineCounts", "engine_starts");
    counts(run, json, "appExecutionCounts", "app_executions");
    for (String text :
        List.of("type", "state", "result", "comment", "description", "environmentKey")) {
      run.parameter(text, FioJob.text(json, text));
    }
    run.parameter("test", name);
    run.parameter("vsimax_state", FioJob.text(max, "state"));
    run.parameter("vsimax_version", FioJob.text(max, "version"));
    run.parameter("eux_version", FioJob.text(eux, "version"));
    for (Map.Entry<String, JsonNode> one : snapshot.properties()) {
      if (one.getValue().isValueNode() && !one.getValue().isNull()) {
        run.parameter("configuration." + one.getKey(), one.getValue().asString(""));
      }
    }
    JsonNode properties = json.path("properties");
    if (properties.isArray()) {
      for (JsonNode one : properties) {
        String key = FioJob.text(one, one.has("propertyId") ? "propertyId" : "key");
        if (!key.isEmpty()) {
          run.parameter("property." + key, FioJob.text(one, "value"));
        }
      }
    }
    runs.add(run);
    ids.add(id);
  }

  private static void counts(Draft run, JsonNode json, String key, String name) {
    JsonNode counts = json.path(key);
    run.figure(name, "", FioStats.number(counts, "totalCount"));
    run.figure(name + "_succeeded", "", FioStats.number(counts, "successCount"));
  }

  private static @Nullable Instant time(String text) {
    try {
      if (text.isEmpty()) {
        return null;
      }
      // Times without a zone are UTC there.
      boolean zone = text.endsWith("Z") || text.matches(".*[+-]\\d\\d:?\\d\\d");
      return OffsetDateTime.parse(zone ? text : text + "Z").toInstant();
    } catch (DateTimeException e) {
      return null;
    }
  }

  private void measurement(JsonNode json, Measurements to) {
    Instant at = time(FioJob.text(json, "timestamp"));
    double duration = FioStats.number(json, "duration");
    double value = Double.isNaN(duration) ? FioStats.number(json, "score") : duration;
    if (at == null || Double.isNaN(value)) {
      return;
    }
    if (++count > MOST_VALUES) {
      throw new UnreadableException(
          0, "There are more than %,d measurements".formatted(MOST_VALUES), "Save them in parts.");
    }
    String metric = FioJob.text(json, "measurementId");
    for (String key : List.of("timer", "euxTimer")) {
      metric = metric.isEmpty() ? FioJob.text(json, key) : metric;
    }
    boolean score = Double.isNaN(duration);
    metric = score ? (metric.isEmpty() ? "eux_score" : "eux_score_" + metric) : metric;
    metric = metric.isEmpty() ? "duration" : metric;
    if (to.values().size() < MOST_METRICS || to.values().containsKey(metric)) {
      double[] sum =
          to.values()
              .computeIfAbsent(metric, key -> new TreeMap<>())
              .computeIfAbsent(at.toEpochMilli(), key -> new double[2]);
      sum[0] += value;
      sum[1]++;
    }
  }

  /** Adds measurements to their run: as series, and of durations the mean and 95th percentile. */
  static void add(Draft run, Measurements measurements) {
    for (Map.Entry<String, TreeMap<Long, double[]>> one : measurements.values().entrySet()) {
      String metric = one.getKey();
      String unit = metric.startsWith("eux_score") ? "" : "ms";
      TreeMap<Long, double[]> values = one.getValue();
      long from = run.start == null ? values.firstKey() : run.start.toEpochMilli();
      double[] seconds = new double[values.size()];
      double[] means = new double[values.size()];
      int i = 0;
      double sum = 0;
      double count = 0;
      for (Map.Entry<Long, double[]> at : values.entrySet()) {
        seconds[i] = (at.getKey() - from) / 1000.0;
        means[i++] = at.getValue()[0] / at.getValue()[1];
        sum += at.getValue()[0];
        count += at.getValue()[1];
      }
      run.series(new Series(metric, "", unit, seconds, means));
      if (unit.equals("ms") && run.figure(metric) == null) {
        run.figure(metric, unit, sum / count);
        if (count == values.size()) {
          double[] sorted = means.clone();
          Arrays.sort(sorted);
          int rank = (int) Math.ceil(0.95 * sorted.length) - 1;
          run.figure(metric + "_p95", unit, sorted[Math.max(0, rank)]);
        }
      }
    }
  }
}
