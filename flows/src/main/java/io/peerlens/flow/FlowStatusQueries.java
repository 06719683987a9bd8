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
import io.peerlens.flow.decode.FlowVersion;
import io.peerlens.samples.IngestStatusPart;
import io.peerlens.samples.TopicOffsets;
import io.peerlens.samples.TopicStatus;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Status of the ingest of flows over all nodes, from the tables they write and from Kafka. */
final class FlowStatusQueries implements IngestStatusPart {

  private static final int MOST_OBSERVERS = 200;

  private static final String LATE =
      "select coalesce(sum(late), 0)::bigint from flow_rate where time > :hour";
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
  private static final String COMMITS = "select minute, avg(millis)::float8 as millis from r";

  private record Node(TopicOffsets.Reader reader, long beyondGuard, String trouble) {}

  private record Shares(@Nullable Double duplicate, @Nullable Double folded) {}

  private final JdbcClient jdbc;
  private final TopicOffsets offsets;
  private final FlowProperties properties;
  private final TopicStatus topic;

  FlowStatusQueries(JdbcClient jdbc, TopicOffsets offsets, FlowProperties properties) {
    this.jdbc = jdbc;
    this.offsets = offsets;
    this.properties = properties;
    topic = new TopicStatus(jdbc, "flow", "flows");
  }

  @Override
  public void addTo(IngestStatus status, Instant now) {
    if (properties.enabled()) {
      status.flows(read(now));
    }
  }

  private FlowIngestStatus read(Instant now) {
    OffsetDateTime hourAgo = utc(now.minus(1, ChronoUnit.HOURS));
    List<Node> nodes =
        topic.nodes(
            now,
            (row, number) ->
                new Node(
                    TopicStatus.reader(row),
                    row.getLong("beyond_guard"),
                    row.getString("trouble")));
    TopicStatus.Rates rates = topic.rates(now, "records", "flows", "bytes", "rows");
    List<IngestPartition> partitions = offsets.read(nodes.stream().map(Node::reader).toList());
    List<RejectedCount> rejected = topic.rejected(now);
    Shares shares =
        jdbc.sql(SHARES)
            .param("hour", hourAgo)
            .query(
                (row, number) ->
                    new Shares(TopicStatus.real(row, "duplicate"), TopicStatus.real(row, "folded")))
            .single();
    return new FlowIngestStatus(
        properties.topic(),
        rates.total("records"),
        rates.total("flows"),
        rates.total("bytes"),
        rates.total("rows"),
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

  private static FlowIngestNode answer(Node node, TopicStatus.Rates rates) {
    TopicOffsets.Reader reader = node.reader;
    return new FlowIngestNode(
        reader.node(),
        reader.updatedAt(),
        reader.partitions().size(),
        rates.of(reader.node(), "flows"),
        node.trouble.isEmpty() ? null : node.trouble);
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
                    TopicStatus.real(row, "sampling"),
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
    FlowIngestHistory history =
        new FlowIngestHistory(
            new ArrayList<>(),
            new ArrayList<>(),
            new ArrayList<>(),
            new ArrayList<>(),
            new ArrayList<>());
    for (TopicStatus.Minute minute : topic.history(now, COMMITS, "flows")) {
      history.getTimes().add(minute.time().toEpochMilli());
      history.getFlowsPerSecond().add(minute.perSecond(0));
      history.getRejectedPerSecond().add(minute.rejected());
      history.getLag().add(minute.lag());
      history.getCommitMillis().add(minute.millis());
    }
    return history;
  }
}
