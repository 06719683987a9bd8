package io.peerlens.samples;

import static io.peerlens.database.Times.utc;

import io.peerlens.database.Workload;
import io.peerlens.ingest.kafka.IngestCounters;
import io.peerlens.ingest.mapping.Mappings;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.OffsetDateTime;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;
import org.springframework.jdbc.core.simple.JdbcClient;
import tools.jackson.databind.json.JsonMapper;

/**
 * Writes what this node's ingest did to the database, where any node finds it for the API; and
 * keeps the tables of ingest small.
 */
final class IngestReporter implements SmartLifecycle {

  private static final Logger log = LoggerFactory.getLogger(IngestReporter.class);
  private static final Duration NODE_EVERY = Duration.ofSeconds(2);
  private static final int RATE_EVERY = 5; // node reports
  private static final int FORGET_EVERY = 300; // node reports

  private static final String NODE =
      """
      insert into ingest_node (node, started_at, updated_at, partitions, mappings, minute,
                               new_objects, new_metrics, new_sets, trouble, stored_until)
      values (:node, :started, :now, :partitions::jsonb, :mappings::jsonb, :minute, :objects,
              :metrics, :sets, :trouble, :storedUntil::timestamptz)
      on conflict (node) do update
      set started_at = excluded.started_at, updated_at = excluded.updated_at,
          partitions = excluded.partitions, mappings = excluded.mappings, minute = excluded.minute,
          new_objects = excluded.new_objects, new_metrics = excluded.new_metrics,
          new_sets = excluded.new_sets,
          trouble = excluded.trouble, stored_until = excluded.stored_until
      """;

  /**
   * After a pause reading begins anew, since nobody knows whether Kafka was there in it. At the
   * very first there was none.
   */
  private static final String READING =
      """
      insert into ingest_reading as r (since, until) values (to_timestamp(0), :storedUntil)
      on conflict (only_row) do update
      set since = case when excluded.until > r.until + interval '1 minute' then excluded.until
                       else r.since end,
          until = greatest(r.until, excluded.until)
      """;

  private static final String RATE =
      """
      insert into ingest_rate (time, node, seconds, points, rows, records, bytes, lag,
                               batch_records, batch_rows, batch_points, batch_millis)
      values (:time, :node, :seconds, :points, :rows, :records, :bytes, :lag,
              :batchRecords, :batchRows, :batchPoints, :batchMillis)
      on conflict (time, node) do nothing
      """;
  private static final String FORGET_RATES = "delete from ingest_rate where time < :before";
  private static final String FORGET_NODES = "delete from ingest_node where updated_at < :before";
  private static final String FOLD_REJECTED =
      """
      with old as (
        delete from ingest_rejected where minute < :before and node <> ''
        returning minute, reason, input, count, newest_at)
      insert into ingest_rejected (minute, reason, node, input, count, newest_at)
      select date_trunc('day', minute), reason, '', input, sum(count), max(newest_at)
      from old group by 1, 2, 4 order by 1, 2, 4
      on conflict (minute, reason, node, input) do update
      set count = ingest_rejected.count + excluded.count,
          newest_at = greatest(ingest_rejected.newest_at, excluded.newest_at)
      """;
  private static final String FORGET_OLD_LETTERS =
      "delete from dead_letter where received_at < :before";
  private static final String FORGET_TOO_MANY_LETTERS =
      "delete from dead_letter where id <= (select max(id) from dead_letter) - :keep";

  private final JdbcClient jdbc;
  private final IngestCounters counters;
  private final NodeFigures figures;
  private final Mappings mappings;
  private final IngestProperties properties;
  private final String node;
  private final InstantSource clock;
  private final Instant started;
  private final RecordRates rates = new RecordRates();

  private @Nullable ScheduledExecutorService executor;
  private long ratedNanos = System.nanoTime();
  private long points;
  private long rows;
  private long records;
  private long bytes;
  private long reports;
  private String trouble = "";

  IngestReporter(
      JdbcClient jdbc,
      IngestCounters counters,
      NodeFigures figures,
      Mappings mappings,
      IngestProperties properties,
      String node,
      InstantSource clock) {
    this.jdbc = jdbc;
    this.counters = counters;
    this.figures = figures;
    this.mappings = mappings;
    this.properties = properties;
    this.node = node;
    this.clock = clock;
    this.started = clock.instant();
  }

  @Override
  public synchronized void start() {
    ScheduledExecutorService made =
        Executors.newSingleThreadScheduledExecutor(
            Workload.INGEST.threads(Thread.ofPlatform().daemon().name("ingest-reporter")));
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
        forget(now);
      }
      reports++;
      trouble = "";
    } catch (RuntimeException e) { // an exception would end the schedule
      String message = String.valueOf(e.getMessage());
      if (!message.equals(trouble)) {
        log.warn("This node could not report its ingest figures, and tries again: {}", message);
      }
      trouble = message;
    }
  }

  private void reportNode(Instant now) {
    List<NodePartition> partitions = rates.partitions(counters.lag(), figures.records());
    NodeFigures.Minute minute = figures.minute();
    Instant storedUntil = counters.storedUntil();
    OffsetDateTime until = storedUntil == null ? null : utc(storedUntil);
    jdbc.sql(NODE)
        .param("node", node)
        .param("started", utc(started))
        .param("now", utc(now))
        .param("partitions", JsonMapper.shared().writeValueAsString(partitions))
        .param("mappings", JsonMapper.shared().writeValueAsString(mappings.uses()))
        .param("minute", utc(minute.begin()))
        .param("objects", minute.newObjects())
        .param("metrics", minute.newMetrics())
        .param("sets", minute.newSets())
        .param("trouble", counters.trouble())
        .param("storedUntil", until)
        .update();
    if (until != null) {
      jdbc.sql(READING).param("storedUntil", until).update();
    }
  }

  private void reportRate(Instant now) {
    long nowNanos = System.nanoTime();
    long nowPoints = counters.points();
    long nowRows = counters.rows();
    long nowRecords = counters.records();
    long nowBytes = counters.bytes();
    List<NodeFigures.Batch> batches = figures.takeBatches();
    jdbc.sql(RATE)
        .param("time", utc(now))
        .param("node", node)
        .param("seconds", (nowNanos - ratedNanos) / 1e9)
        .param("points", nowPoints - points)
        .param("rows", nowRows - rows)
        .param("records", nowRecords - records)
        .param("bytes", nowBytes - bytes)
        .param("lag", counters.lag().values().stream().mapToLong(Long::longValue).sum())
        .param("batchRecords", each(batches, NodeFigures.Batch::records))
        .param("batchRows", each(batches, NodeFigures.Batch::rows))
        .param("batchPoints", each(batches, NodeFigures.Batch::points))
        .param("batchMillis", batches.stream().map(NodeFigures.Batch::millis).toArray(Float[]::new))
        .update();
    ratedNanos = nowNanos;
    points = nowPoints;
    rows = nowRows;
    records = nowRecords;
    bytes = nowBytes;
  }

  private static Integer[] each(
      List<NodeFigures.Batch> batches, ToIntFunction<NodeFigures.Batch> figure) {
    return batches.stream().map(figure::applyAsInt).toArray(Integer[]::new);
  }

  private void forget(Instant now) {
    OffsetDateTime dayAgo = utc(now.minus(1, ChronoUnit.DAYS));
    jdbc.sql(FORGET_RATES).param("before", dayAgo).update();
    jdbc.sql(FORGET_NODES).param("before", dayAgo).update();
    jdbc.sql(FOLD_REJECTED).param("before", dayAgo).update();
    int old =
        jdbc.sql(FORGET_OLD_LETTERS)
            .param("before", utc(now.minus(properties.deadLetterAge())))
            .update();
    int many =
        jdbc.sql(FORGET_TOO_MANY_LETTERS).param("keep", properties.deadLetterCount()).update();
    if (old > 0 || many > 0) {
      log.info(
          "Dead letters forgotten: {} by age, {} because there were too many of them", old, many);
    }
  }
}
