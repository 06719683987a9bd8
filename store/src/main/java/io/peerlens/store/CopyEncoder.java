package io.peerlens.store;

import io.peerlens.ingest.SampleBatch;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Encoder of a batch in PostgreSQL's binary COPY format, as {@code (time timestamptz, set_id int,
 * values float8[])}. NaN becomes a NULL element; positions without value at the end are left out.
 *
 * <p>Format: the documentation of COPY, "Binary Format", and the send functions of timestamptz and
 * arrays. Not thread-safe; the buffer is reused.
 */
public final class CopyEncoder {

  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);
  private static final VarHandle INT =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.BIG_ENDIAN);
  private static final VarHandle SHORT =
      MethodHandles.byteArrayViewVarHandle(short[].class, ByteOrder.BIG_ENDIAN);

  /** Microseconds from 1970 to PostgreSQL's epoch, 2000-01-01. */
  static final long POSTGRES_EPOCH_MICROS = 946_684_800_000_000L;

  private static final byte[] SIGNATURE =
      "PGCOPY\n\377\r\n\0".getBytes(StandardCharsets.ISO_8859_1);
  private static final int FLOAT8_OID = 701;
  private static final int FLUSH_AT = 1 << 17;

  private byte[] buffer = new byte[FLUSH_AT * 2];
  private int at;

  /**
   * Writes a complete COPY stream.
   *
   * @param rows indexes of rows in the order in which they are written; only the first {@code
   *     count} are used
   */
  public void write(SampleBatch batch, int[] rows, int count, OutputStream out) throws IOException {
    at = 0;
    System.arraycopy(SIGNATURE, 0, buffer, 0, SIGNATURE.length);
    at = SIGNATURE.length;
    putInt(0); // flags
    putInt(0); // length of the header extension
    double[] values = batch.values();
    for (int i = 0; i < count; i++) {
      int row = rows[i];
      int from = batch.offset(row);
      int to = from + batch.width(row);
      while (to > from && Double.isNaN(values[to - 1])) {
        to--;
      }
      int size = to - from;
      reserve(64 + size * 12);
      SHORT.set(buffer, at, (short) 3);
      INT.set(buffer, at + 2, 8);
      LONG.set(buffer, at + 6, batch.time(row) - POSTGRES_EPOCH_MICROS);
      INT.set(buffer, at + 14, 4);
      INT.set(buffer, at + 18, batch.setId(row));
      int length = at + 22;
      INT.set(buffer, at + 26, size == 0 ? 0 : 1); // dimensions
      int hasNull = at + 30;
      INT.set(buffer, hasNull, 0);
      INT.set(buffer, at + 34, FLOAT8_OID);
      at += 38;
      if (size > 0) {
        INT.set(buffer, at, size);
        INT.set(buffer, at + 4, 1); // lower bound
        at += 8;
      }
      for (int v = from; v < to; v++) {
        double value = values[v];
        if (Double.isNaN(value)) {
          INT.set(buffer, at, -1);
          INT.set(buffer, hasNull, 1);
          at += 4;
        } else {
          INT.set(buffer, at, 8);
          LONG.set(buffer, at + 4, Double.doubleToRawLongBits(value));
          at += 12;
        }
      }
      INT.set(buffer, length, at - length - 4);
      if (at >= FLUSH_AT) {
        out.write(buffer, 0, at);
        at = 0;
      }
    }
    reserve(2);
    SHORT.set(buffer, at, (short) -1);
    at += 2;
    out.write(buffer, 0, at);
    at = 0;
  }

  private void putInt(int value) {
    INT.set(buffer, at, value);
    at += 4;
  }

  private void reserve(int bytes) {
    if (at + bytes > buffer.length) {
      buffer = Arrays.copyOf(buffer, Math.max(at + bytes, buffer.length * 2));
    }
  }
}
