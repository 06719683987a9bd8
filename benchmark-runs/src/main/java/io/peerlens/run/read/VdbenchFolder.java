package io.peerlens.run.read;

import io.peerlens.run.Latencies;
import io.peerlens.run.Parameter;
import io.peerlens.run.read.VdbenchRun.Column;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What vdbench wrote into one folder. The flatfile has most places after the point and is taken
 * first, then the summary, then the totals; the histogram has the distributions. Totals are those
 * of the tool's own average line, which leaves the warm-up out ({@code avg_2-60}: all but the first
 * interval), and series leave out the same.
 */
final class VdbenchFolder {

  /** vdbench asks for this rate or more where it is told {@code max} or {@code curve}. */
  private static final double UNLIMITED = 9_999_000;

  /**
   * Hours before UTC of zones whose abbreviation means one thing only; {@code CST} and {@code IST}
   * do not, so a start in them is unknown.
   */
  private static final Map<String, Integer> ZONES =
      Map.ofEntries(
          Map.entry("UTC", 0),
          Map.entry("GMT", 0),
          Map.entry("CET", 1),
          Map.entry("CEST", 2),
          Map.entry("ICT", 7),
          Map.entry("JST", 9),
          Map.entry("EDT", -4),
          Map.entry("EST", -5),
          Map.entry("CDT", -5),
          Map.entry("MDT", -6),
          Map.entry("MST", -7),
          Map.entry("PDT", -7),
          Map.entry("PST", -8));

  @Nullable ResultFile flatfile;
  @Nullable ResultFile summary;
  @Nullable ResultFile totals;
  @Nullable ResultFile histogram;
  @Nullable ResultFile parameters;

  /** Reads all runs of the folder. */
  List<Draft> read(String folder, Findings findings) throws IOException {
    VdbenchParameters asked =
        parameters == null
            ? VdbenchParameters.none()
            : VdbenchParameters.read(parameters, findings);
    VdbenchText text = null;
    ResultFile texts = summary != null ? summary : totals;
    if (texts != null) {
      text = VdbenchText.read(texts, findings);
    }
    List<VdbenchRun> runs = flatfile == null ? List.of() : VdbenchFlatfile.read(flatfile, findings);
    ResultFile source = flatfile == null || (runs.isEmpty() && texts != null) ? texts : flatfile;
    if (runs.isEmpty() && text != null) {
      runs = text.runs;
    } else if (text != null) {
      starts(runs, text.runs);
    }
    if (histogram != null) {
      distributions(runs, VdbenchHistogram.read(histogram, findings));
    }
    List<Draft> drafts = new ArrayList<>();
    String where = source != null ? source.path() : folder;
    for (VdbenchRun run : runs) {
      Draft draft = draft(folder, run, asked, text);
      if (draft != null) {
        drafts.add(draft);
      } else if (!run.prepares() || runs.size() == 1) {
        findings.problem(
            where,
            0,
            "Run %s has no interval after the warm-up".formatted(run.name),
            "It is left out; let vdbench run longer than one interval.");
      }
    }
    if (runs.isEmpty() && (source != null || histogram != null)) {
      findings.problem(
          where,
          0,
          "vdbench measured nothing: there is no interval",
          "Look into its logfile.html for what stopped it.");
    }
    return drafts;
  }

  private static void starts(List<VdbenchRun> runs, List<VdbenchRun> started) {
    int at = 0;
    for (VdbenchRun run : runs) {
      for (int i = at; i < started.size(); i++) {
        if (started.get(i).name.equals(run.name)) {
          run.started = started.get(i).started;
          run.date = started.get(i).date;
          run.loops.putAll(started.get(i).loops);
          at = i + 1;
          break;
        }
      }
    }
  }

  private static void distributions(
      List<VdbenchRun> runs, List<VdbenchHistogram.Distributions> all) {
    int at = 0;
    for (VdbenchRun run : runs) {
      for (int i = at; i < all.size(); i++) {
        if (all.get(i).run().equals(run.name)) {
          run.latencies.addAll(all.get(i).latencies());
          at = i + 1;
          break;
        }
      }
    }
  }

  /**
   * A run of it.
   *
   * @return null = nothing was measured
   */
  static @Nullable Draft draft(
      String folder, VdbenchRun run, VdbenchParameters asked, @Nullable VdbenchText text) {
    Map<Column, Double> average = run.average == null ? run.ownAverage() : run.average;
    if (!average.containsKey(Column.RATE)) {
      return null;
    }
    Draft draft = new Draft("vdbench", folder.isEmpty() ? run.name : folder + "/" + run.name);
    if (run.average == null) {
      draft.remark(
          "vdbench was stopped before its average line; totals are of the intervals after the"
              + " first.");
    }
    run.values(
        average,
        (direction, metric, unit, value) ->
            draft.figure(LatencyFigures.name(direction, metric), unit, value));
    for (Latencies one : run.latencies) {
      LatencyFigures.add(draft, one);
    }
    double seconds = Numbers.leading(asked.ofRun(run.name, "interval"));
    if (Double.isNaN(seconds)) {
      seconds = run.intervalSeconds();
    }
    if (Double.isNaN(seconds)) {
      seconds = 1;
    }
    run.intervals.series("", run.first - 1.0, seconds).forEach(draft::series);
    int measured = Math.max(0, run.intervals.size() - run.first + 1);
    draft.length = Duration.ofMillis(Math.round(measured * seconds * 1000));
    draft.start = start(run, text);
    parameters(draft, run, asked, text);
    draft.parameter(Parameter.WARM_UP, (run.first - 1) * seconds);
    if (run.prepares()) {
      draft.remark("This run made the files that others read.");
    }
    return draft;
  }

  private static @Nullable Instant start(VdbenchRun run, @Nullable VdbenchText text) {
    if (run.started < 0 || text == null || text.created.isEmpty()) {
      return null;
    }
    Duration offset = offset(text);
    LocalDate date = VdbenchDates.date(run.date.isEmpty() ? text.createdOn : run.date);
    if (date == null) {
      date = VdbenchDates.ofTimestamp(first(run, "timestamp"));
    }
    if (offset == null || date == null) {
      return null;
    }
    LocalDateTime started = date.atTime(LocalTime.ofNanoOfDay(run.started * 1_000_000L));
    return started.toInstant(ZoneOffset.UTC).minus(offset);
  }

  /** Before UTC; null = not known. */
  private static @Nullable Duration offset(VdbenchText text) {
    if (text.createdUtc.isEmpty()) {
      Integer hours = ZONES.get(text.zone);
      return hours == null ? null : Duration.ofHours(hours);
    }
    int here = VdbenchRun.millisecondOfDay(text.created);
    int utc = VdbenchRun.millisecondOfDay(text.createdUtc);
    // Zones reach from 12 hours after UTC to 14 before it.
    long least = -12 * 3_600_000L;
    return Duration.ofMillis(Math.floorMod(here - utc - least, 86_400_000L) + least);
  }

  private static void parameters(
      Draft draft, VdbenchRun run, VdbenchParameters asked, @Nullable VdbenchText text) {
    if (text != null) {
      draft.version = text.version.replaceFirst("^vdbench", "");
    }
    if (draft.version.isEmpty() && run.parameters.get("version") != null) {
      draft.version = String.join(" + ", run.parameters.get("version"));
    }
    boolean files = asked.files();
    draft.parameter(Parameter.BLOCK_SIZE, sizes(run, asked, files));
    draft.parameter(
        Parameter.READ_SHARE, files ? fileReads(run, asked) : value(run, asked, "rdpct"));
    draft.parameter(Parameter.RANDOM_SHARE, random(run, asked, files));
    String threads = value(run, asked, "threads");
    draft.parameter(Parameter.THREADS, threads);
    double each = Numbers.of(threads);
    int disks = asked.count("sd");
    if (disks > 0) {
      draft.parameter(Parameter.DISKS, (double) disks);
      draft.parameter(Parameter.QUEUE_DEPTH, each);
      draft.parameter(Parameter.OUTSTANDING, each * disks);
    } else if (files) {
      double all = 0;
      for (Map<String, String> workload : asked.workloads(run.name)) {
        all += Numbers.of(workload.getOrDefault("threads", "1"));
      }
      draft.parameter(Parameter.OUTSTANDING, Double.isNaN(each) || all > each ? all : each);
    }
    int machines = Math.max(asked.count("hd"), text == null ? 0 : text.hosts);
    draft.parameter(Parameter.MACHINES, machines > 0 ? machines : Double.NaN);
    double rate = Numbers.of(first(run, "reqrate"));
    draft.parameter(Parameter.RATE_LIMIT, rate < UNLIMITED ? rate : Double.NaN);
    draft.parameter(Parameter.WORKING_SET, Numbers.of(first(run, "lunsize")) * (1L << 30));
    draft.parameter(Parameter.COMPRESSION, ratio(run, asked, "compratio"));
    draft.parameter(Parameter.DEDUPLICATION, ratio(run, asked, "dedupratio"));
    for (String key : List.of("elapsed", "interval", "operation", "fileio", "fileselect")) {
      String own = String.join(" + ", asked.values(run.name, key));
      draft.parameter(key, own);
    }
    for (String key : List.of("rhpct", "whpct")) {
      double hits = Numbers.of(first(run, key));
      draft.parameter(key, hits > 0 ? hits : Double.NaN);
    }
  }

  private static String first(VdbenchRun run, String column) {
    List<String> values = run.parameters.getOrDefault(column, List.of());
    return values.size() == 1 ? values.getFirst() : "";
  }

  private static String value(VdbenchRun run, VdbenchParameters asked, String key) {
    double own = Numbers.of(run.loops.getOrDefault(key, first(run, key)));
    return Double.isNaN(own) ? String.join(" + ", asked.values(run.name, key)) : Numbers.plain(own);
  }

  private static String sizes(VdbenchRun run, VdbenchParameters asked, boolean files) {
    // Of files, the flatfile's xfersize is what was measured.
    double own = files ? Double.NaN : Numbers.of(first(run, "xfersize"));
    if (run.loops.containsKey("xfersize")) {
      own = Numbers.size(run.loops.get("xfersize"));
    }
    if (own > 0) {
      return Numbers.plain(own);
    }
    List<String> sizes = new ArrayList<>();
    for (String one : asked.values(run.name, "xfersize")) {
      double size = Numbers.size(one);
      sizes.add(Double.isNaN(size) ? one : Numbers.plain(size));
    }
    return String.join(" + ", sizes);
  }

  private static String fileReads(VdbenchRun run, VdbenchParameters asked) {
    List<String> operations = asked.values(run.name, "operation");
    if (run.prepares() || operations.equals(List.of("write"))) {
      return "0";
    }
    return operations.equals(List.of("read")) ? "100" : value(run, asked, "rdpct");
  }

  private static String random(VdbenchRun run, VdbenchParameters asked, boolean files) {
    if (files) {
      List<String> patterns = asked.values(run.name, "fileio");
      if (patterns.equals(List.of("random"))) {
        return "100";
      }
      return patterns.equals(List.of("sequential")) ? "0" : String.join(" + ", patterns);
    }
    String seek = value(run, asked, "seekpct");
    return switch (seek) {
      case "random", "rand" -> "100";
      case "seq", "eof", "seqnz", "-1" -> "0";
      default -> seek;
    };
  }

  private static String ratio(VdbenchRun run, VdbenchParameters asked, String key) {
    double own = Numbers.of(first(run, key));
    if (Double.isNaN(own)) {
      own = Numbers.of(asked.general(key));
    }
    return own > 1 ? Numbers.plain(own) + ":1" : "";
  }
}
