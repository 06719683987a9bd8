package io.peerlens.flow.decode;

import java.io.ByteArrayOutputStream;

/** Writes protobuf by hand, for tests. */
final class FlowMessages {

  private final ByteArrayOutputStream out = new ByteArrayOutputStream();

  FlowMessages varint(int field, long value) {
    raw((long) field << 3);
    return raw(value);
  }

  FlowMessages bytes(int field, int... value) {
    raw((long) field << 3 | 2);
    raw(value.length);
    for (int b : value) {
      out.write(b);
    }
    return this;
  }

  /** A field of fixed size, wire types 1 and 5. */
  FlowMessages fixed(int field, int size) {
    raw((long) field << 3 | (size == 8 ? 1 : 5));
    out.writeBytes(new byte[size]);
    return this;
  }

  FlowMessages raw(long value) {
    long rest = value;
    while (rest < 0 || rest > 127) {
      out.write((int) (rest & 127 | 128));
      rest >>>= 7;
    }
    out.write((int) rest);
    return this;
  }

  byte[] message() {
    return out.toByteArray();
  }

  /** The message with its length before it. */
  byte[] delimited() {
    return concat(new FlowMessages().raw(out.size()).message(), message());
  }

  static byte[] concat(byte[]... parts) {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    for (byte[] part : parts) {
      all.writeBytes(part);
    }
    return all.toByteArray();
  }
}
