package io.peerlens.talker;

import io.peerlens.ingest.flow.FlowMetricSums;
import io.peerlens.ingest.flow.FlowRollup;
import io.peerlens.ingest.flow.FlowSums;
import io.peerlens.ingest.flow.FlowTraffic;
import io.peerlens.ingest.flow.TalkerRanking;
import io.peerlens.ingest.flow.TalkerSums;
import io.peerlens.job.Progress;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.dao.DataAccessResourceFailureException;

/**
 * Keeps the sums and talkers of 5 minutes, hours and days equal to what they are made of.
 *
 * <p>As with samples each level has a mark up to which it is complete, and a bucket is one
 * transaction: it locks the mark, computes the bucket, replaces what is there and moves the mark.
 * Whatever kills the process, a bucket is there whole or not at all, and two nodes wait for each
 * other at the lock. What arrives behind the mark is announced in {@code flow_dirty} by the
 * transaction that appends it; such a bucket is computed anew from all its rows, and announces the
 * bucket above it.
 *
 * <p>A bucket whose sources retention may have removed stays as it is.
 *
 * <p>Objects count where they run when the bucket is computed, a few minutes after its end.
 */
public final class FlowRollUpStore {

  private static final String LOCK =
      """
      select extract(epoch from rolled_until)::bigint from flow_level_state where level = ? for update
      """;
  private static final String MARK =
      """
      select extract(epoch from rolled_until)::bigint from flow_level_state where level = ?
      """;
  private static final String KEPT_FROM =
      """
      select case when kept_from > '-infinity' then extract(epoch from kept_from)::bigint end
      from flow_level_state where level = ?
      """;
  private static final String MOVE_MARK =
      """
      update flow_level_state set rolled_until = ? where level = ?
      """;
  private static final String OLDEST_PART =
      """
      select extract(epoch from min(time))::bigint from flow_part
      """;
  private static final String NEXT_PART =
      """
      select extract(epoch from min(time))::bigint from flow_part where time >= ? and time < ?
      """;
  private static final String DIRTY_BUCKETS =
      """
      select extract(epoch from bucket)::bigint from flow_dirty where level = ?
      group by bucket having max(noted_at) <= ? or min(noted_at) <= ?
      order by bucket
      """;
  private static final String TAKE_NOTE =
      """
      delete from flow_dirty where level = ? and bucket = ?
      """;
  private static final String NOTE =
      """
      insert into flow_dirty (bucket, level, noted_at) values (?, ?, ?)
      """;
  private static final String BUCKET =
      """
      insert into flow_bucket (level, time, bytes, folded_bytes, folded_keys, duplicate_bytes, duplicate_rows)
      values (?, ?, ?, ?, ?, ?, ?)
      """;
  private static final String DUPLICATES =
      """
      select coalesce(sum(duplicate_bytes), 0)::bigint, coalesce(sum(duplicate_rows), 0)::bigint
      from flow_bucket where level = ? and time >= ? and time < ?
      """;

  /** A bucket that changes all the time is still computed anew this often. */
  private static final Duration LONGEST_QUIET = Duration.ofMinutes(5);

  /** Placement of objects is read again after this. */
  private static final Duration ENDS_HOLD = Duration.ofMinutes(2);

  private final DataSource dataSource;
  private final Settings settings;
  private final @Nullable FlowMetricStore metrics;

  /**
   * How it is done.
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
    this.dataSource = dataSource;
    this.settings = settings;
    this.metrics = metrics;
  }

  /**
   * Brings all levels up to date, as of {@code now}; returns early when cancelled. Safe to stop at
   * any point and to call again.
   *
   * @return how many buckets were computed
   */
  public long run(Instant now, Progress progress) {
    Run run = new Run(now, progress);
    try {
      for (FlowLevel level : FlowLevel.values()) {
        run.advance(level);
        run.correct(level);
      }
      return run.buckets;
    } catch (SQLException e) {
      throw new DataAccessResourceFailureException("Flow roll-up stopped: " + e.getMessage(), e);
    }
  }

  private final class Run {
    private final Instant now;
    private final Progress progress;
    private @Nullable EndRows ends;
    private long endsReadNanos;
    private long buckets;

    Run(Instant now, Progress progress) {
      this.now = now;
      this.progress = progress;
    }

    void advance(FlowLevel level) throws SQLException {
      boolean more = true;
      while (more && !progress.cancelled()) {
        try (Connection connection = dataSource.getConnection()) {
          connection.setAutoCommit(false);
          try {
            more = step(connection, level);
            connection.commit();
          } finally {
            endTransaction(connection);
          }
        }
      }
    }

    /** Rolls up one bucket; returns whether there may be another one. */
    private boolean step(Connection connection, FlowLevel level) throws SQLException {
      Long mark = seconds(connection, LOCK, level.label());
      Long due = due(connection, level);
      if (due == null) {
        return false;
      }
      if (mark == null) {
        Long oldest = seconds(connection, OLDEST_PART);
        if (oldest == null) {
          return false;
        }
        mark = level.floor(oldest);
        if (level != FlowLevel.FIVE_MINUTES) {
          move(connection, level, mark); // it may be a day until due, and this reads all minutes
        }
      }
      if (mark >= due) {
        return false;
      }
      if (level == FlowLevel.FIVE_MINUTES) {
        Long first = seconds(connection, NEXT_PART, time(mark), time(mark + level.seconds()));
        if (first == null) {
          // After a time without flows the mark goes on at once.
          Long next = seconds(connection, NEXT_PART, time(mark), time(due));
          move(connection, level, next == null ? due : level.floor(next));
          return next != null;
        }
      }
      compute(connection, level, mark, mark);
      move(connection, level, mark + level.seconds());
      return true;
    }

    private void move(Connection connection, FlowLevel level, long mark) throws SQLException {
      execute(connection, MOVE_MARK, time(mark), level.label());
    }

    /** End of the newest bucket that can be rolled up; null = none yet. */
    private @Nullable Long due(Connection connection, FlowLevel level) throws SQLException {
      if (level == FlowLevel.FIVE_MINUTES) {
        return level.floor(now.minus(settings.lag).getEpochSecond());
      }
      Long finer = seconds(connection, MARK, level.source());
      return finer == null ? null : Long.valueOf(level.floor(finer));
    }

    void correct(FlowLevel level) throws SQLException {
      for (long bucket : quietBuckets(level)) {
        if (progress.cancelled()) {
          return;
        }
        progress.detail("late flows of " + Instant.ofEpochSecond(bucket));
        try (Connection connection = dataSource.getConnection()) {
          connection.setAutoCommit(false);
          try {
            Long mark = seconds(connection, LOCK, level.label());
            execute(connection, TAKE_NOTE, level.label(), time(bucket));
            Long kept = seconds(connection, KEPT_FROM, level.source());
            // What lies after the mark will be read when its turn comes.
            if (mark != null && bucket < mark && (kept == null || kept <= bucket)) {
              compute(connection, level, bucket, mark);
              noteAbove(connection, level, bucket);
            }
            connection.commit();
          } finally {
            endTransaction(connection);
          }
        }
      }
    }

    private void noteAbove(Connection connection, FlowLevel level, long bucket)
        throws SQLException {
      if (level != FlowLevel.ONE_DAY) {
        FlowLevel above = FlowLevel.values()[level.ordinal() + 1];
        execute(
            connection, NOTE, time(above.floor(bucket)), above.label(), time(now.getEpochSecond()));
      }
    }

    private List<Long> quietBuckets(FlowLevel level) throws SQLException {
      Duration wait = level == FlowLevel.FIVE_MINUTES ? settings.quiet : Duration.ZERO;
      List<Long> found = new ArrayList<>();
      try (Connection connection = dataSource.getConnection();
          PreparedStatement statement = connection.prepareStatement(DIRTY_BUCKETS)) {
        statement.setString(1, level.label());
        statement.setObject(2, now.minus(wait).atOffset(ZoneOffset.UTC));
        statement.setObject(3, now.minus(LONGEST_QUIET).atOffset(ZoneOffset.UTC));
        try (ResultSet row = statement.executeQuery()) {
          while (row.next()) {
            found.add(row.getLong(1));
          }
        }
      }
      return found;
    }

    private void compute(Connection connection, FlowLevel level, long bucket, long mark)
        throws SQLException {
      progress.detail(
          "%s of flows from %s".formatted(level.label(), Instant.ofEpochSecond(bucket)));
      OffsetDateTime from = time(bucket);
      OffsetDateTime to = time(bucket + level.seconds());
      execute(connection, "delete from " + level.flows() + " where time = ?", from);
      execute(connection, "delete from " + level.talkers() + " where time = ?", from);
      execute(
          connection, "delete from flow_bucket where level = ? and time = ?", level.label(), from);
      FlowRollup rollup = new FlowRollup(settings.keysPerSender, ends(connection));
      if (level == FlowLevel.FIVE_MINUTES) {
        fromParts(connection, bucket, from, to, mark, rollup);
      } else {
        fromFiner(connection, level, bucket, from, to, rollup);
      }
      buckets++;
      progress.done(buckets);
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
      told(connection, level, from, rollup, rollup.duplicateBytes(), rollup.duplicateRows());
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
      try (PreparedStatement statement = connection.prepareStatement(DUPLICATES)) {
        statement.setString(1, finer.label());
        statement.setObject(2, from);
        statement.setObject(3, to);
        try (ResultSet row = statement.executeQuery()) {
          row.next();
          told(connection, level, from, rollup, row.getLong(1), row.getLong(2));
        }
      }
    }

    private void told(
        Connection connection,
        FlowLevel level,
        OffsetDateTime time,
        FlowRollup rollup,
        long duplicateBytes,
        long duplicateRows)
        throws SQLException {
      execute(
          connection,
          BUCKET,
          level.label(),
          time,
          rollup.bytes(),
          rollup.foldedBytes(),
          rollup.foldedKeys(),
          duplicateBytes,
          duplicateRows);
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

  private static @Nullable Long seconds(Connection connection, String sql, Object... arguments)
      throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      for (int i = 0; i < arguments.length; i++) {
        statement.setObject(i + 1, arguments[i]);
      }
      try (ResultSet row = statement.executeQuery()) {
        if (!row.next()) {
          throw new SQLException("flow_level_state has no row for " + List.of(arguments));
        }
        long seconds = row.getLong(1);
        return row.wasNull() ? null : seconds;
      }
    }
  }

  private static void execute(Connection connection, String sql, Object... arguments)
      throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      for (int i = 0; i < arguments.length; i++) {
        statement.setObject(i + 1, arguments[i]);
      }
      statement.executeUpdate();
    }
  }

  /** Takes back what was not committed, and gives the connection to the pool as it was. */
  private static void endTransaction(Connection connection) throws SQLException {
    connection.rollback();
    connection.setAutoCommit(true);
  }

  private static OffsetDateTime time(long seconds) {
    return Instant.ofEpochSecond(seconds).atOffset(ZoneOffset.UTC);
  }
}
