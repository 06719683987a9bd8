package io.peerlens.talker;

import io.peerlens.flow.rank.TalkerDimension;
import io.peerlens.flow.rank.TalkerDirection;
import io.peerlens.flow.rank.TalkerRanking;
import io.peerlens.ingest.flow.TalkerMeasure;
import io.peerlens.ingest.flow.TrafficType;
import io.peerlens.talker.TalkerQueries.Answer;
import io.peerlens.talker.TalkerQueries.Coverage;
import io.peerlens.talker.TalkerQueries.Part;
import io.peerlens.talker.TalkerQueries.Stretch;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * Rankings of talkers over flows that meet conditions, added up by the database. Folded traffic, of
 * which conditions say nothing, is added up apart, as what each talker may have more.
 */
final class RankingQueries {

  private static final TalkerMeasure[] MEASURES = TalkerMeasure.values();

  // What stands beside the keys of talkers, which are 0 or more.
  private static final int UNASSIGNED = -1;
  private static final int TOTAL = -2;
  private static final int POSSIBLE = -3;

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

  private final JdbcClient jdbc;
  private final TalkerQueries lists;
  private final FlowSql flows;

  /**
   * @param jdbc with a time limit for its statements
   * @param deduplicate whether of several observers one counts
   */
  RankingQueries(JdbcClient jdbc, TalkerQueries lists, boolean deduplicate) {
    this.jdbc = jdbc;
    this.lists = lists;
    flows = new FlowSql(deduplicate);
  }

  /** The first talkers of a window; its bounds are those that lists of talkers would have. */
  Answer first(
      TalkerDimension dimension,
      EndQueries.Found found,
      Instant from,
      Instant to,
      TalkerMeasure measure,
      int limit) {
    String first =
        FIRST.formatted(measure == TalkerMeasure.PEAK ? "max" : "sum", FlowSql.column(measure));
    return ranking(dimension, found, from, to, first, Map.of("limit", limit));
  }

  /** Reads the values of some talkers in a window. */
  Answer of(
      TalkerDimension dimension, EndQueries.Found found, Instant from, Instant to, long[] keys) {
    Long[] asked = Arrays.stream(keys).boxed().toArray(Long[]::new);
    return ranking(dimension, found, from, to, ASKED, Map.of("keys", asked));
  }

  private Answer ranking(
      TalkerDimension dimension,
      EndQueries.Found found,
      Instant from,
      Instant to,
      String select,
      Map<String, ?> more) {
    Coverage coverage = lists.coverage();
    FlowQueryPlan plan =
        FlowQueryPlan.ofRanking(coverage, from.getEpochSecond(), to.getEpochSecond());
    if (plan.isEmpty()) {
      return new Answer(from, from, List.of(), TalkerRanking.EMPTY);
    }
    Map<String, Object> parameters = new HashMap<>(more);
    FlowSql.Fits fits = FlowSql.Fits.of(found, parameters);
    String sql =
        flows.with(plan, fits.mayFit(), parameters)
            + ", ends as (%s)".formatted(ends(dimension))
            + BY_BUCKET.formatted(
                sender(dimension),
                receiver(dimension),
                fits.sent(),
                fits.received(),
                joins(dimension, found),
                credit(dimension, found.condition().direction()))
            + select;
    Map<Instant, Bucket> buckets = new HashMap<>();
    TimedQueries.watch(
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

  private static Answer answer(FlowQueryPlan plan, Map<Instant, Bucket> buckets) {
    List<Part> parts = new ArrayList<>();
    int talkers = buckets.values().stream().mapToInt(bucket -> bucket.talkers).max().orElse(0);
    for (long at = plan.minutesFrom(); at < plan.minutesTo(); at += FlowQueryPlan.MINUTE) {
      parts.add(part(at, FlowQueryPlan.MINUTE, buckets, talkers));
    }
    for (Stretch stretch : plan.stretches()) {
      for (long at = stretch.from(); at < stretch.to(); at += stretch.level().seconds()) {
        parts.add(part(at, stretch.level().seconds(), buckets, talkers));
      }
    }
    return new Answer(
        Instant.ofEpochSecond(plan.from()),
        Instant.ofEpochSecond(plan.to()),
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

  private static String joins(TalkerDimension dimension, EndQueries.Found found) {
    TrafficType type = found.condition().type();
    if (!hasEnds(dimension) && type == null) {
      return "";
    }
    return " left join ends s on s.id = f.src left join ends d on d.id = f.dst"
        + FlowSql.ofType(type);
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

  /** Maps the columns of all measures. */
  static long[] sums(ResultSet row) throws SQLException {
    long[] sums = new long[MEASURES.length];
    for (TalkerMeasure measure : MEASURES) {
      sums[measure.ordinal()] = row.getLong(FlowSql.column(measure));
    }
    return sums;
  }
}
