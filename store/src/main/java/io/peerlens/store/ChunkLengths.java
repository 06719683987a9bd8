package io.peerlens.store;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * Lengths of the chunks of samples and roll-ups on TimescaleDB, of those to come. The index of the
 * newest chunk is written at random places, so it should stay in the database's memory: a length is
 * the longest of some whose index takes no more than a quarter of {@code shared_buffers}, by the
 * rows that came lately. Chunks are no longer than is usual, and not so short that there are many.
 */
public final class ChunkLengths {
  private static final Logger log = LoggerFactory.getLogger(ChunkLengths.class);

  /**
   * Of the unique index on set and time: 12 bytes of key, 8 of header and 4 of its line, in pages
   * that are nine tenths full at best and seven tenths after inserts in between.
   */
  private static final double INDEX_BYTES = 34;

  /** Where memory is left as PostgreSQL comes, a chunk may still be of use. */
  private static final double FEWEST_ROWS = 20e6;

  /** A longer length is taken only when it fits well, so that it does not go to and fro. */
  private static final double MARGIN = 0.6;

  private static final Duration KNOWN = Duration.ofMinutes(30);

  private static final String CURRENT =
      """
      select extract(epoch from time_interval) from timescaledb_information.dimensions
      where hypertable_schema = current_schema() and hypertable_name = :table and dimension_number = 1
      """;
  private static final String MEMORY =
      "select setting::float8 * 8192 from pg_settings where name = 'shared_buffers'";

  /** Rows as the last analysis of the newest chunk has them. */
  private static final String NEWEST =
      """
      select extract(epoch from least(now(), c.range_end) - c.range_start) as seconds, k.reltuples
      from timescaledb_information.chunks c
      join pg_class k on k.oid = format('%I.%I', c.chunk_schema, c.chunk_name)::regclass
      where c.hypertable_schema = current_schema() and c.hypertable_name = :table and not c.is_compressed
        and c.range_start <= now() - make_interval(secs => :known) and k.reltuples > 0
      order by c.range_start desc limit 1
      """;

  private static final String SET =
      "select set_chunk_time_interval(:table::regclass, make_interval(secs => :seconds))";

  private final JdbcClient jdbc;
  private final ChunkProperties properties;

  public ChunkLengths(JdbcClient jdbc, ChunkProperties properties) {
    this.jdbc = jdbc;
    this.properties = properties;
  }

  private static List<Duration> lengths(Level level) {
    return switch (level) {
      case RAW -> hours(1, 2, 4, 6, 12, 24);
      case FIVE_MINUTES -> hours(6, 12, 24, 48, 168);
      case ONE_HOUR -> hours(48, 168, 336, 720);
    };
  }

  private static List<Duration> hours(int... hours) {
    return Arrays.stream(hours).mapToObj(Duration::ofHours).toList();
  }

  /**
   * Sets the lengths of chunks to come; does nothing where there are no hypertables. What the
   * database refuses is logged, and chunks stay as long as they are.
   */
  public void adjust() {
    try {
      adjustAll();
    } catch (DataAccessException e) {
      log.warn("Lengths of chunks could not be set: {}", e.getMessage());
    }
  }

  private void adjustAll() {
    if (!Hypertables.areThere(jdbc)) {
      return;
    }
    for (Level level : Level.values()) {
      Optional<Double> current =
          jdbc.sql(CURRENT).param("table", level.table()).query(Double.class).optional();
      if (current.isEmpty()) {
        continue;
      }
      Duration now = Duration.ofSeconds(Math.round(current.get()));
      Duration set = properties.of(level);
      Duration wanted = set == null ? byRule(level, now) : set;
      if (wanted != null && !wanted.equals(now)) {
        jdbc.sql(SET)
            .param("table", level.table())
            .param("seconds", wanted.toSeconds())
            .query(row -> {});
        log.info("New chunks of {} are {} long instead of {}", level.table(), wanted, now);
      }
    }
  }

  private @Nullable Duration byRule(Level level, Duration now) {
    double memory = jdbc.sql(MEMORY).query(Double.class).single();
    return jdbc.sql(NEWEST)
        .param("table", level.table())
        .param("known", KNOWN.toSeconds())
        .query(
            (row, number) ->
                choose(
                    lengths(level),
                    row.getDouble("reltuples") / row.getDouble("seconds"),
                    memory,
                    now))
        .optional()
        .orElse(null);
  }

  /**
   * The length to take.
   *
   * @param lengths that there are, the shortest first
   * @param rate rows a second
   * @param memory bytes of shared buffers
   * @param now length of today
   */
  static Duration choose(List<Duration> lengths, double rate, double memory, Duration now) {
    double most = Math.max(FEWEST_ROWS, memory / 4 / INDEX_BYTES);
    Duration chosen = lengths.getFirst();
    for (Duration one : lengths) {
      double room = one.compareTo(now) > 0 ? MARGIN * most : most;
      if (rate * one.toSeconds() <= room) {
        chosen = one;
      }
    }
    return chosen;
  }
}
