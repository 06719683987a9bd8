package io.peerlens.run.read;

import io.peerlens.run.Latencies;
import io.peerlens.run.Parameter;
import io.peerlens.run.Run.Direction;
import io.peerlens.run.Run.Series;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * IOMeter's results, a CSV of sections whose headings begin with an apostrophe. Each {@code
 * 'Results} is a run: its {@code ALL} row has the totals, rows of managers, workers and targets
 * have parts of them, which become series of one value. Columns are found by their headings, as
 * versions add some; {@code MBps} without more is binary. Format: {@code CPageSetup::SaveResults}
 * and {@code ManagerList::SaveResults} of Iometer. Negative numbers stand for "ambiguous" there.
 */
final class IoMeterFile {

  private static final Pattern BIN =
      Pattern.compile("(?:[0-9.]+ to|>=) ?([0-9.]+) ?(us|ms|s)", Pattern.CASE_INSENSITIVE);
  private static final int MOST_ROWS = 100_000;

  private final ResultFile file;
  private final Findings findings;
  private final List<Draft> runs = new ArrayList<>();
  private final Map<String, List<List<String>>> specifications = new HashMap<>();
  private String section = "";
  private String specification = "";
  private String description = "";
  private String version = "";
  private String stamp = "";
  private List<String> header = List.of();
  private Draft run;
  private boolean hasAll;
  private int rows;

  private IoMeterFile(ResultFile file, Findings findings) {
    this.file = file;
    this.findings = findings;
    run = new Draft("iometer", file.nameWithoutEnding());
  }

  static List<Draft> read(ResultFile file, Findings findings) throws IOException {
    IoMeterFile reading = new IoMeterFile(file, findings);
    try (Csv csv = new Csv(file.open(), ',')) {
      for (List<String> row = csv.next(); row != null; row = csv.next()) {
        reading.row(row, csv.line());
      }
    } catch (UnreadableException e) {
      findings.problem(e.in(file.path()));
    }
    if (reading.runs.isEmpty()) {
      findings.problem(
          file.path(), 0, "IOMeter's file has no results", "Let a test end before it is copied.");
    }
    return reading.runs;
  }

  private void row(List<String> row, int line) {
    String first = row.getFirst().strip();
    if (first.isEmpty() && row.size() == 1) {
      return;
    }
    if (first.startsWith("'")) {
      section = first.substring(1).toLowerCase(Locale.ROOT);
      if (section.equals("target type")) {
        header = row.stream().map(one -> one.strip().toLowerCase(Locale.ROOT)).toList();
        hasAll = false;
      }
      return;
    }
    switch (section) {
      case "test type" -> description = row.size() > 1 ? row.get(1).strip() : "";
      case "version" -> version = first;
      case "time stamp" -> stamp = stamp.isEmpty() ? first : stamp;
      case "access specification name" -> {
        specification = first;
        specifications.put(first, new ArrayList<>());
      }
      case "size" ->
          specifications.computeIfAbsent(specification, key -> new ArrayList<>()).add(row);
      case "target type" -> result(row, line);
      default -> {}
    }
  }

  private void result(List<String> row, int line) {
    if (++rows > MOST_ROWS) {
      throw new UnreadableException(
          line, "There are more than %,d rows".formatted(MOST_ROWS), "Split the file.");
    }
    if (row.size() < header.size() - 1 || row.size() > header.size() + 1) {
      findings.problem(
          file.path(),
          line,
          "%d cells under %d headings".formatted(row.size(), header.size()),
          "The row is left out; names must not contain commas.");
      return;
    }
    Map<String, String> values = new HashMap<>();
    for (int i = 0; i < Math.min(row.size(), header.size()); i++) {
      values.put(header.get(i), row.get(i).strip());
    }
    String type = row.getFirst().strip();
    if (type.equals("ALL")) {
      String name = values.getOrDefault("access specification name", "");
      run = new Draft("iometer", file.nameWithoutEnding() + (name.isEmpty() ? "" : "/" + name));
      hasAll = true;
      all(run, values, name);
      runs.add(run);
    } else if (hasAll) {
      part(type, values);
    } else {
      findings.problem(
          file.path(),
          line,
          "A row of a part before the row ALL",
          "Keep the row ALL, which has the totals.");
    }
  }

  private static double number(Map<String, String> values, String... names) {
    for (String name : names) {
      double value = Numbers.of(values.get(name));
      if (value >= 0) {
        return value;
      }
    }
    return Double.NaN;
  }

  /** Bytes a second; of {@code MBps} without more, MB are 1,048,576 bytes. */
  private static double throughput(Map<String, String> values, String prefix) {
    double binary =
        number(values, prefix + "mibps (binary)", prefix + "mbps (binary)", prefix + "mbps");
    return Double.isNaN(binary)
        ? number(values, prefix + "mbps (decimal)") * 1_000_000
        : binary * 1_048_576;
  }

  private void all(Draft to, Map<String, String> values, String name) {
    to.version = version;
    double iops = number(values, "iops");
    double ops = number(values, "read i/os") + number(values, "write i/os");
    for (Direction direction : Direction.values()) {
      String prefix =
          direction == Direction.BOTH ? "" : LatencyFigures.name(direction, "").replace('_', ' ');
      to.figure(LatencyFigures.name(direction, "iops"), "IO/s", number(values, prefix + "iops"));
      to.figure(LatencyFigures.name(direction, "throughput"), "B/s", throughput(values, prefix));
      if (number(values, prefix + "iops") > 0) {
        to.figure(
            LatencyFigures.name(direction, "latency"),
            "ms",
            number(values, "average " + prefix + "response time"));
        to.figure(
            LatencyFigures.name(direction, "latency_max"),
            "ms",
            number(values, "maximum " + prefix + "response time"));
      }
    }
    to.figure("cpu", "%", number(values, "% cpu utilization"));
    to.figure("errors", "", number(values, "errors"));
    if (iops > 0 && ops > 0) {
      to.length = Duration.ofMillis(Math.round(ops / iops * 1000));
    }
    bins(to, values);
    to.parameter(Parameter.MACHINES, number(values, "# managers"));
    double workers = number(values, "# workers");
    double disks = number(values, "# disks");
    double depth = number(values, "queue depth");
    to.parameter(Parameter.THREADS, workers / number(values, "# managers"));
    to.parameter(Parameter.DISKS, disks / number(values, "# managers"));
    to.parameter(Parameter.QUEUE_DEPTH, depth);
    to.parameter(Parameter.OUTSTANDING, depth * disks);
    double sectors = number(values, "maximum size");
    to.parameter(Parameter.WORKING_SET, sectors > 0 ? sectors * 512 : Double.NaN);
    to.parameter("description", description);
    to.parameter("access_specification", name);
    // In the local time of the manager, whose zone is not said.
    to.parameter("local_time", stamp);
    specification(to, specifications.getOrDefault(name, List.of()));
  }

  /** Lines are size, share of operations, reads, random, delay, burst, alignment, reply. */
  private static void specification(Draft to, List<List<String>> lines) {
    List<String> sizes = new ArrayList<>();
    double share = 0;
    double reads = 0;
    double random = 0;
    for (List<String> line : lines) {
      if (line.size() < 4) {
        return;
      }
      double of = Numbers.of(line.get(1));
      share += of;
      reads += of * Numbers.of(line.get(2));
      random += of * Numbers.of(line.get(3));
      String size = Numbers.plain(Numbers.size(line.get(0)));
      if (!sizes.contains(size)) {
        sizes.add(size);
      }
    }
    if (share > 0) {
      to.parameter(Parameter.BLOCK_SIZE, String.join(" + ", sizes));
      to.parameter(Parameter.READ_SHARE, reads / share);
      to.parameter(Parameter.RANDOM_SHARE, random / share);
    }
  }

  private void bins(Draft to, Map<String, String> values) {
    TreeMap<Double, Double> counts = new TreeMap<>();
    for (String name : header) {
      Matcher bin = BIN.matcher(name);
      double count = number(values, name);
      if (bin.matches() && !Double.isNaN(count)) {
        double factor =
            switch (bin.group(2)) {
              case "us" -> 1e-3;
              case "ms" -> 1;
              default -> 1000;
            };
        double upper =
            name.startsWith(">") ? Double.POSITIVE_INFINITY : Numbers.of(bin.group(1)) * factor;
        counts.put(upper, count);
      }
    }
    if (!counts.isEmpty()) {
      LatencyFigures.add(to, Latencies.of(Direction.BOTH, counts));
    }
  }

  private void part(String type, Map<String, String> values) {
    String instance = type.toLowerCase(Locale.ROOT) + " " + values.getOrDefault("target name", "");
    double seconds = run.length.toMillis() / 1000.0;
    one(instance, "iops", "IO/s", seconds, number(values, "iops"));
    one(instance, "throughput", "B/s", seconds, throughput(values, ""));
    one(instance, "latency", "ms", seconds, number(values, "average response time"));
    one(instance, "cpu", "%", seconds, number(values, "% cpu utilization"));
  }

  private void one(String instance, String metric, String unit, double seconds, double value) {
    if (!Double.isNaN(value)) {
      run.series(new Series(metric, instance, unit, new double[] {seconds}, new double[] {value}));
    }
  }
}
