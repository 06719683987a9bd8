package io.peerlens.store;

import io.peerlens.job.Progress;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
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
 * Keeps the roll-ups equal to what they are made of.
 *
 * <p>Each level has a mark in {@code level_state}: every bucket before it is rolled up. Work goes
 * on in steps, and a step is one transaction: it locks the mark, reads a stretch of buckets from
 * the finer level on a second connection (columnar, ordered by set), folds row by row, sends the
 * result as COPY, and moves the mark. Whatever kills the process, a step is there whole or not at
 * all, and a node that wrongly believes to be the only one waits at the lock and then finds the
 * work done. Memory does not depend on the number of sets.
 *
 * <p>Samples that come after their bucket was rolled up are noted in {@code rollup_dirty} by the
 * transaction that writes them. A step takes such notes back and computes their buckets anew in one
 * transaction; its notes are seen before its samples are read, so a sample that comes meanwhile
 * leaves its note for the next step. A bucket of 5 minutes that changed notes its hour the same
 * way.
 *
 * <p>A bucket whose samples retention may have removed is never computed anew, since the result
 * would be less than what is there; such late samples only fill buckets of sets that have none.
 */
public final class RollUps {
  private static final List<Level> LEVELS = List.of(Level.FIVE_MINUTES, Level.ONE_HOUR);

  /** A bucket that changes all the time is still computed anew this often. */
  private static final Duration LONGEST_QUIET = Duration.ofMinutes(5);

  private static final int FIRST_STRETCH = 12;
  private static final int LONGEST_STRETCH = 288;
  private static final long FEW_ROWS = 100_000;
  private static final long MANY_ROWS = 800_000;

  private static final String LOCK_STATE =
      """
      select rolled_until from level_state where level = ? for update
      """;
  private static final String READ_STATE =
      """
      select rolled_until, kept_from = '-infinity', kept_from from level_state where level = ?
      """;
  private static final String MOVE_MARK =
      """
      update level_state set rolled_until = ? where level = ?
      """;
  private static final String QUIET_BUCKETS =
      """
      select bucket from rollup_dirty where level = ?
      group by bucket having max(noted_at) <= ? or min(noted_at) <= ?
      order by bucket
      """;
  private static final String TAKE_NOTES =
      """
      delete from rollup_dirty where level = ? and bucket >= ? and bucket < ?
      """;
  private static final String NOTE_HOURS =
      """
      insert into rollup_dirty (bucket, level, noted_at)
      select hour, '1h', ? from generate_series(?::timestamptz, ?::timestamptz, interval '1 hour') hour
      """;

  private final DataSource dataSource;
  private final SampleReader reader;
  private final Duration lag;
  private final Duration quiet;

  /**
   * @param lag how long after its end a bucket is rolled up; samples that come later cost a second
   *     computation
   * @param quiet how long no further sample must have come for a changed bucket before it is
   *     computed anew
   */
  public RollUps(DataSource dataSource, SampleReader reader, Duration lag, Duration quiet) {
    this.dataSource = dataSource;
    this.reader = reader;
    this.lag = lag;
    this.quiet = quiet;
  }

  /**
   * What a run did.
   *
   * @param buckets how many buckets were computed, empty ones included
   * @param rowsRead rows of the finer levels
   * @param rowsWritten roll-up rows
   */
  public record Result(long buckets, long rowsRead, long rowsWritten) {}

  /**
   * Brings all levels up to date, as of {@code now}; returns early when cancelled. Safe to stop at
   * any point and to call again.
   */
  public Result run(Instant now, Progress progress) {
    Run run = new Run(now, progress);
    try {
      for (Level level : LEVELS) {
        run.advance(level);
        run.correct(level);
      }
    } catch (SQLException e) {
      throw new DataAccessResourceFailureException("Roll-up stopped: " + e.getMessage(), e);
    }
    return new Result(run.buckets, run.rowsRead, run.rowsWritten);
  }

  /** One call of {@link #run}: counters and the length of a stretch that suits the data. */
  private final class Run {
    private final Instant now;
    private final Progress progress;
    private final BucketFold fold = new BucketFold();
    private int stretch = FIRST_STRETCH;
    private long total;
    private long buckets;
    private long rowsRead;
    private long rowsWritten;

    Run(Instant now, Progress progress) {
      this.now = now;
      this.progress = progress;
    }

    /** Rolls up what lies between the mark and the newest bucket that is due. */
    void advance(Level level) throws SQLException {
      boolean counted = false;
      while (!progress.cancelled()) {
        try (Connection connection = dataSource.getConnection()) {
          connection.setAutoCommit(false);
          try {
            Long mark = lock(connection, level);
            Long due = due(connection, level);
            if (due == null) {
              return;
            }
            if (mark == null) {
              Long oldest = oldest(connection, source(level));
              if (oldest == null) {
                return;
              }
              mark = level.floor(oldest);
            }
            if (mark >= due) {
              return;
            }
            if (!counted) {
              counted = true;
              announce((due - mark) / level.widthMicros());
            }
            long to = Math.min(due, mark + stretch * level.widthMicros());
            progress.detail("%s roll-ups from %s".formatted(level.label(), Level.instant(mark)));
            compute(connection, level, mark, to);
            execute(connection, MOVE_MARK, time(to), level.label());
            connection.commit();
            finished((to - mark) / level.widthMicros());
          } finally {
            endTransaction(connection);
          }
        }
      }
    }

    /** Computes anew what changed behind the mark. */
    void correct(Level level) throws SQLException {
      List<Long> changed;
      try (Connection connection = dataSource.getConnection()) {
        changed = quietBuckets(connection, level);
      }
      if (!changed.isEmpty()) {
        announce(changed.size());
      }
      int next = 0;
      while (next < changed.size() && !progress.cancelled()) {
        long from = changed.get(next);
        int end = next + 1;
        while (end < changed.size()
            && end - next < stretch
            && changed.get(end) == changed.get(end - 1) + level.widthMicros()) {
          end++;
        }
        progress.detail(
            "late samples: %s roll-ups from %s".formatted(level.label(), Level.instant(from)));
        correct(level, from, changed.get(end - 1) + level.widthMicros());
        finished(end - next);
        next = end;
      }
    }

    private void correct(Level level, long from, long to) throws SQLException {
      try (Connection connection = dataSource.getConnection()) {
        connection.setAutoCommit(false);
        try {
          Long mark = lock(connection, level);
          execute(connection, TAKE_NOTES, level.label(), time(from), time(to));
          // What lies after the mark will be read when its turn comes.
          long end = mark == null ? from : Math.min(to, mark);
          if (from < end) {
            compute(connection, level, from, end);
            if (level == Level.FIVE_MINUTES) {
              execute(
                  connection,
                  NOTE_HOURS,
                  time(Level.micros(now)),
                  time(Level.ONE_HOUR.floor(from)),
                  time(Level.ONE_HOUR.floor(end - 1)));
            }
          }
          connection.commit();
        } finally {
          endTransaction(connection);
        }
      }
    }

    private void compute(Connection connection, Level level, long from, long to)
        throws SQLException {
      long kept = Math.clamp(level.ceil(keptFrom(connection, source(level))), from, to);
      fillGaps(connection, level, from, kept);
      replace(connection, level, kept, to);
    }

    private void replace(Connection connection, Level level, long from, long to)
        throws SQLException {
      if (from >= to) {
        return;
      }
      execute(
          connection,
          "delete from " + level.table() + " where time >= ? and time < ?",
          time(from),
          time(to));
      fold(connection, level, from, to, level.table());
    }

    private void fillGaps(Connection connection, Level level, long from, long to)
        throws SQLException {
      if (from >= to) {
        return;
      }
      execute(
          connection,
          "create temporary table rollup_late (like " + level.table() + ") on commit drop");
      fold(connection, level, from, to, "rollup_late");
      execute(
          connection,
          "insert into "
              + level.table()
              + " select * from rollup_late on conflict (set_id, time) do nothing");
    }

    private void fold(Connection connection, Level level, long from, long to, String table)
        throws SQLException {
      long before = rowsRead;
      try (RollUpCopy copy = new RollUpCopy(connection, table)) {
        fold.begin(-1, 0);
        reader.readAll(
            source(level),
            from,
            to,
            row -> {
              long bucket = level.floor(row.time);
              if (row.setId != fold.setId || bucket != fold.bucket) {
                flush(copy);
                fold.begin(row.setId, bucket);
              }
              fold.add(row);
              rowsRead++;
            });
        flush(copy);
        copy.finish();
      }
      long read = rowsRead - before;
      if (read < FEW_ROWS) {
        stretch = Math.min(LONGEST_STRETCH, stretch * 2);
      } else if (read > MANY_ROWS) {
        stretch = Math.max(1, stretch / 2);
      }
    }

    private void flush(RollUpCopy copy) throws SQLException {
      if (!fold.isEmpty()) {
        copy.write(fold);
        rowsWritten++;
      }
    }

    /** End of the newest bucket that can be rolled up; null = none yet. */
    private @Nullable Long due(Connection connection, Level level) throws SQLException {
      if (level == Level.FIVE_MINUTES) {
        return level.floor(Level.micros(now.minus(lag)));
      }
      Long finer = mark(connection, source(level));
      return finer == null ? null : Long.valueOf(level.floor(finer));
    }

    private List<Long> quietBuckets(Connection connection, Level level) throws SQLException {
      Duration wait = level == Level.FIVE_MINUTES ? quiet : Duration.ZERO;
      List<Long> found = new ArrayList<>();
      try (PreparedStatement statement = connection.prepareStatement(QUIET_BUCKETS)) {
        statement.setString(1, level.label());
        statement.setObject(2, time(Level.micros(now.minus(wait))));
        statement.setObject(3, time(Level.micros(now.minus(LONGEST_QUIET))));
        try (ResultSet result = statement.executeQuery()) {
          while (result.next()) {
            found.add(micros(result, 1));
          }
        }
      }
      return found;
    }

    private void announce(long more) {
      total += more;
      progress.total(total);
    }

    private void finished(long more) {
      buckets += more;
      progress.done(buckets);
    }
  }

  private static Level source(Level level) {
    Level source = level.source();
    if (source == null) {
      throw new IllegalArgumentException("Raw samples are not rolled up from anything");
    }
    return source;
  }

  private static @Nullable Long lock(Connection connection, Level level) throws SQLException {
    return mark(connection, level, LOCK_STATE);
  }

  private static @Nullable Long mark(Connection connection, Level level) throws SQLException {
    return mark(connection, level, READ_STATE);
  }

  private static @Nullable Long mark(Connection connection, Level level, String sql)
      throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      statement.setString(1, level.label());
      try (ResultSet result = statement.executeQuery()) {
        if (!result.next()) {
          throw new SQLException("level_state has no row for " + level.label());
        }
        return nullableMicros(result, 1);
      }
    }
  }

  private static long keptFrom(Connection connection, Level level) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(READ_STATE)) {
      statement.setString(1, level.label());
      try (ResultSet result = statement.executeQuery()) {
        if (!result.next()) {
          throw new SQLException("level_state has no row for " + level.label());
        }
        // Far enough back, and safe to round.
        return result.getBoolean(2) ? Long.MIN_VALUE / 2 : micros(result, 3);
      }
    }
  }

  /** Time of the oldest row. Reads the whole table, so for a table that has hardly any. */
  private static @Nullable Long oldest(Connection connection, Level level) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet result = statement.executeQuery("select min(time) from " + level.table())) {
      result.next();
      return nullableMicros(result, 1);
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

  private static OffsetDateTime time(long micros) {
    return Level.instant(micros).atOffset(ZoneOffset.UTC);
  }

  private static long micros(ResultSet result, int column) throws SQLException {
    return Level.micros(result.getObject(column, OffsetDateTime.class).toInstant());
  }

  private static @Nullable Long nullableMicros(ResultSet result, int column) throws SQLException {
    OffsetDateTime time = result.getObject(column, OffsetDateTime.class);
    return time == null ? null : Long.valueOf(Level.micros(time.toInstant()));
  }
}
