package io.peerlens.standalone.size;

import io.peerlens.standalone.size.Level.Engine;
import io.peerlens.standalone.size.Plan.Kafka;
import io.peerlens.standalone.size.Plan.Limit;
import io.peerlens.standalone.size.Plan.Machines;
import io.peerlens.standalone.size.Plan.Memory;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;

/** From an {@link Estate} to a {@link Plan}. */
public final class Planner {
  private static final double GB = 1e9;
  private static final double TB = 1e12;

  /** The largest machine of a database that is planned with: an assumption, not a measurement. */
  static final int LARGEST_CORES = 64;

  static final double LARGEST_MEMORY = 512 * GB;
  static final double LARGEST_DISK = 40 * TB;

  // Up to this everything is put on one machine: an assumption too.
  private static final int TOGETHER_CORES = 8;
  private static final double TOGETHER_MEMORY = 32 * GB;
  private static final double TOGETHER_DISK = 4 * TB;

  /** Cores that there are for each that is busy. */
  private static final double CORES_FOR_BUSY = 2;

  /** Of busy cores: ingest alone leaves 60 % to database and broker, other work was not divided. */
  private static final double DATABASE_SHARE = 0.5;

  private static final int SMALLEST_DATABASE_CORES = 4;

  /** A fifth of the disk stays free; ingest pauses below 5 %. */
  private static final double DISK_FOR_DATA = 1.25;

  /** A process that remembers nothing yet: docs/operations.md, "Measured". */
  private static final double PROCESS = 0.7 * GB;

  /** Heap for each byte in use, so that the collector has room: assumed. */
  private static final double HEAP_FOR_USED = 2;

  /** PostgreSQL's shared buffers are a quarter of the memory. */
  private static final double MEMORY_FOR_BUFFERS = 4;

  private static final double SMALLEST_DATABASE = 4 * GB;

  /** Index of the newest chunk of raw samples that shared buffers are to hold. */
  private static final double LARGEST_HOT_INDEX = 8 * GB;

  private static final int[] CHUNK_HOURS = {24, 12, 8, 6, 4, 3, 2, 1};
  private static final int PAGE = 8192;

  private static final double KAFKA_SECONDS = 48 * 3600;
  private static final int SHIPPED_PARTITIONS = 8;

  /** Partitions of the topics in the measurements of ingest and flows. */
  private static final int MEASURED_PARTITIONS = 4;

  private static final int BROKERS = 3;
  private static final double BROKER_MEMORY = 2 * GB;

  private Planner() {}

  /** What an estate needs. */
  public static Plan plan(Estate estate) {
    int chunkHours = chunkHours(estate);
    List<Level> levels = Levels.of(estate, chunkHours / 24.0);
    List<Job> jobs = Jobs.of(estate);
    double busy = jobs.stream().mapToDouble(job -> job.cores().high()).sum();
    int cores = Math.max(2, (int) Math.ceil(CORES_FOR_BUSY * busy));
    List<Memory> memory = new ArrayList<>();
    memory.add(database(estate, chunkHours));
    memory.add(ingest(estate, jobs.getFirst().count()));
    memory.add(evaluators(estate));
    double service = memory.get(1).bytes().high() + memory.get(2).bytes().high();
    List<Range> disk = new ArrayList<>();
    for (Engine engine : Engine.values()) {
      disk.add(
          levels.stream()
              .map(level -> level.disk(engine))
              .reduce(Range.of(0), Range::plus)
              .times(DISK_FOR_DATA));
    }
    double hot = memory.getFirst().bytes().high();
    double all = rounded(hot + service + BROKER_MEMORY);
    boolean together =
        cores <= TOGETHER_CORES
            && all <= TOGETHER_MEMORY
            && disk.get(Engine.TIMESCALE.ordinal()).high() <= TOGETHER_DISK;
    int databaseCores =
        together ? cores : Math.max(SMALLEST_DATABASE_CORES, even(DATABASE_SHARE * cores));
    double databaseMemory = together ? all : rounded(hot);
    double smallest = disk.get(Engine.COLUMNSTORE.ordinal()).high();
    int cells =
        (int)
            Math.ceil(
                Math.max(
                    Math.max(smallest / LARGEST_DISK, databaseMemory / LARGEST_MEMORY),
                    (double) databaseCores / LARGEST_CORES));
    Machines machines =
        new Machines(
            together,
            Math.max(1, cells),
            cores,
            databaseCores,
            databaseMemory,
            List.copyOf(disk),
            chunkHours);
    Kafka kafka = kafka(estate, together);
    return new Plan(
        estate,
        List.copyOf(levels),
        List.copyOf(jobs),
        List.copyOf(memory),
        kafka,
        machines,
        limits(estate, jobs, disk, busy),
        Advice.of(estate, levels, jobs, machines));
  }

  /**
   * Pages of the index that samples of all sets touch: a set's newest entry is on a page of its own
   * as soon as the chunk has more entries of it than a page holds.
   */
  private static double hotIndex(Estate estate, double hours) {
    double rows = estate.rowsPerSecond() * 3600 * hours * Cost.RAW_INDEX.range().high();
    return Math.min(rows, estate.sets() * PAGE);
  }

  private static int chunkHours(Estate estate) {
    for (int hours : CHUNK_HOURS) {
      if (hotIndex(estate, hours) <= LARGEST_HOT_INDEX) {
        return hours;
      }
    }
    return 1;
  }

  private static Memory database(Estate estate, int chunkHours) {
    double hot = hotIndex(estate, chunkHours);
    return new Memory(
        "database",
        Range.of(Math.max(SMALLEST_DATABASE, MEMORY_FOR_BUFFERS * hot)),
        "4 x the index of the newest chunk of raw samples (%s, chunks of %d h), 4 GB at least"
            .formatted(Numbers.bytes(hot), chunkHours),
        List.of(Cost.RAW_INDEX));
  }

  private static Memory ingest(Estate estate, int processes) {
    return new Memory(
        "ingest",
        Cost.SERIES_HEAP.range().times(estate.sets()).plus(processes * PROCESS),
        "sets x series-heap, and 0.7 GB for each process",
        List.of(Cost.SERIES_HEAP));
  }

  private static Memory evaluators(Estate estate) {
    return new Memory(
        "evaluator",
        Cost.OBJECT_HEAP
            .range()
            .times(HEAP_FOR_USED * estate.objects())
            .plus(Cost.LEARNING_HEAP.range())
            .plus(PROCESS),
        "2 x objects x object-heap, learning-heap, 0.7 GB for the process; scores of whole objects"
            + " take what an eighth of the heap holds",
        List.of(Cost.OBJECT_HEAP, Cost.LEARNING_HEAP));
  }

  private static Kafka kafka(Estate estate, boolean together) {
    double records = estate.flows() / 60.0;
    Range bytes =
        Cost.KAFKA_VALUE
            .range()
            .times(estate.valuesPerSecond())
            .plus(Cost.KAFKA_FLOW.range().times(records));
    int copies = together ? 1 : BROKERS;
    return new Kafka(
        partitions(Jobs.ingestLoad(estate) / Cost.INGEST.range().low()),
        estate.flows() == 0 ? 0 : partitions(records / Cost.FLOW_RECORDS.range().low()),
        bytes,
        bytes.times(KAFKA_SECONDS * copies),
        copies);
  }

  /** So many that each has half of what one had in the measurement; a multiple of four. */
  private static int partitions(double used) {
    double needed = 2 * MEASURED_PARTITIONS * used;
    return Math.max(SHIPPED_PARTITIONS, 4 * (int) Math.ceil(needed / 4));
  }

  private static List<Limit> limits(
      Estate estate, List<Job> jobs, List<Range> databaseDisk, double busy) {
    List<Limit> limits = new ArrayList<>();
    for (Job job : jobs) {
      double used = job.used().high();
      limits.add(
          new Limit(
              job.name() + ", " + job.of(),
              used,
              job.spread(),
              fullAt(estate, job.growsWith(), used)));
    }
    double disk = databaseDisk.get(Engine.COLUMNSTORE.ordinal()).high() / LARGEST_DISK;
    limits.add(whole(estate, "disk of 40 TB, with columnstore", disk));
    double rows = databaseDisk.get(Engine.TIMESCALE.ordinal()).high() / LARGEST_DISK;
    limits.add(whole(estate, Limit.ROWS_ONLY, rows));
    // Chunks of an hour are the shortest that are planned with.
    double memory = MEMORY_FOR_BUFFERS * hotIndex(estate, 1) / LARGEST_MEMORY;
    limits.add(whole(estate, "memory of 512 GB, database", memory));
    limits.add(
        whole(
            estate, "64 cores, database", DATABASE_SHARE * CORES_FOR_BUSY * busy / LARGEST_CORES));
    limits.sort(Comparator.comparingDouble(Limit::used).reversed());
    return List.copyOf(limits);
  }

  private static Limit whole(Estate estate, String name, double used) {
    return new Limit(name, used, false, fullAt(estate, Job.Grows.ALL, used));
  }

  private static String fullAt(Estate estate, Job.Grows grows, double used) {
    return switch (grows) {
      case OBJECTS -> count(estate.objects() / used, "objects");
      case METRICS -> count(estate.metrics() / used, "metrics");
      case ALL -> count(estate.metrics() / used, "metrics and all else in proportion");
      case FLOWS -> count(estate.flows() / used, "flows");
    };
  }

  private static String count(double value, String what) {
    return twoDigits(Math.min(value, 1e12)) + " " + what;
  }

  /** Two digits; more would pretend to be exact. */
  private static String twoDigits(double value) {
    if (value < 1) {
      return "1";
    }
    double unit = Math.pow(10, Math.max(0, Math.floor(Math.log10(value)) - 1));
    return String.format(Locale.ROOT, "%,.0f", Math.round(value / unit) * unit);
  }

  private static int even(double cores) {
    return 2 * (int) Math.ceil(cores / 2);
  }

  /** To what machines have: 4, 8, 16 GB and so on. */
  private static double rounded(double bytes) {
    double size = SMALLEST_DATABASE;
    while (size < bytes) {
      size *= 2;
    }
    return size;
  }
}
