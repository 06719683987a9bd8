package io.peerlens.ingest.otlp;

import java.util.Arrays;

/** Writer of a protobuf message. */
final class ProtoWriter {

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

  ProtoWriter varint(int field, long value) {
    rawVarint((long) field << 3);
    rawVarint(value);
    return this;
  }

  ProtoWriter zigzag(int field, int value) {
    return varint(field, ((value << 1) ^ (value >> 31)) & 0xFFFFFFFFL);
  }

  ProtoWriter fixed64(int field, long bits) {
    rawVarint((long) field << 3 | Fields.FIXED64);
    rawFixed64(bits);
    return this;
  }

  ProtoWriter number(int field, double value) {
    return fixed64(field, Double.doubleToRawLongBits(value));
  }

  ProtoWriter bytes(int field, byte[] value) {
    return bytes(field, value, 0, value.length);
  }

  ProtoWriter bytes(int field, byte[] value, int from, int to) {
    rawVarint((long) field << 3 | Fields.LENGTH);
    rawVarint(to - from);
    room(to - from);
    System.arraycopy(value, from, b, length, to - from);
    length += to - from;
    return this;
  }

  ProtoWriter message(int field, ProtoWriter inner) {
    return bytes(field, inner.b, 0, inner.length);
  }

  /** Fixed numbers in one packed field; nothing when there are none. */
  ProtoWriter packedFixed64(int field, long[] bits) {
    if (bits.length > 0) {
      rawVarint((long) field << 3 | Fields.LENGTH);
      rawVarint(8L * bits.length);
      for (long one : bits) {
        rawFixed64(one);
      }
    }
    return this;
  }

  /** Variable numbers in one packed field; nothing when there are none. */
  ProtoWriter packedVarint(int field, long[] values) {
    if (values.length > 0) {
      ProtoWriter inner = new ProtoWriter();
      for (long one : values) {
        inner.rawVarint(one);
      }
      message(field, inner);
    }
    return this;
  }

  byte[] toBytes() {
    return Arrays.copyOf(b, length);
  }
}
