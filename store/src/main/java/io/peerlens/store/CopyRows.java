package io.peerlens.store;

import java.sql.SQLException;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import org.postgresql.copy.CopyOut;

/**
 * Reader of the rows that {@code COPY ... TO STDOUT (FORMAT binary)} sends, field by field, without
 * an object per value. A message of the protocol mostly is one row, but nothing promises that, so
 * rows may begin and end anywhere in it.
 */
final class CopyRows {
  private static final long EPOCH_2000_MICROS = 946_684_800_000_000L;
  private static final int SIGNATURE_LENGTH = 11;

  private final CopyOut copy;
  private byte[] buffer = new byte[0];
  private int position;
  private boolean begun;

  CopyRows(CopyOut copy) {
    this.copy = copy;
  }

  /** Goes to the next row; its fields are then read in order. False when there is none. */
  boolean next() throws SQLException {
    if (!begun) {
      need(SIGNATURE_LENGTH + 8);
      position += SIGNATURE_LENGTH + 4;
      int extension = int32();
      need(extension);
      position += extension;
      begun = true;
    }
    need(2);
    short fields = (short) ((buffer[position] << 8) | (buffer[position + 1] & 0xff));
    position += 2;
    if (fields >= 0) {
      return true;
    }
    byte @Nullable [] rest = copy.readFromCopy();
    if (rest != null) {
      throw new SQLException("COPY continues after its end mark");
    }
    return false;
  }

  int intField() throws SQLException {
    expect(4);
    return int32();
  }

  long longField() throws SQLException {
    expect(8);
    return int64();
  }

  /** Microseconds since 1970. */
  long timeField() throws SQLException {
    expect(8);
    return int64() + EPOCH_2000_MICROS;
  }

  /** NaN for NULL. */
  double doubleField() throws SQLException {
    need(4);
    if (int32() < 0) {
      return Double.NaN;
    }
    need(8);
    return Double.longBitsToDouble(int64());
  }

  /** Null for NULL. */
  byte @Nullable [] bytesField() throws SQLException {
    need(4);
    int length = int32();
    if (length < 0) {
      return null;
    }
    need(length);
    position += length;
    return Arrays.copyOfRange(buffer, position - length, position);
  }

  /** Zero for NULL. */
  int intOrZeroField() throws SQLException {
    need(4);
    if (int32() < 0) {
      return 0;
    }
    need(4);
    return int32();
  }

  /**
   * Begins a field that is an array of one dimension; its elements are read with {@link
   * #doubleField} or {@link #intOrZeroField}.
   *
   * @return how many elements follow; -1 for NULL
   */
  int arrayField() throws SQLException {
    need(4);
    int length = int32();
    if (length < 0) {
      return -1;
    }
    need(length);
    int dimensions = int32();
    position += 8; // whether there are nulls, and the type of the elements
    if (dimensions == 0) {
      return 0;
    }
    if (dimensions != 1) {
      throw new SQLException(
          "An array of " + dimensions + " dimensions where values were expected");
    }
    int size = int32();
    position += 4; // index of the first element
    return size;
  }

  private void expect(int length) throws SQLException {
    need(4 + length);
    int found = int32();
    if (found != length) {
      throw new SQLException("A field of " + found + " bytes where " + length + " were expected");
    }
  }

  private void need(int bytes) throws SQLException {
    while (buffer.length - position < bytes) {
      byte @Nullable [] more = copy.readFromCopy();
      if (more == null) {
        throw new SQLException("COPY ended within a row");
      }
      if (position == buffer.length) {
        buffer = more;
      } else {
        byte[] joined = new byte[buffer.length - position + more.length];
        System.arraycopy(buffer, position, joined, 0, buffer.length - position);
        System.arraycopy(more, 0, joined, buffer.length - position, more.length);
        buffer = joined;
      }
      position = 0;
    }
  }

  private int int32() {
    int value =
        (buffer[position] & 0xff) << 24
            | (buffer[position + 1] & 0xff) << 16
            | (buffer[position + 2] & 0xff) << 8
            | (buffer[position + 3] & 0xff);
    position += 4;
    return value;
  }

  private long int64() {
    long high = int32();
    return high << 32 | (int32() & 0xffff_ffffL);
  }
}
