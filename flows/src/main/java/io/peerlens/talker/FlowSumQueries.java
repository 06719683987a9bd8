package io.peerlens.talker;

import io.peerlens.ingest.flow.ServiceName;
import io.peerlens.ingest.flow.ServicePorts;
import io.peerlens.ingest.flow.TalkerDimension;
import io.peerlens.ingest.flow.TalkerDirection;
import io.peerlens.ingest.flow.TalkerMeasure;
import io.peerlens.ingest.flow.TalkerRanking;
import io.peerlens.ingest.flow.TrafficType;
import io.peerlens.talker.TalkerQueries.Answer;
import io.peerlens.talker.TalkerQueries.Coverage;
import io.peerlens.talker.TalkerQueries.Part;
import io.peerlens.talker.TalkerQueries.Stretch;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * Adds up flows that meet conditions, in the database. A row of folded traffic has no receiver and
 * no service, so a condition on these neither holds for it nor does not: SQL's null. Such rows are
 * added up apart, as what each talker may have more.
 *
 * <p>Minutes are told by several observers; of these one counts, chosen as roll-ups choose it.
 */
final class FlowSumQueries {

  /** Longest window that is read by the minute. */
  static final Duration BY_MINUTE = Duration.ofHours(2);

  private static final long MINUTE = 60;
  private static final long DEDUPLICATED = FlowLevel.FIVE_MINUTES.seconds();

  private static final TalkerMeasure[] MEASURES = TalkerMeasure.values();

  // What stands beside the keys of talkers, which are 0 or more.
  private static final int UNASSIGNED = -1;
  private static final int TOTAL = -2;
  private static final int POSSIBLE = -3;

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

  private static final String BY_BUCKET =
      """
      , judged as (
        select f.*, %1$s as sender, %2$s as receiver, %3$s as sent, %4$s as received
        from flows f %5$s
      ), credited as (
        select time, minutes, bytes, packets, flows, sessions, resets, drops, peak, key
        from judged cross join lateral unnest(%6$s) as credit(key)
        where key is not null
      ), by_bucket as materialized (
        select time, minutes, key, sum(bytes) as bytes, sum(packets) as packets, sum(flows) as flows,
               sum(sessions) as sessions, sum(resets) as resets, sum(drops) as drops,
               greatest(max(peak), div(sum(bytes) + minutes - 1, minutes)) as peak, sum(peak) as most
        from credited group by time, minutes, key
      )
      """;

  private static final String FIRST =
      """
      , first as (
        select key, count(*) over () as talkers from by_bucket where key >= 0
        group by key order by %s(%s) desc, key limit :limit
      )
      select b.*, coalesce(max(f.talkers) over (), 0) as talkers
      from by_bucket b left join first f on f.key = b.key
      where b.key < 0 or f.key is not null
      order by b.time, b.key
      """;

  private static final String ASKED =
      """
      select b.*, 0 as talkers from by_bucket b where key < 0 or key = any (:keys) order by time, key
      """;

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

  /** Whose shares of folding and duplicates are asked for. */
  private static final String SHARES =
      """
      select coalesce(sum(bytes), 0)::bigint, coalesce(sum(folded_bytes), 0)::bigint,
             coalesce(sum(duplicate_bytes), 0)::bigint, coalesce(sum(bytes), 0) > 0
      from flow_bucket where\s""";

  private final JdbcClient jdbc;
  private final TalkerQueries lists;
  private final EndQueries ends;
  private final boolean deduplicate;

  /**
   * @param jdbc with a time limit for its statements
   * @param deduplicate whether of several observers one counts
   */
  FlowSumQueries(JdbcClient jdbc, TalkerQueries lists, EndQueries ends, boolean deduplicate) {
    this.jdbc = jdbc;
    this.lists = lists;
    this.ends = ends;
    this.deduplicate = deduplicate;
  }

  /** The database was busy with a statement for longer than is allowed. */
  static final class TooExpensiveException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    TooExpensiveException(DataAccessException cause) {
      super(cause);
    }
  }

  /**
   * A condition with the endpoints that it means, found once for all statements of a question.
   *
   * @param ends null = any
   * @param peers null = any
   * @param found one end of each flow is among them; null = any
   */
  record Found(
      FlowCondition condition,
      Integer @Nullable [] ends,
      Integer @Nullable [] peers,
      Integer @Nullable [] found) {}

  /** Finds the endpoints of a condition. */
  Found find(FlowCondition condition, @Nullable String search) {
    return timed(
        () ->
            new Found(
                condition,
                ends.ids(condition.ends()),
                ends.ids(condition.peers()),
                search == null ? null : ends.named(search)));
  }

  /**
   * What became of the bytes of a window.
   *
   * @param known whether any flow was told in it
   * @param folded part that was folded
   * @param duplicate what was told once more, as a part of what counts
   */
  record Shares(boolean known, double folded, double duplicate) {}

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

  /** From where to where, by minutes or in stretches of roll-ups. */
  private record Plan(
      List<Stretch> stretches, long minutesFrom, long minutesTo, long from, long to) {

    boolean hasMinutes() {
      return minutesFrom < minutesTo;
    }

    boolean isEmpty() {
      return stretches.isEmpty() && !hasMinutes();
    }

    Map<Long, Long> seconds() {
      Map<Long, Long> seconds = new LinkedHashMap<>();
      if (hasMinutes()) {
        seconds.put(MINUTE, minutesTo - minutesFrom);
      }
      stretches.forEach(s -> seconds.merge(s.level().seconds(), s.to() - s.from(), Long::sum));
      return seconds;
    }
  }

  // ---- rankings -------------------------------------------------------------------------------

  /** The first talkers of a window; its bounds are those that lists of talkers would have. */
  Answer first(
      TalkerDimension dimension,
      Found found,
      Instant from,
      Instant to,
      TalkerMeasure measure,
      int limit) {
    String first = FIRST.formatted(measure == TalkerMeasure.PEAK ? "max" : "sum", column(measure));
    return ranking(dimension, found, from, to, first, Map.of("limit", limit));
  }

  /** What some talkers had in a window. */
  Answer of(TalkerDimension dimension, Found found, Instant from, Instant to, long[] keys) {
    Long[] asked = Arrays.stream(keys).boxed().toArray(Long[]::new);
    return ranking(dimension, found, from, to, ASKED, Map.of("keys", asked));
  }

  private Answer ranking(
      TalkerDimension dimension,
      Found found,
      Instant from,
      Instant to,
      String select,
      Map<String, ?> more) {
    Coverage coverage = lists.coverage();
    Plan plan = planOfRanking(coverage, from.getEpochSecond(), to.getEpochSecond());
    if (plan.isEmpty()) {
      return new Answer(from, from, List.of(), TalkerRanking.EMPTY);
    }
    Map<String, Object> parameters = new HashMap<>(more);
    Fits fits = Fits.of(found, parameters);
    String sql =
        "with %sflows as (%s), ends as (%s)"
                .formatted(
                    plan.hasMinutes() ? parts(fits.mayFit()) : "",
                    flows(plan, fits.mayFit(), parameters),
                    ends(dimension))
            + BY_BUCKET.formatted(
                sender(dimension),
                receiver(dimension),
                fits.sent,
                fits.received,
                joins(dimension, found),
                credit(dimension, found.condition.direction()))
            + select;
    Map<Instant, Bucket> buckets = new HashMap<>();
    timed(
        () -> {
          jdbc.sql(sql)
              .params(parameters)
              .query(
                  row -> {
                    buckets
                        .computeIfAbsent(
                            row.getObject("time", OffsetDateTime.class).toInstant(),
                            time -> new Bucket())
                        .add(row);
                  });
          return buckets;
        });
    return answer(plan, buckets);
  }

  /**
   * The same bounds as those of lists, so that a row and what is narrowed to it are of the same
   * time.
   */
  private static Plan planOfRanking(Coverage coverage, long from, long to) {
    List<Stretch> stretches =
        TalkerQueries.cover(from, to, TalkerQueries.longestFor(from, to), coverage.levels());
    if (stretches.isEmpty()) {
      return new Plan(stretches, 0, 0, 0, 0);
    }
    long begin = stretches.getFirst().from();
    long end = stretches.getLast().to();
    return to - from <= BY_MINUTE.toSeconds() && coverage.minutesFrom() <= begin
        ? new Plan(List.of(), begin, end, begin, end)
        : new Plan(stretches, 0, 0, begin, end);
  }

  private static Answer answer(Plan plan, Map<Instant, Bucket> buckets) {
    List<Part> parts = new ArrayList<>();
    int talkers = buckets.values().stream().mapToInt(bucket -> bucket.talkers).max().orElse(0);
    for (long at = plan.minutesFrom; at < plan.minutesTo; at += MINUTE) {
      parts.add(part(at, MINUTE, buckets, talkers));
    }
    for (Stretch stretch : plan.stretches) {
      for (long at = stretch.from(); at < stretch.to(); at += stretch.level().seconds()) {
        parts.add(part(at, stretch.level().seconds(), buckets, talkers));
      }
    }
    return new Answer(
        Instant.ofEpochSecond(plan.from),
        Instant.ofEpochSecond(plan.to),
        parts,
        TalkerRanking.together(parts.stream().map(Part::ranking).toList()));
  }

  private static Part part(long at, long seconds, Map<Instant, Bucket> buckets, int talkers) {
    Instant time = Instant.ofEpochSecond(at);
    Bucket bucket = buckets.get(time);
    return new Part(time, seconds, bucket == null ? TalkerRanking.EMPTY : bucket.ranking(talkers));
  }

  /** The rows of one bucket of time, in the order of their keys. */
  private static final class Bucket {
    private final List<Long> keys = new ArrayList<>();
    private final List<long[]> values = new ArrayList<>();
    private final List<Long> mostPeaks = new ArrayList<>();
    private long[] total = new long[MEASURES.length];
    private long[] unassigned = new long[MEASURES.length];
    private final long[] possible = new long[MEASURES.length];
    private int talkers;

    void add(ResultSet row) throws SQLException {
      long key = row.getLong("key");
      long[] sums = sums(row);
      talkers = Math.max(talkers, row.getInt("talkers"));
      if (key >= 0) {
        keys.add(key);
        values.add(sums);
        mostPeaks.add(row.getLong("most"));
      } else if (key == TOTAL) {
        total = sums;
      } else if (key == UNASSIGNED) {
        unassigned = sums;
      } else {
        System.arraycopy(sums, 0, possible, 0, sums.length);
        possible[TalkerMeasure.PEAK.ordinal()] = row.getLong("most");
      }
    }

    TalkerRanking ranking(int allTalkers) {
      int size = keys.size();
      long[][] least = new long[MEASURES.length][size];
      long[][] most = new long[MEASURES.length][size];
      for (int m = 0; m < MEASURES.length; m++) {
        for (int i = 0; i < size; i++) {
          least[m][i] = values.get(i)[m];
          long atMost = MEASURES[m] == TalkerMeasure.PEAK ? mostPeaks.get(i) : least[m][i];
          most[m][i] = atMost + possible[m];
        }
      }
      long[] sorted = keys.stream().mapToLong(Long::longValue).toArray();
      return TalkerRanking.of(sorted, least, most, possible, total, unassigned, allTalkers);
    }
  }

  private static long[] sums(ResultSet row) throws SQLException {
    long[] sums = new long[MEASURES.length];
    for (TalkerMeasure measure : MEASURES) {
      sums[measure.ordinal()] = row.getLong(column(measure));
    }
    return sums;
  }

  private static String column(TalkerMeasure measure) {
    return measure.name().toLowerCase(Locale.ROOT);
  }

  private static String ends(TalkerDimension dimension) {
    String talker =
        switch (dimension) {
          case VM, HOST, CLUSTER, TIER -> dimension.name().toLowerCase(Locale.ROOT);
          case NETWORK -> "network_id";
          case PAIR -> "coalesce(object_id * 2::bigint, id * 2::bigint + 1)";
          case PORT, PROTOCOL -> "null::int";
        };
    return "select id, internal, %s as talker from (%s) as placed"
        .formatted(talker, EndRows.PLACED);
  }

  private static boolean hasEnds(TalkerDimension dimension) {
    return dimension.ofEnds() || dimension == TalkerDimension.PAIR;
  }

  private static String sender(TalkerDimension dimension) {
    return hasEnds(dimension) ? "s.talker" : "null::bigint";
  }

  private static String receiver(TalkerDimension dimension) {
    return hasEnds(dimension) ? "d.talker" : "null::bigint";
  }

  private static String joins(TalkerDimension dimension, Found found) {
    TrafficType type = found.condition.type();
    if (!hasEnds(dimension) && type == null) {
      return "";
    }
    return " left join ends s on s.id = f.src left join ends d on d.id = f.dst" + ofType(type);
  }

  /** Of folded receivers it is known whether they are internal. */
  private static String ofType(@Nullable TrafficType type) {
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

  /**
   * To whom a row counts: an array of keys, those that are null to nobody. As in lists, traffic
   * between two talkers counts for both, within one talker once, and it is unassigned only when
   * neither end that fits is a talker.
   */
  private static String credit(TalkerDimension dimension, TalkerDirection direction) {
    String either =
        switch (direction) {
          case SENT -> "sent";
          case RECEIVED -> "received";
          case BOTH -> "(sent or received)";
        };
    if (!dimension.ofEnds()) {
      String key =
          switch (dimension) {
            case PORT -> "proto::bigint * 65536 + port";
            case PROTOCOL -> "proto::bigint";
            default -> "sender * 4294967296 + receiver";
          };
      return """
          array[case when %1$s then -2 end,
                case when %1$s then case when dst < 0 then -1 else %2$s end end,
                case when dst < 0 and (%1$s) is not false then -3 end]"""
          .formatted(either, key);
    }
    return switch (direction) {
      case SENT ->
          """
          array[case when sent then -2 end,
                case when sent then coalesce(sender, -1) end,
                case when sent is null then -3 end]""";
      case RECEIVED ->
          """
          array[case when received then -2 end,
                case when received then case when dst < 0 then -1 else coalesce(receiver, -1) end end,
                case when dst < 0 and received is not false then -3 end]""";
      case BOTH ->
          """
          array[case when sent or received then -2 end,
                case when sent then sender end,
                case when received and (sent is not true or receiver is distinct from sender) then receiver end,
                case when (sent or received) and (sent is not true or sender is null)
                          and (received is not true or receiver is null) then -1 end,
                case when dst < 0 and (sent is null or received is not false) then -3 end]""";
    };
  }

  // ---- flows ----------------------------------------------------------------------------------

  /** Flows of a window, most first, with what is not rolled up yet. */
  FlowList list(
      Found found,
      Instant from,
      Instant to,
      TalkerMeasure measure,
      @Nullable FlowRow after,
      int limit) {
    Coverage coverage = lists.coverage();
    Plan plan = planOfList(coverage, from.getEpochSecond(), Math.ceilDiv(to.toEpochMilli(), 1000));
    if (plan.isEmpty()) {
      return new FlowList(from, from, Map.of(), List.of());
    }
    Map<String, Object> parameters = new HashMap<>();
    Fits fits = Fits.of(found, parameters);
    String where = fits.fits(found.condition.direction());
    if (found.found != null) {
      where += " and (f.src = any (:found) or f.dst = any (:found))";
      parameters.put("found", found.found);
    }
    String next = "true";
    if (after != null) {
      next = AFTER.formatted(column(measure));
      parameters.put("afterValue", after.get(measure));
      parameters.put("afterSrc", after.src);
      parameters.put("afterDst", after.dst);
      parameters.put("afterPort", after.port);
      parameters.put("afterProto", after.protocol);
      parameters.put("afterToService", after.towardsService);
    }
    parameters.put("limit", limit);
    TrafficType type = found.condition.type();
    String joins =
        type == null
            ? ""
            : " left join endpoint s on s.id = f.src left join endpoint d on d.id = f.dst"
                + ofType(type);
    String sql =
        "with %sflows as (%s)"
                .formatted(plan.hasMinutes() ? parts(where) : "", flows(plan, where, parameters))
            + LIST.formatted(joins, next, column(measure));
    List<FlowRow> rows =
        timed(() -> jdbc.sql(sql).params(parameters).query((row, number) -> flowRow(row)).list());
    return new FlowList(
        Instant.ofEpochSecond(plan.from), Instant.ofEpochSecond(plan.to), plan.seconds(), rows);
  }

  private static FlowRow flowRow(ResultSet row) throws SQLException {
    return new FlowRow(
        row.getInt("src"),
        row.getInt("dst"),
        row.getInt("port"),
        row.getInt("proto"),
        row.getBoolean("to_service"),
        row.getLong("keys"),
        sums(row),
        row.getLong("total"));
  }

  /** A short window is read by the minute, of a long one what is not rolled up yet. */
  private static Plan planOfList(Coverage coverage, long from, long to) {
    long begin = Math.floorDiv(from, MINUTE) * MINUTE;
    long end = Math.ceilDiv(to, MINUTE) * MINUTE;
    if (to - from <= BY_MINUTE.toSeconds() && coverage.minutesFrom() <= begin) {
      return new Plan(List.of(), begin, end, begin, end);
    }
    List<Stretch> stretches = TalkerQueries.cover(from, to, FlowLevel.ONE_DAY, coverage.levels());
    long rolled = stretches.isEmpty() ? begin : stretches.getLast().to();
    long tail = Math.max(Math.max(rolled, coverage.rolledUntil()), coverage.minutesFrom());
    tail = Math.ceilDiv(tail, DEDUPLICATED) * DEDUPLICATED;
    boolean hasTail = tail < end;
    if (stretches.isEmpty() && !hasTail) {
      return new Plan(stretches, 0, 0, 0, 0);
    }
    return new Plan(
        stretches,
        hasTail ? tail : 0,
        hasTail ? end : 0,
        stretches.isEmpty() ? tail : stretches.getFirst().from(),
        hasTail ? end : stretches.getLast().to());
  }

  // ---- what both read -------------------------------------------------------------------------

  private String parts(String where) {
    String parts = "parts as (%s), ".formatted(PARTS.formatted(where));
    return deduplicate ? parts + "counted as (%s), ".formatted(COUNTED) : parts;
  }

  private String flows(Plan plan, String where, Map<String, Object> parameters) {
    List<String> sources = new ArrayList<>();
    for (int i = 0; i < plan.stretches.size(); i++) {
      Stretch stretch = plan.stretches.get(i);
      FlowLevel level = stretch.level();
      sources.add(ROLLED.formatted(level.flows(), level.minutes(), i, where));
      parameters.put("from" + i, time(stretch.from()));
      parameters.put("to" + i, time(stretch.to()));
    }
    if (plan.hasMinutes()) {
      sources.add(MINUTES.formatted(KEY, deduplicate ? "counted" : "parts"));
      parameters.put("minutesFrom", time(plan.minutesFrom));
      parameters.put("minutesTo", time(plan.minutesTo));
      parameters.put(
          "bucketFrom", time(Math.floorDiv(plan.minutesFrom, DEDUPLICATED) * DEDUPLICATED));
      parameters.put("bucketTo", time(Math.ceilDiv(plan.minutesTo, DEDUPLICATED) * DEDUPLICATED));
    }
    return String.join(" union all ", sources);
  }

  private static OffsetDateTime time(long seconds) {
    return Instant.ofEpochSecond(seconds).atOffset(ZoneOffset.UTC);
  }

  /**
   * Conditions on a row {@code f}, each true, false, or null where folding took away what it asks
   * for.
   *
   * @param sent whether the row fits as traffic that the ends of the condition send
   * @param received or receive
   * @param mayFit holds wherever one of both is not false, and can use an index
   */
  private record Fits(String sent, String received, String mayFit) {

    static Fits of(Found found, Map<String, Object> parameters) {
      Integer[] ends = found.ends;
      Integer[] peers = found.peers;
      List<ServiceName> services = found.condition.services();
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
          switch (found.condition.direction()) {
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

  // ---- shares ---------------------------------------------------------------------------------

  /** What was folded and what was told more than once in the time of an answer. */
  Shares shares(Answer answer) {
    Map<String, Object> parameters = new HashMap<>();
    List<String> any = new ArrayList<>();
    boolean folded = true;
    List<Part> parts = answer.parts();
    for (int i = 0; i < parts.size(); ) {
      long seconds = parts.get(i).seconds();
      int to = i;
      while (to < parts.size() && parts.get(to).seconds() == seconds) {
        to++;
      }
      Part last = parts.get(to - 1);
      folded &= seconds != MINUTE;
      String n = String.valueOf(any.size());
      any.add("(level = :level%1$s and time >= :from%1$s and time < :to%1$s)".formatted(n));
      parameters.put("level" + n, label(Math.max(seconds, DEDUPLICATED)));
      parameters.put("from" + n, time(parts.get(i).from().getEpochSecond()));
      parameters.put("to" + n, time(last.from().getEpochSecond() + seconds));
      i = to;
    }
    if (any.isEmpty()) {
      return new Shares(false, 0, 0);
    }
    boolean rolled = folded;
    return jdbc.sql(SHARES + String.join(" or ", any))
        .params(parameters)
        .query(
            (row, number) -> {
              double bytes = Math.max(1, row.getLong(1));
              return new Shares(
                  row.getBoolean(4), rolled ? row.getLong(2) / bytes : 0, row.getLong(3) / bytes);
            })
        .single();
  }

  /** The level with buckets of a length, as in the API. */
  static String label(long seconds) {
    for (FlowLevel level : FlowLevel.values()) {
      if (level.seconds() == seconds) {
        return level.label();
      }
    }
    return FlowLevel.FIVE_MINUTES.source();
  }

  private interface Work<T> {
    T run();
  }

  private static <T> T timed(Work<T> work) {
    try {
      return work.run();
    } catch (DataAccessException e) {
      if (e.getRootCause() instanceof SQLException sql && "57014".equals(sql.getSQLState())) {
        throw new TooExpensiveException(e);
      }
      throw e;
    }
  }
}
