package io.peerlens.run.read;

import io.peerlens.run.Run.Direction;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * A file of fio's JSON, {@code --output-format=json} or {@code json+}. Documents whose counters go
 * on are one execution that was told to write a status by interval; others are executions one after
 * another. Within an execution, groups of jobs that ran one after another ({@code stonewall}) are
 * runs of their own.
 */
final class FioFile {

  /** Seconds by which an execution's start, from whole seconds, may differ between documents. */
  private static final double START_TOLERANCE = 3;

  /** Jobs that ran at the same time. */
  static final class Phase {
    final Intervals intervals = new Intervals();
    List<FioJob> jobs = List.of();
    private Tally before = new Tally();

    String name() {
      List<String> names = jobs.stream().map(FioJob::name).distinct().limit(4).toList();
      return String.join("+", names);
    }
  }

  /** One call of fio. */
  static final class Execution {
    String version = "";
    @Nullable Instant start;
    private final List<Phase> groups = new ArrayList<>();
    private final Phase whole = new Phase();
    private boolean atOnce;

    /** In the order in which they ran. */
    List<Phase> phases() {
      return atOnce ? List.of(whole) : groups;
    }

    private List<FioJob> jobs = List.of();
    private double startSeconds = Double.NaN;
  }

  /** What had been done up to a document. */
  private static final class Tally {
    double seconds;
    final Map<Direction, double[]> sums = new EnumMap<>(Direction.class);

    static Tally of(List<FioJob> jobs) {
      Tally tally = new Tally();
      for (FioJob job : jobs) {
        tally.seconds = Math.max(tally.seconds, job.seconds());
        job.parts().forEach((direction, part) -> tally.add(direction, part));
        if (job.trims() != null) {
          tally.add(Direction.BOTH, job.trims());
        }
      }
      return tally;
    }

    private void add(Direction direction, FioStats part) {
      double[] sum = sums.computeIfAbsent(direction, key -> new double[3]);
      sum[0] += part.ops();
      sum[1] += part.bytes();
      sum[2] += part.ops() == 0 ? 0 : part.ops() * part.latency();
    }

    double[] sum(@Nullable Direction direction) {
      double[] sum = new double[3];
      sums.forEach(
          (key, one) -> {
            if (direction == null || key == direction) {
              for (int i = 0; i < sum.length; i++) {
                sum[i] += one[i];
              }
            }
          });
      return sum;
    }
  }

  private FioFile() {}

  /**
   * Reads executions; what is broken or cut off is a problem, what is before it is kept.
   *
   * @throws IOException the file cannot be read at all
   */
  static List<Execution> read(ResultFile file, Findings findings) throws IOException {
    List<Execution> executions = new ArrayList<>();
    try (JsonDocuments documents = new JsonDocuments(file.open())) {
      JsonDocuments.Document document = documents.next();
      while (document != null) {
        if (document.json().has("fio version")) {
          add(executions, document);
        }
        document = documents.next();
      }
    } catch (UnreadableException e) {
      findings.problem(e.in(file.path()));
    }
    return executions;
  }

  private static void add(List<Execution> executions, JsonDocuments.Document document) {
    JsonNode json = document.json();
    List<FioJob> jobs = FioJob.of(json);
    if (jobs.isEmpty()) {
      throw new UnreadableException(
          document.line(), "The fio document has no jobs", "Run fio again; it was stopped early.");
    }
    double started = started(json, jobs);
    Execution execution = executions.isEmpty() ? null : executions.getLast();
    if (execution == null || !continues(execution, jobs, started)) {
      execution = new Execution();
      execution.version = FioJob.text(json, "fio version").replaceFirst("^fio-", "");
      execution.startSeconds = started;
      executions.add(execution);
    }
    execution.jobs = jobs;
    List<List<FioJob>> phases = phases(jobs);
    execution.atOnce = atOnce(json, phases);
    if (execution.start == null) {
      execution.start = measuredFrom(json, phases, execution.atOnce);
    }
    interval(execution.whole, jobs);
    for (int i = 0; i < phases.size(); i++) {
      if (i == execution.groups.size()) {
        execution.groups.add(new Phase());
      }
      interval(execution.groups.get(i), phases.get(i));
    }
  }

  /** Seconds since 1970 when the document was written; NaN = fio does not say. */
  private static double written(JsonNode json) {
    double written = FioStats.number(json, "timestamp_ms") / 1000;
    return Double.isNaN(written) ? FioStats.number(json, "timestamp") : written;
  }

  /**
   * When what was measured began, after any ramp time: by the milliseconds that it took, which are
   * exact, and not by the seconds that fio has run.
   */
  private static @Nullable Instant measuredFrom(
      JsonNode json, List<List<FioJob>> groups, boolean atOnce) {
    double longest = 0;
    double sum = 0;
    for (List<FioJob> group : groups) {
      double seconds = group.stream().mapToDouble(FioJob::seconds).max().orElse(0);
      longest = Math.max(longest, seconds);
      sum += seconds;
    }
    double from = written(json) - (atOnce ? longest : sum);
    return from > 0 && from < 1e11 ? Instant.ofEpochMilli(Math.round(from * 1000)) : null;
  }

  /** Seconds since 1970 when fio was called, to a second or two; NaN = fio does not say. */
  private static double started(JsonNode json, List<FioJob> jobs) {
    double elapsed = elapsed(json);
    if (Double.isNaN(elapsed)) {
      elapsed = jobs.stream().mapToDouble(FioJob::seconds).max().orElse(Double.NaN);
    }
    return written(json) - elapsed;
  }

  /** Seconds that fio has run, a part counted as one; NaN = it does not say. */
  private static double elapsed(JsonNode json) {
    double elapsed = Double.NaN;
    JsonNode nodes = json.get("jobs");
    if (nodes != null) {
      for (JsonNode node : nodes) {
        double one = FioStats.number(node, "elapsed");
        elapsed = Double.isNaN(elapsed) ? one : Math.max(elapsed, one);
      }
    }
    return elapsed;
  }

  private static boolean continues(Execution execution, List<FioJob> jobs, double started) {
    if (jobs.size() != execution.jobs.size()
        || Math.abs(started - execution.startSeconds) > START_TOLERANCE) {
      return false;
    }
    for (int i = 0; i < jobs.size(); i++) {
      FioJob before = execution.jobs.get(i);
      FioJob now = jobs.get(i);
      if (!now.name().equals(before.name())
          || now.group() != before.group()
          || !now.machine().equals(before.machine())
          || now.ops() < before.ops()
          || now.seconds() < before.seconds()) {
        return false;
      }
    }
    return true;
  }

  /** Jobs by group; each machine of a client/server call counts its own groups from 0. */
  private static List<List<FioJob>> phases(List<FioJob> jobs) {
    Map<Integer, List<FioJob>> groups = new LinkedHashMap<>();
    for (FioJob job : jobs) {
      groups.computeIfAbsent(job.group(), key -> new ArrayList<>()).add(job);
    }
    return List.copyOf(groups.values());
  }

  /**
   * Whether groups ran at the same time ({@code new_group}): together they ran for longer than fio
   * did in all. fio counts whole seconds, from 1, and does not write which option made the group.
   */
  private static boolean atOnce(JsonNode json, List<List<FioJob>> groups) {
    double elapsed = elapsed(json);
    double sum = 0;
    for (List<FioJob> group : groups) {
      sum += group.stream().mapToDouble(FioJob::seconds).max().orElse(0);
    }
    return sum > elapsed;
  }

  private static void interval(Phase phase, List<FioJob> jobs) {
    phase.jobs = jobs;
    Tally now = Tally.of(jobs);
    double length = now.seconds - phase.before.seconds;
    int intervals = phase.intervals.size();
    // The last document comes right after the last status: an interval of nothing.
    boolean enough =
        length > 0.05 && (intervals == 0 || length > 0.1 * now.seconds / (intervals + 1));
    if (!enough) {
      return;
    }
    phase.intervals.end(now.seconds);
    for (Direction direction : new Direction[] {Direction.READ, Direction.WRITE}) {
      if (now.sum(direction)[0] > 0) {
        values(phase, direction, now.sum(direction), phase.before.sum(direction), length);
      }
    }
    values(phase, Direction.BOTH, now.sum(null), phase.before.sum(null), length);
    phase.before = now;
  }

  private static void values(
      Phase phase, Direction direction, double[] now, double[] before, double length) {
    double ops = now[0] - before[0];
    Intervals to = phase.intervals;
    to.value(LatencyFigures.name(direction, "iops"), "IO/s", ops / length);
    to.value(LatencyFigures.name(direction, "throughput"), "B/s", (now[1] - before[1]) / length);
    to.value(
        LatencyFigures.name(direction, "latency"),
        "ms",
        ops > 0 ? (now[2] - before[2]) / ops : Double.NaN);
  }

  /** Runs of a file, one a phase. */
  static List<Draft> runs(ResultFile file, List<Execution> executions) {
    List<Draft> runs = new ArrayList<>();
    for (Execution execution : executions) {
      double offset = 0;
      for (Phase phase : execution.phases()) {
        String name = file.nameWithoutEnding();
        if (execution.phases().size() > 1 || executions.size() > 1) {
          name += "/" + phase.name();
        }
        Draft run = new Draft("fio", name);
        run.version = execution.version;
        double seconds = Tally.of(phase.jobs).seconds;
        if (execution.start != null) {
          run.start = execution.start.plusMillis(Math.round(offset * 1000));
        }
        offset += seconds;
        run.length = Duration.ofMillis(Math.round(seconds * 1000));
        FioTotals.add(run, phase.jobs);
        FioParameters.add(run, phase.jobs);
        if (phase.intervals.size() > 1) {
          phase.intervals.series("", 0, 1).forEach(run::series);
        }
        runs.add(run);
      }
    }
    return runs;
  }
}
