package io.peerlens.store;

import static io.peerlens.database.Times.instantOrNull;
import static io.peerlens.database.Times.utc;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * How far levels are rolled up, within a transaction: that of a level as a whole, or of one part of
 * its sets. Times are microseconds since 1970; null = nothing is rolled up.
 *
 * <p>While parts are rolled up, several transactions share the row of their level: each reads it
 * for key share, and changes it only at its end. Who arranges the parts anew, or rolls up the level
 * as a whole, locks that row for update and so waits until no part is at work.
 */
interface Watermarks {

  /** Some other number of parts is in force; there is nothing to do for this one. */
  final class NotInForceException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    NotInForceException() {
      super(null, null, false, false);
    }
  }

  /**
   * Reads the mark of a level, and keeps others from moving it until the transaction ends.
   *
   * @throws NotInForceException if there is no such part
   */
  @Nullable Long lock(String level);

  /** Reads the mark of a level that another one is made of. */
  @Nullable Long of(String level);

  /** Moves the mark of a level. */
  void move(String level, long micros);

  /** Those of levels as a whole. */
  final class OfWhole implements Watermarks {
    private final LevelStates states;

    OfWhole(JdbcClient jdbc, String table) {
      states = new LevelStates(jdbc, table);
    }

    @Override
    public @Nullable Long lock(String level) {
      return states.lock(level).rolledUntilMicros();
    }

    @Override
    public @Nullable Long of(String level) {
      return states.of(level).rolledUntilMicros();
    }

    @Override
    public void move(String level, long micros) {
      states.rolledUntil(level, micros);
    }
  }

  /** Those of one part of the samples. */
  final class OfPart implements Watermarks {
    private static final String SHARE =
        "select level from level_state where level = :level for key share";
    private static final String READ =
        "select rolled_until from level_part where level = :level and part = :part and parts = :parts";
    private static final String MOVE =
        "update level_part set rolled_until = :until where level = :level and part = :part";
    private static final String LOCK =
        "select level from level_state where level = :level for no key update";

    /** A statement of its own, so that it sees what others moved before the lock was had. */
    private static final String MOVE_ALL =
        """
        update level_state set rolled_until = greatest(rolled_until,
          (select case when bool_and(p.rolled_until is not null) then min(p.rolled_until) end from level_part p where p.level = :level))
        where level = :level
        """;

    private final JdbcClient jdbc;
    private final SetPart part;

    OfPart(JdbcClient jdbc, SetPart part) {
      this.jdbc = jdbc;
      this.part = part;
    }

    @Override
    public @Nullable Long lock(String level) {
      jdbc.sql(SHARE).param("level", level).query(String.class).single();
      return read(level, " for update");
    }

    @Override
    public @Nullable Long of(String level) {
      return read(level, "");
    }

    private @Nullable Long read(String level, String lock) {
      List<@Nullable Instant> found =
          jdbc.sql(READ + lock)
              .param("level", level)
              .param("part", part.number())
              .param("parts", part.of())
              .query((row, number) -> instantOrNull(row, "rolled_until"))
              .list();
      if (found.isEmpty()) {
        throw new NotInForceException();
      }
      Instant until = found.getFirst();
      return until == null ? null : Long.valueOf(Level.micros(until));
    }

    @Override
    public void move(String level, long micros) {
      jdbc.sql(MOVE)
          .param("until", utc(Level.instant(micros)))
          .param("level", level)
          .param("part", part.number())
          .update();
      jdbc.sql(LOCK).param("level", level).query(String.class).single();
      jdbc.sql(MOVE_ALL).param("level", level).update();
    }
  }
}
