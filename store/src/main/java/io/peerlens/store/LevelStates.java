package io.peerlens.store;

import java.time.OffsetDateTime;
import java.util.EnumMap;
import java.util.Map;
import org.springframework.jdbc.core.simple.JdbcClient;

/** What {@code level_state} says: how far roll-ups are, and what retention has removed. */
public final class LevelStates {
  private static final String READ =
      """
      select level, rolled_until, case when kept_from > '-infinity' then kept_from end as kept_from
      from level_state
      """;

  private final JdbcClient jdbc;

  public LevelStates(JdbcClient jdbc) {
    this.jdbc = jdbc;
  }

  /** The levels as they are now. */
  public Coverage read() {
    Map<Level, Long> kept = new EnumMap<>(Level.class);
    Map<Level, Long> rolled = new EnumMap<>(Level.class);
    jdbc.sql(READ)
        .query(
            row -> {
              Level level = Level.ofLabel(row.getString("level"));
              OffsetDateTime until = row.getObject("rolled_until", OffsetDateTime.class);
              if (until != null) {
                rolled.put(level, Level.micros(until.toInstant()));
              }
              OffsetDateTime from = row.getObject("kept_from", OffsetDateTime.class);
              if (from != null) {
                kept.put(level, Level.micros(from.toInstant()));
              }
            });
    return new Coverage(kept, rolled);
  }
}
