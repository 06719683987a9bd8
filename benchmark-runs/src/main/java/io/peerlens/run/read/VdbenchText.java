package io.peerlens.run.read;

import io.peerlens.run.read.VdbenchRun.Column;
import java.io.IOException;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * vdbench's {@code summary.html}, {@code totals.html} and what it prints: for each run a line that
 * it starts, two lines of headings, and lines of values. Headings stand above each other: {@code
 * resp} above {@code max}. Those of file systems are of groups: {@code ....read.....} has two
 * columns, {@code read} has one.
 */
final class VdbenchText {

  private static final Pattern TAG = Pattern.compile("<[^>]{0,400}>");
  private static final Pattern STARTING =
      Pattern.compile("(\\d\\d:\\d\\d:\\d\\d\\.\\d{3}) Starting RD=([^;\\s]+).*");

  /** The month is in the language of where vdbench ran. */
  private static final Pattern DATE = Pattern.compile("(\\S{1,20} \\d{1,2}, \\d{4}) +(.*)");

  private static final Pattern VERSION =
      Pattern.compile(".*Vdbench distribution: *(\\S+).*", Pattern.CASE_INSENSITIVE);
  private static final Pattern CREATED =
      Pattern.compile(
          ".*created (\\d\\d:\\d\\d:\\d\\d) (\\S{1,20} \\d{1,2} \\d{4})(?: ([^\\s(]+))?"
              + "(?: \\((\\d\\d:\\d\\d:\\d\\d) .* UTC\\))?.*");
  private static final Pattern HOST_LINKS = Pattern.compile("HREF=\"([^\"]+)\\.html\"");

  private static final Map<String, Column> COLUMNS =
      Map.ofEntries(
          Map.entry("i/o rate", Column.RATE),
          Map.entry("mb/sec 1024**2", Column.MEGABYTES),
          Map.entry("mb/sec 1000**2", Column.MEGABYTES),
          Map.entry("read pct", Column.READ_PERCENT),
          Map.entry("resp time", Column.RESPONSE),
          Map.entry("read resp", Column.READ_RESPONSE),
          Map.entry("write resp", Column.WRITE_RESPONSE),
          Map.entry("resp max", Column.RESPONSE_MAX),
          Map.entry("read max", Column.READ_MAX),
          Map.entry("write max", Column.WRITE_MAX),
          Map.entry("queue depth", Column.QUEUE),
          Map.entry("cpu% sys+u", Column.CPU),
          Map.entry("reqstdops rate", Column.RATE),
          Map.entry("reqstdops resp", Column.RESPONSE),
          Map.entry("cpu% total", Column.CPU),
          Map.entry("read rate", Column.READ_RATE),
          Map.entry("write rate", Column.WRITE_RATE),
          Map.entry("mb/sec read", Column.READ_MEGABYTES),
          Map.entry("mb/sec write", Column.WRITE_MEGABYTES),
          Map.entry("mb/sec total", Column.MEGABYTES));

  final List<VdbenchRun> runs = new ArrayList<>();
  String version = "";

  /** Time of the day, date and zone where it ran, and the time in UTC, as far as they are said. */
  String created = "";

  String createdOn = "";
  String zone = "";
  String createdUtc = "";
  int hosts;

  private List<String> above = List.of();
  private String date = "";
  private List<@Nullable Column> columns = List.of();
  private double megabyte = VdbenchRun.MB;

  private VdbenchText() {}

  static VdbenchText read(ResultFile file, Findings findings) throws IOException {
    VdbenchText text = new VdbenchText();
    try (Lines lines = new Lines(file.open())) {
      boolean hostLinks = false;
      for (String line = lines.next(); line != null; line = lines.next()) {
        if (line.contains("Link to HOST reports")) {
          hostLinks = true;
        } else if (hostLinks && !line.strip().startsWith("<A")) {
          hostLinks = false;
        }
        if (hostLinks) {
          Matcher links = HOST_LINKS.matcher(line);
          while (links.find()) {
            text.hosts++;
          }
        }
        text.line(TAG.matcher(line).replaceAll(""), lines.number());
      }
    } catch (UnreadableException e) {
      findings.problem(e.in(file.path()));
    }
    return text;
  }

  private void line(String line, int number) {
    Matcher starting = STARTING.matcher(line.strip());
    if (starting.matches()) {
      VdbenchRun run = new VdbenchRun(starting.group(2));
      run.started = VdbenchRun.millisecondOfDay(starting.group(1));
      run.date = date;
      run.megabyte = megabyte;
      asked(run, line);
      runs.add(run);
      return;
    }
    if (version.isEmpty()) {
      Matcher distribution = VERSION.matcher(line);
      if (distribution.matches()) {
        version = distribution.group(1);
      }
    }
    if (created.isEmpty()) {
      Matcher creation = CREATED.matcher(line);
      if (creation.matches()) {
        created = creation.group(1);
        createdOn = creation.group(2);
        zone = creation.group(3) == null ? "" : creation.group(3);
        createdUtc = creation.group(4) == null ? "" : creation.group(4);
      }
    }
    Matcher dated = DATE.matcher(line);
    if (dated.matches() && dated.group(2).toLowerCase(Locale.ROOT).contains("interval")) {
      date = dated.group(1);
      above = VdbenchFlatfile.cells(dated.group(2));
      if (!runs.isEmpty()) {
        runs.getLast().date = date;
      }
    } else if (!above.isEmpty()) {
      headings(VdbenchFlatfile.cells(line), number);
      above = List.of();
    } else if (!columns.isEmpty() && !runs.isEmpty() && line.length() > 12) {
      values(VdbenchFlatfile.cells(line));
    }
  }

  /** {@code Starting RD=rd1; I/O rate: 5000; elapsed=60; For loops: threads=2 xfersize=4k}. */
  private static void asked(VdbenchRun run, String starting) {
    for (String part : starting.split(";")) {
      String text = part.strip();
      if (text.startsWith("I/O rate:")) {
        run.parameter("reqrate", text.substring("I/O rate:".length()).strip());
      } else if (text.startsWith("For loops:")) {
        loops(run, text);
      } else if (text.contains(". For loops:")) {
        loops(run, text.substring(text.indexOf("For loops:")));
      }
    }
  }

  private static void loops(VdbenchRun run, String text) {
    for (String pair : VdbenchFlatfile.cells(text.substring("For loops:".length()))) {
      int equals = pair.indexOf('=');
      if (equals > 0) {
        run.loops.put(pair.substring(0, equals), pair.substring(equals + 1));
      }
    }
  }

  private void headings(List<String> below, int number) {
    List<String> names = new ArrayList<>();
    for (String group : above.subList(1, above.size())) {
      String name = group.replace(".", "").toLowerCase(Locale.ROOT);
      names.add(name);
      // A group of one column may have dots to fill its width.
      if (group.startsWith(".") && !name.equals("xfer")) {
        names.add(name);
      }
    }
    if (names.size() != below.size()) {
      throw new UnreadableException(
          number,
          "%d headings above %d".formatted(names.size(), below.size()),
          "The headings are of an unknown version of vdbench; import its flatfile.html.");
    }
    columns = new ArrayList<>();
    for (int i = 0; i < names.size(); i++) {
      String heading = names.get(i) + " " + below.get(i);
      columns.add(COLUMNS.get(heading));
      if (heading.equals("mb/sec 1000**2")) {
        megabyte = 1_000_000;
      }
    }
    if (!runs.isEmpty()) {
      runs.getLast().megabyte = megabyte;
    }
  }

  /** Lines between those of intervals are messages; they have no time or no interval. */
  private void values(List<String> cells) {
    if (cells.size() != columns.size() + 2 || VdbenchRun.millisecondOfDay(cells.getFirst()) < 0) {
      return;
    }
    Map<Column, Double> values = new EnumMap<>(Column.class);
    for (int i = 0; i < columns.size(); i++) {
      Column column = columns.get(i);
      double value = VdbenchFlatfile.number(cells.get(i + 2));
      if (column != null && !Double.isNaN(value)) {
        values.put(column, value);
      }
    }
    runs.getLast().add(cells.get(0), cells.get(1), values);
  }
}
