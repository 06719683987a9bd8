package io.peerlens.flow;

import io.peerlens.flow.minute.MinuteRows;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import org.postgresql.PGConnection;
import org.postgresql.copy.PGCopyOutputStream;

/**
 * Encoder of sums by minute in PostgreSQL's binary COPY format. Every row has the same length,
 * since none of its columns can be NULL. Not thread-safe; the buffer is used again.
 */
final class FlowCopyRows {

  private static final String COPY =
      """
      copy flow_part (time, bytes, packets, drops, observer, src, dst, port, flows, sessions, resets,
                      proto, to_service, egress)
      from stdin (format binary)
      """;

  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);
  private static final VarHandle INT =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.BIG_ENDIAN);
  private static final VarHandle SHORT =
      MethodHandles.byteArrayViewVarHandle(short[].class, ByteOrder.BIG_ENDIAN);

  private static final byte[] SIGNATURE =
      "PGCOPY\n\377\r\n\0".getBytes(StandardCharsets.ISO_8859_1);
  private static final long POSTGRES_EPOCH_MICROS = 946_684_800_000_000L;
  private static final long MINUTE_MICROS = 60_000_000;
  private static final int FLUSH_AT = 1 << 17;
  private static final int ROW_BYTES = 2 + 14 * 4 + 4 * 8 + 7 * 4 + 2 + 2;

  private final byte[] buffer = new byte[FLUSH_AT + ROW_BYTES + 2];
  private int at;

  /** Appends all rows in the caller's transaction. */
  void append(Connection connection, MinuteRows rows) throws SQLException {
    if (rows.size() == 0) {
      return;
    }
    try (OutputStream out =
        new PGCopyOutputStream(connection.unwrap(PGConnection.class), COPY, FLUSH_AT)) {
      write(rows, out);
    } catch (IOException e) {
      if (e.getCause() instanceof SQLException cause) {
        throw cause;
      }
      throw new SQLException("COPY broke off: " + e.getMessage(), "08006", e);
    }
  }

  private void write(MinuteRows rows, OutputStream out) throws IOException {
    System.arraycopy(SIGNATURE, 0, buffer, 0, SIGNATURE.length);
    at = SIGNATURE.length;
    INT.set(buffer, at, 0); // flags
    INT.set(buffer, at + 4, 0); // length of the header extension
    at += 8;
    for (int row = 0; row < rows.size(); row++) {
      put((short) 14);
      field(rows.minute(row) * MINUTE_MICROS - POSTGRES_EPOCH_MICROS);
      field(rows.bytes(row));
      field(rows.packets(row));
      field(rows.drops(row));
      field(rows.observer(row));
      field(rows.src(row));
      field(rows.dst(row));
      field(rows.port(row));
      field(rows.flows(row));
      field(rows.sessions(row));
      field(rows.resets(row));
      INT.set(buffer, at, 2);
      at += 4;
      put((short) rows.protocol(row));
      field(rows.towardsService(row));
      field(rows.egress(row));
      if (at >= FLUSH_AT) {
        out.write(buffer, 0, at);
        at = 0;
      }
    }
    put((short) -1);
    out.write(buffer, 0, at);
  }

  private void put(short value) {
    SHORT.set(buffer, at, value);
    at += 2;
  }

  private void field(long value) {
    INT.set(buffer, at, 8);
    LONG.set(buffer, at + 4, value);
    at += 12;
  }

  private void field(int value) {
    INT.set(buffer, at, 4);
    INT.set(buffer, at + 4, value);
    at += 8;
  }

  private void field(boolean value) {
    INT.set(buffer, at, 1);
    buffer[at + 4] = (byte) (value ? 1 : 0);
    at += 5;
  }
}
