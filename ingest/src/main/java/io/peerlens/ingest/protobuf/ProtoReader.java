package io.peerlens.ingest.protobuf;

import io.peerlens.ingest.bytes.Bytes;
import java.nio.charset.StandardCharsets;

/**
 * Reader of the fields of one protobuf message in place, in whatever order they stand. Nothing is
 * allocated; a reader can be turned to one message after the other. Source: protobuf.dev,
 * "Encoding".
 */
public final class ProtoReader {

  /** Wire type of whole numbers of variable length. */
  public static final int VARINT = 0;

  /** Wire type of eight bytes. */
  public static final int FIXED64 = 1;

  /** Wire type of texts, bytes, messages and packed numbers. */
  public static final int LENGTH = 2;

  private static final int FIXED32 = 5;

  private byte[] b = {};
  private int at;
  private int end;
  private int tag;
  private int start;
  private long bits;
  private int from;
  private int to;

  /** Turns to the message {@code buffer[begin, limit)}. */
  public ProtoReader on(byte[] buffer, int begin, int limit) {
    b = buffer;
    at = begin;
    end = limit;
    return this;
  }

  /** Turns to a message. */
  public ProtoReader on(byte[] message) {
    return on(message, 0, message.length);
  }

  /**
   * Reads a field.
   *
   * @return false at the end of the message
   * @throws Malformed when there is no field
   */
  public boolean next() {
    if (at >= end) {
      return false;
    }
    start = at;
    long read = varint();
    if (read >>> 32 != 0 || read >>> 3 == 0) {
      throw new Malformed("a field has no number that protobuf allows", start);
    }
    tag = (int) read;
    switch (tag & 7) {
      case VARINT -> bits = varint();
      case FIXED64 -> {
        need(8);
        bits = Bytes.int64(b, at);
        at += 8;
      }
      case LENGTH -> {
        long length = varint();
        if (length < 0 || length > end - at) {
          throw new Malformed("a field is longer than what holds it", start);
        }
        from = at;
        at += (int) length;
      }
      case FIXED32 -> {
        need(4);
        bits = Bytes.int32(b, at);
        at += 4;
      }
      default -> throw new Malformed("a field has a wire type that is not in use", start);
    }
    to = at;
    return true;
  }

  /**
   * Reads a number without a tag, as packed fields hold them.
   *
   * @return false at the end
   */
  public boolean nextPacked(int wire) {
    if (at >= end) {
      return false;
    }
    if (wire == VARINT) {
      bits = varint();
    } else {
      need(8);
      bits = Bytes.int64(b, at);
      at += 8;
    }
    return true;
  }

  /** The bytes that the message is a part of. */
  public byte[] bytes() {
    return b;
  }

  /** Number of the field that was read last, times 8, plus its wire type. */
  public int tag() {
    return tag;
  }

  /** Number of that field. */
  public int number() {
    return tag >>> 3;
  }

  /** Whether it has this wire type. */
  public boolean is(int wire) {
    return (tag & 7) == wire;
  }

  /** Begin of the field with its tag. */
  public int start() {
    return start;
  }

  /** Value of a field that is a number. */
  public long bits() {
    return bits;
  }

  /** Content of a field that has a length. */
  public int from() {
    return from;
  }

  /** End of the field, and of its content. */
  public int to() {
    return to;
  }

  /** Number of bytes that are not read yet. */
  public int left() {
    return end - at;
  }

  /**
   * The message that the field holds.
   *
   * @throws Malformed when it is a number
   */
  public ProtoReader message() {
    expect(LENGTH);
    return new ProtoReader().on(b, from, to);
  }

  /**
   * The text that the field holds; what is no UTF-8 becomes a mark.
   *
   * @throws Malformed when it is a number
   */
  public String text() {
    expect(LENGTH);
    return new String(b, from, to - from, StandardCharsets.UTF_8);
  }

  /**
   * The number of the kind {@code double} that the field is.
   *
   * @throws Malformed when it is something else
   */
  public double real() {
    expect(FIXED64);
    return Double.longBitsToDouble(bits);
  }

  /**
   * The whole number of variable length that the field is.
   *
   * @throws Malformed when it is something else
   */
  public long whole() {
    expect(VARINT);
    return bits;
  }

  private void expect(int wire) {
    if (!is(wire)) {
      throw new Malformed(
          "field %d has another wire type than it should".formatted(number()), start);
    }
  }

  private void need(int count) {
    if (end - at < count) {
      throw new Malformed("the message ends within a number", at);
    }
  }

  private long varint() {
    long value = 0;
    int begin = at;
    for (int shift = 0; shift < 70; shift += 7) {
      if (at >= end) {
        throw new Malformed("the message ends within a number", begin);
      }
      byte one = b[at++];
      value |= (one & 0x7FL) << shift;
      if (one >= 0) {
        return value;
      }
    }
    throw new Malformed("a number has more than 10 bytes", begin);
  }

  /** A number of the kind {@code sint32} or {@code sint64} from its bits. */
  public static long zigzag(long bits) {
    return (bits >>> 1) ^ -(bits & 1);
  }
}
