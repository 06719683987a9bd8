package io.peerlens.profile;

import io.peerlens.profile.LoadProfile.Peak;
import io.peerlens.profile.Mixture.Cell;
import io.peerlens.profile.Mixture.Cluster;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Load profiles as CSV: a line of names, then one for each item, RFC 4180. What is not known is an
 * empty cell. A text that a spreadsheet would take for a formula gets an apostrophe in front,
 * because names of objects are not ours. Sizes are in bytes, throughput in bytes a second, latency
 * in milliseconds, shares are 0 to 1.
 */
public final class ProfileCsv {

  private ProfileCsv() {}

  /** A line for each profile. */
  public static String profiles(Collection<LoadProfile> profiles) {
    List<Object> names = new ArrayList<>(List.of("name", "machines", "hours", "hoursWithData"));
    names.addAll(List.of("hoursWithIops", "hoursIdle", "machineShare"));
    for (String figure :
        List.of(
            "iops",
            "readIops",
            "writeIops",
            "throughput",
            "readThroughput",
            "writeThroughput",
            "latency",
            "readLatency",
            "writeLatency")) {
      for (String at : List.of("Mean", "P50", "P95", "P99", "Peak", "PeakAt")) {
        names.add(figure + at);
      }
    }
    names.addAll(List.of("blockSize", "readBlockSize", "writeBlockSize", "readShare"));
    names.addAll(List.of("fivePeak", "fivePeakAt", "fivePeakFactor", "iopsPerMachine"));
    names.addAll(List.of("iopsPerVcpu", "iopsPerMemoryGb", "iopsPerDiskGb", "profiles"));
    names.addAll(List.of("randomShare", "workingSet", "patternSource", "remarks"));
    StringBuilder text = new StringBuilder();
    line(text, names.toArray());
    for (LoadProfile one : profiles) {
      line(text, cells(one).toArray());
    }
    return text.toString();
  }

  private static List<@Nullable Object> cells(LoadProfile one) {
    List<@Nullable Object> cells = new ArrayList<>();
    cells.add(one.name());
    cells.add(one.machines());
    cells.add(one.coverage().hours());
    cells.add(one.coverage().withData());
    cells.add(one.coverage().withIops());
    cells.add(one.coverage().idle());
    cells.add(one.coverage().machineShare());
    for (Distribution of :
        List.of(
            one.iops(),
            one.readIops(),
            one.writeIops(),
            one.throughput(),
            one.readThroughput(),
            one.writeThroughput(),
            one.latency(),
            one.readLatency(),
            one.writeLatency())) {
      for (Distribution.At at : Distribution.At.values()) {
        cells.add(of.at(at));
      }
      cells.add(of.peakAt());
    }
    cells.add(one.blockSize());
    cells.add(one.readBlockSize());
    cells.add(one.writeBlockSize());
    cells.add(one.readShare());
    LoadProfile.FivePeak five = one.fivePeak();
    cells.add(five == null ? null : five.value());
    cells.add(five == null ? null : five.at());
    cells.add(five == null ? null : five.factor());
    cells.add(one.shares().machine().mean());
    cells.add(one.shares().vcpu().mean());
    cells.add(one.shares().memoryGb().mean());
    cells.add(one.shares().diskGb().mean());
    cells.add(String.join("; ", one.mixture().clusters().stream().map(Cluster::label).toList()));
    cells.add(one.pattern().randomShare());
    cells.add(one.pattern().workingSet());
    cells.add(one.pattern().source());
    cells.add(String.join(" ", one.remarks()));
    return cells;
  }

  /** A line for each profile that hours fall into. */
  public static String clusters(Collection<LoadProfile> profiles) {
    StringBuilder text = new StringBuilder();
    line(
        text,
        "name",
        "profile",
        "hours",
        "shareOfHours",
        "shareOfOperations",
        "blockSize",
        "readBlockSize",
        "writeBlockSize",
        "readShare",
        "iopsMean",
        "iopsP50",
        "iopsP95",
        "iopsP99",
        "iopsPeak",
        "spread");
    for (LoadProfile one : profiles) {
      for (Cluster it : one.mixture().clusters()) {
        line(
            text,
            one.name(),
            it.name(),
            it.hours(),
            it.shareOfHours(),
            it.shareOfOperations(),
            it.blockSize(),
            it.readBlockSize(),
            it.writeBlockSize(),
            it.readShare(),
            it.iops().mean(),
            it.iops().p50(),
            it.iops().p95(),
            it.iops().p99(),
            it.iops().peak(),
            it.spread());
      }
    }
    return text.toString();
  }

  /** A line for each cell of the histogram of hours. */
  public static String histogram(Collection<LoadProfile> profiles) {
    StringBuilder text = new StringBuilder();
    line(text, "name", "blockSize", "readPercent", "hours", "operations", "profile");
    for (LoadProfile one : profiles) {
      for (Cell it : one.mixture().cells()) {
        line(
            text,
            one.name(),
            it.blockSize(),
            it.readPercent(),
            it.hours(),
            it.operations(),
            one.mixture().clusters().get(it.cluster()).name());
      }
    }
    return text.toString();
  }

  /** A line for each peak, highest first. */
  public static String peaks(Collection<LoadProfile> profiles) {
    StringBuilder text = new StringBuilder();
    line(
        text,
        "name",
        "rank",
        "at",
        "iops",
        "throughput",
        "blockSize",
        "readShare",
        "latency",
        "machines",
        "mostOf",
        "mostOfShare");
    for (LoadProfile one : profiles) {
      int rank = 0;
      for (Peak it : one.peaks()) {
        rank++;
        line(
            text,
            one.name(),
            rank,
            it.at(),
            it.iops(),
            it.throughput(),
            it.blockSize(),
            it.readShare(),
            it.latency(),
            it.reporting(),
            it.machines().isEmpty() ? null : it.machines().getFirst().name(),
            it.machines().isEmpty() ? null : it.machines().getFirst().share());
      }
    }
    return text.toString();
  }

  private static void line(StringBuilder text, @Nullable Object... cells) {
    String between = "";
    for (Object cell : cells) {
      text.append(between).append(cell(cell));
      between = ",";
    }
    text.append("\r\n");
  }

  private static String cell(@Nullable Object value) {
    if (value == null) {
      return "";
    }
    if (value instanceof Double number) {
      if (!Double.isFinite(number)) {
        return "";
      }
      return number == Math.rint(number) && Math.abs(number) < 1e15
          ? String.valueOf(number.longValue())
          : number.toString();
    }
    if (value instanceof Number || value instanceof Instant) {
      return value.toString();
    }
    String text = value.toString();
    String safe = !text.isEmpty() && "=+-@\t\r\n".indexOf(text.charAt(0)) >= 0 ? "'" + text : text;
    boolean plain = safe.chars().noneMatch(c -> c == '"' || c == ',' || c == '\n' || c == '\r');
    return plain ? safe : '"' + safe.replace("\"", "\"\"") + '"';
  }
}
