package io.peerlens.intake;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;

/**
 * Reader of the fields of one protobuf message, in place and in any order. Source: protobuf.dev,
 * "Encoding".
 */
final class ProtoReader {

  static final int VARINT = 0;
  static final int FIXED64 = 1;
  static final int BYTES = 2;
  static final int FIXED32 = 5;

  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  /** All bytes; the message is a part of them. */
  final byte[] bytes;

  private final int end;
  private int at;

  /** Number of the field that was read last. */
  int number;

  int wire;

  /** Its value, where it is a number; the sign of 32 bits does not matter to us. */
  long bits;

  /**
   * Where its tag begins; its value, where it is {@link #BYTES}, is from {@code from} to {@code
   * to}.
   */
  int tagFrom;

  int from;
  int to;

  ProtoReader(byte[] bytes) {
    this(bytes, 0, bytes.length);
  }

  ProtoReader(byte[] bytes, int from, int to) {
    this.bytes = bytes;
    this.at = from;
    this.end = to;
  }

  /** The message that the last field is. */
  ProtoReader message() throws Refusal {
    need(BYTES);
    return new ProtoReader(bytes, from, to);
  }

  /** The text that the last field is; what is no UTF-8 becomes a mark. */
  String text() throws Refusal {
    need(BYTES);
    return new String(bytes, from, to - from, StandardCharsets.UTF_8);
  }

  double number() throws Refusal {
    need(FIXED64);
    return Double.longBitsToDouble(bits);
  }

  /** A whole number that is written with its sign last. */
  long zigZag() throws Refusal {
    need(VARINT);
    return (bits >>> 1) ^ -(bits & 1);
  }

  long whole() throws Refusal {
    need(VARINT);
    return bits;
  }

  private void need(int expected) throws Refusal {
    if (wire != expected) {
      throw malformed("field %d has the wire type %d".formatted(number, wire));
    }
  }

  /**
   * Goes to the next field.
   *
   * @return false at the end
   */
  boolean next() throws Refusal {
    if (at == end) {
      return false;
    }
    tagFrom = at;
    long tag = varint();
    number = (int) (tag >>> 3);
    wire = (int) tag & 7;
    if (number <= 0 || tag >>> 32 != 0) {
      throw malformed("a field without number");
    }
    switch (wire) {
      case VARINT -> bits = varint();
      case FIXED64 -> {
        room(8);
        bits = (long) LONG.get(bytes, at);
        at += 8;
      }
      case BYTES -> {
        long length = varint();
        if (length < 0 || length > end - at) {
          throw malformed("field %d is longer than its message".formatted(number));
        }
        from = at;
        at += (int) length;
        to = at;
      }
      case FIXED32 -> {
        room(4);
        at += 4;
      }
      default -> throw malformed("wire type %d".formatted(wire));
    }
    return true;
  }

  /** Where the last field ends. */
  int fieldEnd() {
    return at;
  }

  /** Whether a packed list, which the last field is, has more; reads by the methods below. */
  boolean more() {
    return at < end;
  }

  long nextVarint() throws Refusal {
    return varint();
  }

  double nextDouble() throws Refusal {
    room(8);
    double value = Double.longBitsToDouble((long) LONG.get(bytes, at));
    at += 8;
    return value;
  }

  private void room(int n) throws Refusal {
    if (end - at < n) {
      throw malformed("it ends within field %d".formatted(number));
    }
  }

  private long varint() throws Refusal {
    long value = 0;
    for (int shift = 0; shift < 70; shift += 7) {
      if (at == end) {
        throw malformed("it ends within a number");
      }
      byte b = bytes[at++];
      value |= (long) (b & 0x7f) << shift;
      if (b >= 0) {
        return value;
      }
    }
    throw malformed("a number of more than 10 bytes");
  }

  private Refusal malformed(String why) {
    return Refusal.bad(
        "The body is not the protobuf message that is expected: %s, at byte %d."
            .formatted(why, at));
  }
}
