package io.peerlens.standalone.size;

import io.peerlens.standalone.size.Level.Engine;
import io.peerlens.standalone.size.Plan.Limit;
import io.peerlens.standalone.size.Plan.Memory;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A {@link Plan} as lines for a terminal. */
public final class PlanText {
  private static final String NOT_COUNTED =
      "Not counted: inventory, alerts and changes; lists of talkers; outlier groups (57 MB each in 35"
          + " days); pages, reports and queries of people; backups; the write-ahead log; a collector's"
          + " own machine.";

  /** The largest database of a measurement: docs/performance.md, "Learned bounds". */
  private static final double MEASURED_DISK = 25e9;

  /** docs/performance.md, "Memory of a series". */
  private static final int MEASURED_SERIES = 100_000;

  private static final String JOB = "%-18s %-36s %-48s %s";

  private final List<String> lines = new ArrayList<>();

  private PlanText() {}

  /**
   * The lines of a plan.
   *
   * @param explain whether formulas and unit costs follow
   */
  public static List<String> lines(Plan plan, boolean explain) {
    PlanText text = new PlanText();
    text.inputs(plan.estate());
    text.disk(plan);
    text.jobs(plan);
    text.memoryAndKafka(plan);
    text.machines(plan);
    text.limits(plan);
    text.truth(plan);
    if (explain) {
      text.explain(plan);
    }
    return List.copyOf(text.lines);
  }

  private void inputs(Estate estate) {
    line(
        "%,d objects, %,d metrics every %s s in sets of %s: %,.0f values/s in %,.0f rows/s",
        estate.objects(),
        estate.metrics(),
        Numbers.number(estate.interval()),
        Numbers.number(estate.metricsPerSet()),
        estate.valuesPerSecond(),
        estate.rowsPerSecond());
    if (estate.flows() > 0) {
      line("%,d flows that talk every minute", estate.flows());
    }
    line("");
  }

  private void disk(Plan plan) {
    line(
        "%-19s %6s %16s %11s %18s %18s",
        "DISK", "days", "rows a day", "bytes a row", "kept rows", "in columnstore");
    for (Level level : plan.levels()) {
      line(
          "%-19s %6s %,16.0f %11s %18s %18s",
          level.name(),
          Numbers.number(level.days()),
          level.rowsPerDay(),
          whole(level.row()),
          Numbers.bytes(level.rows()),
          level.packed() == null ? "-" : Numbers.bytes(level.packedRows()));
    }
    line("");
    line("on disk, with what the database holds beside the kept rows:");
    line("  plain PostgreSQL                    %s", Numbers.bytes(plan.disk(Engine.PLAIN)));
    line("  TimescaleDB without columnstore     %s", Numbers.bytes(plan.disk(Engine.TIMESCALE)));
    line(
        "  TimescaleDB with columnstore        %s, of which %s are chunks that wait to be packed",
        Numbers.bytes(plan.disk(Engine.COLUMNSTORE)),
        Numbers.bytes(plan.levels().stream().map(Level::fresh).reduce(Range.of(0), Range::plus)));
    line("");
  }

  private static String whole(Range row) {
    String low = String.format(Locale.ROOT, "%,.0f", row.low());
    String high = String.format(Locale.ROOT, "%,.0f", row.high());
    return low.equals(high) ? low : low + "-" + high;
  }

  private void jobs(Plan plan) {
    line(JOB, "WORK", "load", "used", "cores busy");
    for (Job job : plan.jobs()) {
      line(
          JOB,
          job.name(),
          job.load(),
          Numbers.percent(job.used()) + " of " + job.of(),
          Numbers.range(job.cores()));
    }
    Range busy = plan.busyCores();
    line(JOB, "together", "", "", Numbers.range(busy));
    line("");
  }

  private void memoryAndKafka(Plan plan) {
    line("MEMORY");
    for (Memory memory : plan.memory()) {
      line("%-18s %s", memory.name(), Numbers.bytes(memory.bytes()));
    }
    line(
        "The database has chunks of raw samples of %d h; ingest and evaluator are all processes together.",
        plan.machines().chunkHours());
    line("");
    line("KAFKA");
    Plan.Kafka kafka = plan.kafka();
    line("%-18s %d partitions", "peerlens.metrics", kafka.metricPartitions());
    if (kafka.flowPartitions() > 0) {
      line("%-18s %d partitions", "peerlens.flows", kafka.flowPartitions());
    }
    line(
        "%-18s %s for 48 h, %s (%s/s, compressed by zstd)",
        "disk",
        Numbers.bytes(kafka.disk()),
        kafka.copies() == 1 ? "one copy" : kafka.copies() + " copies on 3 brokers",
        Numbers.bytes(kafka.bytesPerSecond()));
    line("");
  }

  private void machines(Plan plan) {
    Plan.Machines machines = plan.machines();
    line("MACHINES");
    if (machines.together()) {
      line(
          "one for everything: %d cores, %s of memory, disk by the database:",
          machines.cores(), Numbers.bytes(machines.databaseMemory()));
    } else {
      line(
          "%s: %d cores, %s of memory, disk by the database:",
          machines.cells() == 1
              ? "one for the database"
              : machines.cells() + " for the databases of as many installations, together",
          machines.databaseCores(),
          Numbers.bytes(machines.databaseMemory()));
    }
    int engine = 0;
    for (String name : List.of("plain", "TimescaleDB", "columnstore")) {
      line("  %-14s %s", name, Numbers.bytes(machines.databaseDisk().get(engine++).high()));
    }
    if (!machines.together()) {
      int service = Math.max(2, machines.cores() - machines.databaseCores());
      line(
          "two or more for the service: %d cores and %s of memory together",
          service,
          Numbers.bytes(plan.memory().stream().skip(1).mapToDouble(m -> m.bytes().high()).sum()));
      line("three for Kafka: %s of disk together", Numbers.bytes(plan.kafka().disk().high()));
    }
    line("Cores are twice what is busy; a fifth of the disk stays free.");
    line("");
    line("SETTINGS");
    for (Job job : plan.jobs()) {
      if (!job.setting().isEmpty()) {
        line("%s", job.setting());
      }
    }
    line("");
  }

  private void limits(Plan plan) {
    line("WHAT LIMITS FIRST");
    List<Limit> fixed = plan.limits().stream().filter(limit -> !limit.spread()).toList();
    Limit first = fixed.getFirst();
    line("%s: %s %% used, full at %s", first.name(), used(first), first.fullAt());
    if (first.name().equals(Limit.ROWS_ONLY)) {
      Limit next = fixed.get(1);
      line("%s: %s %% used, full at %s", next.name(), used(next), next.fullAt());
    }
    line("All of them:");
    for (Limit limit : plan.limits()) {
      line(
          "  %-44s %8s %%   full at %s%s",
          limit.name(), used(limit), limit.fullAt(), limit.spread() ? "; settings add more" : "");
    }
    if (!plan.advice().isEmpty()) {
      line("");
      line("WHAT TO CHANGE");
      plan.advice().forEach(one -> wrap("- ", one));
    }
    line("");
  }

  private static String used(Limit limit) {
    return limit.used() < 0.01
        ? "under 1"
        : String.format(Locale.ROOT, "%,.0f", 100 * limit.used());
  }

  private void truth(Plan plan) {
    wrap(
        "",
        "All of this is calculated, from unit costs that were measured on two cores. Ranges are"
            + " those of the measurements; machines and settings follow the upper ends.");
    List<String> beyond = new ArrayList<>();
    for (Job job : plan.jobs()) {
      if (job.beyond() != null) {
        beyond.add(job.name() + " (" + job.beyond() + ")");
      }
    }
    if (plan.disk(Engine.TIMESCALE).high() > MEASURED_DISK) {
      beyond.add("disk (a database of " + Numbers.bytes(MEASURED_DISK) + ")");
    }
    if (plan.estate().sets() > MEASURED_SERIES) {
      beyond.add(String.format(Locale.ROOT, "memory of ingest (%,d series)", MEASURED_SERIES));
    }
    if (!beyond.isEmpty()) {
      wrap(
          "",
          "Larger than anything measured, which is in brackets: "
              + String.join(", ", beyond)
              + ".");
    }
    wrap("", NOT_COUNTED);
  }

  private void explain(Plan plan) {
    Set<Cost> used = EnumSet.noneOf(Cost.class);
    line("");
    line("FORMULAS");
    List<Cost> ofRows =
        plan.levels().stream().flatMap(level -> level.costs().stream()).distinct().toList();
    formula(
        "kept rows",
        "days x rows a day x bytes of a row; the heap of a row by PostgreSQL's layout, its index and"
            + " the columnstore as measured",
        ofRows,
        used);
    formula("plain PostgreSQL", "rows x plain-space", List.of(Cost.PLAIN_SPACE), used);
    formula("TimescaleDB", "rows kept for one chunk longer", List.of(), used);
    for (Job job : plan.jobs()) {
      formula(job.name(), job.formula(), job.costs(), used);
    }
    for (Memory memory : plan.memory()) {
      formula("memory, " + memory.name(), memory.formula(), memory.costs(), used);
    }
    formula(
        "Kafka",
        "bytes/s x 48 h x copies; partitions with half of what one of four had in the measurement",
        List.of(Cost.KAFKA_VALUE, Cost.KAFKA_FLOW),
        used);
    line("");
    line("UNIT COSTS");
    for (Cost cost : used) {
      line("%s: %s", cost.label(), value(cost.range()));
      wrap("    ", cost.what());
      wrap("    ", cost.document() + ", " + cost.section() + ", " + cost.day());
    }
  }

  private static String value(Range range) {
    String low = significant(range.low());
    String high = significant(range.high());
    return low.equals(high) ? low : low + " to " + high;
  }

  private static String significant(double value) {
    return value < 0.1 ? String.format(Locale.ROOT, "%.3g", value) : Numbers.number(value);
  }

  private void formula(String name, String formula, List<Cost> costs, Set<Cost> used) {
    used.addAll(costs);
    String from =
        costs.isEmpty()
            ? ""
            : " [" + String.join(", ", costs.stream().map(Cost::label).toList()) + "]";
    wrap("    ", name + " = " + formula + from);
  }

  private void line(String form, @Nullable Object... values) {
    lines.add(String.format(Locale.ROOT, form, values).stripTrailing());
  }

  /** Breaks a sentence between words, with the following lines below the text of the first. */
  private void wrap(String begin, String text) {
    StringBuilder line = new StringBuilder(begin);
    int empty = begin.length();
    for (String word : text.split(" ", -1)) {
      if (line.length() > empty && line.length() + word.length() >= 110) {
        lines.add(line.toString().stripTrailing());
        line = new StringBuilder(" ".repeat(begin.length()));
      }
      line.append(word).append(' ');
    }
    lines.add(line.toString().stripTrailing());
  }
}
