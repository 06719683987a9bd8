package io.peerlens.store;

import static io.peerlens.database.Times.utc;

import io.peerlens.database.Transactions;
import io.peerlens.job.Progress;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Objects;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.dao.DataAccessResourceFailureException;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * Roll-ups of samples: 5 minutes from raw samples, hours from 5 minutes, by the {@link
 * RollUpEngine}. A stretch of buckets of the finer level is read on a second connection (columnar,
 * ordered by set), folded row by row, and the result is sent as COPY. Memory does not depend on the
 * number of sets.
 *
 * <p>An hour also gets {@link Sketches} of its raw samples, which are read beside the buckets of 5
 * minutes; an hour whose raw samples may be gone gets none.
 *
 * <p>A bucket whose samples retention may have removed is never computed anew, since the result
 * would be less than what is there; such late samples only fill buckets of sets that have none.
 */
public final class RollUps {
  private static final List<Level> LEVELS = List.of(Level.FIVE_MINUTES, Level.ONE_HOUR);

  private static final String KEEP_SKETCHES =
      """
      update rollup_again n set sketches = o.sketches
      from %s o
      where o.set_id = n.set_id and o.time = n.time and o.time >= :from and o.time < :to
        and o.sketches is not null and o.samples = n.samples and o.counts is not distinct from n.counts
        and o.avg = n.avg and o.min is not distinct from n.min and o.max is not distinct from n.max
      """;

  private static final int FIRST_STRETCH = 12;
  private static final int LONGEST_STRETCH = 288;
  private static final long FEW_ROWS = 100_000;
  private static final long MANY_ROWS = 800_000;

  private final RollUpEngine<Level> engine;
  private final DataSource dataSource;
  private final SampleReader reader;
  private final SetPart part;

  /**
   * @param lag how long after its end a bucket is rolled up; samples that come later cost a second
   *     computation
   * @param quiet how long no further sample must have come for a changed bucket before it is
   *     computed anew
   * @param part of all sets; whoever rolls up must agree on the number of parts
   */
  public RollUps(
      DataSource dataSource, SampleReader reader, Duration lag, Duration quiet, SetPart part) {
    this.dataSource = dataSource;
    this.reader = reader;
    this.part = part;
    engine =
        new RollUpEngine<>(
            dataSource,
            LEVELS,
            new RollUpEngine.Settings(
                "samples", LevelStates.SAMPLES, "rollup_dirty", lag, quiet, part));
  }

  /**
   * Work of a run.
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
    try {
      PartArrangement.ensure(dataSource, LEVELS, part.of());
    } catch (SQLException e) {
      throw new DataAccessResourceFailureException(
          "Parts of roll-ups could not be arranged: " + e.getMessage(), e);
    }
    Folding folding = new Folding();
    long buckets = engine.run(now, progress, folding);
    return new Result(buckets, folding.rowsRead, folding.rowsWritten);
  }

  /** One call of {@link #run}: counters and the length of a stretch that suits the data. */
  private final class Folding implements RollUpEngine.Buckets<Level> {
    private final BucketFold fold = new BucketFold();
    private final Sketches sketches = new Sketches();
    private int stretch = FIRST_STRETCH;
    private long rowsRead;
    private long rowsWritten;

    @Override
    public int stretch() {
      return stretch;
    }

    /** Reads the whole table, so for a table that has hardly any rows. */
    @Override
    public @Nullable Long oldest(Connection connection, Level level) {
      return Transactions.on(connection)
          .sql(
              "select min(time) from %s having min(time) is not null"
                  .formatted(source(level).table()))
          .query(OffsetDateTime.class)
          .optional()
          .map(oldest -> Level.micros(oldest.toInstant()))
          .orElse(null);
    }

    @Override
    public boolean compute(Connection connection, Level level, long from, long to, long mark)
        throws SQLException {
      JdbcClient jdbc = Transactions.on(connection);
      long keptFrom =
          new LevelStates(jdbc, LevelStates.SAMPLES).of(level.sourceLabel()).keptFromMicros();
      long kept = Math.clamp(level.ceil(keptFrom), from, to);
      long before = rowsRead;
      if (from < kept) {
        fillGaps(connection, jdbc, level, from, kept);
      }
      if (kept < to) {
        long raw = kept;
        if (level == Level.ONE_HOUR) {
          raw = Math.clamp(level.ceil(rawKeptFrom(jdbc)), kept, to);
          keepSketches(connection, jdbc, level, kept, raw);
        }
        delete(jdbc, level, raw, to);
        fold(connection, level, raw, to, level.table(), level == Level.ONE_HOUR);
      }
      long read = rowsRead - before;
      if (read < FEW_ROWS) {
        stretch = Math.min(LONGEST_STRETCH, stretch * 2);
      } else if (read > MANY_ROWS) {
        stretch = Math.max(1, stretch / 2);
      }
      return true;
    }

    private long rawKeptFrom(JdbcClient jdbc) {
      return new LevelStates(jdbc, LevelStates.SAMPLES).of(Level.RAW.label()).keptFromMicros();
    }

    private void delete(JdbcClient jdbc, Level level, long from, long to) {
      jdbc.sql(
              "delete from %s where time >= :from and time < :to%s"
                  .formatted(level.table(), part.condition()))
          .param("from", utc(Level.instant(from)))
          .param("to", utc(Level.instant(to)))
          .update();
    }

    /**
     * Computes hours anew whose raw samples are gone. An hour that stays as it was keeps its
     * sketches; of one that has changed they would no longer be right.
     */
    private void keepSketches(
        Connection connection, JdbcClient jdbc, Level level, long from, long to)
        throws SQLException {
      if (from >= to) {
        return;
      }
      jdbc.sql(
              "create temporary table rollup_again (like %s) on commit drop"
                  .formatted(level.table()))
          .update();
      fold(connection, level, from, to, "rollup_again", false);
      jdbc.sql(KEEP_SKETCHES.formatted(level.table()))
          .param("from", utc(Level.instant(from)))
          .param("to", utc(Level.instant(to)))
          .update();
      delete(jdbc, level, from, to);
      jdbc.sql("insert into %s select * from rollup_again".formatted(level.table())).update();
    }

    private void fillGaps(Connection connection, JdbcClient jdbc, Level level, long from, long to)
        throws SQLException {
      jdbc.sql(
              "create temporary table rollup_late (like %s) on commit drop"
                  .formatted(level.table()))
          .update();
      fold(connection, level, from, to, "rollup_late", false);
      jdbc.sql(
              "insert into %s select * from rollup_late on conflict (set_id, time) do nothing"
                  .formatted(level.table()))
          .update();
    }

    private void fold(
        Connection connection, Level level, long from, long to, String table, boolean sketched)
        throws SQLException {
      try (RollUpCopy copy = new RollUpCopy(connection, table, sketched)) {
        if (sketched) {
          // One at a time: the database sorts the raw samples of a bucket, and no more than that.
          for (long bucket = from; bucket < to; bucket += level.widthMicros()) {
            long end = bucket + level.widthMicros();
            try (RawCursor raw = reader.openRaw(part, bucket, end)) {
              fold(copy, level, bucket, end, raw);
              rowsRead += raw.read();
            }
          }
        } else {
          fold(copy, level, from, to, null);
        }
        copy.finish();
      }
    }

    /**
     * @param raw samples of what sketches are made; null = there are to be none
     */
    private void fold(RollUpCopy copy, Level level, long from, long to, @Nullable RawCursor raw)
        throws SQLException {
      fold.begin(-1, 0);
      reader.readAll(
          source(level),
          part,
          from,
          to,
          row -> {
            long bucket = level.floor(row.time);
            if (row.setId != fold.setId || bucket != fold.bucket) {
              flush(copy, level, raw);
              fold.begin(row.setId, bucket);
            }
            fold.add(row);
            rowsRead++;
          });
      flush(copy, level, raw);
    }

    private void flush(RollUpCopy copy, Level level, @Nullable RawCursor raw) throws SQLException {
      if (!fold.isEmpty()) {
        if (raw != null) {
          sketches.read(raw, fold, fold.bucket + level.widthMicros());
        }
        copy.write(fold, raw == null ? null : sketches);
        rowsWritten++;
      }
    }
  }

  private static Level source(Level level) {
    return Objects.requireNonNull(level.source(), "Raw samples are not rolled up from anything");
  }
}
