package io.peerlens.talker;

import io.peerlens.database.NamedStatement;
import io.peerlens.flow.rank.TalkerDimension;
import io.peerlens.flow.rank.TalkerDirection;
import io.peerlens.flow.rank.TalkerRanking;
import io.peerlens.ingest.flow.TalkerMeasure;
import io.peerlens.ingest.flow.TrafficType;
import java.nio.ByteBuffer;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Lists of talkers, one row each. */
final class TalkerRows {

  private static final TalkerMeasure[] MEASURES = TalkerMeasure.values();
  private static final int ALL_TYPES = TrafficType.values().length;

  /**
   * Key of a list.
   *
   * @param type null = traffic of all types
   */
  record View(TalkerDimension dimension, TalkerDirection direction, @Nullable TrafficType type) {

    /** All that are kept. */
    static List<View> all() {
      List<View> views = new ArrayList<>();
      for (TalkerDimension dimension : TalkerDimension.values()) {
        for (TalkerDirection direction : TalkerDirection.values()) {
          if (dimension.ofEnds() || direction == TalkerDirection.BOTH) {
            views.add(new View(dimension, direction, null));
            for (TrafficType type : TrafficType.values()) {
              views.add(new View(dimension, direction, type));
            }
          }
        }
      }
      return List.copyOf(views);
    }

    private int traffic() {
      return type == null ? ALL_TYPES : type.ordinal();
    }
  }

  /** A list of one bucket. */
  record Stored(OffsetDateTime time, TalkerRanking ranking) {}

  private TalkerRows() {}

  /** Stores a list, unless nobody talked. */
  static void write(
      Connection connection, FlowLevel level, OffsetDateTime time, View view, TalkerRanking list)
      throws SQLException {
    if (list.talkers() == 0 && Arrays.stream(MEASURES).allMatch(m -> list.total(m) == 0)) {
      return;
    }
    String sql =
        """
        insert into %s (time, dimension, direction, traffic, talkers, bound, total, unassigned, keys,
                        bytes, packets, flows, sessions, resets, drops, peak, missed)
        values (:time, :dimension, :direction, :traffic, :talkers, :bound, :total, :unassigned, :keys,
                :bytes, :packets, :flows, :sessions, :resets, :drops, :peak, :missed)
        """
            .formatted(level.talkers());
    try (NamedStatement statement = new NamedStatement(connection, sql)) {
      long[] bound = new long[MEASURES.length];
      long[] total = new long[MEASURES.length];
      long[] unassigned = new long[MEASURES.length];
      long[] missed = new long[MEASURES.length * list.size()];
      boolean exact = true;
      for (TalkerMeasure measure : MEASURES) {
        int m = measure.ordinal();
        bound[m] = list.bound(measure);
        total[m] = list.total(measure);
        unassigned[m] = list.unassigned(measure);
        long[] values = new long[list.size()];
        for (int row = 0; row < values.length; row++) {
          long lacks = list.missed(row, measure);
          values[row] = list.value(row, measure);
          missed[m * values.length + row] = lacks;
          exact &= lacks == 0;
        }
        statement.set(column(measure), values);
      }
      long[] keys = new long[list.size()];
      Arrays.setAll(keys, list::key);
      of(view, statement)
          .set("time", time.toInstant())
          .set("talkers", list.talkers())
          .set("bound", bound)
          .set("total", total)
          .set("unassigned", unassigned)
          .set("keys", keys)
          .set("missed", exact ? null : missed)
          .update();
    }
  }

  private static NamedStatement of(View view, NamedStatement statement) throws SQLException {
    return statement
        .set("dimension", view.dimension.ordinal())
        .set("direction", view.direction.ordinal())
        .set("traffic", view.traffic());
  }

  /** The lists of a stretch of time, oldest first; a bucket without traffic has none. */
  static List<Stored> read(
      Connection connection, FlowLevel level, View view, OffsetDateTime from, OffsetDateTime to)
      throws SQLException {
    return read(connection, level, view, from, to, EnumSet.allOf(TalkerMeasure.class));
  }

  /**
   * The same with the values of some measures only; those of others are 0. Most of the time goes
   * into carrying values over, so they come as the bytes that the database sends them in.
   */
  static List<Stored> read(
      Connection connection,
      FlowLevel level,
      View view,
      OffsetDateTime from,
      OffsetDateTime to,
      Set<TalkerMeasure> measures)
      throws SQLException {
    String values =
        Arrays.stream(MEASURES)
            .map(measure -> measures.contains(measure) ? sent(column(measure)) : "null::bytea")
            .collect(Collectors.joining(", "));
    String columns = "talkers, %s, %s, %s".formatted(sent("bound"), sent("missed"), values);
    List<Stored> lists = new ArrayList<>();
    each(
        connection,
        level,
        view,
        from,
        to,
        columns,
        row -> lists.add(new Stored(row.getObject(1, OffsetDateTime.class), ranking(row))));
    return lists;
  }

  /**
   * What some talkers had in a stretch of time by one measure, which is all that the list then
   * holds; how much may be missed is not known of it.
   *
   * @param talkers ascending
   */
  static TalkerRanking read(
      Connection connection,
      FlowLevel level,
      View view,
      OffsetDateTime from,
      OffsetDateTime to,
      TalkerMeasure measure,
      long[] talkers)
      throws SQLException {
    long[][] values = new long[MEASURES.length][talkers.length];
    long[] sums = values[measure.ordinal()];
    long[] total = new long[MEASURES.length];
    long[] unassigned = new long[MEASURES.length];
    each(
        connection,
        level,
        view,
        from,
        to,
        sent(column(measure)),
        row -> {
          long[] keys = longs(row.getBytes(4));
          long[] had = longs(row.getBytes(5));
          for (int i = 0; i < talkers.length; i++) {
            int at = Arrays.binarySearch(keys, talkers[i]);
            sums[i] = measure.together(sums[i], at < 0 ? 0 : had[at]);
          }
          add(total, longs(row.getBytes(2)));
          add(unassigned, longs(row.getBytes(3)));
        });
    return TalkerRanking.of(
        talkers, values, values, new long[MEASURES.length], total, unassigned, talkers.length);
  }

  private static void add(long[] sums, long[] next) {
    for (TalkerMeasure measure : MEASURES) {
      int m = measure.ordinal();
      sums[m] = measure.together(sums[m], next[m]);
    }
  }

  /** Reader of a row: time, total, unassigned, keys, and what else was asked for. */
  private interface Reader {
    void read(ResultSet row) throws SQLException;
  }

  private static void each(
      Connection connection,
      FlowLevel level,
      View view,
      OffsetDateTime from,
      OffsetDateTime to,
      String columns,
      Reader reader)
      throws SQLException {
    String sql =
        """
        select time, %s, %s, %s, %s
        from %s
        where dimension = :dimension and direction = :direction and traffic = :traffic
          and time >= :from and time < :to
        order by time
        """
            .formatted(sent("total"), sent("unassigned"), sent("keys"), columns, level.talkers());
    try (NamedStatement statement = new NamedStatement(connection, sql)) {
      ResultSet row =
          of(view, statement).set("from", from.toInstant()).set("to", to.toInstant()).query();
      while (row.next()) {
        reader.read(row);
      }
    }
  }

  private static String column(TalkerMeasure measure) {
    return measure.name().toLowerCase(Locale.ROOT);
  }

  private static String sent(String array) {
    return "array_send(" + array + ")";
  }

  private static TalkerRanking ranking(ResultSet row) throws SQLException {
    long[] keys = longs(row.getBytes(4));
    byte[] stored = row.getBytes(7);
    long[] missed = stored == null ? new long[0] : longs(stored);
    long[][] least = new long[MEASURES.length][];
    long[][] most = new long[MEASURES.length][];
    for (int m = 0; m < MEASURES.length; m++) {
      byte[] values = row.getBytes(8 + m);
      least[m] = values == null ? new long[keys.length] : longs(values);
      most[m] = least[m].clone();
      for (int i = 0; missed.length > 0 && i < keys.length; i++) {
        most[m][i] += missed[m * keys.length + i];
      }
    }
    return TalkerRanking.of(
        keys,
        least,
        most,
        longs(row.getBytes(6)),
        longs(row.getBytes(2)),
        longs(row.getBytes(3)),
        row.getInt(5));
  }

  /**
   * The numbers of an array of one dimension without nulls, as array_send gives it: 4 bytes each
   * for the count of dimensions, whether there are nulls, the type, the length and the first index,
   * then of each element its length, 8, and the number. An empty one has no dimension.
   */
  private static long[] longs(byte[] sent) {
    ByteBuffer bytes = ByteBuffer.wrap(sent);
    if (bytes.getInt(0) == 0) {
      return new long[0];
    }
    long[] longs = new long[bytes.getInt(12)];
    for (int i = 0; i < longs.length; i++) {
      longs[i] = bytes.getLong(24 + 12 * i);
    }
    return longs;
  }
}
