package io.peerlens.ingest.protobuf;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** Writer of one protobuf message, field by field. */
public final class ProtoWriter {

  private byte[] b = new byte[64];
  private int length;

  private void room(int more) {
    if (b.length - length < more) {
      b = Arrays.copyOf(b, Math.max(b.length * 2, length + more));
    }
  }

  private void rawVarint(long value) {
    room(10);
    long left = value;
    while ((left & ~0x7FL) != 0) {
      b[length++] = (byte) (left | 0x80);
      left >>>= 7;
    }
    b[length++] = (byte) left;
  }

  private void rawFixed64(long bits) {
    room(8);
    for (int i = 0; i < 8; i++) {
      b[length++] = (byte) (bits >>> (8 * i));
    }
  }

  /** A whole number. */
  public ProtoWriter varint(int field, long value) {
    rawVarint((long) field << 3);
    rawVarint(value);
    return this;
  }

  /** A number of the kind {@code sint32} or {@code sint64}. */
  public ProtoWriter zigzag(int field, long value) {
    return varint(field, (value << 1) ^ (value >> 63));
  }

  /** Eight bytes. */
  public ProtoWriter fixed64(int field, long bits) {
    rawVarint((long) field << 3 | ProtoReader.FIXED64);
    rawFixed64(bits);
    return this;
  }

  /** A number of the kind {@code double}. */
  public ProtoWriter real(int field, double value) {
    return fixed64(field, Double.doubleToRawLongBits(value));
  }

  /** A text. */
  public ProtoWriter text(int field, String text) {
    return bytes(field, text.getBytes(StandardCharsets.UTF_8));
  }

  /** Bytes. */
  public ProtoWriter bytes(int field, byte[] value) {
    return bytes(field, value, 0, value.length);
  }

  /** The bytes {@code value[from, to)}. */
  public ProtoWriter bytes(int field, byte[] value, int from, int to) {
    rawVarint((long) field << 3 | ProtoReader.LENGTH);
    rawVarint(to - from);
    return raw(value, from, to);
  }

  /** Another message. */
  public ProtoWriter message(int field, ProtoWriter inner) {
    return bytes(field, inner.b, 0, inner.length);
  }

  /** The fields of another message. */
  public ProtoWriter fields(ProtoWriter other) {
    return raw(other.b, 0, other.length);
  }

  /** Fields that are written already, {@code fields[from, to)}. */
  public ProtoWriter raw(byte[] fields, int from, int to) {
    room(to - from);
    System.arraycopy(fields, from, b, length, to - from);
    length += to - from;
    return this;
  }

  /** Fixed numbers in one packed field; nothing when there are none. */
  public ProtoWriter packedFixed64(int field, long[] bits) {
    if (bits.length > 0) {
      rawVarint((long) field << 3 | ProtoReader.LENGTH);
      rawVarint(8L * bits.length);
      for (long one : bits) {
        rawFixed64(one);
      }
    }
    return this;
  }

  /** Variable numbers in one packed field; nothing when there are none. */
  public ProtoWriter packedVarint(int field, long[] values) {
    if (values.length > 0) {
      ProtoWriter inner = new ProtoWriter();
      for (long one : values) {
        inner.rawVarint(one);
      }
      message(field, inner);
    }
    return this;
  }

  /** Number of bytes that are written. */
  public int length() {
    return length;
  }

  /** Begins anew. */
  public ProtoWriter clear() {
    length = 0;
    return this;
  }

  /** A copy of what is written. */
  public byte[] toBytes() {
    return Arrays.copyOf(b, length);
  }
}
