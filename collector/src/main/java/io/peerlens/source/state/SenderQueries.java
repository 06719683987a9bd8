package io.peerlens.source.state;

import static io.peerlens.database.Times.instant;
import static io.peerlens.database.Times.instantOrNull;
import static io.peerlens.database.Times.utc;

import io.peerlens.flow.decode.FlowVersion;
import io.peerlens.ingest.sender.Sender;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Queries of who sends by themselves. */
final class SenderQueries {

  /** What came is reported so often, and once more until it is stored. */
  private static final Duration DELAY = Duration.ofSeconds(15);

  private static final Duration LISTED = Duration.ofDays(7);

  private static final String SENDERS =
      """
      select kind, name, plugins, first_at, last_at, newest_at, offset_ms, gaps, objects
      from sender where last_at >= :from order by kind, name, last_at
      """;

  private static final String RATES =
      "select kind, name, bucket, sum(lines)::bigint as lines from sender_rate where bucket >= :from group by 1, 2, 3";

  private static final String OBSERVERS =
      """
      select o.id, host(o.exporter) as exporter, o.version, o.first_seen, o.last_seen,
             e.population / nullif(e.sampled, 0)::float8 as sampling
      from flow_observer o
      left join lateral (
        select population, sampled from flow_exporter
        where address = o.exporter and version = o.version and population > 0 and sampled > 0
        order by sampler limit 1) e on true
      where o.last_seen >= :from order by o.exporter, o.version
      """;

  private static final String READ_UNTIL =
      """
      select (select max(stored_until) from ingest_node) as samples,
             (select max(updated_at) from flow_node) as flows
      """;

  private final JdbcClient jdbc;

  SenderQueries(JdbcClient jdbc) {
    this.jdbc = jdbc;
  }

  /** A sender, over all nodes that take in what it sends. */
  static final class Sent {
    final TreeSet<String> plugins = new TreeSet<>();
    Instant firstAt = Instant.MAX;
    Instant lastAt = Instant.MIN;
    Instant newestAt = Instant.MIN;
    @Nullable Duration offset;
    @Nullable Duration interval;
    long objects;
    Trend trend;

    private Sent(Trend trend) {
      this.trend = trend;
    }

    private void add(ResultSet row) throws SQLException {
      plugins.addAll(List.of((String[]) row.getArray("plugins").getArray()));
      firstAt = earlier(firstAt, instant(row, "first_at"));
      Instant last = instant(row, "last_at");
      if (last.isAfter(lastAt)) {
        lastAt = last;
        newestAt = instant(row, "newest_at");
        long millis = row.getLong("offset_ms");
        offset = row.wasNull() ? offset : Duration.ofMillis(millis);
      }
      objects = Math.max(objects, row.getLong("objects"));
      Duration here = usual(OwnStateQueries.durations(row.getArray("gaps")));
      if (here != null && (interval == null || here.compareTo(interval) < 0)) {
        interval = here;
      }
    }

    /**
     * The second longest, so that neither records in quick succession nor one long silence make it.
     */
    private static @Nullable Duration usual(List<Duration> gaps) {
      return gaps.isEmpty()
          ? null
          : gaps.stream()
              .sorted(Comparator.reverseOrder())
              .toList()
              .get(Math.min(1, gaps.size() - 1));
    }
  }

  /**
   * A device that reports flows.
   *
   * @param detail what it sends
   * @param sent null = nothing is counted yet, or too many others are
   */
  record Exporter(
      String address, String detail, Instant firstAt, Instant lastAt, @Nullable Sent sent) {}

  /**
   * Up to when Kafka is read; null = nobody reads it.
   *
   * @param flows when a node that reads flows last said that it lives
   */
  record ReadUntil(@Nullable Instant samples, @Nullable Instant flows) {}

  /** Those that sent something in the last week. */
  Map<Sender, Sent> senders(Instant now) {
    Map<Sender, Sent> senders = new HashMap<>();
    jdbc.sql(SENDERS)
        .param("from", utc(now.minus(LISTED)))
        .query(
            row -> {
              senders.computeIfAbsent(sender(row), one -> new Sent(new Trend(now, DELAY))).add(row);
            });
    jdbc.sql(RATES)
        .param("from", utc(Trend.from(now)))
        .query(
            row -> {
              Sent sent = senders.get(sender(row));
              if (sent != null) {
                sent.trend.add(instant(row, "bucket"), row.getLong("lines"));
              }
            });
    return senders;
  }

  private static Sender sender(ResultSet row) throws SQLException {
    return new Sender(
        Sender.Kind.valueOf(row.getString("kind").toUpperCase(Locale.ROOT)), row.getString("name"));
  }

  /** Devices that reported flows in the last week, by address. */
  List<Exporter> exporters(Map<Sender, Sent> senders, Instant now) {
    record Observer(String exporter, int id, String detail, Instant firstSeen, Instant lastSeen) {}
    List<Observer> observers =
        jdbc.sql(OBSERVERS)
            .param("from", utc(now.minus(LISTED)))
            .query(
                (row, number) ->
                    new Observer(
                        row.getString("exporter"),
                        row.getInt("id"),
                        detail(FlowVersion.of(row.getInt("version")), row.getDouble("sampling")),
                        instant(row, "first_seen"),
                        instant(row, "last_seen")))
            .list();
    Map<String, List<Observer>> byAddress = new HashMap<>();
    observers.forEach(
        one -> byAddress.computeIfAbsent(one.exporter, address -> new ArrayList<>()).add(one));
    List<Exporter> exporters = new ArrayList<>();
    byAddress.forEach(
        (address, all) -> {
          TreeSet<String> details = new TreeSet<>();
          Instant first = Instant.MAX;
          Instant last = Instant.MIN;
          Sent sum = null;
          for (Observer one : all) {
            details.add(one.detail);
            first = earlier(first, one.firstSeen);
            last = later(last, one.lastSeen);
            Sent sent = senders.get(new Sender(Sender.Kind.FLOWS, Integer.toString(one.id)));
            if (sent != null) {
              last = later(last, sent.lastAt);
              sum = sum == null ? sent : together(sum, sent);
            }
          }
          exporters.add(new Exporter(address, String.join("; ", details), first, last, sum));
        });
    return exporters;
  }

  private static Sent together(Sent one, Sent other) {
    Sent newer = one.lastAt.isAfter(other.lastAt) ? one : other;
    Sent both = new Sent(one.trend.plus(other.trend));
    both.firstAt = earlier(one.firstAt, other.firstAt);
    both.lastAt = newer.lastAt;
    both.newestAt = newer.newestAt;
    both.offset = newer.offset;
    both.interval = newer.interval;
    return both;
  }

  private static String detail(FlowVersion version, double sampling) {
    String name =
        switch (version) {
          case UNKNOWN -> "flows";
          case SFLOW_5 -> "sFlow 5";
          case NETFLOW_V5 -> "NetFlow 5";
          case NETFLOW_V9 -> "NetFlow 9";
          case IPFIX -> "IPFIX";
        };
    return sampling > 1 ? name + ", sampled 1:" + Math.round(sampling) : name;
  }

  ReadUntil readUntil() {
    return Objects.requireNonNull(
        jdbc.sql(READ_UNTIL)
            .query(
                (row, number) ->
                    new ReadUntil(instantOrNull(row, "samples"), instantOrNull(row, "flows")))
            .single());
  }

  private static Instant earlier(Instant one, Instant other) {
    return one.isBefore(other) ? one : other;
  }

  private static Instant later(Instant one, Instant other) {
    return one.isAfter(other) ? one : other;
  }
}
