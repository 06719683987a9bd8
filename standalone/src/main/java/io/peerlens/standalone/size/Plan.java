package io.peerlens.standalone.size;

import java.util.List;

/**
 * What an {@link Estate} needs. All of it is calculated; the costs of each part say from what.
 *
 * @param levels tables that grow with time
 * @param jobs work that repeats
 * @param memory of the processes
 * @param kafka topics
 * @param machines to put it on
 * @param limits what is exhausted, the fullest first
 * @param advice what makes it smaller or spreads it
 */
public record Plan(
    Estate estate,
    List<Level> levels,
    List<Job> jobs,
    List<Memory> memory,
    Kafka kafka,
    Machines machines,
    List<Limit> limits,
    List<String> advice) {

  /**
   * Memory of processes of one kind, in bytes, all of them together.
   *
   * @param formula how it is calculated
   */
  public record Memory(String name, Range bytes, String formula, List<Cost> costs) {}

  /**
   * Topics.
   *
   * @param metricPartitions of {@code peerlens.metrics}
   * @param flowPartitions of {@code peerlens.flows}; 0 = there are no flows
   * @param bytesPerSecond that arrive, compressed, copies not counted
   * @param disk of all brokers together, in bytes
   * @param copies of each record
   */
  public record Kafka(
      int metricPartitions, int flowPartitions, Range bytesPerSecond, Range disk, int copies) {}

  /**
   * Machines.
   *
   * @param together whether one machine holds database, broker and service
   * @param cells installations that the load is divided into; more than 1 where the largest machine
   *     does not hold it
   * @param cores of all machines, twice what is busy
   * @param databaseCores of the machine of the database, or of the only one
   * @param databaseMemory of the same, in bytes
   * @param databaseDisk of the same, in bytes, with a fifth to spare, by {@link Level.Engine}
   * @param chunkHours length of chunks of raw samples on TimescaleDB
   */
  public record Machines(
      boolean together,
      int cells,
      int cores,
      int databaseCores,
      double databaseMemory,
      List<Range> databaseDisk,
      int chunkHours) {}

  /**
   * Something that can be exhausted.
   *
   * @param used share at this load, of its upper end
   * @param spread whether a setting or another process gives more of it
   * @param fullAt the load at which it is exhausted, in words
   */
  public record Limit(String name, double used, boolean spread, String fullAt) {
    /** The limit that the columnstore moves. */
    static final String ROWS_ONLY = "disk of 40 TB, without columnstore";
  }

  /** Bytes on disk of all levels. */
  public Range disk(Level.Engine engine) {
    return levels.stream().map(level -> level.disk(engine)).reduce(Range.of(0), Range::plus);
  }

  /** Cores that are busy on average. */
  public Range busyCores() {
    return jobs.stream().map(Job::cores).reduce(Range.of(0), Range::plus);
  }
}
