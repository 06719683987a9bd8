package io.peerlens.flow;

import static io.peerlens.database.Times.instantOrNull;
import static io.peerlens.database.Times.utc;

import io.peerlens.api.model.FlowIngestHistory;
import io.peerlens.api.model.FlowIngestNode;
import io.peerlens.api.model.FlowIngestStatus;
import io.peerlens.api.model.FlowObserver;
import io.peerlens.api.model.IngestPartition;
import io.peerlens.api.model.IngestStatus;
import io.peerlens.api.model.RejectedCount;
import io.peerlens.ingest.flow.FlowVersion;
import io.peerlens.samples.IngestStatusPart;
import io.peerlens.samples.NodePartition;
import io.peerlens.samples.TopicOffsets;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import tools.jackson.databind.json.JsonMapper;

/** The state of reading flows over all nodes, from the tables they write and from Kafka. */
final class FlowStatusQueries implements IngestStatusPart {

  /** A node that reports every two seconds and was silent for so long is gone. */
  private static final Duration NODE_ALIVE = Duration.ofSeconds(30);

  private static final int MOST_OBSERVERS = 200;

  private static final String NODES =
      """
      select node, updated_at, partitions, beyond_guard, trouble
      from flow_node where updated_at > :alive order by node
      """;

  /** A node that still reports has its mean over what it reported, one that began just now too. */
  private static final String RATES =
      """
      select node, sum(records) / over_s as records, sum(bytes) / over_s as bytes,
             sum(flows) / over_s as flows, sum(rows) / over_s as rows
      from (select *, case when max(time) over w > :now::timestamptz - interval '25 seconds'
                           then least(60, sum(seconds) over w) else 60 end as over_s
            from flow_rate where time > :now::timestamptz - interval '60 seconds'
            window w as (partition by node)) r
      group by node, over_s
      """;

  private static final String LATE =
      "select coalesce(sum(late), 0)::bigint from flow_rate where time > :hour";
  private static final String REJECTED =
      """
      select reason, sum(count)::bigint as total, max(newest_at) as newest_at,
             coalesce(sum(count) filter (where node <> '' and minute > :hour), 0)::bigint as last_hour
      from ingest_rejected where input = 'flows' group by reason order by total desc, reason
      """;
  private static final String LETTERS = "select count(*) from dead_letter where topic = :topic";
  private static final String SHARES =
      """
      select sum(duplicate_bytes) / nullif(sum(bytes) + sum(duplicate_bytes), 0)::float8 as duplicate,
             sum(folded_bytes) / nullif(sum(bytes), 0)::float8 as folded
      from flow_bucket where level = '5m' and time >= :hour
      """;
  private static final String ROLLED =
      "select rolled_until from flow_level_state where level = '5m'";
  private static final String ADDRESSES =
      "select count(*) from object where adapter_kind = :adapterKind and object_kind = :objectKind";
  private static final String OBSERVERS =
      """
      select host(o.exporter) as exporter, o.domain, o.version, o.first_seen, o.last_seen,
             e.population / nullif(e.sampled, 0)::float8 as sampling, s.system_start
      from flow_observer o
      left join lateral (
        select population, sampled from flow_exporter
        where address = o.exporter and version = o.version and population > 0 and sampled > 0
        order by sampler limit 1) e on true
      left join lateral (
        select max(system_start) as system_start from flow_exporter
        where address = o.exporter and version = o.version) s on true
      order by o.last_seen desc, o.exporter, o.domain, o.version limit :most
      """;
  private static final String COUNT_OBSERVERS = "select count(*) from flow_observer";
  private static final String HISTORY =
      """
      with r as (
        select date_trunc('minute', time) as minute, *
        from flow_rate where time >= :since and time < :until
      ), at_end as (
        select distinct on (minute, node) minute, lag from r order by minute, node, time desc
      ), lags as (
        select minute, sum(lag)::float8 as lag from at_end group by minute
      ), sums as (
        select minute, sum(flows)::float8 / 60 as flows, avg(millis) as millis from r group by minute
      )
      select minute, flows, millis, lag from sums left join lags using (minute)
      """;
  private static final String REJECTED_BY_MINUTE =
      """
      select minute, sum(count)::float8 / 60 as rejected
      from ingest_rejected
      where input = 'flows' and node <> '' and minute >= :since and minute < :until group by minute
      """;

  private record Rate(double records, double bytes, double flows, double rows) {}

  private record Node(TopicOffsets.Reader reader, long beyondGuard, String trouble) {}

  private record Minute(double flows, @Nullable Double millis, @Nullable Double lag) {}

  private record Shares(@Nullable Double duplicate, @Nullable Double folded) {}

  private final JdbcClient jdbc;
  private final TopicOffsets offsets;
  private final FlowProperties properties;

  FlowStatusQueries(JdbcClient jdbc, TopicOffsets offsets, FlowProperties properties) {
    this.jdbc = jdbc;
    this.offsets = offsets;
    this.properties = properties;
  }

  @Override
  public void addTo(IngestStatus status, Instant now) {
    if (properties.enabled()) {
      status.flows(read(now));
    }
  }

  private FlowIngestStatus read(Instant now) {
    OffsetDateTime hourAgo = utc(now.minus(1, ChronoUnit.HOURS));
    List<Node> nodes = nodes(now);
    Map<String, Rate> rates = rates(now);
    List<IngestPartition> partitions = offsets.read(nodes.stream().map(Node::reader).toList());
    List<RejectedCount> rejected = rejected(hourAgo);
    Shares shares =
        jdbc.sql(SHARES)
            .param("hour", hourAgo)
            .query((row, number) -> new Shares(real(row, "duplicate"), real(row, "folded")))
            .single();
    return new FlowIngestStatus(
        properties.topic(),
        rates.values().stream().mapToDouble(Rate::records).sum(),
        rates.values().stream().mapToDouble(Rate::flows).sum(),
        rates.values().stream().mapToDouble(Rate::bytes).sum(),
        rates.values().stream().mapToDouble(Rate::rows).sum(),
        jdbc.sql(LATE).param("hour", hourAgo).query(Long.class).single(),
        TopicOffsets.totalLag(partitions),
        rejected.stream().mapToLong(RejectedCount::getLastHour).sum(),
        rejected.stream().mapToLong(RejectedCount::getTotal).sum(),
        rejected,
        jdbc.sql(LETTERS).param("topic", properties.topic()).query(Long.class).single(),
        shares.duplicate,
        shares.folded,
        jdbc.sql(ROLLED)
            .query((row, number) -> Optional.ofNullable(instantOrNull(row, "rolled_until")))
            .single()
            .orElse(null),
        jdbc.sql(ADDRESSES)
            .param("adapterKind", AddressQueries.ADAPTER_KIND)
            .param("objectKind", AddressQueries.OBJECT_KIND)
            .query(Long.class)
            .single(),
        properties.maxAddressObjects(),
        nodes.stream().mapToLong(Node::beyondGuard).sum(),
        nodes.stream().map(node -> answer(node, rates)).toList(),
        partitions,
        observers(),
        jdbc.sql(COUNT_OBSERVERS).query(Long.class).single(),
        history(now));
  }

  private static FlowIngestNode answer(Node node, Map<String, Rate> rates) {
    TopicOffsets.Reader reader = node.reader;
    return new FlowIngestNode(
        reader.node(),
        reader.updatedAt(),
        reader.partitions().size(),
        rates.getOrDefault(reader.node(), new Rate(0, 0, 0, 0)).flows,
        node.trouble.isEmpty() ? null : node.trouble);
  }

  private List<Node> nodes(Instant now) {
    return jdbc.sql(NODES)
        .param("alive", utc(now.minus(NODE_ALIVE)))
        .query(
            (row, number) ->
                new Node(
                    new TopicOffsets.Reader(
                        row.getString("node"),
                        row.getObject("updated_at", OffsetDateTime.class).toInstant(),
                        List.of(
                            JsonMapper.shared()
                                .readValue(row.getString("partitions"), NodePartition[].class))),
                    row.getLong("beyond_guard"),
                    row.getString("trouble")))
        .list();
  }

  private Map<String, Rate> rates(Instant now) {
    Map<String, Rate> rates = new HashMap<>();
    jdbc.sql(RATES)
        .param("now", utc(now))
        .query(
            row -> {
              rates.put(
                  row.getString("node"),
                  new Rate(
                      row.getDouble("records"),
                      row.getDouble("bytes"),
                      row.getDouble("flows"),
                      row.getDouble("rows")));
            });
    return rates;
  }

  private List<RejectedCount> rejected(OffsetDateTime hourAgo) {
    return jdbc.sql(REJECTED)
        .param("hour", hourAgo)
        .query(
            (row, number) ->
                new RejectedCount(
                    row.getString("reason"),
                    row.getLong("total"),
                    row.getLong("last_hour"),
                    instantOrNull(row, "newest_at")))
        .list();
  }

  private List<FlowObserver> observers() {
    return jdbc.sql(OBSERVERS)
        .param("most", MOST_OBSERVERS)
        .query(
            (row, number) ->
                new FlowObserver(
                    row.getString("exporter"),
                    row.getLong("domain"),
                    version(FlowVersion.of(row.getInt("version"))),
                    row.getObject("first_seen", OffsetDateTime.class).toInstant(),
                    row.getObject("last_seen", OffsetDateTime.class).toInstant(),
                    real(row, "sampling"),
                    instantOrNull(row, "system_start")))
        .list();
  }

  private static FlowObserver.VersionEnum version(FlowVersion version) {
    return switch (version) {
      case UNKNOWN -> FlowObserver.VersionEnum.UNKNOWN;
      case SFLOW_5 -> FlowObserver.VersionEnum.SFLOW_5;
      case NETFLOW_V5 -> FlowObserver.VersionEnum.NETFLOW_5;
      case NETFLOW_V9 -> FlowObserver.VersionEnum.NETFLOW_9;
      case IPFIX -> FlowObserver.VersionEnum.IPFIX;
    };
  }

  private FlowIngestHistory history(Instant now) {
    Instant until = now.truncatedTo(ChronoUnit.MINUTES);
    Instant since = until.minus(1, ChronoUnit.HOURS);
    Map<Instant, Minute> minutes = new HashMap<>();
    jdbc.sql(HISTORY)
        .param("since", utc(since))
        .param("until", utc(until))
        .query(
            row -> {
              minutes.put(
                  row.getObject("minute", OffsetDateTime.class).toInstant(),
                  new Minute(row.getDouble("flows"), real(row, "millis"), real(row, "lag")));
            });
    Map<Instant, Double> rejected = new HashMap<>();
    jdbc.sql(REJECTED_BY_MINUTE)
        .param("since", utc(since))
        .param("until", utc(until))
        .query(
            row -> {
              rejected.put(
                  row.getObject("minute", OffsetDateTime.class).toInstant(),
                  row.getDouble("rejected"));
            });
    FlowIngestHistory history =
        new FlowIngestHistory(
            new ArrayList<>(),
            new ArrayList<>(),
            new ArrayList<>(),
            new ArrayList<>(),
            new ArrayList<>());
    for (Instant time = since; time.isBefore(until); time = time.plus(1, ChronoUnit.MINUTES)) {
      Minute minute = minutes.get(time);
      history.getTimes().add(time.toEpochMilli());
      history.getFlowsPerSecond().add(minute == null ? null : minute.flows);
      history
          .getRejectedPerSecond()
          .add(minute == null ? rejected.get(time) : rejected.getOrDefault(time, 0.0));
      history.getLag().add(minute == null ? null : minute.lag);
      history.getCommitMillis().add(minute == null ? null : minute.millis);
    }
    return history;
  }

  private static @Nullable Double real(ResultSet row, String column) throws SQLException {
    double value = row.getDouble(column);
    return row.wasNull() ? null : value;
  }
}
