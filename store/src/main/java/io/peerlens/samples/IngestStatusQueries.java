package io.peerlens.samples;

import static io.peerlens.database.Times.instant;
import static io.peerlens.database.Times.instantOrNull;
import static io.peerlens.database.Times.utc;

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
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Status of the ingest of samples over all nodes, from the tables they write and from Kafka. */
final class IngestStatusQueries {

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
      where (o.adapter_kind, o.object_kind) <> ('Peerlens', 'IpAddress') and o.removed_at is null
      group by o.adapter_kind, o.object_kind order by count(*) desc, o.adapter_kind, o.object_kind
      """;
  private static final String COMMITS =
      """
      select r.minute, percentile_cont(0.5) within group (order by b.millis)::float8 as millis
      from r cross join lateral unnest(r.batch_millis) as b(millis)""";
  private static final String MATCHED =
      """
      select m ->> 'file' as file, sum((m ->> 'series')::bigint)::bigint as series
      from ingest_node cross join lateral jsonb_array_elements(mappings) as m
      where updated_at > :alive group by 1
      """;

  private record Node(
      TopicOffsets.Reader reader, Instant minute, int newObjects, int newMetrics, int newSets) {}

  private record Freshness(KindFreshness kind, @Nullable Instant newest) {}

  private final JdbcClient jdbc;
  private final TopicOffsets offsets;
  private final GuardSettings guards;
  private final TopicStatus topic;

  IngestStatusQueries(JdbcClient jdbc, TopicOffsets offsets, GuardSettings guards) {
    this.jdbc = jdbc;
    this.offsets = offsets;
    this.guards = guards;
    topic = new TopicStatus(jdbc, "ingest", "metrics");
  }

  /** Counts the series that each mapping file has made on the nodes that are alive, by file. */
  Map<String, Long> matchedSeries(Instant now) {
    Map<String, Long> matched = new HashMap<>();
    jdbc.sql(MATCHED)
        .param("alive", utc(now.minus(1, ChronoUnit.MINUTES)))
        .query(
            row -> {
              matched.put(row.getString("file"), row.getLong("series"));
            });
    return matched;
  }

  /** Reads the status; other inputs have to add theirs. */
  IngestStatus read(Instant now) {
    List<Node> nodes =
        topic.nodes(
            now,
            (row, number) ->
                new Node(
                    TopicStatus.reader(row),
                    instant(row, "minute"),
                    row.getInt("new_objects"),
                    row.getInt("new_metrics"),
                    row.getInt("new_sets")));
    TopicStatus.Rates rates = topic.rates(now, "points", "rows", "records");
    List<IngestPartition> partitions = offsets.read(nodes.stream().map(Node::reader).toList());
    List<RejectedCount> rejected = topic.rejected(now);
    List<Freshness> freshness = freshness(now);
    Instant newest =
        freshness.stream()
            .map(Freshness::newest)
            .filter(Objects::nonNull)
            .max(Comparator.naturalOrder())
            .orElse(null);
    IngestTotals totals =
        new IngestTotals(
            rates.total("points"),
            rates.total("rows"),
            rates.total("records"),
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
                        node.reader.node(),
                        node.reader.updatedAt(),
                        node.reader.partitions().size(),
                        rates.of(node.reader.node(), "points")))
            .toList(),
        partitions,
        rejected,
        batches(now),
        guardStatus(nodes, rejected, now),
        freshness.stream().map(Freshness::kind).toList(),
        history(now));
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
                  instantOrNull(row, "newest"));
            })
        .list();
  }

  private IngestHistory history(Instant now) {
    IngestHistory history =
        new IngestHistory(
            new ArrayList<>(),
            new ArrayList<>(),
            new ArrayList<>(),
            new ArrayList<>(),
            new ArrayList<>(),
            new ArrayList<>());
    for (TopicStatus.Minute minute : topic.history(now, COMMITS, "points", "rows")) {
      history.getTimes().add(minute.time().toEpochMilli());
      history.getPointsPerSecond().add(minute.perSecond(0));
      history.getRowsPerSecond().add(minute.perSecond(1));
      history.getRejectedPerSecond().add(minute.rejected());
      history.getLag().add(minute.lag());
      history.getCommitMillis().add(minute.millis());
    }
    return history;
  }

  /** Two percentiles; both null when there was nothing. */
  private static Double[] percentiles(ResultSet row, String column) throws SQLException {
    java.sql.Array array = row.getArray(column);
    return array == null ? new Double[2] : (Double[]) array.getArray();
  }
}
