package io.peerlens.run.read;

import io.peerlens.run.Parameter;
import io.peerlens.run.Run.Direction;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What IOBlazer printed. No sample of its text is public, so it is read by what it says: lines of a
 * name and a value ({@code IO size: 8192}), and tables whose headings name IOPS, a throughput with
 * its unit, or a latency with its unit. A figure without a unit that tells what it is, is left out
 * and listed.
 */
final class IoBlazerFile {

  private static final Pattern VALUE =
      Pattern.compile("\\s*([A-Za-z][^:=]{0,60}?)\\s*[:=]\\s*(\\S.*)");
  private static final Pattern VERSION =
      Pattern.compile("ioblazer\\D{0,20}(\\d+\\.\\d+)", Pattern.CASE_INSENSITIVE);
  private static final Pattern BYTES =
      Pattern.compile("\\b(gb|mb|kb|b|bytes)\\s*(?:/|p|per )\\s*s");
  private static final Pattern TIME = Pattern.compile("(?:\\b|(?<=[0-9]))(us|usec|µs|msec|ms)\\b");
  private static final int MOST_PARAMETERS = 200;

  private final Draft run;
  private final Findings findings;
  private final ResultFile file;
  private List<String> header = List.of();

  private IoBlazerFile(ResultFile file, Findings findings) {
    this.file = file;
    this.findings = findings;
    run = new Draft("ioblazer", file.nameWithoutEnding());
  }

  static List<Draft> read(ResultFile file, Findings findings) throws IOException {
    IoBlazerFile reading = new IoBlazerFile(file, findings);
    try (Lines lines = new Lines(file.open())) {
      for (String line = lines.next(); line != null; line = lines.next()) {
        reading.line(line, lines.number());
      }
    } catch (UnreadableException e) {
      findings.problem(e.in(file.path()));
    }
    if (reading.run.figure("iops") == null) {
      findings.problem(
          file.path(),
          0,
          "IOBlazer's text has no IOPS",
          "Give its whole output, or a CSV with a mapping.");
      return List.of();
    }
    return List.of(reading.run);
  }

  private void line(String line, int number) {
    if (run.version.isEmpty()) {
      Matcher version = VERSION.matcher(line);
      if (version.find()) {
        run.version = version.group(1);
      }
    }
    Matcher value = VALUE.matcher(line);
    if (value.matches()) {
      header = List.of();
      named(value.group(1).strip(), value.group(2).strip(), number);
      return;
    }
    List<String> cells = cells(line);
    if (cells.size() > 1 && cells.stream().allMatch(one -> !Double.isNaN(Numbers.leading(one)))) {
      if (cells.size() == header.size()) {
        for (int i = 0; i < cells.size(); i++) {
          named(header.get(i), cells.get(i), number);
        }
      }
    } else if (line.toLowerCase(Locale.ROOT).contains("iops")) {
      header = cells;
    }
  }

  /** Cells between bars, tabs, commas or at least two blanks. */
  private static List<String> cells(String line) {
    List<String> cells = new ArrayList<>();
    for (String one : line.split("\\s*[|,\\t]\\s*|\\s{2,}")) {
      if (!one.isBlank()) {
        cells.add(one.strip());
      }
    }
    return cells;
  }

  private void named(String name, String text, int line) {
    String lower = name.toLowerCase(Locale.ROOT);
    double value = Numbers.leading(text);
    Direction direction =
        lower.contains("read")
            ? Direction.READ
            : lower.contains("write") ? Direction.WRITE : Direction.BOTH;
    if (lower.contains("iops") || lower.contains("ios/s")) {
      figure(LatencyFigures.name(direction, "iops"), "IO/s", value);
    } else if (lower.contains("throughput")
        || lower.contains("bandwidth")
        || !Double.isNaN(bytes(lower))) {
      double factor = bytes((lower + " " + text).toLowerCase(Locale.ROOT));
      known(LatencyFigures.name(direction, "throughput"), "B/s", value, factor, name, line);
    } else if (lower.contains("latency") || lower.contains("response")) {
      String end = lower.contains("max") ? "latency_max" : lower.contains("min") ? "" : "latency";
      if (!end.isEmpty()) {
        double factor = milliseconds((lower + " " + text).toLowerCase(Locale.ROOT));
        known(LatencyFigures.name(direction, end), "ms", value, factor, name, line);
      }
    } else if (run.parameters.size() < MOST_PARAMETERS) {
      parameter(lower, name, text);
    }
  }

  private void figure(String name, String unit, double value) {
    if (run.figure(name) == null) {
      run.figure(name, unit, value);
    }
  }

  private void known(
      String name, String unit, double value, double factor, String label, int line) {
    if (Double.isNaN(value)) {
      return;
    }
    if (Double.isNaN(factor)) {
      findings.problem(
          file.path(),
          line,
          "\"%s\" does not say its unit".formatted(label),
          "The figure is left out; use a CSV with a mapping to bring it in.");
    } else {
      figure(name, unit, value * factor);
    }
  }

  /** Milliseconds of the unit that a text names; NaN = it names none. */
  private static double milliseconds(String text) {
    Matcher unit = TIME.matcher(text);
    return !unit.find() ? Double.NaN : unit.group(1).startsWith("ms") ? 1 : 1e-3;
  }

  /** Bytes of the unit that a text names, of powers of 1,024; NaN = it names none. */
  private static double bytes(String text) {
    Matcher unit = BYTES.matcher(text);
    if (!unit.find()) {
      return Double.NaN;
    }
    return switch (unit.group(1)) {
      case "gb" -> 1L << 30;
      case "mb" -> 1L << 20;
      case "kb" -> 1L << 10;
      default -> 1;
    };
  }

  private void parameter(String lower, String name, String text) {
    double size = Numbers.size(text);
    if (lower.contains("io size") || lower.contains("block size")) {
      run.parameter(Parameter.BLOCK_SIZE, Double.isNaN(size) ? text : Numbers.plain(size));
    } else if (lower.contains("outstanding") || lower.contains("queue depth")) {
      run.parameter(Parameter.QUEUE_DEPTH, text);
    } else if (lower.contains("thread") || lower.contains("worker")) {
      run.parameter(Parameter.THREADS, text);
    } else {
      run.parameter(name, text);
    }
  }
}
