package io.peerlens.talker;

import io.peerlens.flow.rank.TalkerDirection;
import io.peerlens.ingest.flow.ServiceName;
import io.peerlens.ingest.flow.ServicePorts;
import io.peerlens.ingest.flow.TalkerMeasure;
import io.peerlens.ingest.flow.TrafficType;
import io.peerlens.talker.TalkerQueries.Stretch;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * SQL over stored flows: the rows of roll-ups and minutes that may meet a condition. A row of
 * folded traffic has no receiver and no service, so a condition on these neither holds for it nor
 * does not: SQL's null.
 *
 * <p>Several observers report a minute; of these one counts, chosen as roll-ups choose it.
 */
final class FlowSql {

  private static final TalkerMeasure[] MEASURES = TalkerMeasure.values();

  /** Sums of one stretch of a roll-up. */
  private static final String ROLLED =
      """
      select f.time, %2$d as minutes, f.src, f.dst, f.port, f.proto, f.to_service, f.keys, f.bytes, f.packets,
             f.flows, f.sessions, f.resets, f.drops, f.peak
      from %1$s f
      where f.time >= :from%3$d and f.time < :to%3$d and %4$s
      """;

  private static final String KEY = "src, dst, port, proto, to_service";

  /** Parts of minutes, those of a whole bucket of roll-ups, by which observers are compared. */
  private static final String PARTS =
      """
      select f.time, date_bin('5 minutes', f.time, 'epoch') as bucket, f.observer, f.egress,
             f.src, f.dst, f.port, f.proto, f.to_service, sum(f.bytes) as bytes, sum(f.packets) as packets,
             sum(f.flows) as flows, sum(f.sessions) as sessions, sum(f.resets) as resets, sum(f.drops) as drops
      from flow_part f
      where f.time >= :bucketFrom and f.time < :bucketTo and %s
      group by f.time, f.observer, f.egress, f.src, f.dst, f.port, f.proto, f.to_service
      """;

  /**
   * What comes in before what goes out, then who saw most, as {@code Deduplication} has it. By
   * windows and not by a join: of parts the planner expects few, and then compares all with all.
   */
  private static final String COUNTED =
      """
      select * from (
        select *, first_value(observer) over (partition by bucket, %1$s order by b desc, p desc, d desc, observer) as best
        from (
          select *, min(egress::int) over (partition by bucket, %1$s, observer) as way,
                 sum(bytes) over ways as b, sum(packets) over ways as p, sum(drops) over ways as d
          from parts window ways as (partition by bucket, %1$s, observer, egress)) seen
        where egress::int = way) one_way
      where observer = best
      """
          .formatted(KEY);

  private static final String MINUTES =
      """
      select time, 1 as minutes, %1$s, 1 as keys, sum(bytes) as bytes, sum(packets) as packets, sum(flows) as flows,
             sum(sessions) as sessions, sum(resets) as resets, sum(drops) as drops, sum(bytes) as peak
      from %2$s
      where time >= :minutesFrom and time < :minutesTo
      group by time, %1$s
      """;

  private final boolean deduplicate;

  /**
   * @param deduplicate whether of several observers one counts
   */
  FlowSql(boolean deduplicate) {
    this.deduplicate = deduplicate;
  }

  /**
   * Begins a statement with the table expression {@code flows}, all rows of a plan.
   *
   * @param where condition on a row {@code f}
   * @param parameters takes those of the plan
   */
  String with(FlowQueryPlan plan, String where, Map<String, Object> parameters) {
    return "with %sflows as (%s)"
        .formatted(plan.hasMinutes() ? parts(where) : "", flows(plan, where, parameters));
  }

  private String parts(String where) {
    String parts = "parts as (%s), ".formatted(PARTS.formatted(where));
    return deduplicate ? parts + "counted as (%s), ".formatted(COUNTED) : parts;
  }

  private String flows(FlowQueryPlan plan, String where, Map<String, Object> parameters) {
    List<String> sources = new ArrayList<>();
    for (int i = 0; i < plan.stretches().size(); i++) {
      Stretch stretch = plan.stretches().get(i);
      FlowLevel level = stretch.level();
      sources.add(ROLLED.formatted(level.flows(), level.minutes(), i, where));
      parameters.put("from" + i, time(stretch.from()));
      parameters.put("to" + i, time(stretch.to()));
    }
    if (plan.hasMinutes()) {
      sources.add(MINUTES.formatted(KEY, deduplicate ? "counted" : "parts"));
      parameters.put("minutesFrom", time(plan.minutesFrom()));
      parameters.put("minutesTo", time(plan.minutesTo()));
      parameters.put(
          "bucketFrom",
          time(
              Math.floorDiv(plan.minutesFrom(), FlowQueryPlan.DEDUPLICATED)
                  * FlowQueryPlan.DEDUPLICATED));
      parameters.put(
          "bucketTo",
          time(
              Math.ceilDiv(plan.minutesTo(), FlowQueryPlan.DEDUPLICATED)
                  * FlowQueryPlan.DEDUPLICATED));
    }
    return String.join(" union all ", sources);
  }

  static OffsetDateTime time(long seconds) {
    return Instant.ofEpochSecond(seconds).atOffset(ZoneOffset.UTC);
  }

  /** Of folded receivers it is known whether they are internal. */
  static String ofType(@Nullable TrafficType type) {
    String src = "coalesce(s.internal, false)";
    String dst =
        "case f.dst when -1 then true when -2 then false else coalesce(d.internal, false) end";
    return type == null
        ? ""
        : " where "
            + switch (type) {
              case EAST_WEST -> src + " and " + dst;
              case NORTH_SOUTH -> src + " <> (" + dst + ")";
              case EXTERNAL -> "not " + src + " and not " + dst;
            };
  }

  /** Column of a measure. */
  static String column(TalkerMeasure measure) {
    return measure.name().toLowerCase(Locale.ROOT);
  }

  /**
   * Conditions on a row {@code f}, each true, false, or null where folding took away what it asks
   * for.
   *
   * @param sent whether the row fits as traffic that the ends of the condition send
   * @param received or receive
   * @param mayFit holds wherever one of both is not false, and can use an index
   */
  record Fits(String sent, String received, String mayFit) {

    static Fits of(EndQueries.Found found, Map<String, Object> parameters) {
      Integer[] ends = found.ends();
      Integer[] peers = found.peers();
      List<ServiceName> services = found.condition().services();
      List<String> sent = new ArrayList<>();
      List<String> received = new ArrayList<>();
      List<String> maySend = new ArrayList<>();
      List<String> mayReceive = new ArrayList<>();
      if (ends != null) {
        parameters.put("ends", ends);
        parameters.put("endsOrFolded", orFolded(ends));
        sent.add("f.src = any (:ends)");
        maySend.add("f.src = any (:ends)");
        received.add("case when f.dst >= 0 then f.dst = any (:ends) end");
        mayReceive.add("f.dst = any (:endsOrFolded)");
      }
      if (peers != null) {
        parameters.put("peers", peers);
        parameters.put("peersOrFolded", orFolded(peers));
        sent.add("case when f.dst >= 0 then f.dst = any (:peers) end");
        maySend.add("f.dst = any (:peersOrFolded)");
        received.add("f.src = any (:peers)");
        mayReceive.add("f.src = any (:peers)");
      }
      String mayBeService = "true";
      if (!services.isEmpty()) {
        String service = service(services);
        sent.add("case when f.dst >= 0 then " + service + " end");
        received.add("case when f.dst >= 0 then " + service + " end");
        mayBeService = "(f.dst < 0 or " + service + ")";
      }
      String mayFit =
          switch (found.condition().direction()) {
            case SENT -> all(maySend);
            case RECEIVED -> all(mayReceive);
            case BOTH ->
                maySend.isEmpty() ? "true" : "(" + all(maySend) + " or " + all(mayReceive) + ")";
          };
      return new Fits(all(sent), all(received), mayFit + " and " + mayBeService);
    }

    private static Integer[] orFolded(Integer[] ids) {
      Integer[] more = Arrays.copyOf(ids, ids.length + 2);
      more[ids.length] = -1;
      more[ids.length + 1] = -2;
      return more;
    }

    private static String all(List<String> conditions) {
      return conditions.isEmpty() ? "true" : "(" + String.join(" and ", conditions) + ")";
    }

    /** Only numbers are written into it. */
    private static String service(List<ServiceName> services) {
      String withPorts =
          IntStream.rangeClosed(0, 0xFF)
              .filter(ServicePorts::hasPorts)
              .mapToObj(String::valueOf)
              .collect(Collectors.joining(", "));
      return services.stream()
          .map(
              one -> {
                if (one.port() == ServiceName.ANY) {
                  return "f.proto = " + one.protocol();
                }
                return "f.port = "
                    + one.port()
                    + (one.protocol() == ServiceName.ANY
                        ? " and f.proto in (" + withPorts + ")"
                        : " and f.proto = " + one.protocol());
              })
          .collect(Collectors.joining(" or ", "(", ")"));
    }

    /** Holds for rows that surely fit. */
    String fits(TalkerDirection direction) {
      return mayFit
          + " and ("
          + switch (direction) {
            case SENT -> sent;
            case RECEIVED -> received;
            case BOTH -> sent + " or " + received;
          }
          + ")";
    }
  }
}
