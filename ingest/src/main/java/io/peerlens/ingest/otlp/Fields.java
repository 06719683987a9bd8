package io.peerlens.ingest.otlp;

import io.peerlens.ingest.bytes.Bytes;

/**
 * Reader of the fields of one protobuf message in place. Fields may stand in any order; nothing is
 * allocated. Reused for many messages.
 */
final class Fields {

  static final int VARINT = 0;
  static final int FIXED64 = 1;
  static final int LENGTH = 2;
  static final int FIXED32 = 5;

  byte[] b = {};
  private int at;
  private int end;

  /** Number of the field that was read last, times 8, plus its wire type. */
  int tag;

  /** Begin of the field with its tag. */
  int start;

  /** Value of a field that is a number. */
  long bits;

  /** Content of a field that has a length. */
  int from;

  /** End of the field, and of its content. */
  int to;

  /** Turns to the message {@code b[from, to)}. */
  void on(byte[] buffer, int begin, int limit) {
    b = buffer;
    at = begin;
    end = limit;
  }

  /**
   * Reads a field.
   *
   * @return false at the end of the message
   * @throws Malformed when there is no field
   */
  boolean next() {
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
  boolean nextPacked(int wire) {
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

  /** Number of bytes that are not read yet. */
  int left() {
    return end - at;
  }

  private void need(int count) {
    if (end - at < count) {
      throw new Malformed("the message ends within a number", at);
    }
  }

  private long varint() {
    long value = 0;
    int from = at;
    for (int shift = 0; shift < 70; shift += 7) {
      if (at >= end) {
        throw new Malformed("the message ends within a number", from);
      }
      byte one = b[at++];
      value |= (one & 0x7FL) << shift;
      if (one >= 0) {
        return value;
      }
    }
    throw new Malformed("a number has more than 10 bytes", from);
  }

  /** A number of the kind {@code sint32} from its bits. */
  static int zigzag(long bits) {
    int n = (int) bits;
    return (n >>> 1) ^ -(n & 1);
  }
}
