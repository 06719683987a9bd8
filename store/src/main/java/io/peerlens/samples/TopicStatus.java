package io.peerlens.samples;

import static io.peerlens.database.Times.instant;
import static io.peerlens.database.Times.instantOrNull;
import static io.peerlens.database.Times.utc;

import io.peerlens.api.model.RejectedCount;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.RowMapper;
import org.springframework.jdbc.core.simple.JdbcClient;
import tools.jackson.databind.json.JsonMapper;

/**
 * Status of reading a topic over all nodes, from what their {@link NodeReporter}s write: nodes that
 * are alive, rates, dead letters, and the last hour by the minute.
 */
public final class TopicStatus {

  /** A node that reports every two seconds and was silent for so long is gone. */
  static final Duration NODE_ALIVE = Duration.ofSeconds(30);

  /**
   * A node that still reports has its mean over what it reported, one that was just started too.
   */
  private static final String RATES =
      """
      select node, %2$s
      from (select *, case when max(time) over w > :now::timestamptz - interval '25 seconds'
                           then least(60, sum(seconds) over w) else 60 end as over_s
            from %1$s_rate where time > :now::timestamptz - interval '60 seconds'
            window w as (partition by node)) r
      group by node, over_s order by node
      """;

  private static final String REJECTED =
      """
      select reason, sum(count)::bigint as total, max(newest_at) as newest_at,
             coalesce(sum(count) filter (where node <> '' and minute > :hour), 0)::bigint as last_hour
      from ingest_rejected where input = :input group by reason order by total desc, reason
      """;
  private static final String HISTORY =
      """
      with r as (
        select date_trunc('minute', time) as minute, *
        from %1$s_rate where time >= :since and time < :until
      ), at_end as (
        select distinct on (minute, node) minute, lag from r order by minute, node, time desc
      ), lags as (
        select minute, sum(lag)::float8 as lag from at_end group by minute
      ), commits as (
        %2$s group by minute
      ), sums as (
        select minute, %3$s from r group by minute
      )
      select * from sums left join lags using (minute) left join commits using (minute)
      """;
  private static final String REJECTED_BY_MINUTE =
      """
      select minute, sum(count)::float8 / 60 as rejected from ingest_rejected
      where input = :input and node <> '' and minute >= :since and minute < :until group by minute
      """;

  private final JdbcClient jdbc;
  private final String tables;
  private final String input;

  /**
   * @param tables start of the names of the tables {@code <tables>_node} and {@code <tables>_rate}
   * @param input whose dead letters count, as in {@code ingest_rejected}
   */
  public TopicStatus(JdbcClient jdbc, String tables, String input) {
    this.jdbc = jdbc;
    this.tables = tables;
    this.input = input;
  }

  /** Reads the nodes that are alive, by name, with all columns of their table. */
  public <T> List<T> nodes(Instant now, RowMapper<T> node) {
    return jdbc.sql(
            "select * from %s_node where updated_at > :alive order by node".formatted(tables))
        .param("alive", utc(now.minus(NODE_ALIVE)))
        .query(node)
        .list();
  }

  /** Maps the columns that every table of nodes has. */
  public static TopicOffsets.Reader reader(ResultSet row) throws SQLException {
    return new TopicOffsets.Reader(
        row.getString("node"),
        instant(row, "updated_at"),
        List.of(JsonMapper.shared().readValue(row.getString("partitions"), NodePartition[].class)));
  }

  /**
   * Rates by node.
   *
   * @param perSecond of each column, means of the last minute
   */
  public record Rates(List<String> columns, Map<String, double[]> perSecond) {

    /** The rate of all nodes together. */
    public double total(String column) {
      return perSecond.values().stream().mapToDouble(of -> of[columns.indexOf(column)]).sum();
    }

    /** The rate of a node; 0 when it has reported nothing. */
    public double of(String node, String column) {
      double[] of = perSecond.get(node);
      return of == null ? 0 : of[columns.indexOf(column)];
    }
  }

  /** Reads the rates of some columns. */
  public Rates rates(Instant now, String... columns) {
    Map<String, double[]> rates = new HashMap<>();
    jdbc.sql(
            RATES.formatted(
                tables,
                List.of(columns).stream()
                    .map(column -> "sum(%1$s) / over_s as %1$s".formatted(column))
                    .collect(Collectors.joining(", "))))
        .param("now", utc(now))
        .query(
            row -> {
              double[] of = new double[columns.length];
              for (int i = 0; i < of.length; i++) {
                of[i] = row.getDouble(columns[i]);
              }
              rates.put(row.getString("node"), of);
            });
    return new Rates(List.of(columns), rates);
  }

  /** Reads the dead letters by reason, the most frequent first. */
  public List<RejectedCount> rejected(Instant now) {
    return jdbc.sql(REJECTED)
        .param("hour", utc(now.minus(1, ChronoUnit.HOURS)))
        .param("input", input)
        .query(
            (row, number) ->
                new RejectedCount(
                    row.getString("reason"),
                    row.getLong("total"),
                    row.getLong("last_hour"),
                    instantOrNull(row, "newest_at")))
        .list();
  }

  /**
   * Figures of one minute.
   *
   * @param perSecond of each column; null = no node reported anything
   * @param rejected dead letters a second; null = not known
   * @param lag records that waited at its end
   * @param millis time of a commit
   */
  public record Minute(
      Instant time,
      double @Nullable [] perSecond,
      @Nullable Double rejected,
      @Nullable Double lag,
      @Nullable Double millis) {

    /** The rate of a column; null = no node reported anything. */
    public @Nullable Double perSecond(int column) {
      return perSecond == null ? null : Double.valueOf(perSecond[column]);
    }
  }

  /**
   * Reads the last hour, oldest minute first.
   *
   * @param commits selects minute and millis from {@code r}, the reports; without "group by"
   * @param columns whose rates are asked for
   */
  public List<Minute> history(Instant now, String commits, String... columns) {
    Instant until = now.truncatedTo(ChronoUnit.MINUTES);
    Instant since = until.minus(1, ChronoUnit.HOURS);
    Map<Instant, Double> rejected = new HashMap<>();
    jdbc.sql(REJECTED_BY_MINUTE)
        .param("input", input)
        .param("since", utc(since))
        .param("until", utc(until))
        .query(
            row -> {
              rejected.put(instant(row, "minute"), row.getDouble("rejected"));
            });
    String sums =
        List.of(columns).stream()
            .map(column -> "sum(%1$s)::float8 / 60 as %1$s".formatted(column))
            .collect(Collectors.joining(", "));
    Map<Instant, Minute> minutes = new HashMap<>();
    jdbc.sql(HISTORY.formatted(tables, commits, sums))
        .param("since", utc(since))
        .param("until", utc(until))
        .query(
            row -> {
              Instant time = instant(row, "minute");
              double[] perSecond = new double[columns.length];
              for (int i = 0; i < perSecond.length; i++) {
                perSecond[i] = row.getDouble(columns[i]);
              }
              minutes.put(
                  time,
                  new Minute(
                      time,
                      perSecond,
                      rejected.getOrDefault(time, 0.0),
                      real(row, "lag"),
                      real(row, "millis")));
            });
    List<Minute> history = new ArrayList<>();
    for (Instant time = since; time.isBefore(until); time = time.plus(1, ChronoUnit.MINUTES)) {
      Minute minute = minutes.get(time);
      history.add(minute == null ? new Minute(time, null, rejected.get(time), null, null) : minute);
    }
    return history;
  }

  /** The number of a column; null where the column is. */
  public static @Nullable Double real(ResultSet row, String column) throws SQLException {
    double value = row.getDouble(column);
    return row.wasNull() ? null : value;
  }
}
