package io.peerlens.store;

import static io.peerlens.database.Times.instantOrNull;
import static io.peerlens.database.Times.utc;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Watermarks of the levels: how far each is rolled up, and what retention has removed. */
public final class LevelStates {
  static final String SAMPLES = "level_state";

  private static final String READ =
      """
      select level, rolled_until, case when kept_from > '-infinity' then kept_from end as kept_from
      from\s""";

  /**
   * State of a level.
   *
   * @param rolledUntil every bucket that begins before is rolled up; null = none is
   * @param keptFrom retention may have removed what is older; null = nothing is removed
   */
  public record State(@Nullable Instant rolledUntil, @Nullable Instant keptFrom) {

    /** Watermark in microseconds since 1970; null = nothing is rolled up. */
    @Nullable Long rolledUntilMicros() {
      return rolledUntil == null ? null : Long.valueOf(Level.micros(rolledUntil));
    }

    /** Microseconds since 1970; far below zero, and safe to round, when nothing is removed. */
    public long keptFromMicros() {
      return keptFrom == null ? Coverage.ALWAYS : Level.micros(keptFrom);
    }
  }

  private final JdbcClient jdbc;
  private final String table;

  @Autowired
  public LevelStates(JdbcClient jdbc) {
    this(jdbc, SAMPLES);
  }

  /**
   * Reads the states of samples or of flows.
   *
   * @param table {@code level_state} or {@code flow_level_state}
   */
  public LevelStates(JdbcClient jdbc, String table) {
    this.jdbc = jdbc;
    this.table = table;
  }

  /** Reads what the levels of samples hold now. */
  public Coverage read() {
    Map<Level, Long> kept = new EnumMap<>(Level.class);
    Map<Level, Long> rolled = new EnumMap<>(Level.class);
    all()
        .forEach(
            (label, state) -> {
              Level level = Level.ofLabel(label);
              kept.put(level, state.keptFromMicros());
              Long until = state.rolledUntilMicros();
              if (until != null) {
                rolled.put(level, until);
              }
            });
    return new Coverage(kept, rolled);
  }

  /** Reads the states of all levels, by label. */
  public Map<String, State> all() {
    Map<String, State> states = new HashMap<>();
    jdbc.sql(READ + table)
        .query(
            row -> {
              states.put(row.getString("level"), state(row));
            });
    return states;
  }

  /** Reads the state of a level. */
  public State of(String label) {
    return one(label, "");
  }

  /** Reads the state of a level and keeps others from moving it until the transaction ends. */
  State lock(String label) {
    return one(label, " for update");
  }

  private State one(String label, String lock) {
    return jdbc.sql(READ + table + " where level = :level" + lock)
        .param("level", label)
        .query((row, number) -> state(row))
        .single();
  }

  private static State state(ResultSet row) throws SQLException {
    return new State(instantOrNull(row, "rolled_until"), instantOrNull(row, "kept_from"));
  }

  /** Moves the watermark of a level. */
  void rolledUntil(String label, long micros) {
    jdbc.sql("update %s set rolled_until = :until where level = :level".formatted(table))
        .param("until", utc(Level.instant(micros)))
        .param("level", label)
        .update();
  }

  /**
   * Moves the start of a level, as far as what lies before it is part of the level above.
   *
   * @return the moment, or the watermark of the level above in full hours when that is earlier
   */
  public Instant keepFrom(String label, String above, Instant from) {
    Instant rolled = of(above).rolledUntil();
    Instant safe =
        rolled == null
            ? Instant.EPOCH
            : rolled.isBefore(from) ? rolled.truncatedTo(ChronoUnit.HOURS) : from;
    keptFrom(label, safe);
    return safe;
  }

  /** Notes that what is older may be gone from now on; never moves back. */
  public void keptFrom(String label, Instant from) {
    jdbc.sql(
            "update %s set kept_from = :from where level = :level and kept_from < :from"
                .formatted(table))
        .param("from", utc(from))
        .param("level", label)
        .update();
  }
}
