package io.peerlens.run.read;

import io.peerlens.run.read.VdbenchRun.Column;
import java.io.IOException;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * vdbench's {@code flatfile.html}: a table with one line an interval and an average line a run, for
 * raw devices (sd, wd) and file systems (fsd, fwd). Columns are found by their headings, as
 * versions add some in the middle.
 */
final class VdbenchFlatfile {

  private static final int MOST_BROKEN = 100;

  private static final Map<String, Column> COLUMNS =
      Map.ofEntries(
          Map.entry("rate", Column.RATE),
          Map.entry("mb/sec", Column.MEGABYTES),
          Map.entry("read%", Column.READ_PERCENT),
          Map.entry("resp", Column.RESPONSE),
          Map.entry("read_resp", Column.READ_RESPONSE),
          Map.entry("write_resp", Column.WRITE_RESPONSE),
          Map.entry("resp_max", Column.RESPONSE_MAX),
          Map.entry("read_max", Column.READ_MAX),
          Map.entry("write_max", Column.WRITE_MAX),
          Map.entry("read_resp_max", Column.READ_MAX),
          Map.entry("write_resp_max", Column.WRITE_MAX),
          Map.entry("queue_depth", Column.QUEUE),
          Map.entry("cpu_used", Column.CPU),
          Map.entry("read_rate", Column.READ_RATE),
          Map.entry("write_rate", Column.WRITE_RATE),
          Map.entry("mb_read", Column.READ_MEGABYTES),
          Map.entry("mb_write", Column.WRITE_MEGABYTES));

  /** Columns that say what was asked for. */
  private static final List<String> PARAMETERS =
      List.of(
          "xfersize",
          "threads",
          "rdpct",
          "rhpct",
          "whpct",
          "seekpct",
          "lunsize",
          "version",
          "reqrate",
          "compratio",
          "dedupratio");

  private final ResultFile file;
  private final Findings findings;
  private final List<VdbenchRun> runs = new ArrayList<>();
  private List<String> header = List.of();
  private final List<@Nullable Column> columns = new ArrayList<>();
  private int run = -1;
  private int interval = -1;
  private int broken;
  private String runName = "";

  private VdbenchFlatfile(ResultFile file, Findings findings) {
    this.file = file;
    this.findings = findings;
  }

  static List<VdbenchRun> read(ResultFile file, Findings findings) throws IOException {
    VdbenchFlatfile flatfile = new VdbenchFlatfile(file, findings);
    try (Lines lines = new Lines(file.open())) {
      for (String line = lines.next(); line != null; line = lines.next()) {
        flatfile.line(line, lines.number());
      }
    } catch (UnreadableException e) {
      findings.problem(e.in(file.path()));
    }
    return flatfile.runs;
  }

  private void line(String line, int number) {
    if (line.isBlank() || line.startsWith("*") || line.startsWith("<")) {
      return;
    }
    List<String> cells = cells(line);
    if (cells.getFirst().equalsIgnoreCase("tod")) {
      header(cells, number);
    } else if (header.isEmpty()) {
      broken(number, "A line before the line of headings");
    } else if (cells.size() != header.size()) {
      broken(number, "%d values under %d headings".formatted(cells.size(), header.size()));
    } else {
      values(cells, number);
    }
  }

  private void header(List<String> cells, int number) {
    header = cells.stream().map(one -> one.toLowerCase(Locale.ROOT)).toList();
    run = header.indexOf("run");
    interval = header.indexOf("interval");
    if (run < 0 || interval < 0 || !header.contains("rate")) {
      throw new UnreadableException(
          number,
          "The headings lack Run, Interval or rate",
          "Keep these columns when a flatfile is cut down.");
    }
    columns.clear();
    header.forEach(one -> columns.add(COLUMNS.get(one)));
  }

  private void values(List<String> cells, int number) {
    String name = cells.get(run);
    String at = cells.get(interval);
    if (runs.isEmpty() || !name.equals(runName) || !runs.getLast().continuesWith(at)) {
      runs.add(new VdbenchRun(name));
      runName = name;
    }
    VdbenchRun to = runs.getLast();
    Map<Column, Double> values = new EnumMap<>(Column.class);
    for (int i = 0; i < columns.size(); i++) {
      Column column = columns.get(i);
      if (column != null) {
        double value = number(cells.get(i));
        if (!Double.isNaN(value)) {
          values.put(column, value);
        }
      }
    }
    if (!to.add(cells.getFirst(), at, values)) {
      broken(number, "No interval: " + at);
      return;
    }
    for (String parameter : PARAMETERS) {
      int column = header.indexOf(parameter);
      if (column >= 0) {
        to.parameter(parameter, cells.get(column));
      }
    }
    int timestamp = header.indexOf("timestamp");
    if (timestamp >= 0 && to.parameters.get("timestamp") == null) {
      to.parameter("timestamp", cells.get(timestamp));
    }
  }

  private void broken(int number, String what) {
    broken++;
    if (broken == 1) {
      findings.problem(
          file.path(),
          number,
          what,
          "The line is left out; it may be the last of a run that was stopped.");
    } else if (broken >= MOST_BROKEN) {
      throw new UnreadableException(
          number, "%d lines are none of a flatfile".formatted(broken), "Copy the file anew.");
    }
  }

  /** A number as Java prints it where it runs: in some countries with a comma. */
  static double number(String cell) {
    return Numbers.of(cell.indexOf(',') < 0 ? cell : cell.replace(',', '.'));
  }

  /** Cells between blanks. */
  static List<String> cells(String line) {
    List<String> cells = new ArrayList<>();
    int start = -1;
    for (int i = 0; i < line.length(); i++) {
      boolean blank = line.charAt(i) <= ' ';
      if (!blank && start < 0) {
        start = i;
      } else if (blank && start >= 0) {
        cells.add(line.substring(start, i));
        start = -1;
      }
    }
    if (start >= 0) {
      cells.add(line.substring(start));
    }
    return cells;
  }
}
