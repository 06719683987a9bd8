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
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * Roll-ups of samples: 5 minutes from raw samples, hours from 5 minutes, by the {@link
 * RollUpEngine}. A stretch of buckets of the finer level is read on a second connection (columnar,
 * ordered by set), folded row by row, and the result is sent as COPY. Memory does not depend on the
 * number of sets.
 *
 * <p>A bucket whose samples retention may have removed is never computed anew, since the result
 * would be less than what is there; such late samples only fill buckets of sets that have none.
 */
public final class RollUps {
  private static final List<Level> LEVELS = List.of(Level.FIVE_MINUTES, Level.ONE_HOUR);

  private static final int FIRST_STRETCH = 12;
  private static final int LONGEST_STRETCH = 288;
  private static final long FEW_ROWS = 100_000;
  private static final long MANY_ROWS = 800_000;

  private final RollUpEngine<Level> engine;
  private final SampleReader reader;

  /**
   * @param lag how long after its end a bucket is rolled up; samples that come later cost a second
   *     computation
   * @param quiet how long no further sample must have come for a changed bucket before it is
   *     computed anew
   */
  public RollUps(DataSource dataSource, SampleReader reader, Duration lag, Duration quiet) {
    this.reader = reader;
    engine =
        new RollUpEngine<>(
            dataSource,
            LEVELS,
            new RollUpEngine.Settings("samples", LevelStates.SAMPLES, "rollup_dirty", lag, quiet));
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
    Folding folding = new Folding();
    long buckets = engine.run(now, progress, folding);
    return new Result(buckets, folding.rowsRead, folding.rowsWritten);
  }

  /** One call of {@link #run}: counters and the length of a stretch that suits the data. */
  private final class Folding implements RollUpEngine.Buckets<Level> {
    private final BucketFold fold = new BucketFold();
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
      if (from < kept) {
        fillGaps(connection, jdbc, level, from, kept);
      }
      if (kept < to) {
        jdbc.sql("delete from %s where time >= :from and time < :to".formatted(level.table()))
            .param("from", utc(Level.instant(kept)))
            .param("to", utc(Level.instant(to)))
            .update();
        fold(connection, level, kept, to, level.table());
      }
      return true;
    }

    private void fillGaps(Connection connection, JdbcClient jdbc, Level level, long from, long to)
        throws SQLException {
      jdbc.sql(
              "create temporary table rollup_late (like %s) on commit drop"
                  .formatted(level.table()))
          .update();
      fold(connection, level, from, to, "rollup_late");
      jdbc.sql(
              "insert into %s select * from rollup_late on conflict (set_id, time) do nothing"
                  .formatted(level.table()))
          .update();
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
  }

  private static Level source(Level level) {
    return Objects.requireNonNull(level.source(), "Raw samples are not rolled up from anything");
  }
}
