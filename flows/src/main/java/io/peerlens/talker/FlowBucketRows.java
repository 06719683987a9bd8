package io.peerlens.talker;

import io.peerlens.database.NamedStatement;
import io.peerlens.flow.minute.MinuteRows;
import io.peerlens.flow.rank.FlowSums;
import io.peerlens.ingest.flow.TalkerMeasure;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.List;
import org.postgresql.PGConnection;
import org.postgresql.PGStatement;
import org.postgresql.copy.PGCopyOutputStream;

/**
 * Rows of rolled up flows, read and written in portions of senders. All endpoints of one object are
 * in the same portion.
 */
final class FlowBucketRows {

  private static final String READ_PARTS =
      """
      select (extract(epoch from p.time) / 60)::int, p.observer, p.egress, p.src, p.dst, p.port, p.proto,
             p.to_service, p.bytes, p.packets, p.drops, p.flows, p.sessions, p.resets,
             mod(coalesce(e.object_id, p.src), ?) as portion
      from flow_part p left join endpoint e on e.id = p.src
      where p.time >= ? and p.time < ?
      order by portion
      """;

  private static final String READ_SUMS =
      """
      select f.time, f.src, f.dst, f.port, f.proto, f.to_service, f.keys,
             f.bytes, f.packets, f.flows, f.sessions, f.resets, f.drops, f.peak,
             mod(f.src, ?) as portion
      from %s f
      where f.time >= ? and f.time < ?
      order by portion, f.time, f.src, f.dst < 0, f.dst, f.port, f.proto, f.to_service
      """;

  /** Memory for sorting a bucket into portions; more goes to the server's disk. */
  private static final String SORT_MEMORY = "set local work_mem = '64MB'";

  private static final String COPY =
      """
      copy %s (time, bytes, packets, flows, sessions, resets, drops, peak, keys, src, dst, port, proto, to_service)
      from stdin (format binary)
      """;

  private static final TalkerMeasure[] MEASURES = TalkerMeasure.values();
  private static final byte[] SIGNATURE =
      "PGCOPY\n\377\r\n\0".getBytes(StandardCharsets.ISO_8859_1);
  private static final long POSTGRES_EPOCH_SECONDS = 946_684_800;
  private static final int BLOCK = 1 << 17;
  private static final int ROW_BYTES = 256; // more than one takes
  private static final int FETCH = 20_000;

  private FlowBucketRows() {}

  /** Counts the rows of a table in a stretch of time. */
  static long count(Connection connection, String table, OffsetDateTime from, OffsetDateTime to)
      throws SQLException {
    String sql = "select count(*) from " + table + " where time >= :from and time < :to";
    try (NamedStatement statement = new NamedStatement(connection, sql)) {
      ResultSet row = statement.set("from", from.toInstant()).set("to", to.toInstant()).query();
      row.next();
      return row.getLong(1);
    }
  }

  /** Receiver of the rows of a portion; the first one that has any is number 0. */
  interface Portion<T> {
    void take(int number, T rows) throws SQLException;
  }

  /**
   * Sums by minute as they were appended, one portion after the other. The table is read once,
   * however many portions there are; between them the connection may be used for other things.
   */
  static void parts(
      Connection connection,
      OffsetDateTime from,
      OffsetDateTime to,
      int portions,
      Portion<MinuteRows> each)
      throws SQLException {
    try (PreparedStatement statement = portioned(connection, READ_PARTS, from, to, portions);
        ResultSet r = statement.executeQuery()) {
      MinuteRows rows = new MinuteRows();
      int number = 0;
      int portion = 0;
      while (r.next()) {
        int next = r.getInt(15);
        if (next != portion && rows.size() > 0) {
          each.take(number++, rows);
          rows = new MinuteRows();
        }
        portion = next;
        int row =
            rows.append(
                r.getInt(1),
                r.getInt(2),
                r.getBoolean(3),
                r.getInt(4),
                r.getInt(5),
                r.getInt(6),
                r.getInt(7),
                r.getBoolean(8));
        rows.addTraffic(row, r.getLong(9), r.getLong(10));
        rows.addDrops(row, r.getLong(11));
        rows.addFlows(row, r.getInt(12), r.getInt(13), r.getInt(14));
      }
      if (rows.size() > 0) {
        each.take(number, rows);
      }
    }
  }

  /**
   * Sums of a finer level by bucket, one portion after the other; buckets without any are left out.
   * The table is read once, as with {@link #parts}.
   */
  static void sums(
      Connection connection,
      String table,
      OffsetDateTime from,
      OffsetDateTime to,
      int portions,
      Portion<List<FlowSums>> each)
      throws SQLException {
    try (PreparedStatement statement =
            portioned(connection, READ_SUMS.formatted(table), from, to, portions);
        ResultSet r = statement.executeQuery()) {
      List<FlowSums> buckets = new ArrayList<>();
      FlowSums bucket = new FlowSums();
      OffsetDateTime last = OffsetDateTime.MIN;
      int number = 0;
      int portion = 0;
      while (r.next()) {
        int next = r.getInt(15);
        if (next != portion && !buckets.isEmpty()) {
          each.take(number++, buckets);
          buckets = new ArrayList<>();
          last = OffsetDateTime.MIN;
        }
        portion = next;
        OffsetDateTime time = r.getObject(1, OffsetDateTime.class);
        if (!time.isEqual(last)) {
          last = time;
          bucket = new FlowSums();
          buckets.add(bucket);
        }
        int row =
            bucket.append(
                r.getInt(2), r.getInt(3), r.getInt(4), r.getInt(5), r.getBoolean(6), r.getLong(7));
        for (int m = 0; m < MEASURES.length; m++) {
          bucket.set(row, MEASURES[m], r.getLong(8 + m));
        }
      }
      if (!buckets.isEmpty()) {
        each.take(number, buckets);
      }
    }
  }

  private static PreparedStatement portioned(
      Connection connection, String sql, OffsetDateTime from, OffsetDateTime to, int portions)
      throws SQLException {
    try (Statement memory = connection.createStatement()) {
      memory.execute(SORT_MEMORY);
    }
    PreparedStatement statement = connection.prepareStatement(sql);
    statement.unwrap(PGStatement.class).setPrepareThreshold(-1); // binary from the first row on
    statement.setInt(1, portions);
    statement.setObject(2, from);
    statement.setObject(3, to);
    statement.setFetchSize(FETCH);
    return statement;
  }

  /** Appends the sums of one bucket in the caller's transaction. */
  static void write(Connection connection, String table, long timeSeconds, FlowSums sums)
      throws SQLException {
    if (sums.size() == 0) {
      return;
    }
    try (OutputStream out =
        new PGCopyOutputStream(
            connection.unwrap(PGConnection.class), COPY.formatted(table), BLOCK)) {
      ByteBuffer buffer = ByteBuffer.allocate(BLOCK + ROW_BYTES);
      buffer.put(SIGNATURE).putInt(0).putInt(0);
      for (int row = 0; row < sums.size(); row++) {
        buffer.putShort((short) 14);
        buffer.putInt(8).putLong((timeSeconds - POSTGRES_EPOCH_SECONDS) * 1_000_000);
        for (TalkerMeasure measure : MEASURES) { // the columns are in their order
          buffer.putInt(8).putLong(sums.get(row, measure));
        }
        buffer.putInt(8).putLong(sums.keys(row));
        buffer.putInt(4).putInt(sums.src(row));
        buffer.putInt(4).putInt(sums.dst(row));
        buffer.putInt(4).putInt(sums.port(row));
        buffer.putInt(2).putShort((short) sums.protocol(row));
        buffer.putInt(1).put((byte) (sums.towardsService(row) ? 1 : 0));
        if (buffer.position() >= BLOCK) {
          out.write(buffer.array(), 0, buffer.position());
          buffer.clear();
        }
      }
      buffer.putShort((short) -1);
      out.write(buffer.array(), 0, buffer.position());
    } catch (IOException e) {
      if (e.getCause() instanceof SQLException cause) {
        throw cause;
      }
      throw new SQLException("COPY broke off: " + e.getMessage(), "08006", e);
    }
  }
}
