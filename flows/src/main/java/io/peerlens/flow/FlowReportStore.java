package io.peerlens.flow;

import static io.peerlens.database.Times.utc;

import io.peerlens.database.Workload;
import io.peerlens.samples.RecordRates;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.OffsetDateTime;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;
import org.springframework.jdbc.core.simple.JdbcClient;
import tools.jackson.databind.json.JsonMapper;

/**
 * Writes what this node's reading of flows did to the database, where any node finds it for the
 * API.
 */
final class FlowReportStore implements SmartLifecycle {

  private static final Logger log = LoggerFactory.getLogger(FlowReportStore.class);
  private static final Duration NODE_EVERY = Duration.ofSeconds(2);
  private static final int RATE_EVERY = 5; // node reports
  private static final int FORGET_EVERY = 300; // node reports

  private static final String NODE =
      """
      insert into flow_node (node, updated_at, partitions, beyond_guard, trouble)
      values (:node, :now, :partitions::jsonb, :beyond, :trouble)
      on conflict (node) do update
      set updated_at = excluded.updated_at, partitions = excluded.partitions,
          beyond_guard = excluded.beyond_guard, trouble = excluded.trouble
      """;
  private static final String RATE =
      """
      insert into flow_rate (time, node, seconds, records, bytes, flows, rows, late, lag, millis)
      values (:time, :node, :seconds, :records, :bytes, :flows, :rows, :late, :lag, :millis)
      on conflict (time, node) do nothing
      """;
  private static final String FORGET_RATES = "delete from flow_rate where time < :before";
  private static final String FORGET_NODES = "delete from flow_node where updated_at < :before";

  private final JdbcClient jdbc;
  private final FlowCounters counters;
  private final String node;
  private final InstantSource clock;
  private final RecordRates rates = new RecordRates();

  private @Nullable ScheduledExecutorService executor;
  private long ratedNanos = System.nanoTime();
  private FlowCounters.Totals rated;
  private long reports;
  private String trouble = "";

  FlowReportStore(JdbcClient jdbc, FlowCounters counters, String node, InstantSource clock) {
    this.jdbc = jdbc;
    this.counters = counters;
    this.node = node;
    this.clock = clock;
    rated = counters.totals();
  }

  @Override
  public synchronized void start() {
    ScheduledExecutorService made =
        Executors.newSingleThreadScheduledExecutor(
            Workload.INGEST.threads(Thread.ofPlatform().daemon().name("flow-reporter")));
    made.scheduleWithFixedDelay(this::report, 1_000, NODE_EVERY.toMillis(), TimeUnit.MILLISECONDS);
    executor = made;
  }

  @Override
  public synchronized void stop() {
    if (executor != null) {
      executor.shutdownNow();
      executor = null;
    }
  }

  @Override
  public synchronized boolean isRunning() {
    return executor != null;
  }

  private void report() {
    try {
      Instant now = clock.instant();
      reportNode(now);
      if (reports % RATE_EVERY == 0) {
        reportRate(now);
      }
      if (reports % FORGET_EVERY == 0) {
        OffsetDateTime dayAgo = utc(now.minus(Duration.ofDays(1)));
        jdbc.sql(FORGET_RATES).param("before", dayAgo).update();
        jdbc.sql(FORGET_NODES).param("before", dayAgo).update();
      }
      reports++;
      trouble = "";
    } catch (RuntimeException e) { // an exception would end the schedule
      String message = String.valueOf(e.getMessage());
      if (!message.equals(trouble)) {
        log.warn("This node could not report its figures of flows, and tries again: {}", message);
      }
      trouble = message;
    }
  }

  private void reportNode(Instant now) {
    jdbc.sql(NODE)
        .param("node", node)
        .param("now", utc(now))
        .param(
            "partitions",
            JsonMapper.shared()
                .writeValueAsString(
                    rates.partitions(counters.lag(), counters.recordsByPartition())))
        .param("beyond", counters.beyondGuard())
        .param("trouble", counters.trouble())
        .update();
  }

  private void reportRate(Instant now) {
    long nanos = System.nanoTime();
    FlowCounters.Totals totals = counters.totals();
    long commits = totals.commits() - rated.commits();
    jdbc.sql(RATE)
        .param("time", utc(now))
        .param("node", node)
        .param("seconds", (nanos - ratedNanos) / 1e9)
        .param("records", totals.records() - rated.records())
        .param("bytes", totals.bytes() - rated.bytes())
        .param("flows", totals.flows() - rated.flows())
        .param("rows", totals.rows() - rated.rows())
        .param("late", totals.late() - rated.late())
        .param("lag", counters.lag().values().stream().mapToLong(Long::longValue).sum())
        .param("millis", commits == 0 ? null : (totals.millis() - rated.millis()) / commits)
        .update();
    ratedNanos = nanos;
    rated = totals;
  }
}
