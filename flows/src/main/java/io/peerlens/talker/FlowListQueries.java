package io.peerlens.talker;

import io.peerlens.ingest.flow.TalkerMeasure;
import io.peerlens.ingest.flow.TrafficType;
import io.peerlens.talker.TalkerQueries.Coverage;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Lists of flows that meet conditions, added up by the database. */
final class FlowListQueries {

  private static final String LIST =
      """
      , sums as materialized (
        select f.src, f.dst, f.port, f.proto, f.to_service, sum(f.bytes)::bigint as bytes,
               sum(f.packets)::bigint as packets, sum(f.flows)::bigint as flows, sum(f.sessions)::bigint as sessions,
               sum(f.resets)::bigint as resets, sum(f.drops)::bigint as drops, max(f.peak)::bigint as peak,
               sum(f.keys)::bigint as keys
        from flows f %1$s
        group by 1, 2, 3, 4, 5
      )
      select s.*, (select count(*) from sums) as total from sums s
      where %2$s
      order by %3$s desc, src, dst, port, proto, to_service limit :limit
      """;

  private static final String AFTER =
      """
      (%1$s < :afterValue or (%1$s = :afterValue
        and (src, dst, port, proto, to_service) > (:afterSrc, :afterDst, :afterPort, :afterProto, :afterToService)))
      """;

  private final JdbcClient jdbc;
  private final TalkerQueries lists;
  private final FlowSql flows;

  /**
   * @param jdbc with a time limit for its statements
   * @param deduplicate whether of several observers one counts
   */
  FlowListQueries(JdbcClient jdbc, TalkerQueries lists, boolean deduplicate) {
    this.jdbc = jdbc;
    this.lists = lists;
    flows = new FlowSql(deduplicate);
  }

  /** A sum by sender, receiver and service. */
  record FlowRow(
      int src,
      int dst,
      int port,
      int protocol,
      boolean towardsService,
      long keys,
      long[] sums,
      long total) {

    long get(TalkerMeasure measure) {
      return sums[measure.ordinal()];
    }
  }

  /**
   * Flows of a window.
   *
   * @param seconds of the window by the length of the buckets that were read
   */
  record FlowList(Instant from, Instant to, Map<Long, Long> seconds, List<FlowRow> rows) {}

  /** Flows of a window, most first, with what is not rolled up yet. */
  FlowList list(
      EndQueries.Found found,
      Instant from,
      Instant to,
      TalkerMeasure measure,
      @Nullable FlowRow after,
      int limit) {
    Coverage coverage = lists.coverage();
    FlowQueryPlan plan =
        FlowQueryPlan.ofList(
            coverage, from.getEpochSecond(), Math.ceilDiv(to.toEpochMilli(), 1000));
    if (plan.isEmpty()) {
      return new FlowList(from, from, Map.of(), List.of());
    }
    Map<String, Object> parameters = new HashMap<>();
    FlowSql.Fits fits = FlowSql.Fits.of(found, parameters);
    String where = fits.fits(found.condition().direction());
    if (found.found() != null) {
      where += " and (f.src = any (:found) or f.dst = any (:found))";
      parameters.put("found", found.found());
    }
    String next = "true";
    if (after != null) {
      next = AFTER.formatted(FlowSql.column(measure));
      parameters.put("afterValue", after.get(measure));
      parameters.put("afterSrc", after.src);
      parameters.put("afterDst", after.dst);
      parameters.put("afterPort", after.port);
      parameters.put("afterProto", after.protocol);
      parameters.put("afterToService", after.towardsService);
    }
    parameters.put("limit", limit);
    TrafficType type = found.condition().type();
    String joins =
        type == null
            ? ""
            : " left join endpoint s on s.id = f.src left join endpoint d on d.id = f.dst"
                + FlowSql.ofType(type);
    String sql =
        flows.with(plan, where, parameters) + LIST.formatted(joins, next, FlowSql.column(measure));
    List<FlowRow> rows =
        TimedQueries.watch(
            () -> jdbc.sql(sql).params(parameters).query((row, number) -> flowRow(row)).list());
    return new FlowList(
        Instant.ofEpochSecond(plan.from()), Instant.ofEpochSecond(plan.to()), plan.seconds(), rows);
  }

  private static FlowRow flowRow(ResultSet row) throws SQLException {
    return new FlowRow(
        row.getInt("src"),
        row.getInt("dst"),
        row.getInt("port"),
        row.getInt("proto"),
        row.getBoolean("to_service"),
        row.getLong("keys"),
        RankingQueries.sums(row),
        row.getLong("total"));
  }
}
