package io.peerlens.store;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.Set;
import java.util.stream.Collectors;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.postgresql.PGConnection;
import org.postgresql.copy.CopyOut;
import org.springframework.dao.DataAccessResourceFailureException;

/**
 * Reader of samples, as binary COPY straight into columns. JDBC arrays would box every value; this
 * way a core parses some millions of values each second.
 *
 * <p>Thread-safe. Every call takes a connection of its own and gives it back.
 */
public final class SampleReader implements SampleSource {

  /** Parts of a bucket that are wanted; a raw sample has but one value for all of them. */
  public enum Part {
    AVG,
    COUNT,
    MIN,
    MAX,
    LAST,
    /** For percentiles; only hours have sketches. */
    SKETCH
  }

  /** Receiver of one row at a time; the row is valid during the call only. */
  @FunctionalInterface
  public interface RowHandler {
    void row(SampleRow row) throws SQLException;
  }

  private final DataSource dataSource;

  public SampleReader(DataSource dataSource) {
    this.dataSource = dataSource;
  }

  @Override
  public void read(
      Level level,
      int @Nullable [] setIds,
      int[] positions,
      Set<Part> parts,
      long from,
      long to,
      RowHandler handler) {
    if (setIds != null && setIds.length == 0) {
      return;
    }
    String which = setIds == null ? "" : whichSets(setIds);
    read(level, which, positions, parts, from, to, handler);
  }

  @Override
  public void readFolded(
      Level level,
      int[] setIds,
      int[] positions,
      Set<Part> parts,
      long from,
      long to,
      RowHandler handler) {
    if (parts.contains(Part.LAST) || parts.contains(Part.SKETCH)) {
      throw new IllegalArgumentException("Parts " + parts + " of several rows are not one");
    }
    if (setIds.length == 0 || positions.length == 0 || from >= to) {
      return;
    }
    boolean raw = level == Level.RAW;
    boolean min = parts.contains(Part.MIN);
    boolean max = parts.contains(Part.MAX);
    StringBuilder sql = new StringBuilder("select max(time), set_id");
    for (int position : positions) {
      String at = at(position);
      if (raw) {
        sql.append(", avg(values%1$s), count(values%1$s)".formatted(at));
      } else {
        sql.append(
            ", sum(avg%1$s * coalesce(counts%1$s, samples)), coalesce(sum(coalesce(counts%1$s, samples)) filter (where avg%1$s is not null), 0)"
                .formatted(at));
      }
      String least = raw ? "values" + at : "coalesce(min%1$s, avg%1$s)".formatted(at);
      String most = raw ? "values" + at : "coalesce(max%1$s, avg%1$s)".formatted(at);
      sql.append(min ? ", min(" + least + ")" : "").append(max ? ", max(" + most + ")" : "");
    }
    sql.append(" from ").append(level.table()).append(" where ");
    appendWindow(sql, from, to);
    sql.append(whichSets(setIds)).append(" group by set_id");
    int width = positions.length;
    SampleRow row = new SampleRow();
    copyOut(
        sql.toString(),
        rows -> {
          row.time = rows.timeField();
          row.setId = rows.intField();
          row.begin(width);
          int[] counts = row.ownCounts(width);
          double[] leasts = min ? row.ownMin(width) : null;
          double[] mosts = max ? row.ownMax(width) : null;
          for (int i = 0; i < width; i++) {
            double value = rows.doubleField();
            long count = rows.longField();
            row.avg[i] = raw || count == 0 ? value : value / count;
            counts[i] = Math.toIntExact(count);
            if (leasts != null) {
              leasts[i] = rows.doubleField();
            }
            if (mosts != null) {
              mosts[i] = rows.doubleField();
            }
          }
          handler.row(row);
        });
  }

  private static String whichSets(int[] setIds) {
    return " and set_id = any('{"
        + Arrays.stream(setIds).mapToObj(Integer::toString).collect(Collectors.joining(","))
        + "}'::int[])";
  }

  /**
   * Reads some positions of all sets of a metric group in {@code [from, to)}, in no particular
   * order. The mean is always there; parts that were not asked for hold nothing of use.
   *
   * @param groupId id of the metric group
   * @param instances of which instances; null = all
   * @param positions from 0, as in {@code metric_group.metrics}
   * @param from microseconds since 1970
   * @param to microseconds since 1970
   */
  public void readGroup(
      Level level,
      int groupId,
      @Nullable Set<String> instances,
      int[] positions,
      Set<Part> parts,
      long from,
      long to,
      RowHandler handler) {
    StringBuilder which = new StringBuilder(" and set_id in (select id from metric_set");
    which.append(" where group_id = ").append(groupId);
    if (instances != null) {
      which.append(
          instances.stream()
              .map(SampleReader::quoted)
              .collect(Collectors.joining(",", " and instance in (", ")")));
    }
    which.append(')');
    read(level, which.toString(), positions, parts, from, to, handler);
  }

  private static String quoted(String text) {
    return "'" + text.replace("'", "''") + "'";
  }

  private void read(
      Level level,
      String which,
      int[] positions,
      Set<Part> parts,
      long from,
      long to,
      RowHandler handler) {
    if (positions.length == 0 || from >= to) {
      return;
    }
    boolean raw = level == Level.RAW;
    EnumSet<Part> wanted = EnumSet.noneOf(Part.class);
    if (!raw) {
      wanted.addAll(parts);
      wanted.remove(Part.AVG);
    }
    if (level != Level.ONE_HOUR) {
      wanted.remove(Part.SKETCH);
    }
    StringBuilder sql = new StringBuilder("select time, set_id");
    if (!raw) {
      sql.append(", samples");
    }
    for (int position : positions) {
      sql.append(", ").append(raw ? "values" : "avg").append(at(position));
    }
    if (wanted.contains(Part.COUNT)) {
      for (int position : positions) {
        sql.append(", coalesce(counts").append(at(position)).append(", samples)");
      }
    }
    appendParts(sql, wanted, Part.MIN, "min", positions);
    appendParts(sql, wanted, Part.MAX, "max", positions);
    appendParts(sql, wanted, Part.LAST, "last", positions);
    if (wanted.contains(Part.SKETCH)) {
      for (int position : positions) {
        sql.append(", sketches").append(at(position));
      }
    }
    sql.append(" from ").append(level.table()).append(" where ");
    appendWindow(sql, from, to);
    sql.append(which);
    int width = positions.length;
    SampleRow row = new SampleRow();
    copyOut(
        sql.toString(),
        rows -> {
          row.time = rows.timeField();
          row.setId = rows.intField();
          int samples = raw ? 1 : rows.intField();
          row.begin(width);
          row.samples = samples;
          doubles(rows, row.avg, width);
          if (wanted.contains(Part.COUNT)) {
            int[] counts = row.ownCounts(width);
            for (int i = 0; i < width; i++) {
              counts[i] = rows.intOrZeroField();
            }
          }
          if (wanted.contains(Part.MIN)) {
            doubles(rows, row.ownMin(width), width);
          }
          if (wanted.contains(Part.MAX)) {
            doubles(rows, row.ownMax(width), width);
          }
          if (wanted.contains(Part.LAST)) {
            doubles(rows, row.ownLast(width), width);
          }
          if (wanted.contains(Part.SKETCH)) {
            byte[] @Nullable [] sketches = row.ownSketches(width);
            for (int i = 0; i < width; i++) {
              sketches[i] = rows.bytesField();
            }
          }
          handler.row(row);
        });
  }

  /**
   * Reads every position of every set of a part in {@code [from, to)}, ordered by set and time.
   *
   * @param from microseconds since 1970
   * @param to microseconds since 1970
   */
  void readAll(Level level, SetPart part, long from, long to, RowHandler handler) {
    readWhole(
        level,
        part.condition(),
        EnumSet.allOf(Part.class),
        from,
        to,
        " order by set_id, time",
        handler);
  }

  /**
   * Opens a cursor over every position of the raw samples of every set of a part in {@code [from,
   * to)}, ordered by set and time.
   *
   * @param from microseconds since 1970
   * @param to microseconds since 1970
   */
  RawCursor openRaw(SetPart part, long from, long to) throws SQLException {
    StringBuilder sql = new StringBuilder("select time, set_id, values from ");
    sql.append(Level.RAW.table()).append(" where ");
    appendWindow(sql, from, to);
    sql.append(part.condition()).append(" order by set_id, time");
    return new RawCursor(dataSource.getConnection(), sql.toString());
  }

  /**
   * Reads every position of some sets in {@code [from, to)}, in no particular order. The mean is
   * always there; parts that were not asked for hold nothing of use.
   *
   * @param from microseconds since 1970
   * @param to microseconds since 1970
   */
  public void readWhole(
      Level level, int[] setIds, Set<Part> parts, long from, long to, RowHandler handler) {
    if (setIds.length > 0) {
      readWhole(level, whichSets(setIds), parts, from, to, "", handler);
    }
  }

  private void readWhole(
      Level level,
      String which,
      Set<Part> parts,
      long from,
      long to,
      String order,
      RowHandler handler) {
    if (from >= to) {
      return;
    }
    boolean raw = level == Level.RAW;
    StringBuilder sql = new StringBuilder("select time, set_id, ");
    if (raw) {
      sql.append("values");
    } else {
      sql.append("samples, avg");
      sql.append(parts.contains(Part.COUNT) ? ", counts" : ", null::int[]");
      sql.append(parts.contains(Part.MIN) ? ", min" : ", null::float8[]");
      sql.append(parts.contains(Part.MAX) ? ", max" : ", null::float8[]");
      sql.append(parts.contains(Part.LAST) ? ", last" : ", null::float8[]");
    }
    sql.append(" from ").append(level.table()).append(" where ");
    appendWindow(sql, from, to);
    sql.append(which).append(order);
    SampleRow row = new SampleRow();
    copyOut(
        sql.toString(),
        rows -> {
          row.time = rows.timeField();
          row.setId = rows.intField();
          int samples = raw ? 1 : rows.intField();
          int width = Math.max(0, rows.arrayField());
          row.begin(width);
          row.samples = samples;
          doubles(rows, row.avg, width);
          if (!raw) {
            readOptional(rows, row, width);
          }
          handler.row(row);
        });
  }

  private static void readOptional(CopyRows rows, SampleRow row, int width) throws SQLException {
    int counts = rows.arrayField();
    if (counts >= 0) {
      int room = Math.max(counts, width);
      int[] into = row.ownCounts(room);
      for (int i = 0; i < counts; i++) {
        into[i] = rows.intOrZeroField();
      }
      Arrays.fill(into, counts, room, 0);
    }
    int min = rows.arrayField();
    if (min >= 0) {
      padded(rows, row.ownMin(Math.max(min, width)), min, width);
    }
    int max = rows.arrayField();
    if (max >= 0) {
      padded(rows, row.ownMax(Math.max(max, width)), max, width);
    }
    int last = rows.arrayField();
    if (last >= 0) {
      padded(rows, row.ownLast(Math.max(last, width)), last, width);
    }
  }

  private static void padded(CopyRows rows, double[] into, int length, int width)
      throws SQLException {
    doubles(rows, into, length);
    Arrays.fill(into, length, Math.max(length, width), Double.NaN);
  }

  private static void doubles(CopyRows rows, double[] into, int count) throws SQLException {
    for (int i = 0; i < count; i++) {
      into[i] = rows.doubleField();
    }
  }

  /**
   * Newest values, one for each pair that was asked for.
   *
   * @param times microseconds since 1970
   * @param values NaN = none
   */
  public record Newest(long[] times, double[] values) {}

  /**
   * The newest raw value of each pair of set and position. A row may hold but a part of the
   * metrics, so the values of one set may be of different times.
   *
   * @param setIds one for each pair
   * @param positions one for each pair, from 0
   * @param from how far back to look, in microseconds since 1970
   */
  public Newest newest(int[] setIds, int[] positions, long from) {
    return newest(setIds, positions, from, Long.MAX_VALUE);
  }

  @Override
  public Newest newest(int[] setIds, int[] positions, long from, long before) {
    int pairs = setIds.length;
    Newest newest = new Newest(new long[pairs], new double[pairs]);
    Arrays.fill(newest.values(), Double.NaN);
    if (pairs == 0) {
      return newest;
    }
    StringBuilder sql = new StringBuilder();
    sql.append("select pair::int, found.time, found.value from unnest('{");
    for (int i = 0; i < pairs; i++) {
      sql.append(i == 0 ? "" : ",").append(setIds[i]);
    }
    sql.append("}'::int[], '{");
    for (int i = 0; i < pairs; i++) {
      sql.append(i == 0 ? "" : ",").append(positions[i] + 1);
    }
    sql.append("}'::int[]) with ordinality as wanted(set_id, position, pair)");
    sql.append(
        " cross join lateral (select s.time, s.values[wanted.position] as value from sample s");
    sql.append(" where s.set_id = wanted.set_id and s.time >= '").append(Level.instant(from));
    if (before < Long.MAX_VALUE) {
      sql.append("' and s.time < '").append(Level.instant(before));
    }
    sql.append("' and s.values[wanted.position] is not null");
    sql.append(" order by s.time desc limit 1) found");
    copyOut(
        sql.toString(),
        rows -> {
          int pair = rows.intField() - 1;
          newest.times()[pair] = rows.timeField();
          newest.values()[pair] = rows.doubleField();
        });
    return newest;
  }

  @FunctionalInterface
  interface FieldsHandler {
    void row(CopyRows fields) throws SQLException;
  }

  /** Runs a query as binary COPY; the handler must read every field of every row, in order. */
  void copyOut(String select, FieldsHandler handler) {
    try (Connection connection = dataSource.getConnection()) {
      copyOut(connection, select, handler);
    } catch (SQLException e) {
      throw new DataAccessResourceFailureException(
          "Samples could not be read: " + e.getMessage(), e);
    }
  }

  static void copyOut(Connection connection, String select, FieldsHandler handler)
      throws SQLException {
    CopyOut copy =
        connection
            .unwrap(PGConnection.class)
            .getCopyAPI()
            .copyOut("copy (" + select + ") to stdout (format binary)");
    try {
      CopyRows rows = new CopyRows(copy);
      while (rows.next()) {
        handler.row(rows);
      }
    } catch (SQLException | RuntimeException e) {
      // The handler failed. What is still on its way is read to its end: a cancelled COPY leaves
      // answers behind that the next user of the connection would take for his own.
      while (copy.isActive() && copy.readFromCopy() != null) {}
      throw e;
    }
  }

  private static void appendParts(
      StringBuilder sql, Set<Part> wanted, Part part, String column, int[] positions) {
    if (wanted.contains(part)) {
      for (int position : positions) {
        sql.append(", coalesce(").append(column).append(at(position)).append(", avg");
        sql.append(at(position)).append(')');
      }
    }
  }

  /** Positions count from 0 here and from 1 in SQL. */
  private static String at(int position) {
    return "[" + (position + 1) + "]";
  }

  private static void appendWindow(StringBuilder sql, long from, long to) {
    sql.append("time >= '").append(Level.instant(from)).append("' and time < '");
    sql.append(Level.instant(to)).append('\'');
  }
}
