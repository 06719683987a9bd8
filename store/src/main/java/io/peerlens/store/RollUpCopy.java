package io.peerlens.store;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import org.postgresql.PGConnection;
import org.postgresql.copy.CopyIn;

/**
 * Encoder of roll-up rows as binary COPY, a block at a time. {@link #finish} makes them part of the
 * connection's transaction; closing without it takes them back.
 */
final class RollUpCopy implements AutoCloseable {
  private static final byte[] SIGNATURE =
      Arrays.copyOf("PGCOPY\n\u00ff\r\n".getBytes(StandardCharsets.ISO_8859_1), 11);
  private static final long EPOCH_2000_MICROS = 946_684_800_000_000L;
  private static final int BLOCK = 1 << 16;
  private static final int INT4_OID = 23;
  private static final int FLOAT8_OID = 701;
  private static final int BYTEA_OID = 17;

  private final CopyIn copy;
  private final boolean sketched;
  private ByteBuffer buffer = ByteBuffer.allocate(2 * BLOCK);
  private double[] avg = new double[16];

  /**
   * @param sketched whether the rows have sketches
   */
  RollUpCopy(Connection connection, String table, boolean sketched) throws SQLException {
    this.sketched = sketched;
    copy =
        connection
            .unwrap(PGConnection.class)
            .getCopyAPI()
            .copyIn(
                "copy "
                    + table
                    + " (time, set_id, samples, counts, avg, min, max, last"
                    + (sketched ? ", sketches" : "")
                    + ") from stdin (format binary)");
    buffer.put(SIGNATURE).putInt(0).putInt(0);
  }

  /**
   * Writes a row.
   *
   * @param sketches by position, null where there is none
   */
  void write(BucketFold fold, @Nullable Sketches sketches) throws SQLException {
    int width = fold.width;
    if (avg.length < width) {
      avg = new double[Math.max(width, 2 * avg.length)];
    }
    boolean countsDiffer = false;
    boolean minDiffers = false;
    boolean maxDiffers = false;
    boolean lastDiffers = false;
    for (int i = 0; i < width; i++) {
      if (fold.counts[i] == 0) {
        continue;
      }
      double mean = fold.avg(i);
      avg[i] = mean;
      countsDiffer |= fold.counts[i] != fold.samples;
      minDiffers |= fold.min[i] != mean;
      maxDiffers |= fold.max[i] != mean;
      lastDiffers |= fold.last[i] != mean;
    }
    reserve(80 + width * (8 + 4 * 12));
    buffer.putShort((short) (sketched ? 9 : 8));
    buffer.putInt(8).putLong(fold.bucket - EPOCH_2000_MICROS);
    buffer.putInt(4).putInt(fold.setId);
    buffer.putInt(4).putInt(fold.samples);
    if (countsDiffer) {
      array(width, false, INT4_OID, width * 8);
      for (int i = 0; i < width; i++) {
        buffer.putInt(4).putInt(fold.counts[i]);
      }
    } else {
      buffer.putInt(-1);
    }
    doubles(fold, avg, true);
    doubles(fold, fold.min, minDiffers);
    doubles(fold, fold.max, maxDiffers);
    doubles(fold, fold.last, lastDiffers);
    if (sketched) {
      sketches(sketches);
    }
    if (buffer.position() >= BLOCK) {
      flush();
    }
  }

  void finish() throws SQLException {
    reserve(2);
    buffer.putShort((short) -1);
    flush();
    copy.endCopy();
  }

  private void doubles(BucketFold fold, double[] values, boolean present) {
    if (!present) {
      buffer.putInt(-1);
      return;
    }
    int nulls = 0;
    for (int i = 0; i < fold.width; i++) {
      if (fold.counts[i] == 0) {
        nulls++;
      }
    }
    array(fold.width, nulls > 0, FLOAT8_OID, (fold.width - nulls) * 12 + nulls * 4);
    for (int i = 0; i < fold.width; i++) {
      if (fold.counts[i] == 0) {
        buffer.putInt(-1);
      } else {
        buffer.putInt(8).putDouble(values[i]);
      }
    }
  }

  private void sketches(@Nullable Sketches sketches) throws SQLException {
    if (sketches == null || sketches.width() == 0) {
      reserve(4);
      buffer.putInt(-1);
      return;
    }
    int width = sketches.width();
    int bytes = 0;
    boolean nulls = false;
    for (int i = 0; i < width; i++) {
      byte[] one = sketches.packed(i);
      bytes += 4 + (one == null ? 0 : one.length);
      nulls |= one == null;
    }
    reserve(24 + bytes);
    array(width, nulls, BYTEA_OID, bytes);
    for (int i = 0; i < width; i++) {
      byte[] one = sketches.packed(i);
      if (one == null) {
        buffer.putInt(-1);
      } else {
        buffer.putInt(one.length).put(one);
      }
    }
  }

  private void array(int size, boolean nulls, int elementType, int bytes) {
    buffer.putInt(20 + bytes).putInt(1).putInt(nulls ? 1 : 0).putInt(elementType);
    buffer.putInt(size).putInt(1);
  }

  private void reserve(int bytes) throws SQLException {
    if (buffer.remaining() < bytes) {
      flush();
      if (buffer.capacity() < bytes) {
        buffer = ByteBuffer.allocate(2 * bytes);
      }
    }
  }

  private void flush() throws SQLException {
    copy.writeToCopy(buffer.array(), 0, buffer.position());
    buffer.clear();
  }

  @Override
  public void close() throws SQLException {
    if (copy.isActive()) {
      copy.cancelCopy();
    }
  }
}
