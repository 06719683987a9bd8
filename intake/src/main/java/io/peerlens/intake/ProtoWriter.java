package io.peerlens.intake;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** Writer of one protobuf message. */
final class ProtoWriter {

  private byte[] bytes = new byte[256];
  private int length;

  int length() {
    return length;
  }

  byte[] toBytes() {
    return Arrays.copyOf(bytes, length);
  }

  ProtoWriter clear() {
    length = 0;
    return this;
  }

  ProtoWriter varint(int number, long value) {
    put((long) number << 3);
    put(value);
    return this;
  }

  /** A whole number whose sign is written last. */
  ProtoWriter zigZag(int number, long value) {
    return varint(number, (value << 1) ^ (value >> 63));
  }

  ProtoWriter fixed64(int number, long value) {
    put((long) number << 3 | ProtoReader.FIXED64);
    room(8);
    for (int i = 0; i < 8; i++) {
      bytes[length++] = (byte) (value >>> 8 * i);
    }
    return this;
  }

  ProtoWriter number(int number, double value) {
    return fixed64(number, Double.doubleToRawLongBits(value));
  }

  ProtoWriter text(int number, String text) {
    byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
    return bytes(number, utf8, 0, utf8.length);
  }

  ProtoWriter message(int number, ProtoWriter message) {
    return bytes(number, message.bytes, 0, message.length);
  }

  ProtoWriter bytes(int number, byte[] value, int from, int to) {
    put((long) number << 3 | ProtoReader.BYTES);
    put(to - from);
    return raw(value, from, to);
  }

  /** Fields that are written already. */
  ProtoWriter raw(byte[] fields, int from, int to) {
    room(to - from);
    System.arraycopy(fields, from, bytes, length, to - from);
    length += to - from;
    return this;
  }

  /** An element of a packed list. */
  void put(long value) {
    room(10);
    long rest = value;
    while ((rest & ~0x7fL) != 0) {
      bytes[length++] = (byte) (rest | 0x80);
      rest >>>= 7;
    }
    bytes[length++] = (byte) rest;
  }

  private void room(int more) {
    if (bytes.length - length < more) {
      bytes = Arrays.copyOf(bytes, Math.max(2 * bytes.length, length + more));
    }
  }
}
