package io.peerlens.talker;

import static io.peerlens.database.Times.utc;

import io.peerlens.database.Transactions;
import io.peerlens.flow.rank.FlowMetricSums;
import io.peerlens.flow.rank.FlowRollup;
import io.peerlens.flow.rank.FlowSums;
import io.peerlens.flow.rank.FlowTraffic;
import io.peerlens.flow.rank.TalkerRanking;
import io.peerlens.flow.rank.TalkerSums;
import io.peerlens.job.Progress;
import io.peerlens.store.Level;
import io.peerlens.store.LevelStates;
import io.peerlens.store.RollUpEngine;
import io.peerlens.store.SetPart;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.List;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * Roll-ups of flows: sums and talkers of 5 minutes, hours and days, by the {@link RollUpEngine},
 * one bucket in a transaction.
 *
 * <p>A bucket whose sources retention may have removed stays as it is.
 *
 * <p>Objects count where they run when the bucket is computed, a few minutes after its end.
 */
public final class FlowRollUpStore {

  private static final String OLDEST_PART =
      """
      select min(time) from flow_part having min(time) is not null
      """;
  private static final String NEXT_PART =
      """
      select min(time) from flow_part where time >= :from and time < :to having min(time) is not null
      """;
  private static final String FORGET_BUCKET =
      "delete from flow_bucket where level = :level and time = :time";
  private static final String BUCKET =
      """
      insert into flow_bucket (level, time, bytes, folded_bytes, folded_keys, duplicate_bytes, duplicate_rows)
      values (:level, :time, :bytes, :foldedBytes, :foldedKeys, :duplicateBytes, :duplicateRows)
      """;
  private static final String DUPLICATES =
      """
      select coalesce(sum(duplicate_bytes), 0)::bigint as bytes, coalesce(sum(duplicate_rows), 0)::bigint as rows
      from flow_bucket where level = :level and time >= :from and time < :to
      """;

  /** Placement of objects is read again after this. */
  private static final Duration ENDS_HOLD = Duration.ofMinutes(2);

  private final RollUpEngine<FlowLevel> engine;
  private final Settings settings;
  private final @Nullable FlowMetricStore metrics;

  /**
   * Settings of the roll-up.
   *
   * @param lag how long after its end a bucket is rolled up
   * @param quiet how long nothing more must have come for a changed bucket
   * @param deduplicate whether of several observers of the same traffic one counts
   * @param keysPerSender how many keys of a sender are kept in a bucket
   * @param talkers how many talkers are kept in a list by each measure
   * @param portionRows rows in memory at once, about; one takes some 200 bytes while it is worked
   *     on
   */
  public record Settings(
      Duration lag,
      Duration quiet,
      boolean deduplicate,
      int keysPerSender,
      int talkers,
      int portionRows) {}

  /** Uses a connection for each bucket. */
  public FlowRollUpStore(DataSource dataSource, Settings settings) {
    this(dataSource, settings, null);
  }

  /**
   * Makes metrics as well.
   *
   * @param metrics null = none are made
   */
  public FlowRollUpStore(
      DataSource dataSource, Settings settings, @Nullable FlowMetricStore metrics) {
    this.settings = settings;
    this.metrics = metrics;
    engine =
        new RollUpEngine<>(
            dataSource,
            List.of(FlowLevel.values()),
            new RollUpEngine.Settings(
                "flows",
                FlowLevel.STATES,
                "flow_dirty",
                settings.lag,
                settings.quiet,
                SetPart.WHOLE));
  }

  /**
   * Brings all levels up to date, as of {@code now}; returns early when cancelled. Safe to stop at
   * any point and to call again.
   */
  public void run(Instant now, Progress progress) {
    engine.run(now, progress, new Run());
  }

  /** Traffic that was seen more than once. */
  private record Duplicates(long bytes, long rows) {}

  /** One call of {@link #run}, which keeps the placement of objects for a while. */
  private final class Run implements RollUpEngine.Buckets<FlowLevel> {
    private @Nullable EndRows ends;
    private long endsReadNanos;

    @Override
    public @Nullable Long oldest(Connection connection, FlowLevel level) {
      return micros(Transactions.on(connection).sql(OLDEST_PART));
    }

    /** Finds where flows go on, so that a time without any is passed over at once. */
    @Override
    public long next(Connection connection, FlowLevel level, long mark, long due) {
      if (level != FlowLevel.FIVE_MINUTES) {
        return mark;
      }
      Long first = firstPart(connection, mark, mark + level.widthMicros());
      if (first == null) {
        first = firstPart(connection, mark, due);
      }
      return first == null ? due : level.floor(first);
    }

    private static @Nullable Long firstPart(Connection connection, long from, long to) {
      return micros(
          Transactions.on(connection)
              .sql(NEXT_PART)
              .param("from", utc(Level.instant(from)))
              .param("to", utc(Level.instant(to))));
    }

    private static @Nullable Long micros(JdbcClient.StatementSpec time) {
      return time.query(OffsetDateTime.class)
          .optional()
          .map(one -> Level.micros(one.toInstant()))
          .orElse(null);
    }

    @Override
    public boolean compute(
        Connection connection, FlowLevel level, long fromMicros, long toMicros, long mark)
        throws SQLException {
      JdbcClient jdbc = Transactions.on(connection);
      if (fromMicros < mark
          && new LevelStates(jdbc, FlowLevel.STATES).of(level.sourceLabel()).keptFromMicros()
              > fromMicros) {
        return false;
      }
      long bucket = fromMicros / 1_000_000;
      OffsetDateTime from = utc(Level.instant(fromMicros));
      OffsetDateTime to = utc(Level.instant(toMicros));
      for (String table : List.of(level.flows(), level.talkers())) {
        jdbc.sql("delete from " + table + " where time = :time").param("time", from).update();
      }
      jdbc.sql(FORGET_BUCKET).param("level", level.label()).param("time", from).update();
      FlowRollup rollup = new FlowRollup(settings.keysPerSender, ends(connection));
      if (level == FlowLevel.FIVE_MINUTES) {
        fromParts(connection, bucket, from, to, mark / 1_000_000, rollup);
      } else {
        fromFiner(connection, level, bucket, from, to, rollup);
      }
      return true;
    }

    private void fromParts(
        Connection connection,
        long bucket,
        OffsetDateTime from,
        OffsetDateTime to,
        long mark,
        FlowRollup rollup)
        throws SQLException {
      FlowLevel level = FlowLevel.FIVE_MINUTES;
      TalkerSums talkers = new TalkerSums(level.minutes(), ends(connection));
      FlowMetricSums derived = metrics == null ? null : metrics.begin(ends(connection));
      FlowTraffic traffic = derived == null ? talkers : both(talkers, derived);
      int portions = portions(FlowBucketRows.count(connection, "flow_part", from, to));
      FlowBucketRows.parts(
          connection,
          from,
          to,
          portions,
          (number, rows) -> {
            if (number > 0) {
              talkers.endPortion(settings.talkers);
            }
            FlowSums sums =
                rollup.bucket(
                    rows,
                    Math.toIntExact(bucket / 60),
                    level.minutes(),
                    settings.deduplicate,
                    traffic);
            FlowBucketRows.write(connection, level.flows(), bucket, sums);
          });
      for (TalkerRows.View view : TalkerRows.View.all()) {
        TalkerRanking list =
            talkers.ranking(view.dimension(), view.direction(), view.type(), settings.talkers);
        TalkerRows.write(connection, level, from, view, list);
      }
      count(
          connection,
          level,
          from,
          rollup,
          new Duplicates(rollup.duplicateBytes(), rollup.duplicateRows()));
      if (metrics != null && derived != null) {
        metrics.write(connection, bucket, Math.toIntExact(level.seconds()), mark, derived);
      }
    }

    private static FlowTraffic both(FlowTraffic one, FlowTraffic other) {
      return (sums, row, byMinute, firstMinute) -> {
        one.add(sums, row, byMinute, firstMinute);
        other.add(sums, row, byMinute, firstMinute);
      };
    }

    private void fromFiner(
        Connection connection,
        FlowLevel level,
        long bucket,
        OffsetDateTime from,
        OffsetDateTime to,
        FlowRollup rollup)
        throws SQLException {
      FlowLevel finer = FlowLevel.values()[level.ordinal() - 1];
      int portions = portions(FlowBucketRows.count(connection, finer.flows(), from, to));
      FlowBucketRows.sums(
          connection,
          finer.flows(),
          from,
          to,
          portions,
          (number, parts) ->
              FlowBucketRows.write(connection, level.flows(), bucket, rollup.merge(parts)));
      for (TalkerRows.View view : TalkerRows.View.all()) {
        List<TalkerRanking> lists =
            TalkerRows.read(connection, finer, view, from, to).stream()
                .map(TalkerRows.Stored::ranking)
                .toList();
        TalkerRanking list = TalkerRanking.together(lists).cut(settings.talkers);
        TalkerRows.write(connection, level, from, view, list);
      }
      count(
          connection,
          level,
          from,
          rollup,
          Transactions.on(connection)
              .sql(DUPLICATES)
              .param("level", finer.label())
              .param("from", from)
              .param("to", to)
              .query(Duplicates.class)
              .single());
    }

    private static void count(
        Connection connection,
        FlowLevel level,
        OffsetDateTime time,
        FlowRollup rollup,
        Duplicates duplicates) {
      Transactions.on(connection)
          .sql(BUCKET)
          .param("level", level.label())
          .param("time", time)
          .param("bytes", rollup.bytes())
          .param("foldedBytes", rollup.foldedBytes())
          .param("foldedKeys", rollup.foldedKeys())
          .param("duplicateBytes", duplicates.bytes)
          .param("duplicateRows", duplicates.rows)
          .update();
    }

    private EndRows ends(Connection connection) throws SQLException {
      EndRows known = ends;
      long nanos = System.nanoTime();
      if (known == null || nanos - endsReadNanos > ENDS_HOLD.toNanos()) {
        known = EndRows.read(connection);
        ends = known;
        endsReadNanos = nanos;
      }
      return known;
    }
  }

  private int portions(long rows) {
    return Math.toIntExact(Math.max(1, Math.ceilDiv(rows, settings.portionRows)));
  }
}
