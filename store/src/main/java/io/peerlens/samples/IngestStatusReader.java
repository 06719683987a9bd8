package io.peerlens.samples;

import static io.peerlens.database.Times.instant;
import static io.peerlens.database.Times.utc;

import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.LoadingCache;
import io.peerlens.api.model.BatchStatistics;
import io.peerlens.api.model.GuardKind;
import io.peerlens.api.model.GuardStatus;
import io.peerlens.api.model.IngestHistory;
import io.peerlens.api.model.IngestNode;
import io.peerlens.api.model.IngestPartition;
import io.peerlens.api.model.IngestStatus;
import io.peerlens.api.model.IngestTotals;
import io.peerlens.api.model.KindFreshness;
import io.peerlens.api.model.RejectedCount;
import io.peerlens.ingest.IngestGuards;
import io.peerlens.ingest.RejectReason;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import tools.jackson.databind.json.JsonMapper;

/**
 * The state of ingest over all nodes, from the tables they write and from Kafka. Gathered at most
 * every two seconds however many ask; who asks within 15 seconds of the last time does not wait for
 * it.
 */
public final class IngestStatusReader {

  private static final Duration KEEP = Duration.ofSeconds(2);

  /** Pages ask every ten seconds. */
  private static final Duration SHOW = Duration.ofSeconds(15);

  /** A node that reports every two seconds and was silent for so long is gone. */
  static final Duration NODE_ALIVE = Duration.ofSeconds(30);

  private static final String NODES =
      """
      select node, updated_at, partitions, minute, new_objects, new_metrics, new_sets
      from ingest_node where updated_at > :alive order by node
      """;

  /** A node that still reports has its mean over what it reported, one that began just now too. */
  private static final String RATES =
      """
      select node, sum(points) / seconds as points, sum(rows) / seconds as rows,
             sum(records) / seconds as records
      from (select *, case when max(time) over w > :now::timestamptz - interval '25 seconds'
                           then least(60, sum(seconds) over w) else 60 end as mean_over
            from ingest_rate where time > :now::timestamptz - interval '60 seconds'
            window w as (partition by node)) as r(
              time, node, own_seconds, points, rows, records, bytes, lag,
              batch_records, batch_rows, batch_points, batch_millis, seconds)
      group by node, seconds
      """;

  private static final String REJECTED =
      """
      select reason, sum(count)::bigint as total, max(newest_at) as newest_at,
             coalesce(sum(count) filter (where node <> '' and minute > :hour), 0)::bigint as last_hour
      from ingest_rejected where input = 'metrics' group by reason order by total desc, reason
      """;
  private static final String BATCHES =
      """
      select percentile_cont(array[0.5, 0.99]) within group (order by b.records) as records,
             percentile_cont(array[0.5, 0.99]) within group (order by b.rows) as rows,
             percentile_cont(array[0.5, 0.99]) within group (order by b.points) as points,
             percentile_cont(array[0.5, 0.99]) within group (order by b.millis) as millis
      from ingest_rate r
      cross join lateral unnest(r.batch_records, r.batch_rows, r.batch_points, r.batch_millis)
        as b(records, rows, points, millis)
      where r.time > :since
      """;
  private static final String FRESHNESS =
      """
      select o.adapter_kind, o.object_kind,
             percentile_cont(array[0.5, 0.99]) within group (
               order by greatest(0, extract(epoch from :now::timestamptz - l.last_seen)))
               filter (where l.last_seen > :reporting) as ages,
             max(l.last_seen) filter (
               where l.last_seen <= :now::timestamptz + interval '1 minute') as newest
      from object o join object_liveness l on l.object_id = o.id
      where (o.adapter_kind, o.object_kind) <> ('Peerlens', 'IpAddress')
      group by o.adapter_kind, o.object_kind order by count(*) desc, o.adapter_kind, o.object_kind
      """;
  private static final String HISTORY =
      """
      with r as (
        select date_trunc('minute', time) as minute, *
        from ingest_rate where time >= :since and time < :until
      ), at_end as (
        select distinct on (minute, node) minute, lag from r order by minute, node, time desc
      ), lags as (
        select minute, sum(lag)::float8 as lag from at_end group by minute
      ), medians as (
        select r.minute, percentile_cont(0.5) within group (order by b.millis)::float8 as millis
        from r cross join lateral unnest(r.batch_millis) as b(millis) group by r.minute
      ), sums as (
        select minute, sum(points)::float8 / 60 as points, sum(rows)::float8 / 60 as rows
        from r group by minute
      )
      select minute, points, rows, lag, millis
      from sums left join lags using (minute) left join medians using (minute)
      """;
  private static final String REJECTED_BY_MINUTE =
      """
      select minute, sum(count)::float8 / 60 as rejected
      from ingest_rejected where input = 'metrics' and node <> '' and minute >= :since and minute < :until group by minute
      """;

  private record Node(
      String name,
      Instant updatedAt,
      List<NodePartition> partitions,
      Instant minute,
      int newObjects,
      int newMetrics,
      int newSets) {}

  private record Rate(double points, double rows, double records) {}

  private record Freshness(KindFreshness kind, @Nullable Instant newest) {}

  private record Minute(
      double points, double rows, @Nullable Double lag, @Nullable Double millis) {}

  private static final String MATCHED =
      """
      select m ->> 'file' as file, sum((m ->> 'series')::bigint)::bigint as series
      from ingest_node cross join lateral jsonb_array_elements(mappings) as m
      where updated_at > :alive group by 1
      """;

  private final JdbcClient jdbc;
  private final TopicOffsets offsets;
  private final GuardSettings guards;
  private final Supplier<List<IngestStatusPart>> parts;
  private final InstantSource clock;

  private final LoadingCache<Boolean, IngestStatus> kept =
      Caffeine.newBuilder()
          .refreshAfterWrite(KEEP)
          .expireAfterWrite(SHOW)
          .executor(Thread::startVirtualThread)
          .build(all -> gatherWithParts());

  IngestStatusReader(
      JdbcClient jdbc,
      TopicOffsets offsets,
      GuardSettings guards,
      Supplier<List<IngestStatusPart>> parts,
      InstantSource clock) {
    this.jdbc = jdbc;
    this.offsets = offsets;
    this.guards = guards;
    this.parts = parts;
    this.clock = clock;
  }

  /** Series that each mapping file has made on the nodes that are alive, by file. */
  Map<String, Long> matchedSeries() {
    Map<String, Long> matched = new HashMap<>();
    jdbc.sql(MATCHED)
        .param("alive", OffsetDateTime.ofInstant(clock.instant(), ZoneOffset.UTC).minusMinutes(1))
        .query(
            row -> {
              matched.put(row.getString("file"), row.getLong("series"));
            });
    return matched;
  }

  /**
   * The state of ingest, not to be changed. While somebody watches it is about two seconds old; its
   * time says of when it is.
   */
  public IngestStatus read() {
    return kept.get(true);
  }

  private IngestStatus gatherWithParts() {
    Instant now = clock.instant();
    IngestStatus status = gather(now);
    parts.get().forEach(part -> part.addTo(status, now));
    return status;
  }

  private IngestStatus gather(Instant now) {
    List<Node> nodes = nodes(now);
    Map<String, Rate> rates = rates(now);
    List<IngestPartition> partitions =
        offsets.read(
            nodes.stream()
                .map(node -> new TopicOffsets.Reader(node.name, node.updatedAt, node.partitions))
                .toList());
    List<RejectedCount> rejected = rejected(now);
    List<Freshness> freshness = freshness(now);
    Instant newest =
        freshness.stream()
            .map(Freshness::newest)
            .filter(Objects::nonNull)
            .max(Comparator.naturalOrder())
            .orElse(null);
    IngestTotals totals =
        new IngestTotals(
            rates.values().stream().mapToDouble(Rate::points).sum(),
            rates.values().stream().mapToDouble(Rate::rows).sum(),
            rates.values().stream().mapToDouble(Rate::records).sum(),
            TopicOffsets.totalLag(partitions),
            newest,
            newest == null ? null : Math.max(0, Duration.between(newest, now).toMillis() / 1e3),
            rejected.stream().mapToLong(RejectedCount::getLastHour).sum(),
            rejected.stream().mapToLong(RejectedCount::getTotal).sum());
    return new IngestStatus(
        now,
        totals,
        nodes.stream()
            .map(
                node ->
                    new IngestNode(
                        node.name,
                        node.updatedAt,
                        node.partitions.size(),
                        rates.getOrDefault(node.name, new Rate(0, 0, 0)).points))
            .toList(),
        partitions,
        rejected,
        batches(now),
        guardStatus(nodes, rejected, now),
        freshness.stream().map(Freshness::kind).toList(),
        history(now));
  }

  private List<Node> nodes(Instant now) {
    return jdbc.sql(NODES)
        .param("alive", utc(now.minus(NODE_ALIVE)))
        .query(
            (row, number) ->
                new Node(
                    row.getString("node"),
                    instant(row, "updated_at"),
                    List.of(
                        JsonMapper.shared()
                            .readValue(row.getString("partitions"), NodePartition[].class)),
                    instant(row, "minute"),
                    row.getInt("new_objects"),
                    row.getInt("new_metrics"),
                    row.getInt("new_sets")))
        .list();
  }

  private Map<String, Rate> rates(Instant now) {
    Map<String, Rate> rates = new TreeMap<>();
    jdbc.sql(RATES)
        .param("now", utc(now))
        .query(
            row -> {
              rates.put(
                  row.getString("node"),
                  new Rate(
                      row.getDouble("points"), row.getDouble("rows"), row.getDouble("records")));
            });
    return rates;
  }

  private List<RejectedCount> rejected(Instant now) {
    return jdbc.sql(REJECTED)
        .param("hour", utc(now.minus(1, ChronoUnit.HOURS)))
        .query(
            (row, number) ->
                new RejectedCount(
                    row.getString("reason"),
                    row.getLong("total"),
                    row.getLong("last_hour"),
                    instant(row, "newest_at")))
        .list();
  }

  private BatchStatistics batches(Instant now) {
    return jdbc.sql(BATCHES)
        .param("since", utc(now.minus(5, ChronoUnit.MINUTES)))
        .query(
            (row, number) -> {
              Double[] records = percentiles(row, "records");
              Double[] rows = percentiles(row, "rows");
              Double[] points = percentiles(row, "points");
              Double[] millis = percentiles(row, "millis");
              return new BatchStatistics(
                  records[0],
                  records[1],
                  rows[0],
                  rows[1],
                  points[0],
                  points[1],
                  millis[0],
                  millis[1]);
            })
        .single();
  }

  private List<GuardStatus> guardStatus(
      List<Node> nodes, List<RejectedCount> rejected, Instant now) {
    IngestGuards limits = guards.get();
    Instant minute = now.truncatedTo(ChronoUnit.MINUTES);
    long newObjects = 0;
    long newMetrics = 0;
    long newSets = 0;
    for (Node node : nodes) {
      if (node.minute.equals(minute)) {
        newObjects = Math.max(newObjects, node.newObjects);
        newMetrics = Math.max(newMetrics, node.newMetrics);
        newSets = Math.max(newSets, node.newSets);
      }
    }
    return List.of(
        guard(
            GuardKind.NEW_OBJECTS_PER_MINUTE,
            limits.newObjectsPerMinute(),
            "objects/min",
            newObjects,
            RejectReason.NEW_OBJECTS,
            rejected),
        guard(
            GuardKind.NEW_METRIC_NAMES_PER_MINUTE,
            limits.newMetricsPerMinute(),
            "names/min",
            newMetrics,
            RejectReason.NEW_METRICS,
            rejected),
        guard(
            GuardKind.NEW_SETS_PER_MINUTE,
            limits.newSetsPerMinute(),
            "sets/min",
            newSets,
            RejectReason.NEW_SETS,
            rejected),
        guard(
            GuardKind.TOO_FAR_IN_FUTURE,
            limits.maxFuture().toSeconds(),
            "s",
            null,
            RejectReason.FUTURE,
            rejected),
        guard(
            GuardKind.OVERSIZED_RECORD,
            limits.maxRecordBytes(),
            "bytes",
            null,
            RejectReason.OVERSIZED,
            rejected));
  }

  private static GuardStatus guard(
      GuardKind kind,
      long limit,
      String unit,
      @Nullable Long current,
      RejectReason reason,
      List<RejectedCount> rejected) {
    Optional<RejectedCount> held =
        rejected.stream().filter(r -> r.getReason().equals(reason.code())).findFirst();
    return new GuardStatus(
        kind,
        limit,
        unit,
        current,
        held.map(RejectedCount::getTotal).orElse(0L),
        held.map(RejectedCount::getLastHour).orElse(0L));
  }

  private List<Freshness> freshness(Instant now) {
    return jdbc.sql(FRESHNESS)
        .param("now", utc(now))
        .param("reporting", utc(now.minus(1, ChronoUnit.HOURS)))
        .query(
            (row, number) -> {
              Double[] ages = percentiles(row, "ages");
              return new Freshness(
                  new KindFreshness(
                      row.getString("adapter_kind"),
                      row.getString("object_kind"),
                      ages[0],
                      ages[1]),
                  instant(row, "newest"));
            })
        .list();
  }

  private IngestHistory history(Instant now) {
    Instant until = now.truncatedTo(ChronoUnit.MINUTES);
    Instant since = until.minus(1, ChronoUnit.HOURS);
    Map<Instant, Minute> minutes = new HashMap<>();
    jdbc.sql(HISTORY)
        .param("since", utc(since))
        .param("until", utc(until))
        .query(
            row -> {
              minutes.put(
                  instant(row, "minute"),
                  new Minute(
                      row.getDouble("points"),
                      row.getDouble("rows"),
                      (Double) row.getObject("lag"),
                      (Double) row.getObject("millis")));
            });
    Map<Instant, Double> rejected = new HashMap<>();
    jdbc.sql(REJECTED_BY_MINUTE)
        .param("since", utc(since))
        .param("until", utc(until))
        .query(
            row -> {
              rejected.put(instant(row, "minute"), row.getDouble("rejected"));
            });
    IngestHistory history =
        new IngestHistory(
            new ArrayList<>(),
            new ArrayList<>(),
            new ArrayList<>(),
            new ArrayList<>(),
            new ArrayList<>(),
            new ArrayList<>());
    for (Instant time = since; time.isBefore(until); time = time.plus(1, ChronoUnit.MINUTES)) {
      Minute minute = minutes.get(time);
      history.getTimes().add(time.toEpochMilli());
      history.getPointsPerSecond().add(minute == null ? null : minute.points);
      history.getRowsPerSecond().add(minute == null ? null : minute.rows);
      history
          .getRejectedPerSecond()
          .add(minute == null ? rejected.get(time) : rejected.getOrDefault(time, 0.0));
      history.getLag().add(minute == null ? null : minute.lag);
      history.getCommitMillis().add(minute == null ? null : minute.millis);
    }
    return history;
  }

  /** Two percentiles; both null when there was nothing. */
  private static Double[] percentiles(ResultSet row, String column) throws SQLException {
    java.sql.Array array = row.getArray(column);
    return array == null ? new Double[2] : (Double[]) array.getArray();
  }
}
