package io.peerlens.flow;

import io.peerlens.database.NamedStatement;
import io.peerlens.ingest.flow.FlowMetric;
import io.peerlens.ingest.flow.FlowPart;
import io.peerlens.ingest.flow.ServiceName;
import io.peerlens.ingest.flow.ServicePorts;
import io.peerlens.ingest.flow.TalkerMeasure;
import io.peerlens.ingest.flow.TrafficType;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.dao.DataAccessResourceFailureException;

/**
 * Flow metrics of the past, made from the flows that are kept: by 5 minutes as far back as there
 * are any, by hours before that. What was folded there belongs to no service, so a metric by
 * service may be less than it was; those that are computed with the bucket are exact. Thread-safe.
 */
public final class FlowHistoryQueries {

  private static final int BUCKET = 300;
  private static final int HOUR = 3600;

  private static final String KEPT_FROM =
      """
      select case when kept_from > '-infinity' then extract(epoch from kept_from)::bigint end
      from flow_level_state where level = '5m'
      """;

  /** A host counts with what runs on it. */
  private static final String ENDS =
      """
      select e.id, e.object_id from endpoint e where e.object_id = any (:objects)
      union
      select e.id, h.host from (
        select r.child_id, min(p.id) as host from relation r join object p on p.id = r.parent_id
        where p.object_kind = 'HostSystem' group by r.child_id) h
      join endpoint e on e.object_id = h.child_id
      where h.host = any (:objects)
      """;

  private static final String SUMS =
      """
      select extract(epoch from f.time)::bigint, x.object_id, sum(f.bytes)::bigint, sum(f.packets)::bigint,
             sum(f.sessions)::bigint, sum(f.resets)::bigint, sum(f.drops)::bigint
      from %1$s f
      join unnest(:endpoints::int[], :objects::int[]) as x(endpoint, object_id) on x.endpoint = f.%2$s
      left join endpoint s on s.id = f.src
      left join endpoint d on d.id = f.dst
      where f.time >= :from and f.time < :to and f.%2$s = any (:endpoints) and (%3$s) and (%4$s)
      group by 1, 2
      """;

  private static final List<TalkerMeasure> SUMMED =
      List.of(
          TalkerMeasure.BYTES,
          TalkerMeasure.PACKETS,
          TalkerMeasure.SESSIONS,
          TalkerMeasure.RESETS,
          TalkerMeasure.DROPS);

  private static final String WITH_PORTS =
      IntStream.range(0, 256)
          .filter(ServicePorts::hasPorts)
          .mapToObj(String::valueOf)
          .collect(Collectors.joining(", "));

  private final DataSource dataSource;

  /** Uses a connection for each call. */
  public FlowHistoryQueries(DataSource dataSource) {
    this.dataSource = dataSource;
  }

  /**
   * Reads buckets that follow one another.
   *
   * @param objects internal ids
   * @param from start of the first bucket, a multiple of 5 minutes
   * @param width a multiple of 5 minutes
   * @return {@code [metric][bucket][object]}; 0 where there was no such traffic
   */
  public double[][][] read(
      List<FlowMetric.Of> metrics, int[] objects, Instant from, int buckets, Duration width) {
    double[][][] values = new double[metrics.size()][buckets][objects.length];
    Map<FlowPart, List<Integer>> byPart = new LinkedHashMap<>();
    for (int m = 0; m < metrics.size(); m++) {
      byPart.computeIfAbsent(metrics.get(m).part(), p -> new ArrayList<>()).add(m);
    }
    long begin = from.getEpochSecond();
    long end = begin + buckets * width.toSeconds();
    try (Connection connection = dataSource.getConnection()) {
      Ends ends = ends(connection, objects);
      long kept = Math.clamp(keptFrom(connection), begin, end);
      // An hour of which some buckets are gone is read as a whole.
      kept = Math.min(end, Math.ceilDiv(kept - begin, HOUR) * HOUR + begin);
      for (Map.Entry<FlowPart, List<Integer>> one : byPart.entrySet()) {
        Reading reading =
            new Reading(metrics, one.getValue(), objects, values, begin, width.toSeconds());
        for (boolean sent : new boolean[] {true, false}) {
          if (one.getValue().stream().anyMatch(m -> metrics.get(m).metric().received() != sent)) {
            reading.read(connection, "flow_1h", HOUR, one.getKey(), ends, sent, begin, kept);
            reading.read(connection, "flow_5m", BUCKET, one.getKey(), ends, sent, kept, end);
          }
        }
      }
    } catch (SQLException e) {
      throw new DataAccessResourceFailureException(
          "Flows of the past could not be read: " + e.getMessage(), e);
    }
    return values;
  }

  /** Endpoints, and the object that each of them counts for. */
  private record Ends(List<Integer> endpoints, List<Integer> objects) {}

  private static Ends ends(Connection connection, int[] objects) throws SQLException {
    Ends ends = new Ends(new ArrayList<>(), new ArrayList<>());
    try (NamedStatement statement = new NamedStatement(connection, ENDS)) {
      ResultSet row = statement.set("objects", objects).query();
      while (row.next()) {
        ends.endpoints().add(row.getInt(1));
        ends.objects().add(row.getInt(2));
      }
    }
    return ends;
  }

  private static long keptFrom(Connection connection) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(KEPT_FROM);
        ResultSet row = statement.executeQuery()) {
      long kept = row.next() ? row.getLong(1) : 0;
      return kept;
    }
  }

  /** The metrics of one part. */
  private static final class Reading {
    private final List<FlowMetric.Of> metrics;
    private final List<Integer> wanted;
    private final double[][][] values;
    private final long begin;
    private final long width;
    private final Map<Integer, Integer> places = new HashMap<>();

    Reading(
        List<FlowMetric.Of> metrics,
        List<Integer> wanted,
        int[] objects,
        double[][][] values,
        long begin,
        long width) {
      this.metrics = metrics;
      this.wanted = wanted;
      this.values = values;
      this.begin = begin;
      this.width = width;
      for (int i = 0; i < objects.length; i++) {
        places.put(objects[i], i);
      }
    }

    void read(
        Connection connection,
        String table,
        int seconds,
        FlowPart part,
        Ends ends,
        boolean sent,
        long from,
        long to)
        throws SQLException {
      if (from >= to || ends.endpoints().isEmpty()) {
        return;
      }
      List<Integer> arguments = new ArrayList<>();
      String sql =
          SUMS.formatted(table, sent ? "src" : "dst", services(part, arguments), type(part.type()));
      try (NamedStatement statement = new NamedStatement(connection, sql)) {
        statement
            .set("endpoints", "int4", ends.endpoints())
            .set("objects", "int4", ends.objects())
            .set("from", Instant.ofEpochSecond(from))
            .set("to", Instant.ofEpochSecond(to));
        for (int i = 0; i < arguments.size(); i++) {
          statement.set("argument" + i, arguments.get(i));
        }
        ResultSet row = statement.query();
        while (row.next()) {
          add(row, seconds, sent);
        }
      }
    }

    private void add(ResultSet row, int seconds, boolean sent) throws SQLException {
      long time = row.getLong(1);
      Integer place = places.get(row.getInt(2));
      if (place == null) {
        return;
      }
      int first = (int) Math.max(0, Math.floorDiv(time - begin, width));
      for (int m : wanted) {
        FlowMetric metric = metrics.get(m).metric();
        if (metric.received() == sent) {
          continue;
        }
        // Longer than a bucket, it counts in each of those that it covers with its part.
        double sum = row.getLong(3 + SUMMED.indexOf(metric.measure()));
        double share = Math.min(1, (double) width / seconds);
        double value = metric.value(sum * share, (double) width / BUCKET, BUCKET);
        double[][] of = values[m];
        for (int b = first; b < of.length && begin + b * width < time + seconds; b++) {
          of[b][place] += value;
        }
      }
    }

    private static String services(FlowPart part, List<Integer> arguments) {
      if (part.services().isEmpty()) {
        return "true";
      }
      List<String> any = new ArrayList<>();
      for (ServiceName service : part.services()) {
        List<String> all = new ArrayList<>();
        if (service.port() != ServiceName.ANY) {
          all.add("f.port = :argument" + arguments.size());
          arguments.add(service.port());
        }
        if (service.protocol() != ServiceName.ANY) {
          all.add("f.proto = :argument" + arguments.size());
          arguments.add(service.protocol());
        } else {
          all.add("f.proto in (%s)".formatted(WITH_PORTS));
        }
        any.add(String.join(" and ", all));
      }
      // Folded rows have no service.
      return "f.dst > 0 and (" + String.join(" or ", any) + ")";
    }

    /** Of the receivers that stand for others -1 is internal. */
    private static String type(@Nullable TrafficType type) {
      String sender = "s.internal";
      String receiver = "coalesce(d.internal, f.dst = -1)";
      return switch (type) {
        case EAST_WEST -> sender + " and " + receiver;
        case NORTH_SOUTH -> sender + " <> " + receiver;
        case EXTERNAL -> "not " + sender + " and not " + receiver;
        case null -> "true";
      };
    }
  }
}
