package io.peerlens.talker;

import io.peerlens.database.Transactions;
import io.peerlens.flow.rank.TalkerRanking;
import io.peerlens.ingest.flow.TalkerMeasure;
import io.peerlens.store.LevelStates;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.dao.DataAccessResourceFailureException;

/**
 * Lists of talkers of any range, put together from those of its days, hours and 5 minutes: as few
 * as possible, so that a month is some 100 lists at most.
 */
final class TalkerQueries {

  private static final int FEWEST_POINTS = 24;

  private final DataSource dataSource;

  TalkerQueries(DataSource dataSource) {
    this.dataSource = dataSource;
  }

  /**
   * Range in which a level is complete, seconds since 1970.
   *
   * @param from inclusive
   * @param to exclusive
   */
  record Complete(long from, long to) {}

  /**
   * A stretch of whole buckets of one level.
   *
   * @param from seconds since 1970, inclusive
   * @param to exclusive
   */
  record Stretch(FlowLevel level, long from, long to) {}

  /**
   * The talkers of a range.
   *
   * @param from start of what was counted: a full 5 minutes, or later when older lists are gone
   * @param to end of what was counted; before the end of the range when the last minutes are not
   *     rolled up yet
   * @param parts the lists it is made of, oldest first; those without traffic too
   * @param whole all of them together
   */
  record Answer(Instant from, Instant to, List<Part> parts, TalkerRanking whole) {}

  /** A list, and the length of time that it tells of. */
  record Part(Instant from, long seconds, TalkerRanking ranking) {}

  /**
   * Coverage of all levels.
   *
   * @param minutesFrom since when minutes are kept, seconds since 1970
   */
  record Coverage(Map<FlowLevel, Complete> levels, long minutesFrom) {

    /** Until when everything is rolled up; 0 = nothing is. */
    long rolledUntil() {
      Complete finest = levels.get(FlowLevel.FIVE_MINUTES);
      return finest == null ? 0 : finest.to;
    }
  }

  /** The longest buckets of which a range has enough to draw a line. */
  static FlowLevel longestFor(long from, long to) {
    FlowLevel longest = FlowLevel.FIVE_MINUTES;
    for (FlowLevel level : FlowLevel.values()) {
      if ((to - from) / level.seconds() >= FEWEST_POINTS) {
        longest = level;
      }
    }
    return longest;
  }

  /**
   * Covers a range with buckets that are complete: the longest ones that fit and are not longer
   * than wanted, else the shortest ones that fit. What no level holds is left out.
   */
  static List<Stretch> cover(
      long from, long to, FlowLevel wanted, Map<FlowLevel, Complete> complete) {
    List<Stretch> stretches = new ArrayList<>();
    long at = FlowLevel.FIVE_MINUTES.floorSeconds(from);
    while (at < to) {
      FlowLevel chosen = null;
      for (FlowLevel level : FlowLevel.values()) {
        Complete held = complete.get(level);
        long end = at + level.seconds();
        if (held != null
            && level.floorSeconds(at) == at
            && end <= to
            && held.from <= at
            && end <= held.to
            && (chosen == null || level.compareTo(wanted) <= 0)) {
          chosen = level;
        }
      }
      if (chosen == null) {
        at += FlowLevel.FIVE_MINUTES.seconds();
        continue;
      }
      long end = at + chosen.seconds();
      int last = stretches.size() - 1;
      if (last >= 0 && stretches.get(last).level == chosen && stretches.get(last).to == at) {
        stretches.set(last, new Stretch(chosen, stretches.get(last).from, end));
      } else {
        stretches.add(new Stretch(chosen, at, end));
      }
      at = end;
    }
    return stretches;
  }

  /** The talkers of a range; one in the future or too long ago has none. */
  Answer read(TalkerRows.View view, Instant from, Instant to) {
    return read(view, from, to, EnumSet.allOf(TalkerMeasure.class));
  }

  /** The same with the values of some measures only; those of others are 0. */
  Answer read(TalkerRows.View view, Instant from, Instant to, Set<TalkerMeasure> measures) {
    try (Connection connection = dataSource.getConnection()) {
      List<Stretch> stretches = stretches(connection, from, to);
      if (stretches.isEmpty()) {
        return new Answer(from, from, List.of(), TalkerRanking.EMPTY);
      }
      List<Part> parts = new ArrayList<>();
      for (Stretch stretch : stretches) {
        Map<Instant, TalkerRanking> lists = new HashMap<>();
        for (TalkerRows.Stored stored :
            TalkerRows.read(
                connection, stretch.level, view, time(stretch.from), time(stretch.to), measures)) {
          lists.put(stored.time().toInstant(), stored.ranking());
        }
        for (long at = stretch.from; at < stretch.to; at += stretch.level.seconds()) {
          Instant begin = Instant.ofEpochSecond(at);
          parts.add(
              new Part(
                  begin, stretch.level.seconds(), lists.getOrDefault(begin, TalkerRanking.EMPTY)));
        }
      }
      return new Answer(
          Instant.ofEpochSecond(stretches.getFirst().from),
          Instant.ofEpochSecond(stretches.getLast().to),
          parts,
          TalkerRanking.together(parts.stream().map(Part::ranking).toList()));
    } catch (SQLException e) {
      throw new DataAccessResourceFailureException(
          "Talkers could not be read: " + e.getMessage(), e);
    }
  }

  /**
   * What some talkers had in a range; of the lists that it is made of only the times are known.
   *
   * @param talkers ascending
   */
  Answer of(TalkerRows.View view, Instant from, Instant to, TalkerMeasure measure, long[] talkers) {
    try (Connection connection = dataSource.getConnection()) {
      List<Stretch> stretches = stretches(connection, from, to);
      if (stretches.isEmpty()) {
        return new Answer(from, from, List.of(), TalkerRanking.EMPTY);
      }
      List<TalkerRanking> together = new ArrayList<>();
      List<Part> parts = new ArrayList<>();
      for (Stretch stretch : stretches) {
        for (long at = stretch.from; at < stretch.to; at += stretch.level.seconds()) {
          parts.add(
              new Part(Instant.ofEpochSecond(at), stretch.level.seconds(), TalkerRanking.EMPTY));
        }
        together.add(
            TalkerRows.read(
                connection,
                stretch.level,
                view,
                time(stretch.from),
                time(stretch.to),
                measure,
                talkers));
      }
      return new Answer(
          Instant.ofEpochSecond(stretches.getFirst().from),
          Instant.ofEpochSecond(stretches.getLast().to),
          parts,
          TalkerRanking.together(together));
    } catch (SQLException e) {
      throw new DataAccessResourceFailureException(
          "Talkers could not be read: " + e.getMessage(), e);
    }
  }

  private static List<Stretch> stretches(Connection connection, Instant from, Instant to)
      throws SQLException {
    return cover(
        from.getEpochSecond(),
        to.getEpochSecond(),
        longestFor(from.getEpochSecond(), to.getEpochSecond()),
        coverage(connection).levels());
  }

  /** Reads the coverage of now. */
  Coverage coverage() {
    try (Connection connection = dataSource.getConnection()) {
      return coverage(connection);
    } catch (SQLException e) {
      throw new DataAccessResourceFailureException(
          "Levels of flows could not be read: " + e.getMessage(), e);
    }
  }

  private static Coverage coverage(Connection connection) {
    Map<String, LevelStates.State> states =
        new LevelStates(Transactions.on(connection), FlowLevel.STATES).all();
    Map<FlowLevel, Complete> complete = new EnumMap<>(FlowLevel.class);
    for (FlowLevel level : FlowLevel.values()) {
      LevelStates.State state = Objects.requireNonNull(states.get(level.label()));
      complete.put(level, new Complete(seconds(state.keptFrom()), seconds(state.rolledUntil())));
    }
    LevelStates.State minutes =
        Objects.requireNonNull(states.get(FlowLevel.FIVE_MINUTES.sourceLabel()));
    return new Coverage(complete, seconds(minutes.keptFrom()));
  }

  private static long seconds(@Nullable Instant moment) {
    return moment == null ? 0 : moment.getEpochSecond();
  }

  private static OffsetDateTime time(long seconds) {
    return Instant.ofEpochSecond(seconds).atOffset(ZoneOffset.UTC);
  }
}
