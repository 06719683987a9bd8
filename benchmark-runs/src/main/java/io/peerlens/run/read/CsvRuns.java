package io.peerlens.run.read;

import io.peerlens.run.Run.Series;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Runs of a CSV by its {@link CsvMapping}. */
final class CsvRuns {

  private static final int MOST_RUNS = 20_000;
  private static final int MOST_VALUES = 8;
  private static final int MOST_NUMBERS = 4_000_000;

  /** Rows of a run. */
  private static final class Rows {
    final Map<String, Set<String>> parameters = new TreeMap<>();

    /** Values by time, of an instance. */
    final Map<String, TreeMap<Double, double[]>> instances = new LinkedHashMap<>();
  }

  private final ResultFile file;
  private final CsvMapping mapping;
  private final Findings findings;
  private final Map<String, Rows> runs = new LinkedHashMap<>();
  private List<String> header = List.of();
  private int values;
  private boolean badTime;

  private CsvRuns(ResultFile file, CsvMapping mapping, Findings findings) {
    this.file = file;
    this.mapping = mapping;
    this.findings = findings;
  }

  static List<Draft> read(ResultFile file, CsvMapping mapping, Findings findings)
      throws IOException {
    CsvRuns reading = new CsvRuns(file, mapping, findings);
    try (Csv csv = new Csv(file.open(), mapping.separator)) {
      for (List<String> row = csv.next(); row != null; row = csv.next()) {
        if (row.size() == 1 && row.getFirst().isBlank()) {
          continue;
        }
        if (reading.header.isEmpty()) {
          reading.header = row.stream().map(String::strip).toList();
        } else {
          reading.row(row, csv.line());
        }
      }
    } catch (UnreadableException e) {
      findings.problem(e.in(file.path()));
    }
    List<Draft> drafts = new ArrayList<>();
    reading.runs.forEach((name, rows) -> drafts.add(reading.draft(name, rows)));
    if (drafts.isEmpty()) {
      findings.problem(file.path(), 0, "The CSV has no rows", "Write rows under its headings.");
    }
    return drafts;
  }

  private String cell(List<String> row, String column, int line) {
    int index = header.indexOf(column);
    if (index < 0) {
      throw new UnreadableException(
          1,
          "The CSV has no column \"%s\"".formatted(column),
          "Its columns are %s; correct the mapping.".formatted(header));
    }
    if (index >= row.size()) {
      throw new UnreadableException(
          line,
          "The row has %d cells under %d headings".formatted(row.size(), header.size()),
          "Complete or remove the row.");
    }
    return row.get(index).strip();
  }

  private void row(List<String> row, int line) {
    List<String> key = new ArrayList<>();
    for (String column : mapping.runs) {
      key.add(cell(row, column, line));
    }
    String name = String.join(" ", key);
    if (!runs.containsKey(name) && runs.size() >= MOST_RUNS) {
      throw new UnreadableException(
          line,
          "The CSV has more than %,d runs".formatted(MOST_RUNS),
          "The columns under \"runs\" must have the same values in all rows of a run.");
    }
    double at = 0;
    Rows rows = runs.computeIfAbsent(name, one -> new Rows());
    String instance = mapping.instance == null ? "" : cell(row, mapping.instance, line);
    TreeMap<Double, double[]> of = rows.instances.computeIfAbsent(instance, one -> new TreeMap<>());
    CsvTime time = mapping.time;
    if (time == null) {
      at = of.size() + 1;
    } else {
      String text = cell(row, time.column(), line);
      at = time.seconds(text);
      if (Double.isNaN(at)) {
        if (!badTime) {
          findings.problem(
              file.path(),
              line,
              "No time of the mapping's format: " + Texts.shown(text, 60),
              "The row, and others like it, are left out; correct \"format\".");
        }
        badTime = true;
        return;
      }
    }
    double[] numbers = new double[mapping.metrics.size()];
    for (int i = 0; i < numbers.length; i++) {
      CsvMapping.Metric metric = mapping.metrics.get(i);
      String text = cell(row, metric.column(), line);
      numbers[i] =
          Numbers.of(mapping.decimalComma ? text.replace(".", "").replace(',', '.') : text)
              * metric.factor();
    }
    values += numbers.length;
    if (values > MOST_NUMBERS) {
      throw new UnreadableException(
          line,
          "The CSV has more than %,d values".formatted(MOST_NUMBERS),
          "Use longer intervals.");
    }
    of.put(at, numbers);
    for (Map.Entry<String, String> one : mapping.parameters.entrySet()) {
      Set<String> all =
          rows.parameters.computeIfAbsent(one.getValue(), parameter -> new LinkedHashSet<>());
      if (all.size() < MOST_VALUES) {
        all.add(cell(row, one.getKey(), line));
      }
    }
  }

  private Draft draft(String name, Rows rows) {
    Draft run =
        new Draft(mapping.tool, file.nameWithoutEnding() + (name.isEmpty() ? "" : "/" + name));
    rows.parameters.forEach((parameter, all) -> run.parameter(parameter, String.join(" + ", all)));
    double first = Double.POSITIVE_INFINITY;
    double last = Double.NEGATIVE_INFINITY;
    for (TreeMap<Double, double[]> one : rows.instances.values()) {
      if (!one.isEmpty()) {
        first = Math.min(first, one.firstKey());
        last = Math.max(last, one.lastKey());
      }
    }
    double from = 0;
    if (mapping.time != null && CsvTime.isEpoch(first)) {
      from = first;
      run.start = instant(first);
    }
    if (mapping.time != null && last > from) {
      run.length = Duration.ofMillis(Math.round((last - from) * 1000));
    }
    List<Series> all = new ArrayList<>();
    for (Map.Entry<String, TreeMap<Double, double[]>> one : rows.instances.entrySet()) {
      for (int i = 0; i < mapping.metrics.size(); i++) {
        all.add(series(one.getKey(), mapping.metrics.get(i), one.getValue(), i, from));
      }
    }
    if (mapping.instance == null) {
      run.series.addAll(all);
    } else {
      Together.add(run, all);
      all.forEach(run::series);
    }
    CsvMapping.totals(run, mapping.metrics);
    if (mapping.time == null) {
      run.series.clear();
    }
    return run;
  }

  private static @Nullable Instant instant(double seconds) {
    return seconds < 1e11 ? Instant.ofEpochMilli(Math.round(seconds * 1000)) : null;
  }

  private static Series series(
      String instance,
      CsvMapping.Metric metric,
      TreeMap<Double, double[]> values,
      int index,
      double from) {
    double[] seconds = new double[values.size()];
    double[] numbers = new double[values.size()];
    int i = 0;
    for (Map.Entry<Double, double[]> one : values.entrySet()) {
      seconds[i] = one.getKey() - from;
      numbers[i++] = one.getValue()[index];
    }
    return new Series(metric.name(), instance, metric.unit(), seconds, numbers);
  }
}
