package io.peerlens.samples;

import static io.peerlens.database.Times.utc;
import static io.peerlens.database.Times.utcOrNull;

import io.peerlens.ingest.kafka.IngestCounters;
import io.peerlens.ingest.mapping.Mappings;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.function.ToIntFunction;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.jdbc.core.simple.JdbcClient;
import tools.jackson.databind.json.JsonMapper;

/** Reporter of this node's ingest of samples; also keeps the table of dead letters small. */
final class IngestReporter extends NodeReporter {

  private static final Logger log = LoggerFactory.getLogger(IngestReporter.class);

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

  private final IngestCounters counters;
  private final Mappings mappings;
  private final IngestProperties properties;
  private final Instant started;
  private long points;
  private long rows;
  private long records;
  private long bytes;

  IngestReporter(
      JdbcClient jdbc,
      IngestCounters counters,
      Mappings mappings,
      IngestProperties properties,
      String node,
      InstantSource clock) {
    super("ingest", jdbc, counters, node, clock);
    this.counters = counters;
    this.mappings = mappings;
    this.properties = properties;
    this.started = clock.instant();
  }

  @Override
  protected void reportNode(Instant now, String partitions) {
    IngestCounters.Minute minute = counters.minute();
    Instant storedUntil = counters.storedUntil();
    jdbc.sql(NODE)
        .param("node", node)
        .param("started", utc(started))
        .param("now", utc(now))
        .param("partitions", partitions)
        .param("mappings", JsonMapper.shared().writeValueAsString(mappings.uses()))
        .param("minute", utc(minute.begin()))
        .param("objects", minute.newObjects())
        .param("metrics", minute.newMetrics())
        .param("sets", minute.newSets())
        .param("trouble", counters.trouble())
        .param("storedUntil", utcOrNull(storedUntil))
        .update();
    if (storedUntil != null) {
      jdbc.sql(READING).param("storedUntil", utc(storedUntil)).update();
    }
  }

  @Override
  protected void reportRate(Instant now, double seconds) {
    long nowPoints = counters.points();
    long nowRows = counters.rows();
    long nowRecords = counters.records();
    long nowBytes = counters.bytes();
    List<IngestCounters.Batch> batches = counters.takeBatches();
    jdbc.sql(RATE)
        .param("time", utc(now))
        .param("node", node)
        .param("seconds", seconds)
        .param("points", nowPoints - points)
        .param("rows", nowRows - rows)
        .param("records", nowRecords - records)
        .param("bytes", nowBytes - bytes)
        .param("lag", counters.totalLag())
        .param("batchRecords", each(batches, IngestCounters.Batch::records))
        .param("batchRows", each(batches, IngestCounters.Batch::rows))
        .param("batchPoints", each(batches, IngestCounters.Batch::points))
        .param(
            "batchMillis", batches.stream().map(IngestCounters.Batch::millis).toArray(Float[]::new))
        .update();
    points = nowPoints;
    rows = nowRows;
    records = nowRecords;
    bytes = nowBytes;
  }

  private static Integer[] each(
      List<IngestCounters.Batch> batches, ToIntFunction<IngestCounters.Batch> figure) {
    return batches.stream().map(figure::applyAsInt).toArray(Integer[]::new);
  }

  @Override
  protected void forget(Instant now, Instant before) {
    super.forget(now, before);
    jdbc.sql(FOLD_REJECTED).param("before", utc(before)).update();
    int old =
        jdbc.sql(FORGET_OLD_LETTERS)
            .param("before", utc(now.minus(properties.deadLetterAge())))
            .update();
    int many =
        jdbc.sql(FORGET_TOO_MANY_LETTERS).param("keep", properties.deadLetterCount()).update();
    if (old > 0 || many > 0) {
      log.info(
          "Dead letters removed: {} by age, {} because there were too many of them", old, many);
    }
  }
}
