package io.peerlens.talker;

import static io.peerlens.database.Times.instantOrNull;

import io.peerlens.talker.TalkerQueries.Answer;
import io.peerlens.talker.TalkerQueries.Part;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Shares of the traffic of an answer that were folded or seen by several observers. */
final class ShareQueries {

  /** Whose shares of folding and duplicates are asked for. */
  private static final String SHARES =
      """
      select coalesce(sum(bytes), 0)::bigint, coalesce(sum(folded_bytes), 0)::bigint,
             coalesce(sum(duplicate_bytes), 0)::bigint, coalesce(sum(bytes), 0) > 0
      from flow_bucket where\s""";

  private static final String NEWEST = "select max(time) from flow_bucket where bytes > 0";

  private final JdbcClient jdbc;

  ShareQueries(JdbcClient jdbc) {
    this.jdbc = jdbc;
  }

  /**
   * Shares of the bytes of a window.
   *
   * @param known whether any flow was reported in it
   * @param folded part that was folded
   * @param duplicate what was reported once more, as a part of what counts
   */
  record Shares(boolean known, double folded, double duplicate) {}

  /** Start of the newest bucket with traffic; null = there never was any. */
  @Nullable Instant newest() {
    return jdbc.sql(NEWEST)
        .query((row, number) -> Optional.ofNullable(instantOrNull(row, "max")))
        .single()
        .orElse(null);
  }

  /** Reads what was folded and what was seen more than once in the time of an answer. */
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
      folded &= seconds != FlowQueryPlan.MINUTE;
      String n = String.valueOf(any.size());
      any.add("(level = :level%1$s and time >= :from%1$s and time < :to%1$s)".formatted(n));
      parameters.put("level" + n, label(Math.max(seconds, FlowQueryPlan.DEDUPLICATED)));
      parameters.put("from" + n, FlowSql.time(parts.get(i).from().getEpochSecond()));
      parameters.put("to" + n, FlowSql.time(last.from().getEpochSecond() + seconds));
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
    return FlowLevel.FIVE_MINUTES.sourceLabel();
  }
}
