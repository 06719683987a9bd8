package io.peerlens.store;

import static io.peerlens.database.Times.instant;
import static io.peerlens.database.Times.utc;

import io.peerlens.database.Transactions;
import io.peerlens.job.Progress;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.List;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.dao.DataAccessResourceFailureException;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * Roll-up engine: keeps each level equal to what it is made of.
 *
 * <p>Each level has a watermark, {@link LevelStates}: every bucket before it is rolled up. Work
 * goes on in steps, and a step is one transaction: it locks the watermark, computes a stretch of
 * buckets and moves the watermark. Whatever kills the process, a step is there whole or not at all,
 * and a node that wrongly believes to be the only one waits at the lock and then finds the work
 * done. Where a level is made in parts, each part has a watermark and notes of its own, so several
 * nodes work at once.
 *
 * <p>What comes after its bucket was rolled up is noted by the transaction that writes it. A step
 * takes such notes back and computes their buckets anew in one transaction; its notes are seen
 * before the data are read, so what comes meanwhile leaves its note for the next step. A bucket
 * that changed notes the bucket above it the same way.
 *
 * @param <L> levels, each made of the one before
 */
public final class RollUpEngine<L extends RollUpLevel> {

  /** A bucket that changes all the time is still computed anew this often. */
  private static final Duration LONGEST_QUIET = Duration.ofMinutes(5);

  private static final String QUIET_BUCKETS =
      """
      select bucket from %s where level = :level%s
      group by bucket having max(noted_at) <= :quiet or min(noted_at) <= :longest
      order by bucket
      """;
  private static final String TAKE_NOTES =
      "delete from %s where level = :level and bucket >= :from and bucket < :to%s";
  private static final String NOTE =
      """
      insert into %s (bucket, level, noted_at%s)
      select bucket, :level, :now%s
      from generate_series(:from::timestamptz, :to::timestamptz, make_interval(secs => :seconds)) bucket
      """;

  /** Gives notes that are for all parts to each of them; when the first and the last came stays. */
  private static final String SPLIT_NOTES =
      """
      with taken as (delete from %1$s where level = :level and part is null returning bucket, noted_at)
      insert into %1$s (bucket, level, part, noted_at)
      select t.bucket, :level, p.part, at.noted_at
      from (select bucket, min(noted_at) as first, max(noted_at) as last from taken group by bucket) t
      cross join lateral (select t.first as noted_at union select t.last) at
      cross join generate_series(0, :parts - 1) p(part)
      """;

  /**
   * Tables and times of what is rolled up.
   *
   * @param name what is rolled up, in the words of jobs and errors
   * @param states table of watermarks
   * @param notes table of buckets that changed after they were rolled up
   * @param lag how long after its end a bucket of the finest level is rolled up; what comes later
   *     costs a second computation
   * @param quiet how long nothing more must have come for a changed bucket of the finest level
   *     before it is computed anew
   * @param part what of it; only samples are split
   */
  public record Settings(
      String name, String states, String notes, Duration lag, Duration quiet, SetPart part) {}

  /** The computation of buckets; for one run and one thread. Times are microseconds since 1970. */
  public interface Buckets<L> {

    /** Reads the oldest time of what a level is made of; null = there is nothing. */
    @Nullable Long oldest(Connection connection, L level) throws SQLException;

    /** Finds the first bucket in {@code [mark, due)} that has data, or due. */
    default long next(Connection connection, L level, long mark, long due) throws SQLException {
      return mark;
    }

    /** Number of buckets that are computed in the next transaction at most. */
    default int stretch() {
      return 1;
    }

    /**
     * Replaces the buckets of {@code [from, to)}.
     *
     * @param mark up to where the level is rolled up; from = they are computed for the first time
     * @return whether anything may have changed
     */
    boolean compute(Connection connection, L level, long from, long to, long mark)
        throws SQLException;
  }

  private final DataSource dataSource;
  private final List<L> levels;
  private final Settings settings;
  private final String ofPart;

  /**
   * @param levels finest first
   */
  public RollUpEngine(DataSource dataSource, List<L> levels, Settings settings) {
    this.dataSource = dataSource;
    this.levels = List.copyOf(levels);
    this.settings = settings;
    this.ofPart = settings.part.isWhole() ? "" : " and part = " + settings.part.number();
  }

  /**
   * Brings all levels up to date, as of {@code now}; returns early when cancelled. Safe to stop at
   * any point and to call again.
   *
   * @return number of buckets that were computed or passed over because they are empty
   */
  public long run(Instant now, Progress progress, Buckets<L> buckets) {
    Run run = new Run(now, progress, buckets);
    try {
      for (int i = 0; i < levels.size(); i++) {
        run.advance(i);
        run.correct(i);
      }
      return run.done;
    } catch (Watermarks.NotInForceException e) {
      return run.done; // another node has arranged other parts
    } catch (SQLException e) {
      throw new DataAccessResourceFailureException(
          "Roll-up of %s stopped: %s".formatted(settings.name, e.getMessage()), e);
    }
  }

  private final class Run {
    private final Instant now;
    private final Progress progress;
    private final Buckets<L> buckets;
    private long total;
    private long done;

    Run(Instant now, Progress progress, Buckets<L> buckets) {
      this.now = now;
      this.progress = progress;
      this.buckets = buckets;
    }

    /** Rolls up what lies between the watermark and the newest bucket that is due. */
    void advance(int level) throws SQLException {
      boolean more = true;
      boolean first = true;
      while (more && !progress.cancelled()) {
        boolean announce = first;
        more = Transactions.run(dataSource, connection -> step(connection, level, announce));
        first = false;
      }
    }

    /** Rolls up one stretch; returns whether there may be another one. */
    private boolean step(Connection connection, int number, boolean announce) throws SQLException {
      L level = levels.get(number);
      Watermarks marks = marks(connection);
      Long mark = marks.lock(level.label());
      Long due = due(marks, number);
      if (due == null) {
        return false;
      }
      if (mark == null) {
        Long oldest = buckets.oldest(connection, level);
        if (oldest == null) {
          return false;
        }
        mark = level.floor(oldest);
        if (number > 0) {
          // It may be long until the first bucket is due, and looking for the oldest reads all.
          marks.move(level.label(), mark);
        }
      }
      if (mark >= due) {
        return false;
      }
      if (announce) {
        announce((due - mark) / level.widthMicros());
      }
      long from = buckets.next(connection, level, mark, due);
      long to = Math.min(due, from + buckets.stretch() * level.widthMicros());
      if (from < to) {
        progress.detail(
            "%s roll-ups of %s from %s"
                .formatted(level.label(), settings.name, Level.instant(from)));
        var unused = buckets.compute(connection, level, from, to, from);
      }
      marks.move(level.label(), to);
      finished((to - mark) / level.widthMicros());
      return to < due;
    }

    /** End of the newest bucket that can be rolled up; null = none yet. */
    private @Nullable Long due(Watermarks marks, int number) {
      L level = levels.get(number);
      if (number == 0) {
        return level.floor(Level.micros(now.minus(settings.lag)));
      }
      Long finer = marks.of(level.sourceLabel());
      return finer == null ? null : Long.valueOf(level.floor(finer));
    }

    /** Computes anew what changed behind the watermark, neighbours together. */
    void correct(int number) throws SQLException {
      L level = levels.get(number);
      splitNotes(level);
      List<Long> changed = quietBuckets(number);
      if (!changed.isEmpty()) {
        announce(changed.size());
      }
      int next = 0;
      while (next < changed.size() && !progress.cancelled()) {
        long from = changed.get(next);
        int end = next + 1;
        while (end < changed.size()
            && end - next < buckets.stretch()
            && changed.get(end) == changed.get(end - 1) + level.widthMicros()) {
          end++;
        }
        long to = changed.get(end - 1) + level.widthMicros();
        progress.detail(
            "late %s: %s roll-ups from %s"
                .formatted(settings.name, level.label(), Level.instant(from)));
        Transactions.run(
            dataSource,
            connection -> {
              correct(connection, number, from, to);
              return null;
            });
        finished(end - next);
        next = end;
      }
    }

    private void correct(Connection connection, int number, long from, long to)
        throws SQLException {
      L level = levels.get(number);
      Long mark = marks(connection).lock(level.label());
      JdbcClient jdbc = Transactions.on(connection);
      jdbc.sql(TAKE_NOTES.formatted(settings.notes, ofPart))
          .param("level", level.label())
          .param("from", time(from))
          .param("to", time(to))
          .update();
      // What lies after the watermark will be read when its turn comes.
      long end = mark == null ? from : Math.min(to, mark);
      if (mark != null
          && from < end
          && buckets.compute(connection, level, from, end, mark)
          && number + 1 < levels.size()) {
        L above = levels.get(number + 1);
        boolean whole = settings.part.isWhole();
        jdbc.sql(
                NOTE.formatted(
                    settings.notes,
                    whole ? "" : ", part",
                    whole ? "" : ", " + settings.part.number()))
            .param("level", above.label())
            .param("now", utc(now))
            .param("from", time(above.floor(from)))
            .param("to", time(above.floor(end - 1)))
            .param("seconds", above.widthMicros() / 1e6)
            .update();
      }
    }

    private List<Long> quietBuckets(int number) {
      Duration wait = number == 0 ? settings.quiet : Duration.ZERO;
      return JdbcClient.create(dataSource)
          .sql(QUIET_BUCKETS.formatted(settings.notes, ofPart))
          .param("level", levels.get(number).label())
          .param("quiet", utc(now.minus(wait)))
          .param("longest", utc(now.minus(LONGEST_QUIET)))
          .query((row, index) -> Level.micros(instant(row, "bucket")))
          .list();
    }

    private void splitNotes(L level) {
      if (!settings.part.isWhole()) {
        JdbcClient.create(dataSource)
            .sql(SPLIT_NOTES.formatted(settings.notes))
            .param("level", level.label())
            .param("parts", settings.part.of())
            .update();
      }
    }

    private Watermarks marks(Connection connection) {
      JdbcClient jdbc = Transactions.on(connection);
      return settings.part.isWhole()
          ? new Watermarks.OfWhole(jdbc, settings.states)
          : new Watermarks.OfPart(jdbc, settings.part);
    }

    private void announce(long more) {
      total += more;
      progress.total(total);
    }

    private void finished(long more) {
      done += more;
      progress.done(done);
    }
  }

  private static OffsetDateTime time(long micros) {
    return utc(Level.instant(micros));
  }
}
