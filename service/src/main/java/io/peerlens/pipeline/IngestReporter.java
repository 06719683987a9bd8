package io.peerlens.pipeline;

import io.peerlens.ingest.RejectReason;
import io.peerlens.ingest.kafka.IngestCounters;
import io.peerlens.ingest.mapping.Mappings;
import java.time.Instant;
import java.time.InstantSource;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;
import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.core.simple.JdbcClient;
import tools.jackson.databind.json.JsonMapper;

/** Writes what this node's ingest did to the database, where any node finds it for the API. */
final class IngestReporter implements SmartLifecycle {

  private static final Logger log = LoggerFactory.getLogger(IngestReporter.class);

  private static final String NODE =
      """
      insert into ingest_node (node, started_at, updated_at, partitions, mappings, trouble)
      values (:node, :started, :now, :partitions::jsonb, :mappings::jsonb, :trouble)
      on conflict (node) do update
      set started_at = excluded.started_at, updated_at = excluded.updated_at,
          partitions = excluded.partitions, mappings = excluded.mappings, trouble = excluded.trouble
      """;
  private static final String RATE =
      """
      insert into ingest_rate (time, node, points, rows, records, bytes, rejected, batches,
                               write_millis, lag)
      values (:time, :node, :points, :rows, :records, :bytes, :rejected, :batches, :millis, :lag)
      on conflict (time, node) do nothing
      """;
  private static final String REJECTED =
      """
      insert into ingest_rejected (hour, reason, count) values (:hour, :reason, :count)
      on conflict (hour, reason) do update set count = ingest_rejected.count + excluded.count
      """;
  private static final String FORGET =
      """
      with old_rates as (delete from ingest_rate where time < :day)
      delete from ingest_node where updated_at < :day
      """;

  private record Partition(String topic, int partition, long lag) {}

  private final JdbcClient jdbc;
  private final IngestCounters counters;
  private final Mappings mappings;
  private final String node;
  private final InstantSource clock;
  private final Instant started;
  private final Map<RejectReason, Long> rejectedBefore = new EnumMap<>(RejectReason.class);

  private ScheduledExecutorService executor = Executors.newSingleThreadScheduledExecutor();
  private boolean running;
  private long points;
  private long rows;
  private long records;
  private long bytes;
  private long batches;
  private long writeMillis;
  private long reports;

  IngestReporter(
      JdbcClient jdbc,
      IngestCounters counters,
      Mappings mappings,
      String node,
      InstantSource clock) {
    this.jdbc = jdbc;
    this.counters = counters;
    this.mappings = mappings;
    this.node = node;
    this.clock = clock;
    this.started = clock.instant();
  }

  @Override
  public synchronized void start() {
    executor =
        Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().daemon().name("ingest-reporter").factory());
    executor.scheduleAtFixedRate(this::report, 1, 2, TimeUnit.SECONDS);
    running = true;
  }

  @Override
  public synchronized void stop() {
    executor.shutdownNow();
    running = false;
  }

  @Override
  public synchronized boolean isRunning() {
    return running;
  }

  private void report() {
    try {
      Instant now = clock.instant();
      reportNode(now);
      if (reports++ % 5 == 0) {
        reportRate(now);
      }
      if (reports % 1800 == 1) {
        jdbc.sql(FORGET).param("day", utc(now.minus(1, ChronoUnit.DAYS))).update();
      }
    } catch (DataAccessException e) {
      log.debug("Ingest could not report, and tries again: {}", e.getMessage());
    }
  }

  private void reportNode(Instant now) {
    List<Partition> partitions =
        counters.lag().entrySet().stream()
            .map(e -> new Partition(e.getKey().topic(), e.getKey().partition(), e.getValue()))
            .toList();
    jdbc.sql(NODE)
        .param("node", node)
        .param("started", utc(started))
        .param("now", utc(now))
        .param("partitions", JsonMapper.shared().writeValueAsString(partitions))
        .param("mappings", JsonMapper.shared().writeValueAsString(mappings.uses()))
        .param("trouble", counters.trouble())
        .update();
  }

  private void reportRate(Instant now) {
    long nowPoints = counters.points();
    long nowRows = counters.rows();
    long nowRecords = counters.records();
    long nowBytes = counters.bytes();
    long nowBatches = counters.batches();
    long nowMillis = counters.writeMillis();
    Map<RejectReason, Long> rejected = counters.rejected();
    long newlyRejected = 0;
    for (Map.Entry<RejectReason, Long> entry : rejected.entrySet()) {
      long more = entry.getValue() - rejectedBefore.getOrDefault(entry.getKey(), 0L);
      if (more > 0) {
        jdbc.sql(REJECTED)
            .param("hour", utc(now.truncatedTo(ChronoUnit.HOURS)))
            .param("reason", entry.getKey().code())
            .param("count", more)
            .update();
        rejectedBefore.put(entry.getKey(), entry.getValue());
        newlyRejected += more;
      }
    }
    jdbc.sql(RATE)
        .param("time", utc(now.truncatedTo(ChronoUnit.SECONDS)))
        .param("node", node)
        .param("points", nowPoints - points)
        .param("rows", nowRows - rows)
        .param("records", nowRecords - records)
        .param("bytes", nowBytes - bytes)
        .param("rejected", newlyRejected)
        .param("batches", nowBatches - batches)
        .param("millis", nowMillis - writeMillis)
        .param("lag", counters.lag().values().stream().mapToLong(Long::longValue).sum())
        .update();
    points = nowPoints;
    rows = nowRows;
    records = nowRecords;
    bytes = nowBytes;
    batches = nowBatches;
    writeMillis = nowMillis;
  }

  private static OffsetDateTime utc(Instant instant) {
    return OffsetDateTime.ofInstant(instant, ZoneOffset.UTC);
  }
}
