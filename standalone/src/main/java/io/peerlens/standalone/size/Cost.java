package io.peerlens.standalone.size;

import java.util.Locale;

/**
 * Unit costs. Each is a range, since measurements differ: between runs, with what else the machine
 * did, or between input of one kind and another. All were measured on a machine of two cores.
 */
public enum Cost {
  /** Values that one ingest process stores while broker and database use the same two cores. */
  INGEST(
      1.11e6,
      1.52e6,
      "values/s that one ingest process stores; broker and database share its two cores",
      Source.PERFORMANCE,
      "From Kafka to committed rows",
      "21 Nov 2026"),
  /** Values of a row in that measurement; with fewer, a value costs more. */
  VALUES_OF_A_ROW(
      5.6,
      5.6,
      "values of a row in that measurement, as Telegraf's vSphere input sends them",
      Source.PERFORMANCE,
      "From Kafka to committed rows",
      "21 Nov 2026"),
  /** Unique index over set and time of raw samples, which arrive moment by moment. */
  RAW_INDEX(
      44,
      50,
      "bytes of index for a row of raw samples",
      Source.PERFORMANCE,
      "Bytes of a row",
      "28 Nov 2026"),
  /** The same of roll-ups: an entry of 28 bytes where pages are full. */
  ROLL_UP_INDEX(
      28,
      46,
      "bytes of index for a row of roll-ups; the lower end is a full page",
      Source.PERFORMANCE,
      "Bytes of a row",
      "28 Nov 2026"),
  /** Sketches of an hour with 12 samples or fewer. */
  SKETCH_OF_12(
      5.0,
      6.5,
      "bytes of a sketch of 12 samples in an hour",
      Source.PERFORMANCE,
      "Percentiles",
      "27 Nov 2026"),
  /** Sketches of an hour with 180 samples. */
  SKETCH_OF_180(
      28.9,
      28.9,
      "bytes of a sketch of 180 samples in an hour",
      Source.PERFORMANCE,
      "Percentiles",
      "27 Nov 2026"),
  /** A value in TimescaleDB's columnstore. */
  COLUMNSTORE(
      2.1,
      2.1,
      "bytes of a value in TimescaleDB's columnstore; traces of sets of 9 metrics",
      Source.ADR_1,
      "Context",
      "Nov 2026"),
  /** What plain PostgreSQL holds beyond the rows that are kept. */
  PLAIN_SPACE(
      1.2,
      1.5,
      "times the rows, for deleted rows whose space waits to be used again on plain PostgreSQL;"
          + " seen with 3 days of samples, less with longer periods",
      Source.OPERATIONS,
      "The sample datacentre",
      "Nov 2026"),
  /** Rows of the finer level that one part reads while it makes all levels. */
  ROLL_UP_ROWS(
      90_000,
      121_000,
      "rows/s that one part of roll-ups reads, with the database on the same two cores",
      Source.PERFORMANCE,
      "Queries, roll-ups, inventory; Percentiles",
      "27 Nov 2026"),
  /** The same in values, for wide sets. */
  ROLL_UP_VALUES(
      2.0e6,
      2.4e6,
      "values/s that one part of roll-ups reads, sets of 20 metrics",
      Source.PERFORMANCE,
      "Percentiles",
      "27 Nov 2026"),
  /** One tick of 50 super metrics alone, or beside three other shards with 200 thresholds. */
  TICK(
      14.6e-6,
      23.4e-6,
      "s of a shard's tick for each object: 50 super metrics, 200 thresholds, three sets of six"
          + " metrics of each object",
      Source.PERFORMANCE,
      "A tick from end to end; Thresholds and alerts from end to end",
      "21 Nov 2026"),
  /** Learning one series for one day; the upper end is by the clock, with the database. */
  LEARNING(
      0.40e-3,
      0.814e-3,
      "s for a series and day in one part of learning; the lower end is processor time and pauses,"
          + " the upper one by the clock beside other work",
      Source.PERFORMANCE,
      "Learned bounds",
      "22 Nov 2026"),
  /** Learned bounds of a series and day, nine of which are kept. */
  LEARNED_BYTES(
      205,
      206,
      "bytes of the learned bounds of a series and day; nine days are kept",
      Source.PERFORMANCE,
      "Learned bounds",
      "22 Nov 2026"),
  /** Records of flows that one consumer stores. */
  FLOW_RECORDS(
      100_000,
      170_000,
      "flow records/s that one process stores, with all else on the same two cores",
      Source.PERFORMANCE,
      "Flows at 100,000 records a second",
      "22 Nov 2026"),
  /** By rows that are read, and by different keys of a minute. */
  FLOW_ROLL_UP(
      5.7e-6,
      13.0e-6,
      "s of the roll-up of flows for a sum by minute: 170 s for 30 million records of 13 million"
          + " sums",
      Source.PERFORMANCE,
      "Flows at 100,000 records a second",
      "22 Nov 2026"),
  /** A row of flow_part, which has hardly an index. */
  FLOW_MINUTE(
      92, 93.4, "bytes of a sum by minute", Source.PERFORMANCE, "Bytes of a row", "28 Nov 2026"),
  /** A row of the coarser levels of flows with its two indexes. */
  FLOW_SUM(
      169,
      172,
      "bytes of a sum of 5 minutes, an hour or a day",
      Source.PERFORMANCE,
      "Bytes of a row",
      "28 Nov 2026"),
  /** A value in a topic. */
  KAFKA_VALUE(
      7.6,
      10.1,
      "bytes of a value in Kafka: lines of Telegraf's vSphere input, 82 bytes a value, by zstd in"
          + " blocks of 1 MB and 16 kB",
      Source.PERFORMANCE,
      "Bytes in Kafka",
      "28 Nov 2026"),
  /** A flow record in a topic. */
  KAFKA_FLOW(
      24,
      55,
      "bytes of a flow record in Kafka: goflow2's JSON, 959 bytes, by zstd; traffic of a laboratory,"
          + " so real one takes more",
      Source.PERFORMANCE,
      "Bytes in Kafka",
      "28 Nov 2026"),
  /** What ingest remembers of a series. */
  SERIES_HEAP(
      2_730,
      2_980,
      "bytes of heap for a series (a metric set of one sender) in an ingest process",
      Source.PERFORMANCE,
      "Memory of a series",
      "28 Nov 2026"),
  /** What an evaluator remembers of an object. */
  OBJECT_HEAP(
      1_900,
      3_250,
      "bytes of heap in use for an object in an evaluator, one and two processes",
      Source.PERFORMANCE,
      "Thresholds and alerts from end to end",
      "21 Nov 2026"),
  /** The largest heap of a thread that learns. */
  LEARNING_HEAP(
      413e6,
      413e6,
      "bytes of heap while a part of learning works, garbage included",
      Source.PERFORMANCE,
      "Learned bounds",
      "22 Nov 2026");

  /** Where a cost stands. */
  private static final class Source {
    private static final String PERFORMANCE = "docs/performance.md";
    private static final String OPERATIONS = "docs/operations.md";
    private static final String ADR_1 = "docs/adr/0001-one-row-per-metric-set.md";
  }

  private final Range range;
  private final String what;
  private final String document;
  private final String section;
  private final String day;

  Cost(double low, double high, String what, String document, String section, String day) {
    this.range = new Range(low, high);
    this.what = what;
    this.document = document;
    this.section = section;
    this.day = day;
  }

  /** The least and the greatest that was measured. */
  public Range range() {
    return range;
  }

  /** Unit, and what it is the cost of. */
  public String what() {
    return what;
  }

  /** Document under {@code docs}, as a path in the repository. */
  public String document() {
    return document;
  }

  /** Headings in it, with a semicolon between two. */
  public String section() {
    return section;
  }

  /** When it was measured. */
  public String day() {
    return day;
  }

  /** Short name of the cost in explanations, such as {@code roll-up-rows}. */
  public String label() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
