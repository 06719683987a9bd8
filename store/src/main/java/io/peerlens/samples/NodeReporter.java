package io.peerlens.samples;

import static io.peerlens.database.Times.utc;

import io.peerlens.database.Workload;
import io.peerlens.ingest.kafka.TopicCounters;
import io.peerlens.job.RecurringTask;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import org.springframework.jdbc.core.simple.JdbcClient;
import tools.jackson.databind.json.JsonMapper;

/**
 * Reporter of this node's ingest: writes state and rates to the database, where any node finds them
 * for the API, and removes reports that are older than a day.
 */
public abstract class NodeReporter extends RecurringTask {

  private static final Duration NODE_EVERY = Duration.ofSeconds(2);
  private static final int RATE_EVERY = 5; // node reports
  private static final int FORGET_EVERY = 300; // node reports
  private static final long MUCH_LAG = 1_000;

  private final String input;
  private final TopicCounters counters;
  private final RecordRates rates = new RecordRates();
  private long ratedNanos = System.nanoTime();
  private final SenderStore senders;
  private long senderRecords;
  private long reports;

  protected final JdbcClient jdbc;
  protected final String node;
  protected final InstantSource clock;

  /**
   * @param input what is reported; start of the names of the thread and of the tables {@code
   *     <input>_node} and {@code <input>_rate}
   * @param node name of this node
   */
  protected NodeReporter(
      String input, JdbcClient jdbc, TopicCounters counters, String node, InstantSource clock) {
    super(
        input + "-reporter",
        Workload.INGEST,
        Duration.ofSeconds(1),
        NODE_EVERY,
        "This node could not report its figures of %s, and tries again".formatted(input));
    this.input = input;
    this.jdbc = jdbc;
    this.counters = counters;
    this.node = node;
    this.clock = clock;
    this.senders = new SenderStore(jdbc, node);
  }

  @Override
  protected void work() {
    Instant now = clock.instant();
    reportNode(
        now,
        JsonMapper.shared()
            .writeValueAsString(rates.partitions(counters.lag(), counters.recordsByPartition())));
    if (reports % RATE_EVERY == 0) {
      long nanos = System.nanoTime();
      reportRate(now, (nanos - ratedNanos) / 1e9);
      reportSenders(now);
      ratedNanos = nanos;
    }
    if (reports % FORGET_EVERY == 0) {
      forget(now, now.minus(1, ChronoUnit.DAYS));
    }
    reports++;
  }

  /**
   * Reports the state of this node.
   *
   * @param partitions what it reads, as JSON
   */
  protected abstract void reportNode(Instant now, String partitions);

  /**
   * Reports what was stored since the last report.
   *
   * @param seconds since then
   */
  protected abstract void reportRate(Instant now, double seconds);

  /** While much waits in Kafka, what is read now says nothing about clocks. */
  private void reportSenders(Instant now) {
    long records = counters.records();
    boolean behind = counters.totalLag() > Math.max(MUCH_LAG, records - senderRecords);
    senderRecords = records;
    senders.store(counters.senders().take(now.toEpochMilli()), !behind);
  }

  /** Removes old reports. */
  protected void forget(Instant now, Instant before) {
    jdbc.sql("delete from %s_rate where time < :before".formatted(input))
        .param("before", utc(before))
        .update();
    jdbc.sql("delete from %s_node where updated_at < :before".formatted(input))
        .param("before", utc(before))
        .update();
    senders.forget(now);
  }
}
